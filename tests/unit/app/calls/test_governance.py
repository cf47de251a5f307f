"""The gate's stages visible to rate, as a whole: who gets through, and that nothing passes them by."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from prowess import Caller, Context, Manifest, Permissions, Registry, Runtime, op, skill
from prowess.errors import (
    ApprovalRequiredError,
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.rulebook import Access, Rulebook
from prowess.model.event import CallFinished, NoticeGiven, Stage
from prowess.model.manifest import Autonomy
from prowess.model.permissions import EntrySettings
from prowess.testing import EventLog

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.model.proposal import Proposal
    from prowess.model.result import Result

RUNS: list[str] = []


@pytest.fixture(autouse=True)
def _none_ran() -> None:
    RUNS.clear()


@op(capabilities=["notes.read"])
async def read_note(name: str) -> str:
    """Read a note."""
    RUNS.append(name)
    return f"the note {name}"


@op(autonomy="L1")
async def send(text: str) -> str:
    """Send a text."""
    RUNS.append(text)
    return "sent"


@op(autonomy="L1", destructive=True)
async def erase(name: str) -> str:
    """Erase a note."""
    RUNS.append(name)
    return "gone"


@op(autonomy="L1", policy_tags=["requires_review"])
async def publish(name: str) -> str:
    """Publish a note."""
    RUNS.append(name)
    return "published"


@skill(autonomy="L1", capabilities=["notes.read"], calls=["read_note", "send", "erase", "publish"])
async def mail_note(name: str, then: str = "send", *, ctx: Context) -> object:
    """Mail a note. Use when somebody wants it."""
    text = await ctx.call("read_note", name=name)
    return await ctx.call(then, **({"text": text} if then == "send" else {"name": name}))


@skill(calls=["read_note"])
async def without_rights(name: str, *, ctx: Context) -> object:
    """Read a note without saying so."""
    return await ctx.call("read_note", name=name)


@skill(calls=["without_rights"], capabilities=["notes.read"])
async def around(name: str, *, ctx: Context) -> object:
    """Call what declares less."""
    return await ctx.call("without_rights", name=name)


def registry_of(*things: object, book: Rulebook | None = None) -> Registry:
    """A registry of these, or of all of the above."""
    registry = Registry()
    registry.register(*(things or (read_note, send, erase, publish, mail_note, without_rights, around)))
    if book is not None:
        registry.rulebook = book
    return registry


async def run(target: str, inputs: dict[str, object], *, caller: Caller | None = None, **options: Any) -> Result:
    """What one call comes to in a runtime of its own."""
    book = options.pop("book", None)
    async with Runtime(registry_of(book=book), **options) as runtime:
        return await runtime.run(target, inputs, caller=caller or Caller("me"))


def narrowed(**said: Any) -> Caller:
    """A caller with these permissions."""
    return Caller("me", permissions=Permissions(**said))


@pytest.mark.behaviour("gate.stages")
async def test_what_a_stage_refuses_never_reaches_the_handler() -> None:
    """Spec: each stage answers with every reason; the error is that of the stage."""
    book = Rulebook(
        access={"read_note": Access(channels=("http",))},
        rules=(Rule(name="sundays", effect=Effect.DENY, reason="not on Sundays"),),
    )
    log = EventLog()
    result = await run("read_note", {"name": "a"}, book=book, readers=[log])
    assert str(result.error) == "forbidden: 'read_note': it may not be called from 'library'; not on Sundays"
    assert isinstance(result.error, ForbiddenError)
    (end,) = log.of(CallFinished)
    assert end.stage is Stage.PERMITTED
    assert RUNS == []


@pytest.mark.behaviour("gate.hidden")
@pytest.mark.parametrize(
    "caller",
    [
        narrowed(capabilities=()),
        narrowed(capabilities=("notes.write",)),
        Caller("me", permissions=Permissions().without("read_note")),
    ],
)
async def test_what_a_caller_may_never_use_does_not_exist_for_it(caller: Caller) -> None:
    """Spec: "not found", not "forbidden", for what is hidden, whatever is wrong with the inputs."""
    registry = registry_of()
    async with Runtime(registry) as runtime:
        error = (await runtime.run("read_note", {"name": 5}, caller=caller)).error
    assert str(error) == "not found: there is no entry 'read_note'"
    assert isinstance(error, NotFoundError)
    view = registry.filtered(permissions=caller.permissions)
    assert view.get("read_note") is None
    assert "read_note" not in [manifest.name for manifest in view.list()]
    assert "read_note" not in str(registry.tools("openai", permissions=caller.permissions))
    assert "read_note" not in [hit.name for hit in registry.search("read a note", permissions=caller.permissions)]


async def test_a_preset_that_hides_nothing_but_by_name_sees_all() -> None:
    """Choice: the widest permissions cost no look at each entry."""
    registry = registry_of()
    assert len(registry.filtered(permissions=Permissions.preset("yolo")).list()) == len(registry)
    assert len(registry.filtered(permissions=Permissions.preset("worker")).list()) == len(registry) - 1  # erase


async def test_inputs_are_checked_before_anybody_is_asked() -> None:
    """Spec: an input that fails its schema never reaches a handler, nor a person."""
    asked: list[Proposal] = []

    async def approver(proposal: Proposal) -> bool:
        asked.append(proposal)
        return True

    assert isinstance((await run("send", {"text": 5}, approver=approver)).error, InvalidInputError)
    assert asked == []


@pytest.mark.behaviour("approvals.approver")
@pytest.mark.parametrize("answer", [True, False, None, 1])
async def test_an_approver_decides_at_once(answer: Any) -> None:
    """Spec: `approver`: an async callable that decides an Ask; only a clear yes lets a call pass."""
    asked: list[Proposal] = []

    async def approver(proposal: Proposal) -> bool:
        asked.append(proposal)
        return answer  # type: ignore[no-any-return]

    result = await run("send", {"text": "hello"}, approver=approver)
    assert result.ok is (answer is True)
    assert (["hello"] if answer is True else []) == RUNS
    (proposal,) = asked
    assert (proposal.entry, proposal.actor, proposal.inputs) == ("send", "me", {"text": "hello"})
    if answer is not True:
        assert type(result.error) is ForbiddenError


async def test_an_approver_may_be_a_plain_function_and_its_failure_refuses() -> None:
    """Choice: whoever fails to say yes has not said it."""

    def failing(_proposal: Proposal) -> bool:
        raise ValueError("the pager is down")

    assert (await run("send", {"text": "hello"}, approver=lambda _proposal: True)).output == "sent"
    error = (await run("send", {"text": "again"}, approver=failing)).error
    assert type(error) is ForbiddenError
    assert "the pager is down" in str(error)
    assert error.model_text == "forbidden: 'send' was not approved"
    assert RUNS == ["hello"]


@pytest.mark.behaviour("approvals.nobody")
async def test_without_anybody_to_ask_nothing_runs() -> None:
    """Spec: the call is refused with the proposal's id and nothing runs."""
    result = await run("send", {"text": "hello"})
    assert isinstance(result.error, ApprovalRequiredError)
    assert "autonomy L1" in str(result.error)
    assert RUNS == []


