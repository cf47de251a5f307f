"""Unpacking an archive once, into a folder that is named by its bytes and appears whole or not at all.

Nothing that an archive says is believed: its members are looked at before the first byte is written, and what they
really come to is counted while it is written. One member that is wrong keeps all of it out.
"""

import os
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import file_digest
from typing import IO, BinaryIO

from prowess.catalog.packages.archives.contents import DAMAGE, Contents, contents_of
from prowess.catalog.packages.archives.members import ArchiveLimits, Member, check_members, fault

__all__ = ["unpack"]

_CHUNK = 65_536
_STALE_NS = 3_600_000_000_000
"""How long an unpacking may take before what it wrote counts as left behind."""
_UNFINISHED = ".unfinished-"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def unpack(path: str, cache: str, limits: ArchiveLimits, now_ns: int) -> str:
    """The folder in which the files of an archive are; they are unpacked where that was not done before.

    Raises `ArchiveError` with everything that is wrong with the archive, and `OSError` where it cannot be read or the
    cache cannot be used.
    """
    with open(os.open(path, _FLAGS), "rb") as file:
        before = os.fstat(file.fileno())
        _check(before, limits)
        target = os.path.join(cache, file_digest(file, "sha256").hexdigest())
        _make_cache(cache)
        if not os.path.isdir(target):
            _clear(cache, now_ns)
            with _whole_or_not(target) as folder:
                _unpack(folder, file, before.st_size, limits)
                _check_unchanged(before, os.fstat(file.fileno()))
    return target


# ---------------------------------------------------------------------------------------------------------------------


def _check(found: os.stat_result, limits: ArchiveLimits) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise fault("archive-kind", "is neither a folder nor a file")
    most = limits.max_archive_bytes
    if found.st_size > most:
        raise fault("archive-bytes", f"has {found.st_size} bytes, more than {most}: raise 'skills.max_archive_bytes'")


def _check_unchanged(before: os.stat_result, after: os.stat_result) -> None:
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise fault("archive-damaged", "changes while it is read")


def _unpack(folder: str, file: BinaryIO, size: int, limits: ArchiveLimits) -> None:
    try:
        contents = contents_of(file, size, limits)
        check_members(contents.members(), size, limits)
        _write_all(folder, contents)
    except DAMAGE as error:
        raise fault("archive-damaged", f"is damaged: {str(error) or type(error).__name__}") from None


def _write_all(folder: str, contents: Contents) -> None:
    for member, data in contents.files():
        path = os.path.join(folder, *member.path.split("/"))
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(path, _WRITE, 0o700 if member.executable else 0o600), "wb") as out:
            _copy(data, out, member)


def _copy(data: IO[bytes], out: IO[bytes], member: Member) -> None:
    copied = 0
    while chunk := data.read(_CHUNK):  # a reader gives no more than the archive says
        copied += out.write(chunk)
    if copied != member.size:
        raise fault("archive-damaged", f"is damaged: '{member.path}' has another size than the archive says")


@contextmanager
def _whole_or_not(target: str) -> Generator[str]:
    """A folder to write into, which gets its name once all is written; nothing is left of it otherwise."""
    folder = f"{target}{_UNFINISHED}{os.urandom(6).hex()}"
    os.mkdir(folder, 0o700)
    try:
        yield folder
        try:
            os.rename(folder, target)
        except OSError:
            if not os.path.isdir(target):
                raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_cache(cache: str) -> None:
    """Make the cache, or see to it that nobody else writes in it: what lies there is taken for what was unpacked."""
    os.makedirs(cache, mode=0o700, exist_ok=True)
    found = os.stat(cache)
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & _OTHERS & 0o022):
        raise PermissionError(1, f"others can write in it: say  chmod 700 '{cache}'", cache)


def _clear(cache: str, now_ns: int) -> None:
    """Remove what an unpacking left that was killed."""
    with os.scandir(cache) as found:
        left = [one for one in found if _UNFINISHED in one.name and one.stat().st_mtime_ns < now_ns - _STALE_NS]
    for one in left:
        shutil.rmtree(one.path, ignore_errors=True)
