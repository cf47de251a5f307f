"""An index that follows a registry: it holds what the registry's snapshot holds, and learns only what changed."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from msgspec import Struct

from prowess.app.catalogue.options import SearchOptions
from prowess.catalog.search.document import Document, digest_of, document_of, key_of, text_of
from prowess.catalog.search.port import IndexUnavailableError, SearchIndex
from prowess.errors import ProwessError
from prowess.registry.entry import Entry
from prowess.registry.holdings import Holdings

__all__ = ["Followed", "Follower", "OpenIndex"]


_EXACT = 2_000
"""Entries among which every one that went is forgotten at once, as if it had never been."""
_SHARE = 16

_Difference = tuple[Collection[Entry], Collection[int]]

OpenIndex = Callable[[str | None], SearchIndex]
"""Opens the index in a folder, or an empty one in memory. Raises `IndexUnavailableError`."""


class Followed(Struct, frozen=True):
    """A snapshot's entries, and the index of them."""

    entries: tuple[Entry, ...]
    by_key: dict[int, Entry]
    index: SearchIndex


class Follower:
    """Keeps an index in step with a registry. Lives as long as the registry; `close` closes the index.

    The index in the folder is used where it can be had, and brought up to date where that is allowed. Otherwise there
    is one in memory, for as long as the process lives.
    """

    def __init__(self, holdings: Holdings, open_index: OpenIndex, options: SearchOptions) -> None:
        self._holdings = holdings
        self._open = open_index
        self._options = options
        self._body_of = options.body_of
        self._lock = threading.Lock()
        self._now: Followed | None = None
        self.trouble = ""
        """Why the index is in memory though a folder was named; empty where nothing is wrong."""

    def now(self) -> Followed:
        """The registry as it is, with its index.

        While another thread brings the index up to date, it is as it was before.
        """
        now = self._now
        if now is None:
            self._lock.acquire()
        elif now.entries is self._holdings.snapshot().entries or not self._lock.acquire(blocking=False):
            return now
        try:
            entries, now = self._holdings.snapshot().entries, self._now
            now = self._now = self._first(entries) if now is None else self._next(now, entries)
            return now
        finally:
            self._lock.release()

    def in_memory(self, lost: Followed, why: IndexUnavailableError) -> Followed:
        """The same with an index in memory, after the one in the folder could not be read."""
        with self._lock:
            if self._now is lost:
                lost.index.close()
                self._now = self._anew(lost.entries, lost.by_key, str(why))
            return self._now or lost

    def digest(self, entry: Entry) -> int:
        """The digest of what is searched of an entry."""
        body = self._body_of(entry)
        return digest_of(entry.manifest, entry.source, "" if body is None else body.revision)

    def body_of(self, entry: Entry) -> Callable[[], str]:
        """What reads an entry's instructions; no text for one without."""
        body = self._body_of(entry)
        return str if body is None else body.read

    def documents(self) -> Iterator[Document]:
        """What an index of all entries holds, in their order."""
        return self._documents(self._holdings.snapshot().entries)

    def close(self) -> None:
        """Close the index, where there is one."""
        with self._lock:
            now, self._now = self._now, None
        if now is not None:
            now.index.close()

    # -----------------------------------------------------------------------------------------------------------------

    def _first(self, entries: tuple[Entry, ...]) -> Followed:
        by_key = {key_of(entry.manifest.reference): entry for entry in entries}
        try:
            index = self._open(self._options.folder)
        except IndexUnavailableError as error:
            return self._anew(entries, by_key, str(error))
        return self._updated(Followed(entries, by_key, index), partial(self._compared, by_key, index))

    def _next(self, before: Followed, entries: tuple[Entry, ...]) -> Followed:
        old, new, by_key = set(before.entries), set(entries), before.by_key
        added = {key_of(entry.manifest.reference): entry for entry in entries if entry not in old}
        gone = [key_of(entry.manifest.reference) for entry in before.entries if entry not in new]
        for key in gone:
            del by_key[key]
        by_key.update(added)
        return self._updated(Followed(entries, by_key, before.index), lambda: (added.values(), gone))

    def _compared(self, by_key: dict[int, Entry], index: SearchIndex) -> _Difference:
        """What an index does not hold yet, or holds otherwise, and what has to go for it."""
        held, settled = index.held(), self._options.settled
        new = {
            key: entry
            for key, entry in by_key.items()
            if key not in held or not (settled(entry) or held[key] == self.digest(entry))
        }
        return new.values(), [key for key in held if key in new or key not in by_key]

    def _updated(self, now: Followed, difference: Callable[[], _Difference]) -> Followed:
        """The same once its index has learned the difference; with another index where this one cannot."""
        try:
            new, gone = difference()
            if new or gone:
                now.index.update(self._documents(new), gone)
                if now.index.left_over > _may_be_left(now.index.size):
                    now.index.update(self._documents(now.entries), now.by_key)
            if now.index.size == len(now.by_key):  # otherwise somebody else wrote it between two looks
                return now
            why = "another process writes it"
        except IndexUnavailableError as error:
            why = str(error)
        now.index.close()
        return self._anew(now.entries, now.by_key, why)

    def _anew(self, entries: tuple[Entry, ...], by_key: dict[int, Entry], why: str) -> Followed:
        """With an index of them in memory."""
        self.trouble = "" if self._options.folder is None else why or "it cannot be used"
        index = self._open(None)
        index.update(self._documents(entries), ())
        return Followed(entries, by_key, index)

    def _documents(self, entries: Iterable[Entry]) -> Iterator[Document]:
        for entry in entries:
            try:
                body = self.body_of(entry)()
            except (OSError, ProwessError):  # its file may be gone: it is found by the rest
                body = ""
            yield document_of(entry.manifest, entry.source, text_of(entry.manifest, body), self.digest(entry))


# ---------------------------------------------------------------------------------------------------------------------


def _may_be_left(size: int) -> int:
    """How many documents that went may count in the scores of an index: to write a large one anew takes seconds."""
    return 0 if size <= _EXACT else size // _SHARE
