"""What the gate adds to a call."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import cast

from bench.scenario import Sample, Scenario, interleave
from prowess import Registry, Runtime, skill

_CALLS = 20_000


@skill
async def look_up(query: str, limit: int = 10) -> str:
    """Look a query up."""
    return f"{limit} results for {query}"


def _gate() -> Sequence[Sample]:
    registry = Registry()
    registry.register(look_up)
    seen = 0

    def reader(event: object) -> None:
        nonlocal seen
        seen += 1

    runtime = Runtime(registry, readers=[reader])
    function = cast("Callable[..., Awaitable[object]]", look_up.__wrapped__)
    inputs = {"query": "rust"}

    async def through_the_gate() -> None:
        run = runtime.run
        for _ in range(_CALLS):
            await run("look_up", inputs)

    async def bare() -> None:
        for _ in range(_CALLS):
            await function(**inputs)

    with asyncio.Runner() as runner:
        samples = interleave(lambda: runner.run(through_the_gate()), lambda: runner.run(bare()))
    if seen < 2 * _CALLS:
        message = "the reader was not told of every call"
        raise AssertionError(message)
    return samples


SCENARIOS = (
    Scenario(
        name="call-through-the-gate",
        what="`Runtime.run` of a trivial async skill: both schemas checked, events to one reader",
        bare="awaiting the function itself",
        limit=5,
        measure=_gate,
    ),
)
