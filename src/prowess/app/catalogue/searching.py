"""Searching a registry: from a question to hits."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from prowess.app.catalogue.following import Followed, Follower
from prowess.app.catalogue.narrowing import Narrowing
from prowess.app.catalogue.options import SearchOptions
from prowess.app.importing import installing
from prowess.catalog.places import make_state_folder
from prowess.catalog.search.document import text_of
from prowess.catalog.search.hit import Hit
from prowess.catalog.search.port import Asked, Carried, Found, IndexUnavailableError, Meaning, SearchIndex
from prowess.catalog.search.question import Question, ask, read
from prowess.catalog.search.ranking import TIE, Ranked, rank
from prowess.errors import ConfigurationError, MissingExtraError, UnavailableError
from prowess.model.manifest import Status
from prowess.registry.entry import Entry
from prowess.registry.filters import Filter
from prowess.registry.holdings import Holdings

__all__ = ["PLACES_LIMIT", "Searching", "index_files", "open_fts", "open_index", "open_meaning"]

PLACES_LIMIT = 10_000
"""The last place in the order that a page may reach."""
_SPARE = 3
"""Documents that are fetched beyond those wanted, since some say the same or are not for the reader."""
_GROWTH = 4
"""How many times more are fetched where these did not suffice."""
_TIES = 1_024
"""Documents among which those with one score are put in order."""
_LONGEST_QUESTION = 65_536
"""Characters of a request that are looked at: what is pasted beyond that says nothing new."""
_MEANT = 100
"""Documents that are scored again by what they mean."""
_MEANING = 0.35
"""What the meaning counts beside the words."""

_LONGEST_FOR_MEANING = 2_000
"""Characters of an entry whose meaning is looked at; the model reads no more words than they hold."""

_Candidate = tuple[float, int, Entry]


class Searching:
    """Finds entries by what somebody wants. Lives as long as its registry; every thread may search at any time."""

    def __init__(self, holdings: Holdings, options: SearchOptions) -> None:
        if options.folder is not None:
            with suppress(OSError):  # then nothing can be kept there, which the index finds out
                make_state_folder(os.path.dirname(options.folder))
        self._narrowing = Narrowing(holdings.index.versions)
        opens = options.open_index or partial(open_index, carried=options.carried)
        self._follower = Follower(holdings, opens, options)
        self._meaning = (options.open_meaning or open_meaning)(options.folder) if options.semantic else None

    def search(self, text: str, k: int, page: int, shows: Filter | None = None) -> list[Hit]:
        """The hits of one page, best first, of entries that a filter shows.

        Disabled ones are left out unless the filter asks for a status. Raises `ConfigurationError` for a page that
        is none, and for a request that is no text.
        """
        _check(text, k, page)
        if k < 1 or page < 1 or k * page > PLACES_LIMIT:
            message = f"k is {k} and page is {page}: both are at least 1, and their product at most {PLACES_LIMIT}"
            raise ConfigurationError(message, details={"k": k, "page": page})
        question = read(text[:_LONGEST_QUESTION])
        now = self._follower.now()
        try:
            asked, ranked = self._ranked(now, question, shows, k * page)
        except IndexUnavailableError as error:
            asked, ranked = self._ranked(self._follower.in_memory(now, error), question, shows, k * page)
        body_of = self._follower.body_of
        return [
            Hit(
                manifest=one.entry.manifest,
                score=one.score,
                source=one.entry.source,
                also=tuple(one.also),
                question=question.text,
                asked=asked,
                body=body_of(one.entry),
            )
            for one in ranked[k * (page - 1) : k * page]
        ]

    @property
    def trouble(self) -> str:
        """Why the index is in memory though a folder was named; empty where nothing is wrong."""
        return self._follower.trouble

    def close(self) -> None:
        """Close the index."""
        self._follower.close()
        if self._meaning is not None:
            self._meaning.close()

    # -----------------------------------------------------------------------------------------------------------------

    def _ranked(
        self, now: Followed, question: Question, shows: Filter | None, wanted: int
    ) -> tuple[Asked, list[Ranked[Entry]]]:
        """What was asked of the index, and at least as many ranked entries as are wanted, where there are."""
        index = now.index
        narrowed = self._narrowing.of(shows, now)
        least = wanted if self._meaning is None else max(wanted, _MEANT)
        asked = ask(question, index, narrowed.facets, int((least + _SPARE) / narrowed.share))
        if asked is None:
            return Asked(()), []
        while True:
            found = index.find(asked)
            candidates = _candidates(now, narrowed.taken(found), shows)
            ranked = rank(candidates)
            if len(found) < asked.limit:
                break
            if len(ranked) >= least and (
                index.orders_ties or asked.limit >= _TIES or not _is_tied(found, ranked, least)
            ):
                break
            by_name = narrowed.by_name(asked.limit * _GROWTH, index.size)
            if by_name is None:
                asked = replace(asked, limit=asked.limit * _GROWTH)
            else:
                narrowed = by_name
                asked = replace(asked, facets=narrowed.facets, limit=least + _SPARE)
        if self._meaning is not None and candidates:
            ranked = rank(self._by_meaning(self._meaning, question, candidates))
        return asked, ranked

    def _by_meaning(
        self, meaning: Meaning, question: Question, candidates: Sequence[_Candidate]
    ) -> Sequence[_Candidate]:
        """The first candidates in an order that their meaning has a part in; what comes after them stays after them."""
        first, rest = candidates[:_MEANT], candidates[_MEANT:]
        digest, body_of = self._follower.digest, self._follower.body_of
        texts = [(digest(entry), partial(_text_for_meaning, entry, body_of(entry))) for _, _, entry in first]
        likeness = meaning.likeness(question.text, texts)
        most, nearest = first[0][0], max(*likeness, 0.0) or 1.0
        scored = [
            ((1 - _MEANING) * score / most + _MEANING * near / nearest, twin, entry)
            for (score, twin, entry), near in zip(first, likeness, strict=True)
        ]
        scored.sort(key=lambda one: -one[0])
        last = scored[-1][0]
        return [*scored, *((min(last, (1 - _MEANING) * score / most), twin, entry) for score, twin, entry in rest)]


def index_files(holdings: Holdings, options: SearchOptions) -> Iterator[tuple[str, bytes]]:
    """The files of an index of all entries, for another machine that has these; none where it cannot be carried.

    Raises `UnavailableError` where there is no room for them.
    """
    opens = options.open_index or open_index
    with TemporaryDirectory() as folder:
        try:
            index = opens(folder)
            index.update(Follower(holdings, opens, options).documents(), ())
            yield from index.files()
            index.close()
        except (IndexUnavailableError, OSError) as error:
            message = f"the search index cannot be written: {error}"
            raise UnavailableError(message, retryable=True) from error


def open_index(folder: str | None, *, carried: Carried = tuple) -> SearchIndex:
    """The best index that is installed. Raises `IndexUnavailableError`, and `MissingExtraError` where there is none."""
    try:
        from prowess.storage.tantivy_index import TantivyIndex  # noqa: PLC0415 - an extra
    except ImportError:
        from prowess.storage.fts_index import FtsIndex  # noqa: PLC0415 - only where tantivy is missing

        return open_fts(folder, FtsIndex)
    return TantivyIndex(folder, carried=carried)


def open_fts(folder: str | None, fts: Callable[[str | None], SearchIndex]) -> SearchIndex:
    """The index that comes with Python, where its SQLite can search. Raises as `open_index` does."""
    try:
        return fts(folder)
    except IndexUnavailableError as error:
        if folder is not None:
            raise
        why = f"the SQLite of this Python has no FTS5 ({error})"
        message = f"search needs the extra 'search', since {why}: {installing('search')}"
        raise MissingExtraError(message, details={"extra": "search"}) from None


def open_meaning(folder: str | None) -> Meaning:
    """What judges meaning. Raises `MissingExtraError`."""
    try:
        from prowess.storage.semantic import MiniLm  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = f"semantic search needs the extra 'semantic' ({error}): {installing('semantic')}"
        raise MissingExtraError(message, details={"extra": "semantic"}) from None
    return MiniLm(folder)


# ---------------------------------------------------------------------------------------------------------------------


def _check(text: object, k: object, page: object) -> None:
    """Raise `ConfigurationError` for what is not of these types."""
    if isinstance(text, str) and type(k) is type(page) is int:
        return
    given = ", ".join(f"{name}: {type(value).__name__}" for name, value in (("query", text), ("k", k), ("page", page)))
    message = f"a search takes its query as text, k and page as whole numbers, and was given {given}"
    raise ConfigurationError(message, details={"given": given})


def _candidates(now: Followed, found: Sequence[Found], shows: Filter | None) -> list[_Candidate]:
    """What was found and is there still, and for this reader."""
    entry_of, disabled = now.by_key.get, Status.DISABLED
    known = [(score, twin, entry) for score, key, twin in found if (entry := entry_of(key)) is not None]
    if shows is None or not any(one.status for one in shows.each()):
        known = [one for one in known if one[2].manifest.status is not disabled]
    return known if shows is None else [one for one in known if shows(one[2])]


def _is_tied(found: Sequence[Found], ranked: Sequence[Ranked[Entry]], wanted: int) -> bool:
    """Whether documents that were not fetched may have the score of the last one wanted."""
    return ranked[wanted - 1].score - found[-1][0] < TIE


def _text_for_meaning(entry: Entry, body: Callable[[], str]) -> str:
    """What an entry says of itself as one text, its name as words."""
    text = text_of(entry.manifest, body())
    name = entry.name.replace("_", " ").replace("-", " ").replace("/", " ")
    said = (name, text.description, text.when, text.tags, text.triggers, text.parameters.replace("_", " "), text.body)
    return ". ".join(filter(None, map(str.strip, said)))[:_LONGEST_FOR_MEANING]
