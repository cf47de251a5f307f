"""How calls end that do not simply return: whose words are told, and what nothing may survive."""

import asyncio
import logging
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

from prowess import (
    Context,
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    ProwessError,
    Result,
    Runtime,
    op,
    skill,
)
from prowess.errors import (
    ApprovalRequiredError,
    CallCancelledError,
    ConfigurationError,
    InvalidManifestError,
    NotFoundError,
    TimedOutError,
    UnavailableError,
)
from prowess.model.event import CallFinished, Event
from prowess.testing import EventLog
from tests.unit.app.calls.calling import echo, registry_of, run

if TYPE_CHECKING:
    from collections.abc import Callable

FOREIGN = (
    ProwessError("secret"),
    ConfigurationError("/home/ada/secret.toml"),
    NotFoundError("no secret row"),
    InvalidManifestError("secret"),
    UnavailableError("secret host is down"),
    ApprovalRequiredError("secret", details={"proposal_id": "forged"}),
    ValueError("secret"),
)


@pytest.mark.behaviour("running.authors-errors")
@pytest.mark.parametrize("raised", FOREIGN, ids=lambda error: type(error).__name__)
async def test_only_the_three_errors_of_authors_tell_a_model_their_words(raised: Exception) -> None:
    """Spec: any other exception's text stays with the operator, whoever's class it is."""

    @op
    async def leak() -> None:
        """Fail."""
        raise raised

    error = (await run(leak)).error
    assert type(error) is ExecutionFailedError
    assert error.model_text == "execution failed: leak failed"
    assert "secret" in str(error)
    assert error.__cause__ is raised


@pytest.mark.behaviour("running.authors-errors")
@pytest.mark.parametrize("kind", [InvalidInputError, ForbiddenError, ExecutionFailedError])
async def test_an_authors_error_keeps_its_kind_and_words_and_names_its_entry(kind: type[ProwessError]) -> None:
    """Spec: the kind and text of the three reach the model, and the error says which entry failed."""

    @op
    async def refuse() -> None:
        """Refuse."""
        raise kind("not on Sundays", details={"day": 7})

    error = (await run(refuse)).error
    assert type(error) is kind
    assert error.model_text.endswith("not on Sundays")
    assert (error.name, error.details["day"]) == ("refuse", 7)


async def test_a_result_with_an_error_names_its_entry() -> None:
    """Spec: `ExecutionFailedError.name` carries its data."""

    @op
    async def refuse() -> Result:
        """Refuse."""
        return Result(error="not today")

    error = (await run(refuse)).error
    assert error is not None
    assert (error.name, str(error)) == ("refuse", "execution failed: not today")


async def test_what_a_nested_call_came_to_passes_as_it_is() -> None:
    """Choice: the gate has judged it once; a target that is missing is no secret to the model that asked."""

    @skill(calls=["gone"])
    async def outer(*, ctx: Context) -> object:
        """Call."""
        return await ctx.call("gone")

    error = (await run(outer)).error
    assert isinstance(error, NotFoundError)
    assert error.name == "gone"


async def test_an_exception_whose_words_cannot_be_had_is_still_an_error() -> None:
    """Regression: a failing `__str__` came out of `run`."""

    class Mute(Exception):  # noqa: N818 - an author's own
        def __str__(self) -> str:
            raise RuntimeError

    @op
    async def fail() -> None:
        """Fail."""
        raise Mute

    error = (await run(fail)).error
    assert str(error) == "execution failed: fail: Mute"


async def test_an_exception_beside_exception_is_the_handlers_failure() -> None:
    """Regression: a class below `BaseException` came out of `run`."""

    class Odd(BaseException):
        pass

    @op
    async def fail() -> None:
        """Fail."""
        raise Odd

    assert isinstance((await run(fail)).error, ExecutionFailedError)


@pytest.mark.parametrize("style", ["coroutine", "thread"])
async def test_a_handler_that_ends_the_process_ends_its_call_only(style: str) -> None:
    """Regression: with a deadline, `sys.exit()` in a handler ended the event loop and so the server."""

    @op(name="leave")
    async def leave() -> None:
        """Leave."""
        sys.exit(3)

    @op(name="leave")
    def leave_in_thread() -> None:
        """Leave."""
        sys.exit(3)

    error = (await run(leave if style == "coroutine" else leave_in_thread, timeout=5)).error
    assert str(error) == "execution failed: leave: SystemExit: 3"


async def test_a_reader_that_fails_does_not_change_what_a_call_came_to(caplog: pytest.LogCaptureFixture) -> None:
    """Regression: its exception came out of `run`, after the handler had done its work."""
    log = EventLog()

    def broken(_event: Event) -> None:
        raise RuntimeError

    groups: list[list[Callable[[Event], None]]] = [[broken], [broken, log]]
    for readers in groups:
        async with Runtime(registry_of(echo), readers=readers) as runtime:
            assert (await runtime.run("echo", {"text": "a"})).output == "a"
            assert (await runtime.run("echo")).error is not None
    assert [type(event) for event in log.events] == [CallFinished, CallFinished]
    assert {record.levelno for record in caplog.records} == {logging.ERROR}


