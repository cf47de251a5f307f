"""What one runtime keeps: its store, opened when it is needed, and its audit trail."""

import threading
from collections.abc import Awaitable, Callable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from prowess.model.event import CallFinished

if TYPE_CHECKING:
    from prowess.app.records.stores import Store
    from prowess.telemetry.audit import AuditTrail

__all__ = ["Keeping"]


class Keeping:
    """The store of one runtime, and the trail that its calls leave there. Whoever makes it closes it.

    A store that is named is opened at its first use, and closed with this. One that is given, open or as a function
    that opens it, belongs to whoever gave it.
    """

    def __init__(self, store: "Store | Callable[[], Store] | str | None", audit: str | None) -> None:
        self._lock = threading.Lock()
        self._address = "memory" if store is None else store if isinstance(store, str) else None
        self._given = None if isinstance(store, str) else store
        self._store: Store | None = None
        self.audit = ("off" if store is None else "batched") if audit in (None, "auto") else audit
        """`batched`, `sync` or `off`; without a word about it, calls are recorded where there is a store."""

    @property
    def waits(self) -> bool:
        """Whether opening it may wait for a disk or a network."""
        return self._address != "memory"

    @property
    def is_open(self) -> bool:
        """Whether there is anything to close."""
        return self.__dict__.get("trail") is not None or (self._address is not None and self._store is not None)

    def store(self) -> "Store":
        """The store. Raises what `open_store` does."""
        from prowess.app.records.stores import open_store  # noqa: PLC0415 - most runtimes keep nothing

        with self._lock:
            if self._store is None:
                given = self._given
                self._store = open_store(self._address or "memory") if given is None else _opened(given)
            return self._store

    @cached_property
    def trail(self) -> "AuditTrail | None":
        """What records calls; None where nothing does. Opens the store."""
        if self.audit == "off":
            return None
        trail: AuditTrail = import_module("prowess.telemetry.audit").AuditTrail(
            self.store().audit, sync=self.audit == "sync"
        )
        return trail

    @property
    def recorded(self) -> Callable[[CallFinished], Awaitable[object]] | None:
        """Waits until a call's record is durable, where each call has to."""
        return self.trail.recorded if self.audit == "sync" and self.trail is not None else None

    def close(self) -> None:
        """Write what is left of the trail, and close a store that this opened."""
        trail = self.__dict__.pop("trail", None)
        try:
            if trail is not None:
                trail.close()
        finally:
            with self._lock:
                if self._address is not None and self._store is not None:
                    self._store.close()
                    self._store = None


# ---------------------------------------------------------------------------------------------------------------------


def _opened(given: "Store | Callable[[], Store]") -> "Store":
    return given() if callable(given) else given
