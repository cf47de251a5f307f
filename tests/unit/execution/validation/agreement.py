"""Schemas and values of every kind for property tests, and the native validator of a schema run directly."""

from typing import TypeAlias

from hypothesis import strategies as st
from jsonschema_rs import Draft7Validator, Draft201909Validator, Draft202012Validator, Validator

from prowess.model.json_value import Json

__all__ = ["SCHEMAS", "VALUES", "counted", "native"]

_Made: TypeAlias = st.SearchStrategy[dict[str, object]]
_Any: TypeAlias = st.SearchStrategy[object]

_DRAFT_7, _DRAFT_2019 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"
_NAMES = st.sampled_from(["a", "b", "ab", "a b", "ä", "", "$ref"])
_NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -0.0, 1e22, 10**22, 1e300, 1e-300, 2**60, 2**60 + 1, 10**25])
_SCALARS = st.none() | st.booleans() | _NUMBERS | st.sampled_from(["", "a", "b", "ab", "aa", "aab", "ä", "a\n"])
VALUES: st.SearchStrategy[Json] = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES, inner, max_size=4), max_leaves=8
)

_TYPES = st.sampled_from(["string", "integer", "number", "boolean", "object", "array", "null"])
_PLAIN_PATTERNS = st.sampled_from(["^a", "b$", ".", "^$", r"\p{L}"])
_PATTERNS = _PLAIN_PATTERNS | st.sampled_from(["^(?!a)", "(?=b)b", r"(a)\1", "^(?=.*b)a", "(?<=a)b"])
_PLACES = ["#", "#/$defs/a", "#/$defs/b", "#/definitions/a", "#here", "#there", "#/properties/a", "#/contentSchema/not"]
_BOUNDS = st.sampled_from([-1, 0, 1, 0.5, 1e-300, 2**60])
_COUNTS = st.integers(0, 3)
_SOME_NAMES = st.lists(_NAMES, min_size=1, max_size=3, unique=True)
_ALONE: dict[str, _Any] = {
    "type": _TYPES | st.lists(_TYPES, min_size=1, max_size=3, unique=True),
    "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=repr) | st.just([1, 2, 3]),
    "const": VALUES,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _BOUNDS),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _COUNTS),
    "multipleOf": st.sampled_from([1, 2, 0.5, 3]),
    "uniqueItems": st.booleans(),
    "pattern": _PATTERNS,
    "format": st.sampled_from(["date", "email", "uri", "regex", "nope"]),
    "required": _SOME_NAMES,
    "dependentRequired": st.dictionaries(_NAMES, _SOME_NAMES, max_size=2),
    "minContains": _COUNTS,
    "maxContains": _COUNTS,
    "$ref": st.sampled_from(_PLACES),
}
_SINGLE = ("additionalProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "items", "contains")
_BRANCHES = ("additionalItems", "not", "if", "then", "else", "contentSchema", "x-unknown")


def _keywords(inner: _Any) -> dict[str, _Any]:
    fields, several = st.dictionaries(_NAMES, inner, max_size=3), st.lists(inner, min_size=1, max_size=3)
    return {
        **_ALONE,
        **dict.fromkeys((*_SINGLE, *_BRANCHES), inner),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), several),
        **dict.fromkeys(("properties", "dependentSchemas"), fields),
        "dependencies": st.dictionaries(_NAMES, inner | _SOME_NAMES, max_size=2),
        "patternProperties": st.dictionaries(_PLAIN_PATTERNS, inner, max_size=2),
    }


def _nested(inner: _Any) -> _Made:
    keywords = _keywords(inner)
    chosen = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda words: st.fixed_dictionaries({word: keywords[word] for word in words}))


def _as_object(schema: object) -> dict[str, object]:
    return schema if isinstance(schema, dict) else {"allOf": [schema]}


_PARTS: _Any = st.recursive(st.booleans() | st.builds(lambda kind: {"type": kind}, _TYPES), _nested, max_leaves=8)
SCHEMAS: _Made = st.builds(
    lambda root, one, other, old, dialect: {
        **_as_object(root),
        "$defs": {
            "a": {**_as_object(one), "$anchor": "here"},
            "b": {**_as_object(other), "$dynamicAnchor": "there"},
        },
        "definitions": {"a": old},
        **dialect,
    },
    *[_PARTS] * 4,
    st.sampled_from([{}, {}, {"$id": "https://example.com/a"}, {"$schema": _DRAFT_7}, {"$schema": _DRAFT_2019}]),
)


def native(schema: dict[str, object]) -> Validator:
    """The validator of the schema's dialect without any of our bounds; raises `ValueError`."""
    classes = {_DRAFT_7: Draft7Validator, _DRAFT_2019: Draft201909Validator}
    return classes.get(str(schema.get("$schema")), Draft202012Validator)(schema, offline=True, validate_formats=False)


def counted(schema: dict[str, object]) -> dict[str, object]:
    """The same schema with a pattern beside it whose work is counted, and so that of everything else."""
    return {**schema, "properties": {**_as_object(schema.get("properties") or {}), "counted": {"pattern": "(?=a)a"}}}
