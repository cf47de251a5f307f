"""How a refused value is read beside its schema: in bounded steps, and never blaming what nobody looked at."""

import time

import pytest

from prowess.errors import Problem
from prowess.execution.validation.validator import compile_validator
from prowess.execution.validation.words import as_json, as_name, either, listed, short
from prowess.model.json_value import Json
from prowess.model.schema import Schema

WHOLE = "does not fit the schema as a whole"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def told(schema: dict[str, object], value: Json) -> tuple[Problem, ...]:
    """What is told of a value, within ten seconds of CPU: each takes less than one, or took minutes."""
    validator = compile_validator(Schema.of(schema))
    began = time.process_time()
    found = validator.problems(value)
    assert time.process_time() - began < 10
    return found


LARGE: list[tuple[str, dict[str, object], Json, str]] = [
    ("required", {"items": {"required": [f"n{n}" for n in range(20_000)], "properties": {}}}, [{}] * 3_000, "required"),
    (
        "properties",
        {"items": {"properties": {f"n{n}": {} for n in range(9_000)}, "required": ["a"]}},
        [{}] * 60_000,
        "required",
    ),
    ("enum", {"items": {"enum": ["x" * 900_000], "allOf": [{}]}}, [1] * 90_000, "enum"),
    ("types", {"items": {"anyOf": [{"type": "string", "minLength": n} for n in range(9_000)]}}, [1] * 3_000, "anyOf"),
    (
        "tagged",
        {"items": {"oneOf": [{"properties": {"kind": {"const": f"k{n}"}}} for n in range(2_000)]}},
        [{f"n{n}": n for n in range(200)} | {"kind": "none"}] * 10,
        "enum",
    ),
    ("contains", {"contains": {"const": 5}}, [6] * 300_000, "contains"),
    ("names", {"propertyNames": {"pattern": "^a"}}, {f"n{n}": 1 for n in range(50_000)}, "propertyNames"),
    ("unknown", {"additionalProperties": False}, {f"n{n}": 1 for n in range(50_000)}, "additionalProperties"),
    ("unevaluated", {"unevaluatedProperties": False}, {f"n{n}": 1 for n in range(50_000)}, "unevaluatedProperties"),
    ("several", {"items": {"not": {}, "allOf": [{"type": "null"}]}}, [1] * 50_000, "type"),
]


@pytest.mark.behaviour("validation.bounded")
@pytest.mark.parametrize(("schema", "value", "rule"), [case[1:] for case in LARGE], ids=[case[0] for case in LARGE])
def test_what_is_wrong_with_a_large_value_is_found_in_bounded_time(
    schema: dict[str, object], value: Json, rule: str
) -> None:
    """Regression: the verdict took microseconds, and telling why took seconds to minutes."""
    found = told(schema, value)
    assert 1 <= len(found) <= 50
    assert found[0].rule == rule


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"anyOf": [{"minimum": n, "not": {"const": n}} for n in range(60)]}}, [*[10**6] * 2_000, -1]),
        ({"items": {"patternProperties": {"^n": {"not": {"type": "null"}}}}}, [*[{"n": 1}] * 60_000, {"n": None}]),
        ({"contains": {"not": {"anyOf": [{"minimum": 0}, {"type": "null"}]}}}, [1] * 60_000),
        ({"items": {"not": {"not": {"anyOf": [{"minimum": 0}, {"maximum": -2}]}}}}, [*[1] * 60_000, -1]),
        (
            {"items": {"if": {"not": {"minimum": 9}}, "then": {"minimum": 1}, "unevaluatedProperties": False}},
            [*[1] * 60_000, 0],
        ),
    ],
    ids=["alternatives", "patterns", "contains", "not", "condition"],
)
def test_a_problem_behind_very_many_steps_is_told_as_a_whole(schema: dict[str, object], value: Json) -> None:
    """Choice: what is not looked at is not blamed, and a refusal always has a sentence."""
    assert [(one.path, one.message) for one in told(schema, value)] == [("$", WHOLE)]


def test_a_problem_deeper_than_our_reading_goes_is_told_as_a_whole() -> None:
    """Choice: the verdict goes as deep as values do; the explanation may end before the stack does."""
    value: Json = 5
    for _ in range(127):
        value = [value]
    (problem,) = told({"type": ["array", "string"], "items": {"allOf": [{"allOf": [{"$ref": "#"}]}]}}, value)
    assert (problem.path, problem.message) == ("$", WHOLE)


def test_a_fault_that_only_a_reference_leads_to_is_told_as_a_whole() -> None:
    """Regression: `multipleOf: 0` under a word that means nothing was told as a value that is no JSON."""
    (problem,) = told({"$ref": "#/x", "x": {"multipleOf": 0}}, 5)
    assert problem.message == WHOLE