@pytest.mark.behaviour("approvals.covers")
@pytest.mark.parametrize(("then", "asked"), [("send", 1), ("erase", 2), ("publish", 2)])
async def test_approving_a_skill_covers_its_l1_targets_within_that_run(then: str, asked: int) -> None:
    """Spec: and shows everything that it may call; not what needs a review or is destructive."""
    proposals: list[Proposal] = []

    def approver(proposal: Proposal) -> bool:
        proposals.append(proposal)
        return True

    result = await run("mail_note", {"name": "a", "then": then}, approver=approver)
    assert result.ok
    assert proposals[0].reaches == ("erase", "publish", "read_note", "send")
    assert [proposal.entry for proposal in proposals] == ["mail_note", then][:asked]


@pytest.mark.behaviour("governance.nested-rights")
@pytest.mark.parametrize("target", ["without_rights", "around"])
async def test_a_skill_calls_nothing_for_which_it_declares_no_right(target: str) -> None:
    """Spec: nested rights narrow at every step, also where a skill further out has more."""
    result = await run(target, {"name": "a"})
    assert isinstance(result.error, ForbiddenError)
    assert "the calling skill has no capability notes.read: it has to declare it" in str(result.error)
    assert RUNS == []


async def test_a_ceiling_lowers_autonomy_for_nested_calls_too() -> None:
    """Spec: effective autonomy is the lower of the entry's and the caller's ceiling."""
    result = await run("read_note", {"name": "a"}, caller=Caller("me", ceiling=Autonomy.L1))
    assert isinstance(result.error, ApprovalRequiredError)
    result = await run("read_note", {"name": "a"}, caller=Caller("me", ceiling=Autonomy.L0))
    assert type(result.error) is ForbiddenError


async def test_the_time_that_permissions_leave_an_entry_is_its_deadline() -> None:
    """Spec: `timeout` of an entry's settings is enforced."""

    @op
    async def wait() -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    caller = Caller("me", permissions=Permissions().with_entries({"wait": EntrySettings(timeout=0.01)}))
    async with Runtime(registry_of(wait)) as runtime:
        error = (await runtime.run("wait", caller=caller)).error
    assert error is not None
    assert error.code == "timed_out"


async def test_a_new_rulebook_is_in_force_at_the_next_call() -> None:
    """Spec: a reload exchanges it whole, whatever was found out by the old one."""
    registry = registry_of()
    async with Runtime(registry) as runtime:
        for _ in range(2):
            assert (await runtime.run("read_note", {"name": "a"})).ok
        registry.rulebook = Rulebook(rules=(Rule(name="no", effect=Effect.DENY, match=Match(entries=("read_*",))),))
        assert isinstance((await runtime.run("read_note", {"name": "a"})).error, ForbiddenError)
        registry.rulebook = Rulebook()
        assert (await runtime.run("read_note", {"name": "a"})).ok


