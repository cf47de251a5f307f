"""Work that several callers ask for at the same time and that is done once."""

import threading
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, NoReturn, TypeAlias, TypeVar

from prowess.errors import ProwessError
from prowess.execution.eventloop import asyncio

__all__ = ["Once"]

_Made = TypeVar("_Made")
_Outcome: TypeAlias = Callable[[], _Made]
"""Gives what the work gave, or raises what it raised."""


class Once(Generic[_Made]):
    """Whoever asks first does the work in its own task; the others wait for it, on whatever event loop they are.

    Where the first is cancelled, one of those that wait takes over. Nothing is kept once the work is done.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, list[asyncio.Future[_Outcome[_Made] | None]]] = {}
        self._lock = threading.Lock()

    async def do(self, key: Hashable, work: Callable[[], Awaitable[_Made]]) -> _Made:
        """What the work of this key gives; raises what it raises."""
        while (turn := self._join(key)) is not None:
            outcome = await turn
            if outcome is not None:
                return outcome()
        return await self._lead(key, work)

    def _join(self, key: Hashable) -> "asyncio.Future[_Outcome[_Made] | None] | None":
        """What to wait for; None for who is first."""
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is None:
                self._waiting[key] = []
                return None
            turn: asyncio.Future[_Outcome[_Made] | None] = asyncio.get_running_loop().create_future()
            waiting.append(turn)
            return turn

    async def _lead(self, key: Hashable, work: Callable[[], Awaitable[_Made]]) -> _Made:
        outcome: _Outcome[_Made] | None = None
        try:
            made = await work()
            outcome = partial(_give, made)
        except ProwessError as error:
            outcome = partial(_raise, error)
            raise
        finally:
            with self._lock:
                waiting = self._waiting.pop(key)
            for turn in waiting:
                if not turn.get_loop().is_closed():
                    turn.get_loop().call_soon_threadsafe(_settle, turn, outcome)
        return made


# ---------------------------------------------------------------------------------------------------------------------


def _settle(turn: "asyncio.Future[_Outcome[_Made] | None]", outcome: _Outcome[_Made] | None) -> None:
    if not turn.done():
        turn.set_result(outcome)


def _give(made: _Made) -> _Made:
    return made


def _raise(error: ProwessError) -> NoReturn:
    raise error
