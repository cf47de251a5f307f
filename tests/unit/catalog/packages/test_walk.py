"""Looking through folders for packages: what is found, what is passed over, and what ends the look."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.catalog.packages.walk import Limits, Walk
from prowess.catalog.walked import GONE, UNSURE, Folder, Kind, TooManyError, facts_of, holds, is_folder, look
from tests.unit.catalog.packages import trees
from tests.unit.catalog.packages.trees import names, put, source, told

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.behaviour("packages.nested")
def test_packages_are_found_at_any_depth_and_inside_each_other(tmp_path: Path) -> None:
    """Spec: nested skills are found; a resource of one is not another skill."""
    put(tmp_path / "outer")
    put(tmp_path / "outer" / "references" / "inner")
    put(tmp_path / "group" / "deep")
    (tmp_path / "outer" / "templates").mkdir()
    (tmp_path / "outer" / "templates" / "SKILL.md.txt").write_text("no skill")
    (tmp_path / "outer" / "OTHER-SKILL.md").write_text("no skill")
    found = trees.look(source(tmp_path))
    assert names(found) == ["outer", "deep", "inner"]
    assert [one.depth for one in found.found] == [1, 2, 3]
    assert told(found) == []


@pytest.mark.behaviour("packages.source-itself")
def test_a_source_may_be_a_package_itself(tmp_path: Path) -> None:
    """Choice: whoever names one package's folder means that package."""
    put(tmp_path / "pdf")
    found = trees.look(source(tmp_path / "pdf"))
    assert [(one.manifest.name, one.shown) for one in found.found] == [("pdf", "pdf")]


@pytest.mark.behaviour("packages.passed-over")
@pytest.mark.parametrize("folder", [".git", "node_modules", "__pycache__", ".prowess", ".tox", "site-packages"])
def test_what_tools_keep_is_not_looked_into(folder: str, tmp_path: Path) -> None:
    """Spec: `.git`, `node_modules` and such are skipped."""
    put(tmp_path / folder / "hidden")
    put(tmp_path / ".curated" / "shown")
    assert names(trees.look(source(tmp_path))) == ["shown"]


@pytest.mark.behaviour("packages.passed-over")
def test_a_virtual_environment_is_not_looked_into_whatever_its_name(tmp_path: Path) -> None:
    """Spec: virtual environments are skipped; a skill about them is not one."""
    put(tmp_path / "env" / "lib" / "hidden")
    put(tmp_path / "env")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    put(tmp_path / "venv")
    assert names(trees.look(source(tmp_path))) == ["venv"]


@pytest.mark.behaviour("packages.spelling")
@pytest.mark.parametrize("file", ["skill.md", "Skill.md", "SKILL.MD"])
def test_skill_md_may_be_spelt_in_any_case(file: str, tmp_path: Path) -> None:
    """Spec: real files are named `skill.md` too."""
    put(tmp_path / "pdf", file=file)
    found = trees.look(source(tmp_path))
    assert [one.file for one in found.found] == [file]


@pytest.mark.behaviour("packages.spelling")
def test_of_two_spellings_in_one_folder_the_standards_one_is_read_and_the_other_told(tmp_path: Path) -> None:
    """Choice: which one a client reads would be chance."""
    put(tmp_path / "pdf", "lower", file="skill.md")
    put(tmp_path / "pdf", "upper")
    put(tmp_path / "csv", "first", file="SKILL.MD")
    put(tmp_path / "csv", "second", file="skill.md")
    found = trees.look(source(tmp_path))
    assert names(found) == ["first", "upper"]
    here = tmp_path.name
    assert told(found) == [("double", f"{here}/csv"), ("double", f"{here}/pdf")]
    assert "SKILL.md and skill.md" in found.diagnostics[1].message


@pytest.mark.behaviour("packages.no-file")
@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "nowhere", "circle"])
def test_what_is_no_file_and_named_skill_md_is_a_problem_and_never_waited_for(kind: str, tmp_path: Path) -> None:
    """Spec: a FIFO or a device named SKILL.md is refused with a clear problem."""
    put(tmp_path / "good")
    (tmp_path / "bad").mkdir()
    path = tmp_path / "bad" / "SKILL.md"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            os.chdir(path.parent)  # a socket's path must be short
            one.bind("SKILL.md")
    elif kind == "folder":
        put(path)
    else:
        path.symlink_to("nothing" if kind == "nowhere" else "SKILL.md")
    found = trees.look(source(tmp_path))
    assert names(found) == ["good"]
    assert told(found) == [("not-a-file", f"{tmp_path.name}/bad/SKILL.md")]


