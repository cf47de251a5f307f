"""Places for calls, and those who wait for one in several event loops."""

import asyncio
import threading

import pytest

from prowess.execution.turns import Turns

SECONDS = 10


async def test_a_place_that_became_free_before_anybody_was_in_the_line_is_taken_at_once() -> None:
    """Regression: a call of another event loop ended between the look at the places and the line; nobody woke us."""
    turns = Turns(1)
    assert await asyncio.wait_for(turns.take(None), SECONDS)
    assert turns.running == 1


async def test_whoever_gives_up_leaves_the_line() -> None:
    """Regression: those whose time was over stayed in the line until it was their turn."""
    turns = Turns(1)
    turns.running = 1
    assert not await turns.take(0.001)
    waiting = asyncio.create_task(turns.take(None))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not turns.line
    assert turns.running == 1


async def test_a_place_given_at_the_moment_of_giving_up_goes_to_the_next() -> None:
    """Choice: no place is lost, whichever came first."""
    turns = Turns(1)
    turns.running = 1
    first, second = asyncio.create_task(turns.take(None)), asyncio.create_task(turns.take(None))
    await asyncio.sleep(0)
    turns.running -= 1
    turns.hand_on()
    first.cancel()
    assert await asyncio.wait_for(second, SECONDS)
    assert turns.running == 1


async def test_a_turn_of_an_event_loop_that_is_closed_goes_to_the_next() -> None:
    """Regression: whoever gave its place back to one got a RuntimeError out of its own call, and the place was lost."""
    turns = Turns(1)
    turns.running = 1
    kept: list[asyncio.Task[bool]] = []

    def elsewhere() -> None:
        loop = asyncio.new_event_loop()
        kept.append(loop.create_task(turns.take(None)))
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    await asyncio.to_thread(elsewhere)
    ours = asyncio.create_task(turns.take(None))
    await asyncio.sleep(0)
    assert len(turns.line) == 2
    turns.running -= 1
    turns.hand_on()
    assert await asyncio.wait_for(ours, SECONDS)
    assert turns.running == 1
    setattr(kept[0], "_log_destroy_pending", False)  # noqa: B010 - asyncio tells of a task that never ends, and this one is meant to
    kept[0].get_coro().close()
    assert turns.running == 1


async def test_shutting_sends_everybody_away_wherever_they_wait() -> None:
    """Regression: one whose event loop was closed kept the others from being told."""
    turns = Turns(1)
    turns.running = 1
    loop = asyncio.new_event_loop()
    gone = turns.take(None)
    task = loop.create_task(gone)
    await asyncio.to_thread(loop.run_until_complete, asyncio.sleep(0))
    loop.close()
    ours = asyncio.create_task(turns.take(None))
    await asyncio.sleep(0)
    turns.shut()
    assert not await asyncio.wait_for(ours, SECONDS)
    assert not await turns.take(None)
    assert turns.running == 1
    setattr(task, "_log_destroy_pending", False)  # noqa: B010 - asyncio tells of a task that never ends, and this one is meant to
    gone.close()


async def test_the_end_of_the_last_call_is_waited_for() -> None:
    """Spec: closing waits for the calls under way, and not for ever."""
    turns = Turns(1)
    turns.running = 1
    turns.shut()
    assert not await turns.emptied(0.001)
    emptied = asyncio.create_task(turns.emptied(SECONDS))
    await asyncio.sleep(0)
    turns.running -= 1
    turns.hand_on()
    assert await emptied
    assert await turns.emptied(SECONDS)


def test_no_place_is_lost_among_many_event_loops() -> None:
    """Regression: with several event loops a waiting call was forgotten now and then."""
    turns = Turns(2)
    most = 0

    async def work() -> None:
        nonlocal most
        for _ in range(200):
            if turns.running < turns.limit:
                turns.running += 1
            else:
                assert await asyncio.wait_for(turns.take(None), SECONDS)
            most = max(most, turns.running)
            await asyncio.sleep(0)
            turns.running -= 1
            if turns.line:
                turns.hand_on()

    async def several() -> None:
        await asyncio.gather(*(work() for _ in range(3)))

    threads = [threading.Thread(target=asyncio.run, args=(several(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert turns.running == 0
    assert not turns.line
    assert most == 2
