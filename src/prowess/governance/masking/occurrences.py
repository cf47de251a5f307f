"""What a mask took out of a value, taken out of a text as well, wherever and however it is written there."""

import re
from collections.abc import Iterable, Iterator
from functools import reduce

from msgspec import json

from prowess.governance.masking.mask import MASK
from prowess.model.forms import is_items
from prowess.model.json_value import DEPTH_LIMIT, Json, is_object

__all__ = ["TooLargeError", "plain_copy", "taken", "without_taken"]

_MOST = 256
"""More values are not looked for: the whole text goes."""
_PARTS = 200_000
"""Of a value that is looked through."""
_WORD_LENGTH = 4
"""Shorter values are looked for as whole words only: `5` is in too many numbers."""
_LINE_LENGTH = 8
"""Shorter lines of a text are not looked for by themselves."""
_UNQUOTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")
"""What addresses leave as it is."""
_BEGINNING = 24
"""So many characters of a long value tell that it is meant, where a text quotes its beginning only."""


class TooLargeError(ValueError):
    """A value has more parts than are looked at."""


def plain_copy(value: object) -> Json:
    """A value as JSON, with the texts and numbers in it that are texts and numbers; others are left out.

    It ends where no value of a call goes deeper. Raises `TooLargeError`.
    """
    return _copied(value, 0, iter(range(_PARTS)))


def taken(value: Json, shown: Json) -> Iterator[str]:
    """Every single value that is there and not shown, as text."""
    if shown == MASK and value != MASK:
        yield from _singles(value)
    elif isinstance(value, dict) and isinstance(shown, dict):
        for item, shown_item in zip(value.values(), shown.values(), strict=True):
            yield from taken(item, shown_item)
    elif isinstance(value, list) and isinstance(shown, list):
        for item, shown_item in zip(value, shown, strict=True):
            yield from taken(item, shown_item)


def without_taken(text: str, values: Iterable[str]) -> str:
    """The text without these values, in the forms that JSON, Python and addresses give them."""
    wanted = sorted({value for value in values if value.strip()}, key=len, reverse=True)
    if len(wanted) > _MOST:
        return MASK
    forms = [form for value in wanted for form in _forms(value)]
    text = reduce(_without, forms, text)
    return reduce(_without_beginning, (form for form in forms if len(form) > _BEGINNING), text)


# ---------------------------------------------------------------------------------------------------------------------


def _copied(value: object, depth: int, parts: Iterator[int]) -> Json:
    if next(parts, None) is None:
        raise TooLargeError
    if isinstance(value, str | int | float):
        return value
    if depth > DEPTH_LIMIT:
        return None
    if is_object(value):
        fields: Iterable[tuple[object, object]] = value.items()
        return {key: _copied(item, depth + 1, parts) for key, item in fields if isinstance(key, str)}
    return [_copied(item, depth + 1, parts) for item in value] if is_items(value) else None


def _singles(value: Json) -> Iterator[str]:
    """The texts and numbers of a value, and the names of its fields."""
    if isinstance(value, dict):
        yield from value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _singles(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _forms(value: str) -> Iterator[str]:
    """How a value may be written: as it is, escaped, and its lines one by one."""
    lines = (line.strip() for line in value.splitlines())
    yield from sorted(
        {
            value,
            value.strip(),
            repr(value)[1:-1],
            json.encode(value.encode(errors="replace").decode()).decode()[1:-1],
            value.encode("unicode_escape", "surrogatepass").decode(),
            "".join(letter if letter in _UNQUOTED else _quoted(letter) for letter in value),
            *(line for line in lines if len(line) >= _LINE_LENGTH),
        },
        key=len,
        reverse=True,
    )


def _quoted(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


def _without(text: str, form: str) -> str:
    """The text without one form. What was masked before is left alone, so that a second time changes nothing."""
    if form not in text:
        return text
    if len(form) >= _WORD_LENGTH:
        return MASK.join(piece.replace(form, MASK) for piece in text.split(MASK))
    word = re.compile(rf"(?<!\w){re.escape(form)}(?!\w)")
    return MASK.join(word.sub(MASK, piece) for piece in text.split(MASK))


def _without_beginning(text: str, form: str) -> str:
    """The text without so much of a long form as it quotes from its beginning."""
    head = form[:_BEGINNING]
    return MASK.join("".join(_pieces(piece, form, head)) for piece in text.split(MASK)) if head in text else text


def _pieces(text: str, form: str, head: str) -> Iterator[str]:
    copied = 0
    while (begin := text.find(head, copied)) >= 0:
        end = begin + len(head)
        while end < len(text) and text[end : end + 1] == form[end - begin : end - begin + 1]:
            end += 1
        yield text[copied:begin]
        yield MASK
        copied = end
    yield text[copied:]
