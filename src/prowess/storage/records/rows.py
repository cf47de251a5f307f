"""Rows of any database to values, and back."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from prowess.errors import StoreError
from prowess.model.audit import AuditColumns, AuditQuery, ChainedRecord, KeptRecord
from prowess.model.proposal import Decision, Proposal

__all__ = ["Cell", "Row", "Values", "chained_of", "kept_of", "kept_row", "proposal_of", "proposal_row", "query_text"]

Cell: TypeAlias = str | float | bytes | None
Values: TypeAlias = Mapping[str, Cell]
Row: TypeAlias = Sequence[Any]

_FOUND = ("id", "entry", "digest", "actor", "created", "expires")
_DECIDED = ("decision", "decided_by", "decided_at", "note", "used_at")
_CHAINED = 4


def proposal_row(proposal: Proposal) -> dict[str, Cell]:
    """A proposal as it is kept: what it is found by, what may change, and the text of all of it."""
    columns = {name: getattr(proposal, name) for name in (*_FOUND, *_DECIDED)}
    return {**columns, "text": msgspec.json.encode(proposal)}


def proposal_of(row: Row) -> Proposal:
    """A proposal from its text and what became of it since. Raises `StoreError` where the text is damaged."""
    text, decision, *rest = row
    try:
        kept = msgspec.json.decode(text, type=Proposal)
    except (msgspec.MsgspecError, TypeError) as error:
        message = f"a proposal in the store is damaged: {error}"
        raise StoreError(message, retryable=False) from error
    decided = (None if decision is None else Decision(decision), *rest)
    return replace(kept, **dict(zip(_DECIDED, decided, strict=True)))


def kept_row(kept: KeptRecord) -> dict[str, Cell]:
    """A record of the audit trail as it is kept."""
    return {**asdict(kept.chained), **asdict(kept.columns)}


def chained_of(row: Row) -> ChainedRecord:
    """A record in its place. What is wrong with it is for who verifies the trail to tell."""
    number, previous, hashed, text = row
    return ChainedRecord(number, str(previous), str(hashed), text if isinstance(text, bytes) else str(text).encode())


def kept_of(row: Row) -> KeptRecord:
    """A record with its columns."""
    return KeptRecord(chained_of(row[:_CHAINED]), AuditColumns(*row[_CHAINED:]))


def query_text(queries: Mapping[str, str], query: AuditQuery, *, newest: bool) -> str:
    """The statement that reads what is asked for, put together from named parts."""
    wanted = [queries[f"and_{name}"] for name in query.terms]
    return "\n".join([queries["read"], *wanted, queries["newest_first" if newest else "oldest_first"]])
