"""The port to an index of documents, and what is asked of it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from prowess.catalog.search.document import Document

__all__ = ["Asked", "Carried", "Found", "IndexUnavailableError", "Meaning", "SearchIndex", "Vocabulary"]

Found: TypeAlias = tuple[float, int, int]
"""A document that was found: its score, its key, its twin."""
Carried: TypeAlias = Callable[[], Iterable[tuple[str, bytes]]]
"""Gives the files of an index that was made elsewhere, each with its name."""


class IndexUnavailableError(Exception):
    """The index cannot be opened, read or written: somebody else writes it, the disk is full, its files are damaged."""


class Asked(Struct, frozen=True):
    """What an index is asked for: the documents that have any of these words, those that have most of them first."""

    words: tuple[str, ...]
    """Words that the index knows, as `words_of` gives them."""
    meant: tuple[tuple[str, str], ...] = ()
    """Words of the question that nobody knows, each with the one among `words` that stands for it."""
    only_names: bool = False
    """Whether words are looked for in names alone."""
    facets: tuple[tuple[str, ...], ...] = ()
    """Of each group a document must have one."""
    limit: int = 10


class Vocabulary(Protocol):
    """The words that an index knows."""

    def frequencies(self, words: Collection[str]) -> Sequence[tuple[str, int]]:
        """Those of some words that it knows, each with how many documents have it in any part of them."""
        ...

    def starting_with(self, beginning: str) -> Sequence[tuple[str, int]]:
        """The words that begin so, the commonest first and not all of very many, with how many documents have them."""
        ...


class SearchIndex(Vocabulary, Protocol):
    """Documents that can be searched.

    Every thread may read it at any time, and sees what it held before or after an update. One thread at a time updates
    it. It lives until `close`; what is on disk outlives it, and may be deleted at any time.

    A document's score is the sum over its three texts, `everything` once, `meta` half, `name` a fifth, of what Okapi
    BM25 gives for the words.
    """

    @property
    def size(self) -> int:
        """How many documents it holds."""
        ...

    @property
    def left_over(self) -> int:
        """How many documents that went still count in its scores; none after all was added at once."""
        ...

    @property
    def orders_ties(self) -> bool:
        """Whether documents of one score come in the order in which they were added, all at once."""
        ...

    def held(self) -> Mapping[int, int]:
        """The digest of every document, by its key."""
        ...

    def update(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        """Take out the documents of these keys, then add others; all of it becomes visible at once.

        A key among the documents that is held already is among those that go. Raises `IndexUnavailableError`.
        """
        ...

    def counts(self, words: Sequence[str]) -> Sequence[int]:
        """How many documents have each of these words; remembered for the question in which they stand."""
        ...

    def find(self, asked: Asked) -> Sequence[Found]:
        """The best documents, highest score first."""
        ...

    def near(self, word: str) -> str | None:
        """The commonest word it knows that one slip of a finger makes of this one; kept until the next update."""
        ...

    def files(self) -> Iterable[tuple[str, bytes]]:
        """An index in a folder as files for another machine; none where it cannot be carried.

        The same documents in the same order give the same files, to the byte.
        """
        ...

    def close(self) -> None:
        """Let go of files and memory. Nothing may be asked any more."""
        ...


class Meaning(Protocol):
    """How near texts are to a question by what they mean, whatever their words."""

    def likeness(self, question: str, texts: Sequence[tuple[int, Callable[[], str]]]) -> Sequence[float]:
        """A number for each text, 1 for the same meaning; what was worked out of a text is kept under its digest.

        A text is asked for only where nothing is kept for it.
        """
        ...

    def close(self) -> None:
        """Let go of files and memory."""
        ...
