from __future__ import annotations

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.model.strict_arguments import without_added_nulls
from prowess.model.strict_schema import StrictRules, strict_schema

FIELDS = st.recursive(
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer", "minimum": 0},
            {"type": ["string", "null"]},
            {"enum": ["a", 1, None]},
            {"const": True},
        ]
    ),
    lambda inner: st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda members: {"anyOf": members}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(
            lambda found, count: {
                "type": "object",
                "properties": found,
                "required": sorted(found)[:count],
                "additionalProperties": False,
            },
            st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            st.integers(0, 3),
        ),
    ),
    max_leaves=5,
)
ROOTS = st.builds(
    lambda found, count: {
        "type": "object",
        "properties": found,
        "required": sorted(found)[:count],
        "additionalProperties": False,
    },
    st.dictionaries(st.sampled_from("abc"), FIELDS, min_size=1, max_size=3),
    st.integers(0, 3),
)
VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1, "a", "b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
WIDE = StrictRules(keywords=frozenset(), formats=frozenset(), optional=False, recursion=True)


LEAVES = st.sampled_from(
    [
        *({"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}, {}),
        *({"enum": ["a", 1]}, {"const": "a"}, {"const": None}, {"type": ["string", "null"]}, {"enum": [1, 1.5, True]}),
        *(
            {"type": "string", "enum": ["a", None]},
            {"type": "integer", "enum": [1, "a"]},
            {"type": "string", "const": 1},
        ),
        *({"type": "string", "not": {"const": "a"}}, {"type": "string", "if": {"const": "a"}, "then": False}),
    ]
)


def objects_of(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Objects, closed and open, with what is needed and what depends on what."""
    return st.builds(
        lambda properties, required, more: {"type": "object", "properties": properties, "required": required, **more},
        st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=2),
        st.lists(st.sampled_from("abc"), unique=True, max_size=1),
        st.sampled_from(
            [
                *({"additionalProperties": False}, {}, {}, {"dependentRequired": {"a": ["b"]}}),
                *({"propertyNames": {"maxLength": 0}}, {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            ]
        ),
    )


ANY_FIELDS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        objects_of(inner),
        st.builds(lambda items: {"type": ["array", "null"], "items": items}, inner),
        st.builds(
            lambda key, members, more: {key: members, **more},
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(inner, min_size=1, max_size=2),
            st.sampled_from([{}, {}, {"type": "string"}, {"enum": ["a", None]}]),
        ),
    ),
    max_leaves=5,
)


@pytest.mark.behaviour("tools.strict-exact")
@settings(max_examples=300, deadline=None)
@given(objects_of(ANY_FIELDS), st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3), st.booleans())
def test_what_fits_a_strict_schema_fits_the_schema_or_it_is_not_strict(
    schema: dict[str, object], arguments: dict[str, object], optional: bool
) -> None:
    """Regression: `not`, `if`, `type` beside `enum` and the one of `oneOf` were lost without a word."""
    rules = StrictRules(keywords=frozenset(), formats=frozenset(), optional=optional, recursion=True)
    made = strict_schema(schema, rules)
    assert (made.schema is None) == bool(made.problems)
    if made.schema is not None and jsonschema_rs.is_valid(made.schema, arguments):
        assert jsonschema_rs.is_valid(schema, without_added_nulls(schema, arguments))


@settings(max_examples=150, deadline=None)
@given(ROOTS, st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3))
def test_what_a_caller_may_send_a_model_may_still_send(schema: dict[str, object], arguments: dict[str, object]) -> None:
    """Choice: strict mode may admit more than the schema, but nothing that was possible becomes impossible."""
    made = strict_schema(schema, WIDE)
    assert made.schema is not None
    if jsonschema_rs.is_valid(schema, arguments):
        assert jsonschema_rs.is_valid(made.schema, _filled(schema, arguments))


def _filled(schema: object, value: object) -> object:
    """The same arguments as a model must write them: a null for each property that is left out."""
    if isinstance(schema, dict) and isinstance(value, list) and "items" in schema:
        return [_filled(schema["items"], item) for item in value]
    if isinstance(schema, dict) and "anyOf" in schema:
        fitting = (member for member in schema["anyOf"] if jsonschema_rs.is_valid(member, value))
        return _filled(next(fitting), value)
    if isinstance(schema, dict) and isinstance(value, dict):
        properties = schema["properties"]
        return {name: _filled(properties[name], value[name]) if name in value else None for name in properties}
    return value


@settings(max_examples=150, deadline=None)
@given(ROOTS, st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3))
def test_the_nulls_of_strict_mode_are_taken_away_again(schema: dict[str, object], arguments: dict[str, object]) -> None:
    """Choice: the gate checks the schema itself, which takes no null for a property that may be left out."""
    if jsonschema_rs.is_valid(schema, arguments) and "anyOf" not in str(schema):
        filled = _filled(schema, arguments)
        assert isinstance(filled, dict)
        assert jsonschema_rs.is_valid(schema, without_added_nulls(schema, filled))


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        ({"type": "string"}, False),
        ({"type": ["string", "null"]}, True),
        ({"type": "null"}, True),
        ({"enum": ["a", None]}, True),
        ({"enum": ["a"]}, False),
        ({"const": None}, True),
        ({"const": 1}, False),
        ({}, True),
        ({"minLength": 1}, True),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, False),
        ({"$ref": "#/$defs/text"}, False),
        ({"$ref": "#/$defs/loop"}, False),
        ({"$ref": "#/$defs/none"}, False),
        ({"allOf": 3}, False),
    ],
)
def test_a_null_stays_where_the_schema_takes_one(schema: dict[str, object], kept: bool) -> None:
    """Choice: null and left out differ where an author says so."""
    root = {"properties": {"a": schema}, "$defs": {"text": {"type": "string"}, "loop": {"$ref": "#/$defs/loop"}}}
    assert without_added_nulls(root, {"a": None}) == ({"a": None} if kept else {})


def test_a_null_stays_where_the_property_is_required_or_unknown() -> None:
    """Choice: what is wrong is refused by the gate, not mended here."""
    schema = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert without_added_nulls(schema, {"a": None, "b": None, "c": [None]}) == {"a": None, "b": None, "c": [None]}


def test_nulls_are_taken_out_of_what_is_nested() -> None:
    """Choice: strict mode adds them at every depth."""
    inner = {"properties": {"x": {"type": "string"}, "y": {"type": "string"}}}
    schema = {"properties": {"list": {"items": {"anyOf": [inner]}}, "one": inner}}
    arguments = {"list": [{"x": None, "y": "b"}], "one": {"x": "a", "y": None}}
    assert without_added_nulls(schema, arguments) == {"list": [{"y": "b"}], "one": {"x": "a"}}
    deep: object = None
    for _ in range(5_000):
        deep = [deep]
    assert without_added_nulls(schema, {"other": deep}) == {"other": deep}


def test_nulls_are_taken_out_of_what_refers_to_itself() -> None:
    """Choice: a schema that goes round in a circle is looked at once."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "name": {"type": "string"}}}
    schema = {"$defs": {"node": node}, "allOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/node"}]}
    assert without_added_nulls(schema, {"name": None, "next": {"name": None, "next": None}}) == {"next": {}}
