"""An entry's shape to its manifest and recipe, and the rules that one entry has to obey by itself."""

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import json

from prowess.documents.shapes.entries import (
    EntryShape,
    HttpOp,
    HttpPoint,
    LogicSkill,
    McpOp,
    OpShape,
    PipelineSkill,
    RedactionShape,
    ScriptOp,
    ScriptPoint,
    SkillShape,
    TargetShape,
)
from prowess.documents.steps import read_pipeline
from prowess.documents.text.findings import Findings
from prowess.documents.values import (
    Declared,
    EntryPoint,
    HttpEntry,
    McpEntry,
    Place,
    PythonEntry,
    ScriptEntry,
)
from prowess.errors import InvalidSchemaError, Problem
from prowess.model.json_value import is_object
from prowess.model.manifest import (
    Autonomy,
    Deprecation,
    FailureMode,
    Kind,
    Limits,
    Manifest,
    Redaction,
    RuntimeKind,
    Status,
    Target,
)
from prowess.model.manifest_parts import NO_LIMITS, NO_REDACTION
from prowess.model.pipeline import Pipeline
from prowess.model.plain_schema import is_plain
from prowess.model.schema import Schema

__all__ = ["Declaring", "SchemaProblems"]

SchemaProblems = Callable[[Schema], Sequence[Problem]]
"""Why a schema is of no use: it is illegal, reaches outside itself, or costs too much. Asked of those that are not
plain."""

_STATUS = {str(status): status for status in Status}
_AUTONOMY = {str(autonomy): autonomy for autonomy in Autonomy}
_JSON_PATH = re.compile(r"\$(?:\.[^\s.\[\]]+|\[(?:[0-9]+|\*|'[^']+')\])*")
_FIELD = re.compile(r"[^\s.\[\]$']+")
_FIRST = re.compile(r"\$\.([^\s.\[\]]+)")
_HOST = re.compile(r"https?://([^/?#]+)")
_RUNTIMES = {"python": RuntimeKind.NATIVE, **{str(kind): kind for kind in RuntimeKind}}
_ENCODE = json.Encoder().encode
_OPEN = frozenset({"$ref", "allOf", "anyOf", "if", "oneOf", "patternProperties"})


