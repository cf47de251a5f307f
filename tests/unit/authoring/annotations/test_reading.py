"""JSON values as what their annotation says."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
)
from uuid import UUID

import annotated_types
import pytest

from prowess import InvalidInputError, op
from prowess.model.json_value import Json
from tests.unit.authoring.annotations.samples import Circle, Code, Colour, Job, Level, Point, Square
from tests.unit.authoring.round_trip import read, taking


def test_a_whole_float_arrives_as_an_integer_wherever_one_is_asked_for() -> None:
    """Spec: JSON Schema's integer takes 5.0, and Python's int must not get a float."""
    point, job = taking(Point), taking(Job)

    for entry in (taking(int), taking(int | None), taking(Literal[5])):
        assert type(read(entry, 5.0)) is int
    assert read(taking(list[int]), [1, 2.0]) == [1, 2]
    assert read(taking(tuple[int, ...]), [1, 2.0]) == (1, 2)
    assert type(getattr(read(point, {"x": 5.0}), "x", None)) is int
    nested = read(job, {"size": 5.0, "owner": "x", "next": {"size": 6.0, "owner": "y"}, "sizes": [7.0]})
    assert nested == Job(5, Path("x"), next=Job(6, Path("y")), sizes=[7])


def test_a_member_of_a_union_is_found_by_its_fields() -> None:
    """Spec: unions; of records, the one whose fields are there is meant."""
    entry = taking(Circle | Square)

    assert read(entry, {"side": 3}) == Square(3)
    assert read(entry, {"radius": 3.0}) == Circle(3)


def test_a_recursive_union_is_read_in_bounded_time() -> None:
    """Choice: input comes from models; trying each member at each level would double the time with every level."""

    @dataclass
    class Left:
        child: "Left | Right | None"
        last: int

    @dataclass
    class Right:
        child: "Left | Right | None"
        last: str

    entry = taking(Left | Right)
    assert entry.handler.bind is not None
    value: Json = None
    for _ in range(60):
        value = {"child": value, "last": "text"}

    made = entry.handler.bind({"value": value})["value"]

    assert isinstance(made, Right)


@pytest.mark.parametrize(
    ("annotation", "value", "path", "words"),
    [
        (dt.date, "tomorrow", "$.value", "a date"),
        (UUID, "1", "$.value", "UUID"),
        (bytes, "?", "$.value", "base64"),
        (Decimal, "ten", "$.value", "decimal"),
        (list[dt.date], ["2026-01-01", "x"], "$.value[1]", "a date"),
        (dict[str, dt.date], {"a b": "x"}, "$.value['a b']", "a date"),
        (Annotated[dt.date, annotated_types.Ge(dt.date(2026, 1, 1))], "2025-01-01", "$.value", "at least 2026-01-01"),
        (Annotated[Decimal, annotated_types.MultipleOf(Decimal("0.05"))], "0.03", "$.value", "a multiple of 0.05"),
        (Annotated[Decimal, annotated_types.Lt(3)], "NaN", "$.value", "less than 3"),
        (Annotated[bytes, annotated_types.MaxLen(1)], "YWI=", "$.value", "at most 1 bytes"),
        (Annotated[bytes, annotated_types.MinLen(2)], "YQ==", "$.value", "at least 2 bytes"),
        (Job, {"size": 1, "owner": "x", "due": "soon"}, "$.value.due", "RFC3339"),
        (Circle | Square, {"radius": 1, "side": 2}, "$.value", "a field that is not known"),
        (Circle | Square, {"radius": "x"}, "$.value.radius", "a whole number"),
        (int | dt.date, "x", "$.value", "a whole number or a date"),
        (set[Any], [[1]], "$.value", "cannot be in a set"),
    ],
)
def test_what_the_schema_cannot_tell_is_told_by_reading(annotation: object, value: Json, path: str, words: str) -> None:
    """Spec: every problem has its path and what was expected; the value itself is never quoted."""
    bind = taking(annotation).handler.bind
    assert bind is not None

    with pytest.raises(InvalidInputError) as caught:
        bind({"value": value})

    (problem,) = caught.value.problems
    assert problem.path == path
    assert words in problem.message
    assert caught.value.name == "echo"


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (str | dt.date | None, 5),
        (bool | dt.date, 1),
        (float | dt.date, "x"),
        (tuple[int, str], {}),
        (tuple[int, str], [1]),
        (list[int], {}),
        (dict[int, int], []),
        (dict[int, int], {"x": 1}),
        (Point, []),
        (Point, {}),
        (Path, 1),
        (Colour, "green"),
        (Level, True),
        (Code, 1),
        (dict[str, dt.date] | list[dt.date], "x"),
    ],
)
def test_what_does_not_fit_is_refused_even_without_its_schema(annotation: object, value: Json) -> None:
    """Choice: unions try their members, so each type refuses what it is not; a bare `execute` gains by it."""
    bind = taking(annotation).handler.bind
    assert bind is not None

    with pytest.raises(InvalidInputError):
        bind({"value": value})


def test_every_field_that_is_wrong_is_told_at_once() -> None:
    """Spec: all problems of an input are reported at once."""

    @op
    def book(day: dt.date, places: dict[str, Circle], **others: dt.time) -> None:
        """Book something."""

    assert book.handler.bind is not None
    with pytest.raises(InvalidInputError) as caught:
        book.handler.bind({"day": "x", "places": {"a": {}, "b": {"radius": 1}}, "late": "y"})

    assert [problem.path for problem in caught.value.problems] == ["$.day", "$.places.a", "$.late"]


def test_an_error_of_a_constructor_is_an_error_of_the_input() -> None:
    """Choice: a check in `__post_init__` speaks to whoever filled the fields in, as in msgspec."""

    @dataclass
    class Span:
        start: int
        end: int

        def __post_init__(self) -> None:
            if self.end < self.start:
                message = "ends before it starts"
                raise ValueError(message)

    bind = taking(Span).handler.bind
    assert bind is not None
    with pytest.raises(InvalidInputError, match=r"\$\.value: ends before it starts"):
        bind({"value": {"start": 2, "end": 1}})
