"""What is in an archive, of whatever kind: first what it says that it holds, then the bytes."""

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, Protocol, cast

from prowess.catalog.packages.archives.decompressing import Decompressed, compression_of
from prowess.catalog.packages.archives.members import ArchiveLimits, Member, fault

__all__ = ["DAMAGE", "Contents", "contents_of"]

DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What the standard library's readers raise for damaged archives."""

_CHUNK = 65_536
_BLOCK = 512
_START = 512
_END_MARK = b"PK\x05\x06"
_END = 22
_END_64_MARK = b"PK\x06\x06"
_END_64 = 56
_LOCATOR_MARK = b"PK\x06\x07"
_LOCATOR = 20
_LARGEST_PLACE = (1 << 63) - 1
_LONGEST_COMMENT = 65_535
_MOST_DIRECTORY = 1_100
"""Bytes in a zip's directory for one file: the longest name we take, and what else stands there."""
_UNIX = 3
_ENCRYPTED = 1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


class Contents(Protocol):
    """An archive that is open. May be gone through several times, one after the other."""

    def members(self) -> Iterator[Member]:
        """All that it says it holds, in its order. Raises `ArchiveError` and what `DAMAGE` names."""
        ...

    def files(self) -> Iterator[tuple[Member, IO[bytes]]]:
        """Each file with its bytes, to be read before the next one is asked for. Raises the same."""
        ...


def contents_of(file: BinaryIO, size: int, limits: ArchiveLimits) -> Contents:
    """The contents of an archive, by its first bytes. Raises `ArchiveError` for what is none."""
    file.seek(0)
    start = file.read(_START)
    if start.startswith((b"PK\x03\x04", _END_MARK)):
        return _Zip(file, size, limits)
    if compression_of(start) is None and start[257:262] != b"ustar":
        raise fault("archive-kind", "is neither a folder nor a zip or tar archive")
    return _Tar(file, start, size, limits)


# ---------------------------------------------------------------------------------------------------------------------


class _Zip:
    def __init__(self, file: BinaryIO, size: int, limits: ArchiveLimits) -> None:
        _check_directory(file, size, limits)
        with _finding():
            self._zip = zipfile.ZipFile(file)

    def members(self) -> Iterator[Member]:
        """All that the directory at its end names."""
        return map(_zip_member, self._zip.infolist())

    def files(self) -> Iterator[tuple[Member, IO[bytes]]]:
        """Each file that the directory names."""
        for info in self._zip.infolist():
            if not info.is_dir():
                with _finding():
                    data = self._zip.open(info)
                with data:
                    yield _zip_member(info), data


@contextmanager
def _finding() -> Generator[None]:
    """Tell of an archive that sends its reader to a place which no file has."""
    try:
        yield
    except OSError as error:
        raise fault("archive-damaged", f"is damaged: it leads to no place in it ({error.strerror})") from None


def _check_directory(file: BinaryIO, size: int, limits: ArchiveLimits) -> None:
    """Look at the end of a zip before its directory is read, which takes memory for each file that it names."""
    begin = max(0, size - _END - _LONGEST_COMMENT)
    file.seek(begin)
    end = file.read()
    at = end.rfind(_END_MARK)
    if at < 0 or len(end) - at < _END:
        raise fault("archive-damaged", "is damaged: its directory is missing")
    most = limits.max_archive_files
    for count, directory in (_number(end, at + 10, 2), _number(end, at + 12, 4)), *_larger(file, begin + at):
        if count > most or directory > most * _MOST_DIRECTORY:
            raise fault("archive-files", f"has more than {most} files: raise 'skills.max_archive_files'")


def _larger(file: BinaryIO, end: int) -> Iterator[tuple[int, int]]:
    """What the zip64 form of a zip's end says: its reader believes that, whatever the old form before it says.

    Some releases look for it where its locator points, others right before the locator, so both count.
    """
    locator = _bytes_at(file, end - _LOCATOR, _LOCATOR)
    if locator.startswith(_LOCATOR_MARK):
        for place in {_number(locator, 8, 8), end - _LOCATOR - _END_64}:
            found = _bytes_at(file, place, _END_64)
            if found.startswith(_END_64_MARK):
                yield _number(found, 32, 8), _number(found, 40, 8)


def _bytes_at(file: BinaryIO, place: int, size: int) -> bytes:
    """So many bytes from a place; fewer, or none, where the file has no such place."""
    if not 0 <= place <= _LARGEST_PLACE:
        return b""
    file.seek(place)
    return file.read(size)


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")


def _zip_member(info: zipfile.ZipInfo) -> Member:
    mode = info.external_attr >> 16 if info.create_system == _UNIX else 0
    odd = _KINDS.get(stat.S_IFMT(mode))
    if info.flag_bits & _ENCRYPTED:
        odd = "encrypted"
    elif info.compress_type not in _METHODS:
        odd = f"packed with a method other than deflate (number {info.compress_type})"
    return Member(
        name=info.orig_filename,
        size=info.file_size,
        is_folder=info.orig_filename.endswith("/"),
        executable=bool(mode & stat.S_IXUSR),
        odd=odd,
    )


class _Tar:
    def __init__(self, file: BinaryIO, start: bytes, size: int, limits: ArchiveLimits) -> None:
        self._file = file
        self._make = compression_of(start)
        headers = 4 * _BLOCK * limits.max_archive_files
        self._most = limits.most_bytes(size) + headers + _CHUNK

    def members(self) -> Iterator[Member]:
        """All that its headers name."""
        readable = self._readable()
        with _opened(readable) as archive:
            yield from map(_tar_member, archive)
            _check_end(readable, archive.offset)

    def files(self) -> Iterator[tuple[Member, IO[bytes]]]:
        """Each file that its headers name."""
        with _opened(self._readable()) as archive:
            for info in archive:
                data = archive.extractfile(info) if info.isreg() else None
                if data is not None:
                    yield _tar_member(info), data

    def _readable(self) -> Decompressed:
        self._file.seek(0)
        return Decompressed(self._file, self._make, self._most)


def _opened(readable: Decompressed) -> tarfile.TarFile:
    return tarfile.open(fileobj=cast("IO[bytes]", readable), mode="r:", errors="surrogateescape")


def _check_end(readable: Decompressed, end: int) -> None:
    """See to it that a tar was read to its end: its reader takes whatever is no header for that."""
    readable.seek(end)
    if readable.read(_BLOCK) != bytes(_BLOCK):
        raise fault("archive-damaged", "is damaged: it ends too early")
    while readable.read(_CHUNK):  # to the checksum of what it is compressed with
        pass


def _tar_member(info: tarfile.TarInfo) -> Member:
    odd = None
    if info.issparse():
        odd = "a sparse file"
    elif not (info.isreg() or info.isdir()):
        odd = "a link" if info.issym() or info.islnk() else "a pipe" if info.isfifo() else "a device"
    return Member(
        name=info.name + ("/" if info.isdir() and not info.name.endswith("/") else ""),
        size=info.size if info.isreg() else 0,
        is_folder=info.isdir(),
        executable=bool(info.mode & stat.S_IXUSR),
        odd=odd,
    )
