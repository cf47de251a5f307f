from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def read_page(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Work through a page in an empty folder, with an empty home and the test environment's commands."""
    home = folder / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROWESS_")}
    plain = {"COLUMNS": "80", "HOME": str(home), "NO_COLOR": "1", "TERM": "dumb"}
    commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", "tests.docs.run_page", str(page), str(ROOT), str(folder)],
        cwd=ROOT,
        env=kept | plain | {"PATH": commands},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    """Spec: every example of the documentation is executed."""
    done = read_page(page, tmp_path)
    assert done.returncode == 0, done.stderr
