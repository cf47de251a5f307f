"""The gate's stages visible to rate: what governance says about a call, and the records that this takes."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from msgspec import Struct, json

from prowess.errors import ApprovalRequiredError, ForbiddenError, ProwessError, RateLimitedError, UnavailableError
from prowess.execution.failures import StoppedError
from prowess.execution.handlers.threads import Threads
from prowess.execution.plan import Plan
from prowess.execution.ports import ApprovalStore, Approver, GovernancePorts, Records
from prowess.governance.clearance import AUTONOMY, Clearance, clear
from prowess.governance.presets import has
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.event import Stage
from prowess.model.json_value import Json
from prowess.model.proposal import Decision, Proposal
from prowess.model.verdict import ALLOW, Ask, Deny, Verdict, strictest

__all__ = ["Asked", "Guard", "Passage"]

_CLEARANCES_LIMIT = 256
_Answer = TypeVar("_Answer")


class Passage(Struct, frozen=True, gc=False):
    """How a call came through."""

    inputs: dict[str, Json]
    """As they fit the schema."""
    verdict: Verdict = ALLOW
    approved: bool = False
    """Whether a person's approval covers what the entry calls in turn."""
    timeout: float | None = None
    """Seconds that the caller's permissions leave it."""


class Asked(Struct, frozen=True):
    """One call that governance is asked about, its inputs found fitting."""

    plan: Plan
    inputs: dict[str, Json]
    caller: Caller
    run: str
    covered: bool
    """Whether the skill that makes this call was approved."""

    @property
    def digest(self) -> str:
        """SHA-256 of the inputs: what an approval is bound to."""
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and most calls ask nobody

        return sha256(json.encode(self.inputs, order="deterministic")).hexdigest()


