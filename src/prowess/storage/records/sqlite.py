"""Records in one SQLite file, which several processes of a machine share."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from prowess.model.audit import EVERYTHING, AuditHead, AuditQuery, AuditRecord, ChainedRecord, KeptRecord, chain
from prowess.model.proposal import Decision, Proposal
from prowess.model.rate import Admission
from prowess.storage.queries import queries_of
from prowess.storage.records.migrations import migrate, steps_of
from prowess.storage.records.rows import Values, chained_of, kept_of, kept_row, proposal_of, proposal_row, query_text
from prowess.storage.records.sqlite_file import Connection

__all__ = ["SqliteApprovalStore", "SqliteAuditStore", "SqliteRateStore", "SqliteStore"]

_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (part TEXT PRIMARY KEY, version INTEGER NOT NULL)"
_VERSION = "SELECT version FROM schema_version WHERE part = 'records'"
_SET_VERSION = "INSERT OR REPLACE INTO schema_version VALUES ('records', {})"
"""Each part of the file has versions of its own: what else is kept there one day has its own."""
_EXACT = 1e-6
"""Seconds: sums of times are not more exact, and who waited has to be let in."""


class SqliteStore:
    """Records in a file. Every thread may use it, and any number of processes; it lives until `close`.

    Two connections: one whose commits are on the disk when they return, and a quick one, for all that is only read and
    for rates, so that neither waits for the disk. Raises `StoreError` for a file that cannot be had.
    """

    def __init__(
        self,
        path: str,
        *,
        clock: Callable[[], float] = time.time,
        patience: float = 30.0,
        steps: Sequence[str] | None = None,
    ) -> None:
        _make_private(path)
        self._opened = [durable := Connection(path, durable=True, patience=patience)]
        try:
            _migrate(durable, steps_of("records/sqlite_schema") if steps is None else steps)
            self._opened.append(quick := Connection(path, durable=False, patience=patience))
        except BaseException:
            self.close()
            raise
        quick.define("clock", clock)
        self.rates = SqliteRateStore(quick)
        self.approvals = SqliteApprovalStore(durable, quick)
        self.audit = SqliteAuditStore(durable, quick)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        for connection in self._opened:
            connection.close()


class SqliteRateStore:
    """Counts calls: a row for each, looked at and written by one statement under the file's own lock."""

    waits = True

    def __init__(self, quick: Connection) -> None:
        self._quick = quick
        self._queries = queries_of("records/sqlite")

    def acquire(self, key: str, limit: int, window: float = 60.0) -> Admission:
        """Count one call where fewer than `limit` were counted in the last `window` seconds; else say when."""
        if limit < 1:
            return Admission(allowed=False, retry_after=window)
        asked: Values = {"key": key, "limit": limit, "window": window}
        granted = self._quick.rows(self._queries["acquire"], asked)
        if granted:
            return Admission(allowed=True, at=granted[0][0])
        free = self._quick.rows(self._queries["free_at"], asked)
        return Admission(allowed=False, retry_after=(free[0][0] if free else 0.0) + _EXACT)

    def release(self, key: str, at: float) -> None:
        """Give back a call that was counted at that instant and not made."""
        self._quick.rows(self._queries["release"], {"key": key, "at": at})


