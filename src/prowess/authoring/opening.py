"""What calling a package's entry gives, and what else an opened package may hold besides text and bytes."""

from collections.abc import Awaitable
from contextvars import ContextVar
from typing import Protocol, runtime_checkable

from msgspec import Struct

from prowess.authoring.skill import LoadedPackage
from prowess.model.schema import Schema

__all__ = ["OPENED", "PACKAGE_OUTPUT", "CommandOutput", "Readable", "opened"]

PACKAGE_OUTPUT = Schema.of(
    {
        "type": "object",
        "properties": {
            "instructions": {"type": "string"},
            "resources": {"type": "array", "items": {"type": "string"}, "description": "The keys of its resources."},
        },
        "required": ["instructions", "resources"],
    }
)

OPENED: ContextVar[LoadedPackage | None] = ContextVar("OPENED", default=None)
"""The package that the last call of a package's entry opened in this task: a call's output is JSON and holds keys only,
and whoever activates a package keeps what the keys stand for."""


class CommandOutput(Struct, frozen=True):
    """A resource that a command prints. It is listed; running it needs a sandbox."""

    command: tuple[str, ...]


@runtime_checkable
class Readable(Protocol):
    """A resource of any kind: `read()` gives its text or bytes, each time that somebody asks."""

    def read(self) -> Awaitable[str | bytes]:
        """All of it."""
        ...


def opened(package: object) -> object:
    """What the gate gives for a package that was opened: its instructions, and the keys of its resources, sorted."""
    if not isinstance(package, LoadedPackage):
        return package
    OPENED.set(package)
    return {"instructions": package.instructions, "resources": package.resource_keys()}
