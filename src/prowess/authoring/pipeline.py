"""The pipeline builder, which is the value itself: each method gives a changed copy, `build` checks it."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Self, TypeAlias, TypeGuard

from msgspec.structs import force_setattr, replace

from prowess.authoring.annotations.codec import UnsupportedError
from prowess.authoring.annotations.containers import nullable
from prowess.authoring.annotations.definitions import Definitions
from prowess.authoring.annotations.hints import Namespace
from prowess.authoring.annotations.walk import Walker
from prowess.authoring.annotations.writing import default_note
from prowess.authoring.options import Callee, target_of
from prowess.errors import InvalidManifestError, Problem
from prowess.model import pipeline
from prowess.model.forms import items_of
from prowess.model.json_value import NotJsonError, is_array, is_object, to_json_value
from prowess.model.manifest import Target
from prowess.model.pipeline import Binding, Condition, Literal, Reference, Step, parse_binding
from prowess.model.pipeline_rules import pipeline_problems
from prowess.model.schema import Schema
from prowess.model.versions import is_semver

__all__ = ["Field", "Pipeline", "checked_pipeline"]

Field: TypeAlias = object
"""A type, a JSON Schema as a dictionary, or either with a default: `str`, `{"type": "string"}`, `(int, 10)`."""


class Pipeline(pipeline.Pipeline, frozen=True):
    """Declared steps under one name: builder and value in one. Register what `build` gives.

    Nothing ever changes; each method gives another pipeline. What a method cannot take, `build` reports.
    """

    name: str = ""
    faults: tuple[Problem, ...] = ()
    """What the methods could not take; empty in all that `build` gives."""

    if TYPE_CHECKING:  # more is taken than is kept: lists, and schemas as dictionaries

        def __init__(  # noqa: PLR0913 - as many as a pipeline says of itself
            self,
            name: str = "",
            *,
            version: str | None = None,
            description: str = "",
            tags: Iterable[str] = (),
            author: str | None = None,
            idempotent: bool = False,
            supports_pause: bool = False,
            input_schema: Schema | Mapping[str, object] | None = None,
            output_schema: Schema | Mapping[str, object] | None = None,
            required_tools: Iterable[str] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        """Keep tuples and schemas, whatever was given."""
        tags = items_of(_listed(self.tags))
        if tags is not None:
            force_setattr(self, "tags", tuple(tags))
        reading = _Reading("$", "the required tools")
        force_setattr(self, "required_tools", reading.tools(self.required_tools))
        force_setattr(self, "faults", (*self.faults, *reading.faults))
        for field in ("input_schema", "output_schema"):
            value = getattr(self, field)
            if value is not None:
                force_setattr(self, field, Schema.of(value))

    def input(self, schema: Mapping[str, object] | None = None, /, **fields: Field) -> Self:
        """Declare inputs, by type or schema, with a default where one may be missing: `query=str, limit=(int, 10)`.

        A whole JSON Schema as the one argument takes the place of all that was declared before.
        """
        current = self.input_schema if schema is None else Schema.of(schema)
        if not fields:
            return replace(self, input_schema=current)
        whole: dict[str, object] = {"type": "object", "additionalProperties": False}
        return self._with_inputs(whole if current is None else current.value(), fields)

    def returns(self, schema: object, /) -> Self:
        """Say what the output is: a type, or a JSON Schema as a dictionary."""
        if is_object(schema):
            return replace(self, output_schema=Schema.of(schema))
        walker = Walker(Namespace({}, {}), output=True)
        try:
            codec = walker.codec(schema)
        except (UnsupportedError, NameError) as error:
            fault = Problem(path="$.output_schema", rule="annotation", message=f"the output: {error}")
            return replace(self, faults=(*self.faults, fault))
        return replace(self, output_schema=Schema.of(walker.definitions.rooted(codec.schema)))

    def step(  # noqa: PLR0913 - each is one thing that a step can be told
        self,
        step_id: str,
        target: Callee,
        /,
        *,
        name: str | None = None,
        when: Condition | None = None,
        timeout: float | None = None,
        retries: int = 0,
        optional: bool = False,
        on_error: str | Callable[..., object] | None = None,
        foreach: object = None,
        concurrency: int = 1,
        parallel: str | None = None,
        pause_before: bool = False,
        outputs: Mapping[str, str] | None = None,
        inputs: Mapping[str, object] | None = None,
        **more_inputs: object,
    ) -> Self:
        """Add a step. What else is named is its inputs: values, `$inputs.field`, `$step.<id>.field`, or functions.

        Without any it gets the pipeline's own inputs. An input that is named like an option goes into `inputs`.
        """
        reading = _Reading(f"$.steps[{len(self.steps)}]", f"step '{step_id}'")
        named = reading.bindings("inputs", {} if inputs is None else inputs) | reading.bindings("inputs", more_inputs)
        step = Step(
            id=step_id,
            target=reading.target(target),
            name=name,
            inputs=named if named or inputs is not None else None,
            outputs=None if outputs is None else reading.references(outputs),
            when=when,
            timeout=timeout,
            retries=retries,
            optional=optional,
            on_error=on_error,
            foreach=None if foreach is None else reading.binding("foreach", foreach),
            concurrency=concurrency,
            parallel=parallel,
            pause_before=pause_before,
        )
        return replace(self, steps=(*self.steps, step), faults=(*self.faults, *reading.faults))

    def requires(self, *tools: Callee) -> Self:
        """Name tools that are needed besides those of the steps."""
        return replace(self, required_tools=(*self.required_tools, *tools))

    def output(self, /, **fields: object) -> Self:
        """Say where each field of the output comes from. Without it each step's result stands under its id."""
        reading = _Reading("$", "the output")
        outputs = {**(self.outputs or {}), **reading.bindings("outputs", fields)}
        return replace(self, outputs=outputs, faults=(*self.faults, *reading.faults))

    def build(self) -> Self:
        """The pipeline, checked, with all that its steps need among its required tools.

        Raises `InvalidManifestError` with every problem. Whether its targets exist, the registry checks.
        """
        _refuse(self, (*self.faults, *self._version_problems()))
        return replace(self, required_tools=tuple(str(target) for target in self.targets))

    # -----------------------------------------------------------------------------------------------------------------

    def _version_problems(self) -> Iterable[Problem]:
        version: object = self.version
        if version is None or (isinstance(version, str) and not is_semver(version)):
            found = "is missing" if version is None else f"{version!r} is no semantic version"
            yield Problem(path="$.version", rule="semver", message=f"version {found}: write one like '1.0.0'")

    def _with_inputs(self, whole: dict[str, object], fields: Mapping[str, Field]) -> Self:
        definitions = Definitions(_as_dict(whole.pop("$defs", None)))
        properties, required = _as_dict(whole.get("properties")), _as_list(whole.get("required"))
        faults: list[Problem] = []
        for name, field in fields.items():
            kind, defaults = _kind_and_default(field)
            try:
                properties[name] = _property_of(kind, defaults, definitions)
            except (UnsupportedError, NameError) as error:
                path = f"$.input_schema.properties.{name}"
                faults.append(Problem(path=path, rule="annotation", message=f"input '{name}': {error}"))
                continue
            required = [one for one in required if one != name] + ([] if defaults else [name])
        made = definitions.rooted({**whole, "properties": properties, **({"required": required} if required else {})})
        return replace(self, input_schema=Schema.of(made), faults=(*self.faults, *faults))


