"""How handlers run: in threads, as streams, up to a deadline, until they are cancelled."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator

import pytest

from prowess import (
    Context,
    ExecutionFailedError,
    Progress,
    Runtime,
    op,
    skill,
)
from prowess.errors import (
    InvalidOutputError,
    TimedOutError,
)
from prowess.model.event import (
    CallFinished,
    HandlerAbandoned,
    OutputStreamed,
    ProgressReported,
)
from prowess.testing import EventLog
from tests.unit.app.calls.calling import echo, registry_of, run


async def test_a_sync_handler_runs_in_a_thread() -> None:
    """Spec: sync functions run in threads."""

    @op
    def where() -> str:
        """Tell the thread."""
        return threading.current_thread().name

    assert (await run(where)).output != threading.current_thread().name


async def test_more_sync_handlers_than_a_pool_would_hold_call_each_other() -> None:
    """Choice: threads are made on demand; in a pool of fixed size each would wait for a nested call."""
    depth = 20

    @skill(calls=["dive"])
    def dive(left: int, *, ctx: Context) -> int:
        """Call itself."""
        return 0 if left == 0 else 1 + int(str(ctx.call_sync("dive", left=left - 1)))

    registry = registry_of(dive)
    async with Runtime(registry) as runtime:
        results = await asyncio.gather(*(runtime.run("dive", {"left": depth}) for _ in range(5)))
    assert [result.unwrap() for result in results] == [depth] * 5


async def test_endless_nesting_ends_with_a_clear_error() -> None:
    """Choice: calls nest at most 32 deep."""

    @skill(calls=["dive"])
    async def dive(*, ctx: Context) -> object:
        """Call itself."""
        return await ctx.call("dive")

    result = await run(dive)
    assert isinstance(result.error, ExecutionFailedError)
    assert "nest deeper" in str(result.error)


async def test_a_stream_gives_its_pieces_as_they_come_and_together() -> None:
    """Spec: async generators stream."""

    @op
    async def count(to: int) -> AsyncIterator[int | Progress]:
        """Count."""
        for number in range(to):
            yield Progress(number, to, "counting")
            yield number

    registry, log = registry_of(count), EventLog()
    async with Runtime(registry, readers=[log]) as runtime:
        result = await runtime.run("count", {"to": 3})
    assert result.output == [0, 1, 2]
    assert [event.piece for event in log.of(OutputStreamed)] == [0, 1, 2]
    assert [(event.done, event.total, event.message) for event in log.of(ProgressReported)] == [
        (number, 3, "counting") for number in range(3)
    ]


async def test_a_sync_generator_streams_too() -> None:
    """Choice: sync code should not have to become async to stream."""

    @op
    def count(to: int) -> Iterator[int]:
        """Count."""
        yield from range(to)

    registry, log = registry_of(count), EventLog()
    async with Runtime(registry, readers=[log]) as runtime:
        assert (await runtime.run("count", {"to": 3})).output == [0, 1, 2]
    assert [event.piece for event in log.of(OutputStreamed)] == [0, 1, 2]


async def test_a_failing_stream_is_closed() -> None:
    """Spec: a handler that returns the wrong shape leaves nothing behind."""
    closed: list[str] = []

    @op
    async def count() -> AsyncIterator[object]:
        """Count."""
        try:
            yield object()
        finally:
            closed.append("closed")

    assert isinstance((await run(count)).error, InvalidOutputError)
    assert closed == ["closed"]


async def test_a_deadline_of_the_entry_ends_a_hanging_handler() -> None:
    """Spec: a handler that hangs gives the right error and leaves nothing behind."""
    stopped: list[str] = []

    @op(timeout=0.02)
    async def hang() -> None:
        """Hang."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("cancelled")
            raise

    result = await run(hang)
    assert isinstance(result.error, TimedOutError)
    assert result.error.retryable
    assert stopped == ["cancelled"]


async def test_the_shorter_of_two_deadlines_counts() -> None:
    """Choice: entry and call may each set a deadline, and neither lengthens the other's."""

    @op(timeout=30)
    async def hang() -> None:
        """Hang."""
        await asyncio.Event().wait()

    assert isinstance((await run(hang, timeout=0.02)).error, TimedOutError)
    assert (await run(echo, {"text": "a"}, timeout=30)).output == "a"


