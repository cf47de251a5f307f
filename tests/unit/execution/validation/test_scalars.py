"""The quick check of the commonest schema: it lets pass only what the whole check would, as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.execution.validation.scalars import scalars_check
from prowess.execution.validation.validator import compile_validator
from prowess.model.json_value import Json, to_json_value
from prowess.model.schema import Schema
from tests.unit.execution.validation.agreement import VALUES

NAMES = st.sampled_from(["a", "b", "ä"])
KINDS = st.sampled_from(["string", "integer", "boolean", "null"])
NOTES = st.fixed_dictionaries(
    {}, optional={"title": st.just("t"), "description": st.just("d"), "default": VALUES, "examples": st.lists(VALUES)}
)
BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "minimum": st.integers(-2, 2) | st.just(0.5),
        "maximum": st.integers(-2, 2) | st.just(2**70),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
    },
)
FIELDS = st.builds(
    lambda kind, notes, bounds: {"type": kind, **notes, **bounds},
    KINDS | st.lists(KINDS, min_size=1, max_size=3, unique=True),
    NOTES,
    BOUNDS,
)
SIMPLE = st.builds(
    lambda properties, required, more: {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **required,
        **more,
    },
    st.dictionaries(NAMES, FIELDS, max_size=3),
    st.fixed_dictionaries({}, optional={"required": st.lists(NAMES, unique=True)}),
    st.fixed_dictionaries(
        {},
        optional={
            "title": st.just("t"),
            "description": st.just("d"),
            "$schema": st.just("http://json-schema.org/draft-07/schema#"),
        },
    ),
)
INPUTS = st.dictionaries(NAMES, VALUES, max_size=3)


@settings(max_examples=400, deadline=None)
@given(schema=SIMPLE, inputs=INPUTS)
def test_what_passes_the_quick_check_passes_the_whole_one_and_has_no_floats(
    schema: dict[str, object], inputs: dict[str, Json]
) -> None:
    """Choice: the quick check accepts less than the schema, never more."""
    quick = scalars_check(Schema.of(schema))
    assert quick is not None
    fits = compile_validator(Schema.of(schema)).is_valid(inputs)
    plain = all(
        type(value) in {str, int, bool, type(None)} and not (isinstance(value, int) and abs(value) >= 1 << 63)
        for value in inputs.values()
    )
    assert quick(inputs) == (fits and plain)
    assert to_json_value(inputs) is inputs


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"properties": {"a": {"type": "string"}}, "additionalProperties": False},
        {"type": ["object", "null"], "additionalProperties": False},
        {"type": "object", "additionalProperties": False, "minProperties": 1},
        {"type": "object", "additionalProperties": False, "properties": []},
        {"type": "object", "additionalProperties": False, "properties": {"a": True}},
        *(
            {"type": "object", "additionalProperties": False, "properties": {"a": field}}
            for field in (
                {},
                {"type": "number"},
                {"type": "array"},
                {"type": ["string", "object"]},
                {"type": ["string", 5]},
                {"type": "string", "pattern": "^a"},
                {"type": "string", "format": "date"},
                {"type": "integer", "exclusiveMinimum": 0},
                {"type": "string", "x-own": 1},
            )
        ),
    ],
)
def test_a_schema_of_more_than_scalars_has_no_quick_check(schema: dict[str, object]) -> None:
    """Choice: where a word could mean more, the whole check answers."""
    assert scalars_check(Schema.of(schema)) is None


@pytest.mark.parametrize("inputs", [{"a": 1.0}, {"a": 2**2000}, [], None, "a", {"a": [1]}, {"b": 1}])
def test_a_float_is_no_integer_for_the_quick_check_and_no_input_of_another_kind_passes(inputs: object) -> None:
    """Choice: what passes needs no conversion, so 1.0 takes the long way."""
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "maximum": 5}},
        "required": [],
        "additionalProperties": False,
    }
    quick = scalars_check(Schema.of(schema))
    assert quick is not None
    assert quick(inputs) is False
    assert quick({"a": 1})
    assert quick({})
