"""Which JSON Schemas are so plain that nothing can be wrong with them: most are, and need no validator to be sure."""

from collections.abc import Callable, Iterable, Mapping

from prowess.model.json_value import is_array, is_object
from prowess.model.schema import Schema

__all__ = ["is_plain"]

_BYTES_LIMIT = 16_384
_DEPTH_LIMIT = 16
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_plain(schema: Schema) -> bool:
    """Whether a schema is legal and cheap, as far as a glance shows; one that is not plain may be so all the same."""
    return len(schema.text) <= _BYTES_LIMIT and _is_plain(schema.value(), 0)


# ---------------------------------------------------------------------------------------------------------------------


def _is_plain(schema: object, depth: int) -> bool:
    return (
        is_object(schema)
        and depth < _DEPTH_LIMIT
        and schema.keys() <= _WORDS.keys()
        and all(_WORDS[word](value) for word, value in schema.items())
        and all(_is_plain(inner, depth + 1) for inner in _inner(schema))
    )


def _inner(schema: Mapping[str, object]) -> Iterable[object]:
    """The schemas inside it."""
    properties, alternatives = schema.get("properties"), schema.get("anyOf")
    if is_object(properties):
        yield from properties.values()
    if is_array(alternatives):
        yield from alternatives
    if "items" in schema:
        yield schema["items"]


def _anything(_value: object) -> bool:
    return True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_list(value: object) -> bool:
    return is_array(value) and len(value) > 0


def _is_type(value: object) -> bool:
    return isinstance(value, str) and value in _TYPES


def _are_names(value: object) -> bool:
    return is_array(value) and all(map(_is_text, value)) and len(set(map(str, value))) == len(value)


_WORDS: Mapping[str, Callable[[object], bool]] = {
    "type": _is_type,
    "properties": is_object,
    "required": _are_names,
    "additionalProperties": _is_flag,
    "items": is_object,
    "anyOf": _is_list,
    "enum": _is_list,
    "default": _anything,
    "examples": _is_list,
    **dict.fromkeys(("title", "description", "format", "contentEncoding"), _is_text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _is_count),
}
