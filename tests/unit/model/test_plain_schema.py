"""Schemas that a glance is enough for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.execution.validation.validator import compile_validator
from prowess.model.plain_schema import is_plain
from prowess.model.schema import NO_INPUTS, Schema

WORDS = [
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "default", "examples"),
    *("title", "format", "minimum", "exclusiveMaximum", "minLength", "maxItems", "pattern", "$ref", "not"),
]
SCALARS: st.SearchStrategy[object] = st.one_of(
    st.sampled_from(["string", "object", "array", "a", "#"]), st.integers(-1, 3), st.booleans(), st.none()
)
SCHEMAS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4)
)


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.sampled_from(WORDS), SCHEMAS, max_size=5))
def test_what_is_plain_compiles(schema: dict[str, Any]) -> None:
    """Choice: a glance must never pass what a call would be refused for."""
    if is_plain(Schema.of(schema)):
        compile_validator(Schema.of(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}, "required": ["a"]},
        {"type": "array", "items": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "default": None}},
        {"enum": ["a", 1], "title": "A", "examples": ["a"], "additionalProperties": False},
        {"format": "date", "maxItems": 3},
    ],
)
def test_ordinary_schemas_are_plain(schema: dict[str, Any]) -> None:
    """Choice: a list of a project's entries must not wait for the validator."""
    assert is_plain(Schema.of(schema))
    assert is_plain(NO_INPUTS)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"type": "objekt"},
        {"type": ["string", "null"]},
        {"pattern": "a"},
        {"properties": {"a": True}},
        {"properties": 5},
        {"required": ["a", "a"]},
        {"required": [1]},
        {"minLength": -1},
        {"minimum": True},
        {"enum": []},
        {"title": 5},
        {"additionalProperties": {}},
        {"description": "x" * 20_000},
    ],
)
def test_what_a_glance_does_not_settle_is_not_plain(schema: dict[str, Any]) -> None:
    """Choice: the validator decides then."""
    assert not is_plain(Schema.of(schema))


def test_depth_is_bounded() -> None:
    """Choice: a schema comes from anybody."""
    deep: dict[str, Any] = {}
    for _ in range(60):
        deep = {"items": deep}
    assert not is_plain(Schema.of(deep))
