"""The routes to approvals and the audit trail."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from prowess.app.records.stores import Store, open_store
from prowess.model.audit import AuditRecord
from prowess.model.proposal import Proposal
from tests.unit.server.served import app_of, asking

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

NOW = time.time()
ASKED = Proposal(
    id="a1b2c3d4",
    entry="pay@1.0.0",
    digest="d",
    actor="agent",
    channel="mcp",
    inputs={"to": "bob"},
    created=NOW,
    expires=NOW + 3_600,
)
RECORD = AuditRecord(at=100.5, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=1)


@pytest.fixture
def address(tmp_path: Path) -> str:
    """Give the address of a store."""
    return f"sqlite:{tmp_path / 'state.db'}"


@pytest.fixture
def store(address: str) -> Generator[Store]:
    """Give the store."""
    opened = open_store(address)
    yield opened
    opened.close()


@pytest.mark.behaviour("approvals.decide")
async def test_proposals_are_listed_and_decided(address: str, store: Store) -> None:
    """Spec: the API decides."""
    store.approvals.propose(ASKED)
    store.approvals.propose(replace(ASKED, id="other", digest="e"))
    async with asking(app_of(store=address)) as client:
        waiting = (await client.get("/v1/approvals?state=pending&limit=5")).json()["proposals"]
        approved = await client.post("/v1/approvals/a1b2c3d4/approve", json={"note": "go on"})
        rejected = await client.post("/v1/approvals/other/reject")
        again = await client.post("/v1/approvals/other/approve", json={})
        states = [one["state"] for one in (await client.get("/v1/approvals")).json()["proposals"]]
    assert [(one["id"], one["inputs"]) for one in waiting] == [("other", {"to": "bob"}), ("a1b2c3d4", {"to": "bob"})]
    assert (approved.status_code, approved.json()["state"], approved.json()["note"]) == (200, "approved", "go on")
    assert approved.json()["decided_by"].startswith("key:")
    assert rejected.json()["state"] == "rejected"
    assert again.status_code == 403
    assert "rejected proposal 'other' at" in again.json()["error"]["message"]
    assert states == ["rejected", "approved"]


@pytest.mark.behaviour("approvals.own-call")
async def test_a_key_does_not_approve_its_own_calls(address: str, store: Store) -> None:
    """Choice: an agent that has the key must not let itself in."""
    async with asking(app_of(store=address)) as client:
        store.approvals.propose(replace(ASKED, id="first"))
        actor = (await client.post("/v1/approvals/first/approve")).json()["decided_by"]
        store.approvals.propose(replace(ASKED, id="own", actor=actor))
        refused = await client.post("/v1/approvals/own/approve")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "forbidden")
    assert "somebody else has to approve it" in refused.json()["error"]["message"]


@pytest.mark.behaviour("approvals.bad-id")
@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("POST", "/v1/approvals/nobody/approve", None, 404, "there is no proposal 'nobody'"),
        ("POST", f"/v1/approvals/{'x' * 65}/reject", None, 400, "is no id of a proposal"),
        ("POST", "/v1/approvals/a%20b/reject", None, 400, "is no id of a proposal"),
        ("POST", "/v1/approvals/a/approve", '{"notes": 1}', 400, "'note'"),
        ("POST", "/v1/approvals/a/approve", '{"note": 1}', 400, "'note' is text"),
        ("GET", "/v1/approvals?state=open", None, 400, "there is no state 'open'"),
        ("GET", "/v1/approvals?limit=0", None, 400, "'limit' is a whole number, from 1 to 1000"),
        ("GET", "/v1/approvals?limits=1", None, 400, "did you mean 'limit'?"),
        ("GET", "/v1/approvals/a/approve", None, 405, "other methods"),
        ("GET", "/v1/audit?limit=1001", None, 400, "from 1 to 1000"),
        ("GET", "/v1/audit?after=-1", None, 400, "'after' is a whole number, from 0"),
        ("GET", "/v1/audit?since=today", None, 400, "'since' is a time in seconds"),
        ("GET", "/v1/audit?who=ada", None, 400, "there is no query parameter 'who'"),
    ],
)
async def test_what_is_wrong_with_a_request_is_told(
    method: str, path: str, body: str | None, status: int, told: str
) -> None:
    """Choice: a program can read what was wrong."""
    async with asking(app_of()) as client:
        headers = {"Content-Type": "application/json"}
        answer = await client.request(method, path, content=body, headers=headers)
    assert answer.status_code == status
    assert told in answer.json()["error"]["message"]


@pytest.mark.behaviour("audit.show")
async def test_records_are_given_that_fit(address: str, store: Store) -> None:
    """Spec: `GET /v1/audit` with filters."""
    store.audit.append([RECORD, replace(RECORD, actor="bob", at=200.0, error="forbidden"), RECORD])
    found: dict[str, list[int]] = {}
    async with asking(app_of(store=address)) as client:
        for query in ("", "actor=ada", "limit=1", "after=1", "after=0&limit=1", "since=150", "until=150.5", "error=*"):
            records = (await client.get(f"/v1/audit?{query}")).json()["records"]
            found[query] = [one["number"] for one in records]
        [one] = (await client.get("/v1/audit?actor=bob")).json()["records"]
    assert found == {
        "": [1, 2, 3],
        "actor=ada": [1, 3],
        "limit=1": [3],
        "after=1": [2, 3],
        "after=0&limit=1": [1],
        "since=150": [2],
        "until=150.5": [1, 3],
        "error=*": [2],
    }
    assert (one["entry"], one["error"], one["hash"]) == ("x@1", "forbidden", store.audit.rows(1)[0].chained.hash)


@pytest.mark.behaviour("records.broken-store")
async def test_a_store_out_of_reach_is_told_without_its_place(tmp_path: Path) -> None:
    """Spec: a clear error, and no internal path for who is outside."""
    (tmp_path / "state.db").write_bytes(b"no database at all" * 100)
    async with asking(app_of(store=f"sqlite:{tmp_path / 'state.db'}", audit="off")) as client:
        answer = await client.get("/v1/audit")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_unavailable")
    assert "state.db" not in answer.text
