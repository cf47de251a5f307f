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

POLICIES = (
    Behaviour(
        "policy.rules",
        "A project's rules match calls by entry, tags, rights, kind, caller and hour, and only narrow.",
        _GOVERNANCE,
    ),
    Behaviour(
        "policy.file-problems",
        "Every problem of policy.toml is told at once, with line, key and near names.",
        _GOVERNANCE,
    ),
    Behaviour("policy.presets", "A project's preset extends one and never exceeds it.", _GOVERNANCE),
    Behaviour("policy.conflicts", "Rules that can never fire are listed with the reason, and no others.", _GOVERNANCE),
    Behaviour("policy.packs", "A Cedar pack denies whatever is no clear yes, and grants nothing.", _GOVERNANCE),
    Behaviour("policy.simulate", "The verdict about a call is shown with each reason, and nothing runs.", _GOVERNANCE),
)
