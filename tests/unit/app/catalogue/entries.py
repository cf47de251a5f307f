"""The entries that the tests of searching share."""

from collections.abc import Callable, Mapping

from prowess import Manifest, Registry
from prowess.app.catalogue.options import SearchOptions
from prowess.model.manifest import Kind, Status
from prowess.registry.entry import Entry


class Unused:
    """An outside executor that nobody calls."""

    async def execute(self, tool: str, inputs: Mapping[str, object], /) -> object:
        """Run a tool."""
        raise NotImplementedError(tool)


def manifest(name: str, description: str = "", **fields: object) -> Manifest:
    """A manifest of a made-up entry."""
    tags = fields.get("tags", ())
    version = fields.get("version")
    assert isinstance(tags, tuple)
    assert version is None or isinstance(version, str)
    kind, status = Kind(str(fields.get("kind", "op"))), Status(str(fields.get("status", "enabled")))
    return Manifest(name=name, description=description, tags=tags, version=version, kind=kind, status=status)


def add(registry: Registry, *manifests: Manifest, source: str = "tools", replace: bool = False) -> None:
    """Register made-up entries."""
    registry.register_tools(Unused(), manifests, source=source, replace=replace)


def catalogue(options: SearchOptions | None = None) -> Registry:
    """A registry with five entries."""
    registry = Registry()
    if options is not None:
        registry.search_options = options
    add(
        registry,
        manifest("search_notes", "Find notes. Use when the user asks about notes.", tags=("notes",), kind="logic"),
        manifest("write_note", "Write a new note.", tags=("notes",), version="1.2.0"),
        manifest("get_weather", "Tell the weather of a town.", tags=("sky",)),
        manifest("old_notes", "Search the notes as it was done before.", status="disabled", tags=("notes",)),
    )
    add(registry, manifest("acme/refund", "Refund an order.", status="deprecated"), source="acme")
    return registry


def names(registry: Registry, query: str, k: int = 5) -> list[str]:
    """The names that are found."""
    return [hit.name for hit in registry.search(query, k)]


def counting(reads: list[str], text: str) -> Callable[[], str]:
    """A body that tells when it is read."""

    def read() -> str:
        reads.append(text)
        return text

    return read


def reference(entry: Entry) -> str:
    """What an entry is called."""
    return entry.manifest.reference
