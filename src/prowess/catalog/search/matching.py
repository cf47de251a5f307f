"""Why an entry was found: the words of a question, the part of the entry that has them, and how they stand there."""

from collections.abc import Mapping

from msgspec import Struct

from prowess.catalog.search.document import PARTS, Text, chosen
from prowess.catalog.search.port import Asked
from prowess.catalog.search.words import parts_of, stem_of, tokens_of, words_of

__all__ = ["Match", "matches"]


class Match(Struct, frozen=True, gc=False):
    """One word of a question in one part of an entry."""

    field: str
    """The part of the entry: one of `PARTS`."""
    word: str
    """The word as it was asked."""
    found: str
    """The word as it stands in the entry."""


def matches(question: str, asked: Asked, text: Text) -> tuple[Match, ...]:
    """Every match of what an index was asked for a question, by part, in the order of the question."""
    words, meant = frozenset(asked.words), dict(asked.meant)
    wanted: dict[str, str] = {}
    for token in tokens_of(question):
        for typed in parts_of(token):
            word = meant.get(typed, stem_of(typed))
            if word in words:
                wanted.setdefault(word, typed)
    parts = PARTS[:1] if asked.only_names else PARTS
    found: list[Match] = []
    for part in parts:
        written = _written(part, getattr(text, part))
        found += [Match(part, typed, written[word]) for word, typed in wanted.items() if word in written]
    return tuple(found)


# ---------------------------------------------------------------------------------------------------------------------


def _written(part: str, text: str) -> Mapping[str, str]:
    """The stems that a part is found by, each with the first word that gives it."""
    written: dict[str, str] = {}
    for token in tokens_of(text):
        for small in parts_of(token):
            written.setdefault(stem_of(small), token)
    if part != "body":
        return written
    indexed = set(chosen(words_of(text)))
    return {stem: token for stem, token in written.items() if stem in indexed}
