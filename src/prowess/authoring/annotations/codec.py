"""One annotation as JSON sees it: its schema, and how a JSON value becomes what the annotation says."""

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct

from prowess.model.json_value import Json, json_path, json_type

__all__ = ["Codec", "Family", "Flaw", "Gathering", "MismatchError", "Read", "Seen", "UnsupportedError"]

Seen: TypeAlias = dict[tuple[int, int], object]
"""What recursive types have read already in one conversion, so that unions of them stay linear."""

Read: TypeAlias = Callable[[Json, Seen], object]
"""JSON value -> Python value. Strict, so that a union can try its members; raises `MismatchError`."""


class Family(Enum):
    """What kind of value it is, as far as constraints, keys and sets need to know."""

    ANY = auto()
    NULL = auto()
    BOOLEAN = auto()
    INTEGER = auto()
    NUMBER = auto()
    TEXT = auto()
    BYTES = auto()
    ORDERED = auto()
    """Text in JSON that compares in Python: dates, times, durations, decimals."""
    WORD = auto()
    """Text in JSON that takes no constraint: enums of text, UUIDs, paths."""
    CHOICE = auto()
    """One of fixed values that are not all text."""
    ARRAY = auto()
    OBJECT = auto()
    RECORD = auto()
    UNION = auto()
    FOREIGN = auto()
    """Pydantic's: whole and unopened."""


class Codec(Struct, frozen=True, kw_only=True, eq=False):
    """How one annotation is written in JSON Schema and read from JSON. Lives as long as the function's handler."""

    family: Family
    schema: Mapping[str, object]
    read: Read
    plain: bool = False
    """JSON that fits the schema is the Python value already."""
    dump: Callable[[object], object] | None = None
    """What writes its values, where `to_json_value` alone would not."""
    members: tuple["Codec", ...] = ()
    """The alternatives of a union."""


class Flaw(Struct, frozen=True):
    """One place where a value is not what the annotation says."""

    message: str
    rule: str = "type"
    type: str | None = None
    path: str = ""
    """What follows `$`."""

    def inside(self, part: str | int) -> "Flaw":
        """The same flaw, seen from the value that holds it under `part`."""
        return Flaw(self.message, self.rule, self.type, json_path([part])[1:] + self.path)


class MismatchError(ValueError):
    """A JSON value is not what an annotation says; `flaws` says where and why, never quoting it."""

    def __init__(self, *flaws: Flaw) -> None:
        super().__init__("; ".join(flaw.message for flaw in flaws))
        self.flaws = flaws

    @classmethod
    def at(cls, value: object, message: str, rule: str = "type") -> "MismatchError":
        """The error for this very value."""
        return cls(Flaw(message, rule, json_type(value)))


class Gathering:
    """Reads the parts of a value and keeps every flaw, so that none hides another."""

    __slots__ = ("_flaws", "_seen")

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._flaws: list[Flaw] = []

    def read(self, part: str | int, read: Read, value: Json) -> object:
        """One part, or None where it has flaws."""
        try:
            return read(value, self._seen)
        except MismatchError as error:
            self._flaws += [flaw.inside(part) for flaw in error.flaws]
            return None

    def note(self, flaw: Flaw) -> None:
        """Keep a flaw of the whole."""
        self._flaws.append(flaw)

    def done(self) -> None:
        """Raise everything that was found."""
        if self._flaws:
            raise MismatchError(*self._flaws)


class UnsupportedError(TypeError):
    """An annotation that cannot be a JSON Schema; the message says which part and what to write."""
