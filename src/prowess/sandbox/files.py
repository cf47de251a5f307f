"""The one opener of files below a folder: no key, link or race leads out of it.

Linux resolves a whole path in one call that follows no link and stays beneath the folder (`openat2`). Where that is
not to be had, the folders are opened one by one, each below the last and none through a link; what is swapped
meanwhile is refused or read as it was, never followed. What is opened is then looked at by its descriptor: only a
regular file of one link is read.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Callable, Container, Generator, Sequence
from contextlib import contextmanager
from errno import EACCES, EISDIR, ELOOP, EMLINK, ENAMETOOLONG, ENODEV, ENOENT, ENOTDIR, ENXIO, EPERM, EXDEV
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from prowess.catalog.files import FileFacts, is_left_out, split_key
from prowess.errors import ForbiddenError, NotFoundError, ProwessError, UnavailableError

__all__ = ["FolderFiles", "Limits", "Opener", "open_at_once", "open_step_by_step", "opener_for"]

Opener: TypeAlias = Callable[[int, Sequence[str], int], int]
"""From a folder's descriptor, the parts of a path below it and flags to a descriptor. Raises OSError."""


def _flags(*names: str) -> int:
    """These flags as far as the system has them. Windows, which lacks most, opens no folder at all."""
    return sum(getattr(os, name, 0) for name in {*names, "O_CLOEXEC"})


_FILE = _flags("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")
"""O_NONBLOCK: a pipe without a writer must not make us wait."""
_FOLDER = _flags("O_DIRECTORY", "O_NOFOLLOW")
_PASSED = _flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW")
"""A folder that is only passed through need not be readable."""
_ROOT = _flags("O_PATH", "O_DIRECTORY")

_OPENAT2 = 437
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08

_MISSING = frozenset({ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG})
_LEADING_OUT = frozenset({ELOOP, EXDEV, EMLINK})
_NO_FILE = frozenset({ENXIO, ENODEV})
_SHUT = frozenset({EACCES, EPERM})
_PASSED_OVER = _MISSING | _LEADING_OUT | _SHUT
_SKILL_FILE = "skill.md"


class Limits(Struct, frozen=True, kw_only=True, gc=False):
    """What one package may hold before it is too much to be listed, or read at once."""

    depth: int = 16
    """Folders inside each other."""
    entries: int = 10_000
    """Files, folders and all else that is come by."""
    whole: int = 64 * 1024 * 1024
    """Bytes of a file that is read without saying how many."""


_LIMITS = Limits()


class FolderFiles:
    """The files below one folder: a `PackageFiles`. It holds nothing open, so nobody closes it.

    The folder is the one that is there now: another in its place is refused. Raises `NotFoundError` where there is
    none. A folder inside that may not be read counts as empty, unless the files are wanted `whole`.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        limits: Limits = _LIMITS,
        opener: Opener | None = None,
        whole: bool = False,
    ) -> None:
        self._root = os.path.abspath(root)
        self._limits = limits
        self._open = _strongest() if opener is None else opener
        self._passed_over = _PASSED_OVER - _SHUT if whole else _PASSED_OVER
        self._identity: tuple[int, int] | None = None
        with self._root_opened() as root_descriptor:
            self._identity = _identity(root_descriptor)

    def keys(self) -> tuple[str, ...]:
        """The key of every resource, sorted; raises `UnavailableError` for a folder beyond the limits."""
        with self._root_opened() as root:
            try:
                return tuple(sorted(_Listing(self._limits, self._open, self._passed_over).inside(".", root)))
            except OSError as error:
                message = f"the package cannot be listed: {error.strerror}"
                raise UnavailableError(message, retryable=True) from None

    def facts(self, key: str) -> FileFacts:
        """What is known of one file."""
        with self.open(key) as file:
            return file.facts

    def read(self, key: str, start: int = 0, size: int | None = None) -> bytes:
        """A file's bytes, from `start`, at most `size` of them; the whole of a file that is not too large."""
        with self.open(key) as file:
            if size is None and file.facts.size - start > self._limits.whole:
                message = f"'{key}' has {file.facts.size} bytes: no more than {self._limits.whole} are read at once"
                raise ForbiddenError(message, details={"name": key})
            return file.read(start, file.facts.size if size is None else size)

    @contextmanager
    def open(self, key: str) -> Generator["_HeldFile"]:
        """The file, held open until the end of the block."""
        parts = split_key(key)
        with self._root_opened() as root:
            try:
                descriptor = self._open(root, parts, _FILE)
            except OSError as error:
                raise _refusal(key, error) from None
        try:
            yield _HeldFile(descriptor, _facts_of_file(key, descriptor))
        finally:
            os.close(descriptor)

    @contextmanager
    def _root_opened(self) -> Generator[int]:
        try:
            descriptor = os.open(self._root, _ROOT)
        except OSError as error:
            raise _no_folder(error) from None
        try:
            if self._identity not in (None, _identity(descriptor)):
                message = "the package's folder is another one than when it was found: it has to be found anew"
                raise UnavailableError(message)
            yield descriptor
        finally:
            os.close(descriptor)


