from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.conftest import gather, is_whole
from tests.ledger import LEDGER

if TYPE_CHECKING:
    from tests.conftest import Marked

ROWS = {row.id: row for row in LEDGER}


def test_ids_are_unique_and_name_an_area() -> None:
    """Choice: an id is what a failing run is searched by."""
    assert len(ROWS) == len(LEDGER)
    assert [i for i in ROWS if not re.fullmatch(r"[a-z0-9]+\.[a-z0-9]+(-[a-z0-9]+)*", i)] == []


def test_every_row_is_a_sentence_with_a_source() -> None:
    """Choice: a row without a source cannot be weighed when it stands in the way."""
    assert [row.id for row in LEDGER if not row.sentence.endswith(".")] == []
    assert [row.id for row in LEDGER if not re.match(r"(spec|choice|regression)\b", row.source)] == []


def test_every_marked_behaviour_is_in_the_ledger(marked: Marked) -> None:
    """Choice: no test proves something nobody promised."""
    assert sorted(set(marked.tests) - set(ROWS)) == []


@pytest.mark.whole_run
def test_every_behaviour_in_the_ledger_has_a_test(marked: Marked) -> None:
    """Choice: no promise goes without proof."""
    assert sorted(set(ROWS) - set(marked.tests)) == []


@pytest.mark.whole_run
def test_exactly_the_known_gaps_are_expected_to_fail(marked: Marked) -> None:
    """Choice: a gap is written down once, and its closing is noticed."""
    failing = {name for name, tests in marked.tests.items() if tests & marked.expected_to_fail}
    assert failing == {row.id for row in LEDGER if row.gap}


def test_marks_are_gathered_with_their_tests(pytester: pytest.Pytester) -> None:
    """Choice: the comparison above rests on this."""
    items = pytester.getitems("""
        import pytest

        @pytest.mark.behaviour("area.one", "area.two")
        def test_a(): ...

        @pytest.mark.xfail
        @pytest.mark.behaviour("area.two")
        @pytest.mark.parametrize("x", [1, 2])
        def test_b(x): ...

        def test_c(): ...
    """)
    found = gather(items)
    names = {name: {test.partition("::")[2] for test in tests} for name, tests in found.tests.items()}
    assert names == {"area.one": {"test_a"}, "area.two": {"test_a", "test_b[1]", "test_b[2]"}}
    assert {test.partition("::")[2] for test in found.expected_to_fail} == {"test_b[1]", "test_b[2]"}


@pytest.mark.parametrize(
    ("arguments", "whole"),
    [
        ((), True),
        (("-k", "something"), True),
        (("-m", "long"), True),
        (("tests",), False),
        (("--lf",), False),
        (("--ignore", "tests/unit"), False),
    ],
)
def test_only_a_run_that_collects_everything_is_whole(
    arguments: tuple[str, ...], whole: bool, pytester: pytest.Pytester
) -> None:
    """Choice: running one file must not fail for the tests in the others."""
    pytester.makeini("[pytest]\ntestpaths = tests\n")
    pytester.mkdir("tests")
    assert is_whole(pytester.parseconfig(*arguments)) is whole
