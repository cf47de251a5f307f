"""What a pipeline must obey, told as problems that name the step: the builder and registry documents share it."""

import re
from collections.abc import Iterable, Iterator
from math import isfinite

from msgspec.structs import replace

from prowess.errors import Problem
from prowess.model.forms import (
    Form,
    Forms,
    Path,
    Problems,
    besides,
    checked,
    flag,
    integer,
    note,
    number,
    sentence,
    text,
)
from prowess.model.json_value import is_array, is_object
from prowess.model.manifest_rules import target_problem
from prowess.model.names import is_name, key_of, near_names
from prowess.model.pipeline import Binding, Condition, Literal, Pipeline, Reference, Source, Step, is_reference

__all__ = ["pipeline_problems"]

_TEXT_IN_CEL = re.compile(r'"(?:\\.|[^"\\])*"|' + r"'(?:\\.|[^'\\])*'")
_NAMED_IN_CEL = re.compile(r"(?<![\w.])(step|inputs)\s*\.\s*([A-Za-z_]\w*)")
_OPEN_SCHEMA = frozenset({"$ref", "allOf", "anyOf", "if", "oneOf", "patternProperties"})


def pipeline_problems(pipeline: Pipeline) -> tuple[Problem, ...]:
    """Everything that is wrong with its steps and references. Whether its targets exist is the registry's to check."""
    steps: list[Step] = []
    wrong: list[Problem] = []
    for place, step in enumerate(pipeline.steps):
        sound, found = checked(step, _STEP, ("steps", place))
        steps.append(replace(sound, id=str(step.id)))  # what is no id still says which step is meant
        wrong += [_in_step(step, sentence(problem, f"$.steps[{place}]")) for problem in found]
    rules = _Rules(replace(pipeline, steps=tuple(steps)))
    broken = (
        *rules.ids(),
        *rules.numbers(),
        *rules.references(),
        *rules.conditions(),
        *rules.handlers(),
        *rules.outputs(),
    )
    return (*wrong, *besides(wrong, broken))


# ---------------------------------------------------------------------------------------------------------------------


def _anything(value: object, _path: Path, _problems: Problems) -> object:
    return value


def _code(words: str) -> Form:
    """Text, or a function in its place."""

    def take(value: object, path: Path, problems: Problems) -> object:
        if not isinstance(value, str) and not callable(value):
            note(problems, path, "type", f"must be {words} or a function", value)
        return value

    return take


_STEP: Forms = {
    "id": text,
    "target": _anything,
    "name": text,
    "inputs": _anything,
    "outputs": _anything,
    "when": _code("a condition as text"),
    "timeout": number,
    "retries": integer,
    "optional": flag,
    "on_error": _code("the id of a step"),
    "foreach": _anything,
    "concurrency": integer,
    "parallel": text,
    "pause_before": flag,
}


