"""What documents come to: values that know nothing of the registry, nor of who governs."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from prowess.errors import DocumentProblem
from prowess.model.manifest import Manifest
from prowess.model.pipeline import Pipeline

__all__ = [
    "Allowed",
    "Declared",
    "DeclaredCapability",
    "Document",
    "DocumentKind",
    "EntryPoint",
    "HttpEntry",
    "Loaded",
    "McpEntry",
    "Place",
    "PythonEntry",
    "ScriptEntry",
    "Surroundings",
    "Unavailable",
]

Place: TypeAlias = tuple[str | int, ...]
"""Where in a document: `("skills", 0, "steps", 2)`."""


class DocumentKind(StrEnum):
    """What a document is about."""

    SKILLS = "skills"
    OPS = "ops"
    CAPABILITIES = "capabilities"
    OVERLAY = "overlay"


class Document(Struct, frozen=True, kw_only=True):
    """One document, as it was read from a disk or made."""

    kind: DocumentKind
    file: str
    """What problems call it: `config/skill-registry.json`."""
    data: bytes
    may_raise: bool = True
    """Whether an overlay may lift autonomy: the repository's may, a user's may not."""


class PythonEntry(Struct, frozen=True):
    """A function of a module that is imported from the project's folder at the first call."""

    module: str
    handler: str


class HttpEntry(Struct, frozen=True):
    """An endpoint that takes the inputs as a JSON body."""

    url: str
    method: str = "POST"
    hosts: tuple[str, ...] = ()
    """The hosts that it may reach, its own among them."""


class ScriptEntry(Struct, frozen=True):
    """A program, started without a shell."""

    command: tuple[str, ...]
    flags: tuple[str | tuple[str, str], ...] = ()
    """Further words of the command, or pairs of an input and the flag that hands it on."""


class McpEntry(Struct, frozen=True):
    """A tool of an MCP server; without a server it is that of the one that is configured."""

    tool: str
    server: str | None = None


EntryPoint: TypeAlias = PythonEntry | HttpEntry | ScriptEntry | McpEntry


class Declared(Struct, frozen=True, kw_only=True):
    """An entry as a document declares it."""

    manifest: Manifest
    recipe: EntryPoint | Pipeline
    file: str
    at: Place


class DeclaredCapability(Struct, frozen=True, kw_only=True):
    """A right that a project declares."""

    id: str
    description: str = ""
    risk: str | None = None
    implies: tuple[str, ...] = ()


class Allowed(Struct, frozen=True):
    """The channels and actors from which an overlay lets an entry be called; None asks nothing."""

    channels: tuple[str, ...] | None = None
    actors: tuple[str, ...] | None = None


class Unavailable(Struct, frozen=True):
    """An entry that cannot run since something that it needs was switched off."""

    name: str
    reference: str
    reason: str


class Loaded(Struct, frozen=True, kw_only=True):
    """All that a set of documents says."""

    entries: tuple[Declared, ...] = ()
    changed: tuple[Manifest, ...] = ()
    """The manifests of entries from elsewhere, as overlays have changed them."""
    capabilities: tuple[DeclaredCapability, ...] | None = None
    """None where no document declares any."""
    allowed: Mapping[str, Allowed] = {}
    """By `name@version`."""
    unavailable: tuple[Unavailable, ...] = ()
    warnings: tuple[DocumentProblem, ...] = ()


class Surroundings(Protocol):
    """The entries that documents may name besides their own: those that code has registered."""

    @property
    def names(self) -> Sequence[str]:
        """Every name."""
        ...

    def versions(self, name: str) -> Sequence[Manifest]:
        """Every version of a name, lowest first."""
        ...
