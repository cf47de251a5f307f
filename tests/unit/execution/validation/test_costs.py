"""What makes a check slow is counted: numbers, texts, lists whose items differ, and what a schema makes of them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.sizes import bulk, characters, is_large, levels
from prowess.execution.validation.validator import Validator, compile_validator
from prowess.model.json_value import Json
from prowess.model.schema import Schema

SLOW = "[ab]*a[ab]{200}"  # the linear engine needs a microsecond for each character of it
STEPS, LONG = "it could take too many steps", "a text is too long for its pattern"
TRACKED = "a pattern needs too much backtracking"


def compiled(schema: dict[str, object]) -> Validator:
    """The validator of a schema."""
    return compile_validator(Schema.of(schema))


@contextmanager
def bounded() -> Iterator[None]:
    """Fails where what stands inside takes ten seconds of CPU; each case takes less than one, or took minutes."""
    began = time.process_time()
    yield
    assert time.process_time() - began < 10


def ab(length: int) -> str:
    """A text in which no two places look alike."""
    return format(3**length, "b")[:length].translate({48: "a", 49: "b"})


REFUSED: list[tuple[str, dict[str, object], Json, str]] = [
    ("options of two types", {"items": {"enum": [*range(5_000), "a"]}}, [4_999] * 20_000, STEPS),
    (
        "integers beside floats",
        {"items": {"anyOf": [{"enum": [*range(5_000)]}, {"type": "number"}]}},
        [1.5] * 50_000,
        STEPS,
    ),
    ("tiny floats", {"items": {"allOf": [{"maximum": 0.5 + n} for n in range(60)]}}, [1e-300] * 20_000, STEPS),
    ("large integers", {"items": {"allOf": [{"minimum": 0.5 + n} for n in range(60)]}}, [10**300] * 20_000, STEPS),
    (
        "many at one value",
        {"items": {"allOf": [{"minimum": -n} for n in range(9_000)]}},
        [1] * 10_000,
        STEPS,
    ),
    (
        "names that may depend",
        {"items": {"dependentSchemas": {f"n{n}": {"type": "object"} for n in range(9_000)}}},
        [{} for _ in range(20_000)],
        STEPS,
    ),
    (
        "copies",
        {"allOf": [{"uniqueItems": True, "minItems": n} for n in range(300)]},
        [[n] for n in range(10_000)],
        STEPS,
    ),
    ("patterns", {"anyOf": [{"pattern": f"{SLOW}c{n}"} for n in range(200)]}, ab(100_000), LONG),
    ("names", {"patternProperties": {f"{SLOW}c{n}": {} for n in range(200)}}, {ab(100_000): 1}, LONG),
    (
        "own names",
        {"propertyNames": {"anyOf": [{"pattern": f"{SLOW}c{n}"} for n in range(200)]}},
        {ab(100_000): 1},
        LONG,
    ),
    ("looking around", {"pattern": "(?!x)(a*)*b"}, "a" * 100_000, LONG),
    ("backtracking", {"pattern": r"(.*)*\1x"}, "a" * 100 + "c", TRACKED),
]


@pytest.mark.behaviour("validation.bounded")
@pytest.mark.parametrize(("schema", "value", "why"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_would_take_too_long_is_refused_and_says_why(schema: dict[str, object], value: Json, why: str) -> None:
    """Regression: most of these passed uncounted, and took from ten seconds to hours."""
    validator = compiled(schema)
    with bounded():
        assert validator.is_valid(value) is False
        (problem,) = validator.problems(value)
    assert (problem.path, problem.rule, problem.message) == ("$", "cost", f"too costly to check: {why}")


CHECKED: list[tuple[str, dict[str, object], Json, bool]] = [
    ("large integers that differ", {"uniqueItems": True}, [10**25 + n for n in range(30_000)], True),
    ("large integers inside", {"uniqueItems": True}, [{"id": 10**25 + n} for n in range(30_000)], True),
    ("a large integer twice", {"uniqueItems": True}, [*(10**25 + n for n in range(30_000)), 10**25], False),
    ("many small integers", {"items": {"enum": [*range(300)]}}, [5, 299] * 50_000, True),
    ("many names", {"items": {"enum": [f"n{n}" for n in range(5_000)]}}, ["n4999"] * 50_000, True),
    ("prices", {"items": {"multipleOf": 0.01, "minimum": 0}}, [n / 100 for n in range(20_000)], True),
    ("base64", {"pattern": "^[A-Za-z0-9+/]*={0,2}$"}, "abcd" * 1_000_000, True),
    (
        "base64 beside alternatives",
        {"anyOf": [{"pattern": "^[A-Za-z0-9+/]*={0,2}$"}, *({"const": f"c{n}"} for n in range(80))]},
        "abcd" * 100_000,
        True,
    ),
    (
        "a media type that is draft 7's",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "allOf": [{"contentMediaType": "application/json", "maxLength": 10**9 + n} for n in range(2_000)],
        },
        f"[{'1,' * 200_000}1]",
        True,
    ),
]


@pytest.mark.behaviour("validation.bounded")
@pytest.mark.parametrize(("schema", "value", "fits"), [case[1:] for case in CHECKED], ids=[case[0] for case in CHECKED])
def test_what_is_large_and_harmless_is_checked(schema: dict[str, object], value: Json, fits: bool) -> None:
    """Regression: every two integers that one float stands for were compared; draft 7 read a text 2,000 times."""
    validator = compiled(schema)
    with bounded():
        assert validator.is_valid(value) is fits
        assert (validator.problems(value) == ()) is fits


@pytest.mark.parametrize(
    ("items", "differ"),
    [
        ([], True),
        (["a", "b"], True),
        (["a", "b", "a"], False),
        ([1, 2, 3], True),
        ([1, 2, 1], False),
        ([2**60, 2**60 + 1], True),
        ([2**60, 2**60], False),
        ([1, 1.0], False),
        ([0, -0.0], False),
        ([1, True, "1", None], True),
        ([[1], [1.0]], False),
        ([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], False),
        ([{"a": 1}, {"a": 2}, [], {}], True),
    ],
)
def test_items_differ_as_json_values_do(items: Json, differ: bool) -> None:
    """Spec: `uniqueItems`; a number's spelling and the order of fields do not matter, its type does not either."""
    assert compiled({"uniqueItems": True}).is_valid(items) is differ
    assert compiled({"uniqueItems": False}).is_valid(items)
    assert compiled({"uniqueItems": True}).is_valid("aa")


