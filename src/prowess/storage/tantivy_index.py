"""A search index in tantivy: in memory, or in a folder that any number of processes read and one at a time writes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import cast

import tantivy
from msgspec import Struct
from tantivy import Occur, Query

from prowess.catalog.search.document import Document
from prowess.catalog.search.port import Asked, Carried, Found, IndexUnavailableError
from prowess.catalog.search.spelling import near_word
from prowess.storage.tantivy_files import files_of, open_folder

__all__ = ["TantivyIndex"]

_EVERYTHING = "everything"
_WEIGHTS = ((_EVERYTHING, 1.0), ("meta", 0.5), ("name", 0.2))
"""What each text counts."""
_Texts = tuple[tuple[str, float], ...]
_TEXTS: Mapping[tuple[bool, bool], _Texts] = {
    (True, True): _WEIGHTS,
    (True, False): _WEIGHTS[:2],
    (False, True): (_WEIGHTS[0], _WEIGHTS[2]),
    (False, False): _WEIGHTS[:1],
}
"""Those that have a word, by whether `meta` and `name` do."""
_ANY = "*"
"""A facet of every document: of those that went it is counted, too, until their segment is written anew."""
_HEAP = 128_000_000
"""Bytes that one thread gathers before it writes a part of the index; tantivy takes them as they are needed."""
_SMALL_HEAP = 15_000_000
_WORDS = 65_536
"""Words whose place in the index is remembered."""
_BEGINNINGS = 512
_GROUPS = 512
_LATEST = 200
"""Documents that are written again with a change; after more of them the next begin another segment."""


class TantivyIndex:
    """Documents in tantivy. Raises `IndexUnavailableError` for a folder that cannot be had."""

    def __init__(self, folder: str | None = None, *, carried: Carried = tuple, most_words: int = _WORDS) -> None:
        self._most_words = most_words
        self._folder = folder
        schema = _schema()
        self._index = tantivy.Index(schema) if folder is None else open_folder(schema, folder, carried)
        self._index.register_tokenizer("words", _analyzer())
        self._index.config_reader("manual", 1)
        self._writer: tantivy.IndexWriter | None = None
        self._latest: dict[int, Document] = {}
        self._now = self._moment(in_order=False)

    @property
    def size(self) -> int:
        """How many documents it holds."""
        return self._now.size

    @property
    def left_over(self) -> int:
        """How many documents that went still count in its scores."""
        return abs(self._now.searcher.doc_freq("facet", _ANY) - self._now.size)

    @property
    def orders_ties(self) -> bool:
        """Whether all was added at once, and stands in one piece."""
        return self._now.in_order

    def held(self) -> Mapping[int, int]:
        """The digest of every document, by its key."""
        now = self._now
        if not now.size:
            return {}
        found = now.searcher.search(Query.all_query(), now.size, count=False).hits
        addresses = [address for _, address in found]
        return dict(zip(now.numbers("key", addresses), now.numbers("digest", addresses), strict=True))

    def update(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        """Take out the documents of these keys, then add others. Raises `IndexUnavailableError`.

        The documents of the latest changes are written again with each change, so that they stand in one segment. One
        for each change would be joined with the large one after every seventh, which takes longer than all the rest.
        """
        fresh = len(gone) >= self.size
        again = {} if fresh else {key: one for key, one in self._latest.items() if key not in gone}
        try:
            writer = self._writer or self._index.writer(_HEAP if fresh else _SMALL_HEAP, 1)
            try:
                added = _fill(writer, chain(again.values(), documents), None if fresh else {*gone, *again})
            except BaseException:
                writer.rollback()
                self._let_go(writer)
                raise
            self._writer = writer
            if fresh:
                self._let_go(writer)
            self._index.reload()
        except (OSError, ValueError) as error:
            raise IndexUnavailableError(str(error)) from error
        self._latest = {} if fresh or len(added) > _LATEST else {one.key: one for one in added}
        self._now = self._moment(in_order=fresh)

    def find(self, asked: Asked) -> Sequence[Found]:
        """The best documents, highest score first."""
        now = self._now
        query = now.query(asked)
        hits = now.searcher.search(query, asked.limit, count=False).hits
        addresses = [address for _, address in hits]
        scores = [score for score, _ in hits]
        return list(zip(scores, now.numbers("key", addresses), now.numbers("twin", addresses), strict=True))

    def counts(self, words: Sequence[str]) -> Sequence[int]:
        """How many documents have each of these words."""
        known = self._now.words
        return [known[word].count for word in words]

    def frequencies(self, words: Collection[str]) -> Sequence[tuple[str, int]]:
        """Those of some words that it knows."""
        count = self._now.searcher.doc_freq
        return [(word, found) for word in words if (found := count(_EVERYTHING, word))]

    def starting_with(self, beginning: str) -> Sequence[tuple[str, int]]:
        """The commonest words that begin so."""
        return self._now.searcher.terms_with_prefix(_EVERYTHING, beginning, limit=_BEGINNINGS)

    def near(self, word: str) -> str | None:
        """The commonest word it knows that one slip makes of this one."""
        kept = self._now.near
        if word not in kept:
            if len(kept) >= self._most_words:
                kept.clear()
            kept[word] = near_word(word, self) if self._now.has_near(word) else None
        return kept.get(word)

    def files(self) -> Iterable[tuple[str, bytes]]:
        """The files of an index in a folder, under names that do not depend on chance."""
        return () if self._folder is None else files_of(self._folder)

    def close(self) -> None:
        """Give up the right to write."""
        if self._writer is not None:
            self._let_go(self._writer)

    # -----------------------------------------------------------------------------------------------------------------

    def _moment(self, *, in_order: bool) -> "_Moment":
        return _Moment(self._index, self._most_words, in_order=in_order)

    def _let_go(self, writer: tantivy.IndexWriter) -> None:
        """Let the index join its small parts, which ends by giving up the lock."""
        self._writer = None
        writer.wait_merging_threads()


class _Known(Struct, frozen=True, gc=False):
    """A word as it stands in the index.

    Queries for it are made for each question: that is no slower than to find kept ones in memory, of which each word
    would need a kilobyte.
    """

    count: int
    """How many documents have it."""
    texts: _Texts
    """Those that have it, each with what it counts."""


_UNKNOWN = _Known(0, ())


class _Moment:
    """The index between two updates, and what was found out about it."""

    def __init__(self, index: tantivy.Index, most_words: int, *, in_order: bool) -> None:
        self.searcher = index.searcher()
        self.schema = index.schema
        self.size = self.searcher.num_docs
        self.in_order = in_order and self.searcher.num_segments <= 1
        self.words = _Words(self, most_words)
        self._groups: dict[tuple[str, ...], Query] = {}
        self.near: dict[str, str | None] = {}

    def numbers(self, field: str, addresses: list[tantivy.DocAddress]) -> list[int]:
        """What documents have in a field of numbers, which all of them have."""
        return cast("list[int]", self.searcher.fast_field_values(field, addresses))

    def has_near(self, word: str) -> bool:
        """Whether there is any word one edit away: four times quicker than finding out which."""
        fuzzy = Query.fuzzy_term_query(self.schema, _EVERYTHING, word)
        return bool(self.searcher.search(fuzzy, 1, count=False).hits)

    def query(self, asked: Asked) -> Query:
        """What was asked as one flat query: only of bare terms does tantivy skip what cannot come first."""
        if asked.only_names:
            clauses = [self.clause("name", word, 1.0) for word in asked.words]
        else:
            words, clause = self.words, self.clause
            clauses = [clause(text, word, weight) for word in asked.words for text, weight in words[word].texts]
        query = Query.or_should_match(*clauses) if clauses else Query.empty_query()
        if not asked.facets:
            return query
        narrowed = [(Occur.Must, self._any_of(group)) for group in asked.facets]
        return Query.boolean_query([(Occur.Must, query), *narrowed])

    def known(self, word: str) -> "_Known":
        """A word as it stands in the index."""
        count_of = self.searcher.doc_freq
        count = count_of(_EVERYTHING, word)
        if not count:
            return _UNKNOWN
        return _Known(count, _TEXTS[bool(count_of("meta", word)), bool(count_of("name", word))])

    def clause(self, text: str, word: str, weight: float) -> Query:
        """What asks for a word in one text."""
        term = Query.term_query(self.schema, text, word, "freq")
        return term if weight == 1 else Query.boost_query(term, weight)

    def _any_of(self, group: tuple[str, ...]) -> Query:
        kept = self._groups.get(group)
        if kept is None:
            terms = [(Occur.Should, Query.term_query(self.schema, "facet", one, "basic")) for one in group]
            kept = Query.const_score_query(Query.boolean_query(terms), 0.0)
            if len(self._groups) >= _GROUPS:
                self._groups.clear()
            self._groups[group] = kept
        return kept


class _Words(dict[str, _Known]):
    """What the index knows of words, found out at the first question."""

    def __init__(self, moment: _Moment, most: int) -> None:
        super().__init__()
        self._moment = moment
        self._most = most

    def __missing__(self, word: str) -> _Known:
        if len(self) >= self._most:
            self.clear()
        known = self[word] = self._moment.known(word)
        return known


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for text, _ in _WEIGHTS:
        builder.add_text_field(text, tokenizer_name="words", index_option="freq")
    builder.add_text_field("facet", tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("key", fast=True, indexed=True)
    builder.add_integer_field("digest", fast=True)
    builder.add_integer_field("twin", fast=True)
    return builder.build()


def _analyzer() -> tantivy.TextAnalyzer:
    """Documents come as words with spaces between them."""
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _fill(writer: tantivy.IndexWriter, documents: Iterable[Document], gone: Collection[int] | None) -> list[Document]:
    """Take out the documents of these keys, all of them where it is None, add others, and make that last.

    Gives the documents that were added, of very many only the first.
    """
    if gone is None:
        writer.delete_all_documents()
    for key in gone or ():
        writer.delete_documents_by_term("key", key)
    added: list[Document] = []
    for document in documents:
        writer.add_document(_written(document))
        if len(added) <= _LATEST:
            added.append(document)
    writer.commit()
    return added


def _written(document: Document) -> tantivy.Document:
    written = tantivy.Document()
    written.add_text(_EVERYTHING, document.everything)
    written.add_text("meta", document.meta)
    written.add_text("name", document.name)
    for one in (*document.facets, _ANY):
        written.add_text("facet", one)
    written.add_integer("key", document.key)
    written.add_integer("digest", document.digest)
    written.add_integer("twin", document.twin)
    return written
