from __future__ import annotations

import copy

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from prowess.errors import InvalidSchemaError
from prowess.model.schema import ANYTHING, NO_INPUTS, Schema, inline_references, resolve_pointer

NAMES = st.sampled_from(["a", "b", "$ref", "x/y", "p%q", "~t"])
POINTERS = ["#/$defs/a", "#/$defs/b", "#/$defs/$ref", "#/$defs/x~1y", "#/$defs/p%25q", "#/$defs/~0t"]
PLACES = [*POINTERS, "#/definitions/a", "#here", "#/properties/a", "#/$defs/b/properties/a", "#", ""]
REFERENCES = st.sampled_from(PLACES)
LEAVES = st.sampled_from(
    [
        True,
        False,
        {},
        {"type": "string"},
        {"type": "integer", "description": "a number"},
        {"enum": ["a", 1, {"$ref": "#/$defs/a"}]},
        {"const": {"$ref": "x"}},
        {"minLength": 2},
        {"type": "object", "default": {"$ref": "#/nowhere"}, "examples": [{"$ref": "#/nowhere"}]},
        {"additionalProperties": False},
        {"unevaluatedProperties": False},
    ]
)


def _combined(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    beside = st.one_of(st.just({}), inner.filter(lambda schema: isinstance(schema, dict)))
    return st.one_of(
        st.builds(lambda schema, reference: {**schema, "$ref": reference}, beside, REFERENCES),
        st.builds(
            lambda found, more: {"type": "object", "properties": found, **more}, _members(inner), _further(inner)
        ),
        st.builds(
            lambda schema, key, members: {**schema, key: members},
            beside,
            st.sampled_from(["allOf", "anyOf", "oneOf", "prefixItems"]),
            st.lists(inner, min_size=1, max_size=2),
        ),
        st.builds(lambda key, schema: {key: schema}, st.sampled_from(["not", "items", "contains", "if"]), inner),
        st.builds(lambda found: {"dependentSchemas": found, "patternProperties": {"^a": True}}, _members(inner)),
    )


def _members(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(NAMES, inner, max_size=3)


def _further(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.just({}) | st.builds(lambda schema: {"additionalProperties": schema}, inner)


SCHEMAS = st.recursive(LEAVES, _combined, max_leaves=6)
ROOTS = st.builds(
    lambda root, definitions, old, here, dialect: {
        **(root if isinstance(root, dict) else {}),
        "$defs": {**definitions, "here": {**(here if isinstance(here, dict) else {}), "$anchor": "here"}},
        "definitions": old,
        **dialect,
    },
    SCHEMAS,
    st.dictionaries(NAMES, SCHEMAS, min_size=2, max_size=6),
    st.dictionaries(st.just("a"), SCHEMAS, max_size=1),
    SCHEMAS,
    st.sampled_from([{}, {}, {"$schema": "http://json-schema.org/draft-07/schema#"}]),
)
VALUES = st.recursive(
    st.sampled_from([None, True, 1, "a", "abc"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None)
@given(ROOTS, st.lists(VALUES, min_size=4, max_size=8))
def test_inlining_changes_nothing_about_what_a_schema_admits(schema: dict[str, object], values: list[object]) -> None:
    """Spec: `$ref` inlined with a bounded fallback; a client must not see another schema than the gate checks."""
    before = copy.deepcopy(schema)
    inlined, _ = inline_references(schema)
    assert schema == before
    try:
        original = jsonschema_rs.validator_for(schema)
        made = jsonschema_rs.validator_for(inlined)
        verdicts = [(original.is_valid(value), made.is_valid(value)) for value in values]
    except ValueError:
        assume(False)  # noqa: FBT003 - references that name nothing, or themselves
    else:
        assert [pair for pair in verdicts if pair[0] != pair[1]] == []


def test_references_become_what_they_name() -> None:
    """Spec: references inlined, definitions gone, what stands beside a reference kept."""
    schema = {
        "type": "object",
        "properties": {
            "who": {"$ref": "#/$defs/person", "description": "who asks", "default": None},
            "$ref": {"type": "string"},
            "limited": {"$ref": "#/$defs/person", "maxProperties": 1, "allOf": [True]},
        },
        "$defs": {"person": {"type": "object", "description": "anybody", "$anchor": "p", "properties": {"n": {}}}},
    }
    person = {"type": "object", "description": "anybody", "properties": {"n": {}}}
    inlined, complete = inline_references(schema)
    assert complete
    assert inlined == {
        "type": "object",
        "properties": {
            "who": {**person, "description": "who asks", "default": None},
            "$ref": {"type": "string"},
            "limited": {"maxProperties": 1, "allOf": [True, person]},
        },
    }


def test_the_result_shares_nothing_with_the_schema() -> None:
    """Choice: whoever gets it may change it."""
    for schema in (
        {"properties": {"a": {"enum": [["x"]]}, "b": {"$ref": "#/$defs/c"}}, "$defs": {"c": {"items": {}}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}, "x": [{}]},
    ):
        before = copy.deepcopy(schema)
        inlined, _ = inline_references(schema)
        _spoil(inlined)
        assert schema == before


def _spoil(value: object) -> None:
    if isinstance(value, dict):
        for item in [*value.values()]:
            _spoil(item)
        value.clear()
    elif isinstance(value, list):
        for item in [*value]:
            _spoil(item)
        value.clear()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/node", "$defs": {"node": {"properties": {"next": {"$ref": "#/$defs/node"}}}}},
        {"properties": {"self": {"$ref": "#"}}},
        {"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"$ref": "#/$defs/b"}}},
    ],
)
def test_what_leads_back_to_itself_stays_with_its_definition(schema: dict[str, object]) -> None:
    """Spec: a bounded fallback for recursive references, whose definitions still work."""
    assert inline_references(schema) == (schema, False)


@pytest.mark.behaviour("tools.references")
def test_one_recursive_reference_keeps_no_other() -> None:
    """Regression: a single reference that led back to itself kept all others from being replaced."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/a%20node"}, "unit": {"$ref": "#unit"}}}
    schema = {
        "properties": {
            "first": {"$ref": "#/definitions/a%20node", "description": "where it begins"},
            "unit": {"$ref": "#/definitions/unit", "default": "kg"},
            "other": {"$ref": "#/definitions/mutual"},
        },
        "definitions": {
            "a node": node,
            "unit": {"enum": ["kg", "lb"], "$anchor": "unit"},
            "mutual": {"items": {"$ref": "#/definitions/back"}},
            "back": {"anyOf": [{"$ref": "#/definitions/mutual"}, {"$ref": "#/definitions/a%20node"}]},
            "unused": {"$ref": "#/definitions/unused"},
        },
    }
    unit = {"enum": ["kg", "lb"]}
    assert inline_references(schema) == (
        {
            "properties": {
                "first": {"$ref": "#/$defs/a_20node", "description": "where it begins"},
                "unit": {**unit, "default": "kg"},
                "other": {"$ref": "#/$defs/mutual"},
            },
            "$defs": {
                "a_20node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/a_20node"}, "unit": unit}},
                "mutual": {"items": {"$ref": "#/$defs/back"}},
                "back": {"anyOf": [{"$ref": "#/$defs/mutual"}, {"$ref": "#/$defs/a_20node"}]},
            },
        },
        False,
    )


def test_definitions_of_one_name_stay_apart() -> None:
    """Choice: two places may end alike."""
    first: dict[str, object] = {"title": "first", "items": {"$ref": "#/$defs/x/a"}}
    other: dict[str, object] = {"title": "other", "items": {"$ref": "#/$defs/a"}}
    schema = {"anyOf": [{"$ref": "#/$defs/x/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": other, "x": {"a": first}}}
    inlined, _ = inline_references(schema)
    found = [resolve_pointer(inlined, str(one["$ref"])) for one in inlined["anyOf"]]  # type: ignore[attr-defined]
    assert [one["title"] for one in found] == ["first", "other"]  # type: ignore[index]


def test_a_long_circle_and_a_costly_search_are_bounded() -> None:
    """Spec: the walk is bounded before Python's own stack is."""
    circle = {f"d{n}": {"items": {"$ref": f"#/$defs/d{(n + 1) % 900}"}} for n in range(900)}
    inlined, complete = inline_references({"items": {"$ref": "#/$defs/d0"}, "$defs": circle})
    assert (inlined["$defs"], complete) == (circle, False)
    places = [{"$ref": f"#/prefixItems/{n}/properties/x"} for n in range(400)]
    schema = {"prefixItems": [{"properties": {"x": {"anyOf": places}}} for _ in range(400)]}
    assert inline_references(schema) == (schema, False)


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "https://example.com/schema"}}},
        {"properties": {"a": {"$ref": "#/$defs/missing"}}},
        {"properties": {"a": {"$ref": "#nowhere"}}},
        {"properties": {"a": {"$ref": "#/%ff"}}},
        {"properties": {"a": {"$id": "urn:x", "$ref": "#/$defs/b"}}, "$defs": {"b": {}}},
        {"properties": {"a": {"$dynamicRef": "#b"}}, "$defs": {"b": {"$dynamicAnchor": "b"}}},
    ],
)
def test_what_cannot_be_inlined_is_left_whole(schema: dict[str, object]) -> None:
    """Spec: a bounded fallback for recursive references, whose definitions still work."""
    assert inline_references(schema) == (schema, False)


