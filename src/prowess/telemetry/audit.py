"""The audit trail: reads the ends of calls, and has them written off the path of the calls."""

import atexit
import logging
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import NoReturn, Protocol

from prowess.errors import StoreError
from prowess.execution.eventloop import asyncio
from prowess.model.audit import EVERYTHING, AuditHead, AuditQuery, AuditRecord, ChainedRecord, KeptRecord
from prowess.model.event import CallFinished, Event
from prowess.telemetry.recording import Recorder, loss_of

__all__ = ["AuditStore", "AuditTrail"]

_LOG = logging.getLogger("prowess.audit")
_GATHER = 0.05
"""Seconds that a record waits for others, so that many share one commit."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a store that failed is tried again: twice as long each time."""


class AuditStore(Protocol):
    """Keeps the trail: adds records, each chained to the one before, and never changes or removes one."""

    @property
    def waits(self) -> bool:
        """Whether a question may wait for a disk or a network, so that no event loop should ask it."""
        ...

    def append(self, records: Sequence[AuditRecord]) -> AuditHead:
        """Chain records to those that are there, all or none, durable when it returns; gives the new head.

        Of several processes that append at once, one comes after the other.
        """
        ...

    def read(
        self, query: AuditQuery = EVERYTHING, *, after: int = 0, limit: int = 1_000, newest: bool = False
    ) -> list[ChainedRecord]:
        """The records after a number that fit, in order: the first of them, or the last where the newest are wanted."""
        ...

    def head(self) -> AuditHead:
        """The newest record's number and hash, as they were written down apart from it."""
        ...

    def rows(self, after: int, limit: int = 1_000) -> list[KeptRecord]:
        """The records after a number with all that is kept of them, in order."""
        ...


