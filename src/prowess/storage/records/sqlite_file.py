"""One connection to a SQLite file: its lock, its transactions, and what its errors mean."""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from prowess.errors import StoreError
from prowess.storage.records.rows import Row, Values

__all__ = ["Connection"]

_RESULT = 0xFF
"""The bits of an error's number that tell its kind."""


class Connection:
    """A connection that any thread may use, one at a time. Every failure is a `StoreError` with the file's name."""

    def __init__(self, path: str, *, durable: bool, patience: float) -> None:
        self.path = path
        self._patience = patience
        self._lock = threading.Lock()
        with self._told():
            self._connection = sqlite3.connect(path, patience, isolation_level=None, check_same_thread=False)
        self._ended = weakref.finalize(self, self._connection.close)
        try:
            self._settle("FULL" if durable else "NORMAL")
        except BaseException:
            self.close()
            raise

    def define(self, name: str, function: Callable[[], float]) -> None:
        """Let statements call a function of ours."""
        self._connection.create_function(name, 0, function)

    def rows(self, statement: str, values: Values) -> list[Row]:
        """What one statement gives, which is a transaction by itself."""
        with self._lock, self._told():
            return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self) -> Generator["Transaction"]:
        """Several statements that are there together or not at all; nobody else writes meanwhile."""
        with self._lock, self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield Transaction(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close it; a second time does nothing. One that nobody has any more is closed by itself."""
        with self._lock:
            self._ended()

    # -----------------------------------------------------------------------------------------------------------------

    def _settle(self, synchronous: str) -> None:
        with self._told():
            self._connection.execute(f"PRAGMA synchronous = {synchronous}")
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute("PRAGMA journal_mode = WAL")  # it waits for others that do the same

    @contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", None)
            told, again = _WORDS.get((code or 0) & _RESULT, _CLOSED if code is None else _UNKNOWN)
            message = told.format(path=self.path, seconds=self._patience, error=error)
            raise StoreError(message, retryable=again, details={"store": self.path}) from error


class Transaction:
    """What is done within one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Values | None = None) -> list[Row]:
        """What one statement gives."""
        return self._connection.execute(statement, values or {}).fetchall()

    def each(self, statement: str, values: Iterable[Values]) -> None:
        """Carry a statement out for each of these."""
        self._connection.executemany(statement, values)

    def script(self, statements: str) -> None:
        """Carry several statements out; `executescript` would end the transaction first."""
        waiting = ""
        for part in statements.split(";"):
            waiting += f"{part};"
            if sqlite3.complete_statement(waiting):
                self._connection.execute(waiting)
                waiting = ""


# ---------------------------------------------------------------------------------------------------------------------

_UNKNOWN = ("{path}: {error}", True)
_CLOSED = ("{path}: this store is closed, or was used in a way that it does not know: {error}", False)
_DAMAGED = "{path} is damaged, or no database: put a copy of it in its place, or move it away ({error})"
_WORDS = {
    sqlite3.SQLITE_BUSY: ("{path} is locked: another process has been writing to it for {seconds:g} seconds", True),
    sqlite3.SQLITE_READONLY: ("{path} cannot be written: it or its folder is read-only", True),
    sqlite3.SQLITE_FULL: ("{path} cannot grow: the disk is full, or a limit is reached", True),
    sqlite3.SQLITE_CORRUPT: (_DAMAGED, False),
    sqlite3.SQLITE_NOTADB: (_DAMAGED, False),
    sqlite3.SQLITE_CANTOPEN: ("{path} cannot be opened: its folder is not there, or closed to this user", True),
}
