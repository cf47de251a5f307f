"""Which of several packages with one name has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.packages.collisions import Naming, give_names, name_by_place
from prowess.catalog.packages.found import Found
from prowess.catalog.packages.sources import Level, Source
from prowess.model.manifest import Kind, Manifest
from prowess.model.names import is_name, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def found(
    name: str, level: Level = Level.PROJECT, *, digest: str = "", namespace: str | None = None, place: str = ""
) -> Found:
    """A package of that name; each has a text of its own unless said otherwise."""
    shown = place or f"{level}/{namespace}/{name}"
    return Found(
        folder=f"/{shown}",
        file="SKILL.md",
        path=f"/{shown}/SKILL.md",
        shown=shown,
        facts=(0, 0, 0, 0),
        digest=digest or shown,
        manifest=Manifest(name=name, kind=Kind.PACKAGE),
        source=Source(path=f"/{level}", level=level, shown=str(level), namespace=namespace),
        depth=1,
    )


def give(*packages: Found, taken: Sequence[str] = (), trees: dict[str, str] | None = None) -> Naming:
    """Name packages, some names being taken by code; the digest of a folder's files is what `trees` says."""
    holders = {key_of(name): "code.py" for name in taken}
    return give_names(packages, lambda name: holders.get(key_of(name)), lambda one: (trees or {}).get(one.folder))


def named(naming: Naming) -> dict[str, str]:
    """Which folder has which name."""
    return {one.name: one.found.folder for one in naming.named}


@pytest.mark.behaviour("collisions.first-wins")
def test_the_first_keeps_its_name_and_the_others_are_found_by_where_they_are_from() -> None:
    """Spec: project beats user, reported, the loser still reachable by its qualified name."""
    one, two, three = found("pdf"), found("pdf", Level.USER), found("p-df", Level.USER, digest="x")
    naming = give(one, two, three, found("csv"))
    assert named(naming) == {
        "pdf": one.folder,
        "user/pdf": two.folder,
        "p-df": three.folder,
        "csv": "/project/None/csv",
    }
    (told,) = naming.diagnostics
    assert (told.code, told.severity, told.subject, told.path) == (
        "shadowed",
        "warning",
        "pdf",
        f"{two.shown}/SKILL.md",
    )
    assert (
        told.message
        == f"{one.shown} has the name 'pdf' already: this one is found as 'user/pdf', and always as 'user-none/pdf'"
    )


@pytest.mark.behaviour("collisions.spelling")
def test_two_spellings_of_one_name_collide() -> None:
    """Spec: `-` and `_` are one key."""
    assert list(named(give(found("read-file"), found("read_file", Level.USER)))) == ["read-file", "user/read_file"]


@pytest.mark.behaviour("collisions.several")
def test_several_losers_from_one_level_are_named_by_where_they_are() -> None:
    """Regression: they were numbered, and had other numbers when a folder before them went."""
    places = ["~/.agents/skills/pdf", "~/.claude/skills/pdf", "~/.claude/skills/forms/pdf", "../skills/pdf"]
    packages = [found("pdf"), *(found("pdf", Level.USER, place=place) for place in places)]
    names = ["pdf", "user/pdf", "user-claude/pdf", "user-claude-forms/pdf", "user-up/pdf"]
    assert list(named(give(*packages))) == names
    for gone in range(2, 5):
        assert list(named(give(*packages[:gone], *packages[gone + 1 :]))) == [*names[:gone], *names[gone + 1 :]]


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (".claude/skills/pdf", "project-claude/pdf"),
        (".claude/skills/forms", "project-claude-forms/pdf"),
        ("skills/pdf", "project-skills/pdf"),
        ("pdf", "project-skills/pdf"),
        (".", "project-skills/pdf"),
        ("skills/p_d_f", "project-p-d-f/pdf"),
        ("project/Team A (old)/pdf", "project-team-a-old/pdf"),
        ("/home/ada/vendor/skills/pdf", "project-vendor/pdf"),
        ("/home/ada/two/pdf", "project-two/pdf"),
    ],
)
def test_a_name_by_place_says_where_a_package_is(shown: str, name: str) -> None:
    """Choice: short, and the same on every machine where the path is."""
    assert name_by_place("project", shown, "pdf") == name


