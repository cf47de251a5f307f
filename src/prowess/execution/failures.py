"""What an exception that ends a call becomes: the call's error, or one that must go on."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

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
from prowess.execution.eventloop import current_task, is_cancellation
from prowess.governance.redaction import Masks
from prowess.model.event import Stage
from prowess.model.json_value import NotJsonError, to_json_value
from prowess.model.manifest import FailureMode
from prowess.model.verdict import ALLOW, Verdict

__all__ = [
    "CANCELLED",
    "StoppedError",
    "UnaskedCancellationError",
    "blame_reader",
    "check_reader",
    "error_of_handler",
    "is_authored",
    "judged",
    "masked",
    "named",
    "no_caller",
    "no_entry",
    "shown",
    "unspeakable",
]

CANCELLED = CallCancelledError("the caller went away")
"""Stands for an exception that must go on to whoever cancelled or interrupted the call."""

_AUTHORED = (InvalidInputError, ForbiddenError, ExecutionFailedError)
"""The errors whose words an author means for the caller."""
_SHOWN = 200
_Error = TypeVar("_Error", bound=ProwessError)
_JUDGED: "WeakValueDictionary[int, ProwessError]" = WeakValueDictionary()
"""The errors that a gate has made calls end with, by identity: an author's class may have no hash."""


class StoppedError(Exception):
    """A call ends at this stage with this error."""

    def __init__(self, stage: Stage, error: ProwessError, verdict: Verdict = ALLOW) -> None:
        super().__init__(error)
        self.stage = stage
        self.error = error
        self.verdict = verdict


class UnaskedCancellationError(Exception):
    """A handler ended with a `CancelledError` though nobody had cancelled its call: it awaited what was cancelled."""

    def __init__(self) -> None:
        super().__init__("it awaited what was cancelled")


def error_of_handler(failure: BaseException, name: str, modes: Sequence[FailureMode] = ()) -> ProwessError:
    """The error of a call whose handler raised this; `CANCELLED` where the exception must go on.

    An author's three errors keep their words, and so does the outcome of a nested call, which the gate has judged
    already. One whose `code` the entry declares as a failure mode is that failure: what was declared of it reaches the
    model, and whether trying again may help. The words of everything else are for the operator; a model learns only
    that the entry failed.
    """
    mode = _mode_of(failure, modes)
    if isinstance(failure, ProwessError):
        known = _JUDGED.get(id(failure)) is failure
        if known or is_authored(failure):
            if mode is not None and not known:
                failure.retryable = mode.retryable
            return named(failure, name)
    if _must_go_on(failure):
        return CANCELLED
    words = _words_of(failure)
    if mode is not None:
        return _declared(failure, mode, name, words)
    reason = f"{type(failure).__name__}: {words}" if words else type(failure).__name__
    details = {"name": name, "reason": reason}
    error = ExecutionFailedError(f"{name}: {reason}", details=details, model_text=f"execution failed: {name} failed")
    error.__cause__ = failure
    return error


def unspeakable(failure: BaseException, name: str) -> ProwessError:
    """The error of a call whose exception cannot be asked what it says: one of a class that breaks ours."""
    kind = type(failure).__name__
    details = {"name": name, "reason": kind}
    return ExecutionFailedError(f"{name}: {kind}", details=details, model_text=f"execution failed: {name} failed")


def masked(error: ProwessError, masks: Masks, inputs: object) -> None:
    """Mask what an error says: secrets, and the inputs that are not to be told."""
    try:
        given = to_json_value(inputs)
    except NotJsonError:  # refused before anything could quote it
        given = None

    error.mask(lambda text: masks.text(text, inputs=given))


def judged(error: _Error) -> _Error:
    """The error, known from now on as what a call ended with: from a nested call it passes as it is."""
    _JUDGED[id(error)] = error
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


def shown(target: object) -> str:
    """What was asked for, in events, where that is no entry."""
    try:
        return str(target)[:_SHOWN]
    except Exception:  # noqa: BLE001 - an object of whatever kind
        return type(target).__name__


def blame_reader(reader: Callable[[Any], object], failure: Exception) -> None:
    """Log that a reader of events failed. Its call goes on: what it came to is true, whoever heard of it."""
    import logging  # noqa: PLC0415 - 3 ms that only a failure has to pay

    logging.getLogger("prowess").error("an event reader failed: %r", reader, exc_info=failure)


def check_reader(reader: object) -> None:
    """Raise `ConfigurationError` for what can be told nothing."""
    if not callable(reader):
        raise ConfigurationError(f"a reader is {reader!r:.40}: it is a callable that takes one event")


# ---------------------------------------------------------------------------------------------------------------------


def _mode_of(failure: BaseException, modes: Sequence[FailureMode]) -> FailureMode | None:
    """The declared way to fail that an exception says it is."""
    if not modes:
        return None
    said = failure.details.get("code") if isinstance(failure, ProwessError) else getattr(failure, "code", None)
    return next((mode for mode in modes if mode.code == said), None)


def _declared(failure: BaseException, mode: FailureMode, name: str, words: str) -> ExecutionFailedError:
    """The error of a handler that failed in a way that its entry declares."""
    details = {"name": name, "code": mode.code, "reason": words or mode.description}
    told = f": {mode.description}" if mode.description else ""
    error = ExecutionFailedError(
        f"{name}: {mode.code}: {words or mode.description}",
        details=details,
        retryable=mode.retryable,
        model_text=f"execution failed: {name}: {mode.code}{told}",
    )
    error.__cause__ = failure
    return error


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
