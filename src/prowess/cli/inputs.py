"""`key=value` pairs as a skill's inputs, read by what its schema says.

Text stays text where the schema says so, whatever it looks like. `key@=path` takes a file's text, `-` being standard
input; `a.b=1` sets a field of an object; a list is `a,b`, JSON, or the same key twice.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from prowess.cli.schema_words import (
    ANY_KIND,
    fields_of,
    is_object,
    kinds_of,
    members_of,
    properties_of,
    resolve,
    words_for,
    words_to_type,
)
from prowess.model.names import near_names

__all__ = ["InputsError", "parse_pairs", "parse_value", "read_document"]

Schema: TypeAlias = Mapping[str, Any]

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_DIGITS = 1_000
_SHOWN = 60


class InputsError(ValueError):
    """A value or key that does not fit, in a sentence."""


def parse_pairs(pairs: list[str], schema: Schema, given: dict[str, Any] | None = None) -> dict[str, Any]:
    """The inputs that the pairs give, over those already given. Raises `InputsError` with every problem."""
    inputs = dict(given or {})
    problems: list[str] = []
    seen: dict[str, Any] = {}
    for pair in pairs:
        try:
            _put(pair, schema, inputs, seen)
        except InputsError as problem:
            problems.append(str(problem))
    if problems:
        raise InputsError("\n".join(problems))
    return inputs


def parse_value(text: str, schema: object, root: Schema) -> Any:
    """The value that a text means for a schema. Raises `InputsError` saying what was expected."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputsError("this is not UTF-8 text") from None
    kinds = kinds_of(schema, root)
    if kinds == ANY_KIND:
        return _anything(text)
    for kind, reader in _READERS.items():
        if kind in kinds and not (kind in _GUESSES and "string" in kinds and not _GUESSES[kind](text)):
            value = reader(text, resolve(schema, root), root)
            if value is not _NO:
                return value
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise InputsError(f"expected {words_to_type(schema, root)}, got '{shown}'")


def read_document(path: str) -> dict[str, Any]:
    """The JSON object in a file, `-` for standard input. Raises `InputsError`."""
    place = "standard input" if path == "-" else path
    content = _bytes_of(path)
    try:
        value = _parsed(content)
    except InputsError as problem:
        raise InputsError(f"{place}: {problem}") from None
    if not is_object(value):
        raise InputsError(f'{place}: inputs are a JSON object, such as {{"query": "rust"}}')
    return value


# ---------------------------------------------------------------------------------------------------------------------

_NO = object()
"""What a reader gives for a text that it cannot read."""


def _put(pair: str, schema: Schema, inputs: dict[str, Any], seen: dict[str, Any]) -> None:
    """Set one pair's value."""
    key, equals, text = pair.partition("=")
    from_file = key.endswith("@")
    key = key.removesuffix("@")
    if not equals or not key:
        raise InputsError(f"'{pair}' is no input: write key=value{_pair_hint(pair, schema)}")
    path, field = _find(key, schema)
    try:
        value = parse_value(_text_of(text) if from_file else text, field, schema)
    except InputsError as problem:
        raise InputsError(f"{key}: {problem}") from None
    if key in seen:
        if not isinstance(value, list) or not isinstance(seen[key], list):
            raise InputsError(f"{key}: is given twice, and takes one value")
        value = seen[key] + value
    seen[key] = value
    target = inputs
    for part in path[:-1]:
        inner = target.get(part)
        target[part] = target = dict(inner) if is_object(inner) else {}
    target[path[-1]] = value


def _anything(text: str) -> Any:
    try:
        return _parsed(text.encode())
    except InputsError:
        return text


def _bytes_of(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputsError(f"{path}: {error.strerror}") from None


def _text_of(path: str) -> str:
    try:
        return _bytes_of(path).decode()
    except UnicodeDecodeError:
        raise InputsError(f"{path} is not UTF-8 text") from None


def _find(key: str, schema: Schema) -> tuple[list[str], object]:
    """Where a key's value goes, and the schema it has to fit."""
    whole = properties_of(resolve(schema, schema))
    if key in whole:
        return [key], whole[key]
    here: object = schema
    parts = key.split(".")
    for position, part in enumerate(parts):
        inside = _object_in(here, schema)
        properties = properties_of(inside)
        if part not in properties:
            _check_open(key, parts[:position], inside, schema)
            return [*parts[:position], ".".join(parts[position:])], inside.get("additionalProperties", True)
        here = properties[part]
    return parts, here


def _object_in(schema: object, root: Schema) -> Schema:
    """The object that a schema allows, found among alternatives: `Address | None`."""
    found = resolve(schema, root)
    members = [resolve(member, root) for union in ("anyOf", "oneOf") for member in members_of(found, union)]
    return next((member for member in (found, *members) if "properties" in member), found)


def _check_open(key: str, path: list[str], inside: Schema, root: Schema) -> None:
    """Raise `InputsError` where the object at a path takes no keys but those it names, or is no object."""
    if path and "object" not in kinds_of(inside, root):
        above = ".".join(path)
        advice = f": write {above}='[...]', as JSON" if "array" in kinds_of(inside, root) else ""
        raise InputsError(f"there is no input '{key}': '{above}' takes {words_for(inside, root)}{advice}")
    if inside.get("additionalProperties", True) is False:
        properties = list(properties_of(inside))
        near = near_names(key.split(".")[len(path)], properties, 1)
        hint = f", did you mean '{near[0]}'?" if near else f": it takes {', '.join(properties) or 'no inputs'}"
        raise InputsError(f"there is no input '{key}'{hint}")


def _pair_hint(pair: str, schema: Schema) -> str:
    names = [name for name, _, _ in fields_of(schema)]
    return f", perhaps {names[0]}='{pair}'" if len(names) == 1 else ""


def _null(text: str, _schema: object, _root: Schema) -> object:
    return None if text == "null" else _NO


def _boolean(text: str, _schema: object, _root: Schema) -> object:
    lowered = text.strip().lower()
    return True if lowered in _TRUE else False if lowered in _FALSE else _NO


def _integer(text: str, _schema: object, _root: Schema) -> object:
    digits = text.strip().removeprefix("-" if "-" in text else "+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS else _NO


def _number(text: str, _schema: object, _root: Schema) -> object:
    try:
        value = float(text)
    except ValueError:
        return _NO
    return value if math.isfinite(value) and "_" not in text and text.isascii() else _NO


def _array(text: str, schema: Schema, root: Schema) -> object:
    stripped = text.strip()
    if stripped.startswith("["):
        return _parsed(stripped.encode())
    if not stripped:
        return []
    return [parse_value(part.strip(), schema.get("items", {}), root) for part in text.split(",")]


def _object(text: str, _schema: object, _root: Schema) -> object:
    stripped = text.strip()
    return _parsed(stripped.encode()) if stripped.startswith("{") else _NO


def _parsed(text: bytes) -> Any:
    from prowess.app.json_text import JsonTextError, parse_json  # noqa: PLC0415 - most inputs are no JSON

    try:
        return parse_json(text)
    except JsonTextError as error:
        raise InputsError(str(error)) from None


def _string(text: str, _schema: object, _root: Schema) -> object:
    return text


_READERS: dict[str, Callable[[str, Schema, Schema], object]] = {
    "null": _null,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "object": _object,
    "array": _array,
    "string": _string,
}
"""Tried in this order for a field that takes several types."""
_GUESSES: dict[str, Callable[[str], bool]] = {
    "boolean": lambda text: text in {"true", "false"},
    "array": lambda text: text.lstrip().startswith("["),
}
"""Where text is allowed too, what else a text must look like to be read as this type."""
