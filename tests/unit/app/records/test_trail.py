from __future__ import annotations

import threading

from msgspec.structs import replace

from prowess.app.records.trail import Trail, record_json
from prowess.model.audit import NOTHING_YET, AuditQuery, AuditRecord, ChainedRecord
from prowess.storage.records.memory import MemoryAuditStore

RECORD = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=0)
OTHER = replace(RECORD, actor="bob")


def test_the_newest_and_those_after_a_number_are_found() -> None:
    """Spec: read by filters, and after a number."""
    store = MemoryAuditStore()
    trail = Trail(store)
    assert (trail.end, trail.newest()) == (0, [])
    store.append([RECORD, OTHER, RECORD, OTHER])
    assert [one.number for one in trail.newest(limit=2)] == [3, 4]
    assert [one.number for one in trail.after(1, AuditQuery(actor="bob"))] == [2, 4]
    assert trail.end == 4


def test_what_comes_is_followed_without_a_gap_and_without_repeating() -> None:
    """Spec: `--follow`."""
    store = MemoryAuditStore()
    trail, stop = Trail(store), threading.Event()
    store.append([OTHER, RECORD])
    seen: list[int] = []
    for one in trail.follow(0, AuditQuery(actor="ada"), stop):
        seen.append(one.number)
        if len(seen) == 1:
            store.append([OTHER] * 3)
            threading.Timer(0.05, store.append, ([RECORD],)).start()
        else:
            stop.set()
    assert seen == [2, 6]


def test_more_than_a_page_is_followed() -> None:
    """Choice: a page that is full is not taken for the end."""
    store = MemoryAuditStore()
    store.append([RECORD] * 2_500)
    following = Trail(store).follow(0)
    assert [next(following).number for _ in range(2_500)] == list(range(1, 2_501))


def test_an_empty_trail_is_whole_and_a_long_one_is_looked_at_page_by_page() -> None:
    """Spec: verify."""
    store = MemoryAuditStore()
    trail = Trail(store)
    empty = trail.verify()
    assert (empty.whole, empty.records, empty.head) == (True, 0, NOTHING_YET)
    store.append([RECORD] * 2_500)
    found = trail.verify(store.head())
    assert (found.whole, found.records, found.head.number) == (True, 2_500, 2_500)


def test_a_record_as_json_has_its_place() -> None:
    """Choice: a program reads the same as a person."""
    assert record_json(ChainedRecord(3, "p", "h", RECORD.text)) == {
        "number": 3,
        "hash": "h",
        "at": 1.0,
        "duration": 0.1,
        "entry": "x@1",
        "actor": "ada",
        "channel": "cli",
        "run": "r",
        "call": 0,
    }
    assert record_json(ChainedRecord(3, "p", "h", b"\xff{")) == {"number": 3, "hash": "h", "damaged": "\ufffd{"}
