"""Types of every kind, as authors write them."""

import datetime as dt
import enum
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import (
    Annotated,
    Generic,
    NamedTuple,
    NewType,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

import annotated_types
import msgspec
import typing_extensions

T = TypeVar("T")


Bounded = TypeVar("Bounded", bound=int)


Chosen = TypeVar("Chosen", int, str)


UserId = NewType("UserId", int)


Age = NewType("Age", Annotated[int, annotated_types.Ge(0)])


Numbers = typing_extensions.TypeAliasType("Numbers", list[int])


Tree = typing_extensions.TypeAliasType("Tree", "dict[str, Tree] | int")


class Colour(enum.Enum):
    """A colour of the rainbow."""

    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    HALF = 0.5
    NO = False
    TEXT = "text"
    NONE = None


class Code(str):
    """Text of a kind of its own."""

    __slots__ = ()


class Count(int):
    """A number of a kind of its own."""


@dataclass(frozen=True)
class Point:
    """A place on the plane.

    Attributes:
        x: to the right
    """

    x: int
    y: float = 0.5


@dataclass
class Node:
    name: str
    children: list["Node"] = field(default_factory=list)
    mark: Colour | None = None


@dataclass(frozen=True)
class Box(Generic[T]):
    content: T
    more: tuple[T, ...] = ()


@dataclass(frozen=True)
class IntBox(Box[int]):
    label: str = "ints"


@dataclass
class Circle:
    radius: int


@dataclass
class Square:
    side: int


@dataclass
class Filters:
    deep: bool = False
    fast: bool = False


class Person(TypedDict):
    name: str
    age: NotRequired[Annotated[int, annotated_types.Ge(0), "in years"]]


class Partial(TypedDict, total=False):
    key: Required[str]
    when: dt.date


class Pair(NamedTuple):
    """Two things.

    Attributes:
        left: the first
    """

    left: int
    right: Decimal = Decimal(1)


class Job(msgspec.Struct, frozen=True):
    size: int
    owner: Path
    due: dt.datetime | None = None
    next: "Job | None" = None
    sizes: list[int] = []
