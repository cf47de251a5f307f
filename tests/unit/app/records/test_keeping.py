"""A runtime and its store: what calls take of it, and what they leave there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from prowess import Caller, Context, Registry, Runtime, op, skill
from prowess.app.records.stores import open_store
from prowess.app.records.trail import Trail
from prowess.errors import ApprovalRequiredError, ConfigurationError, ForbiddenError, RateLimitedError, StoreError
from prowess.testing import EventLog

if TYPE_CHECKING:
    from pathlib import Path

    from prowess.model.audit import AuditRecord

ADA, BOSS = Caller("ada", trace="t-1"), Caller("boss")
SECRET = "sk-proj-" + "aB3dE5fG7hJ9kL1m" * 3
CANARY = "canary-of-a-declared-path"


@op(autonomy="L1")
async def publish(page: str) -> str:
    """Publish a page."""
    return f"{page} is public"


@op(rate_limit=5)
async def ping() -> str:
    """Ping."""
    return "pong"


@op(rate_limit=1, autonomy="L1")
async def stamp(page: str) -> str:
    """Stamp a page."""
    return page


@op(redact_inputs=["$.code"], redact_outputs=["$.code"])
async def enter(code: str, note: str, *, fail: bool = False, ctx: Context) -> dict[str, str]:
    """Enter with a code."""
    ctx.log(f"entering with {note}", note=note)
    ctx.progress(1, 2, note)
    if fail:
        raise ValueError(f"{code} does not open; {note}")
    return {"code": code, "note": note}


@skill(calls=["enter"])
async def visit(code: str, note: str, *, fail: bool = False, ctx: Context) -> object:
    """Visit. Use when somebody stands outside."""
    return await ctx.call("enter", code=code, note=note, fail=fail)


def registry_of() -> Registry:
    """A registry of these."""
    registry = Registry()
    registry.register(publish, ping, stamp, enter, visit)
    return registry


@pytest.fixture(params=["memory", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store."""
    return "memory" if request.param == "memory" else f"sqlite:{tmp_path / 'state.db'}"


def records_in(path: Path) -> list[AuditRecord]:
    """What a store on the disk holds of the audit trail, which must be whole."""
    store = open_store(f"sqlite:{path}")
    try:
        assert Trail(store.audit).verify().whole
        return [kept.record for kept in Trail(store.audit).newest(limit=1_000)]
    finally:
        store.close()


@pytest.mark.behaviour("approvals.once")
async def test_an_approved_call_runs_once(address: str) -> None:
    """Spec: a decision fits exactly one call: the same entry, inputs and actor, once."""
    async with Runtime(registry_of(), store=address) as runtime:
        refused = await runtime.run("publish", {"page": "home"}, caller=ADA)
        again = await runtime.run("publish", {"page": "home"}, caller=ADA)
        assert isinstance(refused.error, ApprovalRequiredError)
        assert isinstance(again.error, ApprovalRequiredError)
        assert refused.error.proposal_id is not None
        assert again.error.proposal_id == refused.error.proposal_id  # one question, however often it is asked
        await runtime.approvals.approve(refused.error.proposal_id, by=BOSS)
        for other in ({"page": "other"}, {"page": "home"}):
            caller = ADA if other["page"] == "other" else Caller("eve")
            assert isinstance((await runtime.run("publish", other, caller=caller)).error, ApprovalRequiredError)
        calls = [runtime.run("publish", {"page": "home"}, caller=ADA) for _ in range(4)]
        assert [result.ok for result in await asyncio.gather(*calls)].count(True) == 1


@pytest.mark.behaviour("approvals.once")
async def test_a_rejected_call_is_told_so_once(address: str) -> None:
    """Choice: a rejection fits one call as an approval does; the next one asks anew."""
    async with Runtime(registry_of(), store=address) as runtime:
        refused = await runtime.run("publish", {"page": "home"}, caller=ADA)
        assert isinstance(refused.error, ApprovalRequiredError)
        assert refused.error.proposal_id is not None
        await runtime.approvals.reject(refused.error.proposal_id, by=BOSS, note="not now")
        told = (await runtime.run("publish", {"page": "home"}, caller=ADA)).error
        assert type(told) is ForbiddenError
        assert str(told) == "forbidden: 'publish' was rejected by boss: not now"
        assert isinstance((await runtime.run("publish", {"page": "home"}, caller=ADA)).error, ApprovalRequiredError)


