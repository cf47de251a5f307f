"""Schemas in words."""

import pytest

from prowess.cli.examples import example_inputs
from prowess.cli.schema_words import fields_of, kinds_of, resolve, words_for

TREE: dict[str, dict[str, object]] = {"$defs": {"Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
LOOP: dict[str, dict[str, object]] = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
BOTH: dict[str, dict[str, object]] = {"$defs": {"Both": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Both"}]}}}
MALFORMED: list[dict[str, object]] = [
    {"enum": []},
    {"enum": {}},
    {"anyOf": {}},
    {"anyOf": []},
    {"type": [{}]},
    {"type": 3},
    {"examples": {"x": 1}},
    {"properties": []},
    {"$ref": 3},
    {"$ref": "https://example.com/schema"},
    {"$ref": "#/nowhere"},
]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "format": "date"}, "date (2026-01-31)"),
        ({"type": "string", "format": "unheard-of"}, "text"),
        ({"type": "integer", "minimum": 1, "maximum": 50}, "whole number from 1 to 50"),
        ({"type": "number", "maximum": 0}, "number to 0"),
        ({"type": "boolean"}, "true or false"),
        ({"type": ["string", "null"]}, "text or null"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"type": "integer"}}, "list of whole number"),
        ({"type": "object"}, "object"),
        ({"enum": ["draft", "final"]}, "one of draft, final"),
        ({"enum": [1, None, True]}, "one of 1, null, true"),
        ({"enum": [str(number) for number in range(10)]}, "one of 0, 1, 2, 3, 4, 5, 6, 7, …"),
        ({"const": "red"}, "red"),
        ({"const": {"a": 1}}, '{"a": 1}'),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text or null"),
        ({"oneOf": [{"type": "integer"}, {"type": "integer"}]}, "whole number"),
        ({"allOf": [{"type": "object"}, {"$ref": "#/$defs/Tree"}]}, "object and list of list of list of list"),
        ({"$ref": "#/$defs/Tree"}, "list of list of list of list of list"),
        ({"$ref": "#/$defs/Tree", "description": "beside"}, "list of list of list of list of list"),
        (True, "any JSON value"),
        ({}, "any JSON value"),
    ],
)
def test_a_type_is_told_in_words(schema: object, words: str) -> None:
    """Choice: a person at a terminal reads words, not JSON Schema."""
    assert words_for(schema, TREE) == words


@pytest.mark.behaviour("commands.show-nested")
@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string", "minLength": 3, "maxLength": 10}, "text of 3 to 10 characters"),
        ({"type": "string", "minLength": 3, "maxLength": 3}, "text of 3 characters"),
        ({"type": "string", "minLength": 1, "pattern": "^[A-Z]+$"}, "text of at least 1 character matching ^[A-Z]+$"),
        ({"type": "string", "maxLength": 9, "format": "uri"}, "URL of at most 9 characters"),
        ({"type": "string", "contentEncoding": "base64", "minLength": 4}, "text in base64"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "number above 0 below 1"),
        ({"type": "integer", "multipleOf": 5}, "whole number, a multiple of 5"),
        (
            {"type": "array", "items": {}, "minItems": 1, "uniqueItems": True},
            "list of any JSON value (at least 1 item, no doubles)",
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of whole number"),
        ({"type": "object", "additionalProperties": False}, "object"),
    ],
)
def test_a_bound_is_told_with_the_type(schema: object, words: str) -> None:
    """Regression: lengths, patterns, counts and open bounds were left out, so what fits had to be guessed."""
    assert words_for(schema, TREE) == words


@pytest.mark.behaviour("commands.malformed-schemas")
@pytest.mark.parametrize("schema", MALFORMED)
def test_what_is_malformed_counts_as_missing(schema: dict[str, object]) -> None:
    """Regression: `show`, `run` and `serve` ended with a mistake of ours over one outside tool's schema."""
    assert words_for(schema, schema) == "any JSON value"
    assert fields_of(schema) == []
    assert example_inputs({"properties": {"a": schema}, "required": ["a"]}) in (None, {"a": "hello"})
    assert example_inputs(schema) in (None, {})


@pytest.mark.behaviour("commands.malformed-schemas")
@pytest.mark.parametrize("required", [True, {}, [3]])
def test_a_field_that_is_required_in_no_way_known_is_optional(required: object) -> None:
    """Regression: `required: true`, as an old draft had it, ended `show` and `serve`."""
    schema = {"properties": {"a": {"type": "string"}}, "required": required}
    assert fields_of(schema) == [("a", {"type": "string"}, False)]


@pytest.mark.parametrize("root", [TREE, LOOP, BOTH])
def test_what_refers_to_itself_comes_to_an_end(root: dict[str, dict[str, object]]) -> None:
    """Choice: nothing that a schema says makes a command hang."""
    for name in root["$defs"]:
        schema = {"$ref": f"#/$defs/{name}"}
        assert words_for(schema, root)
        assert kinds_of(schema, root)
    assert resolve({"$ref": "#/$defs/A"}, LOOP) == {}
