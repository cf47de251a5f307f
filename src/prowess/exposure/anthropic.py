"""Anthropic's tools for the Messages API."""

import re

from prowess.errors import Problem
from prowess.model.json_value import is_object, json_path
from prowess.model.manifest import Manifest
from prowess.model.strict_schema import StrictRules

__all__ = ["STRICT_BUDGET", "STRICT_RULES", "refusals", "tool"]

STRICT_RULES = StrictRules(
    keywords=frozenset({"default", "format", "minItems", "pattern"}),
    formats=frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"}),
    optional=True,
    recursion=False,
    most_items_required=1,
)
"""What strict tool use documents as supported."""

STRICT_BUDGET = (20, 24, 16)
"""The strict tools, the optional properties and the places of several types that one request may have."""

_PROPERTY_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def tool(manifest: Manifest, name: str, input_schema: dict[str, object], *, strict: bool) -> dict[str, object]:
    """One element of `tools` in a Messages request."""
    described = {"description": manifest.description} if manifest.description else {}
    return {"name": name, **described, "input_schema": input_schema, **({"strict": True} if strict else {})}


def refusals(input_schema: dict[str, object]) -> tuple[Problem, ...]:
    """Why the API would refuse a whole request for this one tool: it takes only some names for top-level inputs."""
    properties = input_schema.get("properties")
    names = properties if is_object(properties) else ()
    return tuple(
        Problem(
            path=json_path(["properties", name]),
            rule="property-name",
            message="has a name that is not 1 to 64 of the characters a-z, A-Z, 0-9, '_', '.' and '-'",
        )
        for name in names
        if not _PROPERTY_NAME.fullmatch(name)
    )
