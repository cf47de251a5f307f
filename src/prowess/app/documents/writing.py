"""Pipelines that code has built, written out as documents."""

from collections.abc import Iterable

from prowess.documents.writing import pipeline_document, skill_registry
from prowess.errors import InvalidManifestError
from prowess.model.manifest import Target
from prowess.model.pipeline import Pipeline
from prowess.registry.entry import Entry
from prowess.registry.holdings import Holdings

__all__ = ["write_pipelines"]


def write_pipelines(entries: Iterable[Entry], holdings: Holdings) -> bytes:
    """A skill registry with these pipelines, as JSON text.

    Raises `InvalidManifestError` for an entry that is no pipeline, and for what only code can say.
    """

    def kind_of(target: Target) -> str | None:
        found = holdings.find(target.name, target.version)
        return None if found is None else "skill" if found.manifest.is_skill else "op"

    written: list[dict[str, object]] = []
    for entry in entries:
        if not isinstance(entry.recipe, Pipeline):
            message = f"'{entry.name}' is code: only a pipeline can be written out as a document"
            raise InvalidManifestError(message, details={"name": entry.name})
        written.append(pipeline_document(entry.recipe, entry.manifest, kind_of))
    return skill_registry(written)
