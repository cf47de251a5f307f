"""Show the calls that wait for a person, and decide about them.

'list' shows them, the newest first, 'approve' lets the call of a proposal run, once and in time, and 'reject' refuses
it. A decision fits that very call alone: its entry, its inputs and its actor.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence

from prowess.app.records.approvals import STATES, Approvals, proposal_json
from prowess.app.records.stores import records_of
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import at_terminal, complain, json_line, print_table, safe
from prowess.errors import InvalidInputError
from prowess.model.caller import Caller
from prowess.model.proposal import Proposal

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "approvals"
HELP = "show the calls that wait for a person, and decide about them"

_HEAD = ("ID", "STATE", "ENTRY", "ACTOR", "TIME", "WHY")
_MINUTE = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess approvals`."""
    parser.add_argument(
        "action", metavar="ACTION", choices=("list", "approve", "reject"), help="list, approve or reject"
    )
    parser.add_argument("id", metavar="ID", nargs="?", help="the proposal to decide about")
    parser.add_argument("--state", choices=(*STATES, "all"), help="with list: proposals of this state (pending)")
    parser.add_argument("--limit", metavar="N", type=int, default=100, help="with list: at most so many (100)")
    parser.add_argument("--note", metavar="TEXT", help="with approve and reject: what to tell whoever made the call")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Arguments) -> int:
    """List, or decide; 1 where the decision comes too late or is not theirs."""
    if (arguments.action == "list") == (arguments.id is not None):
        missing = (
            "'list' takes no ID" if arguments.id else f"which one? '{arguments.action}' takes the ID of a proposal"
        )
        raise UsageError(f"{missing}\nSee 'prowess approvals --help'.")
    records = records_of(arguments.project, os.environ)
    try:
        return (
            _list(records.approvals, arguments) if arguments.action == "list" else _decide(records.approvals, arguments)
        )
    finally:
        records.close()


# ---------------------------------------------------------------------------------------------------------------------


def _list(approvals: Approvals, arguments: Arguments) -> int:
    state = None if arguments.state == "all" else arguments.state or "pending"
    try:
        found = asyncio.run(approvals.list(state, limit=arguments.limit))
    except InvalidInputError as error:
        raise UsageError(error.message) from None
    now = time.time()
    if arguments.json:
        print(json_line({"proposals": [proposal_json(one, now) for one in found]}))
        return 0
    print_table(_HEAD, [_row(one, now) for one in found])
    if not found and at_terminal(sys.stdout):
        complain("Nothing waits." if state == "pending" else "There is none.")
    return 0


def _decide(approvals: Approvals, arguments: Arguments) -> int:
    decide = approvals.approve if arguments.action == "approve" else approvals.reject
    decided = asyncio.run(decide(arguments.id, by=Caller("local", "cli"), note=arguments.note))
    now = time.time()
    if arguments.json:
        print(json_line(proposal_json(decided, now)))
    elif arguments.action == "approve":
        left = _span(decided.expires - now)
        print(safe(f"Approved: '{decided.actor}' may call {decided.entry} with these inputs once, within {left}."))
    else:
        print(safe(f"Rejected: {decided.entry} does not run for '{decided.actor}'."))
    return 0


def _row(one: Proposal, now: float) -> Sequence[str]:
    state = one.state(now)
    left = f"{_span(one.expires - now)} left" if state in {"pending", "approved"} else ""
    why = "; ".join(reason.message for reason in one.reasons)
    decided = f"by {one.decided_by}{f': {one.note}' if one.note else ''}" if one.decided_by else why
    return (one.id, state, one.entry, one.actor, left, f"{decided} {json_line(one.inputs)}".strip())


def _span(seconds: float) -> str:
    """How long, in words that need no reckoning."""
    whole = max(0, round(seconds))
    if whole < 2 * _MINUTE:
        return f"{whole} s"
    minutes = whole // _MINUTE
    return f"{minutes} min" if minutes < 2 * _MINUTE else f"{minutes // _MINUTE} h"
