"""Text to the words it is found by: identifiers taken apart, stop words left out, English words stemmed.

Words of scripts that put no spaces between them become single characters and pairs of neighbours, accents fall away,
and an emoji is a word. The same reading serves what is indexed and what is asked, so both meet.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

from prowess.catalog.search.stemming import stem

__all__ = ["STOP_WORDS", "every_word", "parts_of", "stem_of", "stems_of", "tokens_of", "words_of"]

_Form = TypeVar("_Form")

_LONGEST = 64
"""Characters of a word; what is longer is a key, a digest or a picture, and nobody asks for it."""
_KEPT = 65_536
"""How many readings of words are remembered at a time."""

_TOKEN = re.compile(r"[A-Za-z0-9]++(?:['_-]++[A-Za-z0-9]++)*+")
_INDIC = r"(?:[^\W_]|[\u0900-\u0963\u0966-\u0dff])+"
"""Their vowel signs are no letters to `re`, and a word would fall apart at each."""
_TOKEN_OF_ANY_SCRIPT = re.compile(rf"{_INDIC}(?:['\u2019_-]+{_INDIC})*|[\u2600-\u27bf\U0001f000-\U0001faff]")
_BETWEEN = re.compile(r"[_-]+")
_CASE = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^A-Z]+")
_POSSESSIVE = re.compile(r"'s\b")
_ACCENTS = re.compile(r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
_DENSE = re.compile(
    r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
"""Runs of Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean: between their words stands no space."""

_STOP_TEXT = """
    a an the and or nor but if so than then as at by for from in into of off on onto out over to up with about
    above after again against along among around because before below beside between beyond during down except
    once through under until upon via while within without

    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our
    ours ourselves they them their theirs themselves this that these those here there who whom whose which what
    when where why how whether

    am is are was were be been being have has had having do does did doing done will would shall should can could
    may might must ought cannot just im ive id ill youre youve youd youll hes shes weve theyre theyve theyd theyll
    thats whats whos heres theres lets dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt
    cant couldnt shouldnt mustnt

    all any both each either neither every few more most much many other another some such no not only own same
    too very also
"""
"""Articles, conjunctions, prepositions; pronouns; auxiliaries, also without their apostrophes; how much, and which."""
STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that say nothing about what is wanted; in names they stay."""


def words_of(text: str) -> list[str]:
    """The stems of a text's words in their order, without stop words."""
    forms = _FORMS
    return [word for token in tokens_of(text) for word in forms[token]]


def every_word(text: str) -> list[str]:
    """The same with the stop words, for names: `what-is` has no other."""
    stems = _STEMS
    return [stems[part] for token in tokens_of(text) for part in parts_of(token)]


def stems_of(token: str) -> tuple[str, ...]:
    """The stems of one token, without stop words."""
    return _FORMS[token]


def tokens_of(text: str) -> list[str]:
    """What is written between spaces and signs, an identifier in one piece: `HTTPServer`, `to-do`."""
    return _TOKEN.findall(text) if text.isascii() else _TOKEN_OF_ANY_SCRIPT.findall(_plain(text))


def parts_of(token: str) -> list[str]:
    """The lowercase words in one token, and after them its whole where it has several."""
    if len(token) <= _LONGEST and token.isascii() and token.isalpha() and (token[1:].islower() or len(token) == 1):
        return [token.lower()]
    if "'" in token or "\u2019" in token:
        token = _POSSESSIVE.sub("", token.replace("\u2019", "'")).replace("'", "")
    parts = [part.casefold() for piece in _BETWEEN.split(token) for part in _CASE.findall(piece)]
    if len(parts) > 1:
        parts.append("".join(parts))
    if not token.isascii():
        parts = [small for part in parts for small in _undensed(part)]
    return [part for part in parts if len(part) <= _LONGEST]


def stem_of(part: str) -> str:
    """The stem of a lowercase word; words that are not English letters stay as they are."""
    return _STEMS[part]


# ---------------------------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """The text without accents and variants of width; what is composed without them is composed again."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))


def _undensed(part: str) -> Iterator[str]:
    """The word itself, or of runs without spaces each character and each pair of neighbours."""
    for number, run in enumerate(_DENSE.split(part)):
        if number % 2:
            yield from run
            yield from map("".join, pairwise(run))
        elif run:
            yield run


def _stemmed(part: str) -> str:
    return stem(part) if part.isascii() and part.isalpha() else part


def _forms(token: str) -> tuple[str, ...]:
    return tuple(stem_of(part) for part in parts_of(token) if part not in STOP_WORDS)


class _Remembered(dict[str, _Form]):
    """Readings by what was read; when there are too many it starts anew."""

    def __init__(self, read: Callable[[str], _Form], most: int = _KEPT) -> None:
        super().__init__()
        self._read = read
        self._most = most

    def __missing__(self, word: str) -> _Form:
        if len(self) >= self._most:
            self.clear()
        form = self[word] = self._read(word)
        return form


_STEMS = _Remembered(_stemmed)
_FORMS = _Remembered(_forms)