@pytest.mark.behaviour("governance.l2-tells")
async def test_an_entry_of_l2_runs_and_tells() -> None:
    """Spec: L2 runs and tells, L3 runs silently."""

    @op(autonomy="L2")
    async def tidy() -> str:
        """Tidy up."""
        return "tidy"

    log = EventLog()
    async with Runtime(registry_of(tidy, read_note), readers=[log]) as runtime:
        assert (await runtime.run("tidy")).ok
        assert (await runtime.run("read_note", {"name": "a"})).ok
    assert [(notice.entry, notice.rule) for notice in log.of(NoticeGiven)] == [("tidy", "autonomy")]


def versioned(version: str, **said: Any) -> Manifest:
    """An entry of one name in a version."""
    return Manifest(name="sort", version=version, description="Sort.", **said)


class Sort:
    """A skill of one version."""

    name = "sort"
    description = "Sort."
    parameters: dict[str, object] = {"type": "object"}  # noqa: RUF012 - as authors write it

    def __init__(self, version: str) -> None:
        self.version = version

    async def execute(self) -> str:
        """Run."""
        return self.version


def factory_of(version: str) -> Callable[[object], Sort]:
    """What makes a version of it."""
    return lambda _services: Sort(version)


@pytest.mark.behaviour("governance.deprecated")
async def test_a_deprecated_entry_runs_until_its_removal_version_is_there() -> None:
    """Spec: with a warning event; then it is refused and names its replacement."""
    old = versioned("1.0.0", status="deprecated", deprecation={"replaced_by": "order", "removal_version": "2.0.0"})
    registry, log = Registry(), EventLog()
    registry.register_factory("sort", factory_of("1.0.0"), manifest=old)
    async with registry, Runtime(registry, readers=[log]) as runtime:
        assert (await runtime.run("sort@1.0.0")).output == "1.0.0"
        registry.register_factory("sort", factory_of("1.5.0"), manifest=versioned("1.5.0"))
        assert (await runtime.run("sort@1.0.0")).ok
        assert [notice.rule for notice in log.of(NoticeGiven)] == ["deprecated"] * 2
        registry.register_factory("sort", factory_of("2.0.0"), manifest=versioned("2.0.0"))
        error = (await runtime.run("sort@1.0.0")).error
    assert isinstance(error, UnavailableError)
    assert str(error) == "unavailable: 'sort@1.0.0' was removed with version 2.0.0: use 'order'"


class BackendDownError(Exception):
    """What a handler raises that knows nothing of Prowess."""

    code = "search_failed"


@pytest.mark.behaviour("governance.failure-modes")
@pytest.mark.parametrize(
    ("raised", "code", "retryable", "told"),
    [
        (
            BackendDownError("host 10.0.0.1"),
            "search_failed",
            True,
            "execution failed: find: search_failed: Backend error.",
        ),
        (
            ExecutionFailedError("busy", details={"code": "search_failed"}),
            "search_failed",
            True,
            "execution failed: busy",
        ),
        (ExecutionFailedError("busy"), None, False, "execution failed: busy"),
        (ForbiddenError("not yours"), None, False, "forbidden: not yours"),
        (KeyError("secret"), None, False, "execution failed: find failed"),
    ],
)
async def test_a_handler_fails_in_a_declared_way(
    raised: Exception, code: str | None, retryable: bool, told: str
) -> None:
    """Spec: `retryable` is honoured; what is not declared keeps its text for operators only."""

    @op(failure_modes=[{"code": "search_failed", "description": "Backend error.", "retryable": True}])
    async def find() -> None:
        """Find."""
        raise raised

    async with Runtime(registry_of(find)) as runtime:
        error = (await runtime.run("find")).error
    assert error is not None
    assert (error.details.get("code"), error.retryable, error.model_text) == (code, retryable, told)


@pytest.mark.behaviour("approvals.covers")
async def test_a_proposal_shows_all_that_may_be_called_as_far_as_it_is_known() -> None:
    """Spec: approving a skill shows everything that it may call; what is missing is shown as it is written."""

    @skill(calls=["send"])
    async def inner() -> None:
        """Call one."""

    @skill(autonomy="L1", calls=["inner", "send", "missing", "send@^^1"])
    async def outer() -> None:
        """Call many. Use when asked."""

    seen: list[Proposal] = []

    def approver(proposal: Proposal) -> bool:
        seen.append(proposal)
        return True

    async with Runtime(registry_of(send, inner, outer), approver=approver) as runtime:
        assert (await runtime.run("outer")).ok
    assert seen[0].reaches == ("inner", "missing", "send", "send@^^1")
