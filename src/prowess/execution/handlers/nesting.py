"""Whether a call is made inside another call of the same gate without saying so.

A handler that runs an entry by itself (`entry.execute`, `runtime.run`) gives no parent. Made to wait for its turn it
could wait for ever, since the call it is part of holds one of the places.
"""

import inspect
from contextvars import ContextVar
from types import CodeType, FrameType

__all__ = ["CARRIED_OUT_BY", "is_inside"]

CARRIED_OUT_BY: ContextVar[object] = ContextVar("prowess_gate", default=None)
"""The gate that carries out the call around this code; set only for handlers that are more than a bare coroutine."""


def is_inside(gate: object, run: CodeType) -> bool:
    """Whether the code that asks, which is a call of this gate, is part of another one; `run` is the code of both.

    A bare coroutine is awaited where it is called, so the call around it stands on the stack.
    """
    if CARRIED_OUT_BY.get() is gate:
        return True
    calls = 0
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        calls += frame.f_code is run and frame.f_locals.get("self") is gate
        frame = frame.f_back
    return calls > 1
