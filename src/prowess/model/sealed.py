"""What a call took or gave, kept so that only its masked form can be read."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct, json

from prowess.model.json_value import Json

__all__ = ["Mask", "Sealed", "seal"]

Mask: TypeAlias = Callable[[Json], Json]
"""Takes a value of its own, which it may change, and gives what may be shown of it."""


class Sealed(Struct, frozen=True, eq=False, gc=False):
    """A JSON value and the mask through which alone it is read. Kept as text: whoever has the value may change it."""

    _text: bytes
    _mask: Mask

    @property
    def size(self) -> int:
        """How many bytes of JSON it is."""
        return len(self._text)

    def shown(self) -> Json:
        """The value as it may be shown: fresh at each call, and masked only now, off the path of the call."""
        return self._mask(json.decode(self._text))

    def __repr__(self) -> str:
        return f"<sealed: {self.shown()!r}>"


def seal(value: object, mask: Mask) -> Sealed:
    """A value sealed as it is now; what has no JSON form is said to be none, and nothing else of it is kept."""
    try:
        text = json.encode(value)
    except (TypeError, ValueError, RecursionError, OverflowError):
        text = b'"[not JSON]"'
    return Sealed(text, mask)
