from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.governance.patterns import includes, is_like

PATTERN = st.text("ab*?", max_size=4)
WORDS = ["".join(letters) for length in range(5) for letters in product("ab", repeat=length)]


@pytest.mark.parametrize(
    ("words", "patterns", "answer"),
    [
        (("ann",), (), True),
        ((), (), True),
        ((), ("*",), False),
        (("ann",), ("bob", "ann"), True),
        (("ann",), ("a*",), True),
        (("ann", "bob"), ("b?b",), True),
        (("ann",), ("a?",), False),
        (("ann",), ("A*",), False),
        (("a[n]n",), ("a[n]n",), True),
        (("ann",), ("a[n]*",), False),
        (("a[n]x",), ("a[n]*",), True),
        (("a.n",), ("a.n",), True),
        (("axn",), ("a.?",), False),
        (("a\nb",), ("a*b",), True),
    ],
)
def test_words_and_patterns(words: tuple[str, ...], patterns: tuple[str, ...], answer: bool) -> None:
    """Spec: `*` stands for any characters, `?` for one, and nothing else for anything but itself."""
    assert is_like(words, patterns) is answer


@given(PATTERN, PATTERN)
def test_a_pattern_that_includes_another_fits_all_its_words(wide: str, narrow: str) -> None:
    """Choice: what is said about covered rules must be certain."""
    if includes(wide, narrow):
        assert all(is_like((word,), (wide,)) for word in WORDS if is_like((word,), (narrow,)))


@pytest.mark.parametrize(
    ("wide", "narrow", "answer"),
    [
        ("*", "*", True),
        ("a*", "ab*", True),
        ("?", "?", True),
        ("*", "?", True),
        ("?", "*", False),
        ("a*", "*", False),
        ("a", "a", True),
    ],
)
def test_includes(wide: str, narrow: str, answer: bool) -> None:
    """Choice: as above."""
    assert includes(wide, narrow) is answer


def test_many_stars_take_no_time() -> None:
    """Choice: an actor's name may come from outside."""
    assert not is_like(("a" * 5_000,), ("*a" * 30 + "*b",))
