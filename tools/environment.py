"""Make a virtual environment hold exactly one requirement file and this project.

    python tools/environment.py .venv requirements/serve.txt

Does nothing when the environment is up to date, which a stamp inside it tells. Changed
requirements rebuild the environment, so that no leftover hides a missing dependency; a changed
pyproject.toml installs the project anew. Only the standard library is used: this runs first.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
STAMP = "prowess-stamp.json"
APT = "apt-get"


def main(folder: str, requirements: str) -> None:
    """Bring one environment up to date; ends the process with a reason where it cannot."""
    environment = ROOT / folder
    stamp = environment / STAMP
    wanted = _fingerprint(ROOT / requirements)
    found = _read(stamp)
    if found == wanted:
        return
    stamp.unlink(missing_ok=True)
    python = _python_of(environment)
    if found.get("packages") != wanted["packages"] or not python.exists():
        _say(f"making {folder} from {requirements}; this is done once and takes about a minute")
        _create(environment)
        _pip(python, "--require-hashes", "--requirement", requirements)
    _say(f"installing the project into {folder}")
    _pip(python, "--no-deps", "--no-build-isolation", "--editable", ".")
    stamp.write_text(json.dumps(wanted), encoding="utf-8")


def _fingerprint(requirements: Path) -> dict[str, str]:
    """Tell two states of an environment apart: its packages (place and Python too), its project."""
    base = f"{ROOT}\0{sys.base_prefix}\0{sys.version}\0".encode()
    return {
        "packages": hashlib.sha256(base + requirements.read_bytes()).hexdigest(),
        "project": hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest(),
    }


def _read(stamp: Path) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _python_of(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _create(environment: Path) -> None:
    """Make an empty environment, with pip inside where this Python can put it there."""
    shutil.rmtree(environment, ignore_errors=True)
    options: list[str] = []
    if not _imports(sys.executable, "ensurepip"):
        if _imports(sys.executable, "pip"):
            options = ["--without-pip"]
        else:
            _install_ensurepip()
    _run([sys.executable, "-m", "venv", *options, str(environment)], "making the environment failed")


def _install_ensurepip() -> None:
    """Debian and its kin ship Python without the part that fills an environment."""
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    advice = f"this Python can neither make an environment nor run pip. Install {package} and try again."
    if not shutil.which(APT):
        _fail(advice)
    if os.geteuid() != 0:
        _fail(f"{advice}\n    sudo {APT} install {package}")
    _say(f"this Python lacks what an environment needs: installing the system package {package}")
    _run([APT, "update", "--quiet=2"], advice)
    _run([APT, "install", "--yes", "--quiet=2", "--no-install-recommends", package], advice)


def _imports(python: str, module: str) -> bool:
    """Ask a new process: it may be another Python, and one that looked in vain remembers it."""
    probe = [python, "-c", f"import {module}"]
    return subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode == 0


def _pip(python: Path, *arguments: str) -> None:
    """Run the environment's own pip, or this Python's on its behalf; pip's settings stay the user's."""
    if _imports(str(python), "pip"):
        pip = [str(python), "-m", "pip"]
    else:
        pip = [sys.executable, "-m", "pip", "--python", str(python)]
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check"]
    run_held([*pip, "install", *quiet, *arguments], "pip failed, for the reason above")


def run_held(command: list[str], failure: str) -> None:
    """Run a command whose warnings nobody needs while it succeeds; ends the process with them where it fails."""
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode != 0:
        _say(done.stderr.rstrip())
        _fail(failure)


def _run(command: list[str], failure: str) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
        _fail(failure)


def _say(text: str) -> None:
    print(f"prowess: {text}", file=sys.stderr, flush=True)


def _fail(text: str) -> NoReturn:
    _say(text)
    raise SystemExit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
