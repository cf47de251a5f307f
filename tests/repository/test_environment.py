from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from tools.environment import run_held
from tools.limits import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """Give a folder of commands in which a version manager pretends to have Python 3.11."""
    (tmp_path / "sh").symlink_to("/bin/sh")
    _write(tmp_path / "python3.11", "echo 'not installed' >&2; exit 127")
    return tmp_path


def test_a_python_that_only_pretends_is_passed_over(commands: Path) -> None:
    """Regression: a version manager's stub for an absent Python stopped the set-up."""
    _write(commands / "python3.12", f"exec '{sys.executable}' \"$@\"")
    assert _find(commands).stdout.strip() == str(commands / "python3.12")


def test_a_python_that_is_too_old_is_passed_over(commands: Path) -> None:
    """Spec: Python 3.11 to 3.13."""
    _write(commands / "python3", "exit 1")
    _write(commands / "python", f"exec '{sys.executable}' \"$@\"")
    assert _find(commands).stdout.strip() == str(commands / "python")


def test_without_a_fitting_python_the_message_says_what_to_do(commands: Path) -> None:
    """Choice: the first thing a newcomer meets must not be a traceback."""
    found = _find(commands)
    assert found.returncode == 1
    assert "needs Python 3.11, 3.12 or 3.13" in found.stderr
    assert "make PYTHON=" in found.stderr


def test_the_python_asked_for_is_the_only_one_tried(commands: Path) -> None:
    """Choice: another version than the one asked for would be a surprise."""
    _write(commands / "python3.12", f"exec '{sys.executable}' \"$@\"")
    assert _find(commands, "python3.11").returncode == 1


def test_what_pip_warns_of_is_shown_only_where_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    """Regression: a newcomer's first minute was full of warnings about the places where pip looks."""
    warn = "import sys; print('WARNING: no such place', file=sys.stderr); sys.exit({})"
    run_held([sys.executable, "-c", warn.format(0)], "it failed")
    assert capfd.readouterr() == ("", "")
    with pytest.raises(SystemExit):
        run_held([sys.executable, "-c", warn.format(3)], "it failed")
    assert capfd.readouterr().err == "prowess: WARNING: no such place\nprowess: it failed\n"


def _find(commands: Path, *asked: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", str(ROOT / "tools" / "find_python.sh"), *asked],
        env={**os.environ, "PATH": str(commands)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_the_readme_says_to_save_here_is_no_part_of_what_is_checked() -> None:
    """Regression: after the README's first step `make test` failed, over the style of the file it asks for."""
    saved = re.findall(r"Save it as `(\S+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert saved
    assert set(saved) <= set(settings["extend-exclude"])
    assert {f"/{name}" for name in saved} <= set(ignored)


def _write(command: Path, script: str) -> None:
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(0o755)
