"""Whether what fits one schema fits another."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.documents.comparing.narrowing import field_of, misfits, part_of, plain_of, schema_of_value
from prowess.execution.validation.validator import compile_validator
from prowess.model.schema import Schema

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
WHOLE: dict[str, Any] = {"type": "integer"}


@pytest.mark.behaviour("documents.bindings")
@pytest.mark.parametrize(
    ("given", "wanted", "rules"),
    [
        (TEXT, TEXT, []),
        (WHOLE, NUMBER, []),
        (NUMBER, WHOLE, ["type"]),
        ({"type": ["string", "null"]}, TEXT, ["type"]),
        (TEXT, {"type": ["string", "null"]}, []),
        ({}, TEXT, []),
        (True, TEXT, []),
        (False, TEXT, []),
        (TEXT, True, []),
        (TEXT, {}, []),
        (TEXT, False, ["false"]),
        ({"properties": {}}, TEXT, ["type"]),
        ({"enum": ["a", "b"]}, {"enum": ["a", "b", "c"]}, []),
        ({"enum": ["a", "d"]}, {"enum": ["a", "b"]}, ["enum"]),
        ({"const": 1}, {"enum": [True]}, ["type", "enum"]),
        ({"const": "a"}, {"const": "a", "title": "A"}, []),
        (TEXT, {"type": "string", "enum": ["a"]}, ["enum"]),
        ({"type": "boolean"}, {"enum": [True, False]}, []),
        ({"type": "null"}, {"const": None}, []),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date", "title": "x"}, []),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "email"}, ["format"]),
        (TEXT, {"type": "string", "format": "date"}, ["format"]),
        (TEXT, {"type": "string", "pattern": "a"}, ["pattern"]),
        ({"const": "a"}, {"type": "string", "pattern": "a"}, []),
        ({**WHOLE, "maximum": 5}, {**WHOLE, "maximum": 10}, []),
        ({**WHOLE, "maximum": 50}, {**WHOLE, "maximum": 10}, ["maximum"]),
        ({**WHOLE, "minimum": 0}, {**WHOLE, "exclusiveMinimum": 0}, ["exclusiveMinimum"]),
        ({**WHOLE, "exclusiveMinimum": 0}, {**WHOLE, "minimum": 0}, []),
        ({**WHOLE, "exclusiveMaximum": 5}, {**WHOLE, "maximum": 5}, []),
        ({**WHOLE, "maximum": 5}, {**WHOLE, "exclusiveMaximum": 5}, ["exclusiveMaximum"]),
        (WHOLE, {**WHOLE, "minimum": 1}, ["minimum"]),
        ({"const": 3}, {**WHOLE, "minimum": 1, "maximum": 2}, ["maximum"]),
        ({"enum": [1, 2]}, {**WHOLE, "minimum": 1, "maximum": 2}, []),
        ({"const": "abc"}, {"type": "string", "maxLength": 2}, ["maxLength"]),
        ({"enum": ["a", None]}, {"type": ["string", "null"], "minLength": 1}, []),
        ({**TEXT, "minLength": 2}, {**TEXT, "minLength": 1}, []),
        (TEXT, {**TEXT, "maximum": 5}, []),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": TEXT, "title": "x"}, []),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": WHOLE}, ["type"]),
        ({"type": "array"}, {"type": "array", "items": TEXT}, []),
        ({"type": "array"}, {"type": "array", "maxItems": 2}, ["maxItems"]),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": False}, ["false"]),
        ({"type": "object"}, {"type": "object", "required": ["a"]}, ["required"]),
        ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"], "title": "x"}, []),
        ({"type": "object", "properties": {"a": TEXT}}, {"type": "object", "properties": {"a": WHOLE}}, ["type"]),
        ({"type": "object", "properties": {"a": TEXT}}, {"type": "object", "properties": {"b": WHOLE}}, []),
        ({"type": "object", "properties": {"a": TEXT}}, {"additionalProperties": False}, ["additionalProperties"]),
        ({"type": "object", "properties": {"a": True}}, {"type": "object", "properties": {"a": False}}, ["false"]),
        ({"anyOf": [TEXT, WHOLE]}, TEXT, ["type"]),
        ({"oneOf": [TEXT, TEXT]}, {**TEXT, "title": "x"}, []),
        ({"anyOf": [True], "type": "string"}, {**TEXT, "title": "x"}, []),
        (TEXT, {"anyOf": [WHOLE, {**TEXT, "title": "x"}]}, []),
        (TEXT, {"anyOf": [WHOLE, {"type": "null"}]}, ["anyOf"]),
        (TEXT, {"allOf": [{**TEXT, "title": "x"}, WHOLE]}, ["type"]),
    ],
)  # fmt: skip
def test_what_keeps_values_of_one_schema_from_fitting_another(given: Any, wanted: Any, rules: list[str]) -> None:
    """Spec: type, enum subset, format, bounds, items, required are checked along each binding."""
    assert [one.rule for one in misfits(given, wanted)] == rules


def test_without_a_word_about_its_type_a_value_may_be_anything() -> None:
    """Choice: a binding lets that pass, a comparison of two generations does not."""
    assert [one.rule for one in misfits({}, TEXT, gradual=False)] == ["type"]
    assert misfits({"title": "x"}, TEXT) == []


def test_messages_name_the_place_and_cut_what_is_long() -> None:
    """Choice: a reader sees at once which part it is about."""
    inner = {"type": "object", "properties": {"a": {"type": "array", "items": {"enum": ["x" * 100]}}}}
    outer = {"type": "object", "properties": {"a": {"type": "array", "items": {"enum": ["y"]}}}}
    (misfit,) = misfits(inner, outer)
    assert misfit.message.startswith("a[*]: must be one of y, and may be xxx")
    assert misfit.message.endswith("…")


@pytest.mark.behaviour("documents.bounded")
def test_schemas_that_multiply_are_compared_in_bounded_time() -> None:
    """Spec: bad input is refused in bounded time."""
    given: Any = TEXT
    wanted: Any = WHOLE
    for _ in range(40):
        given, wanted = {"anyOf": [given, given]}, {"anyOf": [wanted, wanted]}
    began = time.monotonic()
    misfits(given, wanted)
    assert time.monotonic() - began < 5


def test_fields_are_found_by_their_path() -> None:
    """Choice: a reference may go on into an object."""
    inner = {"type": "object", "properties": {"b": TEXT, "c": True, "d": {"type": "string", "default": ""}}}
    whole = {"type": "object", "required": ["a"], "properties": {"a": {**inner, "required": ["b"]}}}
    assert part_of(whole, ("a", "b")) == (TEXT, True)
    assert part_of(whole, ("a", "c")) == (True, False)
    assert part_of(whole, ("a", "d")) == ({"type": "string", "default": ""}, True)
    assert part_of(whole, ("a", "e")) == "e"
    assert part_of(whole, ("a", "c", "x")) is None
    assert field_of({"type": "object"}, "a") is None
    assert field_of({"type": "object", "properties": {}, "additionalProperties": True}, "a") is None
    assert field_of(TEXT, "a") == "a"
    referring = Schema.of({"$ref": "#/$defs/a", "$defs": {"a": TEXT}})
    assert misfits(plain_of(referring), WHOLE)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "abc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)
SCHEMAS = st.recursive(
    st.sampled_from([
        TEXT, NUMBER, WHOLE, {"type": "null"}, {"type": ["string", "null"]}, {"enum": ["a", 1]}, {"const": "abc"},
        {**WHOLE, "minimum": 0}, {**WHOLE, "exclusiveMaximum": 3}, {**TEXT, "maxLength": 2}, {"type": "boolean"},
    ]),
    lambda inner: st.one_of(
        st.builds(lambda part: {"type": "array", "items": part}, inner),
        st.builds(lambda part: {"type": "object", "properties": {"a": part}, "required": ["a"]}, inner),
        st.builds(lambda one, other: {"anyOf": [one, other]}, inner, inner),
    ),
    max_leaves=4,
)  # fmt: skip


@given(SCHEMAS, SCHEMAS, VALUES)
def test_a_value_of_a_schema_that_fits_another_fits_that_too(one: Any, other: Any, value: Any) -> None:
    """Choice: what is let pass along a binding must not fail there."""
    if not misfits(one, other) and compile_validator(Schema.of(one)).is_valid(value):
        assert compile_validator(Schema.of(other)).is_valid(value)


@given(SCHEMAS, VALUES)
def test_a_value_written_into_a_pipeline_is_judged_as_the_validator_does(schema: Any, value: Any) -> None:
    """Choice: a literal is refused exactly where a call would refuse it."""
    assert compile_validator(Schema.of(schema_of_value(value))).is_valid(value)
    if not misfits(schema_of_value(value), schema):
        assert compile_validator(Schema.of(schema)).is_valid(value)
