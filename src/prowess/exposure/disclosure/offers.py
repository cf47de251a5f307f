"""What a model would be offered for a user's words: every entry, where it stands, and why it stands there."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from prowess.exposure.disclosure.budget import Page, Row, tokens_of
from prowess.exposure.disclosure.shapes import Found, is_for_people
from prowess.exposure.disclosure.tools import FOUND_BY_DEFAULT
from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest, Status

__all__ = ["Asked", "Explanation", "Offer", "explanation"]


class Asked(Struct, frozen=True):
    """What is asked: a user's words, tokens for a list, and which entries the caller may see."""

    words: str
    budget: int
    sees: Callable[[Manifest], bool]

    def may_find(self, manifest: Manifest) -> bool:
        """Whether a search may name an entry to the caller's model."""
        return self.sees(manifest) and manifest.status is not Status.DISABLED and not is_for_people(manifest)


class Offer(Struct, frozen=True, kw_only=True):
    """One entry as a model would meet it."""

    manifest: Manifest
    rank: int | None = None
    """Its place among what `search_skills` finds; None where it finds it not."""
    offered: str | None = None
    """`list_skills` where that shows it, `tool` where it is a tool of its own; None where it is not offered."""
    description: str | None = None
    """What the model reads of its description."""
    matched: tuple[str, ...] = ()
    """Why it was found."""
    reasons: tuple[str, ...] = ()
    """What was trimmed or left out, and why; empty where all of it is offered, and found."""

    def to_json(self) -> dict[str, Json]:
        """The offer as JSON; what there is not is null."""
        return {
            "name": self.manifest.name,
            "version": self.manifest.version,
            "kind": str(self.manifest.kind),
            "rank": self.rank,
            "offered": self.offered,
            "description": self.description,
            "matched": list(self.matched),
            "reasons": list(self.reasons),
        }


class Explanation(Struct, frozen=True):
    """What a model would be offered for a user's words, best found first, then by name."""

    words: str
    budget: int
    offers: tuple[Offer, ...]

    def to_json(self) -> dict[str, Json]:
        """The explanation as JSON."""
        return {"words": self.words, "budget": self.budget, "skills": [offer.to_json() for offer in self.offers]}


def explanation(asked: Asked, shown: Sequence[Manifest], found: Sequence[Found], page: Page) -> Explanation:
    """The offers of everything that is there, from what a search found and what a list shows."""
    ranks = {one.manifest.name: rank for rank, one in enumerate(found, 1)}
    matched = {one.manifest.name: one.why for one in found}
    rows = {row.name: row for row in page.rows}
    offers: list[Offer] = []
    for manifest in shown:
        name = manifest.name
        offered, description, reason = _place(asked, manifest, rows.get(name))
        reasons = (reason, None if _hidden(asked, manifest) else _unfound(ranks.get(name)))
        offer = Offer(
            manifest=manifest,
            rank=ranks.get(name),
            offered=offered,
            description=description,
            matched=matched.get(name, ()),
            reasons=tuple(filter(None, reasons)),
        )
        offers.append(offer)
    last = len(found) + 1
    offers.sort(key=lambda offer: (offer.rank or last, offer.manifest.name))
    return Explanation(asked.words, asked.budget, tuple(offers))


# ---------------------------------------------------------------------------------------------------------------------


def _place(asked: Asked, manifest: Manifest, row: Row | None) -> tuple[str | None, str | None, str | None]:
    """Where an entry is offered, what of its description is read there, and what is to be said about that."""
    hidden = _hidden(asked, manifest)
    if hidden is not None:
        return None, None, hidden
    if manifest.kind is not Kind.PACKAGE:
        return "tool", manifest.description, None
    if row is None:
        return None, None, f"left out of the list: its budget is {asked.budget} tokens"
    if row.is_cut:
        have, kept = (tokens_of(text.encode("utf-8", "replace")) for text in (manifest.description, row.description))
        return "list_skills", row.description, f"description cut from {have} to {kept} tokens, to share {asked.budget}"
    return "list_skills", row.description, None


def _hidden(asked: Asked, manifest: Manifest) -> str | None:
    """Why an entry is offered to no model of this caller."""
    if not asked.sees(manifest):
        return "not visible to this caller"
    if manifest.status is Status.DISABLED:
        return "disabled"
    return "disable-model-invocation: for people only" if is_for_people(manifest) else None


def _unfound(rank: int | None) -> str | None:
    """What is to be said about an entry's place in a search."""
    if rank is None:
        return "not found by these words"
    return f"found, but behind the first {FOUND_BY_DEFAULT}" if rank > FOUND_BY_DEFAULT else None
