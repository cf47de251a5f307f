"""The doubles that we ship: what a test of a skill sees through them."""

import pytest

from prowess import Context, ForbiddenError, NotFoundError, ProwessError, Result, Runtime, Services, skill
from prowess.model.event import CallFinished, CallStarted
from prowess.testing import EventLog, FakeClock, FakeContext
from tests.unit.app.calls.calling import echo, registry_of


@skill(calls=["weather", "umbrella"])
async def advise(city: str, *, ctx: Context) -> object:
    """Say what to take along."""
    ctx.log("asking", city=city)
    ctx.progress(1, 2, "half")
    if await ctx.call("weather", city=city) == "rain":
        return await ctx.call("umbrella")
    return ctx.services.require("otherwise")


async def test_a_handler_is_tested_with_scripted_answers_and_tells_what_it_did() -> None:
    """Spec: `FakeContext` gives nested calls their answers and keeps calls, lines and reports."""
    ctx = FakeContext({"weather": "rain", "umbrella": {"colour": "red"}})
    assert await advise("Ulm", ctx=ctx) == {"colour": "red"}
    assert ctx.calls == [("weather", {"city": "Ulm"}), ("umbrella", {})]
    assert ctx.lines == [("asking", {"city": "Ulm"})]
    assert ctx.reports == [(1, 2, "half")]


async def test_a_fake_context_has_services_of_its_own_or_those_given() -> None:
    """Spec: `FakeContext(services=...)` is what `ctx.services` gives."""
    ctx = FakeContext({"weather": "sun"}, services=Services({"otherwise": "a hat"}))
    assert await advise("Ulm", ctx=ctx) == "a hat"
    assert isinstance(FakeContext().services, Services)


@pytest.mark.parametrize(
    ("answers", "error"), [({"weather": ForbiddenError("not on a Sunday")}, ForbiddenError), ({}, NotFoundError)]
)
async def test_a_scripted_error_is_raised_and_a_call_without_an_answer_is_not_found(
    answers: dict[str, ProwessError], error: type[ProwessError]
) -> None:
    """Spec: an answer that is an error is raised; a target that nobody scripted is told by its name."""
    with pytest.raises(error, match=r"Sunday|weather"):
        await advise("Ulm", ctx=FakeContext(answers))


async def test_an_event_log_keeps_what_it_was_told_in_order() -> None:
    """Spec: `EventLog` is a reader, and gives the events of one kind."""
    log = EventLog()
    async with Runtime(registry_of(echo)) as runtime:
        runtime.subscribe(log, starts=True)
        result: Result = await runtime.run("echo", {"text": "a"})
    assert result.ok
    assert [type(event) for event in log.events] == [CallStarted, CallFinished]
    assert [event.entry for event in log.of(CallStarted)] == ["echo"]


def test_a_fake_clock_stands_still_until_it_is_told() -> None:
    """Spec: `FakeClock` moves by `advance` alone."""
    fake = FakeClock(now=100.0)
    clock = fake.clock
    assert (clock.epoch, clock.monotonic(), clock.monotonic()) == (100.0, 0.0, 0.0)
    fake.advance(2.5)
    fake.advance(0.5)
    assert clock.monotonic() == 3.0
