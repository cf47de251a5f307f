"""A scan in few bytes, for the index and for the next scan, and back."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from prowess.catalog.kept import Kept, KeptSkill, keep
from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.found import Found, Refused, Scan
from prowess.catalog.packages.sources import Level, Source
from prowess.model.manifest import Manifest

__all__ = ["Trouble", "condense", "expand", "source_lines", "sources_of"]


class Trouble(Struct, frozen=True):
    """What of a scan is in no index, since it is told in words: little, as a rule. A value."""

    refused: tuple[Refused, ...] = ()
    broken: Mapping[str, tuple[Diagnostic, ...]] = {}
    """Why the SKILL.md at a path cannot be used now."""

    @classmethod
    def of(cls, scan: Scan) -> "Trouble":
        """The trouble of a scan."""
        return cls(scan.refused, {one.path: one.broken for one in scan.found if one.broken})


_NONE = Trouble()


def condense(root: str, scan: Scan, rows: Mapping[str, int]) -> Kept:
    """Keep what the next scan needs. `rows` has the position of each package's entry by the path of its SKILL.md."""
    places = {source: place for place, source in enumerate(scan.sources)}
    skills = [_kept(one, places[one.source], rows.get(one.path)) for one in scan.found]
    skills += [
        KeptSkill(path=one.path, facts=one.facts, source=0, depth=0, digest="", row=None, real="")
        for one in scan.refused
    ]
    return keep(root, scan.folders, skills, source_lines(scan.sources))


def expand(
    kept: Kept, sources: Sequence[Source], manifest_of: Callable[[int], Manifest], trouble: Trouble = _NONE
) -> Scan:
    """The scan that was kept, but for packages without an entry: these are read again.

    `manifest_of` gives the manifest of the entry at a position.
    """
    found = [
        _found(skill, sources[skill.source], manifest_of(skill.row), trouble.broken.get(skill.path, ()))
        for skill in kept.skills
        if skill.row is not None
    ]
    return Scan(sources=tuple(sources), found=tuple(found), refused=trouble.refused, folders=tuple(kept.folders))


def source_lines(sources: Iterable[Source]) -> list[str]:
    """A line for each source."""
    return [
        "\t".join((one.path, one.level, one.shown, one.namespace or "", one.named_by or "", one.label or ""))
        for one in sources
    ]


def sources_of(lines: Iterable[str]) -> tuple[Source, ...]:
    """The sources of these lines."""
    return tuple(_source(*line.split("\t")) for line in lines)


# ---------------------------------------------------------------------------------------------------------------------


def _kept(one: Found, place: int, row: int | None) -> KeptSkill:
    real = os.path.join(one.folder, one.file)
    return KeptSkill(
        path=one.path,
        facts=one.facts,
        source=place,
        depth=one.depth,
        digest=one.digest,
        row=row,
        real="" if real == one.path else real,
    )


def _found(skill: KeptSkill, source: Source, manifest: Manifest, broken: tuple[Diagnostic, ...]) -> Found:
    folder, file = os.path.split(skill.real or skill.path)
    local = manifest.name.rpartition("/")[2]
    return Found(
        folder=folder,
        file=file,
        path=skill.path,
        shown=source.shown_below(os.path.dirname(skill.path)),
        facts=skill.facts,
        digest=skill.digest,
        manifest=manifest if local == manifest.name else replace(manifest, name=local),
        source=source,
        depth=skill.depth,
        broken=broken,
    )


def _source(*columns: str) -> Source:
    path, level, shown, namespace, named_by, label = columns
    return Source(
        path=path,
        level=Level(level),
        shown=shown,
        namespace=namespace or None,
        named_by=named_by or None,
        label=label or None,
    )