def checked_pipeline(value: pipeline.Pipeline) -> pipeline.Pipeline:
    """A pipeline that can be registered: what `build` gives, or one of another maker that obeys the same rules."""
    if isinstance(value, Pipeline):
        return value.build()
    _refuse(value, ())
    return value


# ---------------------------------------------------------------------------------------------------------------------


def _refuse(value: pipeline.Pipeline, found: Iterable[Problem]) -> None:
    """Raise `InvalidManifestError` with what was found and all that the rules find."""
    manifest = replace(value.manifest, targets=tuple(Target.parse(tool) for tool in value.required_tools))
    problems = (*found, *manifest.problems(), *pipeline_problems(value))
    if problems:
        message = f"pipeline '{value.name}': {'; '.join(problem.message for problem in problems)}"
        raise InvalidManifestError(message, details={"name": value.name, "problems": problems})


class _Reading:
    """Reads the bindings of one place and keeps what cannot be read."""

    def __init__(self, path: str, label: str) -> None:
        self.faults: list[Problem] = []
        self._path = path
        self._label = label

    def target(self, callee: object) -> Target:
        try:
            return target_of(callee)
        except TypeError as error:
            self._note("target", f"its target is {error}")
            return Target("unknown")

    def tools(self, callees: object) -> tuple[str, ...]:
        items = items_of(_listed(callees))
        if items is None:
            self._note("required_tools", "they are a list")
        named: list[str] = []
        for callee in items or ():
            try:
                named.append(str(target_of(callee)))
            except TypeError as error:
                self._note("required_tools", f"there is {error}")
        return tuple(named)

    def bindings(self, field: str, values: object) -> dict[str, Binding]:
        if not is_object(values):
            self._note(field, f"{field}: must be an object, a value for each name")
            return {}
        return {name: self.binding(f"{field}.{name}", value) for name, value in values.items()}

    def references(self, values: object) -> dict[str, Reference]:
        found: dict[str, Reference] = {}
        for name, binding in self.bindings("outputs", values).items():
            if isinstance(binding, Reference):
                found[name] = binding
            else:
                self._note(f"outputs.{name}", "outputs of a step are references: $step.<id>.field")
        return found

    def binding(self, field: str, value: object) -> Binding:
        try:
            return parse_binding(value if callable(value) else to_json_value(value))
        except NotJsonError as error:
            self._note(field, f"'{field}' has no JSON form: {error.problem}")
        except ValueError as error:
            self._note(field, str(error))
        return Literal(None)

    def _note(self, field: str, message: str) -> None:
        path = f"{self._path}.{field}"
        self.faults.append(Problem(path=path, rule="binding", message=f"{self._label}: {message}"))


def _listed(value: object) -> object:
    """Several words; one by itself is taken for a list of one, not for its letters."""
    return (value,) if isinstance(value, str) else value


def _kind_and_default(field: Field) -> tuple[object, list[object]]:
    """A field's type or schema, and its default where it has one."""
    parts: list[object] = [*field] if _is_pair(field) else [field]
    return (parts[0], parts[1:]) if parts else (field, [])


def _is_pair(field: Field) -> TypeGuard[tuple[object, object]]:
    return isinstance(field, tuple)


def _property_of(kind: object, defaults: list[object], definitions: Definitions) -> dict[str, object]:
    """The schema of a type with its default, its definitions moved to those of the pipeline; a schema stays itself."""
    if is_object(kind):
        return {**kind, **(default_note(defaults[0], kind) if defaults else {})}
    walker = Walker(Namespace({}, {}))
    codec = nullable(walker.codec(kind)) if defaults == [None] else walker.codec(kind)
    rooted = walker.definitions.rooted(codec.schema)
    notes = default_note(defaults[0], rooted, codec.read) if defaults else {}
    return {**definitions.absorb(codec.schema, walker.definitions.schemas, definitions.PREFIX), **notes}


def _as_dict(value: object) -> dict[str, object]:
    return dict(value) if is_object(value) else {}


def _as_list(value: object) -> list[object]:
    return list(value) if is_array(value) else []
