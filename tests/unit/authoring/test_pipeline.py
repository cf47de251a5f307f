"""The pipeline builder: what it makes, and all that it refuses at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from prowess import InvalidManifestError, Pipeline, op
from prowess.errors import InvalidSchemaError
from prowess.model import pipeline as model
from prowess.model.manifest import Kind, Target
from prowess.model.pipeline import Literal, Reference, Source, Step
from prowess.model.schema import Schema

NO_NAME = (
    "is not a name: a name is lowercase letters and digits in words joined by single '_' or '-', at most 64 characters"
)
NO_CONSTRAINT = "has a version constraint that is none: write ^1.2, ~1.2.3, >=1 <2, 1.x or a || b"
NO_REFERENCE = "is no reference: write $inputs.field, $step.<id>.field, or $$ for a literal dollar"
ALONE = "a reference stands by itself: inside a list or an object it would stay text"
NO_JSON = (
    "has no JSON form: use builtins, Literal, an enum, a dataclass, a TypedDict, a msgspec Struct or a Pydantic model"
)

WRONG_STEPS = [
    f"step 'fetch': '$nope' {NO_REFERENCE}",
    "step 'merge': 'inputs.h' has no JSON form: a value of type object has no JSON form",
    "step 'last': outputs of a step are references: $step.<id>.field",
    f"the output: '$' {NO_REFERENCE}",
    "step 'Bad Id': its id is not one: an id is lowercase words joined by single '_' or '-', at most 64 characters",
    f"step 'Bad Id': its target 'Bad Target' {NO_NAME}",
    f"step 'merge': its target 'tool@?' {NO_CONSTRAINT}",
    "step 'merge': there is another step of this id",
    "step 'la_st': there is another step of this id, spelled 'la-st'",
    "step 'Bad Id': retries are not negative",
    "step 'Bad Id': timeout is a number of seconds above 0",
    "step 'Bad Id': concurrency is at least 1",
    "step 'Bad Id': foreach takes a list, or a reference to one",
    "step 'last': timeout is a number of seconds above 0",
    "step 'fetch': step 'merge' comes later: only earlier steps can be read",
    "step 'fetch': it refers to itself",
    "step 'fetch': there is no step 'fetsch', did you mean 'fetch'?",
    "step 'fetch': there is no input 'quary', did you mean 'query'?",
    f"step 'merge': {ALONE}",
    f"step 'merge': {ALONE}",
    "step 'last': there is no step 'none'",
    "step 'last': there is no step 'later', did you mean 'last'?",
    "step 'merge': step 'last' comes later: only earlier steps can be read",
    "step 'merge': there is no input 'x'",
    "step 'merge': on_error names itself",
    "step 'merge': on_error names no step 'fetsch', did you mean 'fetch'?",
    "output 'text': there is no step 'gone'",
]


@dataclass
class Place:
    """Where to look."""

    city: str


def sketch(**changes: Any) -> Pipeline:
    """Give a pipeline that lacks nothing but steps."""
    return Pipeline(**{"name": "research", "version": "1.0.0", "description": "Use when asked.", **changes})


def problems_of(pipeline: Pipeline) -> list[str]:
    """Build it, which has to fail, and give the messages of all problems."""
    with pytest.raises(InvalidManifestError) as caught:
        pipeline.build()
    assert str(caught.value).startswith(f"invalid manifest: pipeline '{pipeline.name}': ")
    return [problem.message for problem in caught.value.problems]


def test_a_pipeline_is_built_step_by_step() -> None:
    """Spec: the builder gives the value."""
    research = (
        Pipeline("research", version="1.0.0", description="Use when asked.", tags=["web"], author="Ada")
        .input(query=str)
        .step("search", "search_tools", query="$inputs.query")
        .step(
            "describe",
            "describe_tool@^1",
            name="Describe it",
            tool="$step.search.tools",
            when="size(step.search.tools) > 0",
            timeout=5,
            retries=2,
            optional=True,
            outputs={"first": "$step.describe.text"},
        )
        .output(text="$step.describe.text")
        .build()
    )

    assert research.steps == (
        Step(
            id="search",
            target=Target("search_tools"),
            inputs={"query": Reference(Source.INPUTS, ("query",))},
        ),
        Step(
            id="describe",
            target=Target("describe_tool", "^1"),
            name="Describe it",
            inputs={"tool": Reference(Source.STEP, ("tools",), "search")},
            outputs={"first": Reference(Source.STEP, ("text",), "describe")},
            when="size(step.search.tools) > 0",
            timeout=5,
            retries=2,
            optional=True,
        ),
    )
    assert research.outputs == {"text": Reference(Source.STEP, ("text",), "describe")}
    assert (research.manifest.kind, research.tags, research.author) == (Kind.PIPELINE, ("web",), "Ada")


def test_each_method_leaves_the_pipeline_as_it_was() -> None:
    """Choice: a value is shared freely, also while it is built."""
    base = sketch()

    base.step("a", "tool").requires("x").input(q=str).output(r=1).returns(str)

    assert base == sketch()


def test_a_built_pipeline_equals_one_that_was_read() -> None:
    """Choice: what the builder and a document come to is one thing."""
    built = sketch().step("a", "tool").requires("other").build()
    read = model.Pipeline(
        name="research",
        version="1.0.0",
        description="Use when asked.",
        steps=(Step(id="a", target=Target("tool")),),
        required_tools=("other",),
    )

    assert built == read
    assert read == built
    assert hash(built) == hash(read)
    assert built != sketch().build()
    assert built != "research"


def test_no_steps_are_enough() -> None:
    """Spec: zero steps builds."""
    assert sketch().build().steps == ()


@pytest.mark.behaviour("pipelines.no-name")
def test_a_pipeline_without_a_name_is_refused() -> None:
    """Spec: with that word in the message."""
    assert "name '' is empty" in problems_of(sketch(name=""))[0]
    with pytest.raises(InvalidManifestError, match=r"pipeline '': name '' is empty"):
        Pipeline(version="1.0.0", description="Use when asked.").build()


@pytest.mark.behaviour("pipelines.no-version")
def test_a_pipeline_without_a_version_is_refused() -> None:
    """Spec: with that word in the message."""
    assert problems_of(sketch(version=None)) == ["version is missing: write one like '1.0.0'"]
    assert problems_of(sketch(version="1.0")) == ["version '1.0' is no semantic version: write one like '1.0.0'"]
    with pytest.raises(InvalidManifestError, match="version is missing"):
        Pipeline("research", description="Use when asked.").build()


@pytest.mark.behaviour("pipelines.no-description")
def test_a_pipeline_without_a_description_is_refused() -> None:
    """Spec: with that word in the message."""
    assert "description is empty" in problems_of(sketch(description=""))[0]
    with pytest.raises(InvalidManifestError, match="description is empty"):
        Pipeline("research", version="1.0.0").build()


@pytest.mark.behaviour("pipelines.schema")
def test_a_schema_is_the_one_that_was_given() -> None:
    """Spec: schema survives the builder."""
    schema = {"type": "object", "properties": {"q": {"type": "string", "x-mine": [1]}}, "$defs": {"Unused": {}}}

    for built in (sketch(input_schema=schema, output_schema=schema), sketch().input(schema).returns(schema)):
        value = built.step("a", "tool").build()
        assert value.input_schema == value.output_schema == Schema.of(schema)
        assert value.manifest.input_schema.value() == schema


def test_inputs_are_typed_or_raw_with_or_without_a_default() -> None:
    """Spec: raw or typed input and output schemas."""
    built = (
        sketch()
        .input(query=str, limit=(int, 10), place=Place)
        .input(deep={"type": "boolean"}, near=(Place, None), query=(str, "x"))
        .returns(list[Place])
        .build()
    )

    assert built.manifest.input_schema.value() == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "query": {"type": "string", "default": "x"},
            "limit": {"type": "integer", "default": 10},
            "place": {"$ref": "#/$defs/Place"},
            "deep": {"type": "boolean"},
            "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}], "default": None},
        },
        "required": ["place", "deep"],
        "$defs": {
            "Place": {
                "type": "object",
                "description": "Where to look.",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
                "additionalProperties": False,
            }
        },
    }
    assert built.manifest.output_schema is not None
    assert built.manifest.output_schema.value()["items"] == {"$ref": "#/$defs/Place"}


def test_optional_inputs_alone_require_nothing() -> None:
    """Choice: an empty list of required fields says nothing and is not written."""
    value = sketch().input(limit=(int, 10)).build().manifest.input_schema.value()

    assert "required" not in value


def test_another_type_of_the_same_name_gets_a_name_of_its_own() -> None:
    """Spec: definitions whose names clash are renamed."""
    first = Place

    def other() -> type:
        @dataclass
        class Place:
            planet: str

        return Place

    value = sketch().input(a=first).input(b=other()).input(c=first).build().manifest.input_schema.value()
    properties, definitions = value["properties"], value["$defs"]

    assert isinstance(properties, dict)
    assert isinstance(definitions, dict)
    assert properties["a"] == {"$ref": "#/$defs/Place"}
    assert properties["b"] == {"$ref": "#/$defs/Place_2"}
    assert list(definitions["Place_2"]["properties"]) == ["planet"]
    target = properties["c"]["$ref"].rpartition("/")[2]
    assert definitions[target] == definitions["Place"]


def test_types_that_cannot_be_a_schema_are_told_by_build() -> None:
    """Choice: a chain of calls is not broken in its middle."""
    assert [
        text.partition(":")[0:3:2] for text in problems_of(sketch().input(a=complex, b="X", c=()).returns(complex))
    ] == [
        ("input 'a'", f" complex {NO_JSON}"),
        ("input 'b'", " 'X' cannot be found at run time: import or define it outside of 'if TYPE_CHECKING'"),
        ("input 'c'", f" () {NO_JSON}"),
        ("the output", f" complex {NO_JSON}"),
    ]


def test_a_schema_that_is_none_is_refused_where_it_is_given() -> None:
    """Choice: a wrong type is Python's kind of mistake."""
    wrong: Any = ["query"]

    with pytest.raises(InvalidSchemaError):
        sketch(input_schema=wrong)


