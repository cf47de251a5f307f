"""A repository with packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository that has packages and nothing else of ours."""
    folder = tmp_path / "repo"
    put(folder / ".claude" / "skills" / "pdf", description="Fill forms. Use when asked.", body="# Steps\n")
    (folder / ".claude" / "skills" / "pdf" / "run.sh").write_text("echo one\n")
    (folder / ".git").mkdir()
    return folder
