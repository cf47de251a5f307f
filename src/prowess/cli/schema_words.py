"""A JSON Schema as a person at a terminal needs it: the types that a field takes, in words.

One from outside may be no schema at all, which only a call finds out: what is malformed counts as missing.
"""

from __future__ import annotations

__all__ = [
    "ANY_KIND",
    "fields_of",
    "is_object",
    "kinds_of",
    "members_of",
    "object_in",
    "pointed",
    "properties_of",
    "resolve",
    "words_for",
    "words_to_type",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias, TypeGuard

    Schema: TypeAlias = Mapping[str, Any]

_HOPS = 16
_DEPTH = 4
_CHOICES = 8
_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "object",
    "null": "null",
}
ANY_KIND = frozenset(_WORDS)
"""What a schema that names no type allows."""
_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_FORMATS = {
    "date": "date (2026-01-31)",
    "date-time": "date and time (2026-01-31T12:00:00Z)",
    "time": "time (12:00:00)",
    "uri": "URL",
    "uuid": "UUID",
    "path": "path",
}
_JOINED = {"anyOf": " or ", "oneOf": " or ", "allOf": " and "}


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def resolve(schema: object, root: Schema) -> Schema:
    """The schema itself where it is a local reference; what cannot be followed allows everything."""
    for _ in range(_HOPS):
        if not is_object(schema):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        target = pointed(root, reference)
        schema = {**target, **beside} if is_object(target) else beside
    return {}


def pointed(root: Schema, reference: str) -> object:
    """What a local reference names; None where it names nothing."""
    node: object = root
    for raw in reference.removeprefix("#").split("/")[1:] if reference.startswith("#") else ["", ""]:
        part = raw.replace("~1", "/").replace("~0", "~")
        node = node.get(part) if is_object(node) else None
    return node


def kinds_of(schema: object, root: Schema, depth: int = 0) -> frozenset[str]:
    """The JSON types that a schema may allow; `ANY_KIND` where it names none."""
    found = resolve(schema, root)
    kinds = frozenset(_types(found)) or frozenset(map(_kind_of, _values(found)))
    if kinds:
        return kinds | {"integer"} if "number" in kinds else kinds
    if depth == _DEPTH:
        return ANY_KIND
    for union in ("anyOf", "oneOf"):
        for member in members_of(found, union):
            kinds |= kinds_of(member, root, depth + 1)
    every = (kinds_of(member, root, depth + 1) for member in members_of(found, "allOf"))
    return (kinds or ANY_KIND).intersection(*every)


def fields_of(schema: Schema, root: Schema | None = None) -> list[tuple[str, Schema, bool]]:
    """The fields of an object schema, which is the root where none is given: name, schema, whether it is required."""
    above = schema if root is None else root
    whole = resolve(schema, above)
    required = _list(whole.get("required"))
    return [(name, resolve(inner, above), name in required) for name, inner in properties_of(whole).items()]


def properties_of(schema: Schema) -> dict[str, object]:
    """The schemas of an object's fields, by name."""
    properties = schema.get("properties")
    return properties if is_object(properties) else {}


def members_of(schema: Schema, union: str) -> list[object]:
    """What a union keyword, `anyOf`, lists."""
    return _list(schema.get(union))


def object_in(schema: object, root: Schema, depth: int = 0) -> Schema | None:
    """The schema whose fields say what is inside: an object's own, an alternative's, or that of a list's items."""
    found = resolve(schema, root)
    if properties_of(found) or depth > _DEPTH:
        return found if properties_of(found) else None
    inner = [*(member for union in _JOINED for member in members_of(found, union)), found.get("items")]
    objects = (object_in(one, root, depth + 1) for one in inner if is_object(one))
    return next((one for one in objects if one is not None), None)


