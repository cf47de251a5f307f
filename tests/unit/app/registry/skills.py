"""The entries that the tests of the registry share."""

from collections.abc import Mapping

from prowess import (
    BaseSkill,
    Manifest,
    Registry,
    Services,
    op,
    skill,
)


@op(tags=["notes"], capabilities=["notes.read"])
async def search_index(query: str, limit: int = 10) -> list[str]:
    """Search the note index."""
    return [query] * limit


@skill(version="1.2.0", calls=["search_index"])
async def search_notes(query: str) -> str:
    """Search the vault. Use when the user asks about their notes."""
    return query


class Shout(BaseSkill):
    """A skill written as a class."""

    def __init__(self, services: Services | None = None) -> None:
        super().__init__("shout", "Say it loudly.", {"type": "object", "properties": {"text": {"type": "string"}}})
        self.services = services

    async def execute(self, **inputs: object) -> object:
        """Give the text in capitals."""
        return str(inputs["text"]).upper()


class Whisper:
    """A skill that inherits nothing."""

    name = "whisper"
    description = "Say it softly."
    parameters: Mapping[str, object] = {"type": "object", "properties": {"text": {"type": "string"}}}

    async def execute(self, **inputs: object) -> object:
        """Give the text in small letters."""
        return str(inputs["text"]).lower()


class Unused:
    """An outside executor that nobody calls."""

    async def execute(self, tool: str, inputs: Mapping[str, object], /) -> object:
        """Run a tool."""
        raise NotImplementedError(tool)


def versioned(*versions: str, name: str = "search", id: str | None = None) -> Registry:  # noqa: A002 - as in Manifest
    """A registry that holds one skill in these versions."""
    registry = Registry()
    for version in versions:
        registry.register_factory(
            name, lambda _: Whisper(), manifest=Manifest(name=name, version=version, description=version, id=id)
        )
    return registry
