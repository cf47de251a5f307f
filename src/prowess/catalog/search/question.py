"""What somebody asks, read once, and the words of it that an index is asked for."""

from math import inf

from msgspec import Struct

from prowess.catalog.search.port import Asked, SearchIndex
from prowess.catalog.search.words import every_word, parts_of, stem_of, stems_of, tokens_of, words_of

__all__ = ["Question", "ask", "read"]

_LONGEST = 65_536
"""Characters of a question that are read; nobody describes what he wants at more length."""
_MOST_WORDS = 32
"""Words that are looked for. Of a request with more, such as a pasted text, the rarest say what it is about."""
_MOST_GUESSES = 3
"""Unknown words that are taken for slips; more than these are a text about something else."""
_LARGE = 2_000
"""Documents from which on words which every fifth has are left out: they are long to look up and say little."""
_COMMON = 0.2
_ENOUGH = 5
"""Rarer words beside which common ones are left out of a question to a large index."""
_ASKING_TEXT = "please help need want like know tell give show let get look try thank thanks hi hello hey"
_ASKING = frozenset(map(stem_of, _ASKING_TEXT.split()))
"""Words by which somebody asks rather than says what for; they count where there are no others."""


class Question(Struct, frozen=True):
    """A question as it was read."""

    text: str
    words: tuple[str, ...]
    """Its stems, each once, in their order."""
    only_stop_words: bool = False
    """Whether they are stop words, which only names hold."""


def read(text: str) -> Question:
    """Read a question; whatever text is one. Without any letter or digit in it there are no words."""
    text = text[:_LONGEST]
    words = dict.fromkeys(words_of(text))
    if not words:
        return Question(text, tuple(dict.fromkeys(every_word(text))), only_stop_words=True)
    if _ASKING.isdisjoint(words):
        return Question(text, tuple(words))
    return Question(text, tuple([word for word in words if word not in _ASKING]) or tuple(words))


def ask(question: Question, index: SearchIndex, facets: tuple[tuple[str, ...], ...], limit: int) -> Asked | None:
    """What an index is asked for a question; None where it knows no word of it."""
    if question.only_stop_words:
        words = question.words[:_MOST_WORDS]
        return Asked(words, only_names=True, facets=facets, limit=limit) if words else None
    counts = index.counts(question.words)
    size = index.size
    most = _COMMON * size if size >= _LARGE else inf
    if 0 not in counts and len(counts) <= _MOST_WORDS and max(counts) <= most:  # the common question
        return Asked(question.words, facets=facets, limit=limit)
    counted = list(zip(counts, question.words, strict=True))
    known = tuple([word for count, word in counted if count])
    meant: tuple[tuple[str, str], ...] = ()
    if len(counted) > _MOST_WORDS:
        known = tuple(word for _, word in sorted(one for one in counted if one[0])[:_MOST_WORDS])
    elif len(known) < len(counted):
        meant = _meant(question, frozenset(known), index)
    if max(counts) > most:
        rare = {word for count, word in counted if 0 < count <= most}
        known = tuple([word for word in known if word in rare]) if len(rare) >= _ENOUGH else known
    words = (*known, *dict.fromkeys(word for _, word in meant))
    return Asked(words, meant, facets=facets, limit=limit) if words else None


# ---------------------------------------------------------------------------------------------------------------------


def _meant(question: Question, known: frozenset[str], index: SearchIndex) -> tuple[tuple[str, str], ...]:
    """The known words that unknown ones stand for."""
    slips = _slips(question.text, set(question.words).difference(known))[:_MOST_GUESSES]
    found = [
        (slip, index.near(slip) or (index.near(stem) if (stem := stem_of(slip)) != slip else None)) for slip in slips
    ]
    return tuple((slip, word) for slip, word in found if word is not None and word not in known)


def _slips(text: str, unknown: set[str]) -> list[str]:
    """The unknown words that may be slips: not those with a capital inside a sentence, which are somebody's names."""
    tokens = tokens_of(text)
    titled = all(not token[0].islower() for token in tokens)
    slips = [
        part
        for at, token in enumerate(tokens)
        if (token[0].islower() or at == 0 or titled) and not unknown.isdisjoint(stems_of(token))
        for part in parts_of(token)
        if stem_of(part) in unknown
    ]
    return list(dict.fromkeys(slips))