class Declaring:
    """Makes entries of shapes. Lives while one set of documents is read."""

    def __init__(self, findings: Findings, judge: SchemaProblems) -> None:
        self._findings = findings
        self._judge = judge

    def entry(self, shape: SkillShape | OpShape, file: str, at: Place) -> Declared:
        """The entry; what is wrong with it by itself goes to the findings."""
        self._check(shape, file, at)
        inputs = self._schema(shape.inputs_schema, file, (*at, "inputs_schema"), inputs=True)
        outputs = self._schema(shape.outputs_schema, file, (*at, "outputs_schema"))
        kind, runtime, targets, recipe = self._code(shape, (inputs, outputs), file, at)
        pipeline = recipe if isinstance(recipe, Pipeline) else None
        manifest = Manifest(
            name=shape.name,
            version=shape.version,
            description=shape.description,
            kind=kind,
            status=_STATUS[shape.status],
            input_schema=inputs,
            output_schema=outputs,
            tags=tuple(shape.tags),
            capabilities=tuple(shape.capabilities),
            side_effects=tuple(shape.side_effects),
            destructive=shape.destructive,
            idempotent=shape.idempotent,
            autonomy=_AUTONOMY[shape.autonomy],
            policy_tags=tuple(shape.policy_tags),
            targets=targets,
            failure_modes=tuple(
                [FailureMode(mode.code, mode.description, mode.retryable) for mode in shape.failure_modes]
            ),
            limits=_limits(shape),
            redaction=NO_REDACTION if shape.redaction is None else self._redaction(shape, shape.redaction, file, at),
            owners=tuple(shape.owners),
            author=shape.author,
            license=shape.license,
            deprecation=_deprecation(shape),
            estimated_steps=None if pipeline is None else len(pipeline.steps),
            supports_pause=pipeline is not None and pipeline.supports_pause,
            runtime=runtime,
            title=shape.title,
            examples=tuple(shape.examples),
        )
        return Declared(manifest=manifest, recipe=recipe, file=file, at=at)

    # -----------------------------------------------------------------------------------------------------------------

    def _code(
        self, shape: SkillShape | OpShape, schemas: tuple[Schema, Schema], file: str, at: Place
    ) -> tuple[Kind, RuntimeKind | None, tuple[Target, ...], EntryPoint | Pipeline]:
        """Kind, runtime and targets, and how it is carried out."""
        if isinstance(shape, LogicSkill):
            point = self._point(shape.entrypoint, file, (*at, "entrypoint"))
            targets = tuple([_target(target) for target in shape.call_targets])
            return Kind.LOGIC, _RUNTIMES[shape.entrypoint.runtime], targets, point
        if isinstance(shape, PipelineSkill):
            pipeline = read_pipeline(shape, schemas, self._findings, file, at)
            return Kind.PIPELINE, None, pipeline.targets, pipeline
        return Kind.OP, _RUNTIMES[shape.runtime], (), self._point(shape, file, at)

    def _point(self, point: object, file: str, at: Place) -> EntryPoint:
        if isinstance(point, HttpPoint | HttpOp):
            found = _HOST.match(point.url)
            own = () if found is None else (found[1].lower(),)
            return HttpEntry(point.url, point.method, tuple(dict.fromkeys((*own, *point.hosts))))
        if isinstance(point, ScriptPoint | ScriptOp):
            flags = point.flags
            words = tuple(flags.items()) if isinstance(flags, dict) else tuple(flags)
            return ScriptEntry(self._command(point.command, file, (*at, "command")), words)
        if isinstance(point, McpOp):
            server, slash, tool = point.tool.rpartition("/")
            return McpEntry(tool, server if slash else None)
        return PythonEntry(point.module, point.handler)  # type: ignore[attr-defined]

    def _command(self, command: str | list[str], file: str, at: Place) -> tuple[str, ...]:
        if isinstance(command, list):
            return tuple(command)
        try:
            return tuple(shlex.split(command))
        except ValueError as error:
            self._findings.error(file, at, "command", f"cannot be split into words: {error}", command)
            return ()

    def _schema(self, value: dict[str, object], file: str, at: Place, *, inputs: bool = False) -> Schema:
        try:
            schema = Schema(_ENCODE(value))
            problems: Sequence[Problem] = ()
            if not is_plain(schema):
                schema = Schema.of(value)
                problems = self._judge(schema)
        except (InvalidSchemaError, RecursionError) as error:
            message = error.message if isinstance(error, InvalidSchemaError) else "is nested too deeply"
            self._findings.error(file, at, "schema", message)
            return _ANYTHING
        for problem in problems:
            self._findings.error(file, at, problem.rule, f"cannot be used: {problem}")
        if inputs and value.get("type", "object") != "object":
            self._findings.error(file, (*at, "type"), "type", "must be object: inputs have names", value["type"])
        return schema

    def _check(self, shape: EntryShape, file: str, at: Place) -> None:
        findings = self._findings
        if shape.side_effects:
            self._check_effects(shape, file, at)
        if len(shape.failure_modes) > 1:
            self._check_codes([mode.code for mode in shape.failure_modes], file, (*at, "failure_modes"))
        elif not shape.failure_modes:
            findings.warning(file, (*at, "failure_modes"), "empty", f"'{shape.name}' says no way in which it may fail")
        if not shape.capabilities and not isinstance(shape, LogicSkill | PipelineSkill):
            findings.warning(file, (*at, "capabilities"), "empty", f"op '{shape.name}' says no right that it needs")
        if shape.status == "deprecated" or shape.deprecation is not None:
            self._check_deprecation(shape, file, (*at, "deprecation"))

    def _check_deprecation(self, shape: EntryShape, file: str, at: Place) -> None:
        if shape.deprecation is None:
            message = "is missing: the status is deprecated, so say what replaces it, or when it goes"
            self._findings.error(file, at, "required", message)
        elif shape.status == "enabled":
            message = f"'{shape.name}' has a deprecation, and its status is enabled: it runs without a warning"
            self._findings.warning(file, at, "status", message)

    def _check_codes(self, codes: list[str], file: str, at: Place) -> None:
        for place, code in enumerate(codes):
            if code in codes[:place]:
                self._findings.error(file, (*at, place, "code"), "unique", "is the code of another failure mode", code)

    def _check_effects(self, shape: EntryShape, file: str, at: Place) -> None:
        if isinstance(shape, PipelineSkill) and not shape.capabilities:
            return  # filled in later; looked at then
        for place, effect in enumerate(shape.side_effects):
            if effect not in shape.capabilities:
                where, message = (*at, "side_effects", place), "is none of its capabilities"
                self._findings.unknown(file, where, "subset", message, effect, shape.capabilities)

    def _redaction(self, shape: EntryShape, redaction: RedactionShape, file: str, at: Place) -> Redaction:
        given = redaction.inputs
        inputs = () if not given else self._paths(given, shape.inputs_schema, file, (*at, "redaction", "inputs"))
        given = redaction.outputs
        outputs = () if not given else self._paths(given, shape.outputs_schema, file, (*at, "redaction", "outputs"))
        return Redaction(inputs, outputs)

    def _paths(self, given: Iterable[str], schema: Mapping[str, object], file: str, at: Place) -> tuple[str, ...]:
        """JSON paths; a plain field name means the path of that field."""
        known = _declared_in(schema)
        paths: list[str] = []
        for place, text in enumerate(given):
            if known is not None and text in known and text.isidentifier():
                paths.append(f"$.{text}")
                continue
            path = f"$.{text}" if _FIELD.fullmatch(text) else text
            first = _FIRST.match(path)
            if not _JSON_PATH.fullmatch(path):
                message = "must be a field, or a JSON path: query, $.user.password, $.items[*].token"
                self._findings.error(file, (*at, place), "pattern", message, text)
            elif known is not None and first is not None and first[1] not in known:
                message = "names no field of the schema, so it would mask nothing"
                self._findings.unknown(file, (*at, place), "unknown", message, first[1], known)
            else:
                paths.append(path)
        return tuple(paths)


# ---------------------------------------------------------------------------------------------------------------------

_ANYTHING = Schema.of({"type": "object"})


def _target(target: TargetShape) -> Target:
    return Target(target.name, target.version, target.kind)


def _limits(shape: EntryShape) -> Limits:
    rate = shape.rate_limit
    if rate is None:
        return NO_LIMITS if shape.timeout is None else Limits(shape.timeout)
    return Limits(shape.timeout, rate.max_per_minute)


def _deprecation(shape: EntryShape) -> Deprecation | None:
    told = shape.deprecation
    return None if told is None else Deprecation(told.replaced_by, told.removal_version, told.migration)


def _declared_in(schema: Mapping[str, object]) -> Mapping[str, object] | None:
    """The fields that a schema lists; None where others may be there too."""
    properties = schema.get("properties")
    if not is_object(properties) or schema.keys() & _OPEN or schema.get("additionalProperties"):
        return None
    return properties
