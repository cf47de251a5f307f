"""What flows between the steps of a pipeline: each field is there, and its schema fits where it goes."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from prowess.documents.comparing.narrowing import Part, field_of, misfits, part_of, plain_of, schema_of_value
from prowess.documents.linking.targets import Links
from prowess.documents.text.findings import Findings
from prowess.documents.values import Declared, Place
from prowess.model.json_value import is_array, is_object
from prowess.model.manifest import Manifest
from prowess.model.names import near_names
from prowess.model.pipeline import Binding, Literal, Pipeline, Reference, Source, Step
from prowess.model.schema import Schema

__all__ = ["check_bindings"]


def check_bindings(links: Links, findings: Findings) -> None:
    """Look along every binding of every pipeline; what does not fit goes to the findings."""
    read: dict[bytes, dict[str, object]] = {}
    for entry in links.entries:
        if type(entry.recipe) is Pipeline:
            _Flow(entry, entry.recipe, (links, read), findings).check()


# ---------------------------------------------------------------------------------------------------------------------


class _Found(Struct, frozen=True):
    """What a reference leads to: its schema, None where that is not told; and whether there is always a value."""

    part: Part | None
    always: bool = True


_ANYTHING = _Found(None)


class _Flow:
    """One pipeline."""

    def __init__(
        self,
        entry: Declared,
        pipeline: Pipeline,
        world: tuple[Links, dict[bytes, dict[str, object]]],
        findings: Findings,
    ) -> None:
        links, self._read = world
        self._entry = entry
        self._pipeline = pipeline
        self._findings = findings
        self._targets = {step.id: links.target(step.target) for step in pipeline.steps}
        self._steps = {step.id: step for step in pipeline.steps}
        self._places = {step.id: place for place, step in enumerate(pipeline.steps)}

    def check(self) -> None:
        for place, step in enumerate(self._pipeline.steps):
            target = self._targets[step.id]
            if target is not None:
                self._check_inputs(step, place, target)
                self._check_visible(step, place, target)
        self._check_outputs()

    # -----------------------------------------------------------------------------------------------------------------

    def _value(self, schema: Schema | None) -> dict[str, object]:
        """A schema without references, read once for all who look at it."""
        text = b"" if schema is None else schema.text
        found = self._read.get(text)
        if found is None:
            found = self._read[text] = plain_of(schema or _NOTHING)
        return found

    def _check_inputs(self, step: Step, place: int, target: Manifest) -> None:
        at: Place = (*self._entry.at, "steps", place, "inputs")
        schema = self._value(target.input_schema)
        if step.inputs is None:
            self._check_handed_on(at[:-1], step, target, schema)
            return
        for field, binding in step.inputs.items():
            wanted = field_of(schema, field)
            if isinstance(wanted, str):
                message = f"step '{step.id}': '{target.name}' has no input of this name"
                near = next(iter(near_names(field, _fields_in(schema), 1)), None)
                self._findings.error(self._entry.file, (*at, field), "unknown", message, field, near=near)
                continue
            self._check_one(binding, wanted, (*at, field), f"step '{step.id}'", place)
        for field in _required_in(schema):
            if field not in step.inputs:
                message = f"step '{step.id}': '{target.name}' requires it, and it is not given"
                self._findings.error(self._entry.file, (*at, field), "required", message)

    def _check_handed_on(self, at: Place, step: Step, target: Manifest, schema: Mapping[str, object]) -> None:
        """A step without inputs gets the pipeline's own."""
        own = self._value(self._pipeline.input_schema)
        for misfit in misfits(own, schema):
            message = f"step '{step.id}' hands the pipeline's inputs on to '{target.name}': {misfit.message}"
            self._findings.error(self._entry.file, at, misfit.rule, message)

    def _check_one(self, binding: Binding, wanted: tuple[Part, bool] | None, at: Place, label: str, place: int) -> None:
        """One binding, at a field of which `wanted` is the schema and whether it is required."""
        found = self._source(binding, at, label, place)
        if found is None or wanted is None:
            return
        part, required = wanted
        required = required and not (is_object(part) and "default" in part)
        step = self._pipeline.steps[place] if place < len(self._pipeline.steps) else None
        if step is not None and step.foreach is not None and binding == step.foreach:
            return  # each item of it goes there
        if required and not found.always:
            message = f"{label}: it is required there, and {binding} may be missing"
            self._findings.error(self._entry.file, at, "required", message)
        for misfit in [] if found.part is None else misfits(found.part, part):
            self._findings.error(
                self._entry.file, at, misfit.rule, f"{label}: {binding_shown(binding)}: {misfit.message}"
            )

    def _source(self, binding: Binding, at: Place, label: str, place: int) -> _Found | None:
        """What a binding gives; None where it leads nowhere, which is told elsewhere or here."""
        if not isinstance(binding, Reference):
            return _Found(schema_of_value(binding.value)) if isinstance(binding, Literal) else _ANYTHING
        if binding.source is Source.INPUTS:
            return self._found(self._value(self._pipeline.input_schema), binding.path, binding, at, label)
        return self._of_step(binding, at, label, place)

    def _of_step(self, binding: Reference, at: Place, label: str, place: int) -> _Found | None:
        step = self._steps.get(str(binding.step))
        if step is None or self._places[step.id] >= place:
            return None
        target = self._targets[step.id]
        path = binding.path
        if path and step.outputs is not None:
            seen = step.outputs.get(path[0])
            if seen is None:
                message = f"{label}: step '{step.id}' shows no '{path[0]}': its outputs say what is seen"
                self._findings.unknown(self._entry.file, at, "reference", message, str(binding), step.outputs)
                return None
            path = (*seen.path, *path[1:])
        if target is None or target.output_schema is None or step.foreach is not None:
            return _ANYTHING
        return self._found(self._value(target.output_schema), path, binding, at, label)

    def _found(
        self, schema: Mapping[str, object], path: tuple[str, ...], binding: Reference, at: Place, label: str
    ) -> _Found | None:
        found = part_of(schema, path)
        if isinstance(found, str):
            if binding.source is Source.STEP or len(path) > 1:  # an unknown input is told by the pipeline's own rules
                message = f"{label}: {binding} leads nowhere: there is no '{found}'"
                near = next(iter(near_names(found, _fields_in(schema), 1)), None)
                self._findings.error(self._entry.file, at, "reference", message, near=near)
            return None
        return _ANYTHING if found is None else _Found(*found)

    def _check_visible(self, step: Step, place: int, target: Manifest) -> None:
        """The fields that a step maps are fields of what its target gives."""
        if step.outputs is None or target.output_schema is None:
            return
        schema = self._value(target.output_schema)
        at = (*self._entry.at, "steps", place, "outputs")
        for reference in dict.fromkeys(step.outputs.values()):
            field = reference.path[0]
            if isinstance(field_of(schema, field), str):
                message = f"step '{step.id}': '{target.name}' gives no output of this name"
                near = next(iter(near_names(field, _fields_in(schema), 1)), None)
                self._findings.error(self._entry.file, (*at, field), "unknown", message, field, near=near)

    def _check_outputs(self) -> None:
        """Every required output of the pipeline is produced, and each one fits its schema."""
        pipeline, entry = self._pipeline, self._entry
        schema = self._value(pipeline.output_schema)
        end = len(pipeline.steps)
        outputs: Mapping[str, Binding] = pipeline.outputs or {}
        if pipeline.outputs is None:  # each step's result stands under its id
            outputs = {step.id: Reference(Source.STEP, (), step.id) for step in pipeline.steps if step.outputs is None}
        for field, binding in outputs.items():
            at = self._place_of_output(field, binding)
            wanted = field_of(schema, field)
            if isinstance(wanted, str):
                if pipeline.outputs is not None:
                    near = next(iter(near_names(field, _fields_in(schema), 1)), None)
                    message = "the pipeline has no output of this name"
                    self._findings.error(entry.file, at, "unknown", message, field, near=near)
            else:
                self._check_one(binding, wanted, at, f"output '{field}'", end)
        for field in _required_in(schema):
            if field not in outputs:
                message = f"output '{field}' is required, and no step produces it with $outputs.{field}"
                self._findings.error(entry.file, (*entry.at, "outputs_schema", "required"), "required", message)

    def _place_of_output(self, field: str, binding: Binding) -> Place:
        """Where the document says so: at the step, or among the pipeline's own outputs."""
        if isinstance(binding, Reference) and binding.step in self._places and len(binding.path) == 1:
            return (*self._entry.at, "steps", self._places[str(binding.step)], "outputs", binding.path[0])
        return (*self._entry.at, "outputs", field)


def binding_shown(binding: Binding) -> str:
    """A binding as the document has it."""
    return "the value" if isinstance(binding, Literal) else str(binding)


_NOTHING = Schema.of({"type": "object"})


def _fields_in(schema: Mapping[str, object]) -> Iterable[str]:
    properties = schema.get("properties")
    return list(properties) if is_object(properties) else ()


def _required_in(schema: Mapping[str, object]) -> Iterator[str]:
    """The fields that have to be given."""
    required = schema.get("required")
    for field in required if is_array(required) else ():
        found = field_of(schema, str(field))
        if not isinstance(found, tuple) or not (is_object(found[0]) and "default" in found[0]):
            yield str(field)
