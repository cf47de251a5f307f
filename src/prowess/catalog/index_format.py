"""The index file's bytes: one MessagePack array of texts and of packed numbers, without a library, written whole.

In each text a line ends with a newline, its fields are separated by tabs, the parts of a field by U+001F.
"""

from __future__ import annotations

import os
import stat
import zlib

__all__ = ["BETWEEN", "join", "pack", "read_file", "replace_file", "split", "text_of", "unpack"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAGIC = b"prowess-index-2"
_ARRAY = 0xDC
_TEXT = 0xDB
_BYTES = 0xC6
_ERRORS = "surrogateescape"  # a file's name may be no UTF-8

BETWEEN = "\x1f"


def join(lines: Iterable[str]) -> str:
    """Lines as one text."""
    return "\n".join([*lines, ""])


def split(text: str) -> list[str]:
    """The lines of a text; not `splitlines`, which knows many more ends of a line."""
    return text.split("\n")[:-1]


def pack(parts: Sequence[str | bytes | memoryview]) -> bytes:
    """An index of these parts, with the format's name and a checksum before them."""
    body = b"".join(map(_packed, parts))
    head = _packed(_MAGIC.decode()) + _packed(f"{zlib.crc32(body):08x}")
    return bytes((_ARRAY,)) + (len(parts) + 2).to_bytes(2, "big") + head + body


def unpack(data: bytes, count: int) -> list[slice] | None:
    """Where the parts of an index are, None for bytes that are none, were damaged, or hold another number of parts."""
    if data[:3] != bytes((_ARRAY,)) + (count + 2).to_bytes(2, "big"):
        return None
    parts: list[slice] = []
    end = 3
    for _ in range(count + 2):
        start = end + 5
        if start > len(data) or data[end] not in {_TEXT, _BYTES}:
            return None
        end = start + int.from_bytes(data[start - 4 : start], "big")
        parts.append(slice(start, end))
    checksum = f"{zlib.crc32(memoryview(data)[parts[1].stop :]):08x}".encode()
    sound = end == len(data) and data[parts[0]] == _MAGIC and data[parts[1]] == checksum
    return parts[2:] if sound else None


def text_of(part: bytes | memoryview) -> str:
    """A part that is a text."""
    return str(part, "utf-8", _ERRORS)


def read_file(path: str) -> bytes:
    """A regular file's bytes, none for anything else: a pipe of that name must not make a command wait."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return b""
    try:
        facts = os.fstat(descriptor)
        return _whole(descriptor, facts.st_size) if stat.S_ISREG(facts.st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def replace_file(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file under a name nobody else has, then give it its own in one step. Raises `OSError`."""
    mine = f"{path}.{os.urandom(6).hex()}"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(mine, flags, mode), "wb") as file:
            file.write(data)
        os.replace(mine, path)
    except OSError:
        if os.path.exists(mine):
            os.unlink(mine)
        raise


# ---------------------------------------------------------------------------------------------------------------------


def _packed(part: str | bytes | memoryview) -> bytes:
    data = part.encode("utf-8", _ERRORS) if isinstance(part, str) else bytes(part)
    return bytes((_TEXT if isinstance(part, str) else _BYTES,)) + len(data).to_bytes(4, "big") + data


def _whole(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size and (part := os.read(descriptor, size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