@pytest.mark.behaviour("packages.links")
def test_linked_folders_are_followed_once_and_real_ones_keep_their_path(tmp_path: Path) -> None:
    """Spec: people link skills; symlink loops end."""
    put(tmp_path / "here" / "z-real")
    (tmp_path / "here" / "a-link").symlink_to(tmp_path / "here" / "z-real")
    put(tmp_path / "away" / "far")
    (tmp_path / "here" / "linked").symlink_to(tmp_path / "away")
    (tmp_path / "away" / "back").symlink_to(tmp_path / "here")
    (tmp_path / "here" / "self").symlink_to(tmp_path / "here")
    (tmp_path / "here" / "circle").symlink_to("circle")
    (tmp_path / "here" / "nowhere").symlink_to("nothing")
    found = trees.look(source(tmp_path / "here"))
    assert [one.shown for one in found.found] == ["here/z-real", "here/linked/far"]
    assert told(found) == []


@pytest.mark.behaviour("packages.links")
def test_a_folder_that_two_sources_show_belongs_to_the_first_unless_their_namespaces_differ(tmp_path: Path) -> None:
    """Choice: `.claude/skills` is often a link to `.agents/skills`."""
    put(tmp_path / "one" / "pdf")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    found = trees.look(source(tmp_path / "one"), source(tmp_path / "two"), source(tmp_path / "two", namespace="acme"))
    assert [(one.shown, one.source.namespace) for one in found.found] == [("one/pdf", None), ("two/pdf", "acme")]


@pytest.mark.behaviour("packages.missing")
def test_a_standard_folder_that_is_not_there_is_nothing_and_a_named_one_a_problem(tmp_path: Path) -> None:
    """Spec: a path that does not exist is an error; a standard folder that does not exist is not."""
    (tmp_path / "file").touch()
    named = [source(tmp_path / "gone", named_by="skills.paths"), source(tmp_path / "file", named_by="skills.paths")]
    found = trees.look(source(tmp_path / "standard"), *named)
    assert told(found) == [("missing", "gone"), ("missing", "file")]
    assert "does not exist: 'skills.paths' names it" in found.diagnostics[0].message
    assert [folder.facts for folder in found.folders] == [GONE, GONE, GONE]


@pytest.mark.behaviour("packages.limits")
@pytest.mark.parametrize(
    ("limits", "kept", "word"),
    [
        (Limits(max_depth=1), ["a", "b"], "more than 1 levels"),
        (Limits(max_folders=3), ["a", "b"], "more than 3 folders"),
        (Limits(max_files=7), ["a", "b"], "more than 7 files"),
    ],
)
def test_each_limit_ends_the_look_with_a_word_and_keeps_what_was_found(
    limits: Limits, kept: list[str], word: str, tmp_path: Path
) -> None:
    """Spec: depth, directory and file-count limits are settings with clear diagnostics when reached."""
    put(tmp_path / "a")
    put(tmp_path / "a" / "inner" / "c")
    put(tmp_path / "a" / "other" / "d")
    put(tmp_path / "b")
    found = trees.look(source(tmp_path), limits=limits)
    assert names(found) == kept
    assert [(one.code, one.subject) for one in found.diagnostics] == [("limit", tmp_path.name)]
    assert word in found.diagnostics[0].message
    assert "raise 'skills.max_" in found.diagnostics[0].message


def test_a_limit_that_is_reached_often_is_told_once(tmp_path: Path) -> None:
    """Choice: one setting is to be raised, however many folders wait for it."""
    for name in "abc":
        put(tmp_path / name / "inner" / "deep")
    assert len(trees.look(source(tmp_path), limits=Limits(max_depth=1)).diagnostics) == 1


@pytest.mark.behaviour("packages.unreadable")
def test_a_folder_that_may_not_be_read_is_told_and_keeps_nothing_else_from_being_found() -> None:
    """Spec: unreadable folders are reported."""
    with trees.open_folder() as folder:
        put(folder / "good")
        put(folder / "closed" / "inner")
        put(folder / "shut" / "inner")
        (folder / "closed").chmod(0)
        (folder / "shut").chmod(0o444)
        with trees.without_rights():
            found = trees.look(source(folder))
            again = trees.look(source(folder), previous=found)
            unchanged = [holds(one) for one in found.folders]
        for one in ("closed", "shut"):
            (folder / one).chmod(0o755)
    assert names(found) == names(again) == ["good"]
    here = folder.name
    assert told(found) == told(again) == [("unreadable", f"{here}/closed"), ("unreadable", f"{here}/shut/inner")]
    assert "Permission denied" in found.diagnostics[0].message
    assert all(unchanged)


@pytest.mark.behaviour("packages.odd-names")
def test_a_folder_whose_name_cannot_be_shown_is_told_and_not_looked_into(tmp_path: Path) -> None:
    """Choice: such a name could steer a terminal, and stands in no lock file."""
    put(tmp_path / "good")
    put(tmp_path / "面白い")
    put(tmp_path / "👩‍🚀", "crew")
    put(tmp_path / "new\nline")
    (tmp_path / "good" / os.fsdecode(b"\xff")).mkdir()
    found = trees.look(source(tmp_path))
    assert sorted(names(found)) == ["crew", "good", "面白い"]
    assert told(found) == [("name", tmp_path.name), ("name", f"{tmp_path.name}/good")]
    assert "'new\\nline" in found.diagnostics[0].message


