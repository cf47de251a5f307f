"""The audit trail's values: what a call was and came to, and how each record vouches for the one before."""

from hashlib import sha256

from msgspec import Struct, json

from prowess.model.event import Stage
from prowess.model.json_value import Json
from prowess.model.verdict import Reason

__all__ = ["BEGINNING", "AuditRecord", "ChainedRecord", "link"]

BEGINNING = "0" * 64
"""Stands before the first record."""


class AuditRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call, as it was decided and as it ended. Nothing in it is unmasked."""

    at: float
    """When the call began, in seconds since the epoch."""
    duration: float
    """Seconds."""
    entry: str
    """`name@version`, or what was asked for where there is no such entry."""
    actor: str
    channel: str
    run: str
    call: int
    parent: int | None = None
    """The call that made this one, within the same run."""
    trace: str | None = None
    digest: str | None = None
    """SHA-256 of the entry as it was called: its manifest."""
    capabilities: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    inputs: Json = None
    output: Json = None
    verdict: str = "allow"
    """`allow`, `ask` or `deny`."""
    reasons: tuple[Reason, ...] = ()
    stage: Stage = Stage.RECORD
    """The last stage that the call reached."""
    error: str | None = None
    """The error's code; None for success."""
    message: str | None = None
    """The error's text for the operator."""

    @property
    def text(self) -> bytes:
        """Its JSON: what is kept, and what the chain is made of."""
        return json.encode(self)


class ChainedRecord(Struct, frozen=True):
    """A record in its place: its number, and the hash that takes in the hash of the record before."""

    number: int
    """From 1, without gaps."""
    previous: str
    hash: str
    text: bytes
    """The record's JSON, as it was kept."""

    @property
    def record(self) -> AuditRecord:
        """The record itself; raises `msgspec.DecodeError` for a text that is none."""
        return json.decode(self.text, type=AuditRecord)

    @property
    def holds(self) -> bool:
        """Whether its hash is that of its text and of the record before."""
        return self.hash == link(self.previous, self.text)


def link(previous: str, text: bytes) -> str:
    """The hash of a record whose predecessor has this one."""
    return sha256(previous.encode() + text).hexdigest()
