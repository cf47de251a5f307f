"""Inputs that fit a schema, to be shown as an example: right by construction, or none.

It knows the keywords that schemas are mostly made of. Where another one restricts a value, there is no example, since
a wrong one is worse. It loads no validator, which `prowess show` could not wait for.
"""

from __future__ import annotations

from itertools import combinations

from prowess.cli.schema_words import ANY_KIND, is_object, kinds_of, pointed, resolve

__all__ = ["example_inputs"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Value: TypeAlias = Any  # JSON, whose shape a schema tells
    Schema: TypeAlias = Mapping[str, Value]

_DEEPEST = 8
_LONGEST = 200
_TEXT = "hello"
_SAYS_NOTHING = frozenset(
    {"$comment", "$defs", "$id", "$schema", "contentMediaType", "default", "definitions", "deprecated"}
    | {"description", "discriminator", "examples", "readOnly", "title", "writeOnly"}
)
_KNOWN = frozenset(
    {"additionalProperties", "properties", "required", "items", "maxItems", "minItems", "uniqueItems"}
    | {"contentEncoding", "format", "maxLength", "minLength"}
    | {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"}
)
_SPECIAL = {
    "base64": "aGVsbG8=",
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    "duration": "PT1H30M",
    "email": "ada@example.com",
    "path": "notes.md",
    "time": "12:00:00",
    "uri": "https://example.com",
    "uuid": "12345678-1234-4234-8234-123456789abc",
}
"""A text for each format and encoding."""


def example_inputs(schema: Schema) -> dict[str, Value] | None:
    """Values for the required inputs, nested ones included; None where none can be vouched for."""
    try:
        return None if _unknown(schema) else _object(schema, schema, 0)
    except (_NoExampleError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None  # what is malformed may hold anything anywhere


# ---------------------------------------------------------------------------------------------------------------------


class _NoExampleError(Exception):
    """There is none, or none that we can vouch for."""


def _example(schema: object, root: Schema, depth: int) -> Value:
    if depth > _DEEPEST or not (is_object(schema) or schema is True):
        raise _NoExampleError
    found: Schema = schema if is_object(schema) else {}
    if "$ref" in found:
        return _referred(found, root, depth)
    for union in ("anyOf", "oneOf"):
        if union in found:
            return _alternative(found, union, root, depth)
    if "const" in found or "enum" in found:
        return _listed(found)
    kinds = found.get("type", ())
    named = [kinds] if isinstance(kinds, str) else sorted(kinds, key="null".__eq__)
    if not named and found.keys() <= _SAYS_NOTHING:
        return _TEXT
    if not named or _unknown(found):
        raise _NoExampleError
    return _of_kind(named[0], found, root, depth)


def _referred(schema: Schema, root: Schema, depth: int) -> Value:
    """An example of what a reference names, where nothing beside it binds as well."""
    if not schema.keys() <= _SAYS_NOTHING | {"$ref"}:
        raise _NoExampleError
    return _example(pointed(root, str(schema["$ref"])), root, depth + 1)


def _unknown(schema: Schema) -> bool:
    """Whether a value may be bound by something that is not looked at here."""
    return not schema.keys() <= _SAYS_NOTHING | _KNOWN | {"type"}


def _of_kind(kind: str, schema: Schema, root: Schema, depth: int) -> Value:
    if kind == "object":
        return _object(schema, root, depth)
    if kind == "array":
        return _array(schema, root, depth)
    if kind == "string":
        return _text(schema)
    return {"boolean": True, "null": None}[kind] if kind in {"boolean", "null"} else _number(kind, schema)


def _object(schema: Schema, root: Schema, depth: int) -> dict[str, Value]:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    if not all(name in properties for name in required):
        raise _NoExampleError
    return {name: _example(properties[name], root, depth + 1) for name in required}


def _array(schema: Schema, root: Schema, depth: int) -> list[Value]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", 1)
    try:
        item = _example(schema.get("items", True), root, depth + 1)
    except _NoExampleError:
        if least:
            raise
        return []
    count = max(least, min(1, most))
    if not least <= count <= min(most, _LONGEST) or (count > 1 and schema.get("uniqueItems")):
        raise _NoExampleError
    return [item] * int(count)


def _text(schema: Schema) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    padded = (_TEXT * (int(min(least, _LONGEST)) // len(_TEXT) + 1))[: int(max(least, min(len(_TEXT), most)))]
    special = {"contentEncoding", "format"} & schema.keys()
    tried = [*_given(schema, str), padded]
    if special:
        tried = [_SPECIAL.get(str(schema[one]), "") for one in special] if len(special) == 1 else []
    text = next((text for text in tried if least <= len(text) <= most), "")
    if not text and (least or special):
        raise _NoExampleError
    return text


def _number(kind: str, schema: Schema) -> float:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    step = schema.get("multipleOf", 1)
    ends = [end + change for end in (low, high) if end is not None for change in (0, step, -step)]
    middle = [(low + high) / 2] if low is not None and high is not None else []
    for value in (*_given(schema, int | float), 1, *ends, step, 0, *middle):
        if (kind == "number" or value == int(value)) and _is_within(value, schema):
            return int(value) if value == int(value) else value
    raise _NoExampleError


def _is_within(value: float, schema: Schema) -> bool:
    return bool(
        value >= schema.get("minimum", value)
        and value <= schema.get("maximum", value)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
        and value % schema.get("multipleOf", value or 1) == 0
    )


def _given(schema: Schema, kind: Value) -> list[Value]:
    """The examples that the author gives, as far as they are of the type."""
    given: list[Value] = schema["examples"] if isinstance(schema.get("examples"), list) else []
    return [one for one in given if isinstance(one, kind) and not isinstance(one, bool)]


def _listed(schema: Schema) -> Value:
    """One of the values that are listed, where nothing else has a say; null only where there is no other."""
    if not schema.keys() <= _SAYS_NOTHING | {"const", "enum", "type"} or {"const", "enum"} <= schema.keys():
        raise _NoExampleError
    values = schema["enum"] if "enum" in schema else [schema["const"]]
    allowed = kinds_of({"type": schema["type"]}, schema) if "type" in schema else ANY_KIND
    fitting = [value for value in values if kinds_of({"const": value}, schema) <= allowed]
    if not fitting:
        raise _NoExampleError
    return next((value for value in fitting if value is not None), None)


def _alternative(schema: Schema, union: str, root: Schema, depth: int) -> Value:
    """One of several; of `oneOf` only where no value can fit two of them."""
    members = schema[union]
    apart = union == "anyOf" or all(_are_apart(one, other, root) for one, other in combinations(members, 2))
    if not apart or not schema.keys() <= _SAYS_NOTHING | {union}:
        raise _NoExampleError
    for member in sorted(members, key=lambda one: kinds_of(one, root) <= {"null"}):
        try:
            return _example(member, root, depth + 1)
        except _NoExampleError:
            continue
    raise _NoExampleError


def _are_apart(one: Schema, other: Schema, root: Schema) -> bool:
    """Whether the types of two schemas, or the tags that both require, keep any value from fitting both."""
    tags = [_tags(schema, root) for schema in (one, other)]
    differs = any(name in tags[1] and tag != tags[1][name] for name, tag in tags[0].items())
    return differs or not kinds_of(one, root) & kinds_of(other, root)


def _tags(schema: Schema, root: Schema) -> dict[str, str]:
    """The required fields of an object that take one text only."""
    if not kinds_of(schema, root) <= {"object"}:
        return {}
    found = resolve(schema, root)
    fields = {name: resolve(field, root) for name, field in found.get("properties", {}).items()}
    listed = {name: field.get("enum", [field.get("const")]) for name, field in fields.items()}
    only = {name: values[0] for name, values in listed.items() if len(values) == 1}
    return {name: only[name] for name in found.get("required", ()) if isinstance(only.get(name), str)}
