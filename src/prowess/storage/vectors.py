"""Numbers that were worked out of texts, kept by the texts' digests: in memory, and in a file beside the index."""

import sqlite3
import threading
import weakref
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from prowess.storage.queries import queries_of

__all__ = ["Vectors"]

_FILE = "vectors-1.db"
"""Another name for every change of the model or of the text that it reads."""
_PATIENCE = 1.0
"""Seconds to wait for another process that writes."""
_IN_MEMORY = 20_000


class Vectors:
    """Bytes by digest. Every thread may use it; it lives until `close`, its file longer.

    What cannot be read or written is worked out again: nothing here ever fails.
    """

    def __init__(self, folder: str | None, *, most: int = _IN_MEMORY) -> None:
        self._most = most
        self._queries = queries_of("vectors")
        self._lock = threading.Lock()
        self._kept: dict[int, bytes] = {}
        self._connection = None if folder is None else self._open(folder)
        self._ended = weakref.finalize(self, _close, self._connection)

    def get(self, digests: Collection[int]) -> Mapping[int, bytes]:
        """What is kept of these."""
        with self._lock:
            found = {digest: self._kept[digest] for digest in digests if digest in self._kept}
            missing = [digest for digest in digests if digest not in found]
            read = self._read(missing)
            self._remember(read)
            return {**found, **read}

    def put(self, vectors: Mapping[int, bytes]) -> None:
        """Keep these."""
        with self._lock:
            self._remember(vectors)
            self._write(vectors)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        with self._lock:
            self._connection = None
            self._ended()

    # -----------------------------------------------------------------------------------------------------------------

    def _open(self, folder: str) -> sqlite3.Connection | None:
        place = Path(folder, _FILE)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                return self._connected(place)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:  # damaged: it is made anew
                place.unlink()
                return self._connected(place)
        except (OSError, sqlite3.Error):
            return None

    def _connected(self, place: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(place, timeout=_PATIENCE, check_same_thread=False)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(self._queries["create"])
        except BaseException:
            connection.close()
            raise
        return connection

    def _read(self, digests: Collection[int]) -> Mapping[int, bytes]:
        if self._connection is None or not digests:
            return {}
        asked = {"digests": msgspec.json.encode(digests).decode()}
        try:
            return dict(self._connection.execute(self._queries["get"], asked).fetchall())
        except sqlite3.Error:
            return {}

    def _write(self, vectors: Mapping[int, bytes]) -> None:
        if self._connection is not None:
            rows = [{"digest": digest, "numbers": numbers} for digest, numbers in vectors.items()]
            with suppress(sqlite3.Error), self._connection:
                self._connection.executemany(self._queries["put"], rows)

    def _remember(self, vectors: Mapping[int, bytes]) -> None:
        if len(self._kept) + len(vectors) > self._most:
            self._kept.clear()
        self._kept.update(vectors)


def _close(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        connection.close()
