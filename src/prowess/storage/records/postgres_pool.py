"""Connections to a PostgreSQL database: a pool of them, transactions, and what errors mean."""

import weakref
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from prowess.errors import StoreError
from prowess.storage.records.rows import Cell, Row

__all__ = ["Connections", "Step", "Values"]

Values = Mapping[str, Cell | Sequence[Cell]]


class Connections:
    """A pool that any thread may use; each statement is a transaction unless it is one of a `transaction`.

    Every failure is a `StoreError` that names the database, and never its password.
    """

    def __init__(self, url: str, *, most: int, patience: float) -> None:
        self.place = "the PostgreSQL database"
        self._patience = patience
        with self._told():
            self.place = _place_of(url)
            psycopg.connect(url, connect_timeout=max(2, round(patience))).close()  # a pool would not say what is wrong
            self._pool = ConnectionPool(
                url, min_size=1, max_size=most, timeout=patience, kwargs={"autocommit": True}, open=True, name="prowess"
            )
        self._ended = weakref.finalize(self, self._pool.close, patience)

    def rows(self, statement: str, values: Values | None = None) -> list[Row]:
        """What one statement gives, which is a transaction by itself."""
        with self._connection() as connection:
            return Step(connection).rows(statement, values)

    @contextmanager
    def transaction(self) -> Generator["Step"]:
        """Several statements that are there together or not at all."""
        with self._connection() as connection, connection.transaction():
            yield Step(connection)

    def close(self) -> None:
        """Close every connection; a second time does nothing. A pool that nobody has any more is closed by itself."""
        self._ended()

    # -----------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _connection(self) -> Generator[psycopg.Connection]:
        broken = False
        try:
            with self._told(), self._pool.connection() as connection:
                try:
                    yield connection
                finally:
                    broken = connection.broken
        finally:
            if broken:  # where one went, the others may have gone as well
                self._pool.check()

    @contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except PoolClosed as error:
            raise self._failure("this store is closed", error, again=False) from None
        except PoolTimeout as error:
            raise self._failure(f"no connection was free within {self._patience:g} seconds", error) from None
        except psycopg.OperationalError as error:
            raise self._failure(str(error).strip() or type(error).__name__, error) from error
        except psycopg.Error as error:
            raise self._failure(str(error).strip(), error, again=False) from error

    def _failure(self, what: str, error: Exception, *, again: bool = True) -> StoreError:
        state = error.sqlstate if isinstance(error, psycopg.Error) else None
        return StoreError(f"{self.place}: {what}", retryable=again, details={"store": self.place, "sqlstate": state})


class Step:
    """Statements on one connection."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, values: Values | None = None) -> list[Row]:
        """What one statement gives."""
        return list(self._connection.execute(statement.encode(), values).fetchall())

    def script(self, statements: str) -> None:
        """Carry several statements out."""
        self._connection.execute(statements.encode())


# ---------------------------------------------------------------------------------------------------------------------


def _place_of(url: str) -> str:
    """What an address may be called where anybody reads it."""
    given = conninfo.conninfo_to_dict(url)
    where = given.get("host") or "this machine"
    return f"the PostgreSQL database '{given.get('dbname') or given.get('user') or 'postgres'}' on {where}"
