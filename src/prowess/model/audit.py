"""The audit trail's values: what a call was and came to, and how each record vouches for the one before."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

from msgspec import Struct, json

from prowess.model.event import Stage
from prowess.model.json_value import JsonField
from prowess.model.verdict import Reason

__all__ = [
    "BEGINNING",
    "EVERYTHING",
    "NOTHING_YET",
    "AuditColumns",
    "AuditHead",
    "AuditQuery",
    "AuditRecord",
    "ChainedRecord",
    "KeptRecord",
    "chain",
    "columns_of",
    "link",
]

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
    inputs: JsonField = None
    output: JsonField = None
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


class AuditHead(Struct, frozen=True):
    """The newest record's number and hash: what the chain has to lead to."""

    number: int
    hash: str


NOTHING_YET = AuditHead(0, BEGINNING)
"""The head of an empty trail."""


class AuditColumns(Struct, frozen=True):
    """What a record is looked up by: kept beside its text, and made of it."""

    at: float
    entry: str
    actor: str
    channel: str
    run: str
    verdict: str
    error: str | None


class KeptRecord(Struct, frozen=True):
    """A record with all that a store keeps of it."""

    chained: ChainedRecord
    columns: AuditColumns


class AuditQuery(Struct, frozen=True, kw_only=True):
    """Which records are asked for: those that fit everything that is not None."""

    entry: str | None = None
    """`name@version`, or a name for every version of it."""
    actor: str | None = None
    channel: str | None = None
    run: str | None = None
    verdict: str | None = None
    error: str | None = None
    """A code, or `*` for any."""
    since: float | None = None
    """Calls that began then, or later."""
    until: float | None = None
    """Calls that began before."""

    @property
    def terms(self) -> dict[str, str | float]:
        """What is asked for by name, as columns hold it."""
        given = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: _kept(one) if isinstance(one, str) else one for name, one in given.items() if one is not None}

    def fits(self, columns: AuditColumns) -> bool:
        """Whether a record is one of those."""
        return all(_FITS[name](columns, term) for name, term in self.terms.items())


EVERYTHING = AuditQuery()


def link(previous: str, text: bytes) -> str:
    """The hash of a record whose predecessor has this one."""
    return sha256(previous.encode() + text).hexdigest()


def chain(head: AuditHead, records: Iterable[AuditRecord]) -> list[KeptRecord]:
    """The next records of a trail, each in its place."""
    kept: list[KeptRecord] = []
    number, previous = head.number, head.hash
    for record in records:
        text = record.text
        number, before, previous = number + 1, previous, link(previous, text)
        kept.append(KeptRecord(ChainedRecord(number, before, previous, text), columns_of(record)))
    return kept


def columns_of(record: AuditRecord) -> AuditColumns:
    """What a record is looked up by."""
    return AuditColumns(
        at=record.at,
        entry=_kept(record.entry),
        actor=_kept(record.actor),
        channel=_kept(record.channel),
        run=_kept(record.run),
        verdict=record.verdict,
        error=record.error,
    )


# ---------------------------------------------------------------------------------------------------------------------


def _kept(text: str) -> str:
    """Text without what a database's text cannot hold."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_entry(columns: AuditColumns, term: str | float) -> bool:
    return columns.entry == term or columns.entry.startswith(f"{term}@")


def _has(name: str) -> Callable[[AuditColumns, str | float], bool]:
    return lambda columns, term: getattr(columns, name) == term


_FITS: Mapping[str, Callable[[AuditColumns, str | float], bool]] = {
    "entry": _is_entry,
    **{name: _has(name) for name in ("actor", "channel", "run", "verdict")},
    "error": lambda columns, term: columns.error == term or (term == "*" and columns.error is not None),
    "since": lambda columns, term: columns.at >= float(term),
    "until": lambda columns, term: columns.at < float(term),
}
