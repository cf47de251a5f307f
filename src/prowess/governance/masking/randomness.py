"""Which words look as if a machine had drawn them."""

import re

__all__ = ["looks_random"]

_LETTERS = re.compile(r"[A-Za-z0-9+/_=.~-]{20,128}")
_KINDS = re.compile(r"[A-Z]+|[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_DIGITS = 2
_CHANGES = 0.4
"""How often the kind of character changes: in base64 at half of the places and more, in camelCase at a third."""


def looks_random(word: str) -> bool:
    """Whether a word is like a drawn one: long, of small and large letters and digits that follow on each other wildly.

    Hashes, UUIDs, paths and identifiers are not.
    """
    if not _LETTERS.fullmatch(word) or word.count("/") + word.count(".") > len(word) // 16:
        return False
    runs = _KINDS.findall(word)
    digits = sum(map(str.isdigit, word))
    has_all = digits >= _DIGITS and word != word.lower() and word != word.upper()
    return has_all and len(runs) >= _CHANGES * len(word)
