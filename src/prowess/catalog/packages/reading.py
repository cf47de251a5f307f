"""The bytes of a SKILL.md, read once and whole, whatever has that name and whoever writes to it meanwhile."""

import os
import stat

from prowess.catalog.packages.found import FileFacts
from prowess.catalog.walked import INODE, TICK_NS
from prowess.skillmd.frontmatter.source import SIZE_LIMIT

__all__ = ["UNSURE_FILE", "UnusableError", "file_facts", "read_whole"]

UNSURE_FILE: FileFacts = (0, 0, 0, 0)
"""The facts of a file that may have changed after it was read; no file has them, so it will be read again."""
_TRIES = 3
_CHUNK = 65_536
"""More than nearly every SKILL.md has."""
_WHERE_KNOWN = ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in _WHERE_KNOWN)


class UnusableError(Exception):
    """What has the name of a SKILL.md cannot be read as one."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def file_facts(found: os.stat_result) -> FileFacts:
    """The facts of a file, as the system tells them."""
    return (found.st_mtime_ns, found.st_size, found.st_ino & INODE, found.st_ctime_ns)


def read_whole(path: str, began_ns: int) -> tuple[bytes, FileFacts]:
    """A file's bytes, all of one moment, with the facts of that moment.

    Raises `UnusableError` for what is no regular file, too large, or never the same before and after, and `OSError`.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        data = os.read(descriptor, _CHUNK)
        now = os.fstat(descriptor)
        facts = file_facts(now)
        if stat.S_ISREG(now.st_mode) and len(data) == now.st_size and _is_sure(facts, began_ns):
            return data, facts  # it did not change since before we began, so not while we read
        return _read_twice(descriptor, now, began_ns)
    finally:
        os.close(descriptor)


# ---------------------------------------------------------------------------------------------------------------------


def _read_twice(descriptor: int, now: os.stat_result, began_ns: int) -> tuple[bytes, FileFacts]:
    """The bytes of a file that is large, or that may be written to just now."""
    for _ in range(_TRIES):
        _check(now)
        os.lseek(descriptor, 0, os.SEEK_SET)
        data = _read(descriptor, now.st_size)
        before, now = now, os.fstat(descriptor)
        facts = file_facts(now)
        if len(data) == now.st_size and facts == file_facts(before):
            return data, facts if _is_sure(facts, began_ns) else UNSURE_FILE
    raise UnusableError("file-changing", "it changes while it is read: it is looked at again at the next scan")


def _is_sure(facts: FileFacts, began_ns: int) -> bool:
    """Whether a file with these facts did not change after we began to look."""
    return facts[0] < began_ns - TICK_NS and facts[3] < began_ns - TICK_NS


def _check(now: os.stat_result) -> None:
    if not stat.S_ISREG(now.st_mode):
        raise UnusableError("not-a-file", "it is no file: remove it, or put a file in its place")
    if now.st_size > SIZE_LIMIT:
        message = f"it has {now.st_size} bytes, more than {SIZE_LIMIT}: move what is long into files beside it"
        raise UnusableError("file-too-large", message)


def _read(descriptor: int, size: int) -> bytes:
    """All bytes, and one more where there are more than `size`."""
    data = b""
    while len(data) <= size and (more := os.read(descriptor, size + 1 - len(data))):
        data += more
    return data
