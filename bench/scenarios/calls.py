"""What the gate adds to a call, with governance and without, and what a verdict costs."""

import asyncio
import gc
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import cast

from bench.scenario import Sample, Scenario, interleave
from prowess import Caller, Permissions, Registry, Runtime, skill
from prowess.execution.guard import Guard
from prowess.execution.plan import make_plan
from prowess.execution.ports import GovernancePorts
from prowess.execution.validation.validator import ValidatorCache
from prowess.governance.capabilities import Capabilities, Capability
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.rulebook import Rulebook
from prowess.storage.records.sqlite import SqliteStore
from prowess.telemetry.audit import AuditTrail

_CALLS = 20_000
_GOVERNED_CALLS = 2_000
_ROUNDS = 15
_CALLER = Caller("ada", "http", Permissions.preset("sandboxed"))
_BOOK = Rulebook(
    capabilities=Capabilities.of([Capability("notes.read", risk="low"), Capability("notes.write", risk="high")]),
    rules=(
        Rule(name="no-writes", effect=Effect.DENY, match=Match(capabilities=("notes.write",))),
        Rule(name="only-http", effect=Effect.ASK, match=Match(channels=("mail",))),
    ),
)


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


@skill(capabilities=["notes.read"])
async def find_note(query: str, limit: int = 10) -> str:
    """Look a query up."""
    return f"{limit} results for {query}"


def _governed() -> Sequence[Sample]:
    """CPU seconds of the thread that calls: the trail is written by another one."""
    registry = Registry()
    registry.register(find_note)
    registry.rulebook = _BOOK
    seen = 0

    def reader(event: object) -> None:
        nonlocal seen
        seen += 1

    function = cast("Callable[..., Awaitable[object]]", find_note.__wrapped__)
    inputs = {"query": "rust"}
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(f"{folder}/state.db")
        trail = AuditTrail(store.audit)
        runtime = Runtime(registry, readers=[reader])
        runtime.subscribe(trail, facts=True)

        async def governed() -> None:
            for _ in range(_GOVERNED_CALLS):
                await runtime.run("find_note", inputs, caller=_CALLER)

        async def bare() -> None:
            for _ in range(_GOVERNED_CALLS):
                await function(**inputs)

        with asyncio.Runner() as runner:
            samples: list[Sample] = []
            for _ in range(_ROUNDS + 1):
                cost = _cpu(runner, governed)
                trail.flush(60)
                samples.append(Sample(cost=cost, bare=_cpu(runner, bare)))
            runner.run(runtime.aclose())
        trail.close()
        store.close()
    if seen < _GOVERNED_CALLS:
        message = "the reader was not told of every call"
        raise AssertionError(message)
    return samples[1:]


def _cpu(runner: asyncio.Runner, work: Callable[[], Coroutine[object, object, None]]) -> float:
    gc.collect()
    begin = time.thread_time()
    runner.run(work())
    return time.thread_time() - begin


def _verdict() -> Sequence[Sample]:
    """Seconds for the verdict on a call of somebody who called before."""
    registry = Registry()
    registry.register(find_note)
    registry.rulebook = _BOOK
    runtime = Runtime(registry)
    plan = make_plan(registry.require("find_note"), registry.scope, ValidatorCache(), lambda function: function)
    guard = Guard(GovernancePorts(rules=registry.rules, hour=int, ids=str), runtime.threads, time.time)
    samples: list[Sample] = []
    for _ in range(_ROUNDS):
        begin = time.thread_time()
        for _ in range(_GOVERNED_CALLS):
            guard.clearance(plan, _CALLER, None)
        samples.append(Sample(cost=(time.thread_time() - begin) / _GOVERNED_CALLS, bare=1.0))
    runtime.close()
    return samples


SCENARIOS = (
    Scenario(
        name="call-through-the-gate",
        what="`Runtime.run` of a trivial async skill: both schemas checked, events to one reader",
        bare="awaiting the function itself",
        limit=5,
        measure=_gate,
    ),
    Scenario(
        name="governed-call",
        what="`Runtime.run` under rules, rights and a preset, with the audit trail in batches: the calling thread",
        bare="awaiting the function itself",
        limit=10,
        measure=_governed,
    ),
    Scenario(
        name="verdict",
        what="the verdict on a call by somebody who called before",
        bare="",
        limit=0.5,
        measure=_verdict,
        absolute=True,
        unit=" µs",
        scale=1e6,
    ),
)
