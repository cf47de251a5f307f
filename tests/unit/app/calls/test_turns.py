"""How many calls run at once, and calls from code without an event loop."""

import asyncio
import multiprocessing
import threading
from concurrent.futures import CancelledError
from contextlib import closing

import pytest

from prowess import (
    Registry,
    Runtime,
    op,
)
from prowess.errors import CallCancelledError, ConfigurationError, TimedOutError, UnavailableError
from tests.unit.app.calls.calling import echo, registry_of


async def test_no_more_calls_run_than_allowed_and_all_get_their_turn() -> None:
    """Spec: `max_concurrent`."""
    running, most = 0, 0

    @op
    async def work() -> None:
        """Work."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    async with Runtime(registry_of(work), max_concurrent=3) as runtime:
        results = await asyncio.gather(*(runtime.run("work") for _ in range(20)))
    assert most == 3
    assert all(result.ok for result in results)


async def test_a_call_cancelled_while_it_waits_for_its_turn_takes_no_place() -> None:
    """Choice: a call that no longer waits takes no place from those that do."""
    release = asyncio.Event()

    @op
    async def work() -> None:
        """Work."""
        await release.wait()

    async with Runtime(registry_of(work), max_concurrent=1) as runtime:
        tasks = [asyncio.create_task(runtime.run("work")) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
        release.set()
        assert (await tasks[0]).ok
        assert (await tasks[2]).ok
        with pytest.raises(asyncio.CancelledError):
            await tasks[1]
        assert (await runtime.run("work")).ok


async def test_a_turn_granted_to_a_call_just_cancelled_is_handed_on() -> None:
    """Choice: grant and cancellation in one turn of the loop must not lose a place."""
    release = asyncio.Event()

    @op
    async def work() -> None:
        """Work."""
        await release.wait()

    async with Runtime(registry_of(work), max_concurrent=1) as runtime:
        first, second, third = (asyncio.create_task(runtime.run("work")) for _ in range(3))
        await asyncio.sleep(0)
        release.set()
        await first
        second.cancel()
        assert (await third).ok
        with pytest.raises(asyncio.CancelledError):
            await second
        assert (await runtime.run("work")).ok


def test_run_sync_runs_from_plain_code_and_from_inside_a_loop() -> None:
    """Spec: `run_sync`."""
    runtime = Runtime(registry_of(echo))
    try:
        assert runtime.run_sync("echo", {"text": "a"}).output == "a"

        async def inside() -> object:
            return runtime.run_sync("echo", {"text": "b"}).output

        assert asyncio.run(inside()) == "b"
    finally:
        runtime.close()


def test_run_sync_on_its_own_loop_is_refused() -> None:
    """Choice: it would wait for itself."""
    holder: list[Runtime] = []

    @op
    async def again() -> None:
        """Run again."""
        holder[0].run_sync("again")

    holder.append(Runtime(registry_of(again)))
    try:
        assert "run_sync" in str(holder[0].run_sync("again").error)
    finally:
        holder[0].close()


def test_closing_cancels_what_run_sync_left_running() -> None:
    """Choice: closing leaves nothing behind."""
    started = threading.Event()
    stopped = threading.Event()

    @op
    async def hang() -> None:
        """Hang."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    runtime = Runtime(registry_of(hang))

    def call() -> None:
        with pytest.raises(CancelledError):
            runtime.run_sync("hang")

    thread = threading.Thread(target=call)
    thread.start()
    assert started.wait(10)
    runtime.close()
    assert stopped.wait(10)
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.behaviour("running.closed")
def test_run_sync_of_a_closed_runtime_is_refused_and_starts_no_thread() -> None:
    """Regression: it started an event loop in a thread that nobody ended."""
    runtime = Runtime(registry_of(echo))
    assert runtime.run_sync("echo", {"text": "a"}).ok
    runtime.close()
    assert isinstance(runtime.run_sync("echo", {"text": "a"}).error, UnavailableError)
    assert not [one for one in threading.enumerate() if one.name == "prowess-run-sync" and one.is_alive()]


def test_closing_on_the_loop_of_run_sync_is_refused() -> None:
    """Regression: it waited for itself for ever."""
    holder: list[Runtime] = []

    @op
    async def close() -> None:
        """Close its own runtime."""
        holder[0].close()

    with closing(Runtime(registry_of(close, echo))) as runtime:
        holder.append(runtime)
        assert "await aclose()" in str(runtime.run_sync("close").error)
        assert runtime.run_sync("echo", {"text": "a"}).ok


def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    """Regression: `run_sync` waited for threads that only its parent had."""

    @op
    def plain(text: str) -> str:
        """Give the text back, in a thread."""
        return text

    with closing(Runtime(registry_of(plain))) as runtime:
        assert runtime.run_sync("plain", {"text": "a"}).ok
        child = multiprocessing.get_context("fork").Process(target=_run_once, args=(runtime,))
        child.start()
        child.join(20)
        alive = child.is_alive()
        child.kill()
        child.join()
    assert not alive
    assert child.exitcode == 0