class AuditTrail:
    """A reader of events that has a record of each call written that ended, in batches, by a thread of its own.

    Its thread starts with the first call and lives until `close`, which writes all that is left; the end of the process
    closes it too. `sync` writes at once, and is for who waits with `recorded`. Where the store fails, that is logged,
    tried again for as long as it takes, and told to whoever waits. Beyond `most` records that wait, whoever brings one
    waits for room, up to `patience` seconds; what finds none is counted, and a record in the trail says how many.
    """

    def __init__(
        self, store: AuditStore, *, sync: bool = False, most: int = 10_000, batch: int = 500, patience: float = 5.0
    ) -> None:
        self._store = store
        self._sync = sync
        self._most = most
        self._batch = batch
        self._patience = patience
        self._recorder = Recorder()
        self._waiting: deque[CallFinished | Future[None]] = deque()
        """What is to be written, in order; a future among them is somebody who waits until all before it is."""
        self._tickets: dict[int, Future[None]] = {}
        """What `recorded` waits for, by the identity of an event, which lives as long as its ticket."""
        self._asleep = True
        self._work = threading.Event()
        self._hurry = threading.Event()
        self._room = threading.Condition()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._given_up = False
        self._lost = 0
        self._failure: StoreError | None = None

    @property
    def failure(self) -> StoreError | None:
        """What keeps records from being written just now; None where nothing does."""
        return self._failure

    def __call__(self, event: Event) -> None:
        """Take in one event. Raises `StoreError` where there is no room for it, or the trail is closed."""
        if type(event) is CallFinished and event.facts is not None:
            if self._sync:
                self._tickets[id(event)] = Future()
            waiting = self._waiting
            if len(waiting) >= self._most:
                self._wait_for_room(event)
            waiting.append(event)
            if self._asleep:
                self._wake(event)

    async def recorded(self, event: Event) -> None:
        """Wait until the record of an event that was taken in is durable. Raises `StoreError` where it is not in time.

        Only with `sync`; otherwise, and for an event that makes no record, there is nothing to wait for.
        """
        ticket = self._tickets.get(id(event))
        if ticket is not None:
            if not ticket.done():
                await asyncio.wait((asyncio.wrap_future(ticket),), timeout=self._patience)
            self._look_at(event, ticket, 0)

    def wait_until_recorded(self, event: Event) -> None:
        """The same, for code without an event loop."""
        ticket = self._tickets.get(id(event))
        if ticket is not None:
            self._look_at(event, ticket, self._patience)

    def flush(self, timeout: float | None = None) -> None:
        """Wait until all that was taken in is durable. Raises `StoreError` where that takes longer."""
        if self._thread is not None:
            ticket: Future[None] = Future()
            self._waiting.append(ticket)
            self._hurry.set()
            self._work.set()
            self._look_at(None, ticket, self._patience if timeout is None else timeout)

    def close(self, timeout: float | None = None) -> None:
        """Write what is left and end the thread; a second time does nothing. Raises `StoreError` for what was lost."""
        with self._starting:
            thread, self._thread = self._thread, None
            self._closing = True
        if thread is None:
            return
        atexit.unregister(self.close)
        self._hurry.set()
        self._work.set()
        thread.join(self._patience if timeout is None else timeout)
        if thread.is_alive():  # it keeps trying, and nobody must wait for it
            self._given_up = True
            self._hurry.set()
            thread.join()
        if self._lost:
            error = self._late(f"{self._lost} calls are not recorded")
            _LOG.critical("%s", error.message)
            raise error

    # -----------------------------------------------------------------------------------------------------------------

    def _wake(self, event: CallFinished) -> None:
        """Let the thread look; start it where there is none."""
        self._asleep = False
        if self._thread is None:
            with self._starting:
                if self._closing:
                    self._waiting.clear()
                    self._asleep = True
                    self._refuse(
                        event, StoreError("the audit trail is closed: a call is not recorded", retryable=False)
                    )
                self._thread = self._started(self._thread)
        self._work.set()

    def _started(self, thread: threading.Thread | None) -> threading.Thread:
        """A thread that runs: the one that somebody else was quicker to start, or a new one."""
        return thread or self._new_thread()

    def _new_thread(self) -> threading.Thread:
        thread = threading.Thread(target=self._write_all, name="prowess-audit", daemon=True)
        thread.start()
        atexit.register(self.close)
        return thread

    def _wait_for_room(self, event: CallFinished) -> None:
        """Hold up whoever brings more than the store takes."""
        self._hurry.set()
        with self._room:
            found = self._room.wait_for(lambda: len(self._waiting) < self._most, self._patience)
        if not found:
            self._lost += 1
            self._refuse(event, self._late("there is no room: a call is not recorded"))

    def _refuse(self, event: CallFinished, error: StoreError) -> NoReturn:
        ticket = self._tickets.get(id(event))
        if ticket is not None:
            ticket.set_exception(error)
        raise error

    def _look_at(self, event: Event | None, ticket: "Future[None]", timeout: float) -> None:
        try:
            ticket.result(timeout)
        except FutureTimeoutError:
            raise self._late("a record is not durable yet") from None
        except StoreError:
            self._tickets.pop(id(event), None)
            raise

    def _late(self, what: str) -> StoreError:
        why = self._failure.message if self._failure else "the store takes too long"
        return StoreError(f"{what}: {why}")

    def _write_all(self) -> None:
        """What the thread does: wait for work, let a batch gather, write it."""
        while not (self._closing and not self._waiting):
            self._work.wait()
            if not (self._sync or self._closing):
                self._hurry.wait(_GATHER)
            self._hurry.clear()
            self._work.clear()
            self._asleep = True
            while self._waiting:
                self._write_batch()

    def _write_batch(self) -> None:
        taken = [self._waiting.popleft() for _ in range(min(self._batch, len(self._waiting)))]
        with self._room:
            self._room.notify_all()
        events = [one for one in taken if isinstance(one, CallFinished)]
        records = [self._recorder.record_of(event) for event in events]
        lost = self._lost if records else 0
        if lost:
            records.append(loss_of(lost, records[-1].at))
        if records and not self._append(records):
            self._lost += len(events)
            return
        self._lost -= lost
        for one in taken:
            ticket = self._tickets.pop(id(one), None) if isinstance(one, CallFinished) else one
            if ticket is not None:
                ticket.set_result(None)

    def _append(self, records: Sequence[AuditRecord]) -> bool:
        """Write records, however often that has to be tried; False where nobody waits for that any more."""
        pause = _FIRST_PAUSE
        while not self._given_up:
            try:
                self._store.append(records)
            except Exception as error:  # noqa: BLE001 - the task boundary: whatever a store raises must not end the trail
                failure = error if isinstance(error, StoreError) else StoreError(f"{type(error).__name__}: {error}")
                if self._failure is None:
                    _LOG.error("calls cannot be recorded, and wait to be: %s", failure.message)
                self._failure = failure
                self._hurry.wait(pause)
                self._hurry.clear()
                pause = min(2 * pause, _FIRST_PAUSE if self._closing else _LONGEST_PAUSE)
            else:
                if self._failure is not None:
                    _LOG.warning("calls are recorded again")
                self._failure = None
                return True
        return False
