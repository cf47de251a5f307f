"""Folders in which packages are looked for: what counts in one, and how to tell that nothing of it changed.

`prowess list` waits for this module, so it imports only `os` and `stat`.
"""

from __future__ import annotations

import os
import stat

__all__ = [
    "GONE",
    "INODE",
    "TICK_NS",
    "UNSURE",
    "Folder",
    "Kind",
    "TooManyError",
    "facts_of",
    "holds",
    "is_passed_over",
    "look",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Facts: TypeAlias = tuple[int, int]
    """When a folder's names last changed, in ns since the epoch, and its inode."""

TICK_NS = 20_000_000
"""A time on disk may lag the clock by this much: what changed so shortly before a look may have changed after it."""

GONE = (-1, -1)
"""The facts of a folder that is not there."""
UNSURE = (0, 0)
"""The facts of a folder that may have changed after a look; no folder has them, so there will be another look."""

SKILL_FILE = "SKILL.md"
"""What makes a folder a package, however it is spelt."""
INODE = (1 << 63) - 1
"""As much of an inode's number as the index keeps."""

_PASSED_OVER = frozenset(
    {
        *("__pycache__", "node_modules", "site-packages", ".git", ".hg", ".svn", ".jj", ".prowess"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox", ".nox"),
    }
)
_SKILL = SKILL_FILE.lower()
_VIRTUAL = "pyvenv.cfg"
_INSTALLED = (".dist-info", ".egg-info")
_NO_LIMIT = 1 << 62


class Kind:
    """What counts in a folder."""

    SOURCE = "s"
    """Its subfolders (`name/`, `name@/` for a link to one), its SKILL.md (`SKILL.md@` for a link, `SKILL.md|` for
    what is no file at all), and files whose names are no text (`name?`); in a virtual environment, nothing."""
    LEVEL = "l"
    """Where clients may keep a project's skills (`.claude/`, `skills/`), and whether git's root is here (`.git`)."""
    PYTHON = "p"
    """On Python's path: the distributions that are installed in it."""


class Folder:
    """A folder as it was when it was looked into. Treat it as immutable."""

    __slots__ = ("facts", "kind", "names", "path")

    def __init__(self, kind: str, path: str, facts: Facts, names: tuple[str, ...] = ()) -> None:
        self.kind = kind
        self.path = path
        self.facts = facts
        self.names = names
        """What counts, sorted."""


class TooManyError(Exception):
    """A folder holds more than may be looked at."""


def facts_of(path: str) -> Facts:
    """The facts of a folder as it is now; `GONE` for what is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return GONE
    return (found.st_mtime_ns, found.st_ino & INODE) if stat.S_ISDIR(found.st_mode) else GONE


def look(kind: str, path: str, most: int = _NO_LIMIT) -> tuple[tuple[str, ...], int]:
    """What counts in a folder, sorted, and how much there was to look at.

    Raises `OSError`, and `TooManyError` where there is more than `most`.
    """
    with os.scandir(path) as found:
        names, seen = _LOOKS[kind](found, most)
    names.sort()
    return tuple(names), seen


def holds(folder: Folder) -> bool:
    """Whether what counts in a folder is what it was."""
    facts = facts_of(folder.path)
    if facts == folder.facts or GONE in (facts, folder.facts):
        return facts == folder.facts
    try:
        return look(folder.kind, folder.path)[0] == folder.names
    except OSError:
        return not folder.names


def is_passed_over(name: str) -> bool:
    """Whether a folder of that name is never looked into for packages: caches, and what tools keep."""
    return name in _PASSED_OVER


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a name is that of a folder, or of a link to one; a link that leads in a circle, or nowhere, is not."""
    try:
        return entry.is_dir()
    except OSError:
        return False


# ---------------------------------------------------------------------------------------------------------------------


def _in_source(found: Iterable[os.DirEntry[str]], most: int) -> tuple[list[str], int]:
    names: list[str] = []
    seen = 0
    for entry in found:
        seen += 1
        name = entry.name
        if name in _PASSED_OVER:
            continue
        if len(name) == len(_SKILL) and name.lower() == _SKILL:
            names.append(name + _mark(entry))
        elif entry.is_dir(follow_symlinks=False):
            names.append(f"{name}/")
        elif entry.is_symlink() and is_folder(entry):
            names.append(f"{name}@/")
        elif name == _VIRTUAL:
            return [], seen
        else:
            names += () if name.isascii() else _not_named(name)
        if seen > most:
            raise TooManyError
    return names, seen


def _not_named(name: str) -> tuple[str, ...]:
    """The name of a file, marked, where it has bytes that are no UTF-8; hidden ones are no part of a package."""
    odd = name[0] != "." and any("\ud800" <= char <= "\udfff" for char in name)
    return (f"{name}?",) if odd else ()


def _mark(skill: os.DirEntry[str]) -> str:
    """What is written behind the name of a SKILL.md: nothing for a regular file."""
    try:
        is_file = skill.is_file()
    except OSError:  # a link that leads in a circle, or into a folder that is closed to us
        is_file = False
    if not is_file:
        return "|"
    return "@" if skill.is_symlink() else ""


def _in_level(found: Iterable[os.DirEntry[str]], _most: int) -> tuple[list[str], int]:
    names: list[str] = []
    for entry in found:
        name = entry.name
        if name == ".git":
            names.append(name)
        elif (name == "skills" or name[0] == ".") and name not in _PASSED_OVER and is_folder(entry):
            names.append(f"{name}/")
    return names, 0


def _in_python(found: Iterable[os.DirEntry[str]], _most: int) -> tuple[list[str], int]:
    return [entry.name for entry in found if entry.name.endswith(_INSTALLED)], 0


_LOOKS = {Kind.SOURCE: _in_source, Kind.LEVEL: _in_level, Kind.PYTHON: _in_python}
