"""Patterns of names, in which `*` stands for any characters and `?` for one."""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache

__all__ = ["includes", "is_like", "is_pattern"]


def is_like(words: Iterable[str], patterns: tuple[str, ...]) -> bool:
    """Whether one of the words fits one of the patterns; no pattern asks nothing."""
    if not patterns:
        return True
    return any(word in patterns or any(_regex(pattern, "?").fullmatch(word) for pattern in patterns) for word in words)


def includes(wide: str, narrow: str) -> bool:
    """Whether every word that fits the narrow pattern is known to fit the wide one.

    A `*` or `?` of the narrow one may be anything, so that only a `*` of the wide one can take it in, or a `?` a `?`.
    """
    return _regex(wide, "[!*]").fullmatch(narrow) is not None


def is_pattern(text: str) -> bool:
    """Whether a text may stand for several words."""
    return "*" in text or "?" in text


# ---------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def _regex(pattern: str, one: str) -> re.Pattern[str]:
    """A pattern as an expression that never goes back behind a star; `one` is what stands for a single character."""
    return re.compile(translate(pattern.replace("[", "[[]").replace("?", one)))
