"""Whatever the schema and the value are: our verdict is the native validator's, and what we tell of it is true."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.counting import Meter
from prowess.execution.validation.problems import explain
from prowess.execution.validation.survey import survey
from prowess.execution.validation.validator import compile_validator
from prowess.model.json_value import Json, json_path
from prowess.model.schema import Schema
from tests.unit.execution.validation.agreement import SCHEMAS, VALUES, counted, native

BOUNDS = {"$ref", "depth", "cost"}
ABSENT = {"required", "dependentRequired", "dependencies"}


def judged(schema: dict[str, object], values: list[Json]) -> list[tuple[bool, bool, bool]]:
    """For each value whether it fits natively, by our verdict, and by our problems; nothing for a schema out of bounds.

    One that is refused for anything else counts as a disagreement.
    """
    try:
        ours = compile_validator(Schema.of(schema))
    except InvalidSchemaError as refused:
        return [] if {problem.rule for problem in refused.problems} <= BOUNDS else [(True, False, False)]
    theirs = native(schema)
    return [(theirs.is_valid(value), ours.is_valid(value), ours.problems(value) == ()) for value in values]


@pytest.mark.behaviour("validation.same-verdict")
@settings(max_examples=250, deadline=None)
@given(schema=SCHEMAS, values=st.lists(VALUES, min_size=2, max_size=4))
def test_what_fits_natively_fits_and_has_no_problems(schema: dict[str, object], values: list[Json]) -> None:
    """Spec: in each dialect, with references, anchors, conditions and numbers of every size."""
    for verdicts in judged(schema, values):
        assert len(set(verdicts)) == 1


@pytest.mark.behaviour("validation.same-verdict")
@settings(max_examples=250, deadline=None)
@given(schema=SCHEMAS.map(counted), values=st.lists(VALUES, min_size=2, max_size=4))
def test_counting_the_work_changes_no_verdict(schema: dict[str, object], values: list[Json]) -> None:
    """Choice: the schema's twin that counts means the same."""
    for verdicts in judged(schema, values):
        assert len(set(verdicts)) == 1


@settings(max_examples=250, deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_no_part_of_a_value_that_fits_is_blamed(schema: dict[str, object], value: Json) -> None:
    """Choice: the reading that finds problems is ours, so it is held to finding none where there are none."""
    found = survey(Schema.of(schema))
    if found.problems or not compile_validator(Schema.of(schema)).is_valid(value):
        return
    told = explain(found, value, Meter(found.grades, value).seems_to_match, 50)
    assert [problem.rule for problem in told] == ["schema"]


@settings(max_examples=250, deadline=None)
@given(schema=SCHEMAS, value=VALUES)
def test_every_problem_has_a_place_in_the_value(schema: dict[str, object], value: Json) -> None:
    """Spec: each problem carries the JSON path of what is wrong; a field that is missing has one of its own."""
    try:
        problems = compile_validator(Schema.of(schema)).problems(value)
    except InvalidSchemaError:
        return
    places = set(places_in(value, []))
    assert [one for one in problems if one.path not in places and one.rule not in ABSENT] == []
    assert all(one.message and one.rule for one in problems)


def places_in(value: Json, parts: list[str | int]) -> Iterator[str]:
    """The path of the value and of everything in it."""
    yield json_path(parts)
    within = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, one in within:
        yield from places_in(one, [*parts, part])
