from __future__ import annotations

import gc
import sqlite3
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from prowess.errors import StoreError
from prowess.model.audit import AuditRecord
from prowess.storage.records.sqlite import SqliteStore
from prowess.storage.records.sqlite_file import Connection

if TYPE_CHECKING:
    from pathlib import Path

RECORD = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=0)


def opened(path: Path, *, patience: float = 0.05) -> Connection:
    """A connection that soon gives up."""
    return Connection(str(path), durable=True, patience=patience)


def fill(connection: Connection, end: BaseException | None = None) -> None:
    """Write much in one transaction, and end it as told."""
    with connection.transaction() as step:
        for _ in range(100):
            step.rows("INSERT INTO one VALUES (:x)", {"x": "y" * 1_000})
        if end is not None:
            raise end


@pytest.mark.behaviour("records.broken-store")
def test_a_file_that_is_no_database_is_told_by_its_name(tmp_path: Path) -> None:
    """Spec: a corrupted file gives a clear error."""
    file = tmp_path / "state.db"
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match=r"state\.db is damaged, or no database") as caught:
        SqliteStore(str(file))
    assert not caught.value.retryable
    assert "state.db" not in caught.value.model_text


@pytest.mark.behaviour("records.broken-store")
def test_a_file_that_is_damaged_inside_is_told(tmp_path: Path) -> None:
    """Spec: as above."""
    file = tmp_path / "state.db"
    store = SqliteStore(str(file))
    store.audit.append([RECORD] * 2_000)
    store.close()
    whole = file.read_bytes()
    file.write_bytes(whole[:8_192] + b"\xff" * (len(whole) - 8_192))
    with pytest.raises(StoreError, match="is damaged"):
        SqliteStore(str(file)).audit.rows(0, 5_000)
    gc.collect()


@pytest.mark.behaviour("records.broken-store")
def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Spec: a file that cannot be had gives a clear error."""
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(str(tmp_path / "nowhere" / "state.db"))


@pytest.mark.behaviour("records.broken-store")
def test_a_file_that_another_process_keeps_locked_is_told(tmp_path: Path) -> None:
    """Spec: a locked file gives a clear error."""
    file = tmp_path / "state.db"
    SqliteStore(str(file)).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = SqliteStore(str(file), patience=0.05)
    with pytest.raises(StoreError, match=r"is locked: another process .* 0\.05 seconds") as caught:
        store.audit.append([RECORD])
    assert caught.value.retryable
    assert store.audit.read() == []
    other.execute("ROLLBACK")
    other.close()
    assert store.audit.append([RECORD]).number == 1
    store.close()


@pytest.mark.behaviour("records.broken-store")
def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Spec: a read-only file gives a clear error."""
    connection = opened(tmp_path / "state.db")
    connection.rows("PRAGMA query_only = ON", {})
    with pytest.raises(StoreError, match="is read-only"):
        connection.rows("CREATE TABLE one (x)", {})
    connection.close()


@pytest.mark.behaviour("records.broken-store")
def test_a_full_disk_is_told_and_what_was_half_written_is_not_there(tmp_path: Path) -> None:
    """Spec: a full disk gives a clear error."""
    connection = opened(tmp_path / "state.db")
    connection.rows("CREATE TABLE one (x)", {})
    connection.rows("PRAGMA max_page_count = 4", {})
    with pytest.raises(StoreError, match="the disk is full"):
        fill(connection)
    connection.rows("PRAGMA max_page_count = 1000", {})
    assert connection.rows("SELECT count(*) FROM one", {}) == [(0,)]
    connection.close()


def test_a_transaction_that_is_left_by_an_exception_did_not_happen(tmp_path: Path) -> None:
    """Spec: all or none."""
    connection = opened(tmp_path / "state.db")
    connection.rows("CREATE TABLE one (x)", {})
    with pytest.raises(KeyboardInterrupt):
        fill(connection, KeyboardInterrupt())
    assert connection.rows("SELECT * FROM one", {}) == []
    connection.close()


@pytest.mark.behaviour("records.broken-store")
def test_a_store_that_was_closed_says_so(tmp_path: Path) -> None:
    """Choice: closing twice does nothing, using it afterwards is a mistake with a name."""
    store = SqliteStore(str(tmp_path / "state.db"))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="this store is closed") as caught:
        store.rates.acquire("one", 1)
    assert not caught.value.retryable


def test_what_is_wrong_with_a_statement_is_told_as_it_is(tmp_path: Path) -> None:
    """Choice: a mistake of ours keeps its words."""
    connection = opened(tmp_path / "state.db")
    with pytest.raises(StoreError, match="no such table: one"):
        connection.rows("SELECT * FROM one", {})
    connection.close()


def test_a_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """Choice: inputs of calls stand in it."""
    file = tmp_path / "state.db"
    store = SqliteStore(str(file))
    store.audit.append([RECORD])
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    store.close()


def test_whoever_opens_a_new_file_first_may_keep_others_waiting(tmp_path: Path) -> None:
    """Choice: SQLite itself waits until a file can have its log."""
    file = tmp_path / "state.db"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE one (x)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM one").fetchall()
    with pytest.raises(StoreError, match="is locked"):
        opened(file)
    timer = threading.Timer(0.1, other.execute, ("ROLLBACK",))
    timer.start()
    connection = opened(file, patience=10)
    timer.join()
    assert connection.rows("PRAGMA journal_mode", {}) == [("wal",)]
    connection.close()
    other.close()


def test_a_folder_in_the_place_of_the_file_is_refused_at_once(tmp_path: Path) -> None:
    """Choice: only what may change is waited for."""
    (tmp_path / "state.db").mkdir()
    with pytest.raises(StoreError, match="cannot be opened"):
        opened(tmp_path / "state.db", patience=60)


def test_commits_of_approvals_and_audit_wait_for_the_disk(tmp_path: Path) -> None:
    """Spec: approvals and audit are durable when acknowledged."""
    durable, quick = (Connection(str(tmp_path / "s.db"), durable=one, patience=1) for one in (True, False))
    assert durable.rows("PRAGMA synchronous", {}) == [(2,)]
    assert quick.rows("PRAGMA synchronous", {}) == [(1,)]
    durable.close()
    quick.close()


def test_a_store_that_nobody_has_any_more_is_closed(tmp_path: Path) -> None:
    """Choice: who keeps only one role keeps the file open, and no longer."""
    audit = SqliteStore(str(tmp_path / "state.db")).audit
    gc.collect()
    assert audit.append([RECORD]).number == 1
    del audit
    gc.collect()


def test_statements_with_semicolons_inside_are_carried_out_whole(tmp_path: Path) -> None:
    """Choice: a trigger has some."""
    connection = opened(tmp_path / "state.db")
    with connection.transaction() as step:
        step.script(
            "CREATE TABLE one (x); CREATE TRIGGER t AFTER INSERT ON one BEGIN DELETE FROM one WHERE x = ';'; END;"
            "INSERT INTO one VALUES (';'); INSERT INTO one VALUES (2)"
        )
    assert connection.rows("SELECT x FROM one", {}) == [(2,)]
    connection.close()
