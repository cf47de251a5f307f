"""Archives that are damaged, lie, or were made to cost a lot."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.packages.archives.decompressing import Decompressed, compression_of
from prowess.catalog.packages.archives.members import ArchiveError
from tests.unit.catalog.archives.making import codes, files_in, tar_of, unpacked, zip_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST = 1_000_000_000
PACKERS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.behaviour("archives.damaged")
@pytest.mark.parametrize("mode", ["zip", "w", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_that_is_cut_anywhere_is_refused(mode: str, tmp_path: Path) -> None:
    """Choice: half a package is none."""
    path = tmp_path / "bundle"
    whole = (zip_of(path) if mode == "zip" else tar_of(path, mode=mode)).read_bytes()
    last = whole.rstrip(b"\0") if mode == "w" else whole
    for end in range(0, len(last) - 1, max(1, len(last) // 40)):
        path.write_bytes(whole[:end])
        assert codes(path)[:1] in (["archive-damaged"], ["archive-kind"]), end


@pytest.mark.behaviour("archives.damaged")
@pytest.mark.parametrize("mode", ["zip", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_with_any_byte_changed_gives_what_it_gave_or_nothing(mode: str, tmp_path: Path) -> None:
    """Choice: checksums are there to be checked; no byte makes us fail in another way."""
    path = tmp_path / "bundle"
    files = {"kit/pdf/SKILL.md": b"x" * 300, "run.sh": b"y"}
    whole = (zip_of(path, files) if mode == "zip" else tar_of(path, files, mode)).read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            found = files_in(unpacked(path))
        except ArchiveError:
            continue
        assert set(found.values()) <= set(files.values())


@pytest.mark.behaviour("archives.damaged")
@pytest.mark.parametrize("data", [b"", b"hello", b"PK", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"PK\5\6" + bytes(10)])
def test_what_is_no_archive_is_told(data: bytes, tmp_path: Path) -> None:
    """Spec: each problem named."""
    path = tmp_path / "none.zip"
    path.write_bytes(data)
    assert codes(path)[:1] in (["archive-kind"], ["archive-damaged"])


@pytest.mark.behaviour("archives.lies")
@pytest.mark.parametrize("claimed", [0, 5, 1_000])
def test_a_zip_whose_member_is_larger_or_smaller_than_it_says_is_refused(claimed: int, tmp_path: Path) -> None:
    """Spec: limits hold for what really comes out."""
    path = zip_of(tmp_path / "lie.zip", {"a": b"x" * 100})
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 100), struct.pack("<I", claimed)))
    assert codes(path) == ["archive-damaged"]


@pytest.mark.behaviour("archives.lies")
@pytest.mark.parametrize(("offset", "size"), [(10, 2), (12, 4)])
def test_a_zip_that_claims_a_huge_directory_is_refused_before_it_is_read(
    offset: int, size: int, tmp_path: Path
) -> None:
    """Choice: reading it takes memory for each file that it claims."""
    path = zip_of(tmp_path / "lie.zip")
    data = bytearray(path.read_bytes())
    end = data.rindex(b"PK\5\6")
    data[end + offset : end + offset + size] = b"\xff" * size
    path.write_bytes(data)
    assert codes(path) == ["archive-files"]


@pytest.mark.behaviour("archives.lies")
@pytest.mark.parametrize("moved", [0, 100])
@pytest.mark.parametrize(("count", "size"), [(20_001, 10), (1, 23_000_000)])
def test_what_the_larger_form_of_a_zip_claims_counts_as_well(count: int, size: int, moved: int, tmp_path: Path) -> None:
    """Regression: the small form said one file, and the reader believed the large one that said half a million."""
    path = zip_of(tmp_path / "lie.zip")
    data = path.read_bytes()
    end = data.rindex(b"PK\5\6")
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    path.write_bytes(data[:end] + record + bytes(moved) + locator + data[end:])
    assert codes(path) == ["archive-files"]


def test_a_small_zip_in_the_larger_form_is_unpacked(tmp_path: Path) -> None:
    """Choice: some tools write no other."""
    path = zip_of(tmp_path / "large.zip")
    data = path.read_bytes()
    end = data.rindex(b"PK\5\6")
    count, size, start = struct.unpack("<HLL", data[end + 10 : end + 20])
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    path.write_bytes(data[:end] + record + locator + data[end:])
    assert len(files_in(unpacked(path))) == 3


def test_a_locator_that_leads_nowhere_is_passed_over(tmp_path: Path) -> None:
    """Choice: its reader passes over it, or calls the archive damaged."""
    path = zip_of(tmp_path / "lie.zip")
    data = path.read_bytes()
    end = data.rindex(b"PK\5\6")
    path.write_bytes(data[:end] + struct.pack("<4sLQL", b"PK\6\7", 0, (1 << 64) - 1, 1) + data[end:])
    assert codes(path) in ([], ["archive-damaged"])


@pytest.mark.behaviour("archives.odd-zip")
def test_a_zip_that_cannot_be_unpacked_without_more_is_told(tmp_path: Path) -> None:
    """Choice: a password is none of an archive's, and other methods take as much memory as the archive likes."""
    other = zip_of(tmp_path / "lzma.zip", {"a": b"x"}, zipfile.ZIP_LZMA)
    with pytest.raises(ArchiveError, match="a method other than deflate"):
        unpacked(other)
    secret = zip_of(tmp_path / "secret.zip", {"a": b"x"})
    data = bytearray(secret.read_bytes())
    data[data.rindex(b"PK\1\2") + 8] |= 1
    secret.write_bytes(data)
    with pytest.raises(ArchiveError, match="encrypted"):
        unpacked(secret)


