"""The file that many machines serve alike: what is written is what is read, and what was damaged is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prowess.catalog.built.container import Blob, BuiltFile, BuiltWriter
from prowess.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path


def build(path: Path, pieces: list[bytes], contents: bytes = b"contents") -> tuple[str, list[Blob]]:
    """Write a file of these pieces; gives its digest and where they stand."""
    with BuiltWriter(str(path)) as writer:
        blobs = [writer.add(piece) for piece in pieces]
        return writer.finish(contents), blobs


@given(pieces=st.lists(st.binary(max_size=200), max_size=8), contents=st.binary(max_size=100))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_every_piece_and_the_contents_come_back(tmp_path: Path, pieces: list[bytes], contents: bytes) -> None:
    """Spec: with the same answers, to the byte."""
    path = tmp_path / "skills.prowess"
    digest, blobs = build(path, pieces, contents)
    built = BuiltFile(str(path))
    assert [built.read(blob) for blob in blobs] == pieces
    assert (built.contents, built.digest) == (contents, digest)
    assert len({blob.start for blob in blobs if blob.size}) == len({piece for piece in pieces if piece})
    built.close()


def test_the_same_pieces_give_the_same_file(tmp_path: Path) -> None:
    """Spec: content-addressed."""
    for name in ("one", "other"):
        build(tmp_path / name, [b"a", b"b"])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert build(tmp_path / "third", [b"a"], b"other contents")[0] != build(tmp_path / "one", [b"a"])[0]


def test_a_part_of_a_piece_is_read_without_the_rest(tmp_path: Path) -> None:
    """Spec: range reads for large text."""
    _, (_, blob) = build(tmp_path / "file", [b"before", b"0123456789"])
    built = BuiltFile(str(tmp_path / "file"))
    assert [built.read(blob, 2, 3), built.read(blob, 8), built.read(blob, 10), built.read(blob, 99, 5)] == [
        b"234",
        b"89",
        b"",
        b"",
    ]
    built.close()


@pytest.mark.behaviour("build.damaged")
def test_every_cut_and_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    """Choice: a file that travelled to many machines is believed nowhere without a look."""
    path = tmp_path / "file"
    _, (blob,) = build(path, [b"some bytes"])
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ConfigurationError, match="file "):
            BuiltFile(str(path))
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ConfigurationError, match=r"changed|cut|no file that"):  # noqa: PT012 - either says it
            built = BuiltFile(str(path))
            try:
                built.read(blob)
            finally:
                built.close()


def test_a_file_that_shrinks_while_it_is_served_is_refused(tmp_path: Path) -> None:
    """Choice: an answer that is cut short would be a wrong one."""
    path = tmp_path / "file"
    _, (blob,) = build(path, [b"some bytes"])
    built = BuiltFile(str(path))
    os.truncate(path, 18)
    with pytest.raises(ConfigurationError, match="was cut"):
        built.read(blob)
    built.close()
    built.close()


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    """Choice: the file appears whole or not at all."""
    with BuiltWriter(str(tmp_path / "file")) as writer:
        writer.add(b"a")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ConfigurationError, match="No such file"):
        BuiltFile(str(tmp_path / "file"))
