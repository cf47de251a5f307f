"""Folders with packages, as tests want them."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from msgspec.structs import replace

from prowess.catalog.packages.found import NOTHING, Scan
from prowess.catalog.packages.scan import LastGood, scan
from prowess.catalog.packages.sources import Level, Source, Sources
from prowess.catalog.packages.walk import Limits
from prowess.catalog.walked import TICK_NS, Folder, facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from prowess.model.manifest import Manifest

OLD = 1_700_000_000
_NOBODY = 65_534


def skill(name: str, description: str = "Do it. Use when asked.", body: str = "# Body\n") -> str:
    """The text of a SKILL.md."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


def put(folder: Path, name: str | None = None, *, file: str = "SKILL.md", **more: str) -> Path:
    """Write a package, named as its folder where nothing else is said; gives its SKILL.md."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    path.write_text(skill(name or folder.name, **more), encoding="utf-8")
    age(path)
    return path


def age(path: Path) -> None:
    """Let a file's time be long past: only its inode's own tells when it really changed."""
    os.utime(path, (OLD, OLD))


def source(path: Path, level: Level = Level.PROJECT, **more: str | None) -> Source:
    """A source that is shown as its folder's name."""
    return Source(path=str(path), level=level, shown=path.name, **more)


def look(
    *sources: Source, limits: Limits | None = None, previous: Scan = NOTHING, later: bool = True, keep_last: bool = True
) -> Scan:
    """Scan sources; `later` as if everything in them had been there for long."""
    began = time.time_ns() + (10**9 if later else 0)
    return scan(Sources(sources), limits or Limits(), previous, began, LastGood() if keep_last else None)


def names(found: Scan) -> list[str]:
    """The names that were found, in their order."""
    return [one.manifest.name for one in found.found]


def told(found: Scan) -> list[tuple[str, str]]:
    """Code and path of each diagnostic."""
    return [(one.code, one.path) for one in found.diagnostics]


@contextmanager
def open_folder() -> Generator[Path]:
    """A folder that every user can reach, which a test's own is not."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        folder = Path(made)
        folder.chmod(0o755)
        yield folder
        rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)


@contextmanager
def without_rights() -> Generator[None]:
    """The block as a user whom the rights of files bind: root, as whom tests may run, is told by none."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(_NOBODY)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def replace_folders(found: Scan) -> Scan:
    """The same scan as if its folders had not changed since: for a file that goes between looking and reading."""
    now = tuple(Folder(one.kind, one.path, facts_of(one.path), one.names) for one in found.folders)
    return replace(found, folders=now)


def renamed(manifest: Manifest, name: str) -> Manifest:
    """The same manifest under another name."""
    return replace(manifest, name=name)


def settle() -> None:
    """Wait until what was written before is old enough to be sure of; the clock tells, and nothing else can."""
    end = time.time_ns() + 2 * TICK_NS
    while time.time_ns() < end:
        pass


@contextmanager
def touched(path: Path) -> Generator[None]:
    """The block while another process gives a file another time, again and again."""
    child = os.fork()
    if child == 0:
        number = OLD
        while True:
            number += 1
            os.utime(path, (number, number))
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def until_raised(error: type[Exception], work: Callable[[], object], seconds: float = 30) -> str:
    """The message of the error that some work raises sooner or later."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            work()
        except error as raised:
            return str(raised)
    return ""
