"""Tools that an outside executor runs: what the executor is, and manifests from any provider's definitions."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from types import MethodType
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from prowess.authoring.handler import Handler
from prowess.authoring.signature.style import Style, style_of
from prowess.errors import ConfigurationError, InvalidManifestError, InvalidSchemaError, Problem
from prowess.model.json_value import Json, is_object, json_type
from prowess.model.manifest import Manifest, RuntimeKind
from prowess.model.schema import ANYTHING, Schema

__all__ = ["OutsideTool", "ToolExecutor", "outside_tools"]

_INPUT_SPELLINGS = ("parameters", "input_schema", "inputSchema", "inputs_schema", "parameters_json_schema")
_OUTPUT_SPELLINGS = ("output_schema", "outputSchema", "outputs_schema")


class ToolExecutor(Protocol):
    """An outside system that runs tools by name."""

    async def execute(self, tool: str, input: Mapping[str, Json], /) -> object:  # noqa: A002 - the promised name
        """Run one tool and give its output."""
        ...


class OutsideTool(Struct, frozen=True):
    """One tool of an outside executor: small, since a host may bring a million."""

    executor: ToolExecutor
    name: str

    async def run(self, /, **inputs: Json) -> object:
        """Hand one call to the executor."""
        return await self.executor.execute(self.name, inputs)

    async def run_any(self, /, **inputs: Json) -> object:
        """The same where `execute` is no coroutine function: it may still give something to await, or its output."""
        outcome: object = self.executor.execute(self.name, inputs)
        return await outcome if inspect.isawaitable(outcome) else outcome


def outside_tools(
    executor: ToolExecutor, definitions: Iterable[Mapping[str, Any] | Manifest]
) -> Iterator[tuple[Manifest, Handler]]:
    """The tools of an executor, each from a manifest or from a definition as any provider spells it.

    One by one, so that whoever holds a million keeps together in memory what is looked up together. Raises
    `ConfigurationError` for what is no executor and, at the end, `InvalidManifestError` with every problem of all.
    """
    execute: object = getattr(executor, "execute", None)
    if not callable(execute):
        message = f"{type(executor).__name__} runs no tools: an executor has 'async def execute(tool, input)'"
        raise ConfigurationError(message)
    _check_many(definitions)
    run = OutsideTool.run if style_of(execute, None) is Style.COROUTINE else OutsideTool.run_any
    problems: list[Problem] = []
    for at, definition in enumerate(definitions):
        manifest, found = _manifest(definition)
        problems += [_of_tool(problem, manifest.name, at) for problem in found or manifest.problems(described=False)]
        yield manifest, Handler(call=MethodType(run, OutsideTool(executor, manifest.name)), style=Style.COROUTINE)
    if problems:
        message = "; ".join(problem.message for problem in problems)
        raise InvalidManifestError(message, details={"problems": tuple(problems)})


# ---------------------------------------------------------------------------------------------------------------------


def _check_many(definitions: object) -> None:
    kind = type(definitions)
    if not issubclass(kind, Iterable) or issubclass(kind, str | bytes | Mapping):
        raise ConfigurationError(f"the definitions are of type {kind.__name__}: give a list of them")


def _manifest(definition: object) -> tuple[Manifest, tuple[Problem, ...]]:
    """The manifest of a definition, and why it has none."""
    if isinstance(definition, Manifest):
        return definition, ()
    inner = definition.get("function") if is_object(definition) else None
    fields = inner if is_object(inner) else definition
    if not is_object(fields):
        message = "a definition is an object with a name, or a Manifest"
        return Manifest(name=""), (Problem(path="$", rule="type", message=message, type=json_type(definition)),)
    version = fields.get("version")
    given: dict[str, Any] = {
        "name": fields.get("name") or "",
        "version": str(version) if isinstance(version, int | float) else version,
        "description": fields.get("description") or "",
        "tags": fields.get("tags") or (),
        "capabilities": fields.get("capabilities") or (),
        "input_schema": _schema(fields, _INPUT_SPELLINGS, ANYTHING),
        "output_schema": _schema(fields, _OUTPUT_SPELLINGS, None),
    }
    return Manifest(runtime=RuntimeKind.NATIVE, **given), ()


def _schema(fields: Mapping[str, object], spellings: Iterable[str], default: Schema | None) -> object:
    """The schema under one of its names; what is none as it is, for the manifest to tell."""
    for key in spellings:
        value = fields.get(key)
        if is_object(value):
            try:
                return Schema.of(value)
            except InvalidSchemaError:
                return value
        if value is not None:
            return value
    return default


def _of_tool(problem: Problem, name: str, at: int) -> Problem:
    message = f"tool '{name}': {problem.message}" if name else f"tool {at + 1}: {problem.message}"
    return replace(problem, path=f"$[{at}]{problem.path[1:]}", message=message)
