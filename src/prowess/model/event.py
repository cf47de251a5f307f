"""What happened, told once: the audit trail, telemetry, progress bars and pages only read these.

The gate's stages stand in a fixed order, so one event that names the stage where a call stopped tells of each stage
before it. Times are seconds since the epoch and never go back within one process.
"""

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from prowess.model.caller import Caller
from prowess.model.json_value import Json
from prowess.model.manifest import Manifest
from prowess.model.sealed import Sealed
from prowess.model.verdict import ALLOW, Verdict

__all__ = [
    "CallFacts",
    "CallFinished",
    "CallStarted",
    "Event",
    "HandlerAbandoned",
    "MessageLogged",
    "NoticeGiven",
    "OutputStreamed",
    "ProgressReported",
    "Stage",
]


class Stage(StrEnum):
    """The gate's stages in their order."""

    RESOLVE = "resolve"
    STATUS = "status"
    VISIBLE = "visible"
    INPUTS = "inputs"
    PERMITTED = "permitted"
    APPROVED = "approved"
    RATE = "rate"
    RUN = "run"
    OUTPUTS = "outputs"
    REDACT = "redact"
    RECORD = "record"


class CallStarted(Struct, frozen=True, tag=True, gc=False):
    """A call passed every stage before `run`: its handler is about to start."""

    call: int
    """The call's number within its runtime."""
    parent: int | None
    """The call that made this one, for a nested call."""
    entry: str
    """`name@version`."""
    caller: Caller
    at: float


class CallFacts(Struct, frozen=True, gc=False):
    """What a record of a call needs besides how it ended; told only where a reader asked for it."""

    run: str
    """The id of the run that the call belongs to."""
    manifest: Manifest | None = None
    """The entry's own; None where there is no such entry."""
    inputs: Sealed | None = None
    output: Sealed | None = None
    verdict: Verdict = ALLOW


class CallFinished(Struct, frozen=True, tag=True, gc=False):
    """A call ended. `stage` is the last one it reached: `record` where all went well."""

    call: int
    parent: int | None
    entry: str
    """`name@version`, or what was asked for where there is no such entry."""
    caller: Caller
    began: float
    duration: float
    """Seconds."""
    stage: Stage
    error: str | None = None
    """The error's code, None for success."""
    message: str | None = None
    """The error's text for the operator."""
    facts: CallFacts | None = None


class ProgressReported(Struct, frozen=True, tag=True, gc=False):
    """A handler told how far it is."""

    call: int
    at: float
    done: float
    total: float | None = None
    message: str | None = None


class MessageLogged(Struct, frozen=True, tag=True):
    """A handler logged a line."""

    call: int
    at: float
    message: str
    fields: dict[str, Json] = {}


class OutputStreamed(Struct, frozen=True, tag=True):
    """A streaming handler gave one piece of its output."""

    call: int
    at: float
    piece: Json


class NoticeGiven(Struct, frozen=True, tag=True, gc=False):
    """Something about a call that runs which its owner should know: that it tells of itself (`L2`), a deprecation."""

    call: int
    entry: str
    caller: Caller
    at: float
    rule: str
    message: str


class HandlerAbandoned(Struct, frozen=True, tag=True, gc=False):
    """A handler was left to itself when its deadline came or its caller went away; its result will be thrown away.

    Told at once of one in a thread, since no thread can be stopped, even where it looks at `cancelled` and ends soon
    after; of a coroutine only where it survived every attempt to stop it.
    """

    call: int
    entry: str
    at: float


ABANDONED = "its handler was left to itself and runs on; what it comes to is thrown away"
"""What an operator is told of it."""

Event: TypeAlias = (
    CallStarted | CallFinished | ProgressReported | MessageLogged | OutputStreamed | NoticeGiven | HandlerAbandoned
)
