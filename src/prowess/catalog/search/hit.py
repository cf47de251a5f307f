"""What a search gives: entries in their order, each with its score and why it matched."""

from collections.abc import Callable

from msgspec import Struct

from prowess.catalog.search.document import text_of
from prowess.catalog.search.matching import Match, matches
from prowess.catalog.search.port import Asked
from prowess.model.manifest import Kind, Manifest, Status

__all__ = ["Hit"]


class Hit(Struct, frozen=True, kw_only=True):
    """One entry that was found. A value."""

    manifest: Manifest
    score: float
    """Higher is better; it compares hits of one search and says nothing by itself."""
    source: str
    also: tuple[str, ...] = ()
    """References of entries that say the same and were left out for it, other versions of this one among them."""
    question: str = ""
    """What was asked."""
    asked: Asked = Asked(())
    """What an index was asked for it."""
    body: Callable[[], str] = str
    """The text of its instructions, read where a match is explained."""

    @property
    def name(self) -> str:
        """Its name, with the namespace where it has one."""
        return self.manifest.name

    @property
    def version(self) -> str | None:
        """Its version as its author wrote it."""
        return self.manifest.version

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.manifest.kind

    @property
    def status(self) -> Status:
        """Whether it may run."""
        return self.manifest.status

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        return self.manifest.description

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        return self.manifest.tags

    @property
    def matched(self) -> tuple[Match, ...]:
        """Which words of the question were found, and in which part of the entry; worked out at each look."""
        return matches(self.question, self.asked, text_of(self.manifest, self.body()))

    def to_json(self) -> dict[str, object]:
        """The hit as commands and the HTTP API show it; what the entry does not have is left out."""
        facts = {
            "name": self.name,
            "version": self.version,
            "kind": self.kind,
            "status": self.status,
            "description": self.description,
            "source": self.source,
            "tags": list(self.tags),
            "score": round(self.score, 4),
            "matched": [{"field": one.field, "word": one.word, "found": one.found} for one in self.matched],
            "also": list(self.also),
        }
        return {name: value for name, value in facts.items() if value not in (None, [])}

    def __repr__(self) -> str:
        return f"<hit {self.manifest.reference} {self.score:.2f}>"
