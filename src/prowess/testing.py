"""Doubles for tests of skills and of Prowess itself: they move when told and answer as scripted."""

from typing import TYPE_CHECKING, TypeVar

from prowess.authoring.services import Services
from prowess.errors import NotFoundError, ProwessError
from prowess.execution.ports import Clock
from prowess.model.caller import LOCAL_OWNER, Caller
from prowess.model.event import Event
from prowess.model.json_value import Json

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EventLog", "FakeClock", "FakeContext"]

_Kind = TypeVar("_Kind")


class EventLog:
    """An event reader that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Keep one event."""
        self.events.append(event)

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


class FakeClock:
    """Time that stands still until `advance`."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self._elapsed = 0.0
        self._start = now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._elapsed += seconds

    @property
    def clock(self) -> Clock:
        """The clock to hand to a gate."""
        return Clock(lambda: self._elapsed, self._start)


class FakeContext:
    """A `Context` for testing a handler by itself: nested calls give what `answers` holds for their target."""

    def __init__(
        self,
        answers: "Mapping[str, Json | ProwessError] | None" = None,
        *,
        services: Services | None = None,
        caller: Caller = LOCAL_OWNER,
    ) -> None:
        self._answers = dict(answers or {})
        self.services = Services() if services is None else services
        self.caller = caller
        self.run_id = "fake-run"
        self.idempotency_key = "fake-run:handler"
        self.cancelled = False
        self.calls: list[tuple[str, dict[str, object]]] = []
        """Every nested call: target and inputs."""
        self.lines: list[tuple[str, dict[str, object]]] = []
        """Every logged line with its fields."""
        self.reports: list[tuple[float, float | None, str | None]] = []
        """Every progress report."""

    async def call(self, target: str, /, **inputs: object) -> Json:
        """The scripted answer for a target; raises it where it is an error, `NotFoundError` where there is none."""
        return self.call_sync(target, **inputs)

    def call_sync(self, target: str, /, **inputs: object) -> Json:
        """The same, for handlers that are not coroutines."""
        self.calls.append((target, inputs))
        if target not in self._answers:
            message = f"the fake context has no answer for '{target}'"
            raise NotFoundError(message, details={"name": target})
        answer = self._answers[target]
        if isinstance(answer, ProwessError):
            raise answer
        return answer

    def log(self, message: str, /, **fields: object) -> None:
        """Keep a line."""
        self.lines.append((message, fields))

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Keep a report."""
        self.reports.append((done, total, message))