class _Rules:
    """One pipeline under the rules."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._places = {step.id: place for place, step in reversed(list(enumerate(pipeline.steps)))}
        self._inputs = _declared_inputs(pipeline)

    def ids(self) -> Iterator[Problem]:
        first: dict[str, str] = {}
        for place, step in enumerate(self._pipeline.steps):
            if "/" in step.id or not is_name(step.id):
                advice = "an id is lowercase words joined by single '_' or '-', at most 64 characters"
                yield _problem(place, step, "id", "id", f"its id is not one: {advice}")
            problem = target_problem(step.target.name, step.target.version)
            if problem is not None:
                yield _problem(place, step, "target", "target", f"its target '{step.target}' {problem}")
            other = first.setdefault(key_of(step.id), step.id)
            if self._places[step.id] != place or other != step.id:
                spelled = "" if other == step.id else f", spelled '{other}'"
                yield _problem(place, step, "id", "duplicate", f"there is another step of this id{spelled}")

    def numbers(self) -> Iterator[Problem]:
        for place, step in enumerate(self._pipeline.steps):
            if step.retries < 0:
                yield _problem(place, step, "retries", "minimum", "retries are not negative")
            if step.timeout is not None and not (step.timeout > 0 and isfinite(step.timeout)):
                yield _problem(place, step, "timeout", "minimum", "timeout is a number of seconds above 0")
            if step.concurrency < 1:
                yield _problem(place, step, "concurrency", "minimum", "concurrency is at least 1")
            if isinstance(step.foreach, Literal) and not isinstance(step.foreach.value, list):
                yield _problem(place, step, "foreach", "type", "foreach takes a list, or a reference to one")

    def references(self) -> Iterator[Problem]:
        for place, step in enumerate(self._pipeline.steps):
            for field, binding in _bindings(step):
                for message in self._binding(binding, place):
                    yield _problem(place, step, field, "reference", message)

    def conditions(self) -> Iterator[Problem]:
        keys = {key_of(step.id): place for place, step in enumerate(self._pipeline.steps)}
        for place, step in enumerate(self._pipeline.steps):
            for source, name in _named_in(step.when):
                found = self._input(name) if source == "inputs" else self._step(name, keys.get(key_of(name)), place)
                if found is not None:
                    yield _problem(place, step, "when", "reference", found)

    def handlers(self) -> Iterator[Problem]:
        for place, step in enumerate(self._pipeline.steps):
            if isinstance(step.on_error, str) and (step.on_error not in self._places or step.on_error == step.id):
                what = "names itself" if step.on_error == step.id else f"names {self._unknown(step.on_error)}"
                yield _problem(place, step, "on_error", "reference", f"on_error {what}")

    def outputs(self) -> Iterator[Problem]:
        for name, binding in (self._pipeline.outputs or {}).items():
            for message in self._binding(binding, len(self._pipeline.steps)):
                yield Problem(path=f"$.outputs.{name}", rule="reference", message=f"output '{name}': {message}")

    # -----------------------------------------------------------------------------------------------------------------

    def _binding(self, binding: Binding, place: int) -> Iterator[str]:
        if isinstance(binding, Literal):
            if any(is_reference(text) for text in _texts_inside(binding.value)):
                yield "a reference stands by itself: inside a list or an object it would stay text"
        elif isinstance(binding, Reference):
            found = (
                self._input(binding.path[0] if binding.path else None)
                if binding.source is Source.INPUTS
                else self._step(str(binding.step), self._places.get(str(binding.step)), place)
            )
            if found is not None:
                yield found

    def _input(self, name: str | None) -> str | None:
        if name is None or self._inputs is None or name in self._inputs:
            return None
        return f"there is no input '{name}'{_hint(name, self._inputs)}"

    def _step(self, name: str, found: int | None, place: int) -> str | None:
        if found is None:
            return f"there is {self._unknown(name)}"
        if found < place:
            return None
        return "it refers to itself" if found == place else f"step '{name}' comes later: only earlier steps can be read"

    def _unknown(self, name: str) -> str:
        return f"no step '{name}'{_hint(name, self._places)}"


def _bindings(step: Step) -> Iterator[tuple[str, Binding]]:
    for name, binding in (step.inputs or {}).items():
        yield f"inputs.{name}", binding
    for name, reference in (step.outputs or {}).items():
        if reference.step != step.id:  # its own result is what a step's outputs are made of
            yield f"outputs.{name}", reference
    if step.foreach is not None:
        yield "foreach", step.foreach


def _named_in(condition: Condition | None) -> list[tuple[str, str]]:
    """The steps and inputs that a CEL expression reads, its texts left out."""
    return _NAMED_IN_CEL.findall(_TEXT_IN_CEL.sub("''", condition)) if isinstance(condition, str) else []


def _texts_inside(value: object) -> Iterator[str]:
    """The texts inside a list or an object; a literal that is text itself was read as such on purpose."""
    parts: Iterable[object] = ()
    if is_object(value):
        parts = value.values()
    elif is_array(value):
        parts = value
    for part in parts:
        if isinstance(part, str):
            yield part
        yield from _texts_inside(part)


def _declared_inputs(pipeline: Pipeline) -> frozenset[str] | None:
    """The inputs that can be referred to; None where the schema does not list them."""
    if pipeline.input_schema is None:
        return None
    schema = pipeline.input_schema.value()
    properties = schema.get("properties")
    if not is_object(properties) or schema.keys() & _OPEN_SCHEMA or schema.get("additionalProperties"):
        return None
    return frozenset(properties)


def _hint(name: str, known: Iterable[str]) -> str:
    near = near_names(name, known)
    return f", did you mean '{near[0]}'?" if near else ""


def _in_step(step: Step, problem: Problem) -> Problem:
    return replace(problem, message=f"step '{step.id}': {problem.message}")


def _problem(place: int, step: Step, field: str, rule: str, message: str) -> Problem:
    return Problem(path=f"$.steps[{place}].{field}", rule=rule, message=f"step '{step.id}': {message}")
