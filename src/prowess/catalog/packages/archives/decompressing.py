"""A compressed tar archive as a file that is read from its start to its end, at no more cost than is allowed."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

from prowess.catalog.packages.archives.members import ArchiveError, fault

__all__ = ["Decompressed", "compression_of"]

_CHUNK = 65_536
_AT_ONCE = 1_048_576
"""The most that is handed out at once: a header that claims to be larger is no header."""
_BEHIND = 1_024
"""How far back one may go: the tar reader steps back by one byte."""
_LZMA_MEMORY = 128 * 1024 * 1024


class Decompressor(Protocol):
    """What the standard library's decompressors have in common."""

    @property
    def eof(self) -> bool:
        """Whether the end of the compressed data was reached."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What came after that end."""
        ...

    @property
    def needs_input(self) -> bool:
        """Whether it has nothing more to give without new data."""
        ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        """At most so many bytes."""
        ...


def compression_of(start: bytes) -> Callable[[], Decompressor] | None:
    """What unpacks a file that starts so; None for one that is not compressed."""
    return next((make for mark, make in _MARKS.items() if start.startswith(mark)), None)


class Decompressed:
    """The decompressed bytes of a file, forwards only but for a few bytes. Whoever opened the file closes it.

    Reading raises `ArchiveError` once more than `most` bytes came out, for one read that wants too much at once, and
    for damaged data.
    """

    def __init__(self, file: BinaryIO, make: Callable[[], Decompressor] | None, most: int) -> None:
        self._file = file
        self._make = make
        self._decompressor = None if make is None else make()
        self._left = most
        self._ready = b""
        self._behind = b""
        self._position = 0

    def read(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        if not 0 <= size <= _AT_ONCE:
            raise _damaged(f"one header claims {size} bytes")
        while len(self._ready) < size and (more := self._more()):
            self._ready += more
        data, self._ready = self._ready[:size], self._ready[size:]
        self._behind = (self._behind + data)[-_BEHIND:]
        self._position += len(data)
        return data

    def tell(self) -> int:
        """How many bytes were read."""
        return self._position

    def seek(self, position: int) -> int:
        """Go to a place further on, or a few bytes back."""
        back = self._position - position
        if back > len(self._behind):
            raise _damaged("it cannot be read from its start to its end")
        if back > 0:
            self._ready = self._behind[-back:] + self._ready
            self._behind = self._behind[:-back]
            self._position = position
        while self._position < position and self.read(min(_AT_ONCE, position - self._position)):
            pass
        return self._position

    def _more(self) -> bytes:
        try:
            data = self._next()
        except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
            raise _damaged(str(error) or type(error).__name__) from None
        self._left -= len(data)
        if self._left < 0:
            raise fault("archive-bytes", "unpacks to more than it may")
        return data

    def _next(self) -> bytes:
        """What comes next, empty at the end."""
        one = self._decompressor
        if one is None or self._make is None:
            return self._file.read(_CHUNK)
        while True:
            if one.eof:
                rest = one.unused_data or self._file.read(_CHUNK)
                if not rest.strip(b"\0"):
                    return b""
                one = self._decompressor = self._make()
                data = one.decompress(rest, _CHUNK)
            else:
                hungry = one.needs_input
                packed = self._file.read(_CHUNK) if hungry else b""
                data = one.decompress(packed, _CHUNK)
                if hungry and not packed and not data:
                    raise EOFError("it ends too early")
            if data:
                return data


# ---------------------------------------------------------------------------------------------------------------------


class _Gzip:
    """The decompressor for gzip, with the attributes of the others."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max(0, max_length))


def _lzma() -> Decompressor:
    return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)


_MARKS: dict[bytes, Callable[[], Decompressor]] = {
    b"\x1f\x8b": _Gzip,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\0": _lzma,
}


def _damaged(why: str) -> ArchiveError:
    return fault("archive-damaged", f"is damaged, or no archive: {why}")
