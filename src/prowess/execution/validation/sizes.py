"""How large a value is to a check: its levels, its characters, and its numbers that are slow to compare."""

from collections.abc import Iterable, Iterator
from typing import cast

__all__ = ["bulk", "characters", "is_large", "levels", "numbers"]

_EXACT = 1 << 53  # from here on integers share their floats, and so their hashes
_FLOAT = 8
_FRACTION = 75
_NEAR_ONE = (1e-9, 1e15)  # floats outside are compared as fractions of hundreds of digits


def levels(document: object) -> Iterator[list[object]]:
    """The values of a document, depth by depth."""
    level = [document]
    while level:
        yield level
        within: list[object] = []
        for one in level:
            if isinstance(one, dict):
                within += cast("dict[str, object]", one).values()
            elif isinstance(one, list):
                within += cast("list[object]", one)
        level = within


def is_large(value: object) -> bool:
    """Whether a value is an integer that no float can tell from its neighbours."""
    return type(value) is int and not -_EXACT <= value <= _EXACT


def bulk(value: object) -> int:
    """How many small integers are as slow to compare as this value; 1 for all that is no number."""
    if type(value) is float:
        low, high = _NEAR_ONE
        return _FLOAT if not value or low < abs(value) < high else _FRACTION
    return _FRACTION if is_large(value) else 1


def numbers(values: Iterable[object]) -> list[object]:
    """Those of the values that are numbers."""
    return [one for one in values if isinstance(one, int | float) and not isinstance(one, bool)]


def characters(level: Iterable[object]) -> int:
    """How long the texts among these values are, together with the names of their fields."""
    length = 0
    for one in level:
        if isinstance(one, str):
            length += len(one)
        elif isinstance(one, dict):
            length += sum(map(len, cast("dict[str, object]", one)))
    return length
