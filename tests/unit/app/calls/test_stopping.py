"""Calls that are given up, and what must not go on after them."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import wraps

import pytest

from prowess import Context, ExecutionFailedError, Runtime, op, skill
from prowess.errors import CallCancelledError, TimedOutError
from prowess.model.event import HandlerAbandoned
from prowess.testing import EventLog
from tests.unit.app.calls.calling import registry_of, run


@pytest.mark.behaviour("running.stopped-is-stopped")
@pytest.mark.parametrize("at_deadline", [False, True])
async def test_a_second_cancellation_waits_for_the_end_of_the_first(*, at_deadline: bool) -> None:
    """Regression: a handler that swallows its cancellation was left running, with nobody to stop it."""
    stopping, ended = asyncio.Event(), asyncio.Event()

    @op
    async def stubborn() -> None:
        """Go on in spite of everything."""
        try:
            while True:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    stopping.set()
        finally:
            ended.set()

    async with Runtime(registry_of(stubborn), grace=0.01) as runtime:
        task = asyncio.create_task(runtime.run("stubborn", timeout=0.001 if at_deadline else 60))
        await asyncio.sleep(0)
        if not at_deadline:
            await asyncio.sleep(0)
            task.cancel()
        await stopping.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()
        assert not runtime.tasks


async def test_a_call_cancelled_before_its_handler_began_leaves_nothing_behind() -> None:
    """Choice: a coroutine that is never awaited is a warning, and warnings are errors."""

    @op(timeout=60)
    async def late() -> None:
        """Never come to begin."""
        raise AssertionError

    async with Runtime(registry_of(late)) as runtime:
        task = asyncio.create_task(runtime.run("late"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.behaviour("running.stopped-is-stopped")
async def test_closing_ends_handlers_that_swallow_their_cancellation() -> None:
    """Regression: `aclose` cancelled them, and left those running that went on."""
    started, ended, log = asyncio.Event(), asyncio.Event(), EventLog()

    @op(timeout=60)
    async def stubborn() -> None:
        """Go on in spite of everything."""
        started.set()
        try:
            while True:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
        finally:
            ended.set()

    runtime = Runtime(registry_of(stubborn), grace=0.01, readers=[log])
    task = asyncio.create_task(runtime.run("stubborn"))
    await started.wait()
    await runtime.aclose()
    assert ended.is_set()
    assert isinstance((await task).error, CallCancelledError)
    assert not log.of(HandlerAbandoned)


async def test_closing_leaves_alone_what_an_ended_event_loop_left() -> None:
    """Regression: cancelling a task of a closed loop raised out of `aclose`."""
    runtime = Runtime(registry_of(), grace=0.01)
    loop = asyncio.new_event_loop()
    task = loop.create_task(asyncio.Event().wait())
    runtime.tasks.add(task)
    await asyncio.to_thread(loop.run_until_complete, asyncio.sleep(0))
    loop.close()
    await runtime.aclose()
    setattr(task, "_log_destroy_pending", False)  # noqa: B010 - asyncio tells of a task that never ends, and this one is meant to


@pytest.mark.behaviour("running.stopped-is-stopped")
async def test_a_stream_that_swallows_its_cancellation_is_ended() -> None:
    """Regression: it went on giving pieces for ever, to nobody."""
    ended = asyncio.Event()

    @op
    async def pieces() -> AsyncIterator[int]:
        """Give pieces in spite of everything."""
        try:
            while True:
                with suppress(asyncio.CancelledError):
                    yield 1
                    await asyncio.Event().wait()
        finally:
            ended.set()

    async with Runtime(registry_of(pieces), grace=60) as runtime:
        result = await runtime.run("pieces", timeout=0.01)
        assert isinstance(result.error, TimedOutError)
        assert ended.is_set()
        assert not runtime.tasks


@pytest.mark.behaviour("running.over-is-over")
@pytest.mark.parametrize("closing", [False, True])
async def test_what_a_thread_waits_for_ends_with_its_call(*, closing: bool) -> None:
    """Regression: what `call_sync` had started ran to its end after the deadline, and after the runtime's end."""
    started, stopped, told = asyncio.Event(), asyncio.Event(), threading.Event()
    errors: list[BaseException] = []

    @op
    async def inner() -> None:
        """Wait for ever."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    @skill(calls=["inner"])
    def outer(*, ctx: Context) -> None:
        """Call it from a thread."""
        for _ in range(2):
            try:
                ctx.call_sync("inner")
            except CallCancelledError as error:
                errors.append(error)
        told.set()

    runtime = Runtime(registry_of(inner, outer), grace=0.01)
    task = asyncio.create_task(runtime.run("outer", timeout=None if closing else 60))
    await started.wait()
    if closing:
        await runtime.aclose()
        assert isinstance((await task).error, ExecutionFailedError) or (await task).ok
    else:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(stopped.wait(), 10)
        await runtime.aclose()
    assert stopped.is_set()
    assert await asyncio.to_thread(told.wait, 10)
    assert len(errors) == 2


async def test_a_handler_that_cancels_itself_has_failed() -> None:
    """Regression: with a deadline it was told that its runtime had been closed."""

    @op(timeout=60)
    async def odd() -> None:
        """Raise what only asyncio should."""
        raise asyncio.CancelledError

    error = (await run(odd)).error
    assert isinstance(error, ExecutionFailedError)
    assert "closed" not in str(error)


async def test_a_decorator_that_hides_a_coroutine_function_is_seen_through() -> None:
    """Regression: `functools.wraps` without `async` gave a coroutine that nobody awaited."""

    def logged(function: Callable[..., object]) -> Callable[..., object]:
        @wraps(function)
        def call(*args: object, **kwargs: object) -> object:
            return function(*args, **kwargs)

        return call

    @op
    @logged
    async def hidden(text: str) -> str:
        """Give the text back."""
        return text

    assert (await run(hidden, {"text": "a"})).output == "a"