@pytest.mark.behaviour("pipelines.required-tools")
def test_required_tools_are_those_of_the_steps_in_order_without_doubles() -> None:
    """Spec: required tools are collected from steps in order, without doubles."""

    @op
    def log() -> None:
        """Log."""

    built = (
        sketch(required_tools="clock")
        .step("a", "second")
        .step("b", "first@^1")
        .step("c", "second")
        .requires("third", log, "second")
        .build()
    )

    assert built.required_tools == ("second", "first@^1", "clock", "third", "log")
    assert [target.name for target in built.manifest.targets] == ["second", "first", "clock", "third", "log"]


def test_an_input_named_like_an_option_goes_into_inputs() -> None:
    """Spec: inputs whose names clash with options."""
    step = sketch().step("a", "tool", inputs={"timeout": 1}, step_id=2, target=3).build().steps[0]

    assert step.timeout is None
    assert step.inputs == {"timeout": Literal(1), "step_id": Literal(2), "target": Literal(3)}


def test_no_inputs_hand_the_pipelines_own_on_and_empty_ones_hand_on_nothing() -> None:
    """Choice: an empty dictionary is a decision, its absence none."""
    first, second = sketch().step("a", "tool").step("b", "tool", inputs={}).build().steps

    assert first.inputs is None
    assert second.inputs == {}


