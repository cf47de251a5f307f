from __future__ import annotations

from typing import Any

import pytest

from prowess.exposure import FORMATS, ToolCache
from prowess.exposure.a2a import SCHEMAS_EXTENSION, advertise
from prowess.exposure.mcp import WRAPPED, hints, is_wrapped, output_schema, structured_content
from prowess.model.manifest import Manifest, RuntimeKind
from prowess.model.schema import Schema

PARAMETERS = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
SEARCH = Manifest(name="acme/search", description="Search.", input_schema=Schema.of(PARAMETERS))
BARE = Manifest(name="3d", input_schema=Schema.of(PARAMETERS))
STRICT = {**PARAMETERS, "additionalProperties": False}


def one(name: str, manifest: Manifest, *, strict: bool = False) -> dict[str, Any]:
    """The only definition of a set."""
    (definition,) = ToolCache(FORMATS).get(name, [manifest], strict=strict).definitions
    return definition


@pytest.mark.behaviour("tools.openai-shape")
def test_openai_chat() -> None:
    """Spec: `{"type":"function","function":{"name","description","parameters"}}`, exactly."""
    assert one("openai", SEARCH) == {
        "type": "function",
        "function": {"name": "acme__search", "description": "Search.", "parameters": PARAMETERS},
    }
    assert one("openai", BARE) == {"type": "function", "function": {"name": "3d", "parameters": PARAMETERS}}
    assert one("openai", SEARCH, strict=True)["function"] == {
        "name": "acme__search",
        "description": "Search.",
        "parameters": STRICT,
        "strict": True,
    }


def test_openai_responses() -> None:
    """Spec: flat; `strict` is always said, as its absence makes every parameter required."""
    assert one("openai-responses", SEARCH) == {
        "type": "function",
        "name": "acme__search",
        "description": "Search.",
        "parameters": PARAMETERS,
        "strict": False,
    }
    assert one("openai-responses", BARE, strict=True) == {
        "type": "function",
        "name": "3d",
        "parameters": STRICT,
        "strict": True,
    }


def test_anthropic() -> None:
    """Spec: `name`, `description`, `input_schema`."""
    assert one("anthropic", SEARCH) == {"name": "acme__search", "description": "Search.", "input_schema": PARAMETERS}
    assert one("anthropic", BARE) == {"name": "3d", "input_schema": PARAMETERS}
    assert one("anthropic", BARE, strict=True) == {"name": "3d", "input_schema": STRICT, "strict": True}


def test_gemini() -> None:
    """Spec: `parameters_json_schema`; a name starts with a letter or an underscore."""
    assert one("gemini", SEARCH) == {
        "name": "acme__search",
        "description": "Search.",
        "parameters_json_schema": PARAMETERS,
    }
    assert one("gemini", BARE) == {"name": "_3d", "parameters_json_schema": PARAMETERS}


def test_mcp() -> None:
    """Spec: name, title, description, input and output schema, annotations; absent where there is nothing to say."""
    assert one("mcp", BARE) == {"name": "3d", "inputSchema": PARAMETERS}
    manifest = Manifest(
        name="acme/search",
        title="Search",
        description="Search.",
        input_schema=Schema.of(PARAMETERS),
        output_schema=Schema.of(PARAMETERS),
        idempotent=True,
    )
    assert one("mcp", manifest) == {
        "name": "acme__search",
        "title": "Search",
        "description": "Search.",
        "inputSchema": PARAMETERS,
        "outputSchema": PARAMETERS,
        "annotations": {"idempotentHint": True},
    }


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        (Manifest(name="a"), {}),
        (Manifest(name="a", capabilities=("notes.read", "mail.search")), {"readOnlyHint": True}),
        (Manifest(name="a", capabilities=("notes.write",)), {"destructiveHint": False}),
        (Manifest(name="a", capabilities=("notes.read",), side_effects=("writes a log",)), {"destructiveHint": False}),
        (Manifest(name="a", destructive=True), {"destructiveHint": True}),
        (Manifest(name="a", idempotent=True), {"idempotentHint": True}),
        (Manifest(name="a", capabilities=("web.read",)), {"readOnlyHint": True, "openWorldHint": True}),
        (Manifest(name="a", runtime=RuntimeKind.HTTP), {"openWorldHint": True}),
        (Manifest(name="a", runtime=RuntimeKind.NATIVE), {}),
    ],
)
def test_mcp_hints_are_given_only_with_reason(manifest: Manifest, told: dict[str, bool]) -> None:
    """Spec: annotations from capabilities and side effects."""
    assert hints(manifest) == told


def test_an_mcp_output_that_is_no_object_stands_in_one() -> None:
    """Choice: clients before 2026-07-28 take objects only, in the schema and in the content."""
    schema = Schema.of({"type": "array", "items": {"type": "string"}})
    assert is_wrapped(schema)
    assert output_schema(schema) == {
        "type": "object",
        "properties": {WRAPPED: {"type": "array", "items": {"type": "string"}}},
        "required": [WRAPPED],
    }
    assert structured_content(["a"], wrapped=True) == {WRAPPED: ["a"]}
    assert structured_content({"a": 1}, wrapped=False) == {"a": 1}
    assert not is_wrapped(Schema.of({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}))


def test_a_recursive_mcp_output_still_refers_to_itself() -> None:
    """Choice: what is moved under a key stays its own place for its references."""
    schema = Schema.of({"type": "array", "items": {"$ref": "#"}})
    wrapped = output_schema(schema)["properties"]
    assert wrapped == {WRAPPED: {"$id": "urn:prowess:output", "type": "array", "items": {"$ref": "#"}}}


@pytest.mark.behaviour("registry.advertise")
def test_an_entry_is_advertised_as_an_agent_skill() -> None:
    """Spec: A2A-shaped manifests, with schemas of inputs and outputs under a declared extension."""
    manifest = Manifest(
        name="acme/search",
        version="1.0.0",
        title="Search",
        description="Search.",
        tags=("notes",),
        examples=("find x",),
        input_schema=Schema.of({"$ref": "#/$defs/a", "$defs": {"a": PARAMETERS}}),
        output_schema=Schema.of({"type": "array"}),
    )
    assert advertise(manifest) == {
        "id": "acme/search",
        "name": "Search",
        "description": "Search.",
        "tags": ["notes"],
        "examples": ["find x"],
        "inputModes": ["application/json"],
        "outputModes": ["application/json", "text/plain"],
        SCHEMAS_EXTENSION: {"version": "1.0.0", "inputSchema": PARAMETERS, "outputSchema": {"type": "array"}},
    }
    assert advertise(BARE) == {
        "id": "3d",
        "name": "3d",
        "description": "",
        "tags": [],
        "inputModes": ["application/json"],
        "outputModes": ["application/json", "text/plain"],
        SCHEMAS_EXTENSION: {"inputSchema": PARAMETERS},
    }
