"""From the end of a call to its record: what is kept of it, masked and within bounds."""

import logging
from hashlib import sha256

from msgspec import json
from msgspec.structs import replace

from prowess.model.audit import AuditRecord
from prowess.model.event import CallFacts, CallFinished
from prowess.model.json_value import Json
from prowess.model.manifest import Manifest
from prowess.model.manifest_json import manifest_to_json
from prowess.model.sealed import Sealed
from prowess.model.verdict import Verdict

__all__ = ["Recorder", "loss_of"]

_LOG = logging.getLogger("prowess.audit")
_MOST = 65_536
_MANIFESTS = 4_096
_TEXTS = ("entry", "actor", "channel", "run", "trace", "message")
"""What a call may have brought."""


class Recorder:
    """Makes records of calls. It is used by one thread, and remembers the digests of manifests."""

    def __init__(self, *, most: int = _MOST, manifests: int = _MANIFESTS) -> None:
        self._most = most
        self._manifests = manifests
        self._digests: dict[int, tuple[Manifest, str]] = {}

    def record_of(self, event: CallFinished) -> AuditRecord:
        """The record of one call. It always comes to one: what cannot be told is said to be left out."""
        facts = _NO_FACTS if event.facts is None else event.facts
        manifest = facts.manifest
        record = AuditRecord(
            at=event.began,
            duration=event.duration,
            entry=event.entry,
            actor=event.caller.actor,
            channel=event.caller.channel,
            run=facts.run,
            call=event.call,
            parent=event.parent,
            trace=event.caller.trace,
            digest=None if manifest is None else self._digest(manifest),
            capabilities=() if manifest is None else manifest.capabilities,
            side_effects=() if manifest is None else manifest.side_effects,
            inputs=self._shown(facts.inputs),
            output=self._shown(facts.output),
            verdict=_word(facts.verdict),
            reasons=facts.verdict.reasons,
            stage=event.stage,
            error=event.error,
            message=event.message,
        )
        try:
            _ = record.text
        except (TypeError, ValueError):  # half of a surrogate pair, say, which a call may bring and UTF-8 cannot hold
            return _plain(record)
        return record

    # -----------------------------------------------------------------------------------------------------------------

    def _shown(self, sealed: Sealed | None) -> Json:
        if sealed is None:
            return None
        if sealed.size > self._most:
            return {"left_out": f"{sealed.size} bytes of JSON, beyond the {self._most} that are recorded"}
        try:
            return sealed.shown()
        except Exception:  # noqa: BLE001 - a mask's failure must neither hide the call nor show the value
            _LOG.exception("a value could not be masked, and was left out of the audit trail")
            return {"left_out": "it could not be masked"}

    def _digest(self, manifest: Manifest) -> str:
        known = self._digests.get(id(manifest))
        if known is None:
            if len(self._digests) >= self._manifests:
                self._digests.clear()
            text = json.encode(manifest_to_json(manifest), order="sorted")
            known = self._digests[id(manifest)] = (manifest, sha256(text).hexdigest())
        return known[1]


def loss_of(calls: int, at: float) -> AuditRecord:
    """The record of calls that have none: the trail says itself that it has a hole."""
    return AuditRecord(
        at=at,
        duration=0.0,
        entry="audit",
        actor="prowess",
        channel="audit",
        run="audit",
        call=0,
        error="records_lost",
        message=f"{calls} calls before this are not recorded, since the store could not take them",
    )


# ---------------------------------------------------------------------------------------------------------------------

_NO_FACTS = CallFacts("")


def _word(verdict: Verdict) -> str:
    return type(verdict).__name__.lower()


def _plain(record: AuditRecord) -> AuditRecord:
    """The same record with nothing in it that could not be written."""
    texts = {name: text for name in _TEXTS if isinstance(text := getattr(record, name), str)}
    changed = {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}
    left_out = {"left_out": "it could not be written"}
    return replace(record, **changed, reasons=(), inputs=left_out, output=left_out)
