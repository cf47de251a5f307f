"""A pipeline as a value: what the builder and a registry document both come to, and what every engine runs."""

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest, Target
from prowess.model.schema import Schema

__all__ = [
    "Binding",
    "Condition",
    "Literal",
    "Pipeline",
    "Reference",
    "Source",
    "Step",
    "is_reference",
    "parse_binding",
]

_REFERENCE = re.compile(r"\$(?:(inputs)|step\.([a-z0-9]+(?:[_-][a-z0-9]+)*))((?:\.[A-Za-z0-9_-]+)*)")


class Source(StrEnum):
    """Where a reference reads from."""

    INPUTS = "inputs"
    STEP = "step"


class Reference(Struct, frozen=True, gc=False):
    """`$inputs.field` or `$step.id.field`: a value that an earlier place of the run holds."""

    source: Source
    path: tuple[str, ...] = ()
    step: str | None = None

    def __str__(self) -> str:
        head = f"$step.{self.step}" if self.source is Source.STEP else "$inputs"
        return ".".join((head, *self.path))


class Literal(Struct, frozen=True):
    """A value written into the pipeline."""

    value: Json


Binding: TypeAlias = Reference | Literal | Callable[..., object]
"""Where a field's value comes from; a callable gets the step's context and cannot be written to a document."""
Condition: TypeAlias = str | Callable[..., bool]
"""A CEL expression over `inputs` and `step`, or a callable of the step's context."""


class Step(Struct, frozen=True, kw_only=True):
    """One step: what it calls, with which inputs, when, and what happens where it fails."""

    id: str
    target: Target
    name: str | None = None
    """The display name."""
    inputs: Mapping[str, Binding] | None = None
    """None hands the pipeline's own inputs on."""
    outputs: Mapping[str, Reference] | None = None
    when: Condition | None = None
    timeout: float | None = None
    retries: int = 0
    optional: bool = False
    on_error: str | Callable[..., object] | None = None
    foreach: Binding | None = None
    concurrency: int = 1
    """How many items of `foreach` run side by side."""
    parallel: str | None = None
    """Neighbouring steps of one group may run side by side."""
    pause_before: bool = False


class Pipeline(Struct, frozen=True, kw_only=True):
    """Declared steps under one name. A value: build it with the builder or read it from a document."""

    name: str
    version: str | None = None
    description: str = ""
    steps: tuple[Step, ...] = ()
    input_schema: Schema | None = None
    output_schema: Schema | None = None
    outputs: Mapping[str, Binding] | None = None
    """Where each output field comes from; None returns each completed step's result under its id."""
    required_tools: tuple[str, ...] = ()
    """Declared by the author, beside those that the steps name."""
    tags: tuple[str, ...] = ()
    author: str | None = None
    idempotent: bool = False
    supports_pause: bool = False

    def __eq__(self, other: object) -> bool:
        """Whether both do the same: how they were made, and which steps' targets they list again, is no matter."""
        if not isinstance(other, Pipeline):
            return NotImplemented
        same = all(getattr(self, name) == getattr(other, name) for name in _COMPARED)
        return same and self.targets == other.targets

    def __hash__(self) -> int:
        return hash((self.name, self.version))

    @property
    def targets(self) -> tuple[Target, ...]:
        """All that it calls, in the order of its steps, each once, then what its author requires besides."""
        wanted = [step.target for step in self.steps]
        named = {str(target) for target in wanted}
        wanted += [Target.parse(tool) for tool in self.required_tools if tool not in named]
        return tuple(dict.fromkeys(wanted))

    @property
    def manifest(self) -> Manifest:
        """What the registry says about it."""
        schema = self.input_schema or Schema.of({"type": "object"})
        return Manifest(
            name=self.name,
            version=self.version,
            description=self.description,
            kind=Kind.PIPELINE,
            input_schema=schema,
            output_schema=self.output_schema,
            tags=self.tags,
            targets=self.targets,
            author=self.author,
            idempotent=self.idempotent,
            supports_pause=self.supports_pause,
            estimated_steps=len(self.steps),
        )


_COMPARED = tuple(name for name in Pipeline.__struct_fields__ if name != "required_tools")


def is_reference(text: str) -> bool:
    """Whether text refers to an input or to a step's result."""
    return _REFERENCE.fullmatch(text) is not None


def parse_binding(value: object) -> Binding:
    """A binding from what an author writes: text that starts with `$inputs` or `$step.` refers, all else is literal.

    `$$` at the start stands for one `$` of a literal. Raises ValueError for a `$` text that is neither.
    """
    if callable(value):
        return value
    if not isinstance(value, str) or not value.startswith("$"):
        return Literal(value)  # type: ignore[arg-type]
    if value.startswith("$$"):
        return Literal(value[1:])
    match = _REFERENCE.fullmatch(value)
    if match is None:
        message = f"{value!r} is no reference: write $inputs.field, $step.<id>.field, or $$ for a literal dollar"
        raise ValueError(message)
    inputs, step, rest = match.groups()
    path = tuple(rest.split(".")[1:])
    return Reference(Source.INPUTS, path) if inputs else Reference(Source.STEP, path, step)
