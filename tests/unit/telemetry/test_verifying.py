from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from prowess.model.audit import NOTHING_YET, AuditHead, AuditRecord, KeptRecord, chain, link
from prowess.telemetry.verifying import FlawKind, flaws_in, flaws_of_end

if TYPE_CHECKING:
    from collections.abc import Callable

CHANGED, MISSING, CUT_OFF, ADDED = FlawKind.CHANGED, FlawKind.MISSING, FlawKind.CUT_OFF, FlawKind.ADDED


def trail(length: int = 5) -> list[KeptRecord]:
    """A trail that is whole."""
    record = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="a", channel="cli", run="r", call=0)
    return chain(NOTHING_YET, [replace(record, call=number) for number in range(length)])


def flaws(records: list[KeptRecord]) -> list[tuple[int, FlawKind]]:
    """What is wrong with records."""
    return [(flaw.number, flaw.kind) for flaw in flaws_in(records)]


def retold(kept: KeptRecord, text: bytes, *, rechained: bool = False) -> KeptRecord:
    """A record with another text, with the hash that goes with it where wanted."""
    chained = replace(kept.chained, text=text)
    chained = replace(chained, hash=link(chained.previous, text)) if rechained else chained
    return replace(kept, chained=chained)


def _text(records: list[KeptRecord]) -> None:
    records[2] = retold(records[2], records[2].chained.text.replace(b'"a"', b'"b"'))


def _rechained(records: list[KeptRecord]) -> None:
    records[2] = retold(records[2], records[2].chained.text.replace(b'"call":2', b'"call":9'), rechained=True)


def _no_record(records: list[KeptRecord]) -> None:
    records[4] = retold(records[4], b'{"at": 1}', rechained=True)


def _no_json(records: list[KeptRecord]) -> None:
    records[4] = retold(records[4], b"\xff", rechained=True)


def _columns(records: list[KeptRecord]) -> None:
    records[1] = replace(records[1], columns=replace(records[1].columns, actor="somebody"))


def _removed(records: list[KeptRecord]) -> None:
    del records[2]


def _removed_many(records: list[KeptRecord]) -> None:
    del records[:3]


def _twice(records: list[KeptRecord]) -> None:
    records.insert(2, records[1])


@pytest.mark.behaviour("records.audit-verify")
@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (_text, [(3, CHANGED)]),
        (_rechained, [(4, CHANGED)]),
        (_no_record, [(5, CHANGED)]),
        (_no_json, [(5, CHANGED)]),
        (_columns, [(2, CHANGED)]),
        (_removed, [(4, MISSING)]),
        (_removed_many, [(4, MISSING)]),
        (_twice, [(2, ADDED)]),
    ],
)
def test_each_record_that_was_harmed_is_named(
    harm: Callable[[list[KeptRecord]], None], found: list[tuple[int, FlawKind]]
) -> None:
    """Spec: verify proves that none was changed or removed."""
    records = trail()
    assert flaws(records) == []
    harm(records)
    assert flaws(records) == found


def test_the_missing_ones_and_the_columns_are_told_by_name() -> None:
    """Choice: who looks for what was done needs to know where."""
    records = trail()
    _columns(records)
    assert "actor" in next(iter(flaws_in(records))).message
    assert "1 to 3" in next(iter(flaws_in(trail()[3:]))).message
    assert next(iter(flaws_in(trail()[1:]))).message.endswith(": 1")


@pytest.mark.behaviour("records.audit-verify")
def test_an_end_that_is_not_the_one_written_down_is_told() -> None:
    """Spec: a separate head lets verify notice removal at the end."""
    written = AuditHead(5, "b" * 64)
    assert list(flaws_of_end(written, written)) == []
    assert [flaw.kind for flaw in flaws_of_end(AuditHead(3, "a" * 64), written)] == [CUT_OFF]
    assert [flaw.kind for flaw in flaws_of_end(AuditHead(6, "a" * 64), written)] == [ADDED]
    assert [flaw.kind for flaw in flaws_of_end(AuditHead(5, "a" * 64), written)] == [CHANGED]
