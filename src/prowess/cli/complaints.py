"""What a failed command says: the sentence for its user, the same as JSON, and the exit code."""

from __future__ import annotations

import os

from prowess.app.importing import place_of
from prowess.cli.parsing import UsageError
from prowess.cli.terminal.printing import complain, json_line, safe
from prowess.errors import ConfigurationError, InvalidDocumentError, MissingExtraError, ProwessError
from prowess.execution.validation.problems import describe

__all__ = ["complaint_of", "json_complaint_of", "show_trace", "told", "told_of_call"]

_FAILED = 1
_USAGE = 2


def complaint_of(error: Exception) -> tuple[str, int]:
    """The text for the terminal and the exit code. What is our own mistake says how to see more of it."""
    text = _complaint(error)
    return safe(text), _USAGE if isinstance(error, UsageError) else _FAILED


def json_complaint_of(error: Exception) -> str:
    """The same for a program: `{"ok": false, "error": {"code", "message", "retryable", "details"}}`."""
    code = error.code if isinstance(error, UsageError | ProwessError) else "error"
    plain = {"code": code, "message": _complaint(error), "retryable": False, "details": dict[str, object]()}
    return json_line({"ok": False, "error": error.to_json() if isinstance(error, ProwessError) else plain})


def told(error: ProwessError) -> str:
    """An error in the operator's words; of several problems a headline, and a line for each."""
    problems = error.problems
    if not problems[1:]:
        return str(error)
    if isinstance(error, InvalidDocumentError):
        return "\n  ".join([f"{error.label}: {len(problems)} problems", *map(str, problems)])
    head = str(error)
    for listed in (describe(problems), "; ".join(problem.message for problem in problems)):
        head = f"{head.removesuffix(listed)}{len(problems)} problems" if head.endswith(listed) else head
    return "\n  ".join([head, *(describe([problem]) for problem in problems)])


def told_of_call(error: ProwessError, root: str) -> str:
    """The same with the place in the project's code where an exception of a handler's own came from."""
    failure = _cause(error)
    path, line = (None, None) if failure is None else place_of(failure, root)
    if failure is None or path is None:
        return told(error)
    return f"{told(error)}\n  {type(failure).__name__} at {os.path.relpath(path, root)}:{line}"


def show_trace(error: BaseException) -> None:
    """Print where an error comes from, for who set PROWESS_DEBUG."""
    if os.environ.get("PROWESS_DEBUG"):
        from traceback import format_exception  # noqa: PLC0415 - only for who asks

        complain(safe("".join(format_exception(_cause(error) or error))).rstrip())


# ---------------------------------------------------------------------------------------------------------------------


def _complaint(error: Exception) -> str:
    if isinstance(error, ConfigurationError | MissingExtraError):  # the label would say it twice
        return error.message
    if isinstance(error, ProwessError):
        return told(error)
    if isinstance(error, UsageError):
        return str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}"
    kind = type(error).__name__
    return f"this should not have happened: {kind}: {error}\nPROWESS_DEBUG=1 shows where, for a report."


def _cause(error: BaseException) -> BaseException | None:
    """The exception of somebody else's code that is behind one of ours; None where there is none."""
    found: BaseException | None = error
    while isinstance(found, ProwessError):
        found = found.__cause__
    return found
