"""Who may do what."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

GOVERNANCE = (
    Behaviour("gate.hidden", "What a caller may never use does not exist for it: lists, searches, calls.", SPEC),
    Behaviour("governance.none-needed", "An entry written in code needs no governance to run.", SPEC),
    Behaviour("governance.presets", "Each preset grants what the table of docs/governance.md says.", SPEC),
    Behaviour("governance.destructive", "`trusted` and `sandboxed` ask before what is destructive.", SPEC),
    Behaviour("governance.capabilities", "A call needs every right of its entry; a caller may narrow its own.", SPEC),
    Behaviour("governance.nested-rights", "A nested call has no right that the calling skill does not declare.", SPEC),
    Behaviour("governance.autonomy", "The lower of the entry's autonomy and the caller's ceiling decides.", SPEC),
    Behaviour("governance.l2-tells", "An entry of L2 runs and tells; one of L3 runs silently.", SPEC),
    Behaviour("governance.access", "An overlay says which actors may call an entry, and from which channels.", SPEC),
    Behaviour("governance.all-reasons", "A verdict holds every reason, in the order of the stages.", SPEC),
    Behaviour("governance.paths", "Inputs that are paths lead only into the folders that a caller may reach.", SPEC),
    Behaviour(
        "governance.deprecated", "A deprecated entry runs with a warning until its removal version is there.", SPEC
    ),
    Behaviour("governance.failure-modes", "A handler fails with a code that its entry declares.", SPEC),
    Behaviour("permissions.grant", "Nobody hands on more than they have, in no point.", SPEC),
    Behaviour("approvals.approver", "An approver decides at once; only a clear yes lets a call pass.", SPEC),
    Behaviour("approvals.nobody", "With nobody to ask nothing runs, and the error names the proposal.", SPEC),
    Behaviour(
        "approvals.covers",
        "Approving a skill covers its L1 targets within that run, but no review and nothing destructive.",
        SPEC,
    ),
    Behaviour("approvals.once", "A decision fits one call: its entry, inputs and actor; once, and in time.", SPEC),
    Behaviour("approvals.terminal", "At a terminal `prowess run` asks before what needs an approval.", SPEC),
    Behaviour("rates.exact", "Exactly as many calls pass as a limit says, and the error says when one fits.", SPEC),
    Behaviour("rates.consume-nothing", "A denied call takes no rate, and one without rate no approval.", SPEC),
    Behaviour("redaction.canaries", "What is declared, or looks like a secret, leaves the gate by no exit.", SPEC),
    Behaviour("audit.every-call", "Each call has its record: refused ones, nested ones, in every mode.", SPEC),
)
