"""Show what a model would be offered for a user's words: every entry, its rank, what is trimmed of it, and why.

RANK is the place among what the tool search_skills finds. OFFERED is where the model meets the entry: in the answer
of list_skills, or as a tool of its own; '-' where it does not.
"""

import argparse

from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, whole_number
from prowess.cli.terminal.printing import json_line, print_table
from prowess.exposure.disclosure.offers import Offer
from prowess.model.permissions import Permissions, Preset

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "explain"
HELP = "show what a model would be offered for a user's words, and why"

_HEAD = ("RANK", "NAME", "KIND", "OFFERED", "WHY")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess explain`."""
    parser.add_argument("words", metavar="WORDS", nargs="+", help="what the user says")
    parser.add_argument(
        "--as",
        dest="preset",
        choices=[preset.value for preset in Preset],
        default=Preset.TRUSTED.value,
        help="whose permissions the model has (trusted)",
    )
    parser.add_argument("--budget", type=whole_number(1), metavar="TOKENS", help="how many the list of skills may take")
    parser.add_argument("--json", action="store_true", help="print every offer as JSON")


def run(arguments: Arguments) -> int:
    """Print every entry, best found first."""
    project = open_quietly(arguments.project)
    permissions = Permissions.preset(arguments.preset)
    told = project.registry.explain(" ".join(arguments.words), permissions=permissions, budget=arguments.budget)
    if arguments.json:
        print(json_line({**told.to_json(), "as": str(permissions.level)}))
    else:
        print_table(_HEAD, [_row(offer) for offer in told.offers])
    report(project.diagnostics)
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _row(offer: Offer) -> tuple[str, ...]:
    why = [f"matched {', '.join(offer.matched)}"] if offer.matched else []
    rank = "-" if offer.rank is None else str(offer.rank)
    return rank, offer.manifest.name, offer.manifest.kind, offer.offered or "-", "; ".join([*why, *offer.reasons])
