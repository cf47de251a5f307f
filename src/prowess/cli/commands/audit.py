"""Show what calls came to, follow them, and verify that no record was changed.

Without 'verify' the last records that fit are shown, oldest first. A time is a date (2026-05-01), a date and a time
(2026-05-01T12:30, UTC unless it says otherwise), or a span before now: 90s, 30m, 12h, 7d. 'verify' looks at every
record, and ends with 1 where one was changed, is missing, or was cut off at the end.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime

from prowess.app.records.stores import records_of
from prowess.app.records.trail import Trail, record_json
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import at_terminal, complain, json_line, print_table, safe
from prowess.model.audit import AuditHead, AuditQuery, ChainedRecord

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "audit"
HELP = "show what calls came to, follow them, and verify that no record was changed"

_HEAD = ("NUMBER", "TIME", "ENTRY", "ACTOR", "CHANNEL", "VERDICT", "ENDED", "MS", "RUN")
_SPAN = re.compile(r"(\d{1,6})([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_KNOWN = re.compile(r"(\d{1,15}):([0-9a-f]{64})", re.ASCII)
_TEXTS = ("entry", "actor", "channel", "verdict", "run", "error")
_MOST = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess audit`."""
    parser.add_argument("action", metavar="verify", nargs="?", choices=("verify",), help="look at the whole trail")
    parser.add_argument("--entry", metavar="NAME", help="only calls of this entry: name, or name@version")
    parser.add_argument("--actor", help="only calls of this actor")
    parser.add_argument("--channel", help="only calls by this way in: library, cli, http")
    parser.add_argument("--verdict", choices=("allow", "ask", "deny"), help="only calls that were judged so")
    parser.add_argument("--error", metavar="CODE", nargs="?", const="*", help="only calls that failed, with this code")
    parser.add_argument("--run", help="only calls of this run")
    parser.add_argument("--since", metavar="TIME", type=_time, help="only calls that began then or later")
    parser.add_argument("--until", metavar="TIME", type=_time, help="only calls that began before")
    parser.add_argument("--limit", metavar="N", type=_limit, default=50, help="at most so many, the last ones (50)")
    parser.add_argument("--follow", action="store_true", help="go on with what comes, until Ctrl-C")
    parser.add_argument(
        "--known", metavar="N:HASH", type=_known, help="with verify: a head that was written down before"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each record")


def run(arguments: Arguments) -> int:
    """Show records, or verify all; 1 where the trail is not whole."""
    query = AuditQuery(
        since=arguments.since, until=arguments.until, **{name: getattr(arguments, name) for name in _TEXTS}
    )
    if arguments.action and (query != AuditQuery() or arguments.follow):
        raise UsageError("'verify' looks at the whole trail: it takes no filter\nSee 'prowess audit --help'.")
    if arguments.known and not arguments.action:
        raise UsageError("--known goes with 'verify'\nSee 'prowess audit --help'.")
    records = records_of(arguments.project, os.environ)
    try:
        if arguments.action:
            return _verify(records.trail, arguments.known, as_json=arguments.json)
        return _show(records.trail, query, arguments)
    finally:
        records.close()


# ---------------------------------------------------------------------------------------------------------------------


def _show(trail: Trail, query: AuditQuery, arguments: Arguments) -> int:
    end = trail.end if arguments.follow else 0
    found = trail.newest(query, limit=arguments.limit)
    if not arguments.follow and not arguments.json:
        print_table(_HEAD, [_row(one) for one in found])
        if not found and at_terminal(sys.stdout):
            complain("No call was recorded that fits.")
        return 0
    _print(found, as_json=arguments.json)
    if arguments.follow:
        _print(trail.follow(found[-1].number if found else end, query), as_json=arguments.json)
    return 0


def _print(records: Iterable[ChainedRecord], *, as_json: bool) -> None:
    """A line for each record as it comes."""
    for one in records:
        print(json_line(record_json(one)) if as_json else safe("\t".join(_row(one))), flush=True)


def _verify(trail: Trail, known: AuditHead | None, *, as_json: bool) -> int:
    found = trail.verify(known)
    if as_json:
        flaws = [{"number": flaw.number, "kind": flaw.kind, "message": flaw.message} for flaw in found.flaws]
        head = {"number": found.head.number, "hash": found.head.hash}
        print(json_line({"ok": found.whole, "records": found.records, "head": head, "flaws": flaws}))
    elif found.whole:
        print(f"{_count(found.records)}, none changed, none missing. Head: {found.head.number}:{found.head.hash}")
    else:
        for flaw in found.flaws:
            print(safe(f"record {flaw.number}: {flaw.kind.replace('_', ' ')}: {flaw.message}"))
        print(f"{_count(found.records)}: the trail is not whole.")
    return 0 if found.whole else 1


def _row(one: ChainedRecord) -> tuple[str, ...]:
    fields = record_json(one)
    if "damaged" in fields:
        return (str(one.number), "damaged", *[""] * (len(_HEAD) - 2))
    at, duration = (float(str(fields[name])) for name in ("at", "duration"))
    told = [str(fields[name]) for name in ("entry", "actor", "channel")]
    ended = str(fields.get("error", "ok"))
    verdict = str(fields.get("verdict", "allow"))
    return (str(one.number), _shown(at), *told, verdict, ended, f"{duration * 1e3:.1f}", str(fields["run"]))


def _shown(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _count(records: int) -> str:
    return "1 record" if records == 1 else f"{records} records"


def _time(text: str) -> float:
    span = _SPAN.fullmatch(text)
    if span:
        return time.time() - int(span[1]) * _SECONDS[span[2]]
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        message = f"'{text}' is no time: write a date, 2026-05-01 or 2026-05-01T12:30, or a span, 30m, 12h, 7d"
        raise argparse.ArgumentTypeError(message) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= _MOST):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {_MOST}, got '{text}'")
    return int(text)


def _known(text: str) -> AuditHead:
    found = _KNOWN.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError(
            "expected what 'verify' calls the head: a number, ':' and 64 digits from 0 to f"
        )
    return AuditHead(int(found[1]), found[2])
