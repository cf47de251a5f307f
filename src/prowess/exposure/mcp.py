"""MCP's tools, and the structured content that belongs to their output schemas."""

from prowess.model.json_value import Json
from prowess.model.manifest import Manifest, RuntimeKind
from prowess.model.schema import Schema
from prowess.model.tool_schema import inlined_schema

__all__ = ["WRAPPED", "hints", "is_wrapped", "output_schema", "structured_content", "tool"]

WRAPPED = "result"
"""The key under which an output stands that is no object: clients before 2026-07-28 take objects only."""

_OWN_ID = "urn:prowess:output"
_READING = frozenset({"describe", "find", "get", "list", "query", "read", "search", "show", "view"})
_OPEN_WORLD = frozenset({"email", "http", "network", "web"})


def tool(manifest: Manifest, name: str, input_schema: dict[str, object], *, strict: bool) -> dict[str, object]:
    """One element of a `tools/list` result."""
    del strict
    told: dict[str, object] = {"name": name}
    if manifest.title:
        told["title"] = manifest.title
    if manifest.description:
        told["description"] = manifest.description
    told["inputSchema"] = input_schema
    if manifest.output_schema is not None:
        told["outputSchema"] = output_schema(manifest.output_schema)
    told_of = hints(manifest)
    return {**told, "annotations": told_of} if told_of else told


def hints(manifest: Manifest) -> dict[str, bool]:
    """What a client may be told about a tool's effects: hints, and only those that the manifest gives reason for."""
    verbs = {capability.rpartition(".")[2] for capability in manifest.capabilities}
    domains = {capability.partition(".")[0] for capability in manifest.capabilities}
    changes = bool(manifest.side_effects) or manifest.destructive
    found: dict[str, bool] = {}
    if verbs and verbs <= _READING and not changes:
        found["readOnlyHint"] = True
    elif verbs or changes:
        found["destructiveHint"] = manifest.destructive
    if manifest.idempotent:
        found["idempotentHint"] = True
    if domains & _OPEN_WORLD or manifest.runtime in {RuntimeKind.HTTP, RuntimeKind.MCP}:
        found["openWorldHint"] = True
    return found


def output_schema(schema: Schema) -> dict[str, object]:
    """The schema of what `structured_content` gives."""
    value = inlined_schema(schema)
    if value.get("type") == "object":
        return value
    own = {"$id": _OWN_ID} if b'"$ref"' in schema.text else {}  # what it refers to stays its own place
    return {"type": "object", "properties": {WRAPPED: {**own, **value}}, "required": [WRAPPED]}


def is_wrapped(schema: Schema) -> bool:
    """Whether outputs of this schema stand under a key; a server asks once for each tool, not for each call."""
    return inlined_schema(schema).get("type") != "object"


def structured_content(output: Json, *, wrapped: bool) -> Json:
    """A call's output as its tool's output schema announced it."""
    return {WRAPPED: output} if wrapped else output
