"""What somebody with the database at hand does to the audit trail, and what verifying says of it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest

from prowess.app.records.stores import open_store
from prowess.app.records.trail import Trail
from prowess.errors import StoreError
from prowess.model.audit import AuditHead, AuditRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

RECORD = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=0)
UNLOCK = {
    "sqlite": ("DROP TRIGGER audit_unchanged", "DROP TRIGGER audit_unremoved"),
    "postgresql": ("DROP TRIGGER prowess_audit_unchanged ON prowess_audit_record",),
}
HARMS = {
    "changed": (["UPDATE {p}audit_record SET text = {blob} WHERE number = 3"], [(3, "changed")]),
    "hidden": (["UPDATE {p}audit_record SET actor = 'nobody' WHERE number = 4"], [(4, "changed")]),
    "of another kind": (["UPDATE {p}audit_record SET at = 7 WHERE number = 4"], [(4, "changed")]),
    "removed": (["DELETE FROM {p}audit_record WHERE number IN (2, 3)"], [(4, "missing")]),
    "cut off": (["DELETE FROM {p}audit_record WHERE number > 3"], [(5, "cut_off")]),
    "emptied": (["DELETE FROM {p}audit_record"], [(5, "cut_off")]),
    "cut off with the head": (
        [
            "DELETE FROM {p}audit_record WHERE number > 3",
            "UPDATE {p}audit_head SET (number, hash) = (SELECT number, hash FROM {p}audit_record WHERE number = 3)",
        ],
        [(5, "cut_off")],
    ),
    "added": (
        [
            "CREATE TEMPORARY TABLE one AS SELECT * FROM {p}audit_record WHERE number = 1",
            "UPDATE one SET number = 6",
            "INSERT INTO {p}audit_record SELECT * FROM one",
        ],
        [(6, "changed"), (6, "added")],
    ),
}


def harm(address: str, statements: Sequence[str], *, unlock: bool = True) -> None:
    """Do something to a store that its own code never does."""
    kind, _, path = address.partition(":")
    prefix, blob = ("", "x'7b7d'") if kind == "sqlite" else ("prowess_", r"'\x7b7d'::bytea")
    told = [*(UNLOCK[kind] if unlock else ()), *(one.format(p=prefix, blob=blob) for one in statements)]
    if kind == "sqlite":
        connection = sqlite3.connect(path)
        for statement in told:
            connection.execute(statement)
        connection.commit()
        connection.close()
    else:
        with psycopg.connect(address) as database:
            for statement in told:
                database.execute(statement.encode())


@pytest.mark.behaviour("records.audit-verify")
@pytest.mark.parametrize("what", HARMS)
def test_whatever_is_done_to_the_trail_is_told(address: str, what: str) -> None:
    """Spec: verify proves that none was changed or removed, also at the end."""
    statements, flaws = HARMS[what]
    store = open_store(address)
    known = store.audit.append([RECORD] * 5)
    trail = Trail(store.audit)
    assert trail.verify(known).whole
    harm(address, statements)
    found = trail.verify(known if what == "cut off with the head" else None)
    assert [(flaw.number, str(flaw.kind)) for flaw in found.flaws] == flaws
    assert not found.whole
    store.close()


def test_a_head_that_was_written_down_shows_an_exchanged_trail(address: str) -> None:
    """Choice: who owns the database can make a whole new trail, but not one that somebody else has seen."""
    store = open_store(address)
    head = store.audit.append([RECORD] * 5)
    trail = Trail(store.audit)
    assert [(flaw.number, str(flaw.kind)) for flaw in trail.verify(AuditHead(4, head.hash)).flaws] == [(4, "changed")]
    assert trail.verify(AuditHead(9, head.hash)).flaws[-1].kind == "cut_off"
    store.close()


@pytest.mark.parametrize("what", ["changed", "removed"])
def test_the_database_itself_refuses_to_change_the_trail(address: str, what: str) -> None:
    """Choice: a mistake at a database's prompt is stopped before it is found."""
    store = open_store(address)
    store.audit.append([RECORD] * 5)
    with pytest.raises((sqlite3.Error, psycopg.Error), match="only ever added to"):
        harm(address, HARMS[what][0], unlock=False)
    assert Trail(store.audit).verify().whole
    store.close()


def test_a_proposal_that_was_damaged_is_told(address: str) -> None:
    """Choice: nobody approves what cannot be read."""
    store = open_store(address)
    harm(
        address,
        [
            "INSERT INTO {p}proposal VALUES ('p', 'e', 'd', 'a', 1, 2, {blob}, NULL, NULL, NULL, NULL, NULL)",
        ],
        unlock=False,
    )
    with pytest.raises(StoreError, match="a proposal in the store is damaged"):
        store.approvals.get("p")
    store.close()
