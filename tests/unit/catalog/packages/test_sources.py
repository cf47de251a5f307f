"""Where packages are looked for, and in which order."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.packages.sources import (
    Level,
    Sources,
    looked,
    named_sources,
    plugin_sources,
    project_sources,
    shown,
    user_sources,
)
from prowess.catalog.places import keeps_packages, levels_of, locate
from prowess.catalog.walked import GONE, UNSURE, Kind
from prowess.errors import ConfigurationError
from tests.unit.catalog.packages import trees
from tests.unit.catalog.packages.trees import put, source

if TYPE_CHECKING:
    from pathlib import Path

HOME = "/home/ada"
NOW = 1 << 62


def paths(found: Sources, below: Path) -> list[str]:
    """The sources' folders, from a folder."""
    return [os.path.relpath(one.path, below) for one in found.sources]


@pytest.mark.behaviour("sources.project")
def test_a_projects_sources_are_its_clients_folders_up_to_gits_root_the_nearest_first(tmp_path: Path) -> None:
    """Spec: `.agents/skills`, `.claude/skills`, `.<client>/skills`, `skills/`, from the project's root up to git's."""
    root = tmp_path / "repo" / "apps" / "shop"
    for folder in (
        root / ".gemini",
        root / ".agents",
        root / "skills",
        tmp_path / "repo" / ".claude",
        tmp_path / ".claude",
    ):
        folder.mkdir(parents=True)
    (tmp_path / "repo" / ".git").mkdir()
    (root / ".prowess").mkdir()
    (root / ".file").touch()
    found = project_sources(str(root), HOME, NOW)
    assert paths(found, root) == [".agents/skills", ".gemini/skills", "skills", "../../.claude/skills"]
    assert [one.shown for one in found.sources[:3]] == [".agents/skills", ".gemini/skills", "skills"]
    assert {one.level for one in found.sources} == {Level.PROJECT}
    assert [folder.kind for folder in found.folders] == [Kind.LEVEL] * 3