@pytest.mark.behaviour("validation.bounded")
@pytest.mark.parametrize(
    "pattern", [r"\w{{1000}}{{100}}{}", "(((a{{100}}){{100}}){{100}}){{100}}{}", r"(?=\w{{1000}}{{9}}){}", "({}"]
)
def test_very_many_patterns_are_not_all_tried(pattern: str) -> None:
    """Regression: each that was too large cost milliseconds, and ten thousand of them fit into a schema."""
    schema: dict[str, object] = {
        "properties": {f"p{number}": {"pattern": pattern.format(number)} for number in range(3_000)}
    }
    with bounded(), pytest.raises(InvalidSchemaError) as caught:
        compiled(schema)
    messages = {one.message for one in caught.value.problems}
    assert "is one too many: all patterns together compile to at most 32,000,000 bytes" in messages


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        ({"items": {"enum": [n + 0.5 for n in range(5_000)]}}, "cost"),
        ({"const": [1e-300] * 200}, "cost"),
        ({"items": {"enum": [[n] for n in range(20_000)]}}, "cost"),
        ({"dependentRequired": {f"n{n}": ["a"] for n in range(20_000)}}, "cost"),
    ],
)
def test_a_schema_that_must_be_slow_at_one_value_is_refused(schema: dict[str, object], rule: str) -> None:
    """Spec: schemas are bounded before they are compiled."""
    with pytest.raises(InvalidSchemaError) as caught:
        compiled(schema)
    assert {one.rule for one in caught.value.problems} == {rule}


@pytest.mark.parametrize("others", [0, 9_000])
def test_a_schema_that_costs_more_with_each_level_is_checked_at_every_depth(others: int) -> None:
    """Choice: the bound is computed for each depth, as far as that is affordable; below, the work is counted."""
    schema: dict[str, object] = {
        "$ref": "#/$defs/list",
        "$defs": {
            "list": {
                "items": {"$ref": "#/$defs/list"},
                "contains": {"$ref": "#/$defs/short"},
                "type": ["array", "null"],
            },
            "short": {"items": {"$ref": "#/$defs/short"}, "maxItems": 1},
            **{f"d{number}": {"enum": [number]} for number in range(others)},
        },
    }
    validator = compiled(schema)
    value: Json = None
    for _ in range(120):
        value = [value]
    with bounded():
        assert validator.is_valid(value)
        assert not validator.is_valid([value, 5])


def test_a_value_is_as_large_as_it_is_slow_to_compare() -> None:
    """Choice: what a unit of work is worth rests on this."""
    assert [bulk(one) for one in (1, True, "a" * 99, None, [1.5], 0.0, 1.5, -1e-300, 1e300, 2**53 + 1)] == [
        *[1] * 5,
        *[8] * 2,
        *[75] * 3,
    ]
    assert [one for one in (2**53, -(2**53), 2**53 + 1, -(2**53) - 1, 1e300, True) if is_large(one)] == [
        2**53 + 1,
        -(2**53) - 1,
    ]


def test_a_document_is_measured_level_by_level() -> None:
    """Choice: the bound differs from depth to depth."""
    document = {"name": "Ada", "tags": ["a", {"deep": None}], "n": 5}
    assert list(levels(document)) == [
        [document],
        ["Ada", ["a", {"deep": None}], 5],
        ["a", {"deep": None}],
        [None],
    ]
    assert [characters(level) for level in levels(document)] == [9, 3, 5, 0]
