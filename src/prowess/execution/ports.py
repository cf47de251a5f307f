"""What the gate needs from outside, named by role; `app` fills these."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol, TypeAlias

from msgspec import Struct

from prowess.execution.rules import Rules
from prowess.model.event import CallFinished, Event
from prowess.model.manifest import Manifest
from prowess.model.proposal import Decision, Proposal
from prowess.model.rate import Admission
from prowess.registry.entry import Entry
from prowess.registry.scope import Scope

__all__ = [
    "ApprovalStore",
    "Approver",
    "Clock",
    "EventReader",
    "GovernancePorts",
    "Ids",
    "Ports",
    "RateStore",
    "Records",
    "Resolve",
]

Resolve: TypeAlias = Callable[[str], Entry | None]
"""A reference (`name`, `name@constraint`, an alias) to its entry."""

EventReader: TypeAlias = Callable[[Event], None]
"""Is told each event, in order, on the thread where it happened; it must be quick. One that raises is logged."""

Ids: TypeAlias = Callable[[], str]
"""A new unguessable id at each call."""


Approver: TypeAlias = Callable[[Proposal], "Awaitable[bool] | bool"]
"""Decides at once about a call that asks: True lets it pass."""


class Clock(Struct, frozen=True):
    """Time that never goes back: seconds from `monotonic`, and what they add to for seconds since the epoch."""

    monotonic: Callable[[], float]
    epoch: float


class Ports(Struct, frozen=True):
    """All that a gate needs from outside."""

    latest: Mapping[object, Entry]
    """What bare names give, looked at first; empty where `resolve` must be asked each time."""
    resolve: Resolve
    holds: Callable[[Entry], bool]
    """Whether an entry that somebody kept is still what its `name@version` gives, and to be seen."""
    near: Callable[[str], tuple[str, ...]]
    """Names like one that was not found."""
    scope: Scope
    clock: Clock
    ids: Ids
    governance: "GovernancePorts | None" = None
    """None judges by nothing but the plain rules, and keeps nothing."""


class GovernancePorts(Struct, frozen=True, kw_only=True):
    """What the stages visible to rate need from outside."""

    rules: Rules
    hour: Callable[[], int]
    """The hour of the local day."""
    ids: Ids
    records: "Callable[[], Records] | None" = None
    """Opens what rates and approvals are kept in: asked once, when the first call needs it."""
    waits: bool = False
    """Whether opening it may wait for a disk or a network."""
    approver: Approver | None = None
    lifetime: float = 3_600.0
    """Seconds in which a proposal can be decided, and its decision used."""
    reaches: Callable[[Manifest], tuple[str, ...]] = lambda _manifest: ()
    """All that an entry may call, directly or not, for whoever decides about it."""
    recorded: Callable[[CallFinished], Awaitable[object]] | None = None
    """Waits until a call's record is kept, where each call has to wait for its own."""


class Records(Protocol):
    """What governance keeps from call to call."""

    @property
    def rates(self) -> "RateStore":
        """What counts calls."""
        ...

    @property
    def approvals(self) -> "ApprovalStore":
        """What keeps proposals."""
        ...


class RateStore(Protocol):
    """Counts calls over a sliding window, exactly: also when many threads, and processes that share it, ask at once."""

    @property
    def waits(self) -> bool:
        """Whether a question may wait for a disk or a network, so that no event loop should ask it."""
        ...

    def acquire(self, key: str, limit: int, window: float = 60.0) -> Admission:
        """Count one call where fewer than `limit` were counted in the last `window` seconds; else say when."""
        ...

    def release(self, key: str, at: float) -> None:
        """Give back a call that was counted at that instant and not made."""
        ...


class ApprovalStore(Protocol):
    """Keeps proposals. Each of its steps is whole: of two that decide, or use, at once, one succeeds."""

    @property
    def waits(self) -> bool:
        """Whether a question may wait for a disk or a network, so that no event loop should ask it."""
        ...

    def propose(self, proposal: Proposal) -> Proposal:
        """Keep a proposal, durably; gives the one for the same call that is undecided and in time, where there is one.

        The same call is the same entry, digest and actor.
        """
        ...

    def decided(self, entry: str, digest: str, actor: str, now: float) -> Proposal | None:
        """The decided proposal for a call that is in time and not used: the one decided first."""
        ...

    def decide(self, identity: str, decision: Decision, *, by: str, note: str | None, now: float) -> bool:
        """Decide one that is undecided, not used and in time; False where it is not, and nothing was changed."""
        ...

    def use(self, identity: str, now: float) -> bool:
        """Use up a decision, once and for all; False where it was used before, or its time is over."""
        ...

    def get(self, identity: str) -> Proposal | None:
        """One proposal."""
        ...

    def list(self, *, state: str | None = None, now: float, limit: int = 100) -> list[Proposal]:
        """Proposals, the newest first; of one state (`Proposal.state`) where one is asked for."""
        ...
