"""What a row of the ledger says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One promise, in words a user would use."""

    id: str
    sentence: str
    source: str
    gap: str | None = None


SPEC = "spec: the house, and one skill end to end"
