"""What a scan finds."""

from msgspec import Struct

from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.sources import Source
from prowess.catalog.walked import Folder
from prowess.model.manifest import Manifest

__all__ = ["NOTHING", "FileFacts", "Found", "Refused", "Scan"]

FileFacts = tuple[int, int, int, int]
"""When a file's bytes changed in ns since the epoch, its size, its inode, and when that changed."""


class Found(Struct, frozen=True, kw_only=True, gc=False):
    """A package whose SKILL.md can be used. A value."""

    folder: str
    """Where its files are, absolute."""
    file: str
    """The name of its SKILL.md."""
    path: str
    """The SKILL.md as it was found: another place than its folder's where that is a link."""
    shown: str
    """Its folder as entries show it."""
    facts: FileFacts
    digest: str
    """The SHA-256 of its SKILL.md."""
    manifest: Manifest
    """Under its own name, without a namespace."""
    source: Source
    depth: int
    """How far below its source's folder it was found."""
    broken: tuple[Diagnostic, ...] = ()
    """What is wrong with its SKILL.md now, where this is the last version that could be used."""


class Refused(Struct, frozen=True, gc=False):
    """A SKILL.md that cannot be used. A value."""

    path: str
    facts: FileFacts
    diagnostics: tuple[Diagnostic, ...]


class Scan(Struct, frozen=True, kw_only=True):
    """All that one look at the sources found. A value; the next scan starts from it."""

    sources: tuple[Source, ...] = ()
    found: tuple[Found, ...] = ()
    """The one that beats others of its name comes first."""
    refused: tuple[Refused, ...] = ()
    folders: tuple[Folder, ...] = ()
    """Every folder that decides what is found."""
    diagnostics: tuple[Diagnostic, ...] = ()


NOTHING = Scan()
