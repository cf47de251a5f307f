"""Reading the audit trail: what was asked for, what follows, and whether it is whole."""

import threading
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from prowess.model.audit import EVERYTHING, NOTHING_YET, AuditHead, AuditQuery, ChainedRecord
from prowess.telemetry.audit import AuditStore
from prowess.telemetry.verifying import Flaw, FlawKind, flaws_in, flaws_of_end

__all__ = ["Trail", "Verified", "record_json"]

_PAGE = 1_000
_MOST_FLAWS = 100
_TURN = 0.25
"""Seconds between two looks for new records: another process writes them, and tells nobody."""


class Verified(Struct, frozen=True):
    """What a look at the whole trail came to."""

    records: int
    head: AuditHead
    flaws: tuple[Flaw, ...]
    """The first hundred, in the order of the trail."""

    @property
    def whole(self) -> bool:
        """Whether nothing was changed or removed."""
        return not self.flaws


class Trail:
    """The audit trail of one store, as it is read. Its questions may wait: ask them off an event loop."""

    def __init__(self, store: AuditStore) -> None:
        self._store = store

    @property
    def end(self) -> int:
        """The number of the newest record, 0 where there is none."""
        return self._store.head().number

    def newest(self, query: AuditQuery = EVERYTHING, *, limit: int = 50) -> list[ChainedRecord]:
        """The last records that fit, in order."""
        return self._store.read(query, limit=limit, newest=True)

    def after(self, number: int, query: AuditQuery = EVERYTHING, *, limit: int = 50) -> list[ChainedRecord]:
        """The first records after a number that fit."""
        return self._store.read(query, after=number, limit=limit)

    def follow(
        self, number: int, query: AuditQuery = EVERYTHING, stop: threading.Event | None = None
    ) -> Iterator[ChainedRecord]:
        """The records after a number that fit, as they come, until `stop` is set."""
        ended = stop or threading.Event()
        while not ended.is_set():
            head = self._store.head().number  # before the look: what comes meanwhile is for the next one
            found = self._store.read(query, after=number, limit=_PAGE)
            yield from found
            number = found[-1].number if len(found) == _PAGE else max(number, head, *(one.number for one in found))
            if not found:
                ended.wait(_TURN)

    def verify(self, known: AuditHead | None = None) -> Verified:
        """Look at every record: whether one was changed or is missing, and whether the trail ends where it should.

        `known` is a head that somebody wrote down elsewhere: it shows, too, whether the whole trail was exchanged.
        """
        flaws: list[Flaw] = []
        last, count = NOTHING_YET, 0
        head = self._store.head()
        while page := self._store.rows(last.number, _PAGE):
            flaws += flaws_in(page, last)
            flaws += [_exchanged(known) for one in page if known and _contradicts(one.chained, known)]
            last, count = AuditHead(page[-1].chained.number, page[-1].chained.hash), count + len(page)
            head = self._store.head()  # read after its page, and before the next: what others append is in both
        flaws += flaws_of_end(last, head)
        if known is not None and known.number > last.number:
            flaws.append(Flaw(known.number, FlawKind.CUT_OFF, "it was there once, and the trail ends before it"))
        return Verified(count, head, tuple(flaws[:_MOST_FLAWS]))


def record_json(chained: ChainedRecord) -> dict[str, object]:
    """A record as JSON, with its number and hash. What is damaged is shown as it is."""
    place: dict[str, object] = {"number": chained.number, "hash": chained.hash}
    try:
        fields: dict[str, object] = msgspec.json.decode(chained.text, type=dict[str, object])
    except (msgspec.MsgspecError, ValueError):
        return {**place, "damaged": chained.text.decode("utf-8", "replace")}
    return {**place, **fields}


# ---------------------------------------------------------------------------------------------------------------------


def _contradicts(chained: ChainedRecord, known: AuditHead) -> bool:
    return chained.number == known.number and chained.hash != known.hash


def _exchanged(known: AuditHead) -> Flaw:
    return Flaw(known.number, FlawKind.CHANGED, "it is another than the one that was written down")
