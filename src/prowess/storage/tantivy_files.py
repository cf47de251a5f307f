"""The folder of a tantivy index: made, checked, and put aside where it is damaged."""

import os
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path

import tantivy
from msgspec import Struct
from msgspec.json import decode

from prowess.catalog.search.port import IndexUnavailableError

__all__ = ["open_folder"]

_FORMAT = "tantivy-1"
"""Another name for every change of what is indexed and how; folders of other formats are removed."""
_LIST = "meta.json"
_PARTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")
"""The files that every segment has."""
_MAGIC = 1337
_TAIL = 8
"""Bytes at a file's end: the length of the footer before them, and the magic number."""


class _Deletes(Struct):
    opstamp: int


class _Segment(Struct):
    segment_id: str
    deletes: _Deletes | None = None


class _Meta(Struct):
    segments: list[_Segment]


class _Footer(Struct):
    crc: int


def open_folder(schema: tantivy.Schema, folder: str) -> tantivy.Index:
    """The index in a folder, a new one where there is none or what is there cannot be used.

    Raises `IndexUnavailableError` where the folder cannot be had.
    """
    place = Path(folder, _FORMAT)
    try:
        if (place / _LIST).exists() and not _is_sound(place):
            _put_aside(place)
        if not place.exists():
            _remove_others(place)
            place.mkdir(parents=True)
        try:
            return tantivy.Index(schema, path=str(place))
        except ValueError:  # its files are whole, and not what this tantivy writes
            _put_aside(place)
            place.mkdir()
            return tantivy.Index(schema, path=str(place))
    except (OSError, ValueError) as error:
        raise IndexUnavailableError(str(error)) from error


# ---------------------------------------------------------------------------------------------------------------------


def _is_sound(place: Path) -> bool:
    """Whether every file that the index names is there, with the checksum that stands at its end.

    tantivy trusts its files: what a damaged one would make of a question is anybody's guess.
    """
    try:
        meta = decode((place / _LIST).read_bytes(), type=_Meta)
        return all(_is_whole(place / name) for segment in meta.segments for name in _files_of(segment))
    except (OSError, ValueError):
        return False


def _files_of(segment: _Segment) -> Iterator[str]:
    name = segment.segment_id.replace("-", "")
    yield from (f"{name}.{part}" for part in _PARTS)
    if segment.deletes is not None:
        yield f"{name}.{segment.deletes.opstamp}.del"


def _is_whole(file: Path) -> bool:
    """Whether a file has its footer, and the checksum in it is that of what stands before."""
    data = file.read_bytes()
    length, magic = (int.from_bytes(data[start:][:4], "little") for start in (len(data) - _TAIL, len(data) - 4))
    end = len(data) - _TAIL - length
    return magic == _MAGIC and end >= 0 and decode(data[end:-_TAIL], type=_Footer).crc == zlib.crc32(data[:end])


def _put_aside(place: Path) -> None:
    """Take a folder away in one step, so that nobody finds half of it."""
    aside = place.replace(place.with_name(f"{place.name}.{os.urandom(6).hex()}"))
    shutil.rmtree(aside, ignore_errors=True)


def _remove_others(place: Path) -> None:
    """Remove what other releases left, and what was put aside and not removed."""
    for other in place.parent.glob("tantivy-*"):
        shutil.rmtree(other, ignore_errors=True)
