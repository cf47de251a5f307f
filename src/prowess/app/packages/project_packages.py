"""The packages of a project: where they are looked for, and taking them from its index while that holds."""

import sys
from collections.abc import Iterator, Mapping
from functools import partial

from prowess.app.catalogue.sections import SkillSettings
from prowess.app.packages.discovery import PackageCatalogue
from prowess.app.packages.folder_package import FolderPackage, handler_of
from prowess.app.packages.said import read_said
from prowess.catalog.index_file import Stored, cache_folder, home_of
from prowess.catalog.packages.condensed import expand, sources_of
from prowess.catalog.packages.sources import (
    Level,
    Source,
    Sources,
    named_sources,
    plugin_sources,
    project_sources,
    user_sources,
)
from prowess.catalog.packages.walk import Limits
from prowess.catalog.places import Place
from prowess.registry.entry import Entry

__all__ = ["enter_packages"]

_KEY = "project"
_NAMED_BY = "skills.paths"


def enter_packages(
    catalogue: PackageCatalogue,
    place: Place,
    settings: SkillSettings,
    environ: Mapping[str, str],
    stored: Stored | None,
) -> None:
    """Enter the packages of a project: from its index where that holds as a whole, else by looking for them."""
    catalogue.root = place.root
    catalogue.limits = Limits(
        max_depth=settings.max_depth, max_folders=settings.max_folders, max_files=settings.max_files
    )
    at = partial(_sources, place, settings, dict(environ))
    if stored is None:
        catalogue.discover(_KEY, at)
    elif stored.holds():
        entries = tuple(_entries(stored, catalogue))
        catalogue.restore(_KEY, at, stored.packages.copy(), entries, stored.about_packages)
    else:
        manifests = [read_said(line)[0] for line in stored.package_manifests()]
        sources = sources_of(stored.packages.sources)
        catalogue.discover(_KEY, at, expand(stored.packages, sources, manifests.__getitem__))


# ---------------------------------------------------------------------------------------------------------------------


def _entries(stored: Stored, catalogue: PackageCatalogue) -> Iterator[Entry]:
    """The entries of packages as an index has them, in their order."""
    levels = [source.level for source in sources_of(stored.packages.sources)]
    texts, door = catalogue.texts, catalogue.door
    for (path, place, digest), line in zip(stored.packages.entered, stored.package_manifests(), strict=True):
        manifest, source = read_said(line)
        package = FolderPackage(manifest, path, digest, levels[place], texts)
        yield Entry(manifest, handler_of(package), source, door)


def _sources(place: Place, settings: SkillSettings, environ: Mapping[str, str], now_ns: int) -> Sources:
    """Where a project's packages may be at a moment, what beats others first."""
    root, home = place.root, home_of(environ)
    if place.file is not None:
        return Sources()
    if place.collection:
        return Sources((Source(path=root, level=Level.PROJECT, shown="."),))
    user = user_sources(home, environ.get("XDG_CONFIG_HOME"), root) if settings.user else Sources()
    mine = {source.path for source in user.sources}
    project = project_sources(root, home, now_ns)
    project = Sources(tuple(one for one in project.sources if one.path not in mine), project.folders)
    found = project + _named(place, settings, environ, now_ns) + user
    found += plugin_sources(settings.plugins, root, home, now_ns)
    return found + _installed(now_ns) if settings.entry_points else found


def _named(place: Place, settings: SkillSettings, environ: Mapping[str, str], now_ns: int) -> Sources:
    """What `skills.paths` names, archives unpacked."""
    if not settings.paths:
        return Sources()
    from prowess.catalog.packages.archives.members import ArchiveLimits  # noqa: PLC0415 - zip and tar take 10 ms
    from prowess.catalog.packages.archives.places import unpacked  # noqa: PLC0415 - as above

    limits = ArchiveLimits(
        max_archive_files=settings.max_archive_files,
        max_archive_bytes=settings.max_archive_bytes,
        max_archive_ratio=settings.max_archive_ratio,
    )
    named = named_sources(settings.paths, place.root, home_of(environ), _NAMED_BY)
    return unpacked(named, cache_folder(environ, "archives"), limits, now_ns)


def _installed(now_ns: int) -> Sources:
    """What installed distributions bring."""
    from prowess.catalog.packages.installed import installed_sources  # noqa: PLC0415 - nobody else needs it

    return installed_sources(sys.path, now_ns)
