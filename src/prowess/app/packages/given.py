"""A folder or archive that a caller named, as a place to look for packages in."""

import os
from difflib import get_close_matches
from itertools import islice

from prowess.app.packages.discovery import SourcesAt
from prowess.catalog.index_file import cache_folder
from prowess.catalog.packages.archives.members import ArchiveLimits
from prowess.catalog.packages.archives.places import unpacked
from prowess.catalog.packages.sources import Level, Source, Sources
from prowess.errors import NotFoundError
from prowess.model.names import check_name

__all__ = ["given_place"]


def given_place(path: str, label: str | None, namespace: str | None) -> SourcesAt:
    """The place that a path is. Raises `NotFoundError` where there is nothing, and for a namespace that is no name."""
    if namespace is not None:
        check_name(f"{namespace}/package")
    absolute = os.path.abspath(path)
    if not os.path.exists(absolute):
        raise _missing(absolute)
    source = Source(
        path=absolute,
        level=Level.PROJECT,
        shown=os.path.normpath(path),
        namespace=namespace,
        named_by="discover",
        label=label,
    )
    return lambda now_ns: unpacked(Sources((source,)), cache_folder(os.environ, "archives"), ArchiveLimits(), now_ns)


# ---------------------------------------------------------------------------------------------------------------------


def _missing(path: str) -> NotFoundError:
    above, name = os.path.split(path)
    while above and not os.path.isdir(above):
        above, name = os.path.split(above)
    there = [
        one for _, folders, files in islice(os.walk(above), 1) for one in (*folders, *files)
    ]  # none if not readable
    near = get_close_matches(name, there, 1)
    hint = f", did you mean '{os.path.join(above, near[0])}'?" if near else ": give a folder or a zip or tar archive"
    return NotFoundError(f"there is nothing at {path}{hint}", details={"name": path, "near": tuple(near)})