@pytest.mark.behaviour("rates.exact")
async def test_exactly_as_many_calls_pass_as_the_limit_says(address: str) -> None:
    """Spec: exact under concurrency; the error says when to try again."""
    async with Runtime(registry_of(), store=address, max_concurrent=50) as runtime:
        results = await asyncio.gather(*(runtime.run("ping") for _ in range(20)))
    refused = [result.error for result in results if not result.ok]
    assert len(refused) == 15
    for error in refused:
        assert isinstance(error, RateLimitedError)
        assert error.retry_after is not None
        assert 0 < error.retry_after <= 60


@pytest.mark.behaviour("rates.consume-nothing")
async def test_a_refused_call_takes_no_rate_and_one_without_rate_no_approval(address: str) -> None:
    """Spec: a denied call consumes no rate, a call that waits for its rate no approval."""
    async with Runtime(registry_of(), store=address) as runtime:
        for page in ("a", "b"):
            refused = await runtime.run("stamp", {"page": page}, caller=ADA)
            assert isinstance(refused.error, ApprovalRequiredError)
            assert refused.error.proposal_id is not None
            await runtime.approvals.approve(refused.error.proposal_id, by=BOSS)
        assert (await runtime.run("stamp", {"page": "a"}, caller=ADA)).ok
        assert isinstance((await runtime.run("stamp", {"page": "b"}, caller=ADA)).error, RateLimitedError)
        (waiting,) = await runtime.approvals.list("approved")
        assert waiting.inputs == {"page": "b"}


async def test_an_approver_that_says_no_takes_no_rate(address: str) -> None:
    """Spec: a call that is not made takes nothing."""
    answers = iter([False, True])
    async with Runtime(registry_of(), store=address, approver=lambda _proposal: next(answers)) as runtime:
        assert not (await runtime.run("stamp", {"page": "a"})).ok
        assert (await runtime.run("stamp", {"page": "a"})).ok


@pytest.mark.behaviour("redaction.canaries")
@pytest.mark.parametrize("fail", [False, True])
async def test_no_canary_leaves_the_gate(tmp_path: Path, fail: bool) -> None:
    """Spec: declared paths and secrets leave by no exit: events, audit, errors, proposals."""
    log, path = EventLog(), tmp_path / "state.db"
    inputs = {"code": CANARY, "note": f"the key is {SECRET}", "fail": fail}
    async with Runtime(registry_of(), store=f"sqlite:{path}") as runtime:
        runtime.subscribe(log, starts=True, facts=True)
        result = await runtime.run("visit", inputs, caller=ADA)
    if fail:
        assert result.error is not None
        exits = [str(result.error), result.error.model_text, str(result.error.to_json())]
    else:
        assert result.unwrap() == {"code": CANARY, "note": inputs["note"]}  # its caller gets what it asked for
        exits = []
    exits += [repr(event) for event in log.events if getattr(event, "entry", "") != "visit"]
    exits += [str(record) for record in records_in(path) if record.entry == "enter"]
    assert len(exits) > 4
    for said in exits:
        assert CANARY not in said
    for said in [*exits, *map(repr, log.events), *map(str, records_in(path)), path.read_bytes().decode("latin-1")]:
        assert SECRET not in said


