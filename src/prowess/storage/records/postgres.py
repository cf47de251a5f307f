"""Records in a PostgreSQL database, which several machines share."""

from collections.abc import Sequence

from prowess.model.audit import EVERYTHING, AuditHead, AuditQuery, AuditRecord, ChainedRecord, KeptRecord, chain
from prowess.model.proposal import Decision, Proposal
from prowess.model.rate import Admission
from prowess.storage.queries import queries_of
from prowess.storage.records.migrations import migrate, steps_of
from prowess.storage.records.postgres_pool import Connections, Values
from prowess.storage.records.rows import (
    Cell,
    chained_of,
    kept_of,
    kept_row,
    proposal_of,
    proposal_row,
    query_text,
)

__all__ = ["PostgresApprovalStore", "PostgresAuditStore", "PostgresRateStore", "PostgresStore"]

_VERSIONS = "CREATE TABLE IF NOT EXISTS prowess_schema (part text PRIMARY KEY, version integer NOT NULL)"
_VERSION = "SELECT version FROM prowess_schema WHERE part = 'records'"
_SET_VERSION = """
INSERT INTO prowess_schema VALUES ('records', {0}) ON CONFLICT (part) DO UPDATE SET version = {0} RETURNING version
"""
_HAS_VERSION = "SELECT to_regclass('prowess_schema') IS NOT NULL"
_EXACT = 1e-6
"""Seconds: sums of times are not more exact, and who waited has to be let in."""


class PostgresStore:
    """Records in a database. Every thread may use it; it lives until `close`. Its threads keep the pool.

    Raises `StoreError` for a database that cannot be reached, or whose schema a newer release wrote.
    """

    def __init__(self, url: str, *, most: int = 10, patience: float = 30.0, steps: Sequence[str] | None = None) -> None:
        pool = self._pool = Connections(url, most=most, patience=patience)
        try:
            _migrate(pool, steps_of("records/postgres_schema") if steps is None else steps)
        except BaseException:
            self.close()
            raise
        self.rates = PostgresRateStore(pool)
        self.approvals = PostgresApprovalStore(pool)
        self.audit = PostgresAuditStore(pool)

    def close(self) -> None:
        """Close every connection; a second time does nothing."""
        self._pool.close()


class PostgresRateStore:
    """Counts calls: a row for each key, locked, looked at and written by one statement, by the database's own clock."""

    waits = True

    def __init__(self, pool: Connections) -> None:
        self._pool = pool
        self._queries = queries_of("records/postgres")
        self._pool.rows(self._queries["forget_rates"])

    def acquire(self, key: str, limit: int, window: float = 60.0) -> Admission:
        """Count one call where fewer than `limit` were counted in the last `window` seconds; else say when."""
        if limit < 1:
            return Admission(allowed=False, retry_after=window)
        asked: Values = {"key": key, "limit": limit, "window": window}
        granted = self._pool.rows(self._queries["acquire"], asked)
        if granted:
            return Admission(allowed=True, at=granted[0][0])
        free = self._pool.rows(self._queries["free_at"], asked)
        return Admission(allowed=False, retry_after=max(free[0][0] if free else 0.0, 0.0) + _EXACT)

    def release(self, key: str, at: float) -> None:
        """Give back a call that was counted at that instant and not made."""
        self._pool.rows(self._queries["release"], {"key": key, "at": at})


