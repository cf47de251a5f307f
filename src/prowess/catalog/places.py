"""What a path given by a user means: a project's folder, or a folder or file with skills and no settings."""

from __future__ import annotations

import os
from itertools import islice

from prowess.catalog.folders import python_files
from prowess.catalog.walked import SKILL_FILE, Kind, is_folder, is_passed_over, look

__all__ = [
    "BUILT_MAGIC",
    "CONFIG",
    "GIT",
    "NO_SETTINGS",
    "POLICY",
    "SETTINGS",
    "STATE",
    "Place",
    "is_built",
    "is_foreign",
    "keeps_packages",
    "levels_of",
    "locate",
    "make_state_folder",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

SETTINGS = "prowess.toml"
POLICY = "policy.toml"
CONFIG = "config"
"""The folder beside it for registry documents."""
STATE = ".prowess"
"""The folder beside it for what is derived, or of this machine alone."""
BUILT_MAGIC = b"prowess-built-1\n"
"""How a file of `prowess build` begins."""
GIT = ".git"
NO_SETTINGS = ("PROWESS_API_KEY", "PROWESS_DEBUG")
"""Variables that are none of a project's settings, though they begin like those."""


class Place:
    """Where a project is. Treat it as immutable."""

    __slots__ = ("bare", "built", "code", "collection", "file", "root")

    def __init__(
        self,
        root: str,
        *,
        file: str | None = None,
        built: str | None = None,
        bare: bool = False,
        code: bool = True,
        collection: bool = False,
    ) -> None:
        self.root = root
        """The folder, absolute."""
        self.file = file
        """The only file to read, where a file was named."""
        self.built = built
        """The file of `prowess build` that stands for the whole project, where one was named."""
        self.bare = bare
        """Whether it has no `prowess.toml`, so that what lies in it is all there is and nothing is kept beside it."""
        self.code = code
        """Whether its `.py` files are read, which runs them."""
        self.collection = collection
        """Whether it is a folder of packages, and these are all that is looked for."""


def locate(path: str | None = None) -> Place:
    """The project at a path, or without one at or above the present folder. Raises `ConfigurationError`.

    A path may be a project's folder or one inside it, a `prowess.toml`, a file of `prowess build`, a `.py` file, which
    is then read alone, or a folder with `.py` files or packages outside any project. Without a path, a folder in which
    clients keep skills will do, and its `.py` files are not read: nobody named it.
    """
    start = os.path.abspath(path or ".")
    if os.path.isfile(start):
        return _file(start)
    if not os.path.isdir(start):
        told = (
            f"{start} is neither a file nor a folder"
            if os.path.lexists(start)
            else f"there is no file or folder {start}"
        )
        _refuse(told)
    root = project_above(start)
    if root is not None:
        return Place(root)
    return _present(start) if path is None else _named(start)


def make_state_folder(path: str) -> None:
    """Make a project's folder for state where it is missing, kept out of git. Raises `OSError`."""
    if not os.path.isdir(path):
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, ".gitignore"), "w", encoding="ascii") as file:
            file.write("*\n")


def project_above(start: str) -> str | None:
    """The folder with a `prowess.toml` that is `start` or the nearest above it; None where there is none.

    Opening a project runs its code, so a file that another user has put above `start` is refused.
    """
    folder = start
    while not os.path.isfile(os.path.join(folder, SETTINGS)):
        if os.path.lexists(os.path.join(folder, SETTINGS)):
            _refuse(
                f"{os.path.join(folder, SETTINGS)} is no file, and no link that leads to one: settings are read from it"
            )
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    owner = os.stat(os.path.join(folder, SETTINGS)).st_uid
    if folder != start and is_foreign(owner):
        _refuse(
            f"{folder}/{SETTINGS} belongs to another user (number {owner}), and opening a project runs its code: "
            f"say --project {folder} if you trust it"
        )
    return folder


def keeps_packages(folder: str) -> bool:
    """Whether a client's folder for skills, or one named `skills`, lies in a folder and has a package in it."""
    try:
        names = look(Kind.LEVEL, folder)[0]
    except OSError:
        return False
    paths = [name[:-1] if name[0] != "." else os.path.join(name[:-1], "skills") for name in names if name[-1] == "/"]
    return any(_holds_packages(os.path.join(folder, path)) for path in paths)


def levels_of(root: str) -> tuple[list[str], bool]:
    """The folders in which a project's clients may keep skills, and whether the last of them is git's root.

    They are the project's own and those above it up to git's root; without that, only its own. A folder above that
    belongs to another user ends the way: what it holds would speak to our agents.
    """
    levels = [root]
    while not os.path.lexists(os.path.join(levels[-1], GIT)):
        above = os.path.dirname(levels[-1])
        if above == levels[-1] or is_foreign(os.stat(above).st_uid):
            return [root], False
        levels.append(above)
    return levels, True


def is_built(path: str) -> bool:
    """Whether a path is what `prowess build` made."""
    if not os.path.isfile(path):  # a pipe would make us wait
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(BUILT_MAGIC)) == BUILT_MAGIC
    except OSError:
        return False


def is_foreign(owner: int) -> bool:
    """Whether another user, who is not root, owns something."""
    return hasattr(os, "geteuid") and owner not in {os.geteuid(), 0}


# ---------------------------------------------------------------------------------------------------------------------

_SHORT_LOOK = 1_000
"""Folders: enough to find one package among many, and soon through where there is none."""


def _present(start: str) -> Place:
    """The place that is meant from the present folder, where there is no project."""
    near = next(filter(keeps_packages, levels_of(start)[0]), None)
    if near is None:
        _refuse(
            f"there is no {SETTINGS} in {start} or above it: 'prowess init' makes one, and "
            f"'--project PATH' names a project, or a folder or .py file with skills"
        )
    return Place(near, bare=True, code=False)


def _named(start: str) -> Place:
    """The place that a folder which somebody named is, where it is in no project."""
    code = bool(python_files(start)) and not _is_package(start)
    if keeps_packages(start):
        return Place(start, bare=True, code=code)
    if _holds_packages(start):
        return Place(start, bare=True, code=code, collection=True)
    if not code:
        _refuse(f"there are neither a {SETTINGS} nor .py files nor folders with a {SKILL_FILE} in {start}")
    return Place(start, bare=True)


def _is_package(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, name)) for name in (SKILL_FILE, SKILL_FILE.lower()))


def _holds_packages(folder: str) -> bool:
    """Whether a folder is a package or, as far as a short look can tell, one lies below it."""
    return _is_package(folder) or any(map(_is_package, islice(_below(folder), _SHORT_LOOK)))


def _below(folder: str) -> Iterator[str]:
    """The folders below one, level by level."""
    waiting = [folder]
    while waiting:
        for path in _inside(waiting.pop(0)):
            yield path
            waiting.append(path)


def _inside(folder: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as found:
            yield from (entry.path for entry in found if is_folder(entry) and not is_passed_over(entry.name))
    except OSError:  # it is closed to us
        return


def _file(path: str) -> Place:
    root, name = os.path.split(path)
    if name == SETTINGS:
        return Place(root)
    if is_built(path):
        return Place(root, built=path, bare=True)
    if not name.endswith(".py"):
        _refuse(f"{path} is neither a project's {SETTINGS} nor a .py file with skills nor what 'prowess build' made")
    return Place(root, file=path, bare=True)


def _refuse(message: str) -> NoReturn:
    from prowess.errors import ConfigurationError  # noqa: PLC0415 - it imports more than all of `prowess list` does

    raise ConfigurationError(message)
