"""What the gate needs from outside, named by role; `app` fills these."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from prowess.model.caller import Caller
from prowess.model.event import Event
from prowess.model.manifest import Manifest
from prowess.model.verdict import Verdict
from prowess.registry.entry import Entry
from prowess.registry.scope import Scope

__all__ = ["Check", "Checks", "Clock", "EventReader", "Facts", "Ids", "Ports", "Resolve"]

Resolve: TypeAlias = Callable[[str], Entry | None]
"""A reference (`name`, `name@constraint`, an alias) to its entry."""

EventReader: TypeAlias = Callable[[Event], None]
"""Is told each event, in order, on the thread where it happened; it must be quick. One that raises is logged."""

Ids: TypeAlias = Callable[[], str]
"""A new unguessable id at each call."""


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


class Facts(Struct, frozen=True):
    """What a governance stage judges: who asks for what, with which inputs, inside which call."""

    manifest: Manifest
    caller: Caller
    inputs: Mapping[str, object]
    parent: Manifest | None


Check: TypeAlias = Callable[[Facts], Verdict]
"""One rule of a stage: facts to verdict, no effect."""


class Checks(Struct, frozen=True):
    """The rules of the governance stages. A stage without rules allows, at no cost."""

    visible: tuple[Check, ...] = ()
    permitted: tuple[Check, ...] = ()
    approved: tuple[Check, ...] = ()
    rate: tuple[Check, ...] = ()
