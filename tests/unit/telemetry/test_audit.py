from __future__ import annotations

import asyncio
import gc
import logging
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from prowess.errors import StoreError
from prowess.model.event import CallStarted
from prowess.storage.records.memory import MemoryAuditStore
from prowess.telemetry.audit import AuditTrail
from tests.unit.telemetry.calls import CALLER, PATIENCE, Failing, ended

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prowess.model.audit import AuditHead, AuditRecord


def calls_in(store: MemoryAuditStore) -> list[int]:
    """The numbers of the calls that were recorded, in order."""
    return [one.record.call for one in store.read(limit=100_000)]


@pytest.mark.behaviour("records.audit-off-path")
def test_records_are_written_by_another_thread_in_batches() -> None:
    """Spec: written in batches off the hot path."""
    threads: set[int] = set()

    class Watching(Failing):
        def append(self, records: Sequence[AuditRecord]) -> AuditHead:
            threads.add(threading.get_ident())
            return super().append(records)

    store = Watching()
    store.failure = None
    trail = AuditTrail(store, batch=300)
    for number in range(1_000):
        trail(ended(number))
    trail.flush()
    assert calls_in(store) == list(range(1_000))
    assert max(store.batches) <= 300
    assert len(store.batches) < 100
    assert threads
    assert threading.get_ident() not in threads
    trail.close()


@pytest.mark.behaviour("records.audit-off-path")
def test_closing_writes_all_that_is_left() -> None:
    """Spec: on a clean stop nothing is lost."""
    store = MemoryAuditStore()
    trail = AuditTrail(store)
    for number in range(50):
        trail(ended(number))
    trail.close()
    trail.close()
    assert calls_in(store) == list(range(50))
    assert "prowess-audit" not in [thread.name for thread in threading.enumerate()]


