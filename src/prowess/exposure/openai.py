"""OpenAI's tools: functions for Chat Completions and for Responses."""

from prowess.model.manifest import Manifest
from prowess.model.strict_schema import StrictRules

__all__ = ["STRICT_RULES", "chat_tool", "responses_tool"]

STRICT_RULES = StrictRules(
    keywords=frozenset(
        {
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "maxItems",
            "maximum",
            "minItems",
            "minimum",
            "multipleOf",
            "pattern",
        }
    ),
    formats=frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}),
    optional=False,
    recursion=True,
    most_nested=10,
    most_properties=5_000,
    most_enum_values=1_000,
)
"""What Structured Outputs documents as supported."""


def chat_tool(manifest: Manifest, name: str, parameters: dict[str, object], *, strict: bool) -> dict[str, object]:
    """One element of `tools` in a Chat Completions request."""
    function = {**_function(manifest, name, parameters), **({"strict": True} if strict else {})}
    return {"type": "function", "function": function}


def responses_tool(manifest: Manifest, name: str, parameters: dict[str, object], *, strict: bool) -> dict[str, object]:
    """One element of `tools` in a Responses request.

    `strict` is always said: where it is absent, Responses makes a schema strict by itself and every optional
    parameter a required one.
    """
    return {"type": "function", **_function(manifest, name, parameters), "strict": strict}


def _function(manifest: Manifest, name: str, parameters: dict[str, object]) -> dict[str, object]:
    described = {"description": manifest.description} if manifest.description else {}
    return {"name": name, **described, "parameters": parameters}
