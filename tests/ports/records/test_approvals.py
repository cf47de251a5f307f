"""What every store of proposals does: each step is whole, whoever else takes one at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from prowess.app.records.stores import open_store
from prowess.model.proposal import Decision, Proposal
from prowess.model.verdict import Reason
from prowess.storage.records.memory import MemoryStore
from tests.ports.records.asking import in_processes, in_threads

if TYPE_CHECKING:
    from prowess.app.records.stores import Store

DECIDING = """
import sys
from prowess.app.records.stores import open_store
from prowess.model.proposal import Decision, Proposal

store, me = open_store(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
call = {"entry": "pay@1", "digest": "d", "actor": "a", "channel": "cli", "inputs": None}
mine = Proposal(id=f"p-{me}", created=1.0, expires=9.0, **call)
kept = store.approvals.propose(mine).id
won = store.approvals.decide(kept, Decision.APPROVED, by=me, note=None, now=2.0)
print(kept, won, store.approvals.use(kept, 3.0))
store.close()
"""
ASKED = Proposal(
    id="first",
    entry="pay@1.0.0",
    digest="d1",
    actor="agent",
    channel="http",
    inputs={"to": "Ada", "secret": "***", "deep": [{"x": 1.5}, None]},
    reasons=(Reason("autonomy", "it asks \u2026"),),
    reaches=("send@1.0.0", "log@2"),
    created=100.0,
    expires=200.0,
)


def ids(found: list[Proposal]) -> list[str]:
    """The ids of proposals."""
    return [one.id for one in found]


def decide(store: Store, identity: str = "first", *, now: float = 110.0, by: str = "boss") -> bool:
    """Approve a proposal."""
    return store.approvals.decide(identity, Decision.APPROVED, by=by, note="go on", now=now)


@pytest.mark.behaviour("records.proposals-kept")
def test_a_proposal_comes_back_as_it_was_kept(store: Store) -> None:
    """Spec: what, who, inputs, why, until when."""
    assert store.approvals.get("first") is None
    assert store.approvals.propose(ASKED) == ASKED
    assert store.approvals.get("first") == ASKED
    assert store.approvals.get("other") is None


@pytest.mark.behaviour("records.proposals-kept")
def test_what_was_proposed_is_there_for_other_processes_and_later_ones(address: str) -> None:
    """Spec: durable when it returns."""
    one = open_store(address)
    one.approvals.propose(ASKED)
    other = open_store(address)
    assert other.approvals.get("first") == ASKED
    assert decide(other)
    assert one.approvals.decided("pay@1.0.0", "d1", "agent", 111.0) == other.approvals.get("first")
    one.close()
    other.close()


def test_the_same_call_has_one_proposal_while_it_is_undecided_and_in_time(store: Store) -> None:
    """Spec: the same call is the same entry, digest and actor."""
    store.approvals.propose(ASKED)
    assert store.approvals.propose(replace(ASKED, id="again", created=150.0)) == ASKED
    for number, other in enumerate(({"entry": "pay@2"}, {"digest": "d2"}, {"actor": "another"})):
        assert store.approvals.propose(replace(ASKED, id=f"other-{number}", **other)).id == f"other-{number}"
    late = replace(ASKED, id="late", created=200.0, expires=300.0)
    assert store.approvals.propose(late) == late
    decide(store, "late", now=201.0)
    after = replace(late, id="after", created=202.0)
    assert store.approvals.propose(after) == after


def test_a_decision_is_found_for_its_call_alone_in_time_and_until_it_is_used(store: Store) -> None:
    """Spec: a decision fits exactly one call, once, within its time limit."""
    call = ("pay@1.0.0", "d1", "agent")
    store.approvals.propose(ASKED)
    assert store.approvals.decided(*call, 110.0) is None
    assert not store.approvals.use("first", 110.0)
    assert decide(store)
    found = store.approvals.decided(*call, 120.0)
    assert found == replace(ASKED, decision=Decision.APPROVED, decided_by="boss", decided_at=110.0, note="go on")
    assert found is not None
    assert found.decision is Decision.APPROVED
    for other in (("pay@1.0.1", "d1", "agent"), ("pay@1.0.0", "d2", "agent"), ("pay@1.0.0", "d1", "other")):
        assert store.approvals.decided(*other, 120.0) is None
    assert store.approvals.decided(*call, 200.0) is None
    assert not store.approvals.use("first", 200.0)
    assert [store.approvals.use("first", 130.0), store.approvals.use("first", 130.0)] == [True, False]
    assert store.approvals.decided(*call, 140.0) is None
    used = store.approvals.get("first")
    assert used is not None
    assert used.used_at == 130.0


def test_of_several_decisions_for_a_call_the_first_one_counts(store: Store) -> None:
    """Spec: the one decided first."""
    store.approvals.propose(replace(ASKED, id="b"))
    decide(store, "b", now=120.0)
    store.approvals.propose(replace(ASKED, id="a", created=130.0))
    decide(store, "a", now=130.0)
    first = store.approvals.decided("pay@1.0.0", "d1", "agent", 140.0)
    assert first is not None
    assert first.id == "b"


@pytest.mark.parametrize("now", [200.0, 999.0])
def test_what_is_over_cannot_be_decided(store: Store, now: float) -> None:
    """Spec: within its time limit."""
    store.approvals.propose(ASKED)
    assert not decide(store, now=now)
    assert not decide(store, "nobody")
    assert store.approvals.get("first") == ASKED


@pytest.mark.behaviour("records.one-decides")
def test_of_eight_that_decide_at_once_one_succeeds(store: Store) -> None:
    """Spec: two people deciding at once: one wins."""
    store.approvals.propose(ASKED)
    won = in_threads(lambda number: decide(store, by=f"boss-{number}"))
    assert sum(won) == 1
    decided = store.approvals.get("first")
    assert decided is not None
    assert decided.decided_by == f"boss-{won.index(True)}"
    assert sum(in_threads(lambda _: store.approvals.use("first", 120.0))) == 1


@pytest.mark.behaviour("records.one-decides")
def test_of_four_processes_one_proposes_one_decides_and_one_uses(address: str) -> None:
    """Spec: each step is whole, also between processes."""
    open_store(address).close()
    told = [printed.split() for printed in in_processes(DECIDING, address)]
    kept = {identity for identity, _, _ in told}
    assert len({identity for identity, won, _ in told if won == "True"}) == len(kept)
    for identity in kept:  # a second proposal stands only for a call that came after the first was decided
        assert [won for one, won, _ in told if one == identity].count("True") == 1
        assert [used for one, _, used in told if one == identity].count("True") == 1


def test_proposals_are_listed_by_state_the_newest_first(store: Store) -> None:
    """Spec: pending, approved, rejected, used, expired."""
    for number, identity in enumerate(("old", "yes", "no", "used", "open", "gone")):
        made = replace(ASKED, id=identity, digest=identity, created=100.0 + number)
        store.approvals.propose(replace(made, expires=115.0) if identity == "gone" else made)
    for identity in ("old", "yes", "used"):
        decide(store, identity)
    store.approvals.decide("no", Decision.REJECTED, by="boss", note=None, now=112.0)
    store.approvals.use("used", 113.0)
    listed = {
        state: ids(store.approvals.list(state=state, now=120.0))
        for state in ("pending", "approved", "rejected", "used", "expired")
    }
    assert listed == {
        "pending": ["open"],
        "approved": ["yes", "old"],
        "rejected": ["no"],
        "used": ["used"],
        "expired": ["gone"],
    }
    assert ids(store.approvals.list(now=120.0)) == ["gone", "open", "used", "no", "yes", "old"]
    assert ids(store.approvals.list(now=120.0, limit=2)) == ["gone", "open"]
    assert ids(store.approvals.list(state="expired", now=500.0)) == ["gone", "open", "no", "yes", "old"]
    assert store.approvals.waits == (not isinstance(store, MemoryStore))
