"""Skill and op documents."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from prowess.documents.shapes.words import (
    Capability,
    Constraint,
    Dotted,
    Host,
    Line,
    Method,
    Reference,
    RegistryVersion,
    SchemaObject,
    Semver,
    Shape,
    SnakeName,
    StepId,
    Text,
    Tool,
    Url,
    Word,
)

__all__ = [
    "EntryShape",
    "HttpOp",
    "HttpPoint",
    "LogicSkill",
    "McpOp",
    "NativeOp",
    "OpRegistry",
    "OpShape",
    "PipelineSkill",
    "PythonPoint",
    "ScriptOp",
    "ScriptPoint",
    "SkillRegistry",
    "SkillShape",
    "StepShape",
    "TargetShape",
]

Command: TypeAlias = Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)] | Text
Flags: TypeAlias = list[str] | dict[str, str]


class FailureModeShape(Shape):
    """A way in which an entry can fail."""

    code: SnakeName
    description: Text
    retryable: bool = False
    """Whether the same call may succeed later."""


class RateLimitShape(Shape):
    """How often an entry may be called."""

    max_per_minute: Annotated[int, Field(ge=1)]


class RedactionShape(Shape):
    """Fields, or JSON paths, whose values never leave the gate unmasked."""

    inputs: list[Line] = Field(default_factory=list)
    outputs: list[Line] = Field(default_factory=list)


class DeprecationShape(Shape):
    """An entry that will go."""

    deprecated: Literal[True]
    replaced_by: Reference | None = None
    """What to use instead: a name, or name@version."""
    removal_version: Semver | None = None
    """From this version of the name on it is refused."""
    migration: Text | None = None
    """How to change over, where `replaced_by` does not say enough."""


class TargetShape(Shape):
    """An entry that another one calls."""

    kind: Literal["skill", "op"]
    name: Reference
    version: Constraint | None = None
    """A version or a constraint; without it one version of the name has to be there."""


class EntryShape(Shape):
    """What skills and ops both say."""

    name: SnakeName
    version: Semver
    status: Literal["enabled", "disabled", "deprecated"]
    description: Text
    """What it does and when to use it."""
    inputs_schema: SchemaObject
    """The JSON Schema of the inputs."""
    outputs_schema: SchemaObject
    """The JSON Schema of the output."""
    capabilities: list[Capability]
    """The rights that a call needs."""
    autonomy: Literal["L0", "L1", "L2", "L3"]
    failure_modes: list[FailureModeShape]
    side_effects: list[Capability] = Field(default_factory=list)
    """Those of the capabilities that change something."""
    policy_tags: list[Word] = Field(default_factory=list)
    owners: list[Line] = Field(default_factory=list)
    rate_limit: RateLimitShape | None = None
    redaction: RedactionShape | None = None
    deprecation: DeprecationShape | None = None
    """Required where the status is `deprecated`."""
    tags: list[Line] = Field(default_factory=list)
    title: Line | None = None
    author: Line | None = None
    license: Line | None = None
    destructive: bool = False
    idempotent: bool = False
    timeout: Annotated[float, Field(gt=0)] | None = None
    """Seconds that a call may last."""
    examples: list[Text] = Field(default_factory=list)


class PythonPoint(Shape):
    """A function, imported from the project's folder at the first call."""

    runtime: Literal["python"]
    module: Dotted
    handler: Dotted


class HttpPoint(Shape):
    """An endpoint that takes the inputs as a JSON body."""

    runtime: Literal["http"]
    url: Url
    method: Method = "POST"
    hosts: list[Host] = Field(default_factory=list)
    """Hosts that it may reach besides its own."""


class ScriptPoint(Shape):
    """A program, started without a shell."""

    runtime: Literal["script"]
    command: Command
    flags: Flags = Field(default_factory=list)


class LogicSkill(EntryShape):
    """A skill whose code may call declared targets."""

    kind: Literal["logic"]
    entrypoint: Annotated[PythonPoint | HttpPoint | ScriptPoint, Field(discriminator="runtime")]
    call_targets: list[TargetShape]
    """All that the code may call; empty where it calls nothing."""


class StepShape(Shape):
    """One step of a pipeline."""

    id: StepId
    target: TargetShape
    inputs: dict[str, Any] | None = None
    """Each field of the target: `$inputs.field`, `$step.<earlier>.field`, or a value; without it the pipeline's own."""
    outputs: dict[str, str] | None = None
    """Each output field of the target: `$step.<this>.field` or `$outputs.field`; without it all are visible."""
    name: Line | None = None
    when: Text | None = None
    """A condition over `inputs` and `step`."""
    timeout: Annotated[float, Field(gt=0)] | None = None
    retries: Annotated[int, Field(ge=0)] = 0
    optional: bool = False
    on_error: StepId | None = None
    """The step to go on with."""
    foreach: Any = None
    concurrency: Annotated[int, Field(ge=1)] = 1
    parallel: Line | None = None
    """The group of neighbouring steps that may run side by side."""
    pause_before: bool = False


class PipelineSkill(EntryShape):
    """A skill of declared steps."""

    kind: Literal["pipeline"]
    capabilities: list[Capability] = Field(default_factory=list)
    """All that its steps need, all the way down; filled in where it is empty."""
    steps: list[StepShape]
    outputs: dict[str, Any] | None = None
    """Where each output field comes from, besides what steps say with `$outputs.field`."""
    required_tools: list[Reference] = Field(default_factory=list)
    """Entries that it needs besides those of its steps."""
    supports_pause: bool = False


SkillShape: TypeAlias = LogicSkill | PipelineSkill


class SkillRegistry(Shape):
    """A skill registry: `config/skill-registry.json`."""

    schema_: Annotated[str | None, Field(alias="$schema")] = None
    registry_version: RegistryVersion
    skills: list[Annotated[SkillShape, Field(discriminator="kind")]]


class NativeOp(EntryShape):
    """An op that is a function of a module."""

    runtime: Literal["native"]
    module: Dotted
    handler: Dotted


class HttpOp(EntryShape):
    """An op that is an endpoint."""

    runtime: Literal["http"]
    url: Url
    method: Method = "POST"
    hosts: list[Host] = Field(default_factory=list)


class ScriptOp(EntryShape):
    """An op that is a program."""

    runtime: Literal["script"]
    command: Command
    flags: Flags = Field(default_factory=list)


class McpOp(EntryShape):
    """An op that is a tool of an MCP server."""

    runtime: Literal["mcp"]
    tool: Tool


OpShape: TypeAlias = NativeOp | HttpOp | ScriptOp | McpOp


class OpRegistry(Shape):
    """An op registry: `config/op-registry.json`."""

    schema_: Annotated[str | None, Field(alias="$schema")] = None
    registry_version: RegistryVersion
    ops: list[Annotated[OpShape, Field(discriminator="runtime")]]