def test_a_sparse_file_in_a_tar_is_refused(tmp_path: Path) -> None:
    """Choice: a few bytes that claim to be many."""
    path = tmp_path / "sparse.tar"
    with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as archive:
        info = tarfile.TarInfo("hole")
        info.type = tarfile.GNUTYPE_SPARSE
        archive.addfile(info)
    assert codes(path) == ["archive-kind"]


@pytest.mark.behaviour("archives.costly")
def test_a_header_that_claims_to_be_huge_is_not_read(tmp_path: Path) -> None:
    """Choice: the standard library's reader would take it into memory whole."""
    path = tmp_path / "header.tar"
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 1 << 31
    path.write_bytes(info.tobuf() + bytes(5_000_000))
    assert codes(path) == ["archive-damaged"]


@pytest.mark.behaviour("archives.costly")
def test_headers_upon_headers_end(tmp_path: Path) -> None:
    """Choice: each of them is read inside the one before."""
    path = tmp_path / "headers.tar"
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 512
    path.write_bytes((info.tobuf() + b"10 a=abcd\n" + bytes(502)) * 5_000)
    assert codes(path) == ["archive-damaged"]


@pytest.mark.behaviour("archives.costly")
@pytest.mark.parametrize("packed", PACKERS)
def test_what_is_only_skipped_counts_too(packed: str, tmp_path: Path) -> None:
    """Choice: what no member claims still costs what unpacking it costs."""
    path = tmp_path / "bomb"
    path.write_bytes(PACKERS[packed](tarfile.TarInfo("a").tobuf() + bytes(60_000_000)))
    assert codes(path, max_archive_ratio=3, max_archive_files=10) == ["archive-bytes"]


@pytest.mark.behaviour("archives.costly")
def test_a_dictionary_larger_than_our_memory_is_refused(tmp_path: Path) -> None:
    """Choice: how much memory it takes to unpack is for us to say."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    path = tmp_path / "greedy.tar.xz"
    path.write_bytes(lzma.compress(b"x" * 10, filters=filters))
    assert codes(path) == ["archive-damaged"]


@pytest.mark.parametrize("packed", PACKERS)
def test_streams_one_after_the_other_are_one_and_zeros_behind_them_nothing(packed: str) -> None:
    """Choice: parallel packers write such, and tapes end with zeros."""
    pack = PACKERS[packed]
    data = pack(b"one ") + pack(b"") + pack(b"two") + bytes(100)
    found = Decompressed(io.BytesIO(data), compression_of(data), MOST)
    assert found.read(100) == b"one two"
    assert found.read(100) == b""


@pytest.mark.parametrize("packed", PACKERS)
def test_what_is_decompressed_is_read_forwards_and_a_little_backwards(packed: str) -> None:
    """Choice: all that the tar reader asks for, without decompressing anything twice."""
    plain = bytes(range(256)) * 4_000
    data = PACKERS[packed](plain)
    found = Decompressed(io.BytesIO(data), compression_of(data), MOST)
    assert found.read(10) == plain[:10]
    assert found.seek(200_000) == found.tell() == 200_000
    assert found.read(10) == plain[200_000:200_010]
    assert found.seek(200_009) == 200_009
    assert found.read(2) == plain[200_009:200_011]
    with pytest.raises(ArchiveError):
        found.seek(0)
    assert found.seek(MOST) == len(plain)


def test_gzip_that_packs_very_well_is_read_to_its_end() -> None:
    """Regression: what the decompressor still holds when its input ends is not lost."""
    for size in (65_535, 65_536, 65_537, 1_000_000):
        data = zlib.compress(bytes(size), wbits=31)
        found = Decompressed(io.BytesIO(data), compression_of(data), MOST)
        assert found.read(1_048_576) == bytes(size)


def test_more_than_allowed_ends_the_reading() -> None:
    """Spec: limits hold for what really comes out."""
    data = gzip.compress(bytes(1_000_000))
    found = Decompressed(io.BytesIO(data), compression_of(data), 300_000)
    with pytest.raises(ArchiveError):
        found.seek(1_000_000)
    plain = Decompressed(io.BytesIO(b"abc"), compression_of(b"abc"), MOST)
    assert plain.read(9) == b"abc"
    with pytest.raises(ArchiveError):
        plain.read(-1)
