"""What every store of the audit trail does: it chains, keeps, finds, and shows what was done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from prowess.app.records.stores import open_store
from prowess.app.records.trail import Trail
from prowess.model.audit import BEGINNING, NOTHING_YET, AuditHead, AuditQuery, AuditRecord, columns_of
from prowess.model.event import Stage
from prowess.model.verdict import Reason
from prowess.storage.records.memory import MemoryStore
from tests.ports.records.asking import in_processes, in_threads

if TYPE_CHECKING:
    from prowess.app.records.stores import Store

APPENDING = """
import sys
from prowess.app.records.stores import open_store
from prowess.model.audit import AuditRecord

store, me = open_store(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for call in range(20):
    record = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor=me, channel="cli", run=me, call=call)
    store.audit.append([record, record])
print(store.audit.head().number)
store.close()
"""
QUERIES = {
    AuditQuery(entry="pay"): [1, 2],
    AuditQuery(entry="pay@1.0.0"): [1],
    AuditQuery(entry="pay@1"): [],
    AuditQuery(entry="pa"): [],
    AuditQuery(actor="ada"): [1, 3],
    AuditQuery(channel="http"): [2],
    AuditQuery(verdict="deny"): [2],
    AuditQuery(verdict="ask"): [4],
    AuditQuery(run="r2"): [3],
    AuditQuery(error="forbidden"): [2],
    AuditQuery(error="*"): [2, 4],
    AuditQuery(since=20.0): [2, 3, 4],
    AuditQuery(until=30.0): [1, 2, 5],
    AuditQuery(since=15.5, until=30.5, actor="ada"): [3],
    AuditQuery(entry="pay' OR 1=1 --"): [],
    AuditQuery(actor="zero\0"): [5],
    AuditQuery(): [1, 2, 3, 4, 5],
}


def call(**fields: Any) -> AuditRecord:
    """A record."""
    given: dict[str, Any] = {"at": 10.0, "duration": 0.25, "entry": "pay@1.0.0", "actor": "ada", "channel": "cli"}
    return AuditRecord(**{**given, "run": "r1", "call": 1, **fields})


RECORDS = [
    call(inputs={"a": [1, "ü", None]}, output={"b": 1.5}, capabilities=("x.y",), trace="t"),
    call(at=20.5, entry="pay@2.0.0", actor="bob", channel="http", verdict="deny", error="forbidden", parent=1),
    call(at=30.0, entry="payment@1.0.0", run="r2", reasons=(Reason("rule", "because"),), stage=Stage.RATE),
    call(at=40.0, entry="other", actor="bob", verdict="ask", error="approval_required"),
    call(at=5.0, entry="nul\0@1", actor="zero\0", channel="\0"),
]


@pytest.fixture
def filled(store: Store) -> Store:
    """Give a store with five records."""
    store.audit.append(RECORDS[:2])
    store.audit.append(RECORDS[2:])
    return store


@pytest.mark.behaviour("records.audit-chained")
def test_records_are_chained_and_come_back_as_they_were(store: Store) -> None:
    """Spec: append-only, each chained to the one before by hash."""
    assert store.audit.head() == NOTHING_YET
    assert store.audit.read() == []
    first = store.audit.append(RECORDS[:2])
    last = store.audit.append(RECORDS[2:])
    found = store.audit.read()
    assert [one.number for one in found] == [1, 2, 3, 4, 5]
    assert [one.record for one in found] == RECORDS
    assert all(one.holds for one in found)
    assert [one.previous for one in found] == [BEGINNING, *(one.hash for one in found[:-1])]
    assert first == AuditHead(2, found[1].hash)
    assert last == store.audit.head() == AuditHead(5, found[4].hash)


def test_nothing_appended_is_nothing_changed(filled: Store) -> None:
    """Choice: an empty batch is no mistake."""
    assert filled.audit.append([]) == filled.audit.head()
    assert len(filled.audit.read()) == 5


@pytest.mark.behaviour("records.audit-filters")
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: ",".join(query.terms) or "everything")
def test_a_filter_gives_the_records_that_fit_on_every_store(filled: Store, query: AuditQuery) -> None:
    """Spec: entry, actor, channel, verdict, since and until, error, run."""
    assert [one.number for one in filled.audit.read(query)] == QUERIES[query]
    assert [number for number, one in enumerate(RECORDS, 1) if query.fits(columns_of(one))] == QUERIES[query]


def test_records_are_read_from_either_end_and_after_a_number(filled: Store) -> None:
    """Spec: read by filters, and after a number."""

    def numbers(*, after: int = 0, limit: int = 9, newest: bool = False) -> list[int]:
        found = filled.audit.read(AuditQuery(actor="ada"), after=after, limit=limit, newest=newest)
        return [one.number for one in found]

    assert numbers(limit=1) == [1]
    assert numbers(limit=1, newest=True) == [3]
    assert numbers(newest=True) == [1, 3]
    assert numbers(after=1) == [3]
    assert numbers(after=1, newest=True) == [3]
    assert numbers(after=9) == []


def test_rows_bring_what_a_record_is_looked_up_by(filled: Store) -> None:
    """Spec: columns for filters agree with the kept text."""
    rows = filled.audit.rows(1, 3)
    assert [one.chained.number for one in rows] == [2, 3, 4]
    assert [one.columns for one in filled.audit.rows(0)] == [columns_of(record) for record in RECORDS]
    assert filled.audit.waits == (not isinstance(filled, MemoryStore))


@pytest.mark.behaviour("records.audit-chained")
def test_threads_that_append_at_once_make_one_chain(store: Store) -> None:
    """Spec: also when several append."""
    in_threads(lambda number: [store.audit.append([call(call=number)] * 3) for _ in range(5)])
    verified = Trail(store.audit).verify()
    assert (verified.whole, verified.records, verified.head.number) == (True, 120, 120)


@pytest.mark.behaviour("records.audit-chained")
def test_processes_that_append_at_once_make_one_chain(address: str) -> None:
    """Spec: also when several processes append."""
    open_store(address).close()
    in_processes(APPENDING, address)
    store = open_store(address)
    verified = Trail(store.audit).verify()
    assert (verified.whole, verified.records) == (True, 160)
    assert [len(store.audit.read(AuditQuery(actor=str(number)))) for number in range(4)] == [40] * 4
    store.close()
