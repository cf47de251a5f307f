"""Unpacking archives: what comes out of good ones, and that nothing comes out of others."""

from __future__ import annotations

import os
import stat
import tarfile
import threading
import zipfile
from shutil import rmtree
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.catalog.packages.archives.members import ArchiveError, ArchiveLimits
from prowess.catalog.packages.archives.places import unpacked as as_sources
from prowess.catalog.packages.archives.unpacking import unpack
from prowess.catalog.packages.sources import Sources
from tests.unit.catalog.archives.making import (
    FILES,
    codes,
    files_in,
    killed_at,
    tar_member,
    tar_of,
    unpacked,
    zip_of,
)
from tests.unit.catalog.packages import trees

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TARS = ["w", "w:gz", "w:bz2", "w:xz"]


@pytest.mark.behaviour("archives.unpacked")
@pytest.mark.parametrize("mode", ["zip", "stored", *TARS])
def test_an_archive_is_unpacked_into_a_folder_named_by_its_bytes_whatever_its_name(mode: str, tmp_path: Path) -> None:
    """Spec: zip, tar, tar.gz, tar.bz2, tar.xz."""
    path = tmp_path / "bundle"
    if mode in TARS:
        tar_of(path, mode=mode)
    else:
        zip_of(path, method=zipfile.ZIP_DEFLATED if mode == "zip" else zipfile.ZIP_STORED)
    folder = unpacked(path)
    assert files_in(folder) == FILES
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.rglob("*") if file.is_file()}
    assert modes == {"SKILL.md": 0o600, "run.sh": 0o700}
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    before = folder.stat().st_mtime_ns
    assert unpacked(path) == folder
    assert folder.stat().st_mtime_ns == before


@pytest.mark.behaviour("archives.here")
def test_what_was_packed_as_the_folder_itself_is_unpacked(tmp_path: Path) -> None:
    """Regression: `tar czf skills.tgz .`, the commonest way to make one, was refused."""
    path = tar_of(tmp_path / "skills.tgz", {f"./{name}": data for name, data in FILES.items()}, here=True)
    assert files_in(unpacked(path)) == FILES
    assert files_in(unpacked(zip_of(tmp_path / "a.zip", {f"./{name}": data for name, data in FILES.items()}))) == FILES
    (tmp_path / "apart").mkdir()
    assert codes(tar_of(tmp_path / "apart" / "two.tgz", {"./a": b"", "a": b""})) == ["archive-double"]


@pytest.mark.behaviour("archives.leaving")
@pytest.mark.parametrize(
    "name",
    [
        *("../evil", "a/../../evil", "/evil", "C:evil", "C:/evil", "a\\evil", "..", ".", "a//b", "a/./b", "", "/"),
        *("././a", ".//a", "./../a", "./."),
        *("new\nline", "zero\0byte", "x" * 256, "y/" * 600 + "z", "tab\t"),
    ],
)
def test_no_path_leaves_and_no_odd_one_is_taken(name: str, tmp_path: Path) -> None:
    """Spec: safe extraction: no path leaves."""
    if "\0" not in name:  # a tar ends a name there
        assert codes(tar_member(tmp_path / "evil.tar", lambda info: setattr(info, "name", name))) == ["archive-path"]
    if name:
        files = {name.replace("\0", "X"): b"evil", "good": b""}
        archive = zip_of(tmp_path / "evil.zip", files)
        archive.write_bytes(archive.read_bytes().replace(b"zeroXbyte", b"zero\0byte"))
        assert codes(archive) == ["archive-path"]
    assert not (tmp_path / "evil").exists()
    assert not (tmp_path.parent / "evil").exists()


@pytest.mark.behaviour("archives.links")
@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (tarfile.SYMTYPE, "a link"),
        (tarfile.LNKTYPE, "a link"),
        (tarfile.FIFOTYPE, "a pipe"),
        (tarfile.CHRTYPE, "a device"),
        (tarfile.BLKTYPE, "a device"),
        (b"Z", "a device"),
    ],
)
def test_no_link_pipe_or_device_of_a_tar_is_taken(kind: bytes, word: str, tmp_path: Path) -> None:
    """Spec: no links, no devices."""

    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname = kind, "/etc/passwd"

    path = tar_member(tmp_path / "evil.tar", change)
    assert codes(path) == ["archive-kind"]
    with pytest.raises(ArchiveError, match=word):
        unpacked(path)


