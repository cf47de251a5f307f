from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.model.manifest import Kind, Target
from prowess.model.pipeline import Literal, Pipeline, Reference, Source, Step, is_reference, parse_binding
from prowess.model.schema import Schema

SEGMENTS = st.lists(st.from_regex(r"[A-Za-z0-9_-]+", fullmatch=True), max_size=3).map(tuple)
IDS = st.from_regex(r"[a-z0-9]+([_-][a-z0-9]+)?", fullmatch=True)
REFERENCES = st.builds(Reference, st.just(Source.INPUTS), SEGMENTS) | st.builds(
    Reference, st.just(Source.STEP), SEGMENTS, IDS
)


@given(REFERENCES)
def test_a_reference_reads_back_as_it_is_written(reference: Reference) -> None:
    """Choice: a pipeline made in code can be written to a document."""
    assert parse_binding(str(reference)) == reference


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("$inputs", Reference(Source.INPUTS)),
        ("$inputs.query", Reference(Source.INPUTS, ("query",))),
        ("$step.search.tools.0", Reference(Source.STEP, ("tools", "0"), "search")),
    ],
)
def test_a_dollar_text_refers_to_an_earlier_value(text: str, reference: Reference) -> None:
    """Spec: `$inputs.query`, `$step.search.tools`."""
    assert parse_binding(text) == reference


@pytest.mark.parametrize(
    ("value", "literal"),
    [("plain", "plain"), (3, 3), ({"a": "$inputs"}, {"a": "$inputs"}), ("$$5", "$5"), ("$$$", "$$")],
)
def test_everything_else_is_itself(value: object, literal: object) -> None:
    """Choice: `$$` stands for one dollar."""
    assert parse_binding(value) == Literal(literal)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["$", "$x", "$input.a", "$step", "$step.", "$step.A", "$inputs.", "$inputs..a", "$inputs.a b"]
)
def test_a_dollar_text_that_refers_to_nothing_is_refused(text: str) -> None:
    """Choice: a typing error never becomes a literal."""
    with pytest.raises(ValueError, match="is no reference"):
        parse_binding(text)


def test_a_callable_binds_by_itself() -> None:
    """Choice: code may compute an input."""

    def compute() -> int:
        return 1

    assert parse_binding(compute) is compute


@pytest.mark.behaviour("pipelines.required-tools")
def test_required_tools_are_the_steps_targets_in_order_none_twice() -> None:
    """Spec: required tools are collected from steps in order, without doubles."""
    steps = tuple(
        Step(id=str(number), target=Target.parse(target)) for number, target in enumerate(["b", "a@^1", "b", "c"])
    )
    pipeline = Pipeline(name="p", steps=steps, required_tools=("c", "d"))
    assert [str(target) for target in pipeline.targets] == ["b", "a@^1", "c", "d"]
    assert pipeline.manifest.targets == pipeline.targets


@pytest.mark.behaviour("pipelines.schema")
def test_a_pipelines_manifest_says_what_its_author_said() -> None:
    """Spec: the value carries name, version, description, schemas, tags, author, idempotent, supports pause."""
    schema = Schema.of({"type": "object", "properties": {"query": {"type": "string"}}})
    pipeline = Pipeline(
        name="p",
        version="1.0.0",
        description="Use when",
        input_schema=schema,
        output_schema=schema,
        tags=("t",),
        author="me",
        idempotent=True,
        supports_pause=True,
        steps=(Step(id="a", target=Target("b")),),
    )
    manifest = pipeline.manifest
    assert (manifest.kind, manifest.input_schema, manifest.output_schema) == (Kind.PIPELINE, schema, schema)
    assert (manifest.name, manifest.version, manifest.description) == ("p", "1.0.0", "Use when")
    assert (manifest.tags, manifest.author, manifest.idempotent, manifest.supports_pause) == (("t",), "me", True, True)
    assert manifest.estimated_steps == 1


def test_a_pipeline_without_a_schema_takes_any_object() -> None:
    """Spec: zero steps builds; schemas are optional."""
    assert Pipeline(name="p").manifest.input_schema.value() == {"type": "object"}


def test_two_pipelines_that_do_the_same_are_equal() -> None:
    """Choice: which of its steps' targets an author lists again is no matter."""
    steps = (Step(id="a", target=Target("b")),)
    one, other = Pipeline(name="p", steps=steps), Pipeline(name="p", steps=steps, required_tools=("b",))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Pipeline(name="p", steps=steps, required_tools=("c",))
    assert one != Pipeline(name="q", steps=steps)
    assert [one].count("p") == 0  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "refers"), [("$inputs.a", True), ("$step.a.b", True), ("$$a", False), ("a", False)])
def test_text_that_refers_is_told_from_text_that_does_not(text: str, refers: bool) -> None:
    """Choice: a document's reader asks before it looks for the step."""
    assert is_reference(text) is refers
