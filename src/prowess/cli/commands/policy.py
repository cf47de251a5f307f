"""Look at what a project lays down about its entries: 'prowess policy diff OLD NEW' compares two generations of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.cli import policy_diff

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from prowess.cli.parsing import Arguments

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "policy"
HELP = "compare registry documents, and see whether versions rose enough"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess policy`."""
    parser.add_argument("action", metavar="ACTION", choices=("diff",), help=f"diff: {policy_diff.HELP}")
    policy_diff.add_arguments(parser)


def run(arguments: Arguments) -> int:
    """Carry out the action that was asked for."""
    return policy_diff.run(arguments)
