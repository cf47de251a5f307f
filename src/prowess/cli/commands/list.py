"""List a project's entries, sorted by name and version.

At a terminal a table; into a pipe a line for each, its columns separated by tabs: name, version, kind, status,
source, description. Modules and factories that fail are reported on standard error.
"""

from __future__ import annotations

import sys

from prowess.cli.opening import listing_of, report

__all__ = ["HELP", "NAME", "add_arguments", "run", "run_plain"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from prowess.catalog.listing import Listing, Row
    from prowess.cli.parsing import Arguments

NAME = "list"
HELP = "show the skills and ops of a project"

_KINDS = ("op", "logic", "pipeline", "package")
_STATUSES = ("enabled", "disabled", "deprecated")
_HEAD = ("NAME", "VERSION", "KIND", "STATUS", "SOURCE", "DESCRIPTION")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess list`."""
    parser.add_argument("--tag", help="only entries with this tag")
    parser.add_argument("--kind", choices=_KINDS, help="only entries of this kind")
    parser.add_argument("--status", choices=_STATUSES, help="only entries of this status")
    parser.add_argument("--source", help="only entries from this source, as the list shows it")
    parser.add_argument("--json", action="store_true", help="print manifests and problems as JSON")
    parser.add_argument("--names", action="store_true", help="print names only: what a shell completes")


def run_plain(project: str | None) -> int:
    """Print every entry: what the command does without options, for which no parser has to be built."""
    listing = listing_of(project)
    if sys.stdout is None or sys.stdout.isatty():
        _print_rows(listing, listing.rows)
    else:
        sys.stdout.write(listing.table)
        if not listing.table:
            _print_rows(listing, ())
    report(listing.diagnostics)
    return 0


def run(arguments: Arguments) -> int:
    """Print the entries that fit every filter."""
    listing = listing_of(arguments.project)
    chosen = [position for position in range(len(listing.rows)) if _fits(listing, position, arguments)]
    if arguments.names:
        print("".join(f"{name}\n" for name in dict.fromkeys(listing.rows[one].name for one in chosen)), end="")
    elif arguments.json:
        _print_json(listing, chosen)
    else:
        _print_rows(listing, [listing.rows[position] for position in chosen])
        report(listing.diagnostics)
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _print_rows(listing: Listing, rows: Sequence[Row]) -> None:
    from prowess.cli.terminal.printing import complain, print_table  # noqa: PLC0415 - not for a pipe

    print_table(_HEAD, [(r.name, r.version, r.kind, r.status, r.source, r.summary) for r in rows])
    if not rows:
        complain("No entries fit." if listing.rows else "No entries yet: 'prowess new skill NAME' writes one.")


def _fits(listing: Listing, position: int, wanted: Arguments) -> bool:
    row = listing.rows[position]
    return (
        (wanted.tag is None or wanted.tag in row.tags)
        and (wanted.kind is None or wanted.kind == row.kind)
        and (wanted.status is None or wanted.status == row.status)
        and (wanted.source is None or wanted.source == row.source)
    )


def _print_json(listing: Listing, chosen: list[int]) -> None:
    from json import dumps  # noqa: PLC0415 - only for this option

    problems = dumps([one.to_json() for one in listing.diagnostics], ensure_ascii=False)
    skills = ",\n".join(listing.manifests[position] for position in chosen)
    print(f'{{"project": {dumps(listing.name)}, "skills": [\n{skills}\n], "problems": {problems}}}')
