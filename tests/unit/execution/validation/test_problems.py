"""What is told of a value that does not fit: every problem, where it is, which rule, and what would be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from prowess.errors import Problem
from prowess.execution.validation.problems import describe
from prowess.execution.validation.validator import compile_validator
from prowess.model.json_value import Json
from prowess.model.schema import Schema

Told = list[tuple[str, str, str]]

CASES: list[tuple[str, Json, Json, Told]] = [
    ("type", {"type": "integer"}, "a", [("$", "type", "expected integer")]),
    ("types", {"type": ["integer", "null"]}, "a", [("$", "type", "expected integer or null")]),
    ("enum", {"enum": ["red", "green"]}, "gren", [("$", "enum", 'expected one of "red", "green"')]),
    ("const", {"const": 3}, 4, [("$", "const", "expected 3")]),
    ("minimum", {"minimum": 2}, 1, [("$", "minimum", "expected at least 2")]),
    ("multiple", {"multipleOf": 2}, 1, [("$", "multipleOf", "expected a multiple of 2")]),
    ("length", {"minLength": 1}, "", [("$", "minLength", "expected at least 1 character")]),
    ("lengths", {"maxLength": 2}, "abc", [("$", "maxLength", "expected at most 2 characters")]),
    ("pattern", {"pattern": "^a"}, "b", [("$", "pattern", 'expected text that matches "^a"')]),
    ("unique", {"uniqueItems": True}, [1, 1], [("$", "uniqueItems", "expected items that all differ")]),
    ("items", {"items": {"type": "string"}}, ["a", 1], [("$[1]", "type", "expected string")]),
    (
        "prefix",
        {"prefixItems": [{"type": "string"}], "items": False},
        ["a", 1],
        [("$[1]", "items", "an item too many")],
    ),
    (
        "contains",
        {"contains": {"type": "string"}, "minContains": 2},
        ["a", 1],
        [("$", "contains", "holds 1 of the items that 'contains' asks for, too few or too many")],
    ),
    ("nothing", False, 1, [("$", "false", "nothing is allowed here")]),
    (
        "dependent",
        {"dependentRequired": {"card": ["name"]}},
        {"card": 1},
        [("$.name", "dependentRequired", "required field 'name' is missing, which 'card' needs")],
    ),
    (
        "dependencies",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "dependencies": {"card": ["name"], "x": {"required": ["y"]}},
        },
        {"card": 1, "x": 1},
        [
            ("$.name", "dependencies", "required field 'name' is missing, which 'card' needs"),
            ("$.y", "required", "required field 'y' is missing"),
        ],
    ),
    (
        "old-items",
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}], "additionalItems": False},
        [1, 2],
        [("$[0]", "type", "expected string"), ("$[1]", "additionalItems", "an item too many")],
    ),
    (
        "patterns",
        {"patternProperties": {"^n_": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
        {"n_a": "x", "b": 1},
        [("$.n_a", "type", "expected integer"), ("$.b", "type", "expected string")],
    ),
    (
        "names",
        {"propertyNames": {"maxLength": 2}},
        {"abc": 1},
        [("$.abc", "propertyNames", "its name: expected at most 2 characters")],
    ),
    (
        "if",
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
        {"a": 1},
        [("$.b", "required", "required field 'b' is missing")],
    ),
    (
        "else",
        {"if": {"required": ["a"]}, "else": {"required": ["c"]}},
        {},
        [("$.c", "required", "required field 'c' is missing")],
    ),
    ("not", {"not": {"type": "string"}}, "a", [("$", "not", "fits what is excluded here")]),
    (
        "one-of-two",
        {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
        3,
        [("$", "oneOf", "fits 2 of the alternatives, expected exactly one")],
    ),
    (
        "other-type",
        {"anyOf": [{"type": "string"}, {"type": "null"}, {"const": 7}]},
        True,
        [("$", "const", "expected 7")],
    ),
    (
        "none-of-the-types",
        {"anyOf": [{"type": "string"}, {"type": ["null", "integer"]}]},
        True,
        [("$", "anyOf", "fits none of the alternatives: string, null or integer")],
    ),
    (
        "told-apart",
        {
            "oneOf": [
                {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["lives"]},
                {"properties": {"kind": {"const": "dog"}}},
            ]
        },
        {"kind": "cat"},
        [("$.lives", "required", "required field 'lives' is missing")],
    ),
    (
        "told-apart-wrongly",
        {"oneOf": [{"properties": {"kind": {"const": "cat"}}}, {"properties": {"kind": {"enum": ["dog"]}}}]},
        {"kind": "cow"},
        [("$.kind", "enum", 'expected one of "cat", "dog"')],
    ),
    (
        "reference",
        {"$ref": "#/$defs/chain", "$defs": {"chain": {"$ref": "#/$defs/age"}, "age": {"minimum": 0}}},
        -1,
        [("$", "minimum", "expected at least 0")],
    ),
    (
        "unevaluated",
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"a": 1, "b": 2},
        [("$.b", "unevaluatedProperties", "unknown field 'b'")],
    ),
    (
        "all",
        {"allOf": [{"required": ["a"]}, {"properties": {"b": {"type": "null"}}}], "maxProperties": 1},
        {"b": 1, "c": 2},
        [
            ("$", "maxProperties", "expected at most 1 field"),
            ("$.a", "required", "required field 'a' is missing"),
            ("$.b", "type", "expected null"),
        ],
    ),
]


@pytest.mark.behaviour("validation.problems")
@pytest.mark.parametrize(("schema", "value", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_rule_is_told_where_it_is_broken(schema: Json, value: Json, expected: Told) -> None:
    """Spec: all problems at once, each with its JSON path, the rule, and what was expected."""
    validator = compile_validator(Schema.of(schema))  # type: ignore[arg-type]
    assert validator.is_valid(value) is False
    assert [(one.path, one.rule, one.message) for one in validator.problems(value)] == expected


def told(schema: dict[str, object], value: Json) -> tuple[Problem, ...]:
    """What is told of a value."""
    return compile_validator(Schema.of(schema)).problems(value)


@pytest.mark.behaviour("validation.near-names")
def test_near_names_are_told_for_fields_options_and_missing_ones() -> None:
    """Spec: a near name where one helps."""
    schema: dict[str, object] = {
        "properties": {"query": {"type": "string"}, "colour": {"enum": ["red", "green"]}},
        "required": ["query"],
        "additionalProperties": False,
    }
    missing, option, unknown = sorted(
        told(schema, {"qery": "a", "colour": "gren"}), key=lambda one: one.rule != "required"
    )
    assert missing.message == "required field 'query' is missing; 'qery' may be meant for it"
    assert {option.near, unknown.near} == {"green", "query"}


def test_a_value_is_never_quoted_and_a_strange_name_is_shortened() -> None:
    """Choice: values may be secrets; a name is shown as far as a terminal and a model can bear it."""
    found = told({"additionalProperties": False}, {"\x1b[31m" + "n" * 100: "secret"})
    assert "secret" not in str(found)
    assert "\x1b" not in str(found)
    assert all(len(one.path) < 90 for one in found)


def test_of_very_many_wrong_items_the_first_fifty_are_told() -> None:
    """Choice: nobody reads a thousand, and finding them takes time."""
    found = told({"items": {"type": "string"}}, list(range(10_000)))
    assert len(found) == 50
    assert found[0].path == "$[0]"


def test_a_half_of_a_surrogate_pair_is_no_json() -> None:
    """Choice: what cannot be written as UTF-8 cannot be checked."""
    (problem,) = told({"type": "string"}, "\ud800")
    assert (problem.rule, problem.message) == ("json", "holds what JSON cannot")


def test_unevaluated_items_and_names_by_pattern_are_told_as_a_whole() -> None:
    """Choice: what our explanation does not follow is still a refusal, with a sentence."""
    (problem,) = told({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2])
    assert problem.path == "$"
    (other,) = told({"patternProperties": {"^a": {}}, "unevaluatedProperties": False}, {"b": 1})
    assert other.path == "$"


@pytest.mark.parametrize(
    ("problems", "text"),
    [
        ((), ""),
        (
            (Problem(path="$", rule="type", message="expected integer", type="string"),),
            "expected integer, found string",
        ),
        (
            (Problem(path="$.a.b", rule="required", message="required field 'b' is missing"),),
            "a.b: required field is missing",
        ),
        (
            (Problem(path="$.a", rule="additionalProperties", message="unknown field 'a'", near="b"),),
            "a: unknown field (did you mean 'b'?)",
        ),
    ],
)
def test_problems_are_told_in_one_line(problems: tuple[Problem, ...], text: str) -> None:
    """Choice: the sentence of the error, which names no field twice."""
    assert describe(problems) == text


SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "ab", "abc"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def keyword(word: str, value: object) -> st.SearchStrategy[dict[str, object]]:
    """Schemas of one keyword."""
    return value.map(lambda found: {word: found}) if isinstance(value, st.SearchStrategy) else st.just({word: value})


LEAVES = st.one_of(
    st.just({}),
    keyword("type", st.sampled_from(["string", "integer", "object", "array", "null", "boolean"])),
    keyword("enum", st.lists(SCALARS, min_size=1, max_size=3, unique_by=repr)),
    keyword("const", SCALARS),
    keyword("minimum", st.integers(-2, 2)),
    keyword("maxLength", st.integers(0, 2)),
    keyword("pattern", st.sampled_from(["a", "^b", "a(?=b)"])),
    keyword("uniqueItems", value=True),
    keyword("required", st.lists(st.sampled_from("abc"), unique=True, max_size=2)),
)


def nested(inner: st.SearchStrategy[dict[str, object]]) -> st.SearchStrategy[dict[str, object]]:
    """Schemas that hold others."""
    fields = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    several = st.lists(inner, min_size=1, max_size=3)
    single = [keyword(word, inner) for word in ("items", "not", "additionalProperties", "contains", "propertyNames")]
    listed = [keyword(word, several) for word in ("allOf", "anyOf", "oneOf", "prefixItems")]
    merged = st.tuples(inner, inner).map(lambda pair: {**pair[0], **pair[1]})
    closed = fields.map(lambda found: {"properties": found, "additionalProperties": False})
    rest = fields.map(lambda found: {"allOf": [{"properties": found}], "unevaluatedProperties": False})
    branch = st.tuples(inner, inner, inner).map(lambda three: dict(zip(("if", "then", "else"), three, strict=True)))
    return st.one_of(*single, *listed, keyword("properties", fields), merged, closed, rest, branch)


SCHEMAS = st.recursive(LEAVES, nested, max_leaves=8)


@pytest.mark.behaviour("validation.same-verdict")
@given(schema=SCHEMAS, value=VALUES)
def test_the_verdict_is_the_native_validators_and_a_refusal_always_says_why(
    schema: dict[str, object], value: Json
) -> None:
    """Spec: our bounds before it never change what fits; there are problems exactly where it does not."""
    validator = compile_validator(Schema.of(schema))
    fits = Draft202012Validator(schema).is_valid(value)
    assert validator.is_valid(value) == fits
    assert bool(validator.problems(value)) != fits