CASES: list[tuple[str, dict[str, object], Json, list[tuple[str, str]]]] = [
    ("a pattern for other types", {"pattern": "^a", "maximum": 3}, 5, [("$", "expected at most 3")]),
    ("required of a number", {"required": ["a"], "maximum": 3}, 5, [("$", "expected at most 3")]),
    (
        "keywords for other types",
        {"properties": {}, "items": {}, "contains": {}, "unevaluatedProperties": False, "maximum": 3},
        5,
        [("$", "expected at most 3")],
    ),
    ("names of a list", {"propertyNames": {"type": "null"}, "maxItems": 0}, [1], [("$", "expected at most 0 items")]),
    (
        "a reference twice",
        {"allOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"minimum": 2}}},
        1,
        [("$", "expected at least 2")],
    ),
    (
        "a text nobody can afford to match",
        {"required": ["b"], "properties": {"a": {"pattern": "(?!x)(a*)*b"}}},
        {"a": "a" * 100_000},
        [("$.b", "required field 'b' is missing")],
    ),
    (
        "a silenced neighbour",
        {
            "$schema": DRAFT_7,
            "properties": {"a": {"$ref": "#/definitions/x", "minimum": 9}},
            "definitions": {"x": {"minimum": 2}},
        },
        {"a": 1},
        [("$.a", "expected at least 2")],
    ),
    (
        "the nearest alternative",
        {"anyOf": [{"required": ["a", "b"]}, {"properties": {"c": {"properties": {"d": {"type": "null"}}}}}]},
        {"c": {"d": 1}},
        [("$.c.d", "expected null")],
    ),
    (
        "an alternative that is false",
        {"anyOf": [False, {"required": ["a"]}]},
        {},
        [("$.a", "required field 'a' is missing")],
    ),
    (
        "no alternative at all",
        {"anyOf": [False, {"type": "string"}, {"enum": [1, 2]}, {"minimum": 9, "type": "integer"}]},
        None,
        [("$", "expected one of 1, 2")],
    ),
    (
        "none by its kind",
        {"oneOf": [{"type": "string", "const": "a"}, {"type": "integer", "enum": [1, 2]}, {"type": "null"}, False]},
        [],
        [("$", 'fits none of the alternatives: "a", 1, 2, null, another schema')],
    ),
    (
        "told apart behind references",
        {
            "oneOf": [{"$ref": "#/$defs/pet"}, {"$ref": "#/$defs/dog"}],
            "$defs": {
                "pet": {"$ref": "#/$defs/cat"},
                "cat": {"properties": {"kind": {"const": "cat"}}, "required": ["lives"]},
                "dog": {"properties": {"kind": {"const": "dog"}}, "required": ["tricks", "age"]},
            },
        },
        {"kind": "dog"},
        [("$.tricks", "required field 'tricks' is missing"), ("$.age", "required field 'age' is missing")],
    ),
    (
        "a field that does not tell",
        {"oneOf": [{"properties": {"kind": {"const": "cat"}}}, {"properties": {"kind": {"type": "string"}}}]},
        {"kind": 5},
        [("$.kind", "expected string")],
    ),
    (
        "told apart by two fields",
        {
            "oneOf": [
                {"properties": {"kind": {"const": "cat"}, "age": {"const": 1}}},
                {"properties": {"kind": {"const": "dog"}, "age": {"const": 2}}},
            ]
        },
        {"other": 1, "kind": "cat", "age": 2},
        [("$.kind", 'expected one of "cat", "dog"')],
    ),
    (
        "any of the two that fits",
        {"anyOf": [{"maximum": 3}, {"minimum": 5}], "type": "number", "multipleOf": 2},
        3,
        [("$", "expected a multiple of 2")],
    ),
    ("a condition without branches", {"if": {"minimum": 1}, "maximum": 3}, 5, [("$", "expected at most 3")]),
    (
        "dependent schemas",
        {"dependentSchemas": {"a": {"required": ["b"]}, "c": {"required": ["d"]}}},
        {"a": 1},
        [("$.b", "required field 'b' is missing")],
    ),
    (
        "too many of a kind",
        {"contains": {"type": "string"}, "maxContains": 0},
        ["a"],
        [("$", "holds 1 of the items that 'contains' asks for, too few or too many")],
    ),
    (
        "unevaluated beside a reference",
        {"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"a": {}}}}, "unevaluatedProperties": {"type": "null"}},
        {"a": 1, "b": 1},
        [("$.b", "expected null")],
    ),
    (
        "unevaluated beside true",
        {"allOf": [True, {"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"a": 1, "b": 1},
        [("$.b", "unknown field 'b'")],
    ),
    (
        "unevaluated twice",
        {
            "allOf": [{"properties": {"a": {}}, "unevaluatedProperties": True}],
            "unevaluatedProperties": False,
            "maxProperties": 0,
        },
        {"a": 1},
        [("$", "expected at most 0 fields")],
    ),
]


@pytest.mark.behaviour("validation.problems")
@pytest.mark.parametrize(("schema", "value", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_only_what_concerns_the_value_is_told(
    schema: dict[str, object], value: Json, expected: list[tuple[str, str]]
) -> None:
    """Spec: what was expected; of alternatives those that are meant."""
    assert [(one.path, one.message) for one in told(schema, value)] == expected


def test_a_near_name_is_looked_for_as_long_as_it_is_affordable() -> None:
    """Choice: comparing names is slow; the first problems have it, and long names are never compared."""
    schema: dict[str, object] = {"properties": {f"field_{n}": {} for n in range(700)}, "additionalProperties": False}
    found = told(schema, {f"feld_{n}": 1 for n in range(5)})
    assert [one.near is not None for one in found] == [True, True, False, False, False]
    (problem,) = told({"properties": {"n" * 100: {}}, "additionalProperties": False}, {"n" * 99: 1})
    assert problem.near is None
    (problem,) = told({"enum": [1, 2]}, "1")
    assert problem.near is None


def test_words_are_short_and_safe_to_show() -> None:
    """Choice: a message fits on a line, and no terminal obeys it."""
    assert either(["string", "null"]) == "string or null"
    assert listed(["a", "b", "a"]) == "a, b"
    assert listed(map(str, range(200))) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …"
    assert (as_json({"a": None}), as_json("é" * 500)) == ('{"a":null}', f'"{"é" * 158}…')
    assert (as_name("a b"), as_name("\x1b[2J\n"), as_name("n" * 65)) == ("a b", r"\x1b[2J\n", f"{'n' * 63}…")
    assert (short("abc", 3), short("abcd", 3)) == ("abc", "ab…")
