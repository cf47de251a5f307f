"""Deciding about calls that wait for a person: the facade that library, commands and HTTP share."""

import re
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import msgspec

from prowess.catalog.listing import safe
from prowess.errors import ForbiddenError, InvalidInputError, NotFoundError
from prowess.execution.eventloop import asyncio
from prowess.execution.ports import ApprovalStore
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.names import near_names
from prowess.model.permissions import Preset
from prowess.model.proposal import Decision, Proposal

__all__ = ["STATES", "Approvals", "proposal_json"]

STATES = ("pending", "approved", "rejected", "used", "expired")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_NOTE = 2_000
_MOST = 1_000
_LOOKED_AT = 200
"""Proposals among which one with a similar id is looked for."""
_OWNERS_CHANNELS = frozenset({"library", "cli"})
_JUDGES = frozenset({Preset.YOLO, Preset.TRUSTED})

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


class Approvals:
    """The proposals of one store. It lives as long as the store, which it does not own.

    Who decides must not be the actor whose call it is, unless that is the local owner: the process's own user, in the
    library or at the command line. Nobody is kept from rejecting a call of their own. Agents below `trusted` decide
    nothing.
    """

    def __init__(self, store: ApprovalStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    async def list(self, state: str | None = None, *, limit: int = 100) -> list[Proposal]:
        """Proposals, the newest first; of one state (`pending`, `approved`, `rejected`, `used`, `expired`) where asked.

        Raises `InvalidInputError` for a state that is none, and `StoreError`.
        """
        if state is not None and state not in STATES:
            near = near_names(str(state), STATES, 1)
            hint = f", did you mean '{near[0]}'?" if near else ""
            message = f"there is no state {str(state)[:64]!r}: use one of {', '.join(STATES)}{hint}"
            raise InvalidInputError(message, details={"near": near})
        if not 1 <= limit <= _MOST:
            raise InvalidInputError(f"limit is {limit}: it is a number from 1 to {_MOST}")
        return await self._ask(self._store.list, state=state, now=self._clock(), limit=limit)

    async def get(self, identity: str) -> Proposal:
        """One proposal. Raises `NotFoundError`, `InvalidInputError` for what is no id at all, and `StoreError`."""
        _check(identity)
        found = await self._ask(self._store.get, identity)
        if found is None:
            waiting = await self._ask(self._store.list, state="pending", now=self._clock(), limit=_LOOKED_AT)
            near = near_names(identity, [one.id for one in waiting])
            hint = f", did you mean '{near[0]}'?" if near else ""
            raise NotFoundError(f"there is no proposal '{identity}'{hint}", details={"name": identity, "near": near})
        return found

    async def approve(self, identity: str, *, by: Caller, note: str | None = None) -> Proposal:
        """Let the call of a proposal run, once, until the proposal expires; gives it as it is now.

        Raises what `get` does, and `ForbiddenError` where it was decided, used or expired before, or is not theirs.
        """
        return await self._decide(identity, Decision.APPROVED, by, note)

    async def reject(self, identity: str, *, by: Caller, note: str | None = None) -> Proposal:
        """Refuse the call of a proposal; gives it as it is now. Raises what `approve` does."""
        return await self._decide(identity, Decision.REJECTED, by, note)

    # -----------------------------------------------------------------------------------------------------------------

    async def _decide(self, identity: str, decision: Decision, by: Caller, note: str | None) -> Proposal:
        proposal = await self.get(identity)
        _check_who(proposal, decision, by)
        said = None if note is None else safe(note[:_NOTE]).strip() or None
        now = self._clock()
        done = await self._ask(self._store.decide, identity, decision, by=by.actor, note=said, now=now)
        after = await self.get(identity)
        if not done:
            raise _too_late(after, now)
        return after

    async def _ask(self, question: Callable[_Given, _Found], *given: _Given.args, **named: _Given.kwargs) -> _Found:
        """What the store answers; one that may wait is asked in a thread."""
        if self._store.waits:
            return await asyncio.to_thread(question, *given, **named)
        return question(*given, **named)


def proposal_json(proposal: Proposal, now: float) -> dict[str, object]:
    """A proposal as JSON, with its state."""
    plain: dict[str, object] = msgspec.to_builtins(proposal)
    return {"id": proposal.id, "state": proposal.state(now), **plain}


# ---------------------------------------------------------------------------------------------------------------------


def _check(identity: object) -> None:
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        shown = f"{identity[:32]!r}" if isinstance(identity, str) else type(identity).__name__
        raise InvalidInputError(f"{shown} is no id of a proposal: it has letters, digits, '-' and '_', at most 64")


def _check_who(proposal: Proposal, decision: Decision, by: Caller) -> None:
    if by.permissions.level not in _JUDGES:
        message = f"'{by.actor}' has the permissions '{by.permissions.level}': deciding takes 'trusted' or more"
        raise ForbiddenError(message, details={"name": proposal.id})
    is_owner = by.actor == LOCAL_OWNER.actor and by.channel in _OWNERS_CHANNELS
    if decision is Decision.APPROVED and by.actor == proposal.actor and not is_owner:
        message = f"'{by.actor}' asked for this call: somebody else has to approve it"
        raise ForbiddenError(message, details={"name": proposal.id})


def _too_late(proposal: Proposal, now: float) -> ForbiddenError:
    """Why a proposal can be decided no more; who came first is told."""
    state = proposal.state(now)
    if proposal.decided_by is not None and proposal.decided_at is not None:
        said = f": {proposal.note}" if proposal.note else ""
        used = ", and the call has run" if state == "used" and proposal.decision is Decision.APPROVED else ""
        when = _when(proposal.decided_at)
        message = f"'{proposal.decided_by}' {proposal.decision} proposal '{proposal.id}' at {when} already{used}{said}"
    else:
        message = f"proposal '{proposal.id}' expired at {_when(proposal.expires)}: the call has to be made again"
    return ForbiddenError(message, details={"name": proposal.id, "state": state, "decided_by": proposal.decided_by})


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))
