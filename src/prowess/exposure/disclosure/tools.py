"""The four tools that disclose packages: what they say about themselves."""

from collections.abc import Mapping

from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest, RuntimeKind
from prowess.model.schema import Schema

__all__ = ["ACTIVATE", "BYTES_BY_DEFAULT", "FOUND_BY_DEFAULT", "LIST", "READ", "SEARCH", "TOOLS"]

FOUND_BY_DEFAULT = 10
"""How many entries `search_skills` gives where it is not told."""
BYTES_BY_DEFAULT = 65_536
"""How many bytes of text `read_skill_resource` gives where it is not told."""

_MOST_FOUND = 50
_MOST_BYTES = 262_144
_LONGEST_CHARACTER = 4
_TEXT: Json = {"type": "string"}
_TEXTS: Json = {"type": "array", "items": {"type": "string"}}
_COUNT: Json = {"type": "integer", "minimum": 0}
_TRUE: Json = {"type": "boolean"}


def _object(properties: dict[str, Json], *required: str) -> dict[str, Json]:
    needed: list[Json] = [*required]
    closed: dict[str, Json] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**closed, "required": needed} if needed else closed


def _rows(properties: dict[str, Json], *required: str) -> Json:
    return {"type": "array", "items": _object(properties, *required)}


def _described(kind: Json, text: str) -> Json:
    return {**kind, "description": text} if isinstance(kind, dict) else kind


def _tool(name: str, title: str, right: str, description: str, schemas: tuple[Mapping[str, Json], ...]) -> Manifest:
    """One tool. It only reads, and calling it again changes nothing."""
    inputs, output = schemas
    return Manifest(
        name=name,
        title=title,
        description=description,
        kind=Kind.OP,
        runtime=RuntimeKind.NATIVE,
        input_schema=Schema.of(inputs),
        output_schema=Schema.of(output),
        tags=("skills",),
        capabilities=(right,),
        idempotent=True,
    )


_ROW: dict[str, Json] = {"name": _TEXT, "description": _TEXT, "version": _TEXT}

LIST = _tool(
    "list_skills",
    "List skills",
    "skills.list",
    "List the skills there are: the name of each and when to use it. Before you work on a task that one of them is "
    "for, open it with activate_skill.",
    (
        _object(
            {
                "query": _described(
                    _TEXT, "What you are about to do: where not all fit, what is nearest to it is kept."
                ),
                "budget": {"type": "integer", "minimum": 1, "description": "About how many tokens the list may take."},
                "after": _described(_TEXT, "The 'next' of the list before, to go on where it ended."),
            }
        ),
        _object(
            {
                "skills": _rows(_ROW, "name"),
                "left_out": _object({"count": _COUNT, "names": _TEXTS, "descriptions": _COUNT}),
                "next": _TEXT,
            },
            "skills",
        ),
    ),
)

SEARCH = _tool(
    "search_skills",
    "Search skills",
    "skills.search",
    "Find skills and tools by what they are for, best first, and why each was found. One of kind 'package' is opened "
    "with activate_skill; any other is a tool, to be called by its name.",
    (
        _object(
            {
                "query": {"type": "string", "minLength": 1, "description": "What you want to do, in a few words."},
                "k": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MOST_FOUND,
                    "default": FOUND_BY_DEFAULT,
                    "description": "How many at most.",
                },
                "tags": _described(_TEXTS, "Only what has all of these tags."),
            },
            "query",
        ),
        _object(
            {
                "skills": _rows(
                    {**_ROW, "kind": _TEXT, "score": {"type": "number"}, "why": _TEXTS}, "name", "kind", "why"
                )
            },
            "skills",
        ),
    ),
)

ACTIVATE = _tool(
    "activate_skill",
    "Activate a skill",
    "skills.read",
    "Open a skill: its instructions, and the keys of the resources that it brings, which read_skill_resource reads. "
    "Follow the instructions for the task that the skill is for.",
    (
        _object(
            {
                "name": _described(_TEXT, "The skill's name, as list_skills gives it."),
                "again": {
                    "type": "boolean",
                    "default": False,
                    "description": "Give instructions again that you were given and no longer see.",
                },
            },
            "name",
        ),
        _object(
            {"instructions": _TEXT, "resources": _TEXTS, "already_active": _TRUE, "changed": _TRUE},
            "instructions",
            "resources",
        ),
    ),
)

READ = _tool(
    "read_skill_resource",
    "Read a skill's resource",
    "skills.read",
    "Read a resource of a skill that you have activated: its text, in parts where it is long; of one that is no text, "
    "its type, size and hash.",
    (
        _object(
            {
                "skill": _described(_TEXT, "The skill's name, as you activated it."),
                "key": _described(_TEXT, "The resource's key, as activate_skill listed it."),
                "start": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 0,
                    "description": "The byte to begin at: the 'next' of the part before.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": _LONGEST_CHARACTER,
                    "maximum": _MOST_BYTES,
                    "default": BYTES_BY_DEFAULT,
                    "description": "How many bytes of text at most.",
                },
            },
            "skill",
            "key",
        ),
        _object(
            {
                "text": _TEXT,
                "start": _COUNT,
                "end": _COUNT,
                "next": _COUNT,
                "mime_type": _TEXT,
                "size_bytes": _COUNT,
                "sha256": _TEXT,
            }
        ),
    ),
)

TOOLS = (ACTIVATE, LIST, READ, SEARCH)
"""All four, sorted by name."""
