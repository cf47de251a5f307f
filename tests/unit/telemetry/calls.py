"""Ends of calls, and stores that do what a test wants."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from prowess import Caller, op
from prowess.errors import StoreError
from prowess.model.event import CallFacts, CallFinished, Stage
from prowess.model.sealed import seal
from prowess.storage.records.memory import MemoryAuditStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prowess.model.audit import AuditHead, AuditRecord
    from prowess.model.json_value import Json

PATIENCE = 10.0
CALLER = Caller("ada", "cli", trace="00-1")


@op(version="1.0.0", capabilities=["money.move"], side_effects=["money.move"])
async def pay(to: str) -> str:
    """Pay somebody."""
    return to


def mask(value: Json) -> Json:
    """Hide what is secret."""
    return (
        {key: "***" if key == "secret" else item for key, item in value.items()} if isinstance(value, dict) else value
    )


def ended(call: int = 1, **fields: Any) -> CallFinished:
    """The end of a call."""
    facts = CallFacts("run-1", pay.manifest, seal({"to": "bob", "secret": "s"}, mask), seal("done", mask))
    given: dict[str, Any] = {"parent": None, "entry": "pay@1.0.0", "caller": CALLER, "began": 100.0, "duration": 0.5}
    return CallFinished(call, **{**given, "stage": Stage.RECORD, "facts": facts, **fields})


class Failing(MemoryAuditStore):
    """A store that fails while it is told to."""

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__()
        self.failure: Exception | None = failure or StoreError("the disk is full")
        self.tried = threading.Semaphore(0)
        """Released at each try."""
        self.batches: list[int] = []

    def append(self, records: Sequence[AuditRecord]) -> AuditHead:
        """Fail, or keep."""
        self.tried.release()
        if self.failure is not None:
            raise self.failure
        self.batches.append(len(records))
        return super().append(records)
