"""Sources that are archives become the folders into which these were unpacked."""

import os

from msgspec.structs import replace

from prowess.catalog.listing import Diagnostic, one_line
from prowess.catalog.packages.archives.members import ArchiveError, ArchiveFault, ArchiveLimits
from prowess.catalog.packages.archives.unpacking import unpack
from prowess.catalog.packages.sources import Source, Sources

__all__ = ["unpacked"]


def unpacked(sources: Sources, cache: str, limits: ArchiveLimits, now_ns: int) -> Sources:
    """The same sources, each file among those that somebody named being unpacked; one that cannot be is left out."""
    found = replace(sources, sources=())
    for source in sources.sources:
        is_file = source.named_by is not None and os.path.lexists(source.path) and not os.path.isdir(source.path)
        found += _unpacked(source, cache, limits, now_ns) if is_file else Sources((source,))
    return found


# ---------------------------------------------------------------------------------------------------------------------


def _unpacked(source: Source, cache: str, limits: ArchiveLimits, now_ns: int) -> Sources:
    try:
        folder = unpack(source.path, cache, limits, now_ns)
    except ArchiveError as error:
        return Sources(diagnostics=tuple(_told(source, one) for one in error.faults), files=(source.path,))
    except OSError as error:
        place = "" if error.filename in {None, source.path} else f": {error.filename}"
        fault = ArchiveFault("unreadable", f"cannot be unpacked: {error.strerror}{place}")
        return Sources(diagnostics=(_told(source, fault),), files=(source.path,))
    return Sources((replace(source, path=folder),), files=(source.path,))


def _told(source: Source, fault: ArchiveFault) -> Diagnostic:
    return Diagnostic(code=fault.code, subject=source.shown, message=one_line(fault.message), path=source.shown)
