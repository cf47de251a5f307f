"""What a project holds as a listing, kept in its index for commands that need no more."""

import os
from collections.abc import Mapping

from prowess.app.json_text import encode_json
from prowess.app.packages.said import written_said
from prowess.app.project import Project
from prowess.catalog import index_file
from prowess.catalog.listing import Listing, Row, one_line
from prowess.model.manifest_json import manifest_to_json
from prowess.registry.entry import Entry

__all__ = ["entry_json", "entry_text", "keep_listing", "make_listing"]


def entry_json(entry: Entry) -> dict[str, object]:
    """An entry as commands and the HTTP API show it: its manifest, with what decides most at hand, and its source."""
    manifest = entry.manifest
    always = {
        "name": manifest.name,
        "version": manifest.version,
        "description": manifest.description,
        "kind": manifest.kind,
        "status": manifest.status,
        "autonomy": manifest.autonomy,
        "input_schema": manifest.input_schema.value(),
    }
    return {**always, **manifest_to_json(manifest), "source": entry.source}


def entry_text(entry: Entry) -> str:
    """The same as JSON text on one line."""
    return (written_said(entry) or encode_json(entry_json(entry))).decode()


def make_listing(project: Project) -> Listing:
    """Everything that a project holds, sorted by name and version."""
    entries = list(project.registry)
    latest = project.registry.holdings.index.latest
    rows = [_row(entry, latest=latest.get(entry.name) is entry) for entry in entries]
    return Listing(project.name, rows, [entry_text(entry) for entry in entries], project.diagnostics)


def keep_listing(project: Project, environ: Mapping[str, str] = os.environ) -> Listing:
    """The listing, written to the project's index where it has one and the file system lets us."""
    listing = make_listing(project)
    files = [*project.files, *project.passed_over]
    watched = index_file.watch(project.place.root, files, project.folders, project.absent)
    packages = project.registry.packages
    rows = {id(entry): position for position, entry in enumerate(project.registry)}
    if watched is not None and all(id(entry) in rows for entry in packages.entries):  # nobody took one out
        watched.packages = packages.kept
        watched.package_rows = [rows[id(entry)] for entry in packages.entries]
        watched.about_packages = frozenset(packages.diagnostics)
        index_file.write(project.place, environ, listing, watched, project.opened_ns)
    return listing


# ---------------------------------------------------------------------------------------------------------------------


def _row(entry: Entry, *, latest: bool) -> Row:
    manifest = entry.manifest
    first = manifest.description.strip().partition("\n")[0]
    return Row(
        name=manifest.name,
        version=manifest.version or "",
        kind=manifest.kind,
        status=manifest.status,
        latest=latest,
        source=entry.source,
        tags=manifest.tags,
        summary=one_line(first),
    )
