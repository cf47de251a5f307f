"""One file that many machines serve alike: bytes by their digests, and the contents that say what they are.

    magic · bytes, one after another · contents · footer

The footer holds where the contents begin, their size and their SHA-256; the contents name each piece of bytes by its
own. So the footer's digest speaks for every byte of the file: two files with the same digest give the same answers.
"""

import os
import struct
from hashlib import sha256
from types import TracebackType
from typing import Self

from msgspec import Struct

from prowess.catalog.places import BUILT_MAGIC as _MAGIC
from prowess.errors import ConfigurationError

__all__ = ["Blob", "BuiltFile", "BuiltWriter"]

_FOOTER = struct.Struct("<QQ32s16s")
_CHUNK = 1 << 20


class Blob(Struct, frozen=True, array_like=True, gc=False):
    """Where a piece of bytes stands in the file, and its SHA-256."""

    digest: bytes
    start: int
    size: int


class BuiltWriter:
    """Writes a built file beside its place; `finish` gives it its name in one step, and leaving without it removes it.

    The same pieces in the same order give the same file, to the byte.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._unfinished = f"{path}.{os.urandom(6).hex()}"
        if os.path.isdir(path):
            raise ConfigurationError(f"{path} is a folder: name the file to write", details={"file": path})
        try:
            self._file = open(self._unfinished, "xb")  # noqa: SIM115 - closed by `__exit__`
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be written: {error.strerror}", details={"file": path}) from None
        self._file.write(_MAGIC)
        self._blobs: dict[bytes, Blob] = {}
        self._end = len(_MAGIC)

    def add(self, data: bytes) -> Blob:
        """Keep a piece of bytes; equal pieces are kept once."""
        digest = sha256(data).digest()
        blob = self._blobs.get(digest)
        if blob is None:
            blob = self._blobs[digest] = Blob(digest, self._end, len(data))
            self._file.write(data)
            self._end += len(data)
        return blob

    def finish(self, contents: bytes) -> str:
        """Write the contents, make the file durable and give it its name; gives its digest."""
        digest = sha256(contents)
        self._file.write(contents)
        self._file.write(_FOOTER.pack(self._end, len(contents), digest.digest(), _MAGIC))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        os.replace(self._unfinished, self._path)
        return digest.hexdigest()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if os.path.exists(self._unfinished):
            os.unlink(self._unfinished)


class BuiltFile:
    """A built file, open for reading from every thread. Whoever opens it closes it.

    Raises `ConfigurationError` for a file that is none, or was cut or changed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._whole: set[bytes] = set()
        """The pieces that were found to be what their digests say."""
        try:
            self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise ConfigurationError(f"{path}: {error.strerror}", details={"file": path}) from None
        try:
            self.contents, self.digest = self._contents()
        except ConfigurationError:
            self.close()
            raise

    def read(self, blob: Blob, start: int = 0, size: int | None = None) -> bytes:
        """A piece's bytes from `start`, at most `size` of them; the whole piece is checked when it is first read."""
        if blob.digest not in self._whole:
            self._check(blob)
        start = min(start, blob.size)
        left = blob.size - start
        return self._bytes(blob.start + start, left if size is None else min(size, left))

    def close(self) -> None:
        """Close the file; a piece can be read no more."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _contents(self) -> tuple[bytes, str]:
        size = os.fstat(self._descriptor).st_size
        if size < len(_MAGIC) + _FOOTER.size or os.pread(self._descriptor, len(_MAGIC), 0) != _MAGIC:
            raise self._damaged("is no file that 'prowess build' made")
        start, length, digest, magic = _FOOTER.unpack(self._bytes(size - _FOOTER.size, _FOOTER.size))
        if magic != _MAGIC or start + length + _FOOTER.size != size:
            raise self._damaged("was cut, or not written to its end: build it again, or copy it again")
        contents = self._bytes(start, length)
        if sha256(contents).digest() != digest:
            raise self._damaged("was changed after it was built: its contents are not what its digest says")
        return contents, digest.hex()

    def _check(self, blob: Blob) -> None:
        digest, done = sha256(), 0
        while done < blob.size:
            digest.update(self._bytes(blob.start + done, min(_CHUNK, blob.size - done)))
            done += _CHUNK
        if digest.digest() != blob.digest:
            raise self._damaged("was changed after it was built: some of its bytes are not what their digest says")
        self._whole.add(blob.digest)

    def _bytes(self, start: int, size: int) -> bytes:
        parts: list[bytes] = []
        while size > 0:
            part = os.pread(self._descriptor, size, start)
            if not part:
                raise self._damaged("was cut: build it again, or copy it again")
            parts.append(part)
            start, size = start + len(part), size - len(part)
        return b"".join(parts)

    def _damaged(self, what: str) -> ConfigurationError:
        return ConfigurationError(f"{self.path} {what}", details={"file": self.path})
