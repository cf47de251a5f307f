"""Archives as tests want them: good ones, and those that nobody should unpack."""

from __future__ import annotations

import io
import os
import signal
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from prowess.catalog.packages.archives.members import ArchiveError, ArchiveLimits
from prowess.catalog.packages.archives.unpacking import unpack
from tests.unit.catalog.packages.trees import skill

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILES = {
    "kit/pdf/SKILL.md": skill("pdf").encode(),
    "kit/pdf/scripts/run.sh": b"#!/bin/sh\n",
    "kit/csv/SKILL.md": skill("csv").encode(),
}


def zip_of(path: Path, files: Mapping[str, bytes] = FILES, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip with these files; one whose name ends with `.sh` may be executed."""
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.mkdir("kit")
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.create_system = 3
            info.external_attr = (0o100_755 if name.endswith(".sh") else 0o100_644) << 16
            info.compress_type = method
            archive.writestr(info, data)
    return path


def tar_of(path: Path, files: Mapping[str, bytes] = FILES, mode: str = "w:gz", *, here: bool = False) -> Path:
    """A tar with these files, packed as `mode` says; `here` for one that begins with the folder itself."""
    with tarfile.open(str(path), mode) as archive:  # type: ignore[call-overload]
        folder = tarfile.TarInfo("./" if here else "kit")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            info.mode = 0o755 if name.endswith(".sh") else 0o644
            archive.addfile(info, io.BytesIO(data))
    return path


def tar_member(path: Path, change: Callable[[tarfile.TarInfo], None]) -> Path:
    """A tar with a good file, and an empty member that was changed."""
    with tarfile.open(path, "w") as archive:
        archive.addfile(tarfile.TarInfo("good"))
        info = tarfile.TarInfo("bad")
        change(info)
        archive.addfile(info)
    return path


def unpacked(path: Path, **limits: int) -> Path:
    """Where an archive is unpacked to, in a cache beside it."""
    cache = path.parent / "cache"
    return Path(unpack(str(path), str(cache), ArchiveLimits(**limits), 0))


def codes(path: Path, **limits: int) -> list[str]:
    """Why an archive is refused; nothing of it may be left."""
    try:
        unpacked(path, **limits)
    except ArchiveError as error:
        cache = path.parent / "cache"
        assert not cache.exists() or list(cache.iterdir()) == []
        return [fault.code for fault in error.faults]
    return []


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Whether a process that does this work was killed at its step with that number, counting what touches files."""
    child = os.fork()
    if child == 0:
        left = [step]

        def hook(event: str, _arguments: object) -> None:
            if event in {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}:
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(hook)
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