class Guard:
    """Judges the calls of one gate. What does not change from call to call is judged once and kept with the plan."""

    def __init__(self, ports: GovernancePorts, threads: Threads, now: Callable[[], float]) -> None:
        self.rules = ports.rules
        self._hour = ports.hour
        self._open = ports.records
        self._opening_waits = ports.waits
        self._opened: Records | None = None
        self._approver = ports.approver
        self._lifetime = ports.lifetime
        self._reaches = ports.reaches
        self._ids = ports.ids
        self._threads = threads
        self._now = now

    def clearance(self, plan: Plan, caller: Caller, within: frozenset[str] | None) -> Clearance:
        """How far a caller may go with an entry, inside a skill that has these rights where one calls."""
        book = self.rules.book
        key = (caller, within)
        known = plan.clearances.get(key)
        if known is not None and known[0] is book:
            return known[1]
        found = clear(plan.manifest, caller, book, within=within)
        if len(plan.clearances) >= _CLEARANCES_LIMIT:
            plan.clearances.clear()
        plan.clearances[key] = (book, found)
        return found

    def rights_of(self, plan: Plan, around: frozenset[str] | None) -> frozenset[str] | None:
        """What an entry's calls may need: what it declares with all that this implies, as far as it is left to it."""
        if plan.passes_rights:
            return around
        declared = self.rules.book.capabilities.with_implied(plan.manifest.capabilities)
        return declared if around is None else frozenset(right for right in declared if has(right, around))

    async def settle(self, asked: Asked, clearance: Clearance) -> Passage:
        """Let a call pass, or raise `StoppedError`: what it takes of rates and approvals is taken here, once.

        Where the records cannot be reached it is refused: nobody could say whether it may pass.
        """
        try:
            return await self._settled(asked, clearance)
        except StoppedError:
            raise
        except Exception as failure:
            error = _unsettled(asked, failure)
            raise StoppedError(Stage.APPROVED, error) from failure

    # -----------------------------------------------------------------------------------------------------------------

    async def _settled(self, asked: Asked, clearance: Clearance) -> Passage:
        verdict = self._verdict(asked, clearance)
        if isinstance(verdict, Deny):
            raise StoppedError(Stage.PERMITTED, _refused(asked, verdict, verdict.error), verdict)
        if not isinstance(verdict, Ask) or (asked.covered and _is_covered(verdict)):
            await self._count(asked, clearance, verdict)
            return Passage(asked.inputs, verdict, asked.covered, clearance.timeout)
        if self._approver is not None:
            await self._ask(asked, clearance, verdict, self._approver)
        else:
            await self._look_up(asked, clearance, verdict)
        return Passage(asked.inputs, verdict, True, clearance.timeout)  # noqa: FBT003 - approved

    def _verdict(self, asked: Asked, clearance: Clearance) -> Verdict:
        verdict = clearance.at(Question(asked.plan.manifest, asked.caller, self._hour()))
        if clearance.paths is None:
            return verdict
        reasons = tuple(clearance.paths.reasons(asked.inputs))
        return strictest(verdict, Deny(reasons)) if reasons else verdict

    async def _count(self, asked: Asked, clearance: Clearance, verdict: Verdict) -> Callable[[], Awaitable[object]]:
        """Take one call of the entry's rate; gives what gives it back."""
        limit = clearance.rate
        records = None if limit is None else await self._records()
        if limit is None or records is None:
            return _nothing
        manifest, rates = asked.plan.manifest, records.rates
        key = manifest.reference
        if manifest.limits.per_actor:
            key = f"{key} {asked.caller.actor}"
        admission = await self._stored(rates.waits, partial(rates.acquire, key, limit))
        if not admission.allowed:
            seconds = round(admission.retry_after, 3)
            message = f"'{manifest.reference}' may be called {limit} times a minute: try again in {seconds:g} s"
            details = {"name": manifest.name, "retry_after": seconds, "max_per_minute": limit}
            raise StoppedError(Stage.RATE, RateLimitedError(message, details=details), verdict)
        return partial(self._stored, rates.waits, partial(rates.release, key, admission.at))

    async def _ask(self, asked: Asked, clearance: Clearance, verdict: Ask, approver: Approver) -> None:
        """Ask whoever decides at once; a call that is not made takes no rate."""
        give_back = await self._count(asked, clearance, verdict)
        approved, failure = False, None
        try:
            answer = approver(self._proposal(asked, verdict))
            approved = (await answer if isinstance(answer, Awaitable) else answer) is True
        except Exception as error:  # noqa: BLE001 - the host's own code; whoever fails to say yes has not said it
            failure = error
        finally:
            if not approved:
                await give_back()
        if not approved:
            why = _said(verdict) if failure is None else f"the approver failed: {type(failure).__name__}: {failure}"
            message = f"'{asked.plan.reference}' was not approved: {why}"
            details = {"name": asked.plan.manifest.name, "reasons": _reasons(verdict)}
            safe = f"forbidden: '{asked.plan.reference}' was not approved"
            raise StoppedError(
                Stage.APPROVED, ForbiddenError(message, details=details, model_text=safe), verdict
            ) from failure

    async def _look_up(self, asked: Asked, clearance: Clearance, verdict: Ask) -> None:
        """Let a call pass that a person has approved, once; keep a proposal of any other, and refuse it."""
        records = await self._records()
        if records is None:
            raise StoppedError(Stage.APPROVED, _refused(asked, verdict, ApprovalRequiredError), verdict)
        store = records.approvals
        reference, digest, actor = asked.plan.reference, asked.digest, asked.caller.actor
        decided = await self._stored(store.waits, partial(store.decided, reference, digest, actor, self._now()))
        if decided is None:
            raise await self._proposed(asked, verdict, store)
        if decided.decision is Decision.REJECTED:
            await self._stored(store.waits, partial(store.use, decided.id, self._now()))
            raise StoppedError(Stage.APPROVED, _rejected(asked, decided), verdict)
        give_back = await self._count(asked, clearance, verdict)
        if not await self._stored(store.waits, partial(store.use, decided.id, self._now())):
            await give_back()  # another call of the same was quicker
            raise await self._proposed(asked, verdict, store)

    async def _proposed(self, asked: Asked, verdict: Ask, store: ApprovalStore) -> StoppedError:
        kept = await self._stored(store.waits, partial(store.propose, self._proposal(asked, verdict)))
        error = _refused(asked, verdict, ApprovalRequiredError)
        error.message += f" (proposal {kept.id})"
        error.details = {**error.details, "proposal_id": kept.id, "expires": kept.expires}
        return StoppedError(Stage.APPROVED, error, verdict)

    def _proposal(self, asked: Asked, verdict: Ask) -> Proposal:
        now = self._now()
        shown = asked.plan.masks.inputs(json.decode(json.encode(asked.inputs)))
        return Proposal(
            id=self._ids(),
            entry=asked.plan.reference,
            digest=asked.digest,
            actor=asked.caller.actor,
            channel=asked.caller.channel,
            inputs=shown,
            reasons=verdict.reasons,
            reaches=self._reaches(asked.plan.manifest),
            created=now,
            expires=now + self._lifetime,
        )

    async def _records(self) -> Records | None:
        """What rates and approvals are kept in, opened at the first call that needs it."""
        if self._opened is None and self._open is not None:
            self._opened = await self._stored(self._opening_waits, self._open)
        return self._opened

    async def _stored(self, waits: bool, question: Callable[[], _Answer]) -> _Answer:  # noqa: FBT001 - the store's own
        """Ask a store; one that may wait for a disk or a network, in a thread."""
        if not waits:
            return question()
        return await self._threads.run(question)


# ---------------------------------------------------------------------------------------------------------------------


async def _nothing() -> None:
    """Give back what was never taken."""


def _is_covered(verdict: Ask) -> bool:
    """Whether an approval of the calling skill covers the question: a review, or a destructive entry, asks anew."""
    return all(reason.rule == AUTONOMY for reason in verdict.reasons)


def _reasons(verdict: Verdict) -> list[str]:
    return [reason.message for reason in verdict.reasons]


def _said(verdict: Verdict) -> str:
    return "; ".join(_reasons(verdict))


def _refused(asked: Asked, verdict: Verdict, kind: type[ProwessError]) -> ProwessError:
    name = asked.plan.manifest.name
    details: dict[str, Any] = {"name": name, "reasons": _reasons(verdict)}
    return kind(f"'{name}': {_said(verdict)}", details=details)


def _unsettled(asked: Asked, failure: Exception) -> ProwessError:
    """The error for a call about which the records could not be asked."""
    if isinstance(failure, ProwessError):
        return failure
    name = asked.plan.manifest.name
    message = f"'{name}' was not called: its rate or approval cannot be looked up: {type(failure).__name__}: {failure}"
    safe = f"unavailable: '{name}' cannot be called now"
    return UnavailableError(message, details={"name": name}, retryable=True, model_text=safe)


def _rejected(asked: Asked, decided: Proposal) -> ForbiddenError:
    note = f": {decided.note}" if decided.note else ""
    message = f"'{asked.plan.reference}' was rejected by {decided.decided_by}{note}"
    details = {"name": asked.plan.manifest.name, "proposal_id": decided.id, "decided_by": decided.decided_by}
    return ForbiddenError(message, details=details)
