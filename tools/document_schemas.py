"""Write the JSON Schemas of registry documents that ship with the package, from their Pydantic models.

python -m tools.document_schemas
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prowess.documents.shapes.entries import OpRegistry, SkillRegistry
from prowess.documents.shapes.others import CapabilityRegistry, OverlayShape

if TYPE_CHECKING:
    from pydantic import BaseModel

FOLDER = Path(__file__).resolve().parent.parent / "src" / "prowess" / "documents" / "schemas"
MODELS: dict[str, type[BaseModel]] = {
    "skills": SkillRegistry,
    "ops": OpRegistry,
    "capabilities": CapabilityRegistry,
    "overlay": OverlayShape,
}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """Give the text of each schema by the kind of its documents."""
    return {kind: _text(kind) for kind in MODELS}


def _text(kind: str) -> str:
    schema: dict[str, Any] = MODELS[kind].model_json_schema(by_alias=True)
    if kind == "capabilities":  # a plain list of ids, by itself or inside, says the same
        item = {"anyOf": [{"type": "string"}, schema["properties"]["capabilities"]["items"]]}
        schema["properties"]["capabilities"]["items"] = item
        definitions = schema.pop("$defs")
        schema = {"anyOf": [schema, {"type": "array", "items": item}], "$defs": definitions}
    head = {"$schema": DIALECT, "title": f"Prowess: {kind}"}
    return (
        json.dumps(head | {key: _untitled(value) for key, value in schema.items() if key != "title"}, indent=2) + "\n"
    )


def _untitled(value: object) -> object:
    """Leave out the titles that only repeat a field's name."""
    if isinstance(value, dict):
        return {key: _untitled(item) for key, item in value.items() if key != "title" or not isinstance(item, str)}
    return [_untitled(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for kind, text in schemas().items():
        (FOLDER / f"{kind}.json").write_text(text, encoding="utf-8")
