"""The steps of a pipeline's document to the value that engines run."""

from collections.abc import Mapping

from prowess.documents.shapes.entries import PipelineSkill, StepShape
from prowess.documents.text.findings import Findings
from prowess.documents.values import Place
from prowess.model.json_value import Json
from prowess.model.manifest import Target
from prowess.model.pipeline import Binding, Literal, Pipeline, Reference, Source, Step, parse_binding
from prowess.model.pipeline_rules import pipeline_problems
from prowess.model.schema import Schema

__all__ = ["read_pipeline"]

_OUTPUTS = "$outputs."


def read_pipeline(
    shape: PipelineSkill, schemas: tuple[Schema, Schema], findings: Findings, file: str, at: Place
) -> Pipeline:
    """The pipeline; what is wrong with its steps and references by themselves goes to the findings."""
    reading = _Reading(findings, file, at)
    steps = tuple([reading.step(step, place) for place, step in enumerate(shape.steps)])
    if shape.outputs is not None:
        reading.outputs |= reading.bindings(shape.outputs, (*at, "outputs"))
    pipeline = Pipeline(
        name=shape.name,
        version=shape.version,
        description=shape.description,
        steps=steps,
        input_schema=schemas[0] if shape.inputs_schema else None,
        output_schema=schemas[1] if shape.outputs_schema else None,
        outputs=reading.outputs if reading.outputs or shape.outputs is not None else None,
        required_tools=tuple(shape.required_tools),
        tags=tuple(shape.tags),
        author=shape.author,
        idempotent=shape.idempotent,
        supports_pause=shape.supports_pause,
    )
    for problem in pipeline_problems(pipeline):
        findings.error(file, reading.place_of(problem.path), problem.rule, problem.message)
    return pipeline


# ---------------------------------------------------------------------------------------------------------------------


class _Reading:
    """One pipeline while its steps are read."""

    def __init__(self, findings: Findings, file: str, at: Place) -> None:
        self.outputs: dict[str, Binding] = {}
        """Where each field of the pipeline's output comes from."""
        self._mapped: dict[str, Place] = {}
        """Which step's place says so."""
        self._findings = findings
        self._file = file
        self._at = at

    def step(self, shape: StepShape, place: int) -> Step:
        at = (*self._at, "steps", place)
        target = shape.target
        return Step(
            id=shape.id,
            target=Target(target.name, target.version, target.kind),
            name=shape.name,
            inputs=None if shape.inputs is None else self.bindings(shape.inputs, (*at, "inputs")),
            outputs=None if shape.outputs is None else self._visible(shape.id, shape.outputs, (*at, "outputs")),
            when=shape.when,
            timeout=shape.timeout,
            retries=shape.retries,
            optional=shape.optional,
            on_error=shape.on_error,
            foreach=None if shape.foreach is None else self._binding(shape.foreach, (*at, "foreach")),
            concurrency=shape.concurrency,
            parallel=shape.parallel,
            pause_before=shape.pause_before,
        )

    def bindings(self, given: Mapping[str, Json], at: Place) -> dict[str, Binding]:
        """Each field's binding."""
        return {field: self._binding(value, (*at, field)) for field, value in given.items()}

    def place_of(self, path: str) -> Place:
        """The place in the document of a problem that was found in the value."""
        parts = path.removeprefix("$.").replace("[", ".").replace("]", "").split(".", 3)
        found: Place = (*self._at, *parts)
        if parts[0] == "steps":
            found = (*self._at, "steps", int(parts[1]), *parts[2:])
        if parts[0] == "outputs" and len(parts) > 1:
            return self._mapped.get(parts[1], found)
        return found

    # -----------------------------------------------------------------------------------------------------------------

    def _binding(self, value: Json, at: Place) -> Binding:
        try:
            return parse_binding(value)
        except ValueError as error:
            message = str(error).partition(" is no reference: ")[2]
            self._findings.error(self._file, at, "reference", f"is no reference: {message}", value)
            return Literal(None)

    def _visible(self, step: str, outputs: Mapping[str, str], at: Place) -> dict[str, Reference]:
        """The fields of a step's result that later steps see, by the names that they have there."""
        seen: dict[str, Reference] = {}
        own = f"$step.{step}."
        for field, text in outputs.items():
            reference = Reference(Source.STEP, (field,), step)
            if text.startswith(_OUTPUTS):
                self._produce(text.removeprefix(_OUTPUTS), Reference(Source.STEP, (field,), step), (*at, field))
                seen.setdefault(field, reference)
            elif text.startswith(own) and "." not in text.removeprefix(own):
                seen[text.removeprefix(own)] = reference
            else:
                message = f"must be {own}field, as later steps see it, or {_OUTPUTS}field, as the pipeline gives it"
                self._findings.error(self._file, (*at, field), "pattern", message, text)
        return seen

    def _produce(self, name: str, reference: Reference, at: Place) -> None:
        if name in self.outputs:
            message = f"'{name}' of the pipeline's outputs comes from elsewhere already"
            self._findings.error(self._file, at, "duplicate", message, f"{_OUTPUTS}{name}")
        self.outputs[name] = reference
        self._mapped[name] = at
