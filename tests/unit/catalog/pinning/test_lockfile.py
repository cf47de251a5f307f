"""The lock file: one form, and what differs from it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.pinning.digest import FILE, PROGRAM, FileDigest, digest_of
from prowess.catalog.pinning.lockfile import Change, Drift, LockedPackage, drifts, read_lock, write_lock
from prowess.errors import ConfigurationError

if TYPE_CHECKING:
    import random


def locked(name: str, version: str | None = "1.0", source: str = "skills", **files: int) -> LockedPackage:
    """A package with these files, each with a number for its bytes."""
    every = (FileDigest(path, f"{number:064x}", PROGRAM if path == "run" else FILE) for path, number in files.items())
    return LockedPackage(name=name, source=source, version=version, pinned=digest_of(every))


@pytest.mark.behaviour("lock.form")
def test_a_lock_file_has_one_sorted_form_and_is_read_back() -> None:
    """Spec: one stable sorted form, trailing newline."""
    packages = [locked("pdf", a=1, run=2), locked("acme/csv", None), locked("面白い", z=9)]
    text = write_lock(packages)
    assert text == write_lock(reversed(packages))
    assert text.endswith("}\n")
    assert "面白い" in text
    value = json.loads(text)
    assert list(value) == ["packages", "version"]
    assert list(value["packages"]) == ["acme/csv", "pdf", "面白い"]
    assert value["packages"]["pdf"]["files"]["run"] == f"program sha256:{2:064x}"
    assert sorted(read_lock(text), key=lambda one: one.name) == sorted(packages, key=lambda one: one.name)


@pytest.mark.behaviour("lock.drift")
def test_what_differs_is_named_down_to_the_file() -> None:
    """Spec: exit 1 on drift, showing which files."""
    before = [
        locked("gone"),
        locked("pdf", same=1, changed=1, gone=1),
        locked("moved", source="a"),
        locked("same", a=1),
    ]
    now = [
        locked("pdf", same=1, changed=2, new=1),
        locked("moved", "2.0", source="b"),
        locked("same", a=1),
        locked("new"),
    ]
    assert drifts(before, now) == (
        Drift("gone", "removed"),
        Drift("moved", "changed", (), (Change("source", "changed"), Change("version", "changed"))),
        Drift("new", "added"),
        Drift("pdf", "changed", (Change("changed", "changed"), Change("gone", "removed"), Change("new", "added")), ()),
    )
    assert drifts(before, before) == ()


@pytest.mark.behaviour("lock.drift")
def test_a_file_that_may_be_executed_now_is_drift() -> None:
    """Choice: it does something that it did not do."""
    one = LockedPackage(name="pdf", source="s", pinned=digest_of([FileDigest("a", "0" * 64, FILE)]))
    other = LockedPackage(name="pdf", source="s", pinned=digest_of([FileDigest("a", "0" * 64, PROGRAM)]))
    assert drifts([one], [other]) == (Drift("pdf", "changed", (Change("a", "changed"),)),)


@pytest.mark.behaviour("lock.refused")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no lock file"),
        ('{"version": 1}', "is no lock file"),
        ('{"version": 2, "packages": {}}', "is written in form 2"),
        ('{"version": 1, "packages": {"pdf": {}}}', "nothing about the files of 'pdf'"),
        ('{"version": 1, "packages": {"pdf": {"files": {"a": 1}, "source": "s"}}}', "about the file 'a' of 'pdf'"),
        ('{"version": 1, "packages": {"pdf": {"files": {"a": "file x"}, "source": "s"}}}', "about the file 'a'"),
        ('{"version": 1, "packages": {"pdf": {"files": {}, "source": 1}}}', "has no source"),
        ('{"version": 1, "packages": {"pdf": {"files": {}, "source": "s", "version": 1}}}', "no text as version"),
        ('{"version": 1, "packages": {"pdf": {"files": {}, "source": "s"}}}', "was edited: the digest of 'pdf'"),
    ],
)
def test_what_is_no_lock_file_or_was_edited_is_refused_with_the_way_out(text: str, why: str) -> None:
    """Choice: a merge by hand must not pass for what was locked."""
    with pytest.raises(ConfigurationError, match=why) as caught:
        read_lock(text, "here/prowess.lock")
    assert str(caught.value.message).startswith("here/prowess.lock")
    assert "'prowess lock' writes it anew" in caught.value.message


paths = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
packages = st.lists(
    st.builds(
        lambda name, source, version, files: LockedPackage(
            name=name,
            source=source,
            version=version,
            pinned=digest_of(FileDigest(path, f"{number:064x}") for path, number in files.items()),
        ),
        st.text(st.characters(codec="utf-8"), min_size=1),
        st.text(st.characters(codec="utf-8")),
        st.none() | st.text(st.characters(codec="utf-8")),
        st.dictionaries(paths, st.integers(0, 9), max_size=4),
    ),
    unique_by=lambda one: one.name,
    max_size=5,
)


@given(packages, st.randoms())
def test_whatever_is_locked_is_read_back_and_drifts_from_nothing(
    every: list[LockedPackage], chance: random.Random
) -> None:
    """Choice: a lock file that is read as something else is worse than none."""
    shuffled = [*every]
    chance.shuffle(shuffled)
    text = write_lock(shuffled)
    assert text == write_lock(every)
    assert drifts(read_lock(text), every) == ()