def test_many_threads_are_recorded_each_in_its_order() -> None:
    """Choice: a reader is told on the thread where a call ends."""
    store = MemoryAuditStore()
    trail = AuditTrail(store, most=100)

    def tell(worker: int) -> None:
        for number in range(500):
            trail(ended(1_000 * worker + number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(tell, range(8)))
    trail.close()
    found = calls_in(store)
    assert [[call for call in found if call // 1_000 == worker] for worker in range(8)] == [
        [1_000 * worker + number for number in range(500)] for worker in range(8)
    ]


def test_other_events_and_calls_without_facts_make_no_record() -> None:
    """Choice: no thread starts for them either."""
    store = MemoryAuditStore()
    trail = AuditTrail(store)
    before = threading.active_count()
    trail(CallStarted(1, None, "pay@1.0.0", CALLER, 1.0))
    trail(ended(facts=None))
    trail.flush()
    assert threading.active_count() == before
    trail.close()
    assert calls_in(store) == []


def test_a_closed_trail_takes_nothing() -> None:
    """Choice: what is not recorded is told, whenever it comes."""
    for used in (False, True):
        trail = AuditTrail(MemoryAuditStore())
        if used:
            trail(ended())
        trail.close()
        with pytest.raises(StoreError, match=r"closed: a call is not recorded"):
            trail(ended())
        with pytest.raises(StoreError, match=r"closed"):
            trail(ended())


@pytest.mark.behaviour("records.audit-failing")
@pytest.mark.parametrize("failure", [StoreError("the disk is full"), OSError("the disk is full")])
def test_a_store_that_fails_is_told_of_once_and_tried_until_it_works(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """Spec: told loudly and retried, not silently dropped."""
    store = Failing(failure)
    trail = AuditTrail(store, patience=PATIENCE)
    trail(ended(1))
    for _ in range(2):
        assert store.tried.acquire(timeout=PATIENCE)
    assert "the disk is full" in str(trail.failure)
    trail(ended(2))
    with pytest.raises(StoreError, match=r"not durable yet: .*the disk is full"):
        trail.flush(0.01)
    store.failure = None
    trail.flush()
    assert calls_in(store) == [1, 2]
    assert trail.failure is None
    trail.close()
    told = [(record.levelno, record.getMessage()) for record in caplog.records]
    assert [level for level, _ in told] == [logging.ERROR, logging.WARNING]
    assert "the disk is full" in told[0][1]


@pytest.mark.behaviour("records.audit-failing")
def test_whoever_brings_too_much_waits_for_room() -> None:
    """Spec: a bounded queue with back-pressure."""
    store = Failing()
    trail = AuditTrail(store, most=3, batch=1, patience=PATIENCE)
    trail(ended(0))
    assert store.tried.acquire(timeout=PATIENCE)
    for number in (1, 2, 3):
        trail(ended(number))
    late = threading.Thread(target=trail, args=(ended(4),))
    late.start()
    assert late.is_alive()
    store.failure = None
    late.join(PATIENCE)
    assert not late.is_alive()
    trail.close()
    assert calls_in(store) == [0, 1, 2, 3, 4]


@pytest.mark.behaviour("records.audit-failing")
def test_what_finds_no_room_is_told_and_the_trail_says_that_it_has_a_hole() -> None:
    """Spec: never silently dropped."""
    store = Failing()
    trail = AuditTrail(store, most=1, batch=1, patience=0.01)
    trail(ended(1))
    assert store.tried.acquire(timeout=PATIENCE)
    trail(ended(2))
    for number in (3, 4):
        with pytest.raises(StoreError, match=r"no room: a call is not recorded: the disk is full"):
            trail(ended(number))
    store.failure = None
    trail.flush(PATIENCE)
    trail.close()
    records = [one.record for one in store.read()]
    assert [record.call for record in records] == [1, 2, 0] or [record.call for record in records] == [1, 0, 2]
    [hole] = [record for record in records if record.error == "records_lost"]
    assert hole.message is not None
    assert hole.message.startswith("2 calls")


@pytest.mark.behaviour("records.audit-failing")
def test_closing_tells_what_could_not_be_written(caplog: pytest.LogCaptureFixture) -> None:
    """Spec: as above."""
    store = Failing()
    trail = AuditTrail(store, batch=2, patience=0.05)
    for number in range(5):
        trail(ended(number))
    with pytest.raises(StoreError, match=r"5 calls are not recorded: the disk is full"):
        trail.close()
    assert caplog.records[-1].levelno == logging.CRITICAL
    trail.close()


@pytest.mark.behaviour("records.audit-sync")
async def test_whoever_waits_for_a_record_waits_until_it_is_durable() -> None:
    """Spec: `audit = "sync"` makes each call wait for it."""
    store = Failing()
    trail = AuditTrail(store, sync=True, patience=PATIENCE)
    event = ended()
    trail(event)
    waiting = asyncio.create_task(trail.recorded(event))
    await asyncio.to_thread(store.tried.acquire, timeout=PATIENCE)
    assert not waiting.done()
    store.failure = None
    await waiting
    assert calls_in(store) == [1]
    await trail.recorded(event)
    await trail.recorded(ended(facts=None))
    trail.wait_until_recorded(event)
    trail.close()


@pytest.mark.behaviour("records.audit-sync")
def test_code_without_an_event_loop_waits_as_well() -> None:
    """Spec: as above."""
    store = MemoryAuditStore()
    trail = AuditTrail(store, sync=True, patience=PATIENCE)

    def tell(number: int) -> int:
        event = ended(number)
        trail(event)
        trail.wait_until_recorded(event)
        return store.head().number

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(tell, range(100)))
    assert store.head().number == 100
    trail.close()


@pytest.mark.behaviour("records.audit-sync")
async def test_a_record_that_is_not_durable_in_time_is_told() -> None:
    """Spec: as above; the record still waits to be written."""
    store = Failing()
    trail = AuditTrail(store, sync=True, patience=0.02)
    event = ended()
    trail(event)
    with pytest.raises(StoreError, match=r"not durable yet"):
        await trail.recorded(event)
    with pytest.raises(StoreError, match=r"not durable yet: the"):
        trail.wait_until_recorded(event)
    store.failure = None
    trail.flush(PATIENCE)
    await trail.recorded(event)
    assert calls_in(store) == [1]
    trail.close()


@pytest.mark.behaviour("records.audit-sync")
async def test_a_call_that_found_no_room_is_not_taken_for_recorded() -> None:
    """Choice: a reader's failure is only logged, so whoever waits has to be told again."""
    trail = AuditTrail(MemoryAuditStore(), sync=True)
    trail.close()
    event = ended()
    with pytest.raises(StoreError, match=r"closed"):
        trail(event)
    with pytest.raises(StoreError, match=r"closed"):
        await trail.recorded(event)
    await trail.recorded(event)  # told, and forgotten


def test_in_batches_nobody_waits_for_a_record() -> None:
    """Choice: the default costs a call no wait."""
    trail = AuditTrail(Failing(), patience=0.01)
    event = ended()
    trail(event)
    trail.wait_until_recorded(event)
    with pytest.raises(StoreError):
        trail.close()


def test_a_closed_trail_keeps_nothing_alive() -> None:
    """Choice: a runtime that was closed goes away with its trail."""
    trail = AuditTrail(MemoryAuditStore())
    trail(ended())
    trail.close()
    seen = weakref.ref(trail)
    del trail
    gc.collect()
    assert seen() is None
