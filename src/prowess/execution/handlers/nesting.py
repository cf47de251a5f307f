"""Handlers that may wait: which calls are made inside theirs, and whether it was cancelled meanwhile.

A handler that runs an entry by itself (`entry.execute`, `runtime.run`) gives no parent, and may do so in a task of its
own. Made to wait for its turn it could wait for ever, since the call it is part of holds one of the places.
"""

import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from opcode import opmap

from prowess.execution.eventloop import asyncio, current_task, is_cancellation
from prowess.execution.failures import UnaskedCancellationError

__all__ = ["carried_out", "is_inside", "may_wait", "noting"]

_SEND = opmap["SEND"]
"""What `await`, `async for` and `async with` all come to."""


class _Carrying:
    """One call whose handler is at work. Tasks and threads that the handler starts see it for as long as it is."""

    __slots__ = ("around", "gate")

    def __init__(self, gate: object, around: "_Carrying | None") -> None:
        self.gate: object | None = gate
        self.around = around


_CARRYING: ContextVar[_Carrying | None] = ContextVar("prowess_call", default=None)


def may_wait(function: Callable[..., object]) -> bool:
    """Whether a coroutine function can ever be suspended: one whose code awaits nothing runs in one go."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is None or not code.co_flags & inspect.CO_COROUTINE or _SEND in code.co_code[::2]


def noting(gate: object, function: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """The same function; what it calls by itself is known as its own, and that it was cancelled, too."""

    def noted(**inputs: object) -> Awaitable[object]:
        return carried_out(gate, function(**inputs))

    return noted


async def carried_out(gate: object, running: Awaitable[object]) -> object:
    """What a handler comes to that may wait.

    Raises `CancelledError` exactly where its task was cancelled since: a handler that swallows that has not undone it.
    One that the handler came by otherwise becomes `UnaskedCancellationError`.
    """
    task = current_task()
    before = 0 if task is None else task.cancelling()  # whoever cleans up after a cancellation may call, too
    mine = _Carrying(gate, _around())
    token = _CARRYING.set(mine)
    try:
        outcome = await running
    except BaseException as failure:
        if is_cancellation(failure) and task is not None and task.cancelling() <= before:
            raise UnaskedCancellationError from failure
        raise
    finally:
        mine.gate = None  # whatever it left behind is on its own from now on
        with suppress(ValueError):  # it was closed from elsewhere
            _CARRYING.reset(token)
    if task is not None and task.cancelling() > before:
        raise asyncio.CancelledError
    return outcome


def is_inside(gate: object) -> bool:
    """Whether the code that asks is part of a call of this gate, in whichever task or thread."""
    one = _around()
    while one is not None:
        if one.gate is gate:
            return True
        one = one.around
    return False


# ---------------------------------------------------------------------------------------------------------------------


def _around() -> _Carrying | None:
    """The innermost call that is still under way."""
    one = _CARRYING.get()
    while one is not None and one.gate is None:
        one = one.around
    return one