class PostgresApprovalStore:
    """Keeps proposals."""

    waits = True

    def __init__(self, pool: Connections) -> None:
        self._pool = pool
        self._queries = queries_of("records/postgres")

    def propose(self, proposal: Proposal) -> Proposal:
        """Keep a proposal, durably; gives the one for the same call that is undecided and in time, if there is one."""
        values = proposal_row(proposal)
        with self._pool.transaction() as step:
            step.rows(self._queries["lock_call"], values)
            known = step.rows(self._queries["same_call"], {**values, "now": proposal.created})
            if known:
                return proposal_of(known[0])
            step.rows(self._queries["propose"], values)
        return proposal

    def decided(self, entry: str, digest: str, actor: str, now: float) -> Proposal | None:
        """The decided proposal for a call that is in time and not used: the one decided first."""
        asked: Values = {"entry": entry, "digest": digest, "actor": actor, "now": now}
        return next(map(proposal_of, self._pool.rows(self._queries["decided"], asked)), None)

    def decide(self, identity: str, decision: Decision, *, by: str, note: str | None, now: float) -> bool:
        """Decide one that is undecided, not used and in time; False where it is not, and nothing was changed."""
        values: Values = {"id": identity, "decision": str(decision), "by": by, "note": note, "now": now}
        return bool(self._pool.rows(self._queries["decide"], values))

    def use(self, identity: str, now: float) -> bool:
        """Use up a decision, once and for all; False where it was used before, or its time is over."""
        return bool(self._pool.rows(self._queries["use"], {"id": identity, "now": now}))

    def get(self, identity: str) -> Proposal | None:
        """One proposal."""
        return next(map(proposal_of, self._pool.rows(self._queries["get"], {"id": identity})), None)

    def list(self, *, state: str | None = None, now: float, limit: int = 100) -> list[Proposal]:
        """Proposals, the newest first; of one state where one is asked for."""
        asked: Values = {"state": state, "now": now, "limit": limit}
        return [proposal_of(row) for row in self._pool.rows(self._queries["list"], asked)]


class PostgresAuditStore:
    """Keeps the audit trail."""

    waits = True

    def __init__(self, pool: Connections) -> None:
        self._pool = pool
        self._queries = queries_of("records/postgres")

    def append(self, records: Sequence[AuditRecord]) -> AuditHead:
        """Chain records to those that are there, all or none, and on the disk when it returns; gives the new head."""
        with self._pool.transaction() as step:
            head = AuditHead(*step.rows(self._queries["take_head"])[0])
            kept = chain(head, records)
            if kept:
                step.rows(self._queries["append"], _columns([kept_row(one) for one in kept]))
                head = AuditHead(kept[-1].chained.number, kept[-1].chained.hash)
                step.rows(self._queries["move_head"], {"number": head.number, "hash": head.hash})
        return head

    def read(
        self, query: AuditQuery = EVERYTHING, *, after: int = 0, limit: int = 1_000, newest: bool = False
    ) -> list[ChainedRecord]:
        """The records after a number that fit, in order: the first of them, or the last where the newest are wanted."""
        statement = query_text(self._queries, query, newest=newest)
        found = self._pool.rows(statement, {**query.terms, "after": after, "limit": limit})
        return [chained_of(row) for row in (reversed(found) if newest else found)]

    def head(self) -> AuditHead:
        """The newest record's number and hash, as they were written down apart from it."""
        return AuditHead(*self._pool.rows(self._queries["head"])[0])

    def rows(self, after: int, limit: int = 1_000) -> list[KeptRecord]:
        """The records after a number with all that is kept of them, in order."""
        return [kept_of(row) for row in self._pool.rows(self._queries["rows"], {"after": after, "limit": limit})]


# ---------------------------------------------------------------------------------------------------------------------


def _migrate(pool: Connections, steps: Sequence[str]) -> None:
    if _version_in(pool) == len(steps):
        return
    with pool.transaction() as step:  # the version is read again: somebody may have been quicker
        step.rows(queries_of("records/postgres")["lock_migration"])
        step.script(_VERSIONS)
        found = step.rows(_VERSION)
        version = migrate(found[0][0] if found else 0, steps, step.script, pool.place)
        step.rows(_SET_VERSION.format(version))


def _version_in(pool: Connections) -> int:
    """The version of a database's schema, 0 for a new one."""
    found = pool.rows(_VERSION) if pool.rows(_HAS_VERSION)[0][0] else []
    return int(found[0][0]) if found else 0


def _columns(rows: Sequence[dict[str, Cell]]) -> dict[str, Sequence[Cell]]:
    """The same values by column."""
    return {name: [row[name] for row in rows] for name in rows[0]}
