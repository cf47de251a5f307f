"""The folder of a tantivy index: made or brought along, checked, and put aside where it is damaged."""

import os
import re
import shutil
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import tantivy
from msgspec import Struct
from msgspec.json import decode, encode

from prowess.catalog.search.port import Carried, IndexUnavailableError

__all__ = ["files_of", "open_folder"]

_FORMAT = "tantivy-1"
"""Another name for every change of what is indexed and how; folders of other formats are removed."""
_LIST = "meta.json"
_OWNED = ".managed.json"
"""The names of the files that tantivy removes when it needs them no more."""
_NAME = re.compile(r"\.?\w[\w.]*")
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


def open_folder(schema: tantivy.Schema, folder: str, carried: Carried) -> tantivy.Index:
    """The index in a folder; where there is none or it cannot be used, the one that was brought along, or a new one.

    Raises `IndexUnavailableError` where the folder cannot be had.
    """
    place = Path(folder, _FORMAT)
    try:
        if (place / _LIST).exists() and not _is_sound(place):
            _put_aside(place)
        if not place.exists():
            _remove_others(place)
            _bring(place, carried)
        try:
            return tantivy.Index(schema, path=str(place))
        except ValueError:  # its files are whole, and not what this tantivy writes
            _put_aside(place)
            place.mkdir()
            return tantivy.Index(schema, path=str(place))
    except (OSError, ValueError) as error:
        raise IndexUnavailableError(str(error)) from error


def files_of(folder: str) -> Iterator[tuple[str, bytes]]:
    """The files of the index in a folder, as `open_folder` takes them.

    tantivy calls a segment by a number that it throws; here it is the digest of what the segment holds.
    """
    place = Path(folder, _FORMAT)
    listed = (place / _LIST).read_bytes()
    names: list[str] = []
    for segment in decode(listed, type=_Meta).segments:
        digest = sha256()
        files = list(_files_of(segment))
        for file in files:
            digest.update((place / file).read_bytes())
        number = UUID(bytes=digest.digest()[:16])
        listed = listed.replace(segment.segment_id.encode(), str(number).encode())
        for file in files:
            name = f"{number.hex}{file[len(number.hex) :]}"
            names.append(name)
            yield f"{_FORMAT}/{name}", (place / file).read_bytes()
    yield f"{_FORMAT}/{_LIST}", listed
    yield f"{_FORMAT}/{_OWNED}", encode([*names, _LIST])


# ---------------------------------------------------------------------------------------------------------------------


def _bring(place: Path, carried: Carried) -> None:
    """Make a folder with the files that were brought along, in one step; an empty one where there are none."""
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_name(f"new.{os.urandom(6).hex()}")
    unfinished.mkdir()
    try:
        for name, data in carried():
            format_, _, file = name.partition("/")
            if format_ == _FORMAT and _NAME.fullmatch(file):
                (unfinished / file).write_bytes(data)
        unfinished.replace(place)
    except OSError:
        if not place.exists():  # otherwise another process was quicker
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


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
