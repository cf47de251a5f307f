"""Whether an audit trail is whole: which record was changed, is missing, or was cut off at the end."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec
from msgspec import Struct

from prowess.model.audit import NOTHING_YET, AuditColumns, AuditHead, KeptRecord, columns_of

__all__ = ["Flaw", "FlawKind", "flaws_in", "flaws_of_end"]


class FlawKind(StrEnum):
    """What happened to a record."""

    CHANGED = "changed"
    """Its text, its hash or what it is looked up by is not what was written."""
    MISSING = "missing"
    """Records before it are gone."""
    CUT_OFF = "cut_off"
    """Records at the end are gone."""
    ADDED = "added"
    """It stands behind the end, or in a place that is not its own."""


class Flaw(Struct, frozen=True):
    """One place at which the trail is not what was written."""

    number: int
    """The record's."""
    kind: FlawKind
    message: str


def flaws_in(records: Iterable[KeptRecord], last: AuditHead = NOTHING_YET) -> Iterator[Flaw]:
    """What is wrong with records that follow each other, and the one that `last` stands for."""
    for kept in records:
        yield from _between(last, kept)
        yield from _inside(kept)
        last = AuditHead(kept.chained.number, kept.chained.hash)


def flaws_of_end(last: AuditHead, head: AuditHead) -> Iterator[Flaw]:
    """What is wrong with a trail that ends with `last`, and whose head was written down as `head`."""
    if last.number < head.number:
        yield Flaw(head.number, FlawKind.CUT_OFF, f"the trail ends with {last.number}, and {head.number} were written")
    elif last.number > head.number:
        yield Flaw(
            last.number, FlawKind.ADDED, f"the trail ends with {last.number}, and only {head.number} were written"
        )
    elif last.hash != head.hash:
        yield Flaw(last.number, FlawKind.CHANGED, "the last record is not the one that was written last")


# ---------------------------------------------------------------------------------------------------------------------


def _between(last: AuditHead, kept: KeptRecord) -> Iterator[Flaw]:
    number = kept.chained.number
    if number > last.number + 1:
        span = f"{last.number + 1}" if number == last.number + 2 else f"{last.number + 1} to {number - 1}"
        yield Flaw(number, FlawKind.MISSING, f"records are missing before it: {span}")
    elif number <= last.number:
        yield Flaw(number, FlawKind.ADDED, f"it stands behind record {last.number}")
    elif kept.chained.previous != last.hash:
        yield Flaw(number, FlawKind.CHANGED, f"it was chained to another record than {last.number} is now")


def _inside(kept: KeptRecord) -> Iterator[Flaw]:
    number = kept.chained.number
    if not kept.chained.holds:
        yield Flaw(number, FlawKind.CHANGED, "its text is not the one that was written")
        return
    columns = _columns_in(kept)
    if columns is None:
        yield Flaw(number, FlawKind.CHANGED, "its text is no record")
    elif columns != kept.columns:
        names = [name for name in columns.__struct_fields__ if getattr(columns, name) != getattr(kept.columns, name)]
        yield Flaw(number, FlawKind.CHANGED, f"it is looked up by another {', '.join(names)} than its text has")


def _columns_in(kept: KeptRecord) -> AuditColumns | None:
    try:
        return columns_of(kept.chained.record)
    except (msgspec.MsgspecError, ValueError):
        return None
