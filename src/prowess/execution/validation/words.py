"""How schemas and their values are put into words: short, safe to show, never a value's own text."""

from collections.abc import Iterable
from itertools import islice

import msgspec

from prowess.model.json_value import Json

__all__ = ["NAME_LIMIT", "as_json", "as_name", "either", "listed", "short"]

NAME_LIMIT = 64
_TEXT_LIMIT = 160
_LIST_LIMIT = 10
_MANY = 100


def either(kinds: Json) -> str:
    """Type names as a choice."""
    return " or ".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds)


def listed(names: Iterable[str]) -> str:
    """Different names with commas, not too many."""
    different = list(dict.fromkeys(islice(names, _MANY)))
    return ", ".join(different[:_LIST_LIMIT]) + (", …" if len(different) > _LIST_LIMIT else "")


def as_json(value: Json) -> str:
    """What a schema names, as JSON: schemas are no secrets, values are, and are never shown."""
    return short(msgspec.json.encode(value[:_TEXT_LIMIT] if isinstance(value, str) else value).decode(), _TEXT_LIMIT)


def as_name(name: Json) -> str:
    """A field's name, cut, its control characters made visible."""
    text = short(str(name), NAME_LIMIT)
    return text if text.isprintable() else ascii(text)[1:-1]


def short(text: str, limit: int) -> str:
    """The text, cut where it is longer than a limit."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
