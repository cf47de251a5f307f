from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import json
import pathlib
import types
import uuid
from collections import OrderedDict, namedtuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from prowess.model.json_value import (
    DEPTH_LIMIT,
    NotJsonError,
    is_array,
    is_object,
    json_path,
    json_type,
    to_json_value,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
JSON = st.recursive(SCALAR, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20)


class Word(str):
    __slots__ = ()


class Number(int):
    pass


class Ratio(float):
    pass


class Colour(str, enum.Enum):  # noqa: UP042 - authors have these too
    RED = "red"


class Size(enum.StrEnum):
    SMALL = "small"


class Level(enum.IntEnum):
    LOW = 1


Pair = namedtuple("Pair", "left right")  # noqa: PYI024 - authors have these too


@dataclasses.dataclass
class Note:
    text: object
    more: object = None


class Struct(msgspec.Struct):
    when: dt.date


class Model(BaseModel):
    path: pathlib.Path


@given(JSON)
def test_plain_json_is_given_back_as_it_is(value: object) -> None:
    """Choice: a value is not copied for nothing, and nothing in it changes."""
    assert to_json_value(value) is value
    assert json.loads(json.dumps(value)) == value


@given(JSON)
def test_what_differs_from_json_by_its_types_only_becomes_that_json(value: object) -> None:
    """Spec: what `execute` returns may be any JSON value, a model or a dataclass."""
    assert to_json_value(_disguised(value)) == value


def _disguised(value: object) -> object:
    """The same value in types that only resemble JSON's."""
    if is_array(value):
        return tuple(_disguised(item) for item in value)
    if is_object(value):
        return OrderedDict((Word(key), _disguised(item)) for key, item in value.items())
    disguises = {str: Word, int: Number, float: Ratio}
    return disguises[type(value)](value) if type(value) in disguises else value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Colour.RED, "red"),
        (Size.SMALL, "small"),
        (Level.LOW, 1),
        ({Colour.RED: Level.LOW, Size.SMALL: [Word("x")]}, {"red": 1, "small": ["x"]}),
        (Note(Word("x"), {Word("k"): Ratio(1.5)}), {"text": "x", "more": {"k": 1.5}}),
        (Note(types.MappingProxyType({"a": 1})), {"text": {"a": 1}, "more": None}),
        (types.MappingProxyType({"a": pathlib.PurePosixPath("/x")}), {"a": "/x"}),
        (Pair(1, Word("x")), [1, "x"]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        ({"a", 2, None}, ["a", 2, None]),
        (Struct(dt.date(2020, 1, 2)), {"when": "2020-01-02"}),
        (Model(path=pathlib.Path("x")), {"path": "x"}),
        (Note(Model(path=pathlib.Path("x"))), {"text": {"path": "x"}, "more": None}),
        (decimal.Decimal("1.10"), "1.10"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"ab", "YWI="),
        (2**200, 2**200),
        ([-(2**1024) + 1, {"a": 2**1024 - 1}], [-(2**1024) + 1, {"a": 2**1024 - 1}]),
        ([1, [2, (3,)]], [1, [2, [3]]]),
        ("é", "é"),
        ({"é": ["é"]}, {"é": ["é"]}),
    ],
)
def test_what_has_a_json_form_takes_it(value: object, plain: object) -> None:
    """Spec: dataclasses, models, enums, dates, sets and paths have a JSON form."""
    made = to_json_value(value)
    assert made == plain
    assert json.loads(json.dumps(made)) == plain


def test_only_what_is_not_plain_is_made_anew() -> None:
    """Choice: a large plain part of an output is not copied for one date in it."""
    plain = {"many": [1, 2, 3]}
    made = to_json_value({"plain": plain, "when": dt.date(2020, 1, 2)})
    assert is_object(made)
    assert made["plain"] is plain


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (float("nan"), "$: is not a finite number, which JSON cannot hold"),
        ({"a": [1, float("inf")]}, "$.a[1]: is not a finite number, which JSON cannot hold"),
        (Note(float("nan")), "$.text: is not a finite number, which JSON cannot hold"),
        (2**1024, "$: is an integer too large for JSON: most readers take it for infinite"),
        ({"a": [1, -(2**1024)]}, "$.a[1]: is an integer too large for JSON: most readers take it for infinite"),
        ({"a": 10**5000}, "$.a: is an integer too large for JSON: most readers take it for infinite"),
        ({1: 2}, "$: has a key of type int, JSON keys are text"),
        ({"a": {None: 2}}, "$.a: has a key of type NoneType, JSON keys are text"),
        ([object()], "$[0]: a value of type object has no JSON form"),
        (Note(complex(1)), "$: a value of type complex has no JSON form"),
        (Note, "$: a value of type type has no JSON form"),
        ("\ud800", "$: holds half of a surrogate pair, which UTF-8 cannot"),
        ({"a b": ["\udcff"]}, "$['a b'][0]: holds half of a surrogate pair, which UTF-8 cannot"),
        ({"\ud800": 1}, "$: holds half of a surrogate pair, which UTF-8 cannot"),
        ({Word("\ud800"): 1}, "$: holds half of a surrogate pair, which UTF-8 cannot"),
    ],
)
def test_what_has_no_json_form_is_refused_with_its_place(value: object, told: str) -> None:
    """Regression: text that no encoder takes passed, and failed later, in storage or on the wire."""
    with pytest.raises(NotJsonError) as caught:
        to_json_value(value)
    assert str(caught.value) == told


def _nested(depth: int, make: object = None) -> object:
    value: object = "leaf"
    for _ in range(depth):
        value = {"a": value} if make is dict else [value]
    return value


@pytest.mark.parametrize("kind", [list, dict])
def test_values_as_deep_as_the_limit_pass_and_deeper_ones_do_not(kind: type) -> None:
    """Spec: deep instances are refused in bounded time without taking the process down."""
    assert to_json_value(_nested(DEPTH_LIMIT + 1, kind)) == _nested(DEPTH_LIMIT + 1, kind)
    for depth in (DEPTH_LIMIT + 2, 50_000):
        with pytest.raises(NotJsonError, match="deeper than 128 levels"):
            to_json_value(_nested(depth, kind))


def test_a_value_that_holds_itself_is_refused() -> None:
    """Spec: a bad output gives an error, never a crash."""
    circle: list[object] = []
    circle.append(circle)
    note = Note("x")
    note.more = note
    for value in (circle, note):
        with pytest.raises(NotJsonError):
            to_json_value(value)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("x", "string"),
        (1, "integer"),
        (1.0, "number"),
        (True, "boolean"),
        (None, "null"),
        ({}, "object"),
        ([], "array"),
    ],
)
def test_types_are_named_as_json_schema_names_them(value: object, name: str) -> None:
    """Spec: each problem has the value's type."""
    assert json_type(value) == name
    assert (is_object(value), is_array(value)) == (name == "object", name == "array")


def test_a_type_that_json_has_not_is_named_as_python_names_it() -> None:
    """Choice: an author sees which of his types it was."""
    assert json_type(dt.date(2020, 1, 2)) == "date"


def test_a_path_quotes_keys_that_are_no_identifiers() -> None:
    """Spec: problems carry a JSON path."""
    assert json_path(["items", 2, "first name", "_x"]) == "$.items[2]['first name']._x"
    assert json_path([]) == "$"
