"""Find the entries of a project that fit a request in your own words, best first.

At a terminal a table; into a pipe a line for each, its columns separated by tabs: name, version, kind, score, source,
description. With --explain, the words that were found follow each entry, with the part of it that has them. Disabled
entries are found with '--status disabled' only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.app.catalogue.searching import PLACES_LIMIT
from prowess.catalog.listing import one_line
from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, UsageError, whole_number
from prowess.cli.terminal.printing import complain, json_line, print_table, safe

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from prowess.catalog.search.hit import Hit

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "search"
HELP = "find skills by what you want done"

_KINDS = ("op", "logic", "pipeline", "package")
_STATUSES = ("enabled", "disabled", "deprecated")
_HEAD = ("NAME", "VERSION", "KIND", "SCORE", "SOURCE", "DESCRIPTION")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess search`."""
    parser.add_argument("words", metavar="WORDS", nargs="+", help="what you want, in your own words")
    parser.add_argument(
        "-k",
        metavar="N",
        type=whole_number(1, PLACES_LIMIT),
        default=5,
        help="entries on a page (5, where none is given)",
    )
    parser.add_argument("--page", metavar="N", type=whole_number(1, PLACES_LIMIT), default=1, help="which page, from 1")
    parser.add_argument("--tag", help="only entries with this tag")
    parser.add_argument("--kind", choices=_KINDS, help="only entries of this kind")
    parser.add_argument("--status", choices=_STATUSES, help="only entries of this status")
    parser.add_argument("--source", help="only entries from this source, as the list shows it")
    parser.add_argument("--json", action="store_true", help="print the hits as JSON, with what matched")
    parser.add_argument("--explain", action="store_true", help="print which words matched, and where")


def run(arguments: Arguments) -> int:
    """Print one page of hits; 0 even where there are none."""
    if arguments.k * arguments.page > PLACES_LIMIT:
        raise UsageError(f"-k times --page is at most {PLACES_LIMIT}")
    project = open_quietly(arguments.project)
    words = " ".join(arguments.words)
    hits = project.registry.search(
        words,
        arguments.k,
        kind=arguments.kind,
        tag=arguments.tag,
        status=arguments.status,
        source=arguments.source,
        page=arguments.page,
    )
    if arguments.json:
        print(json_line({"query": words, "page": arguments.page, "hits": [hit.to_json() for hit in hits]}))
    elif arguments.explain:
        print("".join(f"{line}\n" for hit in hits for line in _explained(hit)), end="")
    else:
        print_table(_HEAD, [_row(hit) for hit in hits])
    if not hits:
        complain("No entries fit." if len(project.registry) else "No entries yet: 'prowess new skill NAME' writes one.")
    report(project.diagnostics)
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _row(hit: Hit) -> tuple[str, ...]:
    first = hit.description.strip().partition("\n")[0]
    return (hit.name, hit.version or "", hit.kind, f"{hit.score:.2f}", hit.source, one_line(first))


def _explained(hit: Hit) -> Iterator[str]:
    """A hit's row, and a line for each part of it that has words of the question."""
    yield safe("\t".join(_row(hit)))
    fields: dict[str, list[str]] = {}
    for match in hit.matched:
        same = match.word == match.found.lower()
        fields.setdefault(match.field, []).append(match.word if same else f"{match.word} ({match.found})")
    yield from (safe(f"    {field}: {', '.join(words)}") for field, words in fields.items())
    if hit.also:
        yield safe(f"    also: {', '.join(hit.also)}")
