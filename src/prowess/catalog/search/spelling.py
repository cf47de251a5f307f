"""Words that were meant where an unknown one was typed: one letter more, less, other, or two in the wrong order."""

from string import ascii_lowercase

from prowess.catalog.search.port import Vocabulary

__all__ = ["is_slip", "near_word"]

_SHORTEST = 4
"""Letters of a word that is corrected: every word of three is near many others."""
_LONG = 6
"""Letters of a word of which one may be another one: in a shorter one, that makes most often another word."""


def near_word(word: str, vocabulary: Vocabulary) -> str | None:
    """The commonest known word one edit away, none for what is short or no English word.

    One half of a word is right where a single edit is in the other: the words with this beginning are compared, and
    only where none is near, those with another beginning are tried one by one.
    """
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return None
    half, length = len(word) // 2, len(word)
    near = [one for one in vocabulary.starting_with(word[:half]) if abs(len(one[0]) - length) <= 1]
    found = [one for one in near if is_slip(word, one[0])] or vocabulary.frequencies(_other_beginnings(word, half))
    return min(found, key=lambda one: (-one[1], one[0]))[0] if found else None


def is_slip(one: str, other: str) -> bool:
    """Whether exactly one edit makes one word of the other; in a short word a letter does not become another one."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1 or one == other:
        return False
    start = next((at for at, letter in enumerate(one) if letter != other[at]), len(one))
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    swapped = one[start : start + 2] == other[start : start + 2][::-1] and one[start + 2 :] == other[start + 2 :]
    return swapped or (len(one) >= _LONG and one[start + 1 :] == other[start + 1 :])


# ---------------------------------------------------------------------------------------------------------------------


def _other_beginnings(word: str, half: int) -> set[str]:
    """Every word that a slip before the middle makes."""
    made: set[str] = set()
    for at in range(half):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        made.update((before + after, f"{before}{after[:1]}{letter}{after[1:]}"))
        made.update(f"{before}{other}{letter}{after}" for other in ascii_lowercase)
        if len(word) >= _LONG:
            made.update(f"{before}{other}{after}" for other in ascii_lowercase)
    made.discard(word)
    return made
