"""A2A's agent skills: how an entry is advertised on an agent card."""

from prowess.model.manifest import Manifest
from prowess.model.tool_schema import inlined_schema

__all__ = ["SCHEMAS_EXTENSION", "advertise"]

SCHEMAS_EXTENSION = "urn:prowess:a2a:schemas:v1"
"""The extension under which an agent card declares them; A2A itself knows neither versions nor schemas."""

_JSON = "application/json"
_TEXT = "text/plain"


def advertise(manifest: Manifest) -> dict[str, object]:
    """An entry as one `AgentSkill`, its version and schemas under the key of our extension."""
    about: dict[str, object] = {"version": manifest.version} if manifest.version else {}
    about["inputSchema"] = inlined_schema(manifest.input_schema)
    if manifest.output_schema is not None:
        about["outputSchema"] = inlined_schema(manifest.output_schema)
    skill: dict[str, object] = {
        "id": manifest.name,
        "name": manifest.title or manifest.name,
        "description": manifest.description,
        "tags": list(manifest.tags),
        "inputModes": [_JSON],
        "outputModes": [_JSON, _TEXT],
        SCHEMAS_EXTENSION: about,
    }
    return {**skill, "examples": list(manifest.examples)} if manifest.examples else skill
