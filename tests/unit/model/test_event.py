from __future__ import annotations

import msgspec

from prowess.model.event import MessageLogged, OutputStreamed, ProgressReported, Stage

STAGES = "resolve status visible inputs permitted approved rate run outputs redact record"


def test_the_stages_stand_in_the_gates_order() -> None:
    """Spec: resolve → status → visible? → inputs valid? → permitted? → approved? → within rate? → run → … → record."""
    assert " ".join(Stage) == STAGES


def test_events_are_told_from_each_other_on_the_wire() -> None:
    """Choice: one stream of events, in which each says what it is."""
    events = [
        ProgressReported(call=1, at=1.0, done=2.0),
        MessageLogged(call=1, at=1.0, message="x", fields={"k": [1]}),
        OutputStreamed(call=1, at=1.0, piece={"a": None}),
    ]
    kinds = [event["type"] for event in msgspec.json.decode(msgspec.json.encode(events))]
    assert kinds == ["ProgressReported", "MessageLogged", "OutputStreamed"]


def test_a_log_line_shares_its_fields_with_no_other() -> None:
    """Choice: a default is never a value that somebody may change for all."""
    one, other = (MessageLogged(call=1, at=1.0, message="x") for _ in range(2))
    assert one.fields is not other.fields
