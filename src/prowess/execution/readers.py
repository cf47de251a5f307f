"""Who is told of what happens: the readers of one gate's events, none of which can do harm to a call."""

from collections.abc import Callable

from msgspec import Struct

from prowess.execution.failures import blame_reader
from prowess.execution.ports import EventReader
from prowess.model.event import CallStarted, Event

__all__ = ["Readers"]


class Readers:
    """The readers of one gate, in the order in which they came."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._listeners: tuple[_Listener, ...] = ()
        self._changed = changed
        self.tell: EventReader | None = None
        """Tells every reader, None where there is none; a single one is told without a detour, and may raise."""
        self.starters: tuple[EventReader, ...] = ()
        self.take_facts = False

    def add(self, reader: EventReader, *, starts: bool, facts: bool) -> Callable[[], None]:
        """Tell one more; what comes back stops that."""
        listener = _Listener(reader, starts, facts)
        self._listen((*self._listeners, listener))

        def stop() -> None:
            self._listen(tuple(other for other in self._listeners if other is not listener))

        return stop

    def emit(self, event: Event) -> None:
        """Tell every reader; one that fails keeps neither the others nor the call from going on."""
        for listener in self._listeners:
            _tell(listener.reader, event)

    def emit_start(self, event: CallStarted) -> None:
        """Tell those who asked for starts."""
        for reader in self.starters:
            _tell(reader, event)

    def _listen(self, listeners: "tuple[_Listener, ...]") -> None:
        self._listeners = listeners
        self.starters = tuple(listener.reader for listener in listeners if listener.starts)
        self.take_facts = any(listener.facts for listener in listeners)
        self.tell = (listeners[0].reader if len(listeners) == 1 else self.emit) if listeners else None
        self._changed()


# ---------------------------------------------------------------------------------------------------------------------


class _Listener(Struct, frozen=True, eq=False):
    """A reader, and what it asked for."""

    reader: EventReader
    starts: bool
    facts: bool


def _tell(reader: EventReader, event: Event) -> None:
    try:
        reader(event)
    except Exception as failure:  # noqa: BLE001 - a reader's failure is its own
        blame_reader(reader, failure)
