"""Projects and homes for whole commands."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import NOTES, WAITING

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give an empty home."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Give a copy of the example project."""
    ignored = shutil.ignore_patterns(".prowess", "__pycache__")
    return shutil.copytree(NOTES, tmp_path / "notes", ignore=ignored)


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """Give a file of ops that wait, beside the pipes through which they tell how far they are."""
    file = tmp_path / "waiting_alone.py"
    file.write_text(WAITING, encoding="utf-8")
    for pipe in ("started", "cancelled"):
        os.mkfifo(tmp_path / pipe)
    return file
