"""Real packages: what is listed of them is what is there."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

import pytest

from prowess.sandbox.files import FolderFiles
from tools.limits import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CORPUS = ROOT.parent / "shared" / "corpus" / "agent-skills.tar.gz"


def is_resource(path: Path, folder: Path) -> bool:
    """Whether a file of a package is one of its resources."""
    parts = path.relative_to(folder).parts
    return path.is_file() and parts != ("SKILL.md",) and not any(part.startswith(".") for part in parts)


def is_anothers(path: Path, folder: Path) -> bool:
    """Whether a file lies in a package inside this one."""
    above = path.relative_to(folder).parents
    return any((folder / one / "SKILL.md").exists() for one in above if str(one) != ".")


@pytest.mark.skipif(not CORPUS.exists(), reason="the real skills are not beside this checkout")
def test_every_file_of_every_real_package_is_listed_and_read(tmp_path: Path) -> None:
    """Spec: 696 real skills are there for tests to use."""
    with tarfile.open(CORPUS) as archive:
        archive.extractall(tmp_path, filter="data")
    folders = [path.parent for path in tmp_path.rglob("SKILL.md")]
    assert len(folders) == 696
    for folder in folders:
        files = FolderFiles(folder)
        expected = sorted(
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*")
            if is_resource(path, folder) and not is_anothers(path, folder)
        )
        assert list(files.keys()) == expected
        for key in expected:
            assert files.read(key) == (folder / key).read_bytes()
