"""The digest of a package: a hash over the path, the kind and the bytes of every file it consists of."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import file_digest, sha256
from typing import NoReturn
from unicodedata import normalize

from msgspec import Struct

from prowess.errors import UnavailableError

__all__ = [
    "FILE",
    "LINK",
    "PROGRAM",
    "TEXT_LIMIT",
    "Bounds",
    "FileDigest",
    "PackageDigest",
    "digest_of",
    "package_digest",
    "texts_of",
    "texts_read",
]

FILE, PROGRAM, LINK, OTHER = "file", "program", "link", "other"
"""What a file of a package is: a program is what its owner may execute; a link is what it says, not where it leads."""

_FORMAT = b"prowess-package-1\n"
_MOST_FILES = 100_000
_MOST_LEVELS = 64
_MOST_BYTES = 10_000_000_000
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_COMPILED = "__pycache__"
TEXT_LIMIT = 200_000
"""Bytes of a file whose text is kept."""
_TEXTS_LIMIT = 2_000_000


class FileDigest(Struct, frozen=True, gc=False):
    """One file of a package. A value."""

    path: str
    """From the package's folder, its parts joined by `/`, in NFC."""
    sha256: str
    """Of its bytes, or of where a link leads."""
    kind: str = FILE


class PackageDigest(Struct, frozen=True):
    """What a package consists of. A value."""

    digest: str
    """`sha256:` and the hash over all files: it changes where any of them does."""
    files: tuple[FileDigest, ...]
    """Sorted by path."""


class Bounds(Struct, frozen=True, gc=False):
    """How large a package may be to have a digest. A value."""

    files: int = _MOST_FILES
    bytes: int = _MOST_BYTES


_BOUNDS = Bounds()


def package_digest(folder: str, bounds: Bounds = _BOUNDS, *, compiled: bool = True) -> PackageDigest:
    """The digest of all files below a folder: hidden ones, caches and packages inside are files as others are.

    Whatever lies there can be run or read by what the package brings (docs/decisions/0039). Without `compiled`, what
    Python keeps in `__pycache__` is left out. No link is followed below the folder. Raises `UnavailableError` for a
    package that is larger than its bounds, changes while it is read, or has a file that cannot be read or whose name
    cannot be written down.
    """
    try:
        descriptor = os.open(folder, _FOLDER)
    except OSError as error:
        _refuse(folder, "", error.strerror or "")
    try:
        return digest_of(_Files(folder, bounds, compiled=compiled).inside(descriptor, "", 0))
    except OSError as error:
        _refuse(folder, os.fsdecode(error.filename or ""), error.strerror or "")
    finally:
        os.close(descriptor)


def digest_of(files: Iterable[FileDigest]) -> PackageDigest:
    """The digest over these files, whatever their order."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    whole = sha256(_FORMAT)
    for file in ordered:
        whole.update(f"{file.kind}\0{file.sha256}\0{file.path}\0".encode())
    return PackageDigest(f"sha256:{whole.hexdigest()}", ordered)


def texts_of(folder: str, pinned: PackageDigest) -> dict[str, str]:
    """What the text files of a package say, as far as they are not too long; only of those that are as pinned."""
    return texts_read(pinned, lambda path: _small_file(os.path.join(folder, *path.split("/"))))


def texts_read(pinned: PackageDigest, read: Callable[[str], bytes]) -> dict[str, str]:
    """The same of a package that is no folder: `read` gives the bytes of a path, and none for a long file."""
    texts: dict[str, str] = {}
    left = _TEXTS_LIMIT
    for file in pinned.files:
        data = read(file.path) if file.kind in {FILE, PROGRAM} else b""
        if data and len(data) <= left and b"\0" not in data and sha256(data).hexdigest() == file.sha256:
            with suppress(UnicodeDecodeError):
                texts[file.path] = data.decode()
                left -= len(data)
    return texts


# ---------------------------------------------------------------------------------------------------------------------


class _Files:
    """One walk through a package's folder, each folder opened below the one before."""

    def __init__(self, root: str, bounds: Bounds, *, compiled: bool) -> None:
        self._root = root
        self._bounds = bounds
        self._compiled = compiled
        self._seen: set[str] = set()
        self._left = bounds.bytes

    def inside(self, folder: int, path: str, level: int) -> Iterator[FileDigest]:
        """Every file in an open folder and below it."""
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        if level > _MOST_LEVELS:
            _refuse(self._root, path, f"lies more than {_MOST_LEVELS} folders deep")
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if self._compiled or entry.name != _COMPILED:
                    yield from self._below(folder, entry.name, path, level)
            else:
                yield self._file(folder, entry.name, self._key(path, entry.name))

    def _below(self, folder: int, name: str, path: str, level: int) -> Iterator[FileDigest]:
        below = os.open(name, _FOLDER | _NO_LINK, dir_fd=folder)
        try:
            yield from self.inside(below, f"{path}{name}/", level + 1)
        finally:
            os.close(below)

    def _key(self, path: str, name: str) -> str:
        key = normalize("NFC", f"{path}{name}")
        try:
            key.encode()
        except UnicodeEncodeError:
            _refuse(self._root, ascii(key), "has a name that is no UTF-8 text: rename it")
        if key in self._seen:
            _refuse(self._root, key, "is there twice, its letters composed in two ways: rename one")
        if len(self._seen) >= self._bounds.files:
            _refuse(self._root, key, f"is one file too many: a package may have {self._bounds.files}")
        self._seen.add(key)
        return key

    def _file(self, folder: int, name: str, key: str) -> FileDigest:
        mode = os.lstat(name, dir_fd=folder).st_mode
        if stat.S_ISLNK(mode):
            return FileDigest(key, sha256(os.fsencode(os.readlink(name, dir_fd=folder))).hexdigest(), LINK)
        if not stat.S_ISREG(mode):
            return FileDigest(key, sha256().hexdigest(), OTHER)
        descriptor = os.open(name, _FILE, dir_fd=folder)
        with open(descriptor, "rb", buffering=0) as file:
            before = os.fstat(descriptor)
            self._left -= before.st_size
            if self._left < 0:
                _refuse(self._root, key, f"is too much: the files of a package may have {self._bounds.bytes} bytes")
            found = file_digest(file, "sha256").hexdigest() if stat.S_ISREG(before.st_mode) else ""
            after = os.fstat(descriptor)
        if not found or _state(before) != _state(after):
            _refuse(self._root, key, "changes while it is read: try again")
        return FileDigest(key, found, PROGRAM if after.st_mode & stat.S_IXUSR else FILE)


def _small_file(path: str) -> bytes:
    """A file's bytes, none for one that is too long or cannot be read."""
    try:
        with open(os.open(path, _FILE), "rb") as file:
            data = file.read(TEXT_LIMIT + 1)
    except OSError:
        return b""
    return data if len(data) <= TEXT_LIMIT else b""


def _state(facts: os.stat_result) -> tuple[int, int]:
    return facts.st_size, facts.st_mtime_ns


def _refuse(root: str, path: str, why: str) -> NoReturn:
    about = f"'{path}' in {root}" if path else root
    raise UnavailableError(f"the package cannot be pinned: {about} {why}", details={"name": root})