@pytest.mark.behaviour("packages.odd-resources")
def test_a_resource_whose_name_is_no_text_is_told(tmp_path: Path) -> None:
    """Regression: it was left out without a word."""
    put(tmp_path / "good")
    below = tmp_path / "good" / "references"
    below.mkdir()
    for folder in (tmp_path, tmp_path / "good", below):
        (folder / os.fsdecode(b"caf\xe9.md")).write_text("x")
        (folder / os.fsdecode(b".caf\xe9.md")).write_text("x")
        (folder / "caf\u00e9.md").write_text("x")
    (below / os.fsdecode(b"d\xe9j\xe0.md")).write_text("x")
    found = trees.look(source(tmp_path))
    again = trees.look(source(tmp_path), previous=found)
    for one in (found, again):
        assert names(one) == ["good"]
        assert [(each.code, each.severity, each.path) for each in one.diagnostics] == [
            ("name", "warning", f"{tmp_path.name}/good"),
            ("name", "warning", f"{tmp_path.name}/good/references"),
        ]
        message = "the name of the file 'caf\\udce9.md' inside is no UTF-8, and no resource can be named so: rename it"
        assert one.diagnostics[0].message == message
        assert "one of 2," in one.diagnostics[1].message


@pytest.mark.behaviour("packages.incremental")
def test_a_folder_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    """Spec: re-scan is incremental."""
    put(tmp_path / "pdf")
    first = trees.look(source(tmp_path))
    second = trees.look(source(tmp_path), previous=first)
    assert all(one is other for one, other in zip(first.folders, second.folders, strict=True))
    put(tmp_path / "csv")
    third = trees.look(source(tmp_path), previous=second)
    assert [one is other for one, other in zip(second.folders, third.folders, strict=False)] == [False, False]
    assert names(third) == ["csv", "pdf"]


@pytest.mark.behaviour("packages.racy")
def test_a_folder_that_changed_just_now_is_looked_into_again(tmp_path: Path) -> None:
    """Choice: a time on disk may lag behind the clock, so that a later change would not show."""
    put(tmp_path / "pdf")
    assert {one.facts for one in trees.look(source(tmp_path), later=False).folders} == {UNSURE}


def test_a_folder_holds_by_its_facts_or_by_what_counts_in_it(tmp_path: Path) -> None:
    """Choice: a note beside the packages changes a folder's time, and nothing that counts."""
    put(tmp_path / "pdf")
    kept = Folder(Kind.SOURCE, str(tmp_path), facts_of(str(tmp_path)), ("pdf/",))
    unsure = Folder(Kind.SOURCE, str(tmp_path), UNSURE, ("pdf/",))
    assert holds(kept)
    (tmp_path / "note.txt").touch()
    assert holds(kept)
    assert holds(unsure)
    put(tmp_path / "csv")
    assert not holds(kept)
    assert not holds(Folder(Kind.SOURCE, str(tmp_path), GONE))
    assert not holds(Folder(Kind.SOURCE, str(tmp_path / "gone"), UNSURE, ("pdf/",)))
    assert holds(Folder(Kind.SOURCE, str(tmp_path / "gone"), GONE))
    assert facts_of("zero\0byte") == GONE
    assert facts_of(str(tmp_path / "note.txt")) == GONE


def test_a_huge_folder_is_left_before_it_is_read_whole(tmp_path: Path) -> None:
    """Choice: a limit that is only checked afterwards limits nothing."""
    for number in range(10):
        (tmp_path / f"{number}.txt").touch()
    assert look(Kind.SOURCE, str(tmp_path), 10)[1] == 10
    with pytest.raises(TooManyError):
        look(Kind.SOURCE, str(tmp_path), 9)


def test_a_link_in_a_circle_is_no_folder(tmp_path: Path) -> None:
    """Regression: such an entry raises where others answer."""
    (tmp_path / "circle").symlink_to("circle")
    with os.scandir(tmp_path) as found:
        assert [is_folder(entry) for entry in found] == [False]


@given(st.lists(st.lists(st.sampled_from(["a", "b", "c", ".git", "x"]), min_size=1, max_size=4), max_size=12))
@settings(max_examples=50, deadline=None)
def test_every_package_is_found_once_however_they_lie(paths: list[list[str]]) -> None:
    """Choice: the rule, against a simpler way to say it."""
    with trees.open_folder() as folder:
        for path in paths:
            put(folder.joinpath(*path), "pdf")
        spots = Walk(Limits(), {}, 0).source(source(folder))
        expected = {folder.joinpath(*path) for path in paths if ".git" not in path}
        assert sorted(spot.folder for spot in spots) == sorted(map(str, expected))
        assert [spot.depth for spot in spots] == sorted(spot.depth for spot in spots)
