"""A search index in SQLite's FTS5, which comes with Python: for where tantivy is not installed."""

import sqlite3
import threading
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from prowess.catalog.search.document import Document
from prowess.catalog.search.port import Asked, Found, IndexUnavailableError
from prowess.catalog.search.spelling import near_word
from prowess.storage.queries import queries_of

__all__ = ["FtsIndex"]

_FORMAT = "fts-1.db"
"""Another name for every change of what is indexed and how."""
_FILES = ("", "-wal", "-shm")
_BEGINNINGS = 512
_WORDS = 65_536
_NOTHING = '""'
"""What FTS5 finds nowhere."""


class FtsIndex:
    """Documents in SQLite: in memory, or in a file in a folder; `IndexUnavailableError` for one that cannot be had."""

    orders_ties = False
    left_over = 0

    def __init__(self, folder: str | None = None, *, most_words: int = _WORDS) -> None:
        self._most_words = most_words
        self._queries = queries_of("fts_index")
        self._lock = threading.Lock()
        self._connection = self._open(":memory:") if folder is None else self._open_in(folder)
        self._ended = weakref.finalize(self, self._connection.close)
        self._near: dict[str, str | None] = {}
        self._size = self._count()

    @property
    def size(self) -> int:
        """How many documents it holds."""
        return self._size

    def held(self) -> Mapping[int, int]:
        """The digest of every document, by its key."""
        return dict(self._rows("held"))

    def update(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        """Take out the documents of these keys, then add others. Raises `IndexUnavailableError`."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._fill(documents, gone)
            except sqlite3.Error as error:
                self._connection.rollback()
                raise IndexUnavailableError(str(error)) from error
            except BaseException:
                self._connection.rollback()
                raise
        self._near = {}
        self._size = self._count()

    def find(self, asked: Asked) -> Sequence[Found]:
        """The best documents, highest score first."""
        words = _any_of(asked.words)
        values: dict[str, str | int] = {
            "words": _NOTHING if asked.only_names else words,
            "in_names": words,
            "facets": msgspec.json.encode(asked.facets).decode(),
            "limit": asked.limit,
        }
        return [(float(score), int(key), int(twin)) for score, key, twin in self._rows("find", **values)]

    def counts(self, words: Sequence[str]) -> Sequence[int]:
        """How many documents have each of these words."""
        known = dict(self.frequencies(words))
        return [known.get(word, 0) for word in words]

    def frequencies(self, words: Collection[str]) -> Sequence[tuple[str, int]]:
        """Those of some words that it knows."""
        return self._rows("frequencies", words=msgspec.json.encode(list(words)).decode())

    def starting_with(self, beginning: str) -> Sequence[tuple[str, int]]:
        """The commonest words that begin so."""
        return self._rows("starting_with", beginning=beginning, limit=_BEGINNINGS)

    def near(self, word: str) -> str | None:
        """The commonest word it knows that one slip makes of this one."""
        kept = self._near
        if word not in kept:
            if len(kept) >= self._most_words:
                kept.clear()
            kept[word] = near_word(word, self)
        return kept.get(word)

    def files(self) -> Iterable[tuple[str, bytes]]:
        """None: a database differs with the SQLite that wrote it, and is made as quickly as it is checked."""
        return ()

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        self._ended()

    # -----------------------------------------------------------------------------------------------------------------

    def _open_in(self, folder: str) -> sqlite3.Connection:
        place = Path(folder, _FORMAT)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                return self._open(str(place))
            except sqlite3.OperationalError:  # locked, or not to be written: somebody's, and not damaged
                raise
            except sqlite3.DatabaseError:
                for end in _FILES:
                    place.with_name(place.name + end).unlink(missing_ok=True)
                return self._open(str(place))
        except (OSError, sqlite3.Error) as error:
            raise IndexUnavailableError(str(error)) from error

    def _open(self, place: str) -> sqlite3.Connection:
        """A database that is whole, its tables made where it is new."""
        connection = sqlite3.connect(place, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # it can be made anew at any time
            _check(connection)
            if not connection.execute("PRAGMA user_version").fetchone()[0]:
                connection.executescript(f"BEGIN IMMEDIATE; {self._queries['create']} PRAGMA user_version = 1; COMMIT;")
        except BaseException:
            connection.close()
            raise
        return connection

    def _fill(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        queries = self._queries
        forget = [query for name, query in queries.items() if name.startswith("forget_")]
        add = [query for name, query in queries.items() if name.startswith("add_")]
        for key in gone:
            for query in forget:
                self._connection.execute(query, {"key": key})
        for document in documents:
            values = {**asdict(document), "facets": msgspec.json.encode(document.facets).decode()}
            for query in add:
                self._connection.execute(query, values)
        self._connection.commit()

    def _count(self) -> int:
        return int(self._rows("size")[0][0])

    def _rows(self, query: str, **values: str | int) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(self._queries[query], values).fetchall()
        except sqlite3.DatabaseError as error:
            raise IndexUnavailableError(str(error)) from error


def _check(connection: sqlite3.Connection) -> None:
    sound = connection.execute("PRAGMA quick_check(1)").fetchone()
    if sound != ("ok",):
        raise sqlite3.DatabaseError(str(sound))


def _any_of(words: Iterable[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words) or _NOTHING