def _run_once(runtime: Runtime) -> None:
    assert runtime.run_sync("plain", {"text": "a"}).ok


async def test_closing_from_a_coroutine_ends_the_loop_of_run_sync_and_may_be_said_twice() -> None:
    """Spec: `async with Runtime` leaves nothing behind, whichever way its calls were made."""
    before = set(threading.enumerate())
    async with Runtime(registry_of(echo)) as runtime:
        ran = await asyncio.to_thread(runtime.run_sync, "echo", {"text": "a"})
        assert ran.output == "a"
        (ours,) = (one for one in set(threading.enumerate()) - before if one.name == "prowess-run-sync")
    assert not ours.is_alive()
    runtime.close()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"engine": "memroy"}, "did you mean 'memory'"),
        ({"engine": "temporal"}, "this release has 'memory'$"),
        ({"max_concurrent": 0}, "at least one"),
        ({"grace": -1}, "0 or more"),
        ({"grace": float("nan")}, "0 or more"),
    ],
)
def test_a_wrong_option_says_what_would_be_right(options: dict[str, object], word: str) -> None:
    """Choice: an error says what would be right."""
    with pytest.raises(ConfigurationError, match=word):
        Runtime(Registry(), **options)  # type: ignore[arg-type]


@pytest.mark.behaviour("running.deadline-in-line")
async def test_a_deadline_counts_while_a_call_waits_for_its_turn() -> None:
    """Regression: the time in the queue was not part of the call's limit."""
    release = asyncio.Event()

    @op
    async def work() -> None:
        """Work."""
        await release.wait()

    async with Runtime(registry_of(work, echo), max_concurrent=1) as runtime:
        first = asyncio.create_task(runtime.run("work"))
        await asyncio.sleep(0)
        late = await runtime.run("echo", {"text": "a"}, timeout=0.01)
        assert isinstance(late.error, TimedOutError)
        assert "no place was free" in str(late.error)
        waiting = asyncio.create_task(runtime.run("echo", {"text": "a"}, timeout=60))
        await asyncio.sleep(0)
        release.set()
        assert (await waiting).output == "a"
        assert (await first).ok


@pytest.mark.parametrize("with_deadline", [False, True])
async def test_a_handler_that_runs_an_entry_by_itself_does_not_wait_for_its_own_place(*, with_deadline: bool) -> None:
    """Regression: ten handlers that each awaited `entry.execute` waited for one another for ever."""
    registry = registry_of(echo)

    @(op(timeout=60) if with_deadline else op)
    async def outer() -> object:
        """Run another entry without a context."""
        return (await runtime.run("echo", {"text": "a"})).unwrap()

    registry.register(outer)
    async with Runtime(registry, max_concurrent=1) as runtime:
        async with asyncio.timeout(5):
            results = await asyncio.gather(*(runtime.run("outer") for _ in range(3)))
        assert [result.output for result in results] == ["a", "a", "a"]


@pytest.mark.behaviour("running.closed")
async def test_a_closed_runtime_waits_for_its_calls_and_runs_nothing_more() -> None:
    """Spec: `async with` leaves nothing behind."""
    started, release = asyncio.Event(), asyncio.Event()

    @op
    async def work() -> str:
        """Work."""
        started.set()
        await release.wait()
        return "done"

    runtime = Runtime(registry_of(work), max_concurrent=1)
    under_way = asyncio.create_task(runtime.run("work"))
    waiting = asyncio.create_task(runtime.run("work"))
    await started.wait()
    closing = asyncio.create_task(runtime.aclose())
    assert isinstance((await waiting).error, UnavailableError)
    release.set()
    await closing
    assert (await under_way).output == "done"
    assert "closed" in str((await runtime.run("work")).error)


async def test_closing_cancels_what_does_not_end_by_itself() -> None:
    """Spec: leaves nothing behind, as far as a call runs in a task that is ours."""
    started = asyncio.Event()

    @op(timeout=60)
    async def work() -> None:
        """Work."""
        started.set()
        await asyncio.sleep(60)

    runtime = Runtime(registry_of(work), grace=0.01)
    under_way = asyncio.create_task(runtime.run("work"))
    await started.wait()
    await runtime.aclose()
    assert isinstance((await under_way).error, CallCancelledError)


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "5"])
def test_a_limit_of_calls_that_is_none_is_refused(limit: int) -> None:
    """Choice: said when the runtime is made, not at its first call."""
    with pytest.raises(ConfigurationError, match="max_concurrent"):
        Runtime(Registry(), max_concurrent=limit)
