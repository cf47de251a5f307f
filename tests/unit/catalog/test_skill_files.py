from __future__ import annotations

import os
import socket
import stat
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.skill_files import read_skill_file, replace_skill_file, skill_files
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.frontmatter.source import SIZE_LIMIT

if TYPE_CHECKING:
    from pathlib import Path


def put(path: Path, text: str = "x") -> Path:
    """Write a file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(root: Path) -> list[str]:
    """What is found below a folder, as paths from there."""
    unread: list[OSError] = []
    paths = [os.path.relpath(path, root) for path in skill_files(str(root), unread)]
    assert unread == []
    return paths


@pytest.mark.behaviour("lint.finds")
def test_files_are_found_in_order_whatever_their_case_and_however_deep(tmp_path: Path) -> None:
    """Spec: found recursively; case-insensitive `skill.md`."""
    for name in (
        "b/SKILL.md",
        "a/skill.md",
        "a/inner/Skill.MD",
        ".claude/skills/c/SKILL.md",
        "a/readme.md",
        "a/SKILL.mdx",
    ):
        put(tmp_path / name)
    assert found(tmp_path) == [".claude/skills/c/SKILL.md", "a/skill.md", "a/inner/Skill.MD", "b/SKILL.md"]


@pytest.mark.behaviour("lint.finds")
@pytest.mark.parametrize("folder", [".git", ".hg", ".svn", "node_modules", "__pycache__", "lib/site-packages", "env"])
def test_folders_that_are_not_the_authors_are_passed_over(folder: str, tmp_path: Path) -> None:
    """Spec: `.git`, `node_modules`, virtual environments skipped."""
    put(tmp_path / "env" / "pyvenv.cfg")
    put(tmp_path / folder / "x" / "SKILL.md")
    assert found(tmp_path) == []
    assert found(tmp_path / folder / "x") == ["SKILL.md"]


@pytest.mark.behaviour("lint.finds")
def test_links_are_followed_and_loops_end(tmp_path: Path) -> None:
    """Spec: symlink loops end."""
    put(tmp_path / "real" / "x" / "SKILL.md")
    (tmp_path / "real" / "x" / "up").symlink_to(tmp_path)
    (tmp_path / "real" / "x" / "self").symlink_to("self")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "real")
    (root / "second").symlink_to(tmp_path / "real" / "x")
    assert found(root) == ["link/x/SKILL.md"]


def test_what_cannot_be_looked_at_is_told_and_ends_nothing(tmp_path: Path) -> None:
    """Spec: unreadable folders are reported."""
    unread: list[OSError] = []
    assert list(skill_files(str(tmp_path / "nowhere"), unread)) == []
    assert [error.filename for error in unread] == [str(tmp_path / "nowhere")]
    file = put(tmp_path / "any.md")
    assert list(skill_files(str(file), unread)) == [str(file)]


@pytest.mark.behaviour("lint.not-a-file")
def test_what_is_no_file_is_a_problem_and_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: FIFO/device named SKILL.md is a problem, not a hang."""
    os.mkfifo(tmp_path / "SKILL.md")
    (tmp_path / "folder" / "SKILL.md").mkdir(parents=True)
    (tmp_path / "device").mkdir()
    (tmp_path / "device" / "SKILL.md").symlink_to("/dev/zero")
    (tmp_path / "socket").mkdir()
    monkeypatch.chdir(tmp_path / "socket")  # the path of a socket may be short only
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("SKILL.md")
    whats = {}
    for path in found(tmp_path):
        problem = read_skill_file(str(tmp_path / path))
        assert isinstance(problem, SkillProblem)
        assert problem.code == "file-kind"
        whats[path] = problem.message
    assert [words.split(" and ")[0] for words in whats.values()] == [
        "this is a pipe",
        "this is a device",
        "this is a folder",
        "this is a socket",
    ]


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    """Spec: size limit."""
    file = put(tmp_path / "SKILL.md", "text")
    assert read_skill_file(str(file)) == b"text"
    os.truncate(file, SIZE_LIMIT)
    data = read_skill_file(str(file))
    assert isinstance(data, bytes)
    assert len(data) == SIZE_LIMIT
    os.truncate(file, SIZE_LIMIT + 1)
    problem = read_skill_file(str(file))
    assert isinstance(problem, SkillProblem)
    assert problem.code == "file-too-large"
    file.unlink()
    problem = read_skill_file(str(file))
    assert isinstance(problem, SkillProblem)
    assert problem.code == "file-unreadable"


@pytest.mark.behaviour("lint.fix")
def test_a_file_is_replaced_whole_with_its_mode_and_through_its_link(tmp_path: Path) -> None:
    """Spec: writes atomically, keeps the mode."""
    file = put(tmp_path / "real.md", "old")
    file.chmod(0o640)
    link = tmp_path / "SKILL.md"
    link.symlink_to(file)
    replace_skill_file(str(link), b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SKILL.md", "real.md"]


def test_a_file_that_cannot_be_replaced_is_left_alone(tmp_path: Path) -> None:
    """Choice: half a file is worse than an old one."""
    folder = tmp_path / "SKILL.md"
    folder.mkdir()
    put(folder / "inside")
    with pytest.raises(OSError, match=r"SKILL\.md"):
        replace_skill_file(str(folder), b"new")
    with pytest.raises(FileNotFoundError):
        replace_skill_file(str(tmp_path / "nowhere" / "SKILL.md"), b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SKILL.md"]
