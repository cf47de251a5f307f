"""JSON values as Python holds them: which are plain, how deep they are, and how others become plain."""

import math
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from msgspec import json, to_builtins

__all__ = [
    "DEPTH_LIMIT",
    "Json",
    "JsonField",
    "NotJsonError",
    "is_array",
    "is_object",
    "is_ordinary",
    "json_path",
    "json_type",
    "to_json_value",
]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

if TYPE_CHECKING:
    JsonField: TypeAlias = Json
else:
    JsonField = Any
    """The same as a field of a struct that is read from text: msgspec knows no type that is made of itself."""

DEPTH_LIMIT = 128
"""No value nested deeper passes the gate: deeper ones end the process inside native code."""

_HUGE = 1 << 1024
"""From here on integers are beyond every float: most readers of JSON take them for infinite."""

_FLAT = frozenset({str, int, bool, type(None)})
_SCALARS: tuple[tuple[type, Callable[..., object]], ...] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
)
_TYPES: dict[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    dict: "object",
    list: "array",
}


class NotJsonError(ValueError):
    """A value has no JSON form; `path` says where, `problem` why."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.parts: list[str | int] = []

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"

    @property
    def path(self) -> str:
        """The JSON path of the value."""
        return json_path(self.parts[::-1])


def to_json_value(value: object, depth: int = 0) -> Json:
    """The same value as plain JSON; raises `NotJsonError` where there is none or it is too deep.

    Dataclasses, msgspec structs, Pydantic models, enums, dates, sets and tuples have a JSON form. What is plain
    already is given back as it is, not copied.
    """
    kind = type(value)
    if kind in _FLAT:
        return _scalar(value)
    if depth > DEPTH_LIMIT:
        message = f"is nested deeper than {DEPTH_LIMIT} levels"
        raise NotJsonError(message)
    if kind is dict:
        return _object(value, depth)  # type: ignore[arg-type]
    if kind is list or kind is tuple:
        return _array(value, depth)  # type: ignore[arg-type]
    if kind is float:
        if math.isfinite(value):  # type: ignore[arg-type]
            return value  # type: ignore[return-value]
        message = "is not a finite number, which JSON cannot hold"
        raise NotJsonError(message)
    return to_json_value(_simpler(value), depth + 1)


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether a value that was read from JSON is an object."""
    return isinstance(value, Mapping)


def is_array(value: object) -> TypeGuard[list[object]]:
    """Whether a value that was read from JSON is an array."""
    return isinstance(value, list)


def is_ordinary(number: int) -> bool:
    """Whether a whole number is one that every reader of JSON takes for what it is."""
    return -_HUGE < number < _HUGE


def json_type(value: object) -> str:
    """The JSON type of a value, in JSON Schema's words; a Python type's name where it has none."""
    return _TYPES.get(type(value), type(value).__name__)


def json_path(parts: list[str | int]) -> str:
    """The path of a value inside a document: `$.items[2].name`, quoting keys that are not identifiers."""
    return "$" + "".join(_step(part) for part in parts)


# ---------------------------------------------------------------------------------------------------------------------


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if part.isidentifier() else f"[{part!r}]"


def _scalar(value: object) -> Json:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int) and not -_HUGE < value < _HUGE:
        message = "is an integer too large for JSON: most readers take it for infinite"
        raise NotJsonError(message)
    return value  # type: ignore[return-value]


def _text(value: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            message = "holds half of a surrogate pair, which UTF-8 cannot"
            raise NotJsonError(message) from None
    return value


def _object(value: dict[object, object], depth: int) -> Json:
    changed: dict[str, object] = {}
    for key, item in value.items():
        if type(key) is not str:
            return _object({_key(any_key): member for any_key, member in value.items()}, depth)
        if not key.isascii():
            _text(key)
        if (
            type(item) not in _FLAT
            or (type(item) is str and not item.isascii())
            or (type(item) is int and not -_HUGE < item < _HUGE)
        ):
            plain = _member(item, key, depth)
            if plain is not item:
                changed[key] = plain
    return {**value, **changed} if changed else value  # type: ignore[dict-item, return-value]


def _key(key: object) -> str:
    if not isinstance(key, str):
        message = f"has a key of type {type(key).__name__}, JSON keys are text"
        raise NotJsonError(message)
    return _text(str.__str__(key))  # the text itself, where a subclass or an enum shows itself otherwise


def _array(value: list[object] | tuple[object, ...], depth: int) -> Json:
    plain = [
        item
        if type(item) in _FLAT
        and (type(item) is not str or item.isascii())
        and (type(item) is not int or -_HUGE < item < _HUGE)
        else _member(item, index, depth)
        for index, item in enumerate(value)
    ]
    if type(value) is list and all(new is old for new, old in zip(plain, value, strict=True)):
        return value  # type: ignore[return-value]
    return plain  # type: ignore[return-value]


def _member(item: object, part: str | int, depth: int) -> Json:
    try:
        return to_json_value(item, depth + 1)
    except NotJsonError as error:
        error.parts.append(part)
        raise


def _simpler(value: object) -> object:
    """One step nearer to JSON: a model's dump, a mapping's dict, or what msgspec makes of it."""
    try:
        dump = getattr(type(value), "model_dump", None)
        if dump is not None:
            return dump(value, mode="json")
        if is_object(value):
            return dict(value)
        if isinstance(value, AbstractSet):
            return _ordered(to_builtins(value, enc_hook=_unknown))
        return to_builtins(value, enc_hook=_unknown)
    except RecursionError:
        message = "refers to itself, JSON cannot"
        raise NotJsonError(message) from None
    except (TypeError, ValueError) as error:
        raise NotJsonError(str(error)) from None


def _ordered(items: list[object]) -> list[object]:
    """A set's items in an order of their own: as they compare, or by their JSON where they do not."""
    try:
        return sorted(items)  # type: ignore[type-var]
    except TypeError:
        return sorted(items, key=json.encode)


def _unknown(value: object) -> object:
    """What msgspec does not know: subclasses of scalars, mappings, paths, and Pydantic models inside other values."""
    for kind, plain in _SCALARS:
        if isinstance(value, kind):
            return plain(value)
    if is_object(value):
        return dict(value)
    to_path = getattr(type(value), "__fspath__", None)
    if to_path is not None:
        return to_path(value)
    dump = getattr(type(value), "model_dump", None)
    if dump is not None:
        return dump(value, mode="json")
    message = f"a value of type {type(value).__name__} has no JSON form"
    raise TypeError(message)
