"""The port through which a package's files are read, and what a key is."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct

from prowess.errors import ForbiddenError, NotFoundError

__all__ = ["FileFacts", "OpenFile", "PackageFile", "PackageFiles", "is_left_out", "split_key"]

_LEFT_OUT = frozenset({"__pycache__", "node_modules"})
_DRIVE = re.compile(r"[A-Za-z]:")
_SHOWN = 200


class FileFacts(Struct, frozen=True, gc=False):
    """What is known of a file without reading it."""

    size: int
    executable: bool
    changed_ns: int
    """When its bytes last changed, in ns since the epoch."""


class OpenFile(Protocol):
    """One file while it is held open: its facts and its bytes stay those of one file, whatever takes its name."""

    @property
    def facts(self) -> FileFacts:
        """What was known of it when it was opened."""
        ...

    def read(self, start: int, size: int) -> bytes:
        """Its bytes from `start`, at most `size` of them; fewer only where it ends."""
        ...


class PackageFiles(Protocol):
    """The files of one package, read beneath its folder: nothing outside it can be reached by any key.

    A key is a path relative to the package's folder, its parts joined by `/`; `split_key` has the rules. Each method
    with a key raises `NotFoundError` for one that is no file's, and `ForbiddenError` for one that tries to leave, or
    that leads to a link, a file of several links, a device, a pipe or a socket.
    """

    def keys(self) -> Sequence[str]:
        """The key of every resource, sorted: SKILL.md, hidden and generated files are none."""
        ...

    def facts(self, key: str) -> FileFacts:
        """What is known of one file."""
        ...

    def read(self, key: str, start: int = 0, size: int | None = None) -> bytes:
        """A file's bytes, from `start`, at most `size` of them. A whole file must not be too large for that."""
        ...

    def open(self, key: str) -> AbstractContextManager[OpenFile]:
        """The file, held open until the end of the block."""
        ...


class PackageFile(Struct, frozen=True):
    """A resource that is a file of a package: read when somebody asks, not before."""

    files: PackageFiles
    key: str


def split_key(key: str) -> tuple[str, ...]:
    """The parts of a key. Raises `ForbiddenError` for one that tries to leave the package, whatever the system.

    `NotFoundError` is raised for one that no resource can have: an empty or hidden part, `.`, text that no file
    system could write.
    """
    parts = tuple(key.split("/"))
    reason = _way_out(key, parts)
    if reason is not None:
        message = f"{_shown(key)} {reason}: a key is a path inside the package, its parts joined by '/'"
        raise ForbiddenError(message, details={"name": key[:_SHOWN]})
    if not all(parts) or any(is_left_out(part) for part in parts) or not _is_text(key):
        raise NotFoundError(f"the package has no file {_shown(key)}", details={"name": key[:_SHOWN]})
    return parts


def is_left_out(name: str) -> bool:
    """Whether a file or folder of that name is no part of a package: hidden, or generated."""
    return name.startswith(".") or name in _LEFT_OUT


# ---------------------------------------------------------------------------------------------------------------------


def _way_out(key: str, parts: Sequence[str]) -> str | None:
    if "\0" in key:
        return "holds a zero byte"
    if key.startswith("/"):
        return "is an absolute path"
    if "\\" in key:
        return "holds a backslash"
    if _DRIVE.match(key):
        return "begins with a drive"
    return "leads upwards" if ".." in parts else None


def _is_text(key: str) -> bool:
    """Whether a key has a form in UTF-8: what stands for the bytes of a badly named file has none."""
    try:
        key.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(key: str) -> str:
    return ascii(key[:_SHOWN]) if not _is_text(key) or "\0" in key else f"'{key[:_SHOWN]}'"
