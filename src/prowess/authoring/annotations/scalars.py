"""Scalars: text, numbers, dates and their kin, bytes, paths, enums, literals."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import get_args

from msgspec import ValidationError, convert
from msgspec.structs import replace

from prowess.authoring.annotations.codec import Codec, Family, MismatchError, Read, Seen, UnsupportedError
from prowess.model.json_value import Json, json_type

__all__ = [
    "ANYTHING",
    "SCALARS",
    "derived",
    "enum_of",
    "is_standard",
    "literal_of",
    "path_of",
    "read_integer",
    "standard",
]

_CHOICES = (str, int, float, bool, type(None))


def _anything(value: Json, _seen: Seen) -> object:
    return value


def _only(kind: type, name: str) -> Read:
    def read(value: Json, _seen: Seen) -> object:
        if type(value) is kind:
            return value
        raise MismatchError.at(value, f"expected {name}")

    return read


def read_integer(value: Json, _seen: Seen) -> object:
    """A whole number. Of values that fit the schema, floats are the only ones it changes."""
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():  # JSON Schema's "integer" takes 5.0
        return int(value)
    raise MismatchError.at(value, "expected a whole number")


def _number(value: Json, _seen: Seen) -> object:
    if type(value) is float or type(value) is int:
        return value
    raise MismatchError.at(value, "expected a number")


ANYTHING = Codec(family=Family.ANY, schema={}, read=_anything, plain=True)
NULL = Codec(family=Family.NULL, schema={"type": "null"}, read=_only(type(None), "null"), plain=True)

SCALARS: Mapping[type, Codec] = {
    str: Codec(family=Family.TEXT, schema={"type": "string"}, read=_only(str, "text"), plain=True),
    bool: Codec(family=Family.BOOLEAN, schema={"type": "boolean"}, read=_only(bool, "true or false"), plain=True),
    int: Codec(family=Family.INTEGER, schema={"type": "integer"}, read=read_integer),
    float: Codec(family=Family.NUMBER, schema={"type": "number"}, read=_number, plain=True),
    type(None): NULL,
    object: ANYTHING,
}

_NUMBER_OR_TEXT = {"anyOf": [{"type": "number"}, {"type": "string"}]}  # written as text, lest digits be lost
_STANDARD: Mapping[tuple[str, str], tuple[Family, Mapping[str, object], str]] = {
    ("datetime", "date"): (Family.ORDERED, {"type": "string", "format": "date"}, "a date: 2026-01-31"),
    ("datetime", "datetime"): (
        Family.ORDERED,
        {"type": "string", "format": "date-time"},
        "a date and time: 2026-01-31T12:00:00Z",
    ),
    ("datetime", "time"): (Family.ORDERED, {"type": "string", "format": "time"}, "a time: 12:00:00"),
    ("datetime", "timedelta"): (Family.ORDERED, {"type": "string", "format": "duration"}, "a duration: PT1H30M"),
    ("decimal", "Decimal"): (Family.ORDERED, _NUMBER_OR_TEXT, "a decimal number: 12.50"),
    ("uuid", "UUID"): (Family.WORD, {"type": "string", "format": "uuid"}, "a UUID"),
    ("builtins", "bytes"): (Family.BYTES, {"type": "string", "contentEncoding": "base64"}, "bytes in base64"),
    ("builtins", "bytearray"): (Family.BYTES, {"type": "string", "contentEncoding": "base64"}, "bytes in base64"),
}


def is_standard(kind: type) -> bool:
    """Whether JSON writes this type of the standard library as text. Told by name, so that nothing is imported."""
    return (kind.__module__, kind.__qualname__) in _STANDARD


def standard(kind: type[object]) -> Codec:
    """The codec of such a type."""
    family, schema, expected = _STANDARD[kind.__module__, kind.__qualname__]

    def read(value: Json, _seen: Seen) -> object:
        try:
            return convert(value, kind)
        except ValidationError:
            raise MismatchError.at(value, f"expected {expected}", "format") from None

    return Codec(family=family, schema=schema, read=read)


def path_of(kind: Callable[[str], object]) -> Codec:
    """The codec of a `pathlib` class."""

    def read(value: Json, _seen: Seen) -> object:
        if type(value) is str:
            return kind(value)
        raise MismatchError.at(value, "expected a path as text")

    return Codec(family=Family.WORD, schema={"type": "string", "format": "path"}, read=read)


def derived(kind: type, make: Callable[[object], object]) -> Codec:
    """The codec of a class derived from `str`, `int` or `float`: the base's schema, the class's own values."""
    codec = SCALARS[next(base for base in (str, int, float) if issubclass(kind, base))]

    def read(value: Json, seen: Seen) -> object:
        return make(codec.read(value, seen))

    return Codec(family=codec.family, schema=codec.schema, read=read)


def enum_of(kind: type[Enum]) -> Codec:
    """The codec of an enum, by its values. Written out where it is used: models read that best."""
    codec = _choice_of(f"enum {kind.__name__}", [(member.value, member) for member in kind])
    description = kind.__dict__.get("__doc__")
    if not description or description == "An enumeration.":
        return codec
    return replace(codec, schema={**codec.schema, "description": description.strip()})


def literal_of(literal: object) -> Codec:
    """The codec of a `Literal`; an enum's member stands under its value."""
    options = get_args(literal)
    return _choice_of(str(literal), [(one.value if isinstance(one, Enum) else one, one) for one in options])


# ---------------------------------------------------------------------------------------------------------------------


def _choice_of(name: str, options: Sequence[tuple[Json, object]]) -> Codec:
    """The codec of fixed JSON values, each standing for a Python value."""
    for value, _ in options:
        if type(value) not in _CHOICES:
            message = f"{name} has a value of type {type(value).__name__}: use text, numbers, true, false or None"
            raise UnsupportedError(message)
    table = {_exact(value): chosen for value, chosen in options}
    types = {json_type(value) for value, _ in options}
    enum: dict[str, object] = {"enum": [value for value, _ in options]}

    def read(value: Json, _seen: Seen) -> object:
        try:
            return table[_exact(value)]
        except (KeyError, TypeError):
            raise MismatchError.at(value, "is none of the allowed values", "enum") from None

    return Codec(
        family=Family.WORD if types == {"string"} else Family.CHOICE,
        schema={"type": types.pop(), **enum} if len(types) == 1 else enum,
        read=read,
        plain=all(value is chosen and type(value) is not int for value, chosen in options),
    )


def _exact(value: object) -> tuple[bool, object]:
    """A key that tells `True` from `1` and takes `1.0` for `1`."""
    return isinstance(value, bool), value