def test_functions_and_literals_bind_as_they_are() -> None:
    """Choice: `$$` is a dollar, a callable is called with the step's context."""
    step = sketch().step("a", "tool", price="$$5", made=len, many={"a": ["x"]}, foreach=[1, 2]).build().steps[0]

    assert step.inputs == {"price": Literal("$5"), "made": len, "many": Literal({"a": ["x"]})}
    assert step.foreach == Literal([1, 2])


def test_everything_that_is_wrong_with_steps_is_told_at_once() -> None:
    """Spec: refused naming the step, all at once."""
    pipeline = (
        sketch()
        .input(query=str)
        .step("fetch", "tool", a="$step.merge.x", b="$step.fetch.x", c="$step.fetsch.x", d="$inputs.quary", e="$nope")
        .step("Bad Id", "Bad Target", retries=-1, timeout=0, concurrency=0, foreach="x")
        .step(
            "merge", "tool@?", on_error="merge", when="step.fetch.ok && step.last.ok && inputs.x > 1 && 'step.no' != ''"
        )
        .step("merge", "tool", on_error="fetsch", f=["$inputs.query"], g={"h": {"i": "$step.fetch"}}, h=object())
        .step("last", "tool", outputs={"a": "$step.none.x", "b": "text"}, foreach="$step.later", timeout=float("nan"))
        .step("la-st", "tool")
        .step("la_st", "tool", a="$inputs")
        .output(text="$step.gone.x", fine="$step.last", bad="$")
    )

    assert problems_of(pipeline) == WRONG_STEPS


def test_the_rest_of_a_manifest_is_checked_too() -> None:
    """Choice: a pipeline is an entry like any other."""
    assert problems_of(sketch(name="Bad", tags=[""], required_tools=["No Tool"])) == [
        f"name 'Bad' {NO_NAME}",
        "each of tags is one line of text",
        f"target 'No Tool' {NO_NAME}",
    ]


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {"type": "object"},
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "object", "properties": {}, "patternProperties": {".": {}}},
        {"$ref": "#/$defs/In", "properties": {}, "$defs": {"In": {}}},
    ],
)
def test_inputs_that_the_schema_does_not_list_may_be_referred_to(schema: Mapping[str, object] | None) -> None:
    """Choice: only a schema that lists its inputs can tell that one is missing."""
    built = sketch(input_schema=schema).step("a", "tool", q="$inputs.query").build()

    assert built.steps[0].inputs == {"q": Reference(Source.INPUTS, ("query",))}


def test_a_target_that_is_none_is_told_with_the_other_problems() -> None:
    """Regression: it was a TypeError of its own."""
    wrong: Any = 5

    assert problems_of(sketch().step("a", wrong, retries=-1)) == [
        "step 'a': its target is 'int', which is no entry: give a name or a decorated function",
        "step 'a': retries are not negative",
    ]
