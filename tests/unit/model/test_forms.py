"""What a field's value must be, and what stands for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.model.forms import checked, each, items_of, sentence, text
from prowess.model.manifest import Deprecation, FailureMode, Kind, Limits, Manifest, Redaction, Status, Target
from prowess.model.manifest_forms import MANIFEST
from prowess.model.manifest_parts import Extra, RuntimeKind
from prowess.model.schema import Schema

ANYTHING: st.SearchStrategy[object] = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.binary(max_size=3), st.just(object())
)
VALUES = st.recursive(
    ANYTHING, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)


def test_a_manifest_takes_what_people_write() -> None:
    """Choice: `Manifest` is public, `Schema` and the closed sets are not."""
    manifest = Manifest(
        name="a",
        kind="logic",
        status="deprecated",
        runtime="http",
        input_schema={"type": "object"},
        output_schema={"type": "string"},
        tags=["t"],
        owners={"b", "a"},
        targets=["b@^1", Target("c")],
        failure_modes=["x", {"code": "y", "retryable": True}, FailureMode("z")],
        limits={"timeout": 5, "maxPerMinute": 6},
        redaction={"inputs": ["$.a"]},
        deprecation={"replacedBy": "n"},
        extra={"a": [1]},
    )
    assert manifest == Manifest(
        name="a",
        kind=Kind.LOGIC,
        status=Status.DEPRECATED,
        runtime=RuntimeKind.HTTP,
        input_schema=Schema.of({"type": "object"}),
        output_schema=Schema.of({"type": "string"}),
        tags=("t",),
        owners=("a", "b"),
        targets=(Target("b", "^1"), Target("c")),
        failure_modes=(FailureMode("x"), FailureMode("y", retryable=True), FailureMode("z")),
        limits=Limits(5, 6),
        redaction=Redaction(("$.a",)),
        deprecation=Deprecation("n"),
        extra=Extra({"a": [1]}),
    )
    assert not manifest.problems(described=False)


def test_what_is_in_form_stays_the_value_that_it_is() -> None:
    """Choice: a manifest of a million costs no copies."""
    tags, schema = ("a", "b"), Schema.of({"type": "object"})
    manifest = Manifest(name="a", tags=tags, input_schema=schema, targets=(Target("b"),), deprecation=Deprecation("c"))
    assert manifest.tags is tags
    assert manifest.input_schema is schema
    assert each(text)(tags, (), []) is tags


@given(st.dictionaries(st.sampled_from(list(MANIFEST)), VALUES, max_size=6))
def test_whatever_a_manifest_is_made_of_its_problems_are_told(fields: dict[str, Any]) -> None:
    """Choice: values come from documents and from code; none may end in an error of Python's."""
    manifest = Manifest(**{"name": "a", **fields})
    sound, problems = checked(manifest, MANIFEST)
    assert not checked(sound, MANIFEST)[1]
    told = manifest.problems()
    assert [problem.path for problem in told[: len(problems)]] == [problem.path for problem in problems]


def test_the_forms_of_a_manifest_stand_in_the_order_of_its_fields() -> None:
    """Choice: that is how fields and forms are matched."""
    assert list(MANIFEST) == list(Manifest.__struct_fields__)


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ([1], [1]),
        ((1,), (1,)),
        ({"b", "a"}, ["a", "b"]),
        (iter([1, 2]), [1, 2]),
        ("ab", None),
        (b"ab", None),
        ({"a": 1}, None),
        (5, None),
        (None, None),
    ],
)
def test_a_list_is_what_has_items_and_is_no_text_or_object(value: object, items: object) -> None:
    """Regression: `tags="abc"` of a definition became three letters."""
    assert items_of(value) == items


def test_a_problem_of_a_field_is_a_sentence() -> None:
    """Choice: messages are joined, without their paths."""
    (problem,) = checked(Manifest(name="a", status="enable"), MANIFEST)[1]
    assert sentence(problem).message == "status: must be one of enabled, disabled, deprecated, did you mean 'enabled'?"
    (problem,) = checked(Manifest(name="a", limits=Limits(timeout="x")), MANIFEST)[1]  # type: ignore[arg-type]
    assert sentence(problem, "$.limits").message == "timeout: must be a number"
