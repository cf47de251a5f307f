"""Running a handler that may have to be stopped: at a deadline, or because its caller went away."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from math import isfinite
from typing import Any, Protocol, TypeAlias

from prowess.errors import CallCancelledError, ConfigurationError
from prowess.execution.eventloop import asyncio, current_task
from prowess.execution.failures import StoppedError
from prowess.model.event import Stage

_Outcome: TypeAlias = tuple[object, BaseException | None, float]
"""What a handler returned or raised, and when."""

__all__ = ["SHUT_DOWN", "DeadlinePassedError", "check_seconds", "run_stoppable"]


SHUT_DOWN = "since its runtime was closed"
"""With what a gate that is closed cancels the tasks of handlers."""


class DeadlinePassedError(Exception):
    """The deadline came before the handler's end. No TimeoutError: a handler may raise that itself."""


class _Host(Protocol):
    @property
    def grace(self) -> float: ...
    @property
    def tasks(self) -> "set[asyncio.Task[Any]]": ...
    def now(self) -> float: ...


def check_seconds(seconds: object) -> None:
    """Raise `StoppedError` for a time limit that is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not (isfinite(seconds) and seconds > 0):
        shown = repr(seconds)[:40]
        message = f"timeout is {shown}: a call may last a number of seconds above 0"
        raise StoppedError(Stage.RESOLVE, ConfigurationError(message))


async def run_stoppable(
    host: _Host, handler: Coroutine[Any, Any, object], seconds: float | None, abandoned: Callable[[], None]
) -> object:
    """What the handler returns or raises; `DeadlinePassedError` after `seconds`.

    What comes to its end after the deadline, since it held the event loop, is too late as well.
    At the deadline, and when the waiting task is cancelled, the handler is cancelled, given the host's `grace`,
    cancelled again, and then closed at the point where it waits. One that survives even that is left to itself, and
    `abandoned` is told. Its task is among the host's `tasks` as long as it runs.
    """
    began = host.now()
    running = _outcome(host, handler)
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
        raise CallCancelledError(f"it was cancelled, {_why(task)}")
    outcome, failure, ended = task.result()
    if seconds is not None and ended - began > seconds and (failure is None or isinstance(failure, Exception)):
        raise DeadlinePassedError  # it held the event loop, so that nobody could stop it in time
    if failure is not None:
        raise failure
    return outcome


# ---------------------------------------------------------------------------------------------------------------------


def _why(task: "asyncio.Task[_Outcome]") -> str:
    """Who cancelled a handler's task: the gate says so as it does it."""
    try:
        task.result()
    except asyncio.CancelledError as failure:
        if SHUT_DOWN in failure.args:
            return SHUT_DOWN
    return "by code that it ran"


async def _outcome(host: _Host, handler: Coroutine[Any, Any, object]) -> _Outcome:
    """What the handler came to and when, as a value: `SystemExit` out of a task would end the event loop with it."""
    outcome: object = None
    failed: BaseException | None = None
    try:
        outcome = await handler
    except GeneratorExit:
        raise
    except asyncio.CancelledError as failure:
        task = current_task()
        if task is None or task.cancelling():
            raise
        failed = failure  # nobody cancelled this task: the handler ended with what somebody else's told it
    except BaseException as failure:  # noqa: BLE001 - raised again where the call is awaited
        failed = failure
    return outcome, failed, host.now()


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
