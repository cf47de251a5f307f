"""Run the static checks side by side, and show what each said in a fixed order.

`python tools/checks.py` runs all of them, `python tools/checks.py mypy imports` those two.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable

CHECKS: dict[str, tuple[str, ...]] = {
    "format": (PYTHON, "-m", "ruff", "format", "--check", "--quiet", "--diff"),
    "lint": (PYTHON, "-m", "ruff", "check", "--quiet"),
    "mypy": (PYTHON, "-m", "mypy", "--strict"),
    "basedpyright": (PYTHON, "-m", "basedpyright"),
    # Its cache remembers an import of a module that was not there yet as one of the whole package.
    "imports": (str(Path(PYTHON).parent / "lint-imports"), "--no-cache"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one check ended."""

    name: str
    passed: bool
    output: str
    seconds: float


def check(name: str) -> Outcome:
    """Run one of the checks to its end."""
    started = time.monotonic()
    done = subprocess.run(
        CHECKS[name], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return Outcome(name=name, passed=done.returncode == 0, output=done.stdout, seconds=time.monotonic() - started)


def main(names: list[str]) -> int:
    """Run these checks, or all; 1 where one of them failed."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        outcomes = list(pool.map(check, names or CHECKS))
    for outcome in outcomes:
        print(f"{'ok    ' if outcome.passed else 'FAILED'} {outcome.name} ({outcome.seconds:.1f} s)")
        if not outcome.passed:
            print(outcome.output)
    return int(not all(outcome.passed for outcome in outcomes))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
