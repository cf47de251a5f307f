"""The digest of a package: what it covers, and what it does not depend on."""

from __future__ import annotations

import os
import socket
from hashlib import sha256
from typing import TYPE_CHECKING
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.catalog.pinning.digest import (
    FILE,
    LINK,
    OTHER,
    PROGRAM,
    Bounds,
    FileDigest,
    digest_of,
    package_digest,
    texts_of,
)
from prowess.errors import UnavailableError
from tests.unit.catalog.packages import trees

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package's folder."""
    folder = tmp_path / "pdf"
    trees.put(folder)
    (folder / "scripts").mkdir()
    (folder / "scripts" / "run.sh").write_text("#!/bin/sh\n")
    (folder / "scripts" / "run.sh").chmod(0o755)
    return folder


def digest(folder: Path) -> str:
    """The digest alone."""
    return package_digest(str(folder)).digest


@pytest.mark.behaviour("digest.covers")
def test_every_file_counts_with_path_kind_and_bytes(package: Path) -> None:
    """Spec: a hash tree over normalised paths, modes and file bytes."""
    (package / ".hidden").write_text("x")
    (package / "link").symlink_to("scripts/run.sh")
    os.mkfifo(package / "pipe")
    found = package_digest(str(package))
    assert [(file.path, file.kind) for file in found.files] == [
        (".hidden", FILE),
        ("SKILL.md", FILE),
        ("link", LINK),
        ("pipe", OTHER),
        ("scripts/run.sh", PROGRAM),
    ]
    assert found.files[0].sha256 == sha256(b"x").hexdigest()
    assert found.files[2].sha256 == sha256(b"scripts/run.sh").hexdigest()
    assert found.digest.startswith("sha256:")


@pytest.mark.behaviour("digest.changes")
@pytest.mark.parametrize("change", ["bytes", "mode", "name", "new", "gone", "link", "hidden"])
def test_any_change_is_another_digest(change: str, package: Path) -> None:
    """Spec: trust and lock are bound to it."""
    script = package / "scripts" / "run.sh"
    (package / "link").symlink_to("a")
    before = digest(package)
    match change:
        case "bytes":
            script.write_text("#!/bin/sh\nevil\n")
        case "mode":
            script.chmod(0o644)
        case "name":
            script.rename(package / "scripts" / "ran.sh")
        case "new":
            (package / "new").touch()
        case "gone":
            script.unlink()
        case "link":
            (package / "link").unlink()
            (package / "link").symlink_to("b")
        case _:
            (package / "scripts" / ".hidden").touch()
    assert digest(package) != before


@pytest.mark.behaviour("digest.same")
def test_a_copy_has_the_same_digest_whatever_its_times_and_empty_folders(package: Path, tmp_path: Path) -> None:
    """Choice: what a package consists of is the same on each machine."""
    before = digest(package)
    moved = package.rename(tmp_path / "other")
    (moved / "scripts" / "run.sh").touch()
    (moved / "scripts" / "run.sh").chmod(0o711)
    (moved / "empty").mkdir()
    assert digest(moved) == before
    (tmp_path / "linked").symlink_to(moved)
    assert digest(tmp_path / "linked") == before


@pytest.mark.behaviour("digest.every-byte")
@pytest.mark.parametrize(
    "planted",
    [
        "scripts/__pycache__/helper.cpython-311.pyc",
        "node_modules/left-pad/index.js",
        "scripts/lib/site-packages/helper.py",
        ".git/config",
        ".prowess/helper.py",
        "env/pyvenv.cfg",
        "references/inner/SKILL.md",
    ],
)
def test_no_name_of_a_folder_keeps_its_files_out(planted: str, package: Path) -> None:
    """Regression: a compiled helper in `__pycache__` ran, and the lock said that nothing had changed."""
    before = digest(package)
    (package / planted).parent.mkdir(parents=True)
    (package / planted).touch()
    assert digest(package) != before
    (package / planted).write_text("other")
    assert planted in [file.path for file in package_digest(str(package)).files]


@pytest.mark.behaviour("digest.every-byte")
@pytest.mark.parametrize("name", ["SKILL.md", "skill.md", "Skill.MD"])
@pytest.mark.parametrize("made", ["a file", "a folder", "a link"])
def test_a_folder_that_says_it_is_a_package_counts_too(name: str, made: str, package: Path) -> None:
    """Regression: an empty folder of that name kept out all that lay beside it."""
    (package / "scripts" / "helper.py").touch()
    skill = package / "scripts" / name
    if made == "a file":
        trees.put(skill.parent, "inner", file=name)
    elif made == "a folder":
        skill.mkdir()
    else:
        skill.symlink_to("nowhere")
    before = digest(package)
    (package / "scripts" / "helper.py").write_text("evil")
    assert digest(package) != before


