"""`prowess policy diff`: what changed between two generations of registry documents, printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.app.documents.diffing import diff_documents
from prowess.cli.terminal.printing import json_line, safe

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from prowess.cli.parsing import Arguments
    from prowess.documents.comparing.differing import Difference

__all__ = ["add_arguments", "run"]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess policy diff`."""
    parser.add_argument("old", metavar="OLD", nargs="?", help="diff: a config folder, or a registry, as it was")
    parser.add_argument("new", metavar="NEW", nargs="?", help="diff: the same as it is now")


def run(arguments: Arguments) -> int:
    """Print every difference; 1 where a version says too little, or a deprecation does."""
    found = diff_documents(arguments.old, arguments.new)
    wrong = sum(not one.ok for one in found)
    if arguments.json:
        print(json_line({"ok": not wrong, "entries": [one.to_json() for one in found]}))
    else:
        for one in found:
            print("\n".join(map(safe, _lines(one))))
        print(_summary(len(found), wrong))
    return 1 if wrong else 0


# ---------------------------------------------------------------------------------------------------------------------


def _lines(one: Difference) -> Iterator[str]:
    versions = f"{one.old} → {one.new}" if one.old and one.new else f"{one.new}, new" if one.new else f"{one.old}, gone"
    mark = "breaking" if one.breaking else "compatible"
    yield f"{one.name} {versions}: {mark}"
    yield from (
        f"  {'breaks' if change.breaking else 'fits'}  {change.rule}: {change.message}" for change in one.changes
    )
    yield from (f"  PROBLEM  {problem}" for problem in one.problems)


def _summary(count: int, wrong: int) -> str:
    if not count:
        return "Nothing changed."
    return f"{count} changed, {wrong} with problems."
