"""Many at once: threads of one process, and processes."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 50.0
_Found = TypeVar("_Found")


def in_threads(ask: Callable[[int], _Found], threads: int = 8) -> list[_Found]:
    """What each of so many threads gets that ask at once."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(ask, range(threads)))


def in_processes(code: str, *words: str, processes: int = 4) -> list[str]:
    """What each of so many processes prints that run this code at once, told the words and its own number."""
    started = [
        subprocess.Popen(  # noqa: S603 - our own code
            [sys.executable, "-c", code, *words, str(number)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for number in range(processes)
    ]
    for one in started:
        assert one.stdout is not None
        one.stdout.readline()  # ready
    for one in started:
        assert one.stdin is not None
        one.stdin.write(b"go\n")
        one.stdin.flush()
    printed = [one.communicate(timeout=PATIENCE)[0].decode() for one in started]
    assert [one.returncode for one in started] == [0] * processes
    return printed