class SqliteApprovalStore:
    """Keeps proposals."""

    waits = True

    def __init__(self, durable: Connection, quick: Connection) -> None:
        self._durable = durable
        self._quick = quick
        self._queries = queries_of("records/sqlite")

    def propose(self, proposal: Proposal) -> Proposal:
        """Keep a proposal, durably; gives the one for the same call that is undecided and in time, if there is one."""
        values = proposal_row(proposal)
        with self._durable.transaction() as step:
            known = step.rows(self._queries["same_call"], {**values, "now": proposal.created})
            if known:
                return proposal_of(known[0])
            step.rows(self._queries["propose"], values)
        return proposal

    def decided(self, entry: str, digest: str, actor: str, now: float) -> Proposal | None:
        """The decided proposal for a call that is in time and not used: the one decided first."""
        asked: Values = {"entry": entry, "digest": digest, "actor": actor, "now": now}
        return next(map(proposal_of, self._quick.rows(self._queries["decided"], asked)), None)

    def decide(self, identity: str, decision: Decision, *, by: str, note: str | None, now: float) -> bool:
        """Decide one that is undecided, not used and in time; False where it is not, and nothing was changed."""
        values: Values = {"id": identity, "decision": str(decision), "by": by, "note": note, "now": now}
        return bool(self._durable.rows(self._queries["decide"], values))

    def use(self, identity: str, now: float) -> bool:
        """Use up a decision, once and for all; False where it was used before, or its time is over."""
        return bool(self._durable.rows(self._queries["use"], {"id": identity, "now": now}))

    def get(self, identity: str) -> Proposal | None:
        """One proposal."""
        return next(map(proposal_of, self._quick.rows(self._queries["get"], {"id": identity})), None)

    def list(self, *, state: str | None = None, now: float, limit: int = 100) -> list[Proposal]:
        """Proposals, the newest first; of one state where one is asked for."""
        asked: Values = {"state": state, "now": now, "limit": limit}
        return [proposal_of(row) for row in self._quick.rows(self._queries["list"], asked)]


class SqliteAuditStore:
    """Keeps the audit trail."""

    waits = True

    def __init__(self, durable: Connection, quick: Connection) -> None:
        self._durable = durable
        self._quick = quick
        self._queries = queries_of("records/sqlite")

    def append(self, records: Sequence[AuditRecord]) -> AuditHead:
        """Chain records to those that are there, all or none, and on the disk when it returns; gives the new head."""
        with self._durable.transaction() as step:
            head = AuditHead(*step.rows(self._queries["head"])[0])
            kept = chain(head, records)
            if kept:
                step.each(self._queries["append"], map(kept_row, kept))
                head = AuditHead(kept[-1].chained.number, kept[-1].chained.hash)
                step.rows(self._queries["move_head"], {"number": head.number, "hash": head.hash})
        return head

    def read(
        self, query: AuditQuery = EVERYTHING, *, after: int = 0, limit: int = 1_000, newest: bool = False
    ) -> list[ChainedRecord]:
        """The records after a number that fit, in order: the first of them, or the last where the newest are wanted."""
        statement = query_text(self._queries, query, newest=newest)
        found = self._quick.rows(statement, {**query.terms, "after": after, "limit": limit})
        return [chained_of(row) for row in (reversed(found) if newest else found)]

    def head(self) -> AuditHead:
        """The newest record's number and hash, as they were written down apart from it."""
        return AuditHead(*self._quick.rows(self._queries["head"], {})[0])

    def rows(self, after: int, limit: int = 1_000) -> list[KeptRecord]:
        """The records after a number with all that is kept of them, in order."""
        return [kept_of(row) for row in self._quick.rows(self._queries["rows"], {"after": after, "limit": limit})]


# ---------------------------------------------------------------------------------------------------------------------


def _make_private(path: str) -> None:
    """Make a file that is not there for its owner only: inputs of calls stand in it. What fails tells SQLite better."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _migrate(durable: Connection, steps: Sequence[str]) -> None:
    known = _version_in(durable)
    if known == len(steps):
        return
    with durable.transaction() as step:  # the version is read again: somebody may have been quicker
        step.rows(_VERSIONS)
        found = step.rows(_VERSION)
        version = migrate(found[0][0] if found else 0, steps, step.script, durable.path)
        step.rows(_SET_VERSION.format(version))


def _version_in(durable: Connection) -> int:
    """The version of a file's schema, 0 for a new file; nothing is written, so that nobody waits."""
    known = durable.rows("SELECT name FROM sqlite_schema WHERE name = 'schema_version'", {})
    found = durable.rows(_VERSION, {}) if known else []
    return int(found[0][0]) if found else 0
