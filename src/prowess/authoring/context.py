"""What a handler is given besides its inputs: a way to call others, to report, and to look around."""

from typing import Protocol

from msgspec import Struct

from prowess.authoring.services import Services
from prowess.model.caller import Caller
from prowess.model.json_value import Json

__all__ = ["Context", "Progress"]


class Progress(Struct, frozen=True):
    """How far a streaming handler is. Yielded among its pieces of output, it is told and not part of the output."""

    done: float
    total: float | None = None
    message: str | None = None


class Context(Protocol):
    """One call's surroundings, given to a parameter annotated with it. Lives as long as the call; nobody closes it."""

    @property
    def services(self) -> Services:
        """What the host registered for skills."""
        ...

    @property
    def caller(self) -> Caller:
        """Who asked for this call."""
        ...

    @property
    def run_id(self) -> str:
        """The run that this call belongs to."""
        ...

    @property
    def idempotency_key(self) -> str:
        """The same for each attempt of the same call: what it did before can be recognised by it."""
        ...

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the call any more: a handler in a thread looks here now and then."""
        ...

    async def call(self, target: str, /, **inputs: object) -> Json:
        """The output of a declared target; raises the `ProwessError` that the call came to otherwise."""
        ...

    def call_sync(self, target: str, /, **inputs: object) -> Json:
        """The same for a handler that is not a coroutine; raises on an event loop, which it would block."""
        ...

    def log(self, message: str, /, **fields: object) -> None:
        """Tell whoever reads the run's events a line, with fields that have a JSON form."""

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell how far the call is."""
