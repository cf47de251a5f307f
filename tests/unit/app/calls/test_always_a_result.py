"""What must not raise out of `run`, whatever a handler, a caller or a reader does."""

import asyncio
import time
from dataclasses import dataclass
from functools import partial

import pytest

from prowess import ExecutionFailedError, InvalidInputError, NotFoundError, Registry, Runtime, op
from prowess.errors import ConfigurationError, ProwessError
from prowess.execution.gate import Gate
from prowess.execution.ports import Clock, GovernancePorts, Ports
from prowess.model.event import CallFinished
from prowess.testing import EventLog
from tests.unit.app.calls.calling import echo, registry_of, run


@dataclass
class CountedError(ExecutionFailedError):
    """An author's error that is a dataclass: it has no hash, and never calls the base's `__init__`."""

    count: int = 1


class UnequalError(ExecutionFailedError):
    """An author's error without a hash."""

    __hash__ = None  # type: ignore[assignment]


class SilentError(ExecutionFailedError):
    """An author's error whose words cannot be had."""

    def __str__(self) -> str:
        raise ValueError


class Unnamed:
    """A target that cannot even be shown."""

    def __str__(self) -> str:
        raise ValueError


class Unhashable(str):
    """A name that cannot be looked up."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise ValueError


@pytest.mark.behaviour("running.always-a-result")
@pytest.mark.parametrize("raised", [CountedError(3), SilentError("secret")])
async def test_an_authors_error_of_a_broken_class_is_the_handlers_failure(raised: ProwessError) -> None:
    """Regression: it was raised out of `run`, or its event could not be told."""

    @op
    async def fail() -> None:
        """Fail."""
        raise raised

    error = (await run(fail)).error
    assert type(error) is ExecutionFailedError
    assert str(error) == f"execution failed: fail: {type(raised).__name__}"
    assert error.model_text == "execution failed: fail failed"


@pytest.mark.behaviour("running.always-a-result")
async def test_an_authors_error_needs_no_hash() -> None:
    """Regression: errors were remembered by their hash."""

    @op
    async def fail() -> None:
        """Fail."""
        message = "no more of it"
        raise UnequalError(message)

    assert str((await run(fail)).error) == "execution failed: no more of it"


@pytest.mark.behaviour("running.always-a-result")
@pytest.mark.parametrize("timeout", [10**400, 10**10_000, "1"], ids=["large", "larger", "text"])
@pytest.mark.parametrize("waiting", [False, True])
async def test_a_time_limit_that_is_no_number_of_seconds_is_refused(timeout: float, *, waiting: bool) -> None:
    """Regression: a whole number beyond all floats raised out of `run`."""
    async with Runtime(registry_of(echo), max_concurrent=1) as runtime:
        held = asyncio.create_task(runtime.run("echo", {"text": "a"}, timeout=60))
        if waiting:
            await asyncio.sleep(0)
        assert isinstance((await runtime.run("echo", {"text": "a"}, timeout=timeout)).error, ConfigurationError)
        assert (await held).ok


@pytest.mark.behaviour("running.always-a-result")
async def test_a_target_that_cannot_be_shown_is_not_found() -> None:
    """Regression: its `__str__` raised out of `run`."""
    log = EventLog()
    async with Runtime(registry_of(echo), readers=[log]) as runtime:
        assert isinstance((await runtime.run(Unnamed())).error, NotFoundError)  # type: ignore[arg-type]
        assert not (await runtime.run(Unhashable("echo"))).ok
    assert [end.entry for end in log.of(CallFinished)] == ["Unnamed", "echo"]


@pytest.mark.behaviour("running.always-a-result")
async def test_a_reader_of_starts_that_fails_does_not_keep_a_call_from_starting(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Regression: the call failed in its place."""

    def broken(_: object) -> None:
        message = "the reader's own"
        raise ValueError(message)

    log = EventLog()
    async with Runtime(registry_of(echo)) as runtime:
        runtime.subscribe(broken, starts=True)
        runtime.subscribe(log, starts=True)
        assert (await runtime.run("echo", {"text": "a"})).output == "a"
    assert len(log.events) == 2
    assert "an event reader failed" in caplog.text


@pytest.mark.behaviour("running.always-a-result")
async def test_a_record_that_cannot_be_kept_does_not_change_what_a_call_came_to(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Choice: the call was made; that its record is missing is told to the operator."""
    registry = registry_of(echo)

    async def recorded(_: CallFinished) -> None:
        message = "the disk is full"
        raise OSError(message)

    gate = _gate(registry, partial(GovernancePorts, recorded=recorded))
    gate.subscribe(EventLog())
    assert (await gate.run("echo", {"text": "a"})).output == "a"
    assert isinstance((await gate.run("echo", {"text": 5})).error, InvalidInputError)
    assert caplog.text.count("the disk is full") == 2


def _gate(registry: Registry, governance: partial[GovernancePorts]) -> Gate:
    ports = Ports(
        latest=registry.latest,
        resolve=registry.get,
        holds=registry.holds,
        near=registry.near,
        scope=registry.scope,
        clock=Clock(time.perf_counter, 0.0),
        ids=lambda: "id",
        governance=governance(rules=registry.rules, hour=lambda: 0, ids=lambda: "id"),
    )
    return Gate(ports)


@pytest.mark.behaviour("running.only-json")
@pytest.mark.parametrize("value", ["\ud800", 10**4_000, -(1 << 1024)], ids=["text", "large", "small"])
async def test_scalars_are_held_to_what_json_can_hold(value: str | int) -> None:
    """Regression: the quick paths for text and whole numbers let pass what the others refuse."""

    @op
    async def give_text() -> str:
        """Give it."""
        return value  # type: ignore[return-value]

    @op
    async def give_number() -> int:
        """Give it."""
        return value  # type: ignore[return-value]

    @op
    async def take_number(number: int) -> bool:
        """Take it."""
        raise AssertionError

    gives = give_text if isinstance(value, str) else give_number
    async with Runtime(registry_of(give_text, give_number, take_number)) as runtime:
        for _ in range(2):  # the second goes straight
            outcome = await runtime.run(gives.__name__)
            assert outcome.error is not None
            assert outcome.error.code == "invalid_output"
            if isinstance(value, int):
                taken = await runtime.run("take_number", {"number": value})
                assert isinstance(taken.error, InvalidInputError)
                assert "too large for JSON" in str(taken.error)


async def test_scalars_beyond_the_quick_paths_pass_all_the_same() -> None:
    """Choice: what the quick check does not accept takes the long way."""

    @op
    async def same(number: int, text: str) -> str:
        """Give both."""
        return f"{number} {text}"

    @op
    async def more(number: int) -> int:
        """Give one more."""
        return number + 1

    async with Runtime(registry_of(same, more)) as runtime:
        for _ in range(2):
            assert (await runtime.run("same", {"number": 1 << 70, "text": "é"})).output == f"{1 << 70} é"
            assert (await runtime.run("more", {"number": 1 << 70})).output == (1 << 70) + 1
