"""Handlers that may wait: which calls are made inside theirs, and whether it was cancelled meanwhile.

A handler that runs an entry by itself (`entry.execute`, `runtime.run`) gives no parent, and may do so in a task of its
own. Made to wait for its turn it could wait for ever, since the call it is part of holds one of the places.
"""

import inspect
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from opcode import opmap
from typing import Any

from msgspec import Struct

from prowess.execution.eventloop import asyncio, current_task, is_cancellation
from prowess.execution.failures import UnaskedCancellationError

__all__ = ["is_inside", "noted", "noting"]

_SEND = opmap["SEND"]
"""What `await`, `async for` and `async with` all come to."""


class _Carrying(Struct, eq=False):
    """One call whose handler is at work. Tasks and threads that the handler starts see it for as long as it is."""

    gate: object | None
    around: "_Carrying | None"


_CARRYING: ContextVar[_Carrying | None] = ContextVar("prowess_call", default=None)


def noting(gate: object, function: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """The same function, and what it does while it waits is noted; one that never waits has nothing to note."""
    return noted(gate, function) if _may_wait(function) else function


def noted(gate: object, function: Callable[..., Awaitable[object]]) -> Callable[..., Coroutine[Any, Any, object]]:
    """A handler that may wait.

    It raises `CancelledError` exactly where its task was cancelled since: whoever swallows that has not undone it. One
    that the handler came by otherwise becomes `UnaskedCancellationError`.
    """

    async def carry_out(**inputs: object) -> object:
        task = current_task()
        before = 0 if task is None else task.cancelling()  # whoever cleans up after a cancellation may call, too
        mine = _Carrying(gate, _CARRYING.get())
        token = _CARRYING.set(mine)
        try:
            outcome = await function(**inputs)
        except BaseException as failure:
            if is_cancellation(failure) and task is not None and task.cancelling() <= before:
                raise UnaskedCancellationError from failure
            raise
        finally:
            mine.gate = None  # whatever it left behind is on its own from now on
            try:  # noqa: SIM105 - `suppress` costs as much as all of this
                _CARRYING.reset(token)
            except ValueError:  # it was closed from elsewhere
                pass
        if task is not None and task.cancelling() > before:
            raise asyncio.CancelledError
        return outcome

    return carry_out


def is_inside(gate: object) -> bool:
    """Whether the code that asks is part of a call of this gate, in whichever task or thread."""
    one = _CARRYING.get()
    while one is not None:
        if one.gate is gate:
            return True
        one = one.around
    return False


# ---------------------------------------------------------------------------------------------------------------------


def _may_wait(function: Callable[..., object]) -> bool:
    """Whether a coroutine function can ever be suspended: one whose code awaits nothing runs in one go."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is None or not code.co_flags & inspect.CO_COROUTINE or _SEND in code.co_code[::2]
