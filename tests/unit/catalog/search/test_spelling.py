"""Words that were meant."""

import string
from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.search.spelling import is_slip, near_word

WORDS = st.text(string.ascii_lowercase, min_size=4, max_size=10)


class Vocabulary:
    """Words with how often each is there."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = counts

    def frequencies(self, words: Collection[str]) -> Sequence[tuple[str, int]]:
        return [(word, self.counts[word]) for word in words if word in self.counts]

    def starting_with(self, beginning: str) -> Sequence[tuple[str, int]]:
        return [(word, count) for word, count in self.counts.items() if word.startswith(beginning)]


@pytest.mark.behaviour("search.slips")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("calender", "calendar"),
        ("wether", "weather"),
        ("serach", "search"),
        ("esarch", "search"),
        ("earch", "search"),
        ("xsearch", "search"),
        ("zearch", "search"),
        ("searchh", "search"),
        ("mial", "mail"),
    ],
)
def test_one_edit_away_from_a_known_word_that_is_meant(typed: str, meant: str) -> None:
    """Spec: fuzzy matching, one edit."""
    known = Vocabulary({"calendar": 1, "weather": 1, "search": 2, "mail": 1, "notes": 9})
    assert near_word(typed, known) == meant


def test_of_several_near_words_the_commonest_is_meant() -> None:
    """Choice: more of them would find more that nobody asked for."""
    assert near_word("booksy", Vocabulary({"books": 1, "booksi": 5, "bookst": 5, "book": 9})) == "booksi"


@pytest.mark.parametrize("typed", ["cat", "caf\u00e9s", "b2b4", "rome"])
def test_short_words_and_what_is_no_english_word_are_not_corrected(typed: str) -> None:
    """Choice: every word of three letters is near many, and a replaced letter of a short one makes another word."""
    assert near_word(typed, Vocabulary({"cab": 1, "cafes": 1, "b2b5": 1, "home": 1, "some": 1, "romp": 1})) is None


def test_nothing_near_is_nothing() -> None:
    """Choice: no guess is better than a bad one."""
    assert near_word("elephant", Vocabulary({"weather": 1})) is None


@given(WORDS, st.integers(0, 9), st.sampled_from(string.ascii_lowercase), st.sampled_from(["insert", "delete", "swap"]))
def test_a_word_with_one_slip_is_near(word: str, at: int, letter: str, slip: str) -> None:
    """Spec: one edit, a swap of neighbours being one."""
    at %= len(word) - 1
    made = {
        "insert": word[:at] + letter + word[at:],
        "delete": word[:at] + word[at + 1 :],
        "swap": word[:at] + word[at + 1] + word[at] + word[at + 2 :],
    }[slip]
    assert is_slip(word, made) == is_slip(made, word) == (made != word)
    if len(made) > 3 and made != word:
        assert near_word(made, Vocabulary({word: 1})) == word


@given(WORDS)
def test_no_word_is_a_slip_of_itself_or_of_one_two_letters_longer(word: str) -> None:
    """Choice: known words are not corrected."""
    assert not is_slip(word, word)
    assert not is_slip(word, f"{word}xx")
