from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from prowess.errors import ForbiddenError
from prowess.model.audit import AuditRecord
from prowess.model.event import CallFacts, Stage
from prowess.model.sealed import seal
from prowess.model.verdict import Ask, Deny, Reason
from prowess.telemetry.recording import Recorder, loss_of
from tests.unit.telemetry.calls import CALLER, ended, mask, pay

if TYPE_CHECKING:
    from prowess.model.json_value import Json


def test_a_record_says_all_that_is_known_of_a_call() -> None:
    """Spec: trace, run, parent, actor, channel, entry, digest, capabilities, side effects, inputs, output, verdict."""
    made = Recorder().record_of(ended(7, parent=3))
    assert made.digest is not None
    assert replace(made, digest=None) == AuditRecord(
        at=100.0,
        duration=0.5,
        entry="pay@1.0.0",
        actor="ada",
        channel="cli",
        run="run-1",
        call=7,
        parent=3,
        trace="00-1",
        capabilities=("money.move",),
        side_effects=("money.move",),
        inputs={"to": "bob", "secret": "***"},
        output="done",
    )
    assert b"***" in made.text


def test_a_refused_call_is_recorded_with_its_verdict() -> None:
    """Spec: one record per gate decision and outcome."""
    reasons = (Reason("policy", "not at night"),)
    facts = CallFacts("run-2", None, None, None, Deny(reasons, ForbiddenError))
    made = Recorder().record_of(
        ended(entry="nobody", stage=Stage.PERMITTED, error="forbidden", message="forbidden: no", facts=facts)
    )
    assert (made.verdict, made.reasons, made.stage) == ("deny", reasons, Stage.PERMITTED)
    assert (made.error, made.message) == ("forbidden", "forbidden: no")
    assert (made.digest, made.capabilities, made.inputs, made.output) == (None, (), None, None)
    assert Recorder().record_of(ended(facts=CallFacts("r", verdict=Ask()))).verdict == "ask"


def test_the_digest_is_that_of_the_manifest() -> None:
    """Spec: the digest of the entry as it was called."""
    recorder = Recorder()
    first, again = recorder.record_of(ended()), recorder.record_of(ended())
    other = replace(pay.manifest, description="Pay.")
    assert first.digest == again.digest == Recorder().record_of(ended()).digest
    assert recorder.record_of(ended(facts=CallFacts("r", other))).digest != first.digest


def test_the_digests_of_many_manifests_are_not_kept_for_ever() -> None:
    """Choice: a registry that changes all day must not fill the memory."""
    recorder = Recorder(manifests=2)
    manifests = [replace(pay.manifest, description=f"Number {number}.") for number in range(5)]
    digests = [recorder.record_of(ended(facts=CallFacts("r", manifest))).digest for manifest in manifests]
    assert len(set(digests)) == 5
    assert recorder.record_of(ended(facts=CallFacts("r", manifests[0]))).digest == digests[0]


@pytest.mark.behaviour("records.audit-bounds")
def test_what_is_too_large_is_left_out_and_said_so() -> None:
    """Choice: a record of megabytes for each call fills a disk."""
    facts = CallFacts("r", pay.manifest, seal({"x": "y" * 50}, mask), seal("z" * 10, mask))
    made = Recorder(most=40).record_of(ended(facts=facts))
    assert made.inputs == {"left_out": "58 bytes of JSON, beyond the 40 that are recorded"}
    assert made.output == "z" * 10


@pytest.mark.behaviour("records.audit-bounds")
def test_what_cannot_be_masked_is_left_out_and_the_call_is_recorded(caplog: pytest.LogCaptureFixture) -> None:
    """Choice: neither a secret nor a call slips through a mask that fails."""

    def broken(_value: Json) -> Json:
        message = "no mask"
        raise RuntimeError(message)

    made = Recorder().record_of(ended(facts=CallFacts("r", pay.manifest, seal("secret", broken))))
    assert made.inputs == {"left_out": "it could not be masked"}
    assert "secret" not in made.text.decode()
    assert "could not be masked" in caplog.text


@pytest.mark.behaviour("records.audit-bounds")
def test_text_that_no_file_can_hold_does_not_keep_a_call_from_being_recorded() -> None:
    """Choice: a name that a model made up must not stop the trail."""
    facts = CallFacts("r", None, seal("x", mask), verdict=Deny((Reason("r", "no \ud800"),)))
    made = Recorder().record_of(ended(entry="a\ud800b", caller=replace(CALLER, actor="\udfff"), facts=facts))
    assert (made.entry, made.actor, made.reasons) == ("a?b", "?", ())
    assert made.inputs == {"left_out": "it could not be written"}
    assert made.text


def test_a_call_without_facts_still_makes_a_record() -> None:
    """Choice: a record says little rather than fail."""
    assert Recorder().record_of(ended(facts=None)).run == ""


def test_the_record_of_a_loss_says_how_much() -> None:
    """Choice: the trail itself says that it has a hole."""
    made = loss_of(3, 5.0)
    assert (made.at, made.error, made.entry) == (5.0, "records_lost", "audit")
    assert made.message is not None
    assert made.message.startswith("3 calls")
