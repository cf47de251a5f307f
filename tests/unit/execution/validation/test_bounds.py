"""Schemas and values that would cost hours, memory or the process: refused or checked within a bound."""

import json
import time

import pytest

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.patterns import grade
from prowess.execution.validation.validator import ValidatorCache, compile_validator
from prowess.model.json_value import Json
from prowess.model.schema import Schema

_BOUND = 20.0  # seconds of CPU; what is measured takes less than one, what it stands for took hours


def refused(schema: dict[str, object] | str) -> list[tuple[str, str]]:
    """The path and rule of each problem of a schema that must not be compiled."""
    made = Schema(schema.encode()) if isinstance(schema, str) else Schema.of(schema)
    with pytest.raises(InvalidSchemaError) as caught:
        compile_validator(made)
    return [(one.path, one.rule) for one in caught.value.problems]


@pytest.mark.behaviour("validation.references-stay")
@pytest.mark.parametrize(
    "reference",
    ["http://127.0.0.1:9/x", "https://example.com/s", "file:///etc/passwd", "other.json", "urn:x", "#/$defs/no", "#no"],
)
def test_a_reference_never_leaves_its_schema(reference: str) -> None:
    """Spec: local `$ref` only; nothing is fetched or opened."""
    assert refused({"properties": {"a": {"$ref": reference}}}) == [("$.properties.a['$ref']", "$ref")]


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"$schema": "https://example.com/own"}, ("$['$schema']", "$schema")),
        ({"properties": {"a": {"$id": "x"}}}, ("$.properties.a", "$id")),
        ({"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}}, ("$.properties.a", "$id")),
        ({"$dynamicRef": "#a"}, ("$['$dynamicRef']", "$dynamicRef")),
        ({"$recursiveRef": "#"}, ("$['$recursiveRef']", "$recursiveRef")),
        ({"anyOf": [{"$anchor": "a"}, {"$anchor": "a"}]}, ("$.anyOf[0]['$anchor']", "$anchor")),
        ({"pattern": "("}, ("$.pattern", "pattern")),
        ({"pattern": "(?=(?=(?=a)*)*)*"}, ("$.pattern", "pattern")),
        ({"pattern": "a" * 5_000}, ("$.pattern", "pattern")),
        ({"patternProperties": {"(?=a)b": {}}}, ("$.patternProperties", "patternProperties")),
        ({"$ref": "#"}, ("$", "$ref")),
        ({"allOf": [{"$ref": "#"}]}, ("$", "$ref")),
        ({"type": "nope"}, ("$.type", "type")),
        ({"required": "a"}, ("$.required", "required")),
        ({"properties": {"a": 5}}, ("$.properties.a", "schema")),
        ({"minLength": -1, "type": 3}, ("$.minLength", "minLength")),
        ({"items": [{}]}, ("$.items", "items")),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_with_its_place(
    schema: dict[str, object], problem: tuple[str, str]
) -> None:
    """Spec: unknown `$schema`, catastrophic patterns and illegal schemas are refused."""
    found = refused(schema)
    assert problem in found or problem[1] in {rule for _, rule in found}, found


def test_every_fault_of_a_schema_is_told() -> None:
    """Spec: all problems at once."""
    assert {rule for _, rule in refused({"type": "nope", "required": "a", "properties": {"a": {"minimum": "x"}}})} == {
        "type",
        "required",
        "minimum",
    }


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "not json",
        "[" * 50_000 + "]" * 50_000,
        '{"not":' * 200 + "{}" + "}" * 200,
        json.dumps({"description": "x" * 1_000_001}),
        json.dumps({"properties": {f"p{number}": {"enum": [1]} for number in range(10_001)}}),
        json.dumps({"anyOf": [{"pattern": f"[a-z]{{1,900}}{number}(é|ü)"} for number in range(400)]}),
    ],
    ids=["null", "text", "deep", "nested", "bytes", "many", "patterns"],
)
def test_a_schema_beyond_a_bound_is_refused_in_bounded_time(text: str) -> None:
    """Spec: deep, huge and costly schemas are refused in bounded time and memory."""
    began = time.process_time()
    assert refused(text)
    assert time.process_time() - began < _BOUND


def doubling(levels: int) -> dict[str, object]:
    """A schema in which each level asks the one below twice."""
    definitions: dict[str, object] = {"d0": {"type": "integer", "minimum": 0}}
    for level in range(1, levels):
        definitions[f"d{level}"] = {"anyOf": [{"$ref": f"#/$defs/d{level - 1}"}, {"$ref": f"#/$defs/d{level - 1}"}]}
    return {"$ref": f"#/$defs/d{levels - 1}", "$defs": definitions}