@pytest.mark.behaviour("audit.every-call")
@pytest.mark.parametrize("mode", ["batched", "sync"])
async def test_every_decision_and_outcome_is_recorded(tmp_path: Path, mode: str) -> None:
    """Spec: one record per gate decision and outcome, nested calls and refusals among them."""
    path = tmp_path / "state.db"
    async with Runtime(registry_of(), store=f"sqlite:{path}", audit=mode) as runtime:  # type: ignore[arg-type]
        await runtime.run("visit", {"code": "c", "note": "n"}, caller=ADA)
        await runtime.run("publish", {"page": "home"}, caller=ADA)
        await runtime.run("nothing", {}, caller=ADA)
        await runtime.run("ping", {"x": 1}, caller=ADA)
        if mode == "sync":
            assert len(records_in(path)) == 5
    told = [(one.entry, one.parent is not None, one.verdict, one.error, one.stage) for one in records_in(path)]
    assert told == [
        ("enter", True, "allow", None, "record"),
        ("visit", False, "allow", None, "record"),
        ("publish", False, "ask", "approval_required", "approved"),
        ("nothing", False, "allow", "not_found", "resolve"),
        ("ping", False, "allow", "invalid_input", "inputs"),
    ]
    first, second = records_in(path)[:2]
    assert (first.run, first.trace, first.actor, first.channel) == (second.run, "t-1", "ada", "library")
    assert first.inputs == {"code": "[redacted]", "note": "n", "fail": False}
    assert first.digest is not None


@pytest.mark.behaviour("audit.every-call")
def test_a_call_without_an_event_loop_is_recorded_too(tmp_path: Path) -> None:
    """Choice: whoever writes no coroutines has a trail as well."""
    path = tmp_path / "state.db"
    runtime = Runtime(registry_of(), store=f"sqlite:{path}", audit="sync")
    assert runtime.run_sync("ping").ok
    runtime.close()
    runtime.close()
    assert [record.entry for record in records_in(path)] == ["ping"]


async def test_a_store_that_is_given_stays_open() -> None:
    """Choice: whoever opened it closes it."""
    store = open_store("memory")
    for given in (store, lambda: store):
        async with Runtime(registry_of(), store=given) as runtime:
            await runtime.run("ping")
    assert [kept.record.entry for kept in Trail(store.audit).newest()] == ["ping", "ping"]


async def test_without_a_store_nothing_is_recorded() -> None:
    """Choice: a library call costs what it always did."""
    async with Runtime(registry_of()) as runtime:
        assert (await runtime.run("ping")).ok
    async with Runtime(registry_of(), store="memory", audit="off") as runtime:
        assert (await runtime.run("ping")).ok


def test_a_store_that_cannot_be_had_is_told_at_once(tmp_path: Path) -> None:
    """Spec: a damaged store is a clear error; what has to be recorded cannot be run without one."""
    (tmp_path / "state.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="is damaged"):
        Runtime(registry_of(), store=f"sqlite:{tmp_path / 'state.db'}")
    with pytest.raises(ConfigurationError, match="there is no store 'redis:'"):
        Runtime(registry_of(), store="redis://localhost")


async def test_a_call_whose_rate_cannot_be_looked_up_is_refused(tmp_path: Path) -> None:
    """Choice: where nobody can say whether it may pass, it does not."""
    (tmp_path / "state.db").write_bytes(b"no database at all" * 100)
    async with Runtime(registry_of(), store=f"sqlite:{tmp_path / 'state.db'}", audit="off") as runtime:
        error = (await runtime.run("ping")).error
        assert isinstance(error, StoreError)
        assert (await runtime.run("enter", {"code": "c", "note": "n"})).ok


@pytest.mark.behaviour("audit.every-call")
def test_a_call_that_never_waits_is_recorded_too(tmp_path: Path) -> None:
    """Choice: `prowess run` makes such a call without an event loop, and closes what it opened."""

    async def call() -> bool:
        async with Runtime(registry_of(), store=f"sqlite:{tmp_path / 'state.db'}") as runtime:
            return (await runtime.run("enter", {"code": "c", "note": "n"}, caller=ADA)).ok

    with pytest.raises(StopIteration) as ended:
        call().send(None)
    assert ended.value.value is True
    assert [record.entry for record in records_in(tmp_path / "state.db")] == ["enter"]