def open_at_once(root: int, parts: Sequence[str], flags: int) -> int:
    """Open a path beneath a folder in one system call, which follows no link. For Linux from 5.6."""
    how = _OpenHow(flags, 0, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    path = os.fsencode("/".join(parts))
    descriptor: int = _libc().syscall(
        ctypes.c_long(_OPENAT2), ctypes.c_int(root), ctypes.c_char_p(path), ctypes.byref(how), ctypes.c_size_t(_HOW)
    )
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return descriptor


def open_step_by_step(root: int, parts: Sequence[str], flags: int) -> int:
    """Open a path beneath a folder, each part below the one before and none through a link. For any POSIX system."""
    here = root
    try:
        for part in parts[:-1]:
            below = _passed(part, here)
            if here != root:
                os.close(here)
            here = below
        return os.open(parts[-1], flags, dir_fd=here)
    finally:
        if here != root:
            os.close(here)


def opener_for(platform: str, at_once: Opener = open_at_once) -> Opener:
    """The strongest opener that works on this system: in a container the one call may be forbidden."""
    if platform != "linux":
        return open_step_by_step
    root = os.open("/", _ROOT)
    try:
        os.close(at_once(root, (".",), _PASSED))
    except OSError:
        return open_step_by_step
    finally:
        os.close(root)
    return at_once


# ---------------------------------------------------------------------------------------------------------------------


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_HOW = ctypes.sizeof(_OpenHow)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


@cache
def _strongest() -> Opener:
    return opener_for(sys.platform)


class _HeldFile:
    """An open file; whoever opened it closes it."""

    def __init__(self, descriptor: int, facts: FileFacts) -> None:
        self._descriptor = descriptor
        self.facts = facts

    def read(self, start: int, size: int) -> bytes:
        """Its bytes from `start`, at most `size` of them, and none that it grew by after it was opened."""
        parts: list[bytes] = []
        end = min(start + size, self.facts.size)
        while start < end and (part := os.pread(self._descriptor, end - start, start)):
            parts.append(part)
            start += len(part)
        return b"".join(parts)


class _Listing:
    """One walk through a package's folder. Links are not followed; a folder that goes away meanwhile is empty."""

    def __init__(self, limits: Limits, opener: Opener, passed_over: Container[int | None]) -> None:
        self._limits = limits
        self._open = opener
        self._passed_over = passed_over
        """The errors of a folder that is left out; of any other all fails."""
        self._seen = 0

    def inside(self, name: str, parent: int, path: str = "", depth: int = 0) -> Generator[str]:
        """The keys of all files in a folder and below it, in no particular order."""
        if depth > self._limits.depth:
            message = f"the package has folders nested deeper than {self._limits.depth}: it cannot be listed"
            raise UnavailableError(message)
        folder = self._open(parent, (name,), _FOLDER)
        try:
            folders: list[str] = []
            keys = list(self._files(folder, path, folders))
            if depth and any(key[len(path) :].lower() == _SKILL_FILE for key in keys):
                return  # another package, whose files are its own
            yield from keys
            for below in folders:
                yield from self._unless_gone(self.inside(below, folder, f"{path}{below}/", depth + 1), f"{path}{below}")
        finally:
            os.close(folder)

    def _files(self, folder: int, path: str, folders: list[str]) -> Generator[str]:
        """The keys of the files directly in an open folder; its folders are added to those given."""
        with os.scandir(folder) as entries:
            for entry in entries:
                self._count()
                if is_left_out(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif self._is_resource(entry, path):
                    yield f"{path}{entry.name}"

    def _unless_gone(self, keys: Generator[str], path: str) -> Generator[str]:
        """The keys of a folder; none where it went away, became a link, or may not be read."""
        try:
            yield from keys
        except OSError as error:
            if error.errno not in self._passed_over:
                message = f"'{path}' in the package cannot be listed: {error.strerror}"
                raise UnavailableError(message, retryable=True) from None

    def _is_resource(self, entry: os.DirEntry[str], path: str) -> bool:
        """Whether a directory's entry is a regular file of one link that a key can name, and not SKILL.md itself."""
        if not entry.is_file(follow_symlinks=False) or (not path and entry.name.lower() == _SKILL_FILE):
            return False
        try:
            split_key(f"{path}{entry.name}")
            return entry.stat(follow_symlinks=False).st_nlink == 1
        except ProwessError:
            return False
        except OSError as error:
            if error.errno in self._passed_over:
                return False
            raise

    def _count(self) -> None:
        self._seen += 1
        if self._seen > self._limits.entries:
            message = f"the package has more than {self._limits.entries} files and folders: it cannot be listed"
            raise UnavailableError(message)


def _passed(part: str, folder: int) -> int:
    try:
        return os.open(part, _PASSED, dir_fd=folder)
    except NotADirectoryError:
        if stat.S_ISLNK(os.lstat(part, dir_fd=folder).st_mode):
            raise OSError(ELOOP, os.strerror(ELOOP)) from None
        raise


def _identity(descriptor: int) -> tuple[int, int]:
    facts = os.fstat(descriptor)
    return facts.st_dev, facts.st_ino


def _facts_of_file(key: str, descriptor: int) -> FileFacts:
    """The facts of what was opened; raises where that is not a regular file of one link."""
    facts = os.fstat(descriptor)
    if stat.S_ISDIR(facts.st_mode):
        raise _missing(key)
    if not stat.S_ISREG(facts.st_mode):
        raise _forbidden(key, "is not a regular file")
    if facts.st_nlink > 1:
        raise _forbidden(key, f"has {facts.st_nlink} links: it may be a file from elsewhere, so copy it")
    executable = bool(facts.st_mode & stat.S_IXUSR)
    return FileFacts(size=facts.st_size, executable=executable, changed_ns=facts.st_mtime_ns)


def _refusal(key: str, error: OSError) -> ProwessError:
    """What the system's refusal means to whoever asked for a key."""
    if error.errno in _MISSING:
        return _missing(key)
    if error.errno in _LEADING_OUT:
        return _forbidden(key, "is, or lies behind, a link, and links are not followed")
    if error.errno in _NO_FILE:
        return _forbidden(key, "is not a regular file")
    if error.errno in _SHUT:
        return _forbidden(key, "may not be read by this process")
    message = f"'{key}' cannot be read: {error.strerror}"
    return UnavailableError(message, details={"name": key}, retryable=True)


def _missing(key: str) -> NotFoundError:
    return NotFoundError(f"the package has no file '{key}'", details={"name": key})


def _forbidden(key: str, reason: str) -> ForbiddenError:
    return ForbiddenError(f"'{key}' {reason}", details={"name": key})


def _no_folder(error: OSError) -> NotFoundError:
    return NotFoundError(f"the package's folder cannot be opened: {error.strerror}")
