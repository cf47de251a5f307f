"""Threads for handlers that are not coroutines.

They are daemons: a handler that never returns must not keep the process from ending, which the standard pool's
threads do. Threads are reused while idle and made on demand, since a pool of fixed size would deadlock when each of
its threads waits for a nested call.
"""

import contextvars
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias, TypeVar

from prowess.execution.eventloop import asyncio

__all__ = ["Threads"]

_IDLE_LIMIT = 32
_Job: TypeAlias = Callable[[], None]
_Outcome = TypeVar("_Outcome")


class Threads:
    """Runs functions off the event loop. Needs no closing: idle threads end with `close` or with the process."""

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()
        self._closed = False

    async def run(self, function: Callable[[], _Outcome]) -> _Outcome:
        """What the function returns or raises. Cancelling stops the wait, not the thread: its result is dropped."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Outcome] = loop.create_future()
        context = contextvars.copy_context()

        def job() -> None:
            try:
                settle = partial(_give, future, context.run(function))
            except BaseException as error:  # noqa: BLE001 - carried to the loop whatever it is
                settle = partial(_fail, future, error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle)

        self._worker().give(job)
        return await future

    def close(self) -> None:
        """End the idle threads; a busy one ends after its function."""
        self._closed = True
        while self._idle:
            self._idle.pop().give(None)

    def _worker(self) -> "_Worker":
        while True:
            try:
                worker = self._idle.pop()
            except IndexError:
                return _Worker(self._rest)
            if worker.is_alive():  # threads survive no fork
                return worker

    def _rest(self, worker: "_Worker") -> bool:
        """Keep a worker for the next job; False tells it to end."""
        if self._closed or len(self._idle) >= _IDLE_LIMIT:
            return False
        self._idle.append(worker)
        return True


class _Worker:
    """One daemon thread with a place for one job."""

    def __init__(self, rest: Callable[["_Worker"], bool]) -> None:
        self._rest = rest
        self._job: _Job | None = None
        self._given = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._work, name="prowess-handler", daemon=True)
        self.is_alive = self._thread.is_alive
        self._thread.start()

    def give(self, job: _Job | None) -> None:
        self._job = job
        self._given.release()

    def _work(self) -> None:
        while True:
            self._given.acquire()
            job, self._job = self._job, None
            if job is None:
                return
            job()
            del job  # or an idle thread keeps the last call's values alive
            if not self._rest(self):
                return


def _give(future: "asyncio.Future[_Outcome]", outcome: _Outcome) -> None:
    if not future.done():
        future.set_result(outcome)


def _fail(future: "asyncio.Future[_Outcome]", failure: BaseException) -> None:
    if future.done():
        return
    if isinstance(failure, StopIteration):
        failure = RuntimeError(f"the handler raised StopIteration: {failure}")
    future.set_exception(failure)
