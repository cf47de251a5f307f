"""Running a handler that may have to be stopped: at a deadline, or because its caller went away."""

from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from math import isfinite
from typing import Any, Protocol, TypeAlias

from prowess.errors import CallCancelledError, ConfigurationError
from prowess.execution.eventloop import asyncio
from prowess.execution.failures import StoppedError
from prowess.model.event import Stage

_Outcome: TypeAlias = tuple[object, BaseException | None, float]
"""What a handler returned or raised, and when, by the clock of its event loop."""

__all__ = ["DeadlinePassedError", "check_seconds", "run_stoppable", "stop_all"]


class DeadlinePassedError(Exception):
    """The deadline came before the handler's end. No TimeoutError: a handler may raise that itself."""


class _Host(Protocol):
    @property
    def grace(self) -> float: ...
    @property
    def tasks(self) -> "set[asyncio.Task[Any]]": ...
    @property
    def over(self) -> bool: ...


class _Call(Protocol):
    def cancel(self) -> None: ...
    def abandon(self) -> None: ...


def check_seconds(seconds: object) -> None:
    """Raise `StoppedError` for a time limit that is none."""
    if not _is_limit(seconds):
        try:
            shown = repr(seconds)[:40]
        except Exception:  # noqa: BLE001 - a value of whatever kind, or a number of more digits than Python shows
            shown = "no number"
        message = f"timeout is {shown}: a call may last a number of seconds above 0"
        raise StoppedError(Stage.RESOLVE, ConfigurationError(message))


async def run_stoppable(
    host: _Host, start: Callable[[], Coroutine[Any, Any, object]], seconds: float | None, call: _Call
) -> object:
    """What the handler returns or raises; `DeadlinePassedError` after `seconds`.

    What comes to its end after the deadline, since it held the event loop, is too late as well.
    At the deadline, and when the waiting task is cancelled, the call is told so, and its handler cancelled, given the
    host's `grace`, cancelled again, and then closed at the point where it waits. One that survives even that is
    abandoned. Its task is among the host's `tasks` as long as it runs.
    """
    began = asyncio.get_running_loop().time()
    task = asyncio.ensure_future(_outcome(start))
    host.tasks.add(task)
    task.add_done_callback(host.tasks.discard)
    try:
        done, _ = await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        await _end(task, host.grace, call)
        raise
    if not done:
        await _end(task, host.grace, call)
        raise DeadlinePassedError
    if not task.cancelled() and isinstance(left := task.exception(), GeneratorExit):
        raise RuntimeError("it raised GeneratorExit, as if its coroutine had been closed") from left
    if task.cancelled() or task.exception() is not None:  # what it raises itself is its outcome
        why = "since its runtime was closed" if host.over else "by code that it ran"
        raise CallCancelledError(f"it was cancelled, {why}")
    outcome, failure, ended = task.result()
    if seconds is not None and ended - began > seconds and (failure is None or isinstance(failure, Exception)):
        raise DeadlinePassedError  # it held the event loop, so that nobody could stop it in time
    if failure is not None:
        raise failure
    return outcome


async def stop_all(tasks: "Iterable[asyncio.Task[Any]]", grace: float) -> None:
    """Stop tasks as at a deadline, each in its own event loop; those whose loop has ended are left alone."""
    stopping: list[asyncio.Future[asyncio.CancelledError | None]] = []
    for task in tasks:
        stop = _stop(task, grace)
        try:
            stopping.append(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(stop, task.get_loop())))
        except RuntimeError:
            stop.close()
    if stopping:
        await asyncio.wait(stopping, timeout=4 * grace)  # a loop may stand still


# ---------------------------------------------------------------------------------------------------------------------


def _is_limit(seconds: object) -> bool:
    try:
        return isinstance(seconds, int | float) and not isinstance(seconds, bool) and isfinite(seconds) and seconds > 0
    except OverflowError:  # a whole number beyond all floats
        return False


async def _outcome(start: Callable[[], Coroutine[Any, Any, object]]) -> _Outcome:
    """What the handler came to, as a value: `SystemExit` out of a task would end the event loop with it."""
    outcome: object = None
    failed: BaseException | None = None
    try:
        outcome = await start()
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as failure:  # noqa: BLE001 - raised again where the call is awaited
        failed = failure
    return outcome, failed, asyncio.get_running_loop().time()


async def _end(task: "asyncio.Task[Any]", grace: float, call: _Call) -> None:
    """Stop the handler of a call, whatever else is cancelled meanwhile."""
    call.cancel()
    cancelled = await _stop(task, grace)
    if not task.done():
        call.abandon()
    if cancelled is not None:
        raise cancelled


async def _stop(task: "asyncio.Task[Any]", grace: float) -> "asyncio.CancelledError | None":
    """End a task by every means, to the last of them; gives the cancellation that came meanwhile."""
    task.add_done_callback(_look)
    cancelled: asyncio.CancelledError | None = None
    for close in (False, False, True):
        if close:
            with suppress(RuntimeError, ValueError):  # it ignores GeneratorExit, or runs this very moment
                task.get_coro().close()
        task.cancel()
        cancelled = await _await_end(task, grace) or cancelled
        if task.done():
            break
    return cancelled


async def _await_end(task: "asyncio.Task[Any]", seconds: float) -> "asyncio.CancelledError | None":
    """Wait for the end of a task, no longer than so many seconds; gives the cancellation that came meanwhile."""
    clock = asyncio.get_running_loop().time
    until = clock() + seconds
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,), timeout=max(until - clock(), 0))
        except asyncio.CancelledError as again:
            cancelled = again
        else:
            break
    return cancelled


def _look(task: "asyncio.Task[Any]") -> None:
    """Read the outcome, so that asyncio does not report a failure nobody waits for."""
    if not task.cancelled():
        task.exception()