@pytest.mark.behaviour("validation.bounded")
def test_alternatives_that_double_at_each_level_are_refused() -> None:
    """Spec: exponential schemas are refused."""
    began = time.process_time()
    assert refused(doubling(30))
    assert time.process_time() - began < _BOUND


COSTLY: list[tuple[str, dict[str, object], Json]] = [
    ("contains", {"contains": {"anyOf": [{"const": number} for number in range(500)]}}, [-1] * 200_000),
    (
        "recursive",
        {
            "anyOf": [
                {"type": "integer"},
                {"items": {"$ref": "#"}, "minItems": 1},
                {"items": {"$ref": "#"}, "maxItems": 5},
            ]
        },
        [[[[[[[[[["x"]]]]]]]]]] * 30,
    ),
    (
        "unique",
        {"uniqueItems": True, "items": {"uniqueItems": True}},
        [[number, {"a": number}] for number in range(100_000)],
    ),
    ("looking", {"items": {"pattern": "(?=.*a)(?=.*b).*c"}}, ["ab" * 20_000] * 40),
    ("backtracking", {"pattern": "^(?=(a+)+$)"}, "a" * 5_000 + "b"),
]


@pytest.mark.behaviour("validation.bounded")
@pytest.mark.parametrize(("schema", "value"), [case[1:] for case in COSTLY], ids=[case[0] for case in COSTLY])
def test_a_value_that_is_too_costly_to_check_is_refused_in_bounded_time(schema: dict[str, object], value: Json) -> None:
    """Spec: bounded time, whatever schema and value; where the true verdict is not found, the cost is told."""
    validator = compile_validator(Schema.of(schema))
    began = time.process_time()
    fits = validator.is_valid(value)
    problems = validator.problems(value)
    assert time.process_time() - began < _BOUND
    assert fits == (problems == ())


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"items": {"pattern": "(?=a)."}}, ["ab", "a"], ["b"]),
        ({"patternProperties": {"^x": {"pattern": "(a)\\1"}}}, {"x": "aa"}, {"x": "ab"}),
        ({"properties": {"a": {"pattern": "(?=a)a"}, "b": False}}, {"a": "a"}, {"b": 1}),
        ({"pattern": "(?:[a-z]{1,80}){1,40}é"}, "abcé", "abc"),
        ({"contains": {"anyOf": [{"const": number} for number in range(80)]}, "uniqueItems": True}, [1, 2], [1, 1]),
        (
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "items": {"anyOf": [{"pattern": "(?=a)a"}, {"type": "integer"}]},
                "dependencies": {"a": ["b"]},
            },
            ["a", 1],
            ["b"],
        ),
        (
            {
                "$defs": {"tree": {"properties": {"name": {"pattern": "(?!no)"}, "sub": {"$ref": "#/$defs/tree"}}}},
                "$ref": "#/$defs/tree",
            },
            {"name": "yes", "sub": {"name": "ja"}},
            {"sub": {"name": 5, "sub": 3}},
        ),
    ],
)
def test_counting_gives_the_same_verdict(schema: dict[str, object], good: Json, bad: Json) -> None:
    """Choice: a schema whose work is counted means what it says."""
    validator = compile_validator(Schema.of(schema))
    assert validator.is_valid(good)
    assert validator.problems(good) == ()
    if validator.is_valid(bad):
        assert validator.problems(bad) == ()
    else:
        assert validator.problems(bad) != ()


def test_patterns_run_in_the_cheapest_engine_that_takes_them() -> None:
    """Choice: linear where it can be; what looks around is counted; what no engine takes has no grade."""
    ordinary, large, around = grade("^a+$"), grade("(?:[a-z]{1,80}){1,40}é"), grade("(?=a)b")
    assert ordinary is not None
    assert large is not None
    assert around is not None
    assert (ordinary.units, bool(large.units), bool(around.efforts)) == (0, True, True)
    assert grade("(") is None


def test_a_compiled_schema_is_kept_and_the_oldest_goes() -> None:
    """Choice: validators compile on first use, in a bounded cache; a refusal is remembered too."""
    cache = ValidatorCache(limit=2)
    schemas = [Schema.of({"minimum": number}) for number in range(3)]
    first = cache.get(schemas[0])
    assert cache.get(schemas[0]) is first
    for schema in schemas[1:]:
        cache.get(schema)
    assert cache.get(schemas[0]) is not first
    for _ in range(2):
        with pytest.raises(InvalidSchemaError):
            cache.get(Schema.of({"type": "nope"}))
