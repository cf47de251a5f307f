"""A store of every schema there ever was, and of one there is not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.app.records.stores import open_store
from prowess.app.records.trail import Trail
from prowess.errors import StoreError
from prowess.model.audit import AuditRecord
from prowess.storage.records.migrations import steps_of
from prowess.storage.records.postgres import PostgresStore
from prowess.storage.records.sqlite import SqliteStore
from tests.ports.records.asking import in_processes, in_threads
from tests.ports.records.test_approvals import ASKED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prowess.app.records.stores import Store

RECORD = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=0)
NEXT = "CREATE TABLE made_up (x INTEGER); INSERT INTO made_up VALUES (1);"
BROKEN = "INSERT INTO no_such_table VALUES (1);"
OPENING = """
import sys
from prowess.app.records.stores import open_store

print("ready", flush=True)
sys.stdin.readline()
store = open_store(sys.argv[1])
print(store.audit.head().number, store.rates.acquire("one", 1).allowed)
store.close()
"""


def opened(address: str, steps: Sequence[str]) -> Store:
    """A store as a release with these versions of the schema opens it."""
    kind, _, path = address.partition(":")
    store: Store = SqliteStore(path, steps=steps) if kind == "sqlite" else PostgresStore(address, steps=steps)
    return store


def real_steps(address: str) -> list[str]:
    """The versions of this release."""
    return list(steps_of(f"records/{'sqlite' if address.startswith('sqlite') else 'postgres'}_schema"))


@pytest.mark.behaviour("records.migrations")
def test_a_store_of_every_earlier_schema_opens_with_all_that_is_in_it(address: str) -> None:
    """Spec: migrations are tested from every earlier schema."""
    real = real_steps(address)
    for version in range(1, len(real) + 1):
        store = opened(address, real[:version])
        store.approvals.propose(ASKED)
        store.audit.append([RECORD])
        store.close()
    for steps in (real, [*real, NEXT], [*real, NEXT]):
        store = opened(address, steps)
        assert store.approvals.get("first") == ASKED
        assert Trail(store.audit).verify().whole
        store.close()


@pytest.mark.behaviour("records.newer-schema")
def test_a_store_of_a_newer_release_is_refused_and_not_touched(address: str) -> None:
    """Spec: a newer schema than the release's is refused with a clear text."""
    real = real_steps(address)
    opened(address, [*real, NEXT]).close()
    for _ in range(2):
        with pytest.raises(StoreError, match=f"newer release .* schema is {len(real) + 1}, .* up to {len(real)}"):
            open_store(address)
    opened(address, [*real, NEXT]).close()


@pytest.mark.behaviour("records.migrations")
def test_a_migration_that_fails_leaves_the_store_as_it_was(address: str) -> None:
    """Choice: in one transaction, so that there is no half of a version."""
    real = real_steps(address)
    opened(address, real).close()
    with pytest.raises(StoreError, match="no_such_table"):
        opened(address, [*real, NEXT + BROKEN])
    opened(address, real).close()
    opened(address, [*real, NEXT]).close()


@pytest.mark.behaviour("records.migrations")
def test_processes_that_open_a_new_store_at_once_make_it_once(address: str) -> None:
    """Spec: also two processes migrating at once."""
    printed = in_processes(OPENING, address)
    assert sorted(line.split()[0] for line in printed) == ["0"] * 4
    assert sum(line.split()[1] == "True" for line in printed) == 1


@pytest.mark.behaviour("records.migrations")
def test_threads_that_open_a_new_store_at_once_make_it_once(address: str) -> None:
    """Choice: as above."""
    stores = in_threads(lambda _: open_store(address))
    assert sum(store.rates.acquire("one", 1).allowed for store in stores) == 1
    for store in stores:
        store.close()
