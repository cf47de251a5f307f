"""Reading while another process swaps folders, files and links."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from prowess.errors import ProwessError
from prowess.sandbox.files import FolderFiles, Opener, open_at_once, open_step_by_step, opener_for

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

OPENERS = [open_step_by_step, *([open_at_once] if opener_for("linux") is open_at_once else [])]
READS = 3_000
MOST = 200_000
SWAPPER = """
import os, sys
package, what = sys.argv[1:]
os.chdir(package)
print("ready", flush=True)
while os.getppid() != 1:
    os.rename(what, "real")
    os.rename("link", what)
    os.rename(what, "link")
    os.rename("real", what)
"""


@contextmanager
def swapping(package: Path, what: str) -> Generator[None]:
    """Another process that puts a link in the place of a file or folder, and takes it out again, without end."""
    process = subprocess.Popen([sys.executable, "-c", SWAPPER, str(package), what], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.wait(30)
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package beside a folder with a file of the same name."""
    for folder, text in (("package/inner/deep", "inside"), ("outside/deep", "secret")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").write_text(text)
    return tmp_path / "package"


@pytest.mark.behaviour("files.races")
@pytest.mark.parametrize("opener", OPENERS, ids=lambda opener: opener.__name__)
@pytest.mark.parametrize(
    ("what", "target"),
    [("inner", "../outside"), ("inner/deep", "../outside/deep"), ("inner/deep/file", "../outside/deep/file")],
)
def test_a_swapped_link_is_never_followed(what: str, target: str, package: Path, opener: Opener) -> None:
    """Spec: no link gets out, also under races."""
    (package / "link").symlink_to(package / target)
    files = FolderFiles(package, opener=opener)
    seen: set[bytes | str] = set()
    with swapping(package, what):
        for number in range(MOST):
            try:
                seen.add(files.read("inner/deep/file"))
            except ProwessError as error:
                seen.add(error.code)
            if number >= READS and len(seen) > 1:
                break
    assert b"inside" in seen
    assert seen <= {b"inside", "forbidden", "not_found"}
    assert len(seen) > 1, "the other process swapped nothing while we read"


def test_a_swapped_folder_is_never_listed_through_its_link(package: Path) -> None:
    """Spec: listing likewise."""
    (package.parent / "outside" / "deep" / "stolen").touch()
    (package / "link").symlink_to(package / "../outside")
    files = FolderFiles(package)
    seen: set[tuple[str, ...]] = set()
    with swapping(package, "inner"):
        for number in range(MOST):
            seen.add(files.keys())
            if number >= READS and len(seen) > 1:
                break
    assert ("inner/deep/file",) in seen
    assert not any("stolen" in key for keys in seen for key in keys)