def test_a_name_by_place_that_would_be_ambiguous_or_long_has_a_hash() -> None:
    """Choice: two folders that are written alike in ASCII are still two."""
    shown = ["skills/\u6587\u4ef6/pdf", "skills/\u8868\u683c/pdf", f"skills/{'x' * 90}/pdf", f"skills/{'y' * 40}/pdf"]
    names = [name_by_place("n" * 64, one, "pdf") for one in shown] + [
        name_by_place("user", one, "pdf") for one in shown
    ]
    assert all(map(is_name, names))
    assert len(set(names)) == len(names)


def test_packages_that_are_shown_in_one_place_are_told_apart() -> None:
    """Choice: each is reachable, whatever else has its name."""
    same = [found("pdf", Level.USER, digest=str(number)) for number in range(5)]
    names = list(named(give(*same, taken=["user-none/pdf"])))
    assert names[:2] == ["pdf", "user/pdf"]
    assert names[2].startswith("user-none-")
    assert [name.partition("/")[0][-2:] for name in names[3:]] == ["-2", "-3"]


@pytest.mark.behaviour("collisions.code")
def test_what_code_registered_keeps_its_name() -> None:
    """Choice: a function that a module calls by name must not become another by a new folder."""
    naming = give(found("pdf"), taken=["pdf"])
    assert list(named(naming)) == ["project/pdf"]
    assert naming.diagnostics[0].message.startswith("code.py has the name 'pdf' already")


@pytest.mark.behaviour("collisions.namespaces")
def test_a_namespace_keeps_packages_apart_and_collides_only_with_itself() -> None:
    """Spec: a namespace goes before a slash."""
    packages = [
        found("pdf"),
        found("pdf", Level.PLUGIN, namespace="acme"),
        found("pdf", Level.PLUGIN, namespace="beta"),
        found("pdf", Level.INSTALLED, namespace="acme"),
    ]
    assert list(named(give(*packages))) == ["pdf", "acme/pdf", "beta/pdf", "acme-installed/pdf"]


@pytest.mark.behaviour("collisions.identical")
def test_the_same_files_under_two_paths_are_one_entry_and_a_note() -> None:
    """Spec: identical content under two paths is one entry."""
    one, two = found("pdf", digest="same"), found("pdf", Level.USER, digest="same")
    naming = give(one, two, trees={one.folder: "tree", two.folder: "tree"})
    assert list(named(naming)) == ["pdf"]
    assert [(told.code, told.severity) for told in naming.diagnostics] == [("same-package", "note")]
    apart = give(one, two, trees={one.folder: "tree", two.folder: "other"})
    assert list(named(apart)) == ["pdf", "user/pdf"]
    assert list(named(give(one, two))) == ["pdf", "user/pdf"]


names = st.sampled_from(["pdf", "p-df", "p_df", "csv"])
packages = st.lists(st.builds(found, names, st.sampled_from(Level), digest=st.sampled_from("abc"), namespace=st.none()))


@given(packages)
def test_every_package_has_one_legal_name_and_the_first_of_each_name_the_plain_one(every: list[Found]) -> None:
    """Choice: whatever collides, nothing is lost and nothing has two names."""
    naming = give(*every)
    given_names = [one.name for one in naming.named]
    assert [one.found for one in naming.named] == every
    assert all(map(is_name, given_names))
    assert len({key_of(name) for name in given_names}) == len(every)
    first = {key_of(one.manifest.name): one for one in reversed(every)}
    plain = {key_of(one.name): one.found for one in naming.named if "/" not in one.name}
    assert plain == first
    assert give(*every).named == naming.named
