"""What every store of rates does: it counts exactly, whoever asks at once."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from prowess.app.records.stores import open_store
from prowess.model.rate import Admission
from prowess.storage.records.memory import MemoryStore
from prowess.storage.records.sqlite import SqliteStore
from tests.ports.records.asking import in_processes, in_threads

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from prowess.app.records.stores import Store

ASKING = """
import sys
from concurrent.futures import ThreadPoolExecutor
from prowess.app.records.stores import open_store

store = open_store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(8) as pool:
    answers = list(pool.map(lambda _: store.rates.acquire("one", 50).allowed, range(8 * 10)))
print(sum(answers))
store.close()
"""


class Moving:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(params=["memory", "sqlite"])
def moved(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[tuple[Store, Moving]]:
    """Give each store whose clock is the process's, with the clock."""
    clock = Moving()
    opened = MemoryStore(clock=clock) if request.param == "memory" else SqliteStore(f"{tmp_path}/s.db", clock=clock)
    store: Store = opened
    yield store, clock
    store.close()


@pytest.mark.behaviour("records.rates-exact")
def test_eight_threads_and_four_processes_get_exactly_the_limit(address: str) -> None:
    """Spec: exact under concurrency, asked with 8 threads and 4 processes on one key."""
    open_store(address).close()
    assert sum(int(printed) for printed in in_processes(ASKING, address)) == 50


@pytest.mark.behaviour("records.rates-exact")
def test_eight_threads_get_exactly_the_limit(store: Store) -> None:
    """Spec: exact under concurrency."""
    granted = in_threads(lambda _: [store.rates.acquire("one", 20).allowed for _ in range(10)])
    assert sum(map(sum, granted)) == 20


@pytest.mark.behaviour("records.rates-when")
def test_who_is_denied_is_told_when_a_call_fits(store: Store) -> None:
    """Spec: the answer says when again; a denied call consumes nothing."""
    window, answers = 0.1, list[Admission]()
    took = window
    while took >= window:  # a longer one where the machine does other things too
        window *= 3
        began = time.monotonic()
        answers = [store.rates.acquire(f"{window}", 2, window) for _ in range(7)]
        took = time.monotonic() - began
    denied = answers[2:]
    assert [one.allowed for one in answers] == [True] * 2 + [False] * 5
    assert all(0 < one.retry_after <= window + 0.001 for one in denied)
    threading.Event().wait(denied[-1].retry_after)
    assert store.rates.acquire(f"{window}", 2, window).allowed


def test_keys_do_not_share_a_window(store: Store) -> None:
    """Spec: per `name@version`, and per actor where asked."""
    assert store.rates.acquire("one", 1).allowed
    assert store.rates.acquire("other", 1).allowed
    assert not store.rates.acquire("one", 1).allowed


def test_what_is_given_back_can_be_had_again_once(store: Store) -> None:
    """Spec: a call that was counted and not made consumes nothing."""
    kept, given = store.rates.acquire("one", 2), store.rates.acquire("one", 2)
    store.rates.release("one", given.at)
    store.rates.release("one", given.at)
    store.rates.release("never", 1.0)
    assert kept.at != given.at
    assert [store.rates.acquire("one", 2).allowed for _ in range(2)] == [True, False]


def test_a_limit_below_one_lets_nothing_pass(store: Store) -> None:
    """Choice: no call fits, and the answer is no mistake."""
    denied = store.rates.acquire("one", 0, 5.0)
    assert (denied.allowed, denied.retry_after) == (False, 5.0)


def test_another_limit_or_window_counts_the_same_calls(store: Store) -> None:
    """Choice: a limit that is changed counts from the next call, with what was called before."""
    for _ in range(3):
        assert store.rates.acquire("one", 3).allowed
    assert not store.rates.acquire("one", 2).allowed
    assert store.rates.acquire("one", 4).allowed


def test_rates_may_wait_unless_they_are_in_memory(store: Store) -> None:
    """Choice: no event loop waits for a disk or a network."""
    assert store.rates.waits == (not isinstance(store, MemoryStore))


def test_the_window_slides(moved: tuple[Store, Moving]) -> None:
    """Spec: a sliding window, not one that begins with the minute."""
    store, clock = moved
    for _ in range(3):
        assert store.rates.acquire("one", 3).allowed
        clock.now += 10
    denied = store.rates.acquire("one", 3)
    assert denied.retry_after == pytest.approx(30)
    clock.now += denied.retry_after
    assert store.rates.acquire("one", 3).allowed
    assert not store.rates.acquire("one", 3).allowed


def test_a_clock_that_is_put_back_locks_nobody_out(moved: tuple[Store, Moving]) -> None:
    """Choice: an hour that comes twice is no reason to refuse calls for an hour."""
    store, clock = moved
    for _ in range(2):
        assert store.rates.acquire("one", 2).allowed
    clock.now -= 3_600
    assert store.rates.acquire("one", 2).allowed
    clock.now += 1
    assert store.rates.acquire("one", 2).allowed
    assert not store.rates.acquire("one", 2).allowed
