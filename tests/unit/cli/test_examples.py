"""Examples of inputs: right by construction, or none."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.cli.commands.show import _word
from prowess.cli.examples import example_inputs
from prowess.cli.inputs import parse_pairs
from prowess.errors import InvalidSchemaError
from prowess.execution.validation.validator import compile_validator
from prowess.model.schema import Schema

ADDRESS = {
    "type": "object",
    "properties": {"street": {"type": "string", "minLength": 2}, "zip": {"type": "integer", "minimum": 1000}},
    "required": ["street", "zip"],
}

counts = st.integers(0, 6)
numbers = st.integers(-20, 20) | st.sampled_from([-0.5, 0.1, 0.5, 2.5])
words = st.sampled_from(["a", "hello", "", "null", "true", "10", "it's"])
scalars = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": counts,
            "maxLength": counts,
            "pattern": st.just("^h"),
            "format": st.sampled_from(["date", "uri", "other"]),
            "examples": st.lists(words, max_size=2),
            "contentEncoding": st.just("base64"),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number"])},
        optional={
            "minimum": numbers,
            "maximum": numbers,
            "exclusiveMinimum": numbers,
            "exclusiveMaximum": numbers,
            "multipleOf": st.sampled_from([2, 5, 0.5]),
            "examples": st.lists(numbers | words, max_size=2),
        },
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["boolean", "null", ["null", "string"]])}),
    st.fixed_dictionaries({"enum": st.lists(words | st.none() | st.integers(0, 2), min_size=1, max_size=3)}),
    st.fixed_dictionaries({"const": words | st.booleans()}),
    st.just({}),
    st.booleans(),
)


def _inside(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    fields = st.dictionaries(st.sampled_from(["a", "b_c", "d.e"]), inner, max_size=2)
    objects = st.builds(lambda found: {"type": "object", "properties": found, "required": list(found)}, fields)
    arrays = st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={"items": inner, "minItems": counts, "maxItems": counts, "uniqueItems": st.booleans()},
    )
    unions = st.builds(
        lambda key, found: {key: found}, st.sampled_from(["anyOf", "oneOf"]), st.lists(inner, min_size=1)
    )
    odd = st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={"not": inner, "if": inner, "minProperties": counts, "required": st.just(["z"]), "allOf": st.just([])},
    )
    return objects | arrays | unions | odd


schemas = st.recursive(scalars, _inside, max_leaves=6)


@given(schemas)
def test_an_example_fits_its_schema_and_can_be_typed(field: Any) -> None:
    """Regression: `Try` offered inputs that were refused."""
    schema = {"type": "object", "properties": {"x": field}, "required": ["x"], "additionalProperties": False}
    example = example_inputs(schema)
    if example is None:
        return
    try:
        validator = compile_validator(Schema.of(schema))
    except InvalidSchemaError:
        return
    assert validator.problems(example) == ()


@pytest.mark.behaviour("commands.show-example")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ({"$ref": "#/$defs/Address"}, {"street": "hello", "zip": 1000}),
        ({"type": "array", "items": {"$ref": "#/$defs/Address"}, "minItems": 1}, [{"street": "hello", "zip": 1000}]),
        ({"type": "string", "maxLength": 2}, "he"),
        ({"type": "string", "minLength": 7}, "hellohe"),
        ({"type": "string", "format": "date"}, "2026-01-31"),
        ({"type": "string", "contentEncoding": "base64"}, "aGVsbG8="),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, 0.5),
        ({"type": "integer", "multipleOf": 7, "minimum": 7}, 7),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 1),
        ({"enum": [None, "draft"]}, "draft"),
        ({}, "hello"),
    ],
)
def test_an_example_is_what_the_schema_asks_for(field: dict[str, Any], value: object) -> None:
    """Regression: an object's example was `{}`, whatever it required."""
    schema = {"type": "object", "properties": {"x": field}, "required": ["x"], "$defs": {"Address": ADDRESS}}
    assert example_inputs(schema) == {"x": value}
    (word,) = shlex.split(_word("x", value))
    assert parse_pairs([word], schema) == {"x": value}


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "pattern": "^[A-Z]{3}$"},
        {"type": "string", "format": "iban"},
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "object", "minProperties": 1},
        {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        {"$ref": "#/properties/x"},
        {"$ref": "#/$defs/Text", "maxLength": 1},
        {"type": "object", "required": ["y"]},
        {"enum": ["a", "b"], "const": "b"},
        {"$ref": "https://example.com/schema"},
        False,
    ],
)
def test_where_nothing_can_be_vouched_for_there_is_no_example(field: object) -> None:
    """Choice: a wrong example is worse than none."""
    assert example_inputs({"type": "object", "properties": {"x": field}, "required": ["x"]}) is None


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("n", 1, "n=1"),
        ("n", "two words", "n='two words'"),
        ("odd name", "it's", "'odd name=it'\\''s'"),
        ("a.b", [1], "a.b='[1]'"),
    ],
)
def test_an_input_is_one_word_of_a_shell(name: str, value: object, word: str) -> None:
    """Choice: what is shown can be pasted."""
    assert _word(name, value) == word
    assert len(shlex.split(word)) == 1