def test_what_python_compiled_is_left_out_where_that_is_asked_for(package: Path) -> None:
    """Choice: an installed package is compiled anew on each machine, so that no lock file would hold."""
    before = digest(package)
    (package / "scripts" / "__pycache__").mkdir()
    (package / "scripts" / "__pycache__" / "x.pyc").touch()
    assert package_digest(str(package), compiled=False).digest == before != digest(package)


@pytest.mark.behaviour("digest.composed")
def test_a_name_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    """Spec: normalised paths (NFC)."""
    for folder, name in (("a", normalize("NFC", "é.md")), ("b", normalize("NFD", "é.md"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).touch()
    assert digest(tmp_path / "a") == digest(tmp_path / "b")
    (tmp_path / "a" / normalize("NFD", "é.md")).touch()
    with pytest.raises(UnavailableError, match="composed in two ways"):
        digest(tmp_path / "a")


@pytest.mark.behaviour("digest.refused")
def test_what_cannot_be_written_down_or_read_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choice: a digest that leaves something out protects from nothing."""
    (tmp_path / os.fsdecode(b"\xff")).touch()
    with pytest.raises(UnavailableError, match="no UTF-8"):
        digest(tmp_path)
    with pytest.raises(UnavailableError, match="No such file"):
        digest(tmp_path / "gone")
    deep = tmp_path / "deep"
    deep.joinpath(*["x"] * 70).mkdir(parents=True)
    with pytest.raises(UnavailableError, match="more than 64 folders"):
        digest(deep)
    many = tmp_path / "many"
    many.mkdir()
    for number in range(3):
        (many / f"{number}").touch()
    assert len(package_digest(str(many), Bounds(files=3)).files) == 3
    with pytest.raises(UnavailableError, match="one file too many"):
        package_digest(str(many), Bounds(files=2))
    (many / "1").write_text("12345")
    assert len(package_digest(str(many), Bounds(bytes=5)).files) == 3
    with pytest.raises(UnavailableError, match="may have 4 bytes"):
        package_digest(str(many), Bounds(bytes=4))


@pytest.mark.behaviour("digest.refused")
def test_a_file_that_may_not_be_read_is_refused_by_name() -> None:
    """Choice: as above."""
    with trees.open_folder() as folder:
        trees.put(folder / "pdf").chmod(0)
        with trees.without_rights(), pytest.raises(UnavailableError, match=r"SKILL\.md.*Permission denied"):
            digest(folder / "pdf")


@pytest.mark.behaviour("digest.races")
def test_a_package_that_changes_while_it_is_read_has_no_digest(tmp_path: Path) -> None:
    """Choice: a digest of half of this and half of that is nobody's."""
    path = tmp_path / "data"
    path.write_bytes(bytes(4_000_000))
    with trees.touched(path):
        assert "changes while it is read" in trees.until_raised(UnavailableError, lambda: digest(tmp_path))


def test_a_socket_counts_by_its_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choice: nothing is read from what is no file."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
    assert [file.kind for file in package_digest(".").files] == [OTHER]


def test_texts_are_those_of_text_files_as_they_were_pinned(package: Path) -> None:
    """Choice: a diff shows what was trusted, and no binary."""
    (package / "binary").write_bytes(b"\0\1")
    (package / "latin").write_bytes(b"\xe9")
    (package / "huge").write_text("x" * 200_001)
    (package / "link").symlink_to("/etc/passwd")
    (package / "gone").write_text("soon gone")
    (package / "changed").write_text("old")
    pinned = package_digest(str(package))
    (package / "gone").unlink()
    (package / "changed").write_text("new")
    assert sorted(texts_of(str(package), pinned)) == ["SKILL.md", "scripts/run.sh"]


files = st.dictionaries(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1),
    st.tuples(st.sampled_from([FILE, PROGRAM, LINK]), st.integers(0, 5)),
    max_size=6,
)


@given(files, files)
@settings(deadline=None)
def test_two_packages_have_one_digest_only_where_they_are_the_same(
    one: dict[str, tuple[str, int]], other: dict[str, tuple[str, int]]
) -> None:
    """Choice: no two lists of files are written alike."""
    digests = [
        digest_of(FileDigest(path, f"{number:064x}", kind) for path, (kind, number) in files.items())
        for files in (one, other, dict(reversed(one.items())))
    ]
    assert (digests[0].digest == digests[1].digest) == (one == other)
    assert digests[0] == digests[2]
