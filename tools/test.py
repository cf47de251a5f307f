"""Run the tests under branch coverage, then hold each part of the code to its floor.

    python tools/test.py [pytest arguments]

The floor of the whole is `fail_under` in pyproject.toml; those of single folders and files are the
table `tool.prowess.coverage-floors` there. A run of a part of the tests is held to none.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ON_EVERY_CORE = ("--numprocesses=auto", "--quiet")


def main(arguments: list[str]) -> int:
    """Run pytest, then the floors; 1 where either does not hold."""
    _coverage("erase")
    whole = not arguments
    if _coverage("run", "-m", "pytest", *(ON_EVERY_CORE if whole else arguments)) != 0:
        return 1
    _coverage("combine", "--quiet")
    verdicts = [_coverage("report", *([] if whole else ["--fail-under=0"]))]
    if whole:
        verdicts += [_hold(part, floor) for part, floor in _floors().items()]
    return int(any(verdicts))


def _floors() -> dict[str, int]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        floors: dict[str, int] = tomllib.load(file)["tool"]["prowess"]["coverage-floors"]
    return floors


def _hold(part: str, floor: int) -> int:
    path = ROOT / "src" / "prowess" / part
    pattern = f"{path}/*" if path.is_dir() else str(path)
    print(f"{part}, at least {floor} %: ", end="", flush=True)
    return _coverage("report", f"--include={pattern}", f"--fail-under={floor}", "--format=total")


def _coverage(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "coverage", *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
