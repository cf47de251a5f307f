"""What a pipeline and its steps cannot be told: every wrong type, when it is built."""

from typing import Any

import pytest

from prowess import InvalidManifestError, Pipeline


def sketch(**more: Any) -> Pipeline:
    """Give a pipeline that lacks nothing but steps."""
    return Pipeline(**{"name": "research", "version": "1.0.0", "description": "Research.", **more})


def problems_of(pipeline: Pipeline) -> list[str]:
    """Give what building it is refused for."""
    with pytest.raises(InvalidManifestError) as caught:
        pipeline.build()
    return [problem.message for problem in caught.value.problems]


@pytest.mark.behaviour("authoring.types")
@pytest.mark.parametrize(
    ("given", "problems"),
    [
        ({"version": 5}, ["version: must be text"]),
        ({"name": 5}, ["name: must be text"]),
        ({"description": 5}, ["description: must be text"]),
        ({"tags": [5]}, ["tags[0]: must be text"]),
        ({"tags": None}, ["tags: must be a list"]),
        ({"author": 5}, ["author: must be text"]),
        ({"idempotent": "no"}, ["idempotent: must be true or false"]),
        ({"required_tools": 5}, ["the required tools: they are a list"]),
        (
            {"required_tools": [5]},
            ["the required tools: there is 'int', which is no entry: give a name or a decorated function"],
        ),
    ],
)
def test_what_a_pipeline_cannot_be_is_told_when_it_is_built(given: dict[str, Any], problems: list[str]) -> None:
    """Regression: it was accepted, or an error of Python's."""
    assert problems_of(sketch(**given)) == problems


@pytest.mark.behaviour("authoring.types")
@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"retries": "2"}, "retries: must be a whole number"),
        ({"retries": 1.5}, "retries: must be a whole number"),
        ({"timeout": "5"}, "timeout: must be a number"),
        ({"optional": "no"}, "optional: must be true or false"),
        ({"when": 5}, "when: must be a condition as text or a function"),
        ({"on_error": 5}, "on_error: must be the id of a step or a function"),
        ({"name": 5}, "name: must be text"),
        ({"parallel": 5}, "parallel: must be text"),
        ({"pause_before": 1}, "pause_before: must be true or false"),
        ({"concurrency": None}, "concurrency: must be a whole number"),
        ({"inputs": 5}, "inputs: must be an object, a value for each name"),
        ({"outputs": 5}, "outputs: must be an object, a value for each name"),
    ],
)
def test_what_a_step_cannot_be_told_is_told_when_it_is_built(given: dict[str, Any], problem: str) -> None:
    """Regression: it was accepted, or an error of Python's."""
    assert problems_of(sketch().step("a", "t", **given)) == [f"step 'a': {problem}"]


@pytest.mark.behaviour("authoring.types")
def test_everything_that_is_wrong_with_a_pipeline_is_told_at_once() -> None:
    """Spec: parsing collects every problem before failing."""
    wrong: Any = None
    made = sketch(tags=wrong).step(wrong, "t", retries="2", timeout=-1).step("b", 5, x="$step.zz")  # type: ignore[arg-type]
    assert problems_of(made) == [
        "step 'b': its target is 'int', which is no entry: give a name or a decorated function",
        "tags: must be a list",
        "step 'None': id: must be text",
        "step 'None': retries: must be a whole number",
        "step 'None': timeout is a number of seconds above 0",
        "step 'b': there is no step 'zz'",
    ]


def test_an_output_and_an_input_may_be_called_self() -> None:
    """Choice: the names of fields are the author's."""
    made = sketch().step("a", "t", self=1).output(self="$step.a").build()
    assert made.outputs is not None
    assert list(made.outputs) == ["self"]


@pytest.mark.behaviour("authoring.defaults")
@pytest.mark.parametrize(
    ("field", "words"),
    [
        ((int, "x"), "its default is not what its type says: expected a whole number"),
        (({"type": "string"}, 5), 'its default breaks its own schema: 5 is not of type "string"'),
        ((str, object()), "its default cannot be told in JSON"),
    ],
)
def test_a_default_that_is_no_such_input_is_refused(field: object, words: str) -> None:
    """Regression: a default that breaks its own schema was advertised."""
    (problem,) = problems_of(sketch().input(q=field))
    assert problem.startswith(f"input 'q': {words}")
