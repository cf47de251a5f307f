"""What an exception that ends a call becomes: the call's error, or one that must go on."""

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakSet

from prowess.errors import (
    ApprovalRequiredError,
    CallCancelledError,
    ConfigurationError,
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    ProwessError,
)
from prowess.execution.eventloop import asyncio, current_task, is_cancellation
from prowess.model.event import Stage

__all__ = [
    "CANCELLED",
    "StoppedError",
    "blame_reader",
    "check_reader",
    "error_of_handler",
    "is_authored",
    "judged",
    "named",
    "no_caller",
    "no_entry",
    "raise_if_cancelled",
]

CANCELLED = CallCancelledError("the caller went away")
"""Stands for an exception that must go on to whoever cancelled or interrupted the call."""

_AUTHORED = (InvalidInputError, ForbiddenError, ExecutionFailedError)
"""The errors whose words an author means for the caller."""
_Error = TypeVar("_Error", bound=ProwessError)
_JUDGED: "WeakSet[ProwessError]" = WeakSet()
"""The errors that a gate has made calls end with."""


class StoppedError(Exception):
    """A call ends at this stage with this error."""

    def __init__(self, stage: Stage, error: ProwessError) -> None:
        super().__init__(error)
        self.stage = stage
        self.error = error


def error_of_handler(failure: BaseException, name: str) -> ProwessError:
    """The error of a call whose handler raised this; `CANCELLED` where the exception must go on.

    An author's three errors keep their words, and so does the outcome of a nested call, which the gate has judged
    already. The words of everything else are for the operator; a model learns only that the entry failed.
    """
    if isinstance(failure, ProwessError) and (failure in _JUDGED or is_authored(failure)):
        return named(failure, name)
    if _must_go_on(failure):
        return CANCELLED
    words = _words_of(failure)
    reason = f"{type(failure).__name__}: {words}" if words else type(failure).__name__
    details = {"name": name, "reason": reason}
    error = ExecutionFailedError(f"{name}: {reason}", details=details, model_text=f"execution failed: {name} failed")
    error.__cause__ = failure
    return error


def judged(error: _Error) -> _Error:
    """The error, known from now on as what a call ended with: from a nested call it passes as it is."""
    _JUDGED.add(error)
    return error


def named(error: _Error, name: str) -> _Error:
    """The error, saying which entry it is about where it did not say so."""
    if error.name is None:
        error.details = {**error.details, "name": name}
    return error


def no_caller(given: object) -> ConfigurationError:
    """The error for what is given in the place of a caller."""
    return ConfigurationError(f"the caller is {given!r:.40}: give a Caller, such as Caller('me')")


def no_entry(given: object) -> NotFoundError:
    """The error for what is given in the place of an entry: a decorated function, say, which no registry knows."""
    name = getattr(getattr(getattr(given, "definition", None), "manifest", None), "name", None)
    if name is None:
        return NotFoundError("that is no entry: register it, and give its name, or the entry that the registry gives")
    message = f"that is no entry: register it, and run it by its name, '{name}'"
    return NotFoundError(message, details={"name": str(name)})


def is_authored(failure: BaseException) -> bool:
    """Whether an exception is an error that authors raise; nobody but the gate asks for an approval."""
    return isinstance(failure, _AUTHORED) and not isinstance(failure, ApprovalRequiredError)


def raise_if_cancelled() -> None:
    """A handler that swallowed its cancellation has not undone it."""
    task = current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def blame_reader(reader: Callable[[Any], object], failure: Exception) -> None:
    """Log that a reader of events failed. Its call goes on: what it came to is true, whoever heard of it."""
    import logging  # noqa: PLC0415 - 3 ms that only a failure has to pay

    logging.getLogger("prowess").error("an event reader failed: %r", reader, exc_info=failure)


def check_reader(reader: object) -> None:
    """Raise `ConfigurationError` for what can be told nothing."""
    if not callable(reader):
        raise ConfigurationError(f"a reader is {reader!r:.40}: it is a callable that takes one event")


# ---------------------------------------------------------------------------------------------------------------------


def _must_go_on(failure: BaseException) -> bool:
    if is_cancellation(failure):
        task = current_task()
        return task is None or task.cancelling() > 0
    return isinstance(failure, KeyboardInterrupt | GeneratorExit)


def _words_of(failure: BaseException) -> str:
    try:
        return str(failure)
    except Exception:  # noqa: BLE001 - an exception of the handler's own, whose words cannot be had
        return ""
