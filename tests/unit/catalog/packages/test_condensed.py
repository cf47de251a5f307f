"""A scan in few bytes, and whether what it rests on still holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.kept import Kept, KeptSkill, keep
from prowess.catalog.packages.condensed import Trouble, condense, expand, source_lines, sources_of
from prowess.catalog.packages.sources import Level, Source
from prowess.catalog.walked import GONE, UNSURE, Folder, Kind
from tests.unit.catalog.packages import trees
from tests.unit.catalog.packages.trees import put, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.catalog.packages.found import Scan


def condensed(root: Path, found: Scan) -> Kept:
    """What is kept of a scan, each package with its position as row."""
    return condense(str(root), found, {one.path: row for row, one in enumerate(found.found)})


def expanded(kept: Kept, found: Scan) -> Scan:
    """The scan that was kept."""
    sources = sources_of(kept.sources)
    return expand(kept, sources, lambda row: found.found[row].manifest, Trouble.of(found))


@pytest.mark.behaviour("packages.kept")
def test_a_scan_comes_back_as_it_was_but_for_its_words(tmp_path: Path) -> None:
    """Choice: the next scan starts from it, in this process or another."""
    put(tmp_path / "one" / "pdf")
    put(tmp_path / "store" / "csv")
    (tmp_path / "one" / "linked").mkdir()
    (tmp_path / "one" / "linked" / "SKILL.md").symlink_to(tmp_path / "store" / "csv" / "SKILL.md")
    (tmp_path / "one" / "bad").mkdir()
    (tmp_path / "one" / "bad" / "SKILL.md").write_text("broken")
    away = source(Path("/nowhere/at/all"), Level.USER, namespace="acme", label="theirs")
    found = trees.look(source(tmp_path / "one"), away)
    back = expanded(condensed(tmp_path, found), found)
    assert back.sources == found.sources
    assert back.found == found.found
    assert back.refused == found.refused
    assert [(one.kind, one.path, one.facts, one.names) for one in back.folders] == [
        (one.kind, one.path, one.facts, one.names) for one in found.folders
    ]


@pytest.mark.behaviour("packages.kept")
def test_what_is_broken_stays_so_in_the_next_scan(tmp_path: Path) -> None:
    """Choice: a problem is told until it is mended."""
    path = put(tmp_path / "pdf")
    good = trees.look(source(tmp_path))
    path.write_text("broken")
    broken = trees.look(source(tmp_path), previous=good)
    back = expanded(condensed(tmp_path, broken), broken)
    assert back.found[0].broken == broken.found[0].broken != ()


def test_a_name_with_a_namespace_is_kept_and_comes_back_without(tmp_path: Path) -> None:
    """Choice: names are given anew by each scan."""
    put(tmp_path / "pdf")
    found = trees.look(source(tmp_path))
    kept = condensed(tmp_path, found)
    named = trees.renamed(found.found[0].manifest, "user/pdf")
    assert expand(kept, found.sources, lambda _: named).found[0].manifest.name == "pdf"
    assert expand(kept, found.sources, lambda _: named, Trouble()).refused == ()


def _relink(root: Path) -> None:
    (root / "one" / "linked").unlink()
    (root / "one" / "linked").symlink_to(root)


def _edit_alike(root: Path) -> None:
    """Change a text but neither its size nor its time."""
    path = root / "one" / "pdf" / "SKILL.md"
    path.write_text(path.read_text(encoding="utf-8").replace("asked", "ASKED"), encoding="utf-8")
    trees.age(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "text": lambda root: put(root / "one" / "pdf", description="Other. Use when asked."),
    "same size and time": _edit_alike,
    "time": lambda root: os.utime(root / "one" / "pdf" / "SKILL.md", (1, 1)),
    "mode": lambda root: (root / "one" / "pdf" / "SKILL.md").chmod(0o600),
    "replaced": lambda root: put(root / "other").replace(root / "one" / "pdf" / "SKILL.md"),
    "gone": lambda root: (root / "one" / "pdf" / "SKILL.md").unlink(),
    "new": lambda root: put(root / "one" / "csv"),
    "nested": lambda root: put(root / "one" / "pdf" / "references" / "inner"),
    "another spelling": lambda root: put(root / "one" / "pdf", file="skill.md"),
    "link": _relink,
    "a folder is gone": lambda root: (root / "one" / "pdf" / "references").rmdir(),
    "a source appears": lambda root: (root / "two").mkdir(),
}


@pytest.mark.behaviour("index.packages")
@pytest.mark.parametrize("change", [None, *CHANGES])
def test_it_holds_while_every_folder_and_skill_md_is_as_it_was(change: str | None, tmp_path: Path) -> None:
    """Spec: it must stay valid only while every source folder and SKILL.md is unchanged."""
    put(tmp_path / "one" / "pdf")
    (tmp_path / "one" / "pdf" / "references").mkdir()
    (tmp_path / "else").mkdir()
    (tmp_path / "one" / "linked").symlink_to(tmp_path / "else")
    kept = condensed(tmp_path, trees.look(source(tmp_path / "one"), source(tmp_path / "two")))
    (tmp_path / "one" / "pdf" / "note.md").touch()
    if change is not None:
        CHANGES[change](tmp_path)
    try:
        holds = kept.holds()
    except OSError:
        holds = False
    assert holds is (change is None)


def test_what_was_unsure_holds_by_its_names(tmp_path: Path) -> None:
    """Choice: a folder that changed just before it was looked into is looked into again, and no more than that."""
    folders = [Folder(Kind.SOURCE, str(tmp_path), UNSURE, ()), Folder(Kind.SOURCE, str(tmp_path / "gone"), GONE)]
    kept = keep(str(tmp_path), folders, [], [])
    assert kept.holds()
    (tmp_path / "new").mkdir()
    assert not kept.holds()


def test_what_was_read_with_more_can_be_kept_without(tmp_path: Path) -> None:
    """Choice: a large index must not stay in memory for a few paths."""
    kept = keep(str(tmp_path), [Folder(Kind.SOURCE, str(tmp_path), UNSURE)], [], ["a"])
    parts = [part.encode() if isinstance(part, str) else bytes(part) for part in kept.parts]
    views = Kept(str(tmp_path), [memoryview(part) for part in parts])
    copy = views.copy()
    assert all(isinstance(part, bytes) for part in copy.parts)
    assert (copy.sources, copy.folders[0].path, copy.holds()) == (["a"], str(tmp_path), True)


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=10)
facts = st.tuples(*[st.integers(-(1 << 63), (1 << 63) - 1)] * 2)
roots = st.sampled_from(["/p", "/", "/p/q"])
below = st.lists(words.filter(lambda word: word not in {".", ".."} and "/" not in word), min_size=1, max_size=3)
places = st.tuples(st.sampled_from(["/p", "/p/q", "/elsewhere"]), below).map(lambda both: "/".join([both[0], *both[1]]))
folders = st.lists(st.builds(Folder, st.sampled_from("slp"), places | roots, facts, st.lists(words).map(tuple)))
skills = st.lists(
    st.builds(
        KeptSkill,
        path=places,
        facts=st.tuples(*[st.integers(-(1 << 63), (1 << 63) - 1)] * 4),
        source=st.integers(0, 99),
        depth=st.integers(0, 99),
        digest=st.sampled_from(["", "ab" * 32]),
        row=st.none() | st.integers(0, 99),
        real=st.just("") | places,
    )
)


@given(roots, folders, skills)
def test_whatever_is_kept_is_read_back(root: str, some: list[Folder], others: list[KeptSkill]) -> None:
    """Choice: an index that says something else than was found is worse than none."""
    kept = keep(root, some, others, [])
    columns = Folder.__slots__
    assert [[getattr(one, name) for name in columns] for one in kept.folders] == [
        [getattr(one, name) for name in columns] for one in some
    ]
    assert [[getattr(one, name) for name in KeptSkill.__slots__] for one in kept.skills] == [
        [getattr(one, name) for name in KeptSkill.__slots__] for one in others
    ]


source_values = st.lists(
    st.builds(
        Source,
        path=places,
        level=st.sampled_from(Level),
        shown=words,
        namespace=st.none() | words,
        named_by=st.none() | words,
        label=st.none() | words,
    )
)


@given(source_values)
def test_sources_are_read_back(every: list[Source]) -> None:
    """Choice: as above."""
    assert list(sources_of(source_lines(every))) == every
