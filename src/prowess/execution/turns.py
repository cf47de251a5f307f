"""How many calls run at once, and those who wait for their turn, in whichever event loop."""

import threading
from collections import OrderedDict

from prowess.execution.eventloop import asyncio

__all__ = ["Turns"]


class Turns:
    """The places of one gate, given first come first served. Safe from many threads and event loops.

    Whoever finds one free takes it by counting itself: `running` is compared with `limit` and changed without a lock,
    since the interpreter switches threads at calls and loops only, and there is none in between. The lock is for the
    line. Whoever joins it looks for a free place once more, and whoever leaves a place looks at the line afterwards:
    one of the two sees the other.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.running = 0
        self.line: OrderedDict[_Turn, None] = OrderedDict()
        """Those who wait. Whoever gives its place back looks here, and hands it on where somebody is."""
        self.closed = False
        # Of a kind that its holder may take again: a coroutine that is collected leaves the line wherever we are.
        self._lock = threading.RLock()

    async def take(self, timeout: float | None) -> bool:
        """Wait for a place, at most so many seconds, and take it; False where time was over first, or all is closed.

        Cancelling, and closing the coroutine, gives back what it was given.
        """
        turn = _Turn()
        with self._lock:
            if self.closed:
                return False
            self.line[turn] = None
        self.hand_on()  # the last place may have become free before anybody could see that somebody waits
        try:
            await asyncio.wait((turn.woken,), timeout=timeout)
        except BaseException:
            self._leave(turn)
            raise
        if turn.woken.done():
            return turn.given
        self._leave(turn)
        return False

    def hand_on(self) -> None:
        """Give free places to those who wait longest; a place is taken for them, so that nobody slips in."""
        with self._lock:
            while self.line and self.running < self.limit:
                self.running += 1
                turn, _ = self.line.popitem(last=False)
                turn.given = True
                if not turn.wake():
                    turn.given = False
                    self.running -= 1
            if self.closed and not self.running:
                self._send_away()

    def shut(self) -> None:
        """Give no place from now on; those who wait are sent away."""
        with self._lock:
            self.closed, self.limit = True, 0
            self._send_away()

    async def emptied(self, seconds: float) -> bool:
        """Wait until nobody has a place, at most so many seconds; whether it came to that. For after `shut`."""
        if not self.running:
            return True  # also without an event loop
        last = _Turn()
        with self._lock:
            self.line[last] = None
        self.hand_on()
        try:
            await asyncio.wait((last.woken,), timeout=seconds)
        finally:
            self._leave(last)
        return not self.running

    def _send_away(self) -> None:
        while self.line:
            self.line.popitem(last=False)[0].wake()

    def _leave(self, turn: "_Turn") -> None:
        """Go out of the line, or hand the place on that came at the same moment."""
        with self._lock:
            self.line.pop(turn, None)
            if turn.given:
                turn.given = False
                self.running -= 1
        if self.line:
            self.hand_on()


# ---------------------------------------------------------------------------------------------------------------------


class _Turn:
    """Somebody who waits: its place in the line, and how to wake it where it waits."""

    __slots__ = ("_loop", "given", "woken")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.woken: asyncio.Future[None] = self._loop.create_future()
        self.given = False

    def wake(self) -> bool:
        """Wake it in its own loop; False where that is closed, so that nobody waits any more."""
        try:
            self._loop.call_soon_threadsafe(_settle, self.woken)
        except RuntimeError:
            return False
        return True


def _settle(woken: "asyncio.Future[None]") -> None:
    if not woken.done():
        woken.set_result(None)