async def test_a_handlers_own_timeout_error_is_not_our_deadline() -> None:
    """Spec: a handler that raises gives the right error, whatever it raises."""

    @op(timeout=30)
    async def give_up() -> None:
        """Give up."""
        raise TimeoutError

    result = await run(give_up)
    assert isinstance(result.error, ExecutionFailedError)
    assert not isinstance(result.error, TimedOutError)


async def test_a_handler_that_swallows_cancellation_is_stopped_all_the_same() -> None:
    """Spec: a handler that swallows cancellation gives the right error and leaves nothing behind."""
    before = len(asyncio.all_tasks())

    @op(timeout=0.02)
    async def stubborn() -> None:
        """Hang on."""
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    registry, log = registry_of(stubborn), EventLog()
    async with Runtime(registry, grace=0.02, readers=[log]) as runtime:
        result = await runtime.run("stubborn")
    assert isinstance(result.error, TimedOutError)
    assert log.of(HandlerAbandoned) == []
    assert len(asyncio.all_tasks()) == before


async def test_a_thread_that_hangs_is_given_up_and_told_so() -> None:
    """Choice: a thread cannot be stopped, so it is told to end, and its abandonment is reported."""
    release = threading.Event()
    noticed = threading.Event()

    @op(timeout=0.02)
    def hang(*, ctx: Context) -> None:
        """Hang."""
        release.wait(10)
        if ctx.cancelled:
            noticed.set()

    registry, log = registry_of(hang), EventLog()
    async with Runtime(registry, readers=[log]) as runtime:
        result = await runtime.run("hang")
    assert isinstance(result.error, TimedOutError)
    assert [event.entry for event in log.of(HandlerAbandoned)] == ["hang"]
    release.set()
    assert noticed.wait(10)


@pytest.mark.parametrize("deadline", [None, 30])
async def test_cancelling_a_call_cancels_its_handler_and_raises(deadline: float | None) -> None:
    """Spec: a call can be cancelled, and whoever cancels gets what asyncio promises."""
    started, stopped = asyncio.Event(), asyncio.Event()

    @op
    async def hang() -> None:
        """Hang."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    registry, log = registry_of(hang), EventLog()
    async with Runtime(registry, readers=[log]) as runtime:
        task = asyncio.create_task(runtime.run("hang", timeout=deadline))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert stopped.is_set()
    assert [event.error for event in log.of(CallFinished)] == ["cancelled"]


async def test_a_swallowed_cancellation_still_cancels_the_call() -> None:
    """Spec: a handler that swallows cancellation does not undo its caller's decision."""
    started = asyncio.Event()

    @op
    async def stubborn() -> str:
        """Return all the same."""
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "not now"
        return "never"

    async with Runtime(registry_of(stubborn)) as runtime:
        task = asyncio.create_task(runtime.run("stubborn"))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.behaviour("running.own-cancellation")
@pytest.mark.parametrize("stoppable", [False, True])
async def test_a_cancellation_that_nobody_asked_for_is_a_failure(stoppable: bool) -> None:
    """Regression: in a stoppable runtime it was told that the runtime had been closed."""

    @op
    async def odd() -> None:
        """Await a cancelled future."""
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async with Runtime(registry_of(odd), stoppable=stoppable) as runtime:
        error = (await runtime.run("odd")).error
    assert str(error) == "execution failed: odd: UnaskedCancellationError: it awaited what was cancelled"


@pytest.mark.behaviour("running.own-cancellation")
async def test_a_handler_that_cancels_its_own_task_is_not_told_that_its_runtime_was_closed() -> None:
    """Regression: the reason was made up."""

    @op
    async def odd() -> None:
        """Cancel what runs this."""
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    async with Runtime(registry_of(odd), stoppable=True) as runtime:
        assert str((await runtime.run("odd")).error) == "cancelled: it was cancelled, by code that it ran"


@pytest.mark.behaviour("running.deadline-held")
@pytest.mark.parametrize("ending", [None, ValueError("late")])
async def test_what_comes_after_the_deadline_is_too_late_though_nobody_could_stop_it(ending: Exception | None) -> None:
    """Regression: a coroutine that held the event loop past its deadline was a success."""

    @op(timeout=0.01)
    async def hold() -> str:
        """Hold the loop."""
        threading.Event().wait(0.03)
        if ending is not None:
            raise ending
        return "late"

    error = (await run(hold)).error
    assert isinstance(error, TimedOutError)
    assert str(error) == "timed out: 'hold' did not end within 0.01 s"
