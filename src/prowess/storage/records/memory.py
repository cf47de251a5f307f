"""Records in memory: for one process, as long as it lives, and for tests."""

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import islice

from msgspec.structs import replace

from prowess.model.audit import (
    EVERYTHING,
    NOTHING_YET,
    AuditHead,
    AuditQuery,
    AuditRecord,
    ChainedRecord,
    KeptRecord,
    chain,
)
from prowess.model.proposal import Decision, Proposal
from prowess.model.rate import Admission

__all__ = ["MemoryApprovalStore", "MemoryAuditStore", "MemoryRateStore", "MemoryStore"]

_EXACT = 1e-6
"""Seconds: sums of times are not more exact, and who waited has to be let in."""


class MemoryStore:
    """Records that are gone with the process. Every thread may use it."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self.rates = MemoryRateStore(clock)
        self.approvals = MemoryApprovalStore()
        self.audit = MemoryAuditStore()

    def close(self) -> None:
        """Nothing: there is nothing to close."""


class MemoryRateStore:
    """Counts calls: for each key the instants, in order."""

    waits = False

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._times: dict[str, list[float]] = {}

    def acquire(self, key: str, limit: int, window: float = 60.0) -> Admission:
        """Count one call where fewer than `limit` were counted in the last `window` seconds; else say when."""
        if limit < 1:
            return Admission(allowed=False, retry_after=window)
        with self._lock:
            now = self._clock()
            times = self._times.setdefault(key, [])
            del times[: bisect_right(times, now - window)]
            if times and times[-1] > now + window:  # the clock was put back
                times.clear()
            if len(times) >= limit:
                return Admission(allowed=False, retry_after=times[-limit] + window - now + _EXACT)
            at = max(now, times[-1]) if times else now
            times.append(at)
            return Admission(allowed=True, at=at)

    def release(self, key: str, at: float) -> None:
        """Give back a call that was counted at that instant and not made."""
        with self._lock:
            times = self._times.get(key, [])
            if at in times:
                times.remove(at)


class MemoryApprovalStore:
    """Keeps proposals."""

    waits = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._proposals: dict[str, Proposal] = {}

    def propose(self, proposal: Proposal) -> Proposal:
        """Keep a proposal; gives the one for the same call that is undecided and in time, where there is one."""
        with self._lock:
            call = (proposal.entry, proposal.digest, proposal.actor)
            known = [one for one in self._of(*call, proposal.created) if one.decision is None]
            if known:
                return min(known, key=lambda one: (one.created, one.id))
            self._proposals[proposal.id] = proposal
        return proposal

    def decided(self, entry: str, digest: str, actor: str, now: float) -> Proposal | None:
        """The decided proposal for a call that is in time and not used: the one decided first."""
        with self._lock:
            found = [one for one in self._of(entry, digest, actor, now) if one.decision and one.used_at is None]
        return min(found, key=lambda one: (one.decided_at or now, one.created, one.id), default=None)

    def decide(self, identity: str, decision: Decision, *, by: str, note: str | None, now: float) -> bool:
        """Decide one that is undecided, not used and in time; False where it is not, and nothing was changed."""
        with self._lock:
            found = self._proposals.get(identity)
            if found is None or found.state(now) != "pending":
                return False
            decided = replace(found, decision=decision, decided_by=by, decided_at=now, note=note)
            self._proposals[identity] = decided
            return True

    def use(self, identity: str, now: float) -> bool:
        """Use up a decision, once and for all; False where it was used before, or its time is over."""
        with self._lock:
            found = self._proposals.get(identity)
            if found is None or found.state(now) not in set(Decision):
                return False
            self._proposals[identity] = replace(found, used_at=now)
            return True

    def get(self, identity: str) -> Proposal | None:
        """One proposal."""
        return self._proposals.get(identity)

    def list(self, *, state: str | None = None, now: float, limit: int = 100) -> list[Proposal]:
        """Proposals, the newest first; of one state where one is asked for."""
        with self._lock:
            known = sorted(self._proposals.values(), key=lambda one: (one.created, one.id), reverse=True)
        return list(islice((one for one in known if state in {None, one.state(now)}), limit))

    def _of(self, entry: str, digest: str, actor: str, now: float) -> Sequence[Proposal]:
        call = (entry, digest, actor)
        known = self._proposals.values()
        return [one for one in known if (one.entry, one.digest, one.actor) == call and one.expires > now]


class MemoryAuditStore:
    """Keeps the audit trail."""

    waits = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[KeptRecord] = []

    def append(self, records: Sequence[AuditRecord]) -> AuditHead:
        """Chain records to those that are there, all or none; gives the new head."""
        with self._lock:
            self._kept += chain(self.head(), records)
            return self.head()

    def read(
        self, query: AuditQuery = EVERYTHING, *, after: int = 0, limit: int = 1_000, newest: bool = False
    ) -> list[ChainedRecord]:
        """The records after a number that fit, in order: the first of them, or the last where the newest are wanted."""
        kept = self._kept[after:]
        fitting = (one.chained for one in (reversed(kept) if newest else kept) if query.fits(one.columns))
        found = list(islice(fitting, limit))
        return found[::-1] if newest else found

    def head(self) -> AuditHead:
        """The newest record's number and hash."""
        if not self._kept:
            return NOTHING_YET
        newest = self._kept[-1].chained
        return AuditHead(newest.number, newest.hash)

    def rows(self, after: int, limit: int = 1_000) -> list[KeptRecord]:
        """The records after a number with all that is kept of them, in order."""
        return self._kept[after : after + limit]
