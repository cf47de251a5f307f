"""A project's capabilities: which rights there are, how grave they are, and which bring others with them."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

__all__ = ["NO_CAPABILITIES", "Capabilities", "Capability"]


class Capability(Struct, frozen=True, gc=False):
    """One declared right."""

    id: str
    """`domain.verb`."""
    description: str = ""
    risk: str | None = None
    """`low`, `medium` or `high`: shown where a person decides, and open to rules."""
    implies: tuple[str, ...] = ()
    """Rights that whoever has this one has too."""


class Capabilities(Struct, frozen=True):
    """The rights that a project declares. Where it declares none, every right is its own word."""

    declared: Mapping[str, Capability] = {}

    @classmethod
    def of(cls, capabilities: Iterable[Capability]) -> "Capabilities":
        """Those that were declared, by their ids."""
        return cls({capability.id: capability for capability in capabilities})

    def with_implied(self, rights: Iterable[str]) -> frozenset[str]:
        """These rights and all that they bring with them, however far."""
        found: set[str] = set()
        left = [*rights]
        while left:
            right = left.pop()
            if right not in found:
                found.add(right)
                known = self.declared.get(right)
                left += known.implies if known is not None else ()
        return frozenset(found)


NO_CAPABILITIES = Capabilities()
