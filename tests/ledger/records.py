"""What is promised about records: rates, approvals, the audit trail, and the stores that keep them."""

from __future__ import annotations

from tests.ledger.behaviour import Behaviour

_SPEC = "spec: governance"

RECORDS = (
    Behaviour(
        "records.rates-exact",
        "A rate limit lets exactly as many calls pass as it says, asked by 8 threads in each of 4 processes.",
        _SPEC,
    ),
    Behaviour(
        "records.rates-when",
        "Who is over a rate limit is told when a call fits, and being denied consumes nothing.",
        _SPEC,
    ),
    Behaviour(
        "records.proposals-kept", "A proposal that was made is there for other processes, and later ones.", _SPEC
    ),
    Behaviour("records.one-decides", "Of many that decide about a proposal at once, or use it, one succeeds.", _SPEC),
    Behaviour(
        "records.audit-chained",
        "Each record of the audit trail is chained to the one before, also where many processes append.",
        _SPEC,
    ),
    Behaviour("records.audit-filters", "A filter of the audit trail gives the same records on every store.", _SPEC),
    Behaviour(
        "records.audit-verify",
        "Verifying names every record that was changed, removed, exchanged or cut off at the end.",
        _SPEC,
    ),
    Behaviour(
        "records.audit-crash",
        "After kill -9 every record that was acknowledged is there, and the chain holds.",
        _SPEC,
    ),
    Behaviour(
        "records.audit-off-path",
        "Records are written in batches by a thread of their own; a clean end writes all that is left.",
        _SPEC,
    ),
    Behaviour(
        "records.audit-failing",
        "A store that fails is told of, tried again, and holds calls up before anything is lost; what is lost is told"
        " and recorded.",
        _SPEC,
    ),
    Behaviour(
        "records.audit-sync", 'With `audit = "sync"` whoever waits for a record waits until it is durable.', _SPEC
    ),
    Behaviour(
        "records.audit-bounds", "What cannot be masked, or is too large, is left out of a record, and said so.", _SPEC
    ),
    Behaviour(
        "records.migrations", "A store of every earlier schema opens, also where two processes migrate at once.", _SPEC
    ),
    Behaviour(
        "records.newer-schema",
        "A store that a newer release wrote is refused with the versions, and not touched.",
        _SPEC,
    ),
    Behaviour(
        "records.addresses",
        "An address chooses the store; one that is none is refused with what would be, and never with a password.",
        _SPEC,
    ),
    Behaviour(
        "records.broken-store",
        "A store that is locked, read-only, full, damaged or out of reach is told in a sentence with its name.",
        _SPEC,
    ),
)

APPROVALS = (
    Behaviour("approvals.decide", "The library, the commands and HTTP show what waits, and decide about it.", _SPEC),
    Behaviour(
        "approvals.too-late",
        "Who decides second is told who decided what and when; what expired is told, too.",
        _SPEC,
    ),
    Behaviour(
        "approvals.own-call",
        "An actor approves no call of its own, unless it is the local owner; agents below `trusted` decide nothing.",
        "choice: a proposal that its own maker approves asks nobody",
    ),
    Behaviour(
        "approvals.bad-id",
        "An id that is none is refused in bounded time, an unknown one with near ids.",
        _SPEC,
    ),
)

AUDIT = (
    Behaviour(
        "audit.show", "`prowess audit` and `GET /v1/audit` show the records that fit, filtered in every way.", _SPEC
    ),
    Behaviour("audit.follow", "`prowess audit --follow` goes on with what comes.", _SPEC),
    Behaviour(
        "audit.verify", "`prowess audit verify` ends with 0 for a whole trail, otherwise with 1 and each flaw.", _SPEC
    ),
)
