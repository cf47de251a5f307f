"""Annotations that cannot be a schema."""

import enum
from dataclasses import dataclass
from decimal import Decimal
from typing import (
    Annotated,
    Literal,
)

import annotated_types
import msgspec
import pytest

from prowess import InvalidManifestError
from tests.unit.authoring.annotations.samples import Point
from tests.unit.authoring.round_trip import taking


class Flags(enum.Flag):
    A = 1
    B = 2


class Strange(enum.Enum):
    PAIR = (1, 2)


class Plain:
    """A class without fields."""


class Holder(msgspec.Struct):
    thing: Plain


@dataclass
class Keeper:
    thing: Plain


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (complex, "complex has no JSON form: use builtins"),
        (Plain, "Plain has no JSON form"),
        (list[Plain], "Plain has no JSON form"),
        (Keeper, "in field 'thing': Plain has no JSON form"),
        (Holder, "Plain has no JSON form"),
        (Flags, "Flags combines flags"),
        (Strange, "enum Strange has a value of type tuple"),
        (Literal[b"x"], "has a value of type bytes"),
        (dict[float, int], "keys of a JSON object are text"),
        (dict[Point, int], "keys of a JSON object are text"),
        (set[list[int]], "a set cannot hold lists"),
        (type[int], "has no JSON form"),
        (Annotated[str, annotated_types.Ge(1)], "the constraint ge means nothing"),
        (Annotated[int, annotated_types.MinLen(1)], "the constraint min_length means nothing"),
        (Annotated[int | None, annotated_types.MinLen(1)], "the constraint min_length means nothing"),
        (Annotated[Point, annotated_types.Ge(1)], "the constraint ge means nothing"),
        (Annotated[int, annotated_types.Ge(Decimal(1))], "the constraint ge of a number is a finite number"),
        ("Nowhere", "'Nowhere' cannot be found at run time"),
        ("1 +", "Forward reference"),
        ("msgspec.Nothing", "has no attribute 'Nothing'"),
        ("list[int][str]", "is not"),
        (5, "5 has no JSON form"),
    ],
    ids=lambda one: str(one)[:60],
)
def test_an_annotation_that_cannot_be_a_schema_fails_at_decoration(annotation: object, words: str) -> None:
    """Spec: with the function's and the parameter's name, and what to write instead."""
    with pytest.raises(InvalidManifestError) as caught:
        taking(annotation)

    assert "function 'echo': parameter 'value': " in str(caught.value)
    assert words in str(caught.value)
    assert caught.value.problems[0].path == "$.value"