@pytest.mark.behaviour("sources.project")
def test_without_git_only_the_projects_own_folder_counts_until_there_is_git(tmp_path: Path) -> None:
    """Choice: what lies above a folder that is in no repository is none of its business."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    found = project_sources(str(tmp_path / "project"), HOME, NOW)
    assert paths(found, tmp_path) == ["project/.claude/skills"]
    gits = [folder for folder in found.folders if folder.facts == GONE]
    assert str(tmp_path / ".git") in {folder.path for folder in gits}


@pytest.mark.behaviour("sources.foreign")
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_above_that_belongs_to_somebody_else_ends_the_way_up() -> None:
    """Choice: anybody can make /tmp/.claude, and what it holds would speak to our agents."""
    with trees.open_folder() as folder:
        project = folder / "theirs" / "mine"
        put(folder / "theirs" / ".claude" / "skills" / "evil")
        put(project / ".claude" / "skills" / "good")
        (folder / "theirs" / ".git").mkdir()
        os.chown(folder / "theirs", 12345, 12345)
        assert paths(project_sources(str(project), HOME, NOW), folder) == ["theirs/mine/.claude/skills"]
        os.chown(folder / "theirs", 0, 0)
        assert len(project_sources(str(project), HOME, NOW).sources) == 2


@pytest.mark.behaviour("sources.user")
def test_a_users_sources_lie_in_the_home_and_where_xdg_says() -> None:
    """Spec: `~/.agents/skills`, `~/.claude/skills`, `~/.config/claude/skills`, XDG."""
    found = user_sources(HOME, "/etc/ada", "/project")
    assert [one.path for one in found.sources] == [
        f"{HOME}/.agents/skills",
        f"{HOME}/.claude/skills",
        f"{HOME}/.config/agents/skills",
        f"{HOME}/.config/claude/skills",
        "/etc/ada/agents/skills",
        "/etc/ada/claude/skills",
    ]
    assert [one.shown for one in found.sources][1] == "~/.claude/skills"
    assert {one.level for one in found.sources} == {Level.USER}
    assert len(user_sources(HOME, f"{HOME}/.config", "/project").sources) == 4
    assert len(user_sources(HOME, None, "/project").sources) == 4


@pytest.mark.behaviour("sources.named")
def test_what_somebody_named_is_relative_to_the_project_or_the_home() -> None:
    """Spec: `[skills] paths`."""
    found = named_sources(
        ["more", "../beside", "/else", "~/mine", "~", "~other"], "/work/project", HOME, "skills.paths"
    )
    assert [(one.path, one.shown) for one in found.sources] == [
        ("/work/project/more", "more"),
        ("/work/beside", "/work/beside"),
        ("/else", "/else"),
        (f"{HOME}/mine", "~/mine"),
        (HOME, HOME),
        ("/work/project/~other", "~other"),
    ]
    assert {one.named_by for one in found.sources} == {"skills.paths"}


@pytest.mark.behaviour("sources.plugins")
def test_a_plugins_skills_have_its_folders_name_as_namespace(tmp_path: Path) -> None:
    """Spec: plugin folders (`<plugin>/skills`)."""
    for name in ("Acme Tools", "beta"):
        put(tmp_path / "plugins" / name / "skills" / "pdf")
    (tmp_path / "linked").symlink_to(tmp_path / "plugins")
    found = plugin_sources(["plugins/beta"], str(tmp_path), HOME, NOW)
    assert [(one.shown, one.namespace, one.named_by) for one in found.sources] == [
        ("plugins/beta/skills", "beta", "skills.plugins")
    ]
    every = plugin_sources(["linked/*", "gone/*"], str(tmp_path), HOME, NOW)
    assert [(one.namespace, one.named_by) for one in every.sources] == [("acme-tools", None), ("beta", None)]
    assert [folder.path for folder in every.folders] == [str(tmp_path / name) for name in ("linked", "gone")]
    assert every.folders[1].facts == GONE


def test_sources_are_ranked_by_who_put_them_there_and_else_keep_their_order(tmp_path: Path) -> None:
    """Spec: project beats user, user beats plugins and what is installed."""
    levels = [Level.INSTALLED, Level.USER, Level.PLUGIN, Level.PROJECT, Level.USER]
    mixed = Sources(tuple(source(tmp_path / str(number), level) for number, level in enumerate(levels)))
    assert [one.shown for one in mixed.ranked().sources] == ["3", "1", "4", "2", "0"]


def test_a_folder_that_changed_just_now_is_looked_into_again(tmp_path: Path) -> None:
    """Choice: as for those below a source."""
    assert looked(Kind.LEVEL, str(tmp_path), 0).facts == UNSURE
    with trees.open_folder() as folder:
        (folder / "closed").mkdir(mode=0o711)
        with trees.without_rights():
            assert looked(Kind.SOURCE, str(folder / "closed"), NOW).names == ()


def test_a_path_is_shown_from_the_project_or_the_home() -> None:
    """Choice: short where it can be, and never a way up."""
    assert shown("/p/a", "/p", "/h") == "a"
    assert shown("/px/a", "/p", "/h") == "/px/a"
    assert shown("/h/a", "/p", "/h/") == "~/a"


@pytest.mark.behaviour("project.bare-packages")
def test_a_folder_with_packages_is_a_place_and_how_it_is_named_decides_what_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spec: a folder without prowess.toml that holds skills opens as a bare project."""
    repo, collection, one = tmp_path / "repo", tmp_path / "collection", tmp_path / "one"
    put(repo / ".claude" / "skills" / "pdf")
    put(collection / "deep" / "down" / "pdf")
    put(one)
    for folder in (repo, collection, one):
        (folder / "script.py").touch()
    seen = [locate(str(folder)) for folder in (repo, collection, one)]
    assert [(place.bare, place.code, place.collection) for place in seen] == [
        (True, True, False),
        (True, True, True),
        (True, False, True),
    ]
    (repo / ".git").mkdir()
    (repo / "src").mkdir()
    monkeypatch.chdir(repo / "src")
    here = locate()
    assert (here.root, here.code, here.collection) == (str(repo), False, False)
    monkeypatch.chdir(collection)
    with pytest.raises(ConfigurationError, match="prowess init"):
        locate()


def test_a_short_look_finds_a_package_among_many_folders_and_ends_where_there_is_none(tmp_path: Path) -> None:
    """Choice: opening a folder must not read a whole disk first."""
    for number in range(30):
        (tmp_path / f"{number}" / "deep").mkdir(parents=True)
    (tmp_path / "29" / "circle").symlink_to(tmp_path)
    (tmp_path / "29" / "round").symlink_to("round")
    assert not keeps_packages(str(tmp_path))
    assert not keeps_packages(str(tmp_path / "gone"))
    put(tmp_path / "skills" / "group" / "pdf", file="skill.md")
    assert keeps_packages(str(tmp_path))
    with pytest.raises(ConfigurationError, match="there are neither"):
        locate(str(tmp_path / "28"))


def test_a_folder_that_is_closed_to_us_keeps_no_packages() -> None:
    """Choice: where we may not look there is nothing for us."""
    with trees.open_folder() as folder:
        put(folder / "skills" / "pdf")
        (folder / "skills").chmod(0)
        with trees.without_rights():
            assert not keeps_packages(str(folder))
        (folder / "skills").chmod(0o755)


def test_the_file_systems_root_is_a_level_like_any_other() -> None:
    """Regression: going up must end there."""
    assert levels_of("/")[0] == ["/"]
