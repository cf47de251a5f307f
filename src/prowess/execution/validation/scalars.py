"""A quick check for the commonest schema of all: an object of named scalars."""

from collections.abc import Callable, Mapping

import jsonschema_rs

from prowess.model.json_value import is_array, is_object
from prowess.model.schema import Schema

__all__ = ["scalars_check"]

_OBJECT = frozenset({"$schema", "type", "properties", "required", "additionalProperties", "title", "description"})
_BOUNDS = frozenset({"minimum", "maximum", "minLength", "maxLength"})
_NOTES = frozenset({"title", "description", "default", "examples"})
_LOWEST, _HIGHEST = -(1 << 63), (1 << 63) - 1
_KINDS = frozenset({"string", "integer", "boolean", "null"})


def scalars_check(schema: Schema) -> Callable[[object], bool] | None:
    """What accepts only inputs that fit the schema and hold nothing but text, whole numbers, booleans and nulls.

    None for a schema that is not as simple as that. Inputs that it accepts are plain JSON without another look, and
    have no floats, not even `1.0` for 1, and no number beyond 64 bits. What it refuses may still fit. Raises
    `ValueError` for what is no JSON.
    """
    value = schema.value()
    properties = value.get("properties", {})
    closed = value.get("type") == "object" and value.get("additionalProperties") is False
    if not (closed and value.keys() <= _OBJECT and is_object(properties) and all(map(_is_scalar, properties.values()))):
        return None
    strict: dict[str, object] = {
        "type": "object",
        "properties": {name: _narrowed(one) for name, one in properties.items() if is_object(one)},
        "additionalProperties": False,
    }
    if value.get("required"):  # this dialect allows no empty list
        strict["required"] = value["required"]
    # In draft 4, and there only, a float is never an integer; the other words mean the same in every draft.
    return jsonschema_rs.Draft4Validator(strict, offline=True).is_valid


# ---------------------------------------------------------------------------------------------------------------------


def _is_scalar(one: object) -> bool:
    if not is_object(one):
        return False
    kind = one.get("type")
    kinds = kind if is_array(kind) else [kind]
    return one.keys() <= _BOUNDS | _NOTES | {"type"} and all(isinstance(k, str) and k in _KINDS for k in kinds)


def _narrowed(one: Mapping[str, object]) -> dict[str, object]:
    """A property's schema without notes, and with bounds that keep numbers well within what JSON can hold."""
    kept = {word: value for word, value in one.items() if word not in _NOTES}
    kind = one["type"]
    if "integer" not in (kind if is_array(kind) else [kind]):
        return kept
    lowest, highest = kept.get("minimum", _LOWEST), kept.get("maximum", _HIGHEST)
    kept["minimum"] = max(lowest, _LOWEST) if isinstance(lowest, int | float) else lowest
    kept["maximum"] = min(highest, _HIGHEST) if isinstance(highest, int | float) else highest
    return kept