def words_for(schema: object, root: Schema, depth: int = 0) -> str:
    """A field's type in a few words: 'whole number from 1', 'list of text', 'one of draft, final'."""
    found = resolve(schema, root)
    values = _values(found)
    if values:
        return _choices(values)
    for union, joined in _JOINED.items():
        members = members_of(found, union)
        if members and depth < _DEPTH:
            return joined.join(dict.fromkeys(words_for(member, root, depth + 1) for member in members))
    return " or ".join(_plain(kind, found, root, depth) for kind in _types(found)) or "any JSON value"


def words_to_type(schema: object, root: Schema) -> str:
    """The same for whoever types a value, which is JSON for what has no form of its own."""
    items = resolve(schema, root).get("items")
    of_objects = is_object(items) and _only(items, root) == "object"
    kind = _only(schema, root)
    needs_json = kind == "object" or (kind == "array" and of_objects)
    return words_for(schema, root) + (" as JSON" if needs_json else "")


# ---------------------------------------------------------------------------------------------------------------------


def _only(schema: object, root: Schema) -> str | None:
    """The one type that a schema allows, where it is one."""
    kinds = kinds_of(schema, root)
    return next(iter(kinds)) if len(kinds) == 1 else None


def _plain(kind: str, schema: Schema, root: Schema, depth: int) -> str:
    if kind == "array":
        inner = f" of {words_for(schema['items'], root, depth + 1)}" if "items" in schema and depth < _DEPTH else ""
        told = [_count(schema, "Items", "item"), "no doubles" if schema.get("uniqueItems") else ""]
        return f"list{inner}" + (f" ({', '.join(filter(None, told))})" if any(told) else "")
    if kind == "string":
        return _text(schema)
    values = schema.get("additionalProperties")
    if kind == "object" and is_object(values) and "properties" not in schema and depth < _DEPTH:
        return f"object of {words_for(values, root, depth + 1)}"
    return _WORDS.get(kind, kind) + (_bounds(schema) if kind in {"integer", "number"} else "")


def _text(schema: Schema) -> str:
    if "contentEncoding" in schema:
        return f"text in {schema['contentEncoding']}"
    length = _count(schema, "Length", "character")
    words = _FORMATS.get(str(schema.get("format")), "text") + (f" of {length}" if length else "")
    return f"{words} matching {schema['pattern']}" if "pattern" in schema else words


def _count(schema: Schema, end: str, thing: str) -> str:
    """How many there may be: '3 to 10 characters', nothing where any number is right."""
    low, high = schema.get(f"min{end}") or None, schema.get(f"max{end}")
    if low is None and high is None:
        return ""
    last = low if high is None else high
    things = thing if last == 1 else f"{thing}s"
    if low is None or high is None:
        return f"{'at most' if low is None else 'at least'} {last} {things}"
    return f"{low} {things}" if low == high else f"{low} to {high} {things}"


def _bounds(schema: Schema) -> str:
    told = (("from", "minimum"), ("above", "exclusiveMinimum"), ("to", "maximum"), ("below", "exclusiveMaximum"))
    words = [f" {word} {schema[key]}" for word, key in told if schema.get(key) is not None]
    return "".join(words) + (f", a multiple of {schema['multipleOf']}" if "multipleOf" in schema else "")


def _choices(values: list[object]) -> str:
    shown = [value if isinstance(value, str) else _literal(value) for value in values[:_CHOICES]]
    more = ", …" if len(values) > _CHOICES else ""
    return shown[0] if len(values) == 1 else f"one of {', '.join(shown)}{more}"


def _literal(value: object) -> str:
    from json import dumps  # noqa: PLC0415 - text is what choices nearly always are

    return dumps(value, ensure_ascii=False)


def _kind_of(value: object) -> str:
    return _KINDS.get(type(value), "null")


def _list(value: object) -> list[object]:
    return value if _is_list(value) else []


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _types(schema: Schema) -> list[str]:
    named = schema.get("type")
    return [kind for kind in ([named] if isinstance(named, str) else _list(named)) if isinstance(kind, str)]


def _values(schema: Schema) -> list[object]:
    """The values that a schema lists, where it does."""
    return _list(schema.get("enum")) or ([schema["const"]] if "const" in schema else [])
