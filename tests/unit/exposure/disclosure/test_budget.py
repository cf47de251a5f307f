"""Fitting a list of skills into a budget: fair, within it, and with every skill within reach."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess import InvalidInputError, Manifest
from prowess.exposure.disclosure.budget import Page, cut, fit, level_of, tokens_of
from prowess.exposure.disclosure.shapes import listed
from prowess.model.manifest import Kind

TEXTS = st.text(st.sampled_from('ab c.,é\n"\\語😀'), max_size=120)


def skills(count: int, description: str = "Use when the user wants something done with care") -> list[Manifest]:
    """So many packages, sorted by name."""
    return [Manifest(name=f"skill-{number:04}", description=description, kind=Kind.PACKAGE) for number in range(count)]


def tokens(page: Page) -> int:
    """What a page takes as it goes to a model."""
    return tokens_of(msgspec.json.encode(listed(page)))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("語", 1),
        ("語語", 2),
        ("é", 1),
        ("ééé", 2),
        ("abcd語", 2),
        ("😀", 2),
    ],
)
def test_tokens_are_estimated_from_characters(text: str, count: int) -> None:
    """Choice: one estimate for all models, which leans to too many; four ASCII characters or three other bytes."""
    assert tokens_of(text.encode()) == count


def test_what_fits_is_whole() -> None:
    """Spec: only what does not fit is trimmed, and only then something is said about it."""
    page = fit(skills(3), 1_000)
    assert listed(page) == {"skills": [{"name": one.name, "description": one.description} for one in skills(3)]}
    assert listed(fit([], 1)) == {"skills": []}


def test_the_longest_descriptions_are_cut_to_one_length() -> None:
    """Spec: trimming is fair: the shortest are kept whole, the others cut at a word with an ellipsis."""
    texts = [
        "Short.",
        "Use when the user wants " + "many different things " * 9,
        "Use when " + "a rather long thing " * 30,
    ]
    manifests = [Manifest(name=f"s{number}", description=text) for number, text in enumerate(texts)]
    page = fit(manifests, 70)
    short, long, longest = (row.description for row in page.rows)
    assert short == "Short."
    assert [row.is_cut for row in page.rows] == [False, True, True]
    assert long.endswith("…")
    assert texts[1].startswith(long[:-1])
    assert texts[1][len(long) - 1] == " "
    assert abs(len(long) - len(longest)) <= len("different ")
    assert tokens(page) <= 70


def test_names_come_before_descriptions() -> None:
    """Spec: a skill is not left out while its name fits; what was left out of the others is told."""
    page = fit(skills(20), 135)
    assert len(page.rows) == 20
    assert {row.description for row in page.rows} == {""}
    assert listed(page)["left_out"] == {"descriptions": 20}
    assert tokens(page) <= 135


def test_a_page_leads_on_to_every_skill() -> None:
    """Spec: where not even the names fit, each skill can be reached, and none by how often it was used."""
    manifests = skills(200)
    seen: list[str] = []
    after = None
    for _ in range(200):
        page = fit(manifests, 300, after=after)
        assert tokens(page) <= 300
        seen += [row.name for row in page.rows]
        left = len(manifests) - len(seen)
        answer = listed(page)
        assert [one.name for one in page.left_out] == [one.name for one in manifests[len(seen) :]]
        told = answer.get("left_out")
        assert (told["count"] if isinstance(told, dict) else 0) == left
        assert all(row.description for row in page.rows)
        if page.next is None:
            break
        assert answer["next"] == page.next == seen[-1]
        after = page.next
    assert seen == [manifest.name for manifest in manifests]


def test_what_is_not_on_a_page_is_named_as_far_as_it_fits() -> None:
    """Spec: the answer says what was left out: how many, and their names as far as they fit."""
    answer = listed(fit(skills(200), 300))
    left = answer["left_out"]
    assert isinstance(left, dict)
    names = left["names"]
    assert isinstance(names, list)
    assert isinstance(answer["skills"], list)
    first = len(answer["skills"])
    assert names == [f"skill-{first + number:04}" for number in range(len(names))]
    assert 0 < len(names) < int(str(left["count"]))


def test_what_is_looked_for_comes_first_where_not_all_fit() -> None:
    """Spec: chosen by relevance where a query is given; shown sorted all the same."""
    ranked = skills(200)[::-1]
    page = fit(ranked, 300, ranked=True)
    names = [row.name for row in page.rows]
    assert names == sorted(names)
    assert names[-1] == "skill-0199"
    assert page.next == names[0]
    more = fit(ranked, 300, ranked=True, after=page.next)
    assert more.rows[-1].name == f"skill-{199 - len(names):04}"
    with pytest.raises(InvalidInputError, match="names no skill of this list"):
        fit(ranked, 300, ranked=True, after="gone")


def test_a_page_begins_behind_a_skill_that_is_gone() -> None:
    """Choice: a list by name goes on where it was, whatever was removed meanwhile."""
    assert [row.name for row in fit(skills(3), 1_000, after="skill-0000x").rows] == ["skill-0001", "skill-0002"]
    assert fit(skills(3), 1_000, after="z").rows == ()


def test_a_budget_too_small_for_one_skill_gives_one() -> None:
    """Choice: a list that gives nothing leads nowhere."""
    page = fit(skills(3), 1)
    assert [row.name for row in page.rows] == ["skill-0000"]
    assert (len(page.left_out), page.named, page.next) == (2, 0, "skill-0000")


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Use when needed", 4, "Use when needed"),
        ("Use when needed now", 4, "Use when…"),
        ("Use when, and only", 4, "Use when…"),
        ("Use when needed", 1, ""),
        ("Use when needed", 0, ""),
        ("Donaudampfschifffahrtsgesellschaft", 4, "Donaudampfsc…"),
        ("A Donaudampfschifffahrtsgesellschaft", 4, "A Donaudampf…"),
        ("用于处理用户的请求", 4, "用于处…"),
        (" " * 40, 4, ""),
        ("", 0, ""),
    ],
)
def test_a_text_is_cut_at_a_word(text: str, most: int, shown: str) -> None:
    """Spec: cut at a word, with an ellipsis; inside one where there is no better place."""
    assert cut(text, most) == shown


@given(TEXTS, st.integers(0, 60))
def test_a_cut_text_is_a_beginning_that_fits(text: str, most: int) -> None:
    """Spec: what is shown was written, and is within its share."""
    shown = cut(text, most)
    assert text.startswith(shown.removesuffix("…"))
    assert shown == text or tokens_of(msgspec.json.encode(shown)[1:-1]) <= most


@given(st.lists(st.integers(0, 50), max_size=20), st.integers(-10, 400))
def test_the_level_is_the_fairest(costs: list[int], room: int) -> None:
    """Spec: max-min fair: all that are cut are cut alike, and nobody could have more without another having less."""
    level = level_of(costs, room)
    assert sum(min(cost, level) for cost in costs) <= max(room, 0)
    if any(cost > level for cost in costs):
        assert sum(min(cost, level + 1) for cost in costs) > max(room, 0)


@given(st.lists(TEXTS, min_size=1, max_size=30), st.integers(40, 800), st.booleans())
def test_a_page_keeps_within_its_budget(texts: list[str], budget: int, ranked: bool) -> None:
    """Spec: a token budget chooses and trims; one skill is shown whatever the budget."""
    manifests = [
        Manifest(name=f"s{number:02}", description=text, version="1.0.0" if number % 3 else None)
        for number, text in enumerate(texts)
    ]
    page = fit(manifests, budget, ranked=ranked)
    assert len(page.rows) == 1 or tokens(page) <= budget
    assert len(page.rows) + len(page.left_out) == len(manifests)
    assert all(one.name < other.name for one, other in pairwise(page.rows))
