"""What only PostgreSQL does: a network in between, a pool, and text that it cannot hold."""

from __future__ import annotations

import threading

import psycopg
import pytest
from msgspec.structs import replace

from prowess.errors import StoreError
from prowess.storage.records.postgres import PostgresStore
from prowess.storage.records.postgres_pool import Connections
from tests.ports.records.test_approvals import ASKED


@pytest.mark.behaviour("records.broken-store")
@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://ada:secret@127.0.0.1:1/shop", r"'shop' on 127\.0\.0\.1: .*refused"),
        ("postgresql://ada:secret@127.0.0.1:1/shop?no_such_option=1", "no_such_option"),
        ("postgresql://ada:secret@/shop?host=/nowhere", "'shop' on /nowhere: "),
    ],
)
def test_a_database_that_cannot_be_reached_is_told_without_its_password(address: str, told: str) -> None:
    """Spec: a clear error; secrets stay out of it."""
    with pytest.raises(StoreError, match=told) as caught:
        PostgresStore(address, patience=2)
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(caught.value.details)


@pytest.mark.behaviour("records.broken-store")
def test_a_connection_that_was_lost_is_told_and_the_next_one_works(schema: str, postgres: str) -> None:
    """Choice: a database that was started again is used again."""
    store = PostgresStore(f"{schema}&application_name=lost", most=2)
    store.audit.head()
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lost'")
    with pytest.raises(StoreError) as caught:
        store.audit.head()
    assert caught.value.retryable
    assert store.audit.head().number == 0
    store.close()


@pytest.mark.behaviour("records.broken-store")
def test_a_pool_that_is_used_up_is_told(schema: str) -> None:
    """Choice: who waits too long learns for what."""
    pool = Connections(schema, most=1, patience=0.1)
    with pool.transaction(), pytest.raises(StoreError, match=r"no connection was free within 0\.1 seconds"):
        pool.rows("SELECT 1")
    assert pool.rows("SELECT 1") == [(1,)]
    pool.close()


@pytest.mark.behaviour("records.broken-store")
def test_a_closed_store_says_so(schema: str) -> None:
    """Choice: closing twice does nothing."""
    store = PostgresStore(schema)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.audit.head()


def test_what_its_text_cannot_hold_is_refused(schema: str) -> None:
    """Choice: a proposal is kept as it is, or not at all."""
    store = PostgresStore(schema)
    with pytest.raises(StoreError, match="NUL") as caught:
        store.approvals.propose(replace(ASKED, actor="a\0b"))
    assert not caught.value.retryable
    assert store.approvals.list(now=1.0) == []
    store.close()


def test_windows_that_are_long_over_are_forgotten_when_a_store_opens(schema: str) -> None:
    """Choice: keys that nobody uses any more do not fill the table."""
    store = PostgresStore(schema)
    store.rates.acquire("short", 1, 0.001)
    store.rates.acquire("long", 1, 60.0)
    store.close()
    threading.Event().wait(0.01)
    store = PostgresStore(schema)
    with psycopg.connect(schema) as other:
        assert other.execute("SELECT key FROM prowess_rate").fetchall() == [("long",)]
    store.close()


def test_a_clock_that_was_put_back_locks_nobody_out(schema: str) -> None:
    """Choice: as in the other stores."""
    store = PostgresStore(schema)
    store.rates.acquire("one", 1)
    with psycopg.connect(schema) as other:
        other.execute("UPDATE prowess_rate SET times = ARRAY[times[1] + 3600]")
    assert store.rates.acquire("one", 1).allowed
    assert not store.rates.acquire("one", 1).allowed
    store.close()