async def test_a_result_around_a_value_is_written_like_the_value() -> None:
    """Regression: what stood in `Result(output=…)` missed the writing that the annotation asks for."""

    class Point(Struct, rename="camel"):
        from_left: int

    def there() -> Point:
        """Tell where."""
        return Result(output=Point(3))  # type: ignore[return-value]

    assert (await run(there)).output == {"fromLeft": 3}


@pytest.mark.behaviour("running.over-is-over")
async def test_a_call_that_is_over_can_call_nothing_any_more() -> None:
    """Regression: a handler left behind at its deadline went on to call `delete`."""
    deleted: list[int] = []
    late: list[CallCancelledError] = []
    ended = threading.Event()

    @op
    async def delete() -> None:
        """Delete."""
        deleted.append(1)

    @skill(calls=["delete"])
    def slow(*, ctx: Context) -> None:
        """Look and delete."""
        while not ctx.cancelled:
            time.monotonic()
        try:
            ctx.call_sync("delete")
        except CallCancelledError as error:
            late.append(error)
        ended.set()

    async with Runtime(registry_of(delete, slow)) as runtime:
        result = await runtime.run("slow", timeout=0.05)
        assert isinstance(result.error, TimedOutError)
        await asyncio.to_thread(ended.wait, 5)
    assert deleted == []
    assert str(late[0]) == "cancelled: this call of 'slow' has ended: it can call nothing any more"


@pytest.mark.behaviour("running.stoppable")
async def test_a_stoppable_runtime_ends_a_call_whose_handler_swallows_its_cancellation() -> None:
    """Choice: a server must get its place back when a client has gone; it pays a task a call for that."""
    started = asyncio.Event()

    @op
    async def swallow() -> None:
        """Go on whatever happens."""
        while True:
            try:
                started.set()
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                pass

    async with Runtime(registry_of(swallow, echo), max_concurrent=1, grace=0.01, stoppable=True) as runtime:
        call = asyncio.create_task(runtime.run("swallow"))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await runtime.run("echo", {"text": "a"})).output == "a"


@pytest.mark.parametrize("timeout", ["5", True, 0, -1, float("nan"), float("inf")])
async def test_a_time_limit_that_is_none_is_refused_before_anything_runs(timeout: float) -> None:
    """Regression: `"5"` left the handler running, and NaN set no deadline."""
    ran: list[int] = []

    @op
    async def work() -> None:
        """Work."""
        ran.append(1)

    error = (await run(work, timeout=timeout)).error
    assert isinstance(error, ConfigurationError)
    assert "a number of seconds above 0" in str(error)
    assert ran == []


@pytest.mark.parametrize("target", [[], {}, 5, None, echo])
async def test_a_target_that_is_no_entry_is_not_found(target: object) -> None:
    """Regression: an unhashable one was told as a TypeError of a call that nobody made."""
    async with Runtime(registry_of(echo)) as runtime:
        error = (await runtime.run(target)).error  # type: ignore[arg-type]
    assert isinstance(error, NotFoundError)
    assert "that is no entry" in str(error)


@pytest.mark.behaviour("running.kept-entries")
async def test_an_entry_that_somebody_kept_runs_only_while_it_is_in_the_registry() -> None:
    """Regression: an entry that was replaced, taken out or hidden still ran when it was given itself."""

    @op(name="echo", status="disabled")
    async def off(text: str) -> str:
        """Give the text back."""
        return text

    registry = registry_of(echo)
    kept = registry.require("echo")
    assert (await kept.execute(text="a")).output == "a"
    async with Runtime(registry.filtered(names=["other"])) as runtime:
        assert isinstance((await runtime.run(kept, {"text": "a"})).error, NotFoundError)
    async with Runtime(registry_of(echo)) as runtime:
        assert isinstance((await runtime.run(kept, {"text": "a"})).error, NotFoundError)
    registry.register(off, replace=True)
    assert isinstance((await kept.execute(text="a")).error, NotFoundError)


async def test_a_log_line_takes_any_value_and_progress_only_sensible_numbers() -> None:
    """Regression: `ctx.log("x", a=object())` failed the call, and NaN reached the bars."""
    log = EventLog()

    @skill
    async def talk(*, ctx: Context) -> None:
        """Talk."""
        ctx.log("thing", about=object(), number=3)
        for done, total in ((float("nan"), 1.0), (-1.0, None), (1.0, float("inf")), (1.0, 2.0)):
            ctx.progress(done, total)

    registry = registry_of(talk)
    async with Runtime(registry, readers=[log]) as runtime:
        (await runtime.run("talk")).unwrap()
    line, report, _end = log.events
    assert line.fields["number"] == 3  # type: ignore[union-attr]
    assert "object object" in str(line.fields["about"])  # type: ignore[union-attr]
    assert (report.done, report.total) == (1.0, 2.0)  # type: ignore[union-attr]
