"""The event loop, as far as the gate needs it: asyncio is imported by the first call that may wait.

A call that never waits needs no loop, and `prowess run` then starts a third sooner (docs/decisions/0016).
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
else:

    class _Asyncio:
        """Stands for the module, which is imported at the first look at it."""

        def __getattr__(self, name: str) -> object:
            value = getattr(import_module("asyncio"), name)
            setattr(self, name, value)
            return value

    asyncio = _Asyncio()

__all__ = ["asyncio", "current_task", "is_cancellation", "running_loop"]


def running_loop() -> "asyncio.AbstractEventLoop | None":
    """The loop that runs this code, None outside one."""
    if "asyncio" not in sys.modules:
        return None
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def current_task() -> "asyncio.Task[object] | None":
    """The task that runs this code, None outside a loop."""
    if "asyncio" not in sys.modules:
        return None
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def is_cancellation(failure: BaseException) -> bool:
    """Whether an exception is asyncio's word that a task was cancelled."""
    return "asyncio" in sys.modules and isinstance(failure, asyncio.CancelledError)