def test_a_schema_that_would_explode_is_left_whole() -> None:
    """Spec: exponential schemas are refused in bounded time and memory."""
    doubling = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**doubling, "d60": {"type": "string"}}}
    assert inline_references(schema) == (schema, False)
    copies: dict[str, object] = {str(n): {"$ref": "#/$defs/big"} for n in range(500)}
    schema = {"properties": copies, "$defs": {"big": {"enum": list(range(500))}}}
    assert inline_references(schema) == (schema, False)


def test_a_large_schema_that_hardly_grows_is_inlined() -> None:
    """Choice: the bound is on growth; an enumeration of ten thousand values is no reason to keep references."""
    schema = {"properties": {"a": {"$ref": "#/$defs/big"}}, "$defs": {"big": {"enum": list(range(10_000))}}}
    assert inline_references(schema)[1]


def test_a_schema_deeper_than_any_tool_is_left_whole() -> None:
    """Choice: the walk is bounded before Python's own stack is."""
    schema: dict[str, object] = {}
    for _ in range(80):
        schema = {"items": schema}
    assert inline_references(schema) == (schema, False)


def test_before_draft_2019_what_stands_beside_a_reference_is_only_read() -> None:
    """Choice: draft 7 ignores it, and so does the gate."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/b", "minLength": 3, "title": "A"}},
        "definitions": {"b": {"type": "string"}},
    }
    assert inline_references(schema)[0]["properties"] == {"a": {"type": "string", "title": "A"}}


def test_a_reference_beside_an_allof_that_is_none_still_binds() -> None:
    """Choice: an illegal keyword beside a reference does not make the reference vanish."""
    schema = {"properties": {"a": {"$ref": "#/$defs/b", "allOf": 3}}, "$defs": {"b": {"type": "string"}}}
    assert inline_references(schema)[0]["properties"] == {"a": {"allOf": [{"type": "string"}]}}


@pytest.mark.parametrize(("named", "made"), [(True, {}), (False, {"not": {}})])
def test_a_root_that_refers_to_a_boolean_becomes_an_object(named: object, made: dict[str, object]) -> None:
    """Choice: a schema's value is always an object."""
    assert inline_references({"$ref": "#/$defs/a", "$defs": {"a": named}}) == (made, True)


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#", True),
        ("#/a/b", 1),
        ("#/x~1y", 2),
        ("#/~01", 3),
        ("#/p%25q", 4),
        ("#/%61/b", 1),
        ("#/list/1", "second"),
        ("#/list/01", None),
        ("#/list/9", None),
        ("#/list/²", None),
        ("#/list/-", None),
        ("#/none", None),
        ("#/a/b/c", None),
        ("#a", None),
        ("a", None),
        ("#/%ff", None),
        ("#/", 5),
    ],
)
def test_a_pointer_is_followed_as_rfc_6901_says(reference: str, found: object) -> None:
    """Regression: a superscript digit was taken for an index, and percent-encoding for text."""
    root = {"a": {"b": 1}, "x/y": 2, "~1": 3, "p%q": 4, "list": ["first", "second"], "": 5}
    assert resolve_pointer(root, reference) == (root if found is True else found)


