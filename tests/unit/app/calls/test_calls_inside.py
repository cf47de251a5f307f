"""Calls that handlers make by themselves, without their context."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial

import pytest

from prowess import BaseSkill, Context, ExecutionFailedError, Result, Runtime, op
from tests.unit.app.calls.calling import echo, registry_of

Run = Callable[[], Coroutine[object, object, Result]]


async def _in_a_group(run: Run) -> Result:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(run())
    return task.result()


async def _gathered(run: Run) -> Result:
    (result,) = await asyncio.gather(run())
    return result


async def _with_a_limit(run: Run) -> Result:
    return await asyncio.wait_for(run(), 60)


@pytest.mark.behaviour("running.inside")
@pytest.mark.parametrize("way", [_in_a_group, _gathered, _with_a_limit])
@pytest.mark.parametrize("inner", [False, True])
async def test_a_call_from_a_task_of_a_handler_waits_for_no_turn(
    way: Callable[[Run], Awaitable[Result]], *, inner: bool
) -> None:
    """Regression: with all places taken by such handlers, none of their calls ever came to its turn."""
    registry = registry_of(echo)

    @op
    async def outer() -> object:
        """Run another entry from a task."""
        return (await way(partial(runtime.run, "echo", {"text": "a"}))).unwrap()

    class Other(BaseSkill):
        """One that is no plain function, and runs the first in a runtime of its own."""

        async def execute(self, **_: object) -> object:
            async with Runtime(registry) as other:
                return (await way(partial(other.run, "outer"))).unwrap()

    registry.register(outer, Other(name="other", description="Run the first.", parameters={"type": "object"}))
    async with Runtime(registry, max_concurrent=1) as runtime, asyncio.timeout(10):
        results = await asyncio.gather(*(runtime.run("other" if inner else "outer") for _ in range(3)))
    assert [result.output for result in results] == ["a", "a", "a"]


@pytest.mark.behaviour("running.left-behind")
@pytest.mark.parametrize("with_context", [False, True])
async def test_what_a_handler_left_behind_waits_for_its_turn_like_anybody(*, with_context: bool) -> None:
    """Regression: a task that outlived the call that had started it was never bound by `max_concurrent` again."""
    running, most = 0, 0
    left: list[asyncio.Task[object]] = []
    go_on = asyncio.Event()

    @op
    async def work() -> None:
        """Work."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    async def later() -> None:
        await go_on.wait()
        await asyncio.gather(*(runtime.run("work") for _ in range(20)))

    async def start(ctx: Context) -> None:
        """Leave a task behind."""
        left.append(asyncio.create_task(later()))
        await asyncio.sleep(0)

    async def start_alone() -> None:
        """Leave a task behind."""
        left.append(asyncio.create_task(later()))
        await asyncio.sleep(0)

    registry = registry_of(work, op(name="start")(start if with_context else start_alone))
    async with Runtime(registry, max_concurrent=2) as runtime, asyncio.timeout(10):
        assert (await runtime.run("start")).ok
        go_on.set()
        await left[0]
    assert most == 2


@pytest.mark.behaviour("running.cleanup")
@pytest.mark.parametrize("timeout", [None, 60.0])
async def test_a_call_made_while_a_cancelled_task_cleans_up_comes_to_its_end(timeout: float | None) -> None:
    """Regression: the cancellation before it was taken for its own, and its result thrown away."""
    results: list[Result] = []
    started = asyncio.Event()

    @op
    async def tidy() -> str:
        """Wait a little."""
        await asyncio.sleep(0)
        return "tidied"

    @op
    async def odd() -> None:
        """Await what is cancelled."""
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async with Runtime(registry_of(tidy, odd)) as runtime:

        async def work() -> None:
            try:
                started.set()
                await asyncio.Event().wait()
            finally:
                results.append(await runtime.run("tidy", timeout=timeout))
                results.append(await runtime.run("odd", timeout=timeout))

        task = asyncio.create_task(work())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert results[0].output == "tidied"
    assert isinstance(results[1].error, ExecutionFailedError)
    assert "nobody" not in str(results[1].error)
