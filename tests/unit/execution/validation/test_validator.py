"""Validators as the gate uses them: kept, shared by threads, and answering in whatever thread asks."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.counting import Meter
from prowess.execution.validation.patterns import grade
from prowess.execution.validation.validator import ValidatorCache, compile_validator
from prowess.model.schema import Schema

COUNTED = {"items": {"anyOf": [{"pattern": "(?=a)a"}, {"const": 1}]}, "maxItems": 3}


def test_threads_that_ask_at_once_share_one_validator() -> None:
    """Choice: whoever compiles second takes what the first one made."""
    cache, schema = ValidatorCache(), Schema.of(COUNTED)
    start = threading.Barrier(8)

    def ask(_number: int) -> object:
        start.wait(10)
        return cache.get(schema)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert all(one is cache.get(schema) for one in found)


def test_a_counted_check_answers_each_thread_by_itself() -> None:
    """Choice: what one check has spent is no other's loss."""
    validator = compile_validator(Schema.of(COUNTED))
    values: list[object] = [["a", 1], ["b"], ["a"] * 4, "x"] * 50

    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(validator.is_valid, values))
        problems = list(pool.map(validator.problems, values))
    assert verdicts == [True, False, False, True] * 50
    assert [found == () for found in problems] == verdicts


def test_a_refusal_is_remembered_and_told_as_an_error_of_its_own() -> None:
    """Choice: a schema that takes long to refuse is refused once; an error that was raised is not raised again."""
    cache, schema = ValidatorCache(), Schema.of({"type": "nope"})
    errors: list[InvalidSchemaError] = []
    for _ in range(2):
        with pytest.raises(InvalidSchemaError) as caught:
            cache.get(schema)
        errors.append(caught.value)
    assert errors[0] is not errors[1]
    assert str(errors[0]) == str(errors[1])
    assert errors[0].problems == errors[1].problems


def test_a_validator_nobody_needs_is_freed() -> None:
    """Choice: registries come and go in one process, and what a native validator refers to is seen by no collector."""
    before = meters()
    validator = compile_validator(Schema.of(COUNTED))
    assert validator.is_valid(["a"])
    assert meters() == before + 1
    del validator
    assert meters() == before


def meters() -> int:
    """How many validators that count are alive."""
    gc.collect()
    return sum(isinstance(one, Meter) for one in gc.get_objects())


@pytest.mark.parametrize(
    ("pattern", "fits", "not_fits"),
    [
        (r"^(?=.*\d)\w+$", "a1", "a"),
        (r"(a|b)\1", "aa", "ab"),
        (r"^(?!.*(\w)\1)", "abc", "aab"),
        (r"(?<!x)y", "ay", "xy"),
        (r"[(?=]x", "=x", "x"),
        (r"\(\?=x", "(?=x", "=x"),
        (r"[]]a", "]a", "a"),
        (r"(a+)+$", "aaa", "b"),
        (r"\p{Lu}", "É", "é"),
        ("(?:[a-z]{1,80}){1,40}é", "abé", "é"),
    ],
)
def test_a_pattern_means_the_same_in_each_engine(pattern: str, fits: str, not_fits: str) -> None:
    """Spec: patterns look around, refer back or are large, and still mean what they say."""
    validator = compile_validator(Schema.of({"pattern": pattern}))
    assert validator.is_valid(fits)
    assert not validator.is_valid(not_fits)
    assert validator.is_valid(5)


@pytest.mark.parametrize(
    ("pattern", "power"),
    [
        ("^(?=a)b", 1),
        ("(?=a)b", 2),
        ("^(?=a)b|c", 2),
        (r"^(?:a(?=b))*c", 2),
        (r"^(\w)\1", 1),
        (r"^(?:(\w)\1)+", 2),
    ],
)
def test_looking_around_is_taken_for_linear_only_at_the_start(pattern: str, power: int) -> None:
    """Choice: at each place, or in a loop, it reads the text once for each character."""
    graded = grade(pattern)
    assert graded is not None
    assert graded.power == power


@pytest.mark.parametrize("pattern", ["(?=(?=a)b)c", "^(?!(?:x(?=y))*)z", "(", "a" * 4_001, "(?=\\w{1000}{9})"])
def test_a_pattern_that_costs_more_than_the_square_of_a_text_is_not_taken(pattern: str) -> None:
    """Choice: the work of looking around while looking around is bounded by nothing."""
    assert grade(pattern) is None
