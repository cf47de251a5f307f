"""The order in which hits are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from prowess.catalog.search.ranking import rank
from prowess.model.manifest import Manifest


class Entry(Struct, frozen=True):
    """What is ranked."""

    manifest: Manifest


def entry(name: str, version: str | None = None) -> Entry:
    """An entry of that name."""
    return Entry(Manifest(name=name, version=version))


def order(*found: tuple[float, int, Entry]) -> list[str]:
    """References in the order in which they are shown."""
    return [one.entry.manifest.reference for one in rank(found)]


@pytest.mark.behaviour("search.deterministic")
def test_equal_scores_are_in_the_order_of_names() -> None:
    """Spec: deterministic, ties by name."""
    assert order((2.0, 1, entry("z")), (1.00001, 2, entry("c")), (1.0, 3, entry("a")), (1.0, 4, entry("b"))) == list(
        "zabc"
    )


def test_of_several_versions_the_best_stands_for_all_and_of_equal_ones_the_highest() -> None:
    """Choice: a model is offered an entry once."""
    older, newer, other = entry("a", "1.9.0"), entry("a", "1.10.0"), entry("b")
    ranked = rank([(1.0, 1, older), (1.0, 1, newer), (0.5, 2, other)])
    assert [(one.entry, one.also) for one in ranked] == [(newer, ["a@1.9.0"]), (other, [])]
    assert order((1.0, 1, older), (0.9, 2, newer)) == ["a@1.9.0"]


@pytest.mark.behaviour("search.collapsed")
def test_twins_are_shown_once_and_named() -> None:
    """Spec: near-identical results are collapsed before the cut to k."""
    ranked = rank([(3.0, 7, entry("b/mail")), (2.0, 7, entry("a/mail")), (1.0, 8, entry("c/mail"))])
    assert [(one.entry.manifest.name, one.also) for one in ranked] == [("b/mail", ["a/mail"]), ("c/mail", [])]


def test_nothing_found_is_nothing_shown() -> None:
    """Choice: no special case."""
    assert rank([]) == []


@given(
    st.lists(st.tuples(st.floats(0, 9), st.integers(0, 3), st.sampled_from("abcdef")), max_size=12), st.integers(0, 12)
)
def test_what_is_found_later_does_not_change_what_came_first(found: list[tuple[float, int, str]], cut: int) -> None:
    """Spec: results page."""
    ordered = sorted(found, key=lambda one: (-round(one[0], 4), one[2]))
    rows = [(round(score, 4), twin, entry(name)) for score, twin, name in ordered]
    first, all_of_them = rank(rows[:cut]), rank(rows)
    names = [one.entry.manifest.name for one in all_of_them]
    assert [one.entry.manifest.name for one in first] == names[: len(first)]
