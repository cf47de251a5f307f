from __future__ import annotations

import pytest
from msgspec.structs import replace

from prowess import Caller, Permissions
from prowess.app.records.approvals import Approvals, proposal_json
from prowess.errors import ForbiddenError, InvalidInputError, NotFoundError
from prowess.model.proposal import Decision, Proposal
from prowess.model.verdict import Reason
from prowess.storage.records.memory import MemoryApprovalStore
from prowess.storage.records.sqlite import SqliteStore

BOSS = Caller("boss", "http")
ASKED = Proposal(
    id="a1b2c3d4",
    entry="pay@1.0.0",
    digest="d",
    actor="agent",
    channel="http",
    inputs={"to": "bob"},
    reasons=(Reason("autonomy", "it asks"),),
    created=100.0,
    expires=3_700.0,
)


class Racing(MemoryApprovalStore):
    """A store in which somebody else decides at the very moment."""

    def decide(self, identity: str, decision: Decision, *, by: str, note: str | None, now: float) -> bool:
        super().decide(identity, Decision.REJECTED, by="quick", note="not today", now=now)
        return super().decide(identity, decision, by=by, note=note, now=now)


def approvals(*proposals: Proposal, store: MemoryApprovalStore | None = None, now: float = 200.0) -> Approvals:
    """The facade of a store with these proposals."""
    kept = store or MemoryApprovalStore()
    for one in proposals:
        kept.propose(one)
    return Approvals(kept, lambda: now)


@pytest.mark.behaviour("approvals.decide")
async def test_a_proposal_is_listed_and_approved() -> None:
    """Spec: `await approvals.list()`, `.get`, `.approve`."""
    some = approvals(ASKED)
    assert await some.list("pending") == [ASKED] == await some.list()
    assert await some.get("a1b2c3d4") == ASKED
    done = await some.approve("a1b2c3d4", by=BOSS, note="  go\x1b[31m on ")
    assert (done.decision, done.decided_by, done.decided_at, done.note) == ("approved", "boss", 200.0, "go�[31m on")
    assert (await some.list("pending"), await some.list("approved")) == ([], [done])


@pytest.mark.behaviour("approvals.decide")
async def test_a_proposal_is_rejected() -> None:
    """Spec: `.reject`."""
    done = await approvals(ASKED).reject("a1b2c3d4", by=BOSS, note=" ")
    assert (done.decision, done.note) == ("rejected", None)


@pytest.mark.behaviour("approvals.too-late")
async def test_who_comes_second_is_told_who_decided_what_and_when() -> None:
    """Spec: two people deciding at once: one wins, the other is told."""
    some = approvals(ASKED, store=Racing())
    told = r"'quick' rejected proposal 'a1b2c3d4' at 1970-01-01 00:03:20 UTC already: not today"
    with pytest.raises(ForbiddenError, match=told) as caught:
        await some.approve("a1b2c3d4", by=BOSS)
    assert caught.value.details["decided_by"] == "quick"


@pytest.mark.behaviour("approvals.too-late")
async def test_what_was_used_or_expired_is_told() -> None:
    """Spec: expired; used."""
    store = MemoryApprovalStore()
    some = approvals(ASKED, store=store)
    await some.approve("a1b2c3d4", by=BOSS)
    store.use("a1b2c3d4", 201.0)
    with pytest.raises(ForbiddenError, match=r"'boss' approved .* already, and the call has run"):
        await some.reject("a1b2c3d4", by=BOSS)
    with pytest.raises(ForbiddenError, match=r"expired at 1970-01-01 01:01:40 UTC: the call has to be made again"):
        await approvals(ASKED, now=3_700.0).approve("a1b2c3d4", by=BOSS)


@pytest.mark.behaviour("approvals.own-call")
async def test_nobody_approves_a_call_of_their_own_but_the_local_owner() -> None:
    """Choice: a proposal that its own maker approves asks nobody."""
    with pytest.raises(ForbiddenError, match=r"'agent' asked for this call: somebody else has to approve it"):
        await approvals(ASKED).approve("a1b2c3d4", by=Caller("agent", "cli"))
    assert (await approvals(ASKED).reject("a1b2c3d4", by=Caller("agent"))).decision == "rejected"
    local = replace(ASKED, actor="local", channel="library")
    for channel in ("cli", "library"):
        assert (await approvals(local).approve("a1b2c3d4", by=Caller("local", channel))).decision == "approved"
    with pytest.raises(ForbiddenError, match=r"'local' asked"):
        await approvals(local).approve("a1b2c3d4", by=Caller("local", "http"))


@pytest.mark.behaviour("approvals.own-call")
@pytest.mark.parametrize("level", ["sandboxed", "worker"])
async def test_agents_decide_nothing(level: str) -> None:
    """Choice: an approval is a person's; what runs below `trusted` is an agent."""
    by = Caller("helper", permissions=Permissions.preset(level))
    for decide in (approvals(ASKED).approve, approvals(ASKED).reject):
        with pytest.raises(ForbiddenError, match=rf"'helper' has the permissions '{level}'"):
            await decide("a1b2c3d4", by=by)
    assert (await approvals(ASKED).approve("a1b2c3d4", by=Caller("b", permissions=Permissions.preset("yolo")))).decision


@pytest.mark.behaviour("approvals.bad-id")
async def test_an_unknown_id_is_told_with_near_ones() -> None:
    """Spec: `NotFoundError` with near ids."""
    with pytest.raises(NotFoundError, match=r"there is no proposal 'a1b2c3dd', did you mean 'a1b2c3d4'?") as caught:
        await approvals(ASKED).approve("a1b2c3dd", by=BOSS)
    assert caught.value.near == ("a1b2c3d4",)
    with pytest.raises(NotFoundError, match=r"there is no proposal 'zz'$"):
        await approvals(ASKED).get("zz")


@pytest.mark.behaviour("approvals.bad-id")
@pytest.mark.parametrize("identity", ["", "a b", "../x", "ü" * 9, "x" * 65, "a" * 10_000_000, "a\n", 7, None])
async def test_what_is_no_id_is_refused_without_a_look(identity: str) -> None:
    """Spec: a malformed id is refused in bounded time."""
    with pytest.raises(InvalidInputError, match=r"is no id of a proposal") as caught:
        await approvals(ASKED).get(identity)
    assert len(str(caught.value)) < 200


async def test_wrong_states_and_limits_are_refused() -> None:
    """Choice: what would find nothing is a mistake with a hint."""
    with pytest.raises(InvalidInputError, match=r"'pendin': use one of .* did you mean 'pending'?"):
        await approvals().list("pendin")
    with pytest.raises(InvalidInputError, match=r"'x+': use one of [a-z, ]+$"):
        await approvals().list("x" * 1_000)
    for limit in (0, 1_001):
        with pytest.raises(InvalidInputError, match=r"from 1 to 1000"):
            await approvals().list(limit=limit)


async def test_a_store_that_may_wait_is_asked_in_a_thread(tmp_path: object) -> None:
    """Choice: no event loop waits for a disk."""
    store = SqliteStore(f"{tmp_path}/state.db")
    store.approvals.propose(ASKED)
    some = Approvals(store.approvals, lambda: 200.0)
    assert (await some.approve("a1b2c3d4", by=BOSS)).decided_by == "boss"
    store.close()


def test_a_proposal_as_json_has_its_state() -> None:
    """Choice: who reads it need not work it out."""
    told = proposal_json(ASKED, 200.0)
    assert (told["state"], told["reasons"]) == ("pending", ({"rule": "autonomy", "message": "it asks"},))
    assert list(told)[:2] == ["id", "state"]
