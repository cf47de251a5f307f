"""A call that waits for a person: what was asked, by whom, why, until when, and what was decided."""

from enum import StrEnum

from msgspec import Struct

from prowess.model.json_value import JsonField
from prowess.model.verdict import Reason

__all__ = ["Decision", "Proposal"]


class Decision(StrEnum):
    """How a person decided."""

    APPROVED = "approved"
    REJECTED = "rejected"


class Proposal(Struct, frozen=True, kw_only=True):
    """One call that asks. Its decision fits that call alone: its entry, inputs and actor; once, and in time."""

    id: str
    entry: str
    """`name@version`."""
    digest: str
    """SHA-256 of the inputs: what the decision is bound to."""
    actor: str
    channel: str
    inputs: JsonField
    """As they may be shown: masked."""
    reasons: tuple[Reason, ...] = ()
    reaches: tuple[str, ...] = ()
    """All that the entry may call, directly or not."""
    created: float
    """Seconds since the epoch."""
    expires: float
    decision: Decision | None = None
    decided_by: str | None = None
    decided_at: float | None = None
    note: str | None = None
    """What the person who decided said."""
    used_at: float | None = None
    """When the call came that the decision was for: from then on it fits none."""

    def state(self, now: float) -> str:
        """`pending`, `approved`, `rejected`, `used` or `expired`."""
        if self.used_at is not None:
            return "used"
        if now >= self.expires:
            return "expired"
        return "pending" if self.decision is None else str(self.decision)
