"""What a project lays down about who may do what, and what of a call is never shown."""

from __future__ import annotations

from tests.ledger.behaviour import Behaviour

_GOVERNANCE = "spec: governance"

REDACTION = (
    Behaviour(
        "redaction.declared",
        "Nothing at a declared path is shown, in a value or in a text about the call.",
        _GOVERNANCE,
    ),
    Behaviour(
        "redaction.shapes", "A secret that is known by its shape or its name is masked wherever it stands.", _GOVERNANCE
    ),
    Behaviour(
        "redaction.ordinary",
        "Prose, code, UUIDs, hashes and images are shown as they are.",
        "choice: an audit trail that nobody can read is switched off",
    ),
    Behaviour("redaction.stable", "What was masked once is not changed by masking it again.", _GOVERNANCE),
    Behaviour("redaction.linear", "Masking takes time in proportion to the text, whatever is in it.", _GOVERNANCE),
)
