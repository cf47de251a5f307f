"""Work that several ask for and that is done once."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from prowess.app.catalogue.once import Once
from prowess.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Work:
    """Work that waits until it may end."""

    def __init__(self, outcome: object = "done") -> None:
        self.started = 0
        self.may_end = asyncio.Event()
        self.outcome = outcome

    async def __call__(self) -> object:
        """Do it."""
        self.started += 1
        await self.may_end.wait()
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


async def turns(count: int = 5) -> None:
    """Let every other task go on."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_whoever_comes_meanwhile_gets_the_same() -> None:
    """Spec: concurrently asked, once done."""
    once, work = Once[object](), Work()
    tasks = [asyncio.create_task(once.do("key", work)) for _ in range(3)]
    await turns()
    work.may_end.set()
    assert [await task for task in tasks] == ["done"] * 3
    assert work.started == 1
    await once.do("key", work)
    assert work.started == 2


async def test_other_work_is_done_beside_it() -> None:
    """Choice: a key is all that is shared."""
    once, work = Once[object](), Work()
    tasks = [asyncio.create_task(once.do(number, work)) for number in range(3)]
    await turns()
    assert work.started == 3
    work.may_end.set()
    await asyncio.gather(*tasks)


async def test_a_failure_is_everybodys() -> None:
    """Choice: those who waited would only wait again for the same failure."""
    once, work = Once[object](), Work(UnavailableError("broken"))
    tasks = [asyncio.create_task(once.do("key", work)) for _ in range(3)]
    await turns()
    work.may_end.set()
    assert [str(error) for error in await asyncio.gather(*tasks, return_exceptions=True)] == ["unavailable: broken"] * 3
    assert work.started == 1


async def test_who_waits_takes_over_from_who_is_cancelled() -> None:
    """Choice: one caller that goes away takes nothing from the others."""
    once, work = Once[object](), Work()
    first, second, third = (asyncio.create_task(once.do("key", work)) for _ in range(3))
    await turns()
    third.cancel()
    first.cancel()
    await turns()
    assert work.started == 2
    work.may_end.set()
    assert await second == "done"
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_a_mistake_of_ours_is_told_to_one() -> None:
    """Choice: what is no error of the family is not handed round; whoever waits tries for itself."""
    once, work = Once[object](), Work(RuntimeError("mistake"))
    tasks = [asyncio.create_task(once.do("key", work)) for _ in range(2)]
    await turns()
    work.may_end.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [RuntimeError] * 2
    assert work.started == 2


async def test_callers_on_other_loops_are_woken_there() -> None:
    """Choice: one registry serves many event loops."""
    once, work = Once[object](), Work()
    joined = threading.Barrier(2)
    outcomes: list[object] = []
    first = asyncio.create_task(once.do("key", work))
    await turns()

    async def other(do: Callable[[], Awaitable[object]]) -> None:
        task = asyncio.ensure_future(do())
        await asyncio.sleep(0)
        joined.wait(10)
        outcomes.append(await task)

    thread = threading.Thread(target=lambda: asyncio.run(other(lambda: once.do("key", work))))
    thread.start()
    await asyncio.to_thread(joined.wait, 10)
    work.may_end.set()
    assert await first == "done"
    await asyncio.to_thread(thread.join, 10)
    assert outcomes == ["done"]


async def test_a_loop_that_has_ended_is_passed_over() -> None:
    """Choice: who cannot be woken any more must not keep the others from it."""
    once, work = Once[object](), Work()
    first = asyncio.create_task(once.do("key", work))
    await turns()
    lost = once.do("key", work)

    async def join() -> None:
        lost.send(None)

    await asyncio.to_thread(asyncio.run, join())
    second = asyncio.create_task(once.do("key", work))
    await turns()
    work.may_end.set()
    assert [await first, await second] == ["done", "done"]
    lost.close()