@pytest.mark.behaviour("archives.links")
@pytest.mark.parametrize(
    ("mode", "word"),
    [
        (stat.S_IFLNK, "a link"),
        (stat.S_IFIFO, "a pipe"),
        (stat.S_IFCHR, "a device"),
        (stat.S_IFBLK, "a device"),
        (stat.S_IFSOCK, "a socket"),
    ],
)
def test_no_link_pipe_or_device_of_a_zip_is_taken(mode: int, word: str, tmp_path: Path) -> None:
    """Spec: no links, no devices."""
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("bad")
        info.create_system, info.external_attr = 3, (mode | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert codes(path) == ["archive-kind"]
    with pytest.raises(ArchiveError, match=word):
        unpacked(path)


@pytest.mark.behaviour("archives.double")
@pytest.mark.parametrize(
    ("one", "other", "word"),
    [
        ("a", "a", "is there twice"),
        ("a", "A", "where case does not count"),
        ("a/b", "A/c", "where case does not count"),
        (normalize("NFC", "é"), normalize("NFD", "é"), "where case does not count"),
        ("a", "a/b", "is a file and a folder"),
        ("a/b", "a", "is a file and a folder"),
        ("a/b", "A", "is a file and a folder"),
        ("ß", "SS", "where case does not count"),
    ],
)
def test_two_members_that_are_one_somewhere_are_refused(one: str, other: str, word: str, tmp_path: Path) -> None:
    """Spec: duplicates and case collisions are refused."""
    path = tmp_path / "double.tar"
    with tarfile.open(path, "w") as archive:
        for name in (one, other):
            archive.addfile(tarfile.TarInfo(name))
    assert codes(path) == ["archive-double"]
    with pytest.raises(ArchiveError, match=word):
        unpacked(path)


def test_a_folder_may_be_named_as_often_as_anybody_likes(tmp_path: Path) -> None:
    """Choice: many packers do."""
    path = tmp_path / "folders.tar"
    with tarfile.open(path, "w") as archive:
        for name in ("kit", "kit/", "kit"):
            info = tarfile.TarInfo(name)
            info.type = tarfile.DIRTYPE
            archive.addfile(info)
        archive.addfile(tarfile.TarInfo("kit/file"))
    assert list(files_in(unpacked(path))) == ["kit/file"]


@pytest.mark.behaviour("archives.limits")
@pytest.mark.parametrize("make", [zip_of, tar_of])
@pytest.mark.parametrize(
    ("files", "limits", "code"),
    [
        ({f"{number}": b"" for number in range(9)}, {"max_archive_files": 5}, "archive-files"),
        ({"a": os.urandom(3_000), "b": os.urandom(3_000)}, {"max_archive_bytes": 7_000}, None),
        ({"a": bytes(6_000), "b": bytes(6_000)}, {"max_archive_bytes": 10_000}, "archive-bytes"),
        ({"bomb": bytes(30_000_000)}, {"max_archive_ratio": 100}, "archive-ratio"),
        ({"small": bytes(900_000)}, {"max_archive_ratio": 2}, None),
    ],
)
def test_how_much_comes_out_is_limited_and_the_limit_named(
    make: Callable[..., Path], files: dict[str, bytes], limits: dict[str, int], code: str | None, tmp_path: Path
) -> None:
    """Spec: limits on members, bytes and ratio."""
    path = make(tmp_path / "archive", files)
    assert codes(path, **limits) == ([] if code is None else [code])
    if code is not None:
        with pytest.raises(ArchiveError, match="raise 'skills"):
            unpacked(path, **limits)


@pytest.mark.behaviour("archives.limits")
def test_an_archive_that_is_itself_too_large_is_not_read(tmp_path: Path) -> None:
    """Choice: what is unpacked is never smaller than a tenth of what it is packed into."""
    path = tmp_path / "large"
    path.write_bytes(bytes(2_000))
    assert codes(path, max_archive_bytes=1_000) == ["archive-bytes"]


@pytest.mark.behaviour("archives.every-fault")
def test_every_fault_is_told_up_to_a_number(tmp_path: Path) -> None:
    """Spec: each problem named."""
    path = zip_of(tmp_path / "evil.zip", {"../one": b"", "/two": b"", "a": b"", "A": b""})
    assert codes(path) == ["archive-path", "archive-path", "archive-double"]
    many = zip_of(tmp_path / "many.zip", {f"../{number}": b"" for number in range(100)})
    assert len(codes(many)) == 20


@pytest.mark.behaviour("archives.once")
def test_several_processes_unpack_one_archive_side_by_side(tmp_path: Path) -> None:
    """Spec: atomic."""
    path = tar_of(tmp_path / "bundle.tgz", {f"kit/{number}": os.urandom(2_000) for number in range(50)})
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(unpacked(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(files_in(found[0])) == 50
    assert [one.name for one in found[0].parent.iterdir()] == [found[0].name]


@pytest.mark.behaviour("archives.killed")
def test_an_unpacking_that_is_killed_at_any_step_leaves_nothing_that_counts(tmp_path: Path) -> None:
    """Spec: kill between write steps."""
    path = zip_of(tmp_path / "bundle.zip")
    cache = tmp_path / "cache"
    step = 0
    while killed_at(step, lambda: unpack(str(path), str(cache), ArchiveLimits(), 0)):
        assert all(".unfinished-" in one.name for one in cache.glob("*")) or files_in(unpacked(path)) == FILES
        step += 1
    assert step > 5
    assert files_in(unpacked(path)) == FILES
    other = zip_of(tmp_path / "other.zip", {"a": b""})
    unpack(str(other), str(cache), ArchiveLimits(), 1 << 62)
    assert [one.name for one in cache.iterdir() if ".unfinished-" in one.name] == []


@pytest.mark.behaviour("archives.races")
def test_an_archive_that_changes_while_it_is_unpacked_is_refused(tmp_path: Path) -> None:
    """Choice: the folder would have the name of other bytes."""
    path = zip_of(tmp_path / "bundle.zip", {f"kit/{number}": b"x" for number in range(200)})

    def again() -> None:
        rmtree(unpacked(path))

    with trees.touched(path):
        assert "changes while it is read" in trees.until_raised(ArchiveError, again)
    assert len(files_in(unpacked(path))) == 200


@pytest.mark.behaviour("archives.cache")
def test_a_cache_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    """Choice: what lies there is taken for what was unpacked."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(PermissionError, match="chmod 700"):
        unpacked(zip_of(tmp_path / "bundle.zip"))


def test_something_else_where_the_folder_should_be_is_an_error(tmp_path: Path) -> None:
    """Choice: it is not ours to remove."""
    path = zip_of(tmp_path / "bundle.zip")
    folder = unpacked(path)
    rmtree(folder)
    folder.write_text("in the way")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        unpacked(path)


@pytest.mark.behaviour("archives.source")
def test_a_named_archive_is_a_source_and_one_that_cannot_be_unpacked_is_told(tmp_path: Path) -> None:
    """Spec: archives named in `paths`."""
    good, evil = zip_of(tmp_path / "good.skill"), zip_of(tmp_path / "evil.zip", {"../a": b"", "/b": b""})
    folder = tmp_path / "folder"
    trees.put(folder / "plain")
    paths = (good, evil, folder, tmp_path / "gone")
    named = tuple(trees.source(path, named_by="skills.paths") for path in paths)
    standard = trees.source(good)
    found = as_sources(Sources((*named, standard)), str(tmp_path / "cache"), ArchiveLimits(), 0)
    assert [one.shown for one in found.sources] == ["good.skill", "folder", "gone", "good.skill"]
    assert found.files == (str(good), str(evil))
    assert [(one.code, one.path) for one in found.diagnostics] == [("archive-path", "evil.zip")] * 2
    seen = trees.look(*found.sources[:2])
    assert [one.shown for one in seen.found] == ["good.skill/kit/csv", "good.skill/kit/pdf", "folder/plain"]


@pytest.mark.behaviour("archives.source")
def test_an_archive_that_cannot_be_read_or_kept_is_told(tmp_path: Path) -> None:
    """Choice: a problem of one source keeps no other from being looked at."""
    (tmp_path / "cache").write_text("in the way")
    good = trees.source(zip_of(tmp_path / "good.zip"), named_by="x")
    found = as_sources(Sources((good,)), str(tmp_path / "cache"), ArchiveLimits(), 0)
    assert [(one.code, one.path) for one in found.diagnostics] == [("unreadable", "good.zip")]
    assert "cache" in found.diagnostics[0].message
    os.mkfifo(tmp_path / "pipe")
    pipe = trees.source(tmp_path / "pipe", named_by="x")
    assert [
        (one.code, one.message) for one in as_sources(Sources((pipe,)), str(tmp_path), ArchiveLimits(), 0).diagnostics
    ] == [("archive-kind", "is neither a folder nor a file")]
    gone = trees.source(tmp_path / "broken", named_by="x")
    (tmp_path / "broken").symlink_to("nothing")
    (one,) = as_sources(Sources((gone,)), str(tmp_path), ArchiveLimits(), 0).diagnostics
    assert one.message == "cannot be unpacked: No such file or directory"


parts = st.lists(st.sampled_from(["a", "b", "B", "c.md", "..", "", "x y", "é"]), min_size=1, max_size=3)
names = parts.map("/".join).filter(lambda name: not name.endswith("/"))


@given(st.dictionaries(names, st.binary(max_size=50), max_size=6), st.sampled_from([zip_of, tar_of]))
@settings(max_examples=60, deadline=None)
def test_an_archive_comes_out_as_it_went_in_or_not_at_all(files: dict[str, bytes], make: Callable[..., Path]) -> None:
    """Choice: there is no third way."""
    with trees.open_folder() as folder:
        folder.chmod(0o700)
        path = make(folder / "archive", files)
        if not codes(path):
            assert files_in(unpacked(path)) == files
