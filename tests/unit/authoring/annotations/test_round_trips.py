"""Values on their way out through a schema and back in."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import (
    Annotated,
    Any,
    List,
    Literal,
    LiteralString,
    Optional,
    Union,
)
from uuid import UUID

import annotated_types
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.model.json_value import Json
from tests.unit.authoring.annotations.samples import (
    Box,
    Circle,
    Code,
    Colour,
    Count,
    Filters,
    IntBox,
    Job,
    Level,
    Mixed,
    Node,
    Numbers,
    Pair,
    Partial,
    Person,
    Point,
    Square,
    Tree,
    UserId,
)
from tests.unit.authoring.round_trip import read, taking, written

NAMES = st.text("abcdefgh", min_size=1, max_size=6)


DATES = st.datetimes(timezones=st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=-5, minutes=-30))]))


DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)


PATHS = NAMES.map(Path)


NODES = st.recursive(
    st.builds(Node, NAMES, mark=st.none() | st.sampled_from(Colour)),
    lambda inner: st.builds(Node, NAMES, st.lists(inner, max_size=2)),
    max_leaves=5,
)


JOBS = st.recursive(
    st.builds(Job, st.integers(), PATHS),
    lambda inner: st.builds(Job, st.integers(), PATHS, DATES, inner),
    max_leaves=3,
)


TREES = st.recursive(st.integers(), lambda inner: st.dictionaries(NAMES, inner, max_size=2), max_leaves=5)


SUPPORTED: tuple[tuple[object, st.SearchStrategy[object]], ...] = (
    (str, st.text()),
    (LiteralString, st.text()),
    (int, st.integers()),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (bool, st.booleans()),
    (None, st.none()),
    (Any, st.booleans() | st.lists(st.integers())),
    (object, st.text()),
    (Json, TREES),
    (Optional[int], st.none() | st.integers()),
    (int | str, st.integers() | st.text()),
    (Union[str, int, None], st.integers() | st.text() | st.none()),
    (bool | int, st.booleans() | st.integers()),
    (dt.date | str, st.dates() | st.sampled_from(["later", "soon"])),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal[1, "one", True, None], st.sampled_from([1, "one", True, None])),
    (Literal[Colour.RED], st.just(Colour.RED)),
    (Colour, st.sampled_from(Colour)),
    (Level, st.sampled_from(Level)),
    (Mixed, st.sampled_from(Mixed)),
    (list, st.lists(st.integers())),
    (list[int], st.lists(st.integers())),
    (List[str], st.lists(st.text())),
    (Sequence[dt.date], st.lists(st.dates())),
    (MutableSequence[int], st.lists(st.integers())),
    (Collection[int], st.lists(st.integers())),
    (Iterable[int], st.lists(st.integers())),
    (set[int], st.sets(st.integers())),
    (frozenset[Colour], st.frozensets(st.sampled_from(Colour))),
    (AbstractSet[str], st.sets(st.text())),
    (MutableSet[Point], st.sets(st.builds(Point, st.integers(), st.just(0.5)))),
    (tuple, st.tuples(st.integers(), st.text())),
    (tuple[()], st.just(())),
    (tuple[int, str], st.tuples(st.integers(), st.text())),
    (tuple[Path, ...], st.lists(PATHS).map(tuple)),
    (dict, st.dictionaries(st.text(), st.integers())),
    (dict[str, int], st.dictionaries(st.text(), st.integers())),
    (Mapping[str, Any], st.dictionaries(st.text(), st.booleans())),
    (MutableMapping[str, Point], st.dictionaries(st.text(), st.builds(Point, st.integers(), st.just(1.5)))),
    (dict[int, str], st.dictionaries(st.integers(), st.text())),
    (dict[dt.date, int], st.dictionaries(st.dates(), st.integers())),
    (dict[Colour, bool], st.dictionaries(st.sampled_from(Colour), st.booleans())),
    (dict[Literal["a", "b"], int], st.dictionaries(st.sampled_from(["a", "b"]), st.integers())),
    (dict[str, dict[UUID, int]], st.dictionaries(st.text(), st.dictionaries(st.uuids(), st.integers()))),
    (dt.date, st.dates()),
    (dt.datetime, DATES | st.datetimes()),
    (dt.time, st.times()),
    (dt.timedelta, st.timedeltas()),
    (UUID, st.uuids()),
    (Decimal, DECIMALS),
    (bytes, st.binary()),
    (bytearray, st.binary().map(bytearray)),
    (Path, PATHS),
    (PurePosixPath, NAMES.map(PurePosixPath)),
    (Code, st.text().map(Code)),
    (Count, st.integers().map(Count)),
    (UserId, st.integers()),
    (Point, st.builds(Point, st.integers(), st.floats(allow_nan=False, allow_infinity=False))),
    (Node, NODES),
    (list[Node | None], st.lists(st.none() | NODES, max_size=3)),
    (Box[int], st.builds(Box, st.integers(), st.lists(st.integers()).map(tuple))),
    (Box[dt.date], st.builds(Box, st.dates(), st.lists(st.dates()).map(tuple))),
    (Box[Box[str]], st.builds(Box, st.builds(Box, st.text()))),
    (IntBox, st.builds(IntBox, st.integers(), st.lists(st.integers()).map(tuple), st.text())),
    (Filters, st.builds(Filters, st.booleans())),
    (Circle | Square, st.builds(Circle, st.integers()) | st.builds(Square, st.integers())),
    (Person, st.fixed_dictionaries({"name": st.text()}, optional={"age": st.integers(0)})),
    (Partial, st.fixed_dictionaries({"key": st.text()}, optional={"when": st.dates()})),
    (Pair, st.builds(Pair, st.integers(), DECIMALS)),
    (Job, JOBS),
    (list[Job], st.lists(JOBS, max_size=2)),
    (Tree, TREES),
    (Numbers, st.lists(st.integers())),
    (dict[str, Tree], st.dictionaries(NAMES, TREES, max_size=2)),
    (Annotated[int, annotated_types.Interval(ge=0, lt=10)], st.integers(0, 9)),
    (Annotated[bytes, annotated_types.Len(2, 5)], st.binary(min_size=2, max_size=5)),
    (Annotated[Decimal, annotated_types.Gt(Decimal(0))], st.decimals("0.1", "9")),
    (Annotated[list[int], annotated_types.MinLen(1)], st.lists(st.integers(), min_size=1)),
)


@pytest.mark.parametrize(("annotation", "values"), SUPPORTED, ids=lambda one: str(one)[:60])
@settings(max_examples=30)
@given(data=st.data())
def test_a_value_survives_the_way_out_and_back_in(
    annotation: object, values: st.SearchStrategy[object], data: st.DataObject
) -> None:
    """Choice: an output is what the next entry takes, so schema, writing and reading of each type agree."""
    entry = taking(annotation)
    value = data.draw(values)

    back = read(entry, written(entry, value))

    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("annotation", [one for one, _ in SUPPORTED], ids=lambda one: str(one)[:60])
def test_every_supported_type_has_a_legal_schema(annotation: object) -> None:
    """Spec: JSON Schema 2020-12 of inputs and output."""
    entry = taking(annotation)

    assert jsonschema_rs.meta.is_valid(entry.parameters)
    assert entry.output_schema is None or jsonschema_rs.meta.is_valid(entry.output_schema)
