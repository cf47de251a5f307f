"""Running a handler that may have to be stopped: at a deadline, or because its caller went away."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from math import isfinite
from typing import Any, Protocol, TypeAlias

from prowess.errors import CallCancelledError, ConfigurationError
from prowess.execution.eventloop import asyncio
from prowess.execution.failures import StoppedError
from prowess.model.event import Stage

_Outcome: TypeAlias = tuple[object, BaseException | None]

__all__ = ["DeadlinePassedError", "check_seconds", "run_stoppable"]


class DeadlinePassedError(Exception):
    """The deadline came before the handler's end. No TimeoutError: a handler may raise that itself."""


class _Host(Protocol):
    @property
    def grace(self) -> float: ...
    @property
    def tasks(self) -> "set[asyncio.Task[Any]]": ...


def check_seconds(seconds: object) -> None:
    """Raise `StoppedError` for a time limit that is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not (isfinite(seconds) and seconds > 0):
        shown = repr(seconds)[:40]
        message = f"timeout is {shown}: a call may last a number of seconds above 0"
        raise StoppedError(Stage.RESOLVE, ConfigurationError(message))


async def run_stoppable(
    host: _Host, start: Callable[[], Coroutine[Any, Any, object]], seconds: float | None, abandoned: Callable[[], None]
) -> object:
    """What the handler returns or raises; `DeadlinePassedError` after `seconds`.

    At the deadline, and when the waiting task is cancelled, the handler is cancelled, given the host's `grace`,
    cancelled again, and then closed at the point where it waits. One that survives even that is left to itself, and
    `abandoned` is told. Its task is among the host's `tasks` as long as it runs.
    """
    running = _outcome(start)
    task = asyncio.ensure_future(running)
    host.tasks.add(task)
    task.add_done_callback(host.tasks.discard)
    try:
        done, _ = await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        await _stop(task, running, host.grace, abandoned)
        raise
    if not done:
        await _stop(task, running, host.grace, abandoned)
        raise DeadlinePassedError
    if task.cancelled():
        raise CallCancelledError("it was cancelled, since its runtime was closed")
    outcome, failure = task.result()
    if failure is not None:
        raise failure
    return outcome


# ---------------------------------------------------------------------------------------------------------------------


async def _outcome(start: Callable[[], Coroutine[Any, Any, object]]) -> _Outcome:
    """What the handler came to, as a value: `SystemExit` out of a task would end the event loop with it."""
    try:
        return await start(), None
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as failure:  # noqa: BLE001 - raised again where the call is awaited
        return None, failure


async def _stop(
    task: "asyncio.Task[_Outcome]", running: Coroutine[Any, Any, _Outcome], grace: float, abandoned: Callable[[], None]
) -> None:
    task.add_done_callback(_look)
    for _ in range(2):
        task.cancel()
        await asyncio.wait((task,), timeout=grace)
        if task.done():
            return
    with suppress(RuntimeError, ValueError):  # it ignores GeneratorExit, or runs this very moment
        running.close()
    task.cancel()
    await asyncio.wait((task,), timeout=grace)
    if not task.done():
        abandoned()


def _look(task: "asyncio.Task[_Outcome]") -> None:
    """Read the outcome, so that asyncio does not report a failure nobody waits for."""
    if not task.cancelled():
        task.exception()
