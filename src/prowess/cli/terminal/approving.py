"""Asking a person at the terminal whether a call may run."""

import sys
from typing import TYPE_CHECKING

from prowess.cli.terminal.printing import at_terminal, json_line, safe

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.model.proposal import Proposal

__all__ = ["approver"]


def approver() -> "Callable[[Proposal], bool] | None":
    """What asks the person at the terminal; None where nobody is there: such a call waits for `prowess approvals`."""
    return _ask if at_terminal(sys.stdin) and at_terminal(sys.stderr) else None


def _ask(proposal: "Proposal") -> bool:
    _say(f"{proposal.entry} asks before it runs:")
    for reason in proposal.reasons:
        _say(f"  {reason.message}")
    _say(f"  inputs: {json_line(proposal.inputs)}")
    if proposal.reaches:
        _say(f"  it may call: {', '.join(proposal.reaches)}")
    print("Let it run? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _say(line: str) -> None:
    print(safe(line), file=sys.stderr)
