"""The governance stages of the gate as ports: what rules answer, and that nothing passes them by."""

import pytest

from prowess import Caller, Context, Registry, op, skill
from prowess.errors import (
    ApprovalRequiredError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    ProwessError,
    RateLimitedError,
)
from prowess.execution.gate import Gate
from prowess.execution.ports import Check, Checks, Facts, Ports
from prowess.model.event import CallFinished, Stage
from prowess.model.verdict import ALLOW, Ask, Deny, Reason, Verdict
from prowess.testing import EventLog, FakeClock

DENY = Deny((Reason("policy", "not on Sundays"), Reason("policy", "not by you")))
ASK = Ask((Reason("review", "a person looks at it first"),))
LATER = Deny((Reason("rate", "10 a minute"),), RateLimitedError)


def answering(verdict: Verdict, seen: list[Facts] | None = None) -> Check:
    """A rule that always answers the same."""

    def rule(facts: Facts) -> Verdict:
        if seen is not None:
            seen.append(facts)
        return verdict

    return rule


@op
async def greet(name: str) -> str:
    """Greet."""
    return f"Hello, {name}!"


@skill(calls=["greet"])
async def outer(*, ctx: Context) -> object:
    """Call another."""
    return await ctx.call("greet", name="Ada")


def gate_of(checks: Checks, log: EventLog | None = None) -> Gate:
    """A gate with these rules before two entries."""
    registry = Registry()
    registry.register(greet, outer)
    ports = Ports(
        latest=registry.latest,
        resolve=registry.get,
        holds=registry.holds,
        near=registry.near,
        scope=registry.scope,
        clock=FakeClock().clock,
        ids=lambda: "run",
    )
    gate = Gate(ports, checks=checks)
    gate.subscribe(log or EventLog())
    return gate


@pytest.mark.behaviour("gate.stages")
@pytest.mark.parametrize(
    ("stage", "verdict", "kind"),
    [
        ("visible", DENY, NotFoundError),
        ("permitted", DENY, ForbiddenError),
        ("approved", ASK, ApprovalRequiredError),
        ("rate", LATER, RateLimitedError),
    ],
)
async def test_what_a_stage_refuses_never_reaches_the_handler(
    stage: str, verdict: Verdict, kind: type[ProwessError]
) -> None:
    """Spec: each stage answers Allow, Ask or Deny with every reason; the error is that of the stage."""
    log = EventLog()
    result = await gate_of(Checks(**{stage: (answering(ALLOW), answering(verdict))}), log).run("greet", {"name": "Ada"})
    assert type(result.error) is kind
    (end,) = log.of(CallFinished)
    assert end.stage == Stage(stage)
    if stage == "permitted":
        assert str(result.error) == "forbidden: not on Sundays; not by you"


async def test_what_is_hidden_is_not_found_with_no_word_about_it() -> None:
    """Spec: what a caller may not see does not exist for it, whatever is wrong with the inputs."""
    error = (await gate_of(Checks(visible=(answering(DENY),))).run("greet", {"name": 5})).error
    assert isinstance(error, NotFoundError)
    assert "Sundays" not in str(error)


async def test_inputs_are_checked_before_anybody_is_asked() -> None:
    """Spec: an input that fails its schema takes no approval and no rate."""
    seen: list[Facts] = []
    gate = gate_of(Checks(approved=(answering(ASK, seen),), rate=(answering(ALLOW, seen),)))
    assert isinstance((await gate.run("greet", {"name": 5})).error, InvalidInputError)
    assert seen == []


async def test_a_denied_call_takes_no_rate_and_one_that_waits_for_its_rate_no_approval() -> None:
    """Spec: a denied call consumes no rate."""
    rated: list[Facts] = []
    await gate_of(Checks(permitted=(answering(DENY),), rate=(answering(ALLOW, rated),))).run("greet", {"name": "Ada"})
    assert rated == []


async def test_rules_know_who_asks_for_what_inside_which_call() -> None:
    """Spec: a nested call goes through the same stages, and its rules know the call around it."""
    seen: list[Facts] = []
    result = await gate_of(Checks(permitted=(answering(ALLOW, seen),))).run("outer", caller=Caller("ada"))
    assert result.output == "Hello, Ada!"
    assert [(facts.manifest.name, facts.parent and facts.parent.name, facts.caller.actor) for facts in seen] == [
        ("outer", None, "ada"),
        ("greet", "outer", "ada"),
    ]
    assert seen[1].inputs == {"name": "Ada"}
