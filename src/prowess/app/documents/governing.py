"""What documents say about who may do what, as governance has it."""

from msgspec.structs import replace

from prowess.documents.values import Loaded
from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities, Capability
from prowess.governance.rulebook import Access, Rulebook

__all__ = ["rulebook_with"]


def rulebook_with(before: Rulebook, loaded: Loaded) -> Rulebook:
    """A rulebook with the capabilities and the access that documents lay down; its rules and presets stay."""
    declared = loaded.capabilities
    capabilities = NO_CAPABILITIES
    if declared is not None:
        capabilities = Capabilities.of(Capability(one.id, one.description, one.risk, one.implies) for one in declared)
    access = {reference: Access(one.channels, one.actors) for reference, one in loaded.allowed.items()}
    return replace(before, capabilities=capabilities, access=access)
