"""Capability documents and overlays."""

from typing import Annotated, Literal

from pydantic import Field

from prowess.documents.shapes.entries import RateLimitShape
from prowess.documents.shapes.words import Capability, Line, Reference, RegistryVersion, Shape, Text

__all__ = ["CapabilityRegistry", "CapabilityShape", "ChangeShape", "OverlayShape"]


class CapabilityShape(Shape):
    """A right."""

    id: Capability
    description: Text | None = None
    risk: Literal["low", "medium", "high", "critical"] | None = None
    implies: list[Capability] = Field(default_factory=list)
    """Rights that whoever has this one has too."""


class CapabilityRegistry(Shape):
    """A project's rights: `config/capabilities.json`. A plain list of ids says the same."""

    schema_: Annotated[str | None, Field(alias="$schema")] = None
    registry_version: RegistryVersion | None = None
    capabilities: list[CapabilityShape]


class ChangeShape(Shape):
    """What an overlay may change of an entry."""

    status: Literal["enabled", "disabled", "deprecated"] | None = None
    autonomy: Literal["L0", "L1", "L2", "L3"] | None = None
    """Only the repository's overlays may raise it."""
    rate_limit: RateLimitShape | None = None
    channels: list[Line] | None = None
    """From where it may be called; an empty list lets nobody."""
    actors: list[Line] | None = None
    """Who may call it."""


class OverlayShape(Shape):
    """An overlay: `config/overlays/*.yaml`, then the user's `.prowess/overlays/*.yaml`."""

    registry_version: RegistryVersion | None = None
    entries: dict[Reference, ChangeShape]
    """By name, for every version of it, or by name@version."""
