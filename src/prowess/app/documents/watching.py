"""Which folders tell, by changing, that a registry's documents may have changed."""

import os
from collections.abc import Iterator

from prowess.app.documents.catalogue import DocumentCatalogue
from prowess.app.documents.folder import DOCUMENTS, places_of

__all__ = ["places_of_documents"]


def places_of_documents(catalogue: DocumentCatalogue) -> frozenset[tuple[str, str]]:
    """Each folder to watch, with the names in it that count: `*.yaml` stands for all that end so."""
    return frozenset(place for config in catalogue.places for place in _places(config))


# ---------------------------------------------------------------------------------------------------------------------


def _places(config: str) -> Iterator[tuple[str, str]]:
    root, overlays = places_of(config)
    yield root, os.path.basename(config)
    if os.path.isdir(config):
        yield from ((config, name) for name in DOCUMENTS)
    for folder in overlays:
        if os.path.isdir(folder):
            yield from ((folder, "*.yaml"), (folder, "*.yml"))
        above, name = os.path.split(folder)
        if os.path.isdir(above):
            yield above, name
