"""A server of entries that fail, tell and stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import KEY, Server, serving

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from pathlib import Path

TELLING = '''
import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

from prowess import Context, op, skill


@op
async def crash(secret: str = "hunter2") -> str:
    """Fail with words that nobody meant to be read."""
    raise RuntimeError("\\x1b[31m" + secret)


@skill(calls=[crash])
async def outer(*, ctx: Context) -> object:
    """Tell a line, and fail in what it calls."""
    ctx.log("on the way\\nto crash", number=1)
    return await ctx.call("crash")


@op(timeout=0.05)
def linger() -> None:
    """Outlast a deadline in a thread."""
    threading.Event().wait(5)


@op
async def interrupt() -> str:
    """Raise what is no Exception."""
    raise KeyboardInterrupt


@op
async def count(to: int, *, ctx: Context) -> AsyncIterator[int]:
    """Count, and say how far it is."""
    for number in range(to):
        ctx.progress(number + 1, to, "counting")
        yield number


@op
def count_in_a_thread(to: int) -> Iterator[str]:
    """Count."""
    yield from (str(number) for number in range(to))


@op
async def flood() -> str:
    """Give more than a connection holds."""
    return "x" * 20_000_000


@op
async def forever() -> AsyncIterator[str]:
    """Give a piece, and wait until cancelled."""
    yield "first"
    await asyncio.Event().wait()
'''


@pytest.fixture
def serve(tmp_path: Path, home: Path) -> Callable[..., AbstractContextManager[Server]]:
    """Give a way to serve entries that tell, with settings as variables."""
    file = tmp_path / "telling.py"
    file.write_text(TELLING, encoding="utf-8")

    def start(**variables: str) -> AbstractContextManager[Server]:
        settings = {f"PROWESS_SERVER_{name.upper()}": value for name, value in variables.items()}
        return serving(str(file), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY, **settings})

    return start


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """One server for the tests that only ask."""
    home = tmp_path_factory.mktemp("home")
    file = tmp_path_factory.mktemp("skills") / "telling.py"
    file.write_text(TELLING, encoding="utf-8")
    with serving(str(file), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        yield running