def test_a_schema_gives_fresh_values() -> None:
    """Choice: its value may be changed by whoever asks."""
    schema = Schema.of({"type": "object", "properties": {"b": {}, "a": {}}})
    schema.value().clear()
    assert list(schema.value()["properties"] or ()) == ["b", "a"]  # type: ignore[call-overload]
    assert Schema.of(schema) is schema


@pytest.mark.parametrize(("schema", "value"), [(True, {}), (False, {"not": {}})])
def test_a_boolean_schema_reads_as_an_object(schema: bool, value: dict[str, object]) -> None:
    """Choice: every reader may rely on an object."""
    assert Schema.of(schema).value() == value


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ([], "a JSON Schema is an object, not list"),
        ("x", "a JSON Schema is an object, not str"),
        ({"const": float("nan")}, r"\$\.const: is not a finite number"),
        ({"default": object()}, r"\$\.default: a value of type object"),
        ({"maximum": 10**5000}, r"\$\.maximum: is an integer too large for JSON"),
        ({1: {}}, "a key of type int"),
    ],
)
def test_what_is_no_json_is_no_schema(schema: object, why: str) -> None:
    """Regression: a NaN in a schema silently became null."""
    with pytest.raises(InvalidSchemaError, match=why):
        Schema.of(schema)  # type: ignore[arg-type]


def test_a_schema_nested_too_deeply_is_refused() -> None:
    """Spec: deep schemas are refused without taking the process down."""
    schema: dict[str, object] = {}
    for _ in range(5_000):
        schema = {"items": schema}
    with pytest.raises(InvalidSchemaError, match="deeper than"):
        Schema.of(schema)


def test_schemas_that_differ_in_order_only_have_one_digest() -> None:
    """Choice: a document that was sorted anew is the same entry."""
    one, other = Schema.of({"a": 1, "b": {"c": 1, "d": 2}}), Schema.of({"b": {"d": 2, "c": 1}, "a": 1})
    assert one != other
    assert one.digest == other.digest
    assert one.digest != NO_INPUTS.digest


def test_the_two_schemas_that_entries_get_by_themselves() -> None:
    """Choice: an entry that declares nothing takes nothing, one that was not described takes all."""
    assert jsonschema_rs.is_valid(ANYTHING.value(), {"a": 1})
    assert not jsonschema_rs.is_valid(NO_INPUTS.value(), {"a": 1})
