from __future__ import annotations

import pytest

from prowess.model.schema import ANYTHING, Schema
from prowess.model.tool_schema import inlined_schema, merge_all_of, tool_schema


def shaped(schema: dict[str, object], *, plain_root: bool = True) -> dict[str, object]:
    """What clients see of a schema."""
    return tool_schema(Schema.of(schema), plain_root=plain_root)


def test_a_schema_of_an_object_stays_as_its_author_wrote_it() -> None:
    """Spec: definitions have exactly the provider's shape, schemas included."""
    schema: dict[str, object] = {
        "$comment": "first",
        "type": "object",
        "properties": {"a": {"anyOf": [{}]}},
        "required": ["a"],
    }
    assert shaped(schema) == schema
    assert list(shaped(schema)) == list(schema)


@pytest.mark.parametrize(
    "schema", [{}, {"type": "object"}, {"type": ["object", "null"]}, {"properties": 3}, {"type": "array"}]
)
def test_there_is_always_an_object_with_properties(schema: dict[str, object]) -> None:
    """Choice: OpenAI refuses a root without them, and inputs are always named."""
    assert shaped(schema) == {"type": "object", "properties": {}}


def test_a_boolean_schema_is_one_of_an_object() -> None:
    """Choice: `true` takes any inputs."""
    assert tool_schema(Schema.of(True), plain_root=False) == {"type": "object", "properties": {}}  # noqa: FBT003 - a schema


def test_a_reference_at_the_root_is_opened_even_where_it_is_recursive() -> None:
    """Choice: clients want to see the fields; inside, the references still work."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    schema: dict[str, object] = {"$ref": "#/$defs/node", "title": "Node", "$defs": {"node": node}}
    assert shaped(schema) == {**node, "title": "Node", "$defs": {"node": node}}


@pytest.mark.parametrize("reference", ["#", "#/$defs/a", "https://example.com/x", 3])
def test_a_root_that_cannot_be_opened_is_left(reference: object) -> None:
    """Choice: a schema that refers to itself only, or outside, is refused elsewhere, and loops nowhere."""
    schema = {"$ref": reference, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert inlined_schema(Schema.of(schema))["$ref"] == reference


def test_alternatives_at_the_root_become_one_object() -> None:
    """Choice: OpenAI and Anthropic refuse a whole request for one `anyOf` at a root."""
    schema: dict[str, object] = {
        "oneOf": [
            {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}, "n": {}}, "required": ["kind", "x", "n"]},
            {"properties": {"kind": {"const": "b"}, "y": {"type": "string"}, "n": {}}, "required": ["kind", "n"]},
            True,
        ],
        "not": {"required": ["z"]},
        "properties": {"own": {"type": "integer"}, "x": {"type": "string", "title": "mine"}},
        "required": ["own"],
    }
    assert shaped(schema) == {
        "type": "object",
        "properties": {
            "own": {"type": "integer"},
            "x": {"type": "string", "title": "mine"},
            "kind": {"anyOf": [{"const": "a"}, {"const": "b"}]},
            "n": {},
            "y": {"type": "string"},
        },
        "required": ["own", "kind", "n"],
    }
    assert "oneOf" in shaped(schema, plain_root=False)


def test_alternatives_that_say_nothing_about_properties_are_dropped() -> None:
    """Choice: `anyOf: [{required: [a]}, {required: [b]}]` cannot be told; the gate still checks it."""
    schema: dict[str, object] = {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    assert shaped(schema) == {"type": "object", "properties": {"a": {}, "b": {}}}
    assert shaped({"anyOf": 3, "oneOf": []}) == {"type": "object", "properties": {}}


def test_what_binds_at_once_becomes_one_object() -> None:
    """Choice: an `allOf` at a root is the sum of its members."""
    schema: dict[str, object] = {
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"], "description": "inner"},
            {"allOf": [{"properties": {"b": {}}, "required": ["b", "a"]}]},
        ],
        "description": "outer",
        "properties": {"a": {"minLength": 1}},
    }
    assert shaped(schema) == {
        "type": "object",
        "description": "outer",
        "properties": {"a": {"minLength": 1}, "b": {}},
        "required": ["a", "b"],
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"allOf": [{"$ref": "#/$defs/a"}]},
        {"allOf": [True]},
        {"allOf": [{"allOf": [{"$ref": "#"}]}]},
        {"anyOf": [{}], "allOf": [{"anyOf": [{"type": "string"}]}]},
    ],
)
def test_what_cannot_be_merged_is_kept(schema: dict[str, object]) -> None:
    """Choice: a restriction is not dropped without being told."""
    assert merge_all_of(schema) == schema


def test_an_allof_that_is_none_is_dropped() -> None:
    """Choice: an illegal keyword breaks nothing."""
    assert merge_all_of({"allOf": 3, "type": "string"}) == {"type": "string"}


def test_a_tower_of_combinations_is_not_climbed_to_its_top() -> None:
    """Choice: bounded before Python's own stack is."""
    schema: dict[str, object] = {"properties": {"a": {}}}
    for key in ["allOf", "anyOf"] * 30:
        schema = {key: [schema]}
    assert shaped(schema) == {"type": "object", "properties": {}}
    deep: dict[str, object] = {"type": "string"}
    for _ in range(60):
        deep = {"allOf": [deep]}
    assert merge_all_of(deep) == deep


def test_the_schema_that_takes_anything_takes_anything_as_an_object() -> None:
    """Spec: an outside tool without a schema is still a tool."""
    assert tool_schema(ANYTHING, plain_root=True) == {"type": "object", "properties": {}}
