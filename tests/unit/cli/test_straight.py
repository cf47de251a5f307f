"""Driving a call without an event loop."""

import types
from collections.abc import Generator

import pytest

from prowess import Context, Registry, Result, Runtime, op, skill
from prowess.cli.straight import run_straight


@op
async def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@skill(calls=[double])
async def fourfold(number: int, *, ctx: Context) -> object:
    """Double it twice."""
    return await ctx.call("double", number=await ctx.call("double", number=number))


@types.coroutine
def _turn(given: object) -> Generator[object, None, None]:
    yield given


@op
async def polite() -> str:
    """Give others a turn."""
    await _turn(None)
    return "done"


@op
async def waiting() -> str:
    """Wait for something that nobody will bring."""
    await _turn("a bus")
    return "done"


@op
async def failing() -> str:
    """Fail."""
    raise ValueError("no")


def _ran(name: str, **inputs: object) -> Result:
    registry = Registry()
    registry.register(double, fourfold, polite, waiting, failing)
    return run_straight(Runtime(registry).run(name, inputs))


@pytest.mark.behaviour("start.straight")
def test_a_call_that_never_waits_runs_without_an_event_loop() -> None:
    """Choice: nested calls, bare turns and failures are what they are on a loop."""
    assert _ran("fourfold", number=3).output == 12
    assert _ran("polite").output == "done"
    assert str(_ran("failing").error) == "execution failed: failing: ValueError: no"
    assert str(_ran("double", number="x").error).startswith("invalid input: double: number")


def test_a_call_that_waits_after_all_is_told_that_there_is_no_loop() -> None:
    """Choice: an error, never a call that hangs."""
    error = _ran("waiting").error
    assert str(error) == "execution failed: waiting: RuntimeError: waits for str, and there is no event loop"
