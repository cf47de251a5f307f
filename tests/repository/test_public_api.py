from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tools.public_api import SNAPSHOT, exported_names, render

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_public_names_are_the_promised_ones() -> None:
    """Choice: a promised name changes on purpose, in its own commit, after `make snapshots`."""
    assert render(exported_names()).splitlines() == SNAPSHOT.read_text(encoding="utf-8").splitlines()


class Base:
    async def wait(self, *, seconds: float = 1) -> None: ...


@dataclass(frozen=True)
class Point(Base):
    x: int

    @property
    def size(self) -> int:
        """Give the one coordinate."""
        return self.x

    @classmethod
    def origin(cls) -> Point:
        """Give the middle."""
        return cls(0)

    def _hidden(self) -> None: ...


class Mover(Protocol):
    def move(self) -> None: ...


class State(enum.StrEnum):
    DONE = "done"


def move(point: Point, /, by: int, then: Callable[[], None] = print) -> Point:
    """Give the point further on."""
    then()
    return Point(point.x + by)


def test_a_snapshot_shows_signatures_members_and_inherited_members() -> None:
    """Choice: whatever a caller can rely on shows up as a line that can differ."""
    assert render({"move": move, "Mover": Mover, "Point": Point, "State": State}).splitlines() == [
        "class Mover(Protocol)",
        "    def move(self) -> 'None'",
        "class Point(Base)",
        "    Point(x: 'int') -> None",
        "    classmethod origin(cls) -> 'Point'",
        "    size",
        "    async wait(self, *, seconds: 'float' = 1) -> 'None'",
        "    x",
        "class State(StrEnum)",
        "    DONE = 'done'",
        "def move(point: 'Point', /, by: 'int', then: 'Callable[[], None]' = <built-in function print>) -> 'Point'",
    ]


def test_a_snapshot_is_the_same_in_every_process() -> None:
    """Choice: an address in memory is not part of a promise."""

    def call(then: object = lambda: None) -> None:
        del then

    (line,) = render({"call": call}).splitlines()
    assert line.endswith("<lambda>>) -> 'None'")
