"""How commands print: tables, JSON, and text that a terminal cannot be tricked with."""

from __future__ import annotations

import os
import sys
from itertools import accumulate

from prowess.catalog.listing import one_line, safe

__all__ = ["at_terminal", "columns", "complain", "json_line", "pretty_json", "print_table", "safe"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_NARROWEST = 20


def at_terminal(stream: TextIO) -> bool:
    """Whether a person reads this stream as it is written."""
    return stream.isatty()


def columns() -> int:
    """How wide the terminal is, 80 where there is none."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


def complain(text: str) -> None:
    """Print a line for the person at the terminal, which is no part of the command's output."""
    print(text, file=sys.stderr)


def json_line(value: object) -> str:
    """A plain value as JSON on one line."""
    import msgspec  # noqa: PLC0415 - whoever has such a value has loaded it, `prowess list` has not

    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape
        from json import dumps  # noqa: PLC0415 - only for such

        return dumps(value)


def pretty_json(value: object) -> str:
    """A plain value as JSON over several lines."""
    import msgspec  # noqa: PLC0415 - as above

    return msgspec.json.format(json_line(value), indent=2)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print aligned columns, cut to the terminal's width; into a pipe, whole lines with tabs and no head."""
    cleaned = [[one_line(cell) for cell in row] for row in rows]
    if not at_terminal(sys.stdout):
        for row in cleaned:
            print("\t".join(row))
        return
    widths = [max(_width(row[column]) for row in (head, *cleaned)) for column in range(len(head))]
    room = max(_NARROWEST, columns() - sum(widths[:-1]) - 2 * (len(head) - 1))
    print(_bold(_line(head, widths, room)))
    for row in cleaned:
        print(_line(row, widths, room))


# ---------------------------------------------------------------------------------------------------------------------


def _line(row: Sequence[str], widths: Sequence[int], room: int) -> str:
    cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
    return "  ".join([*cells, _cut(row[-1], room)]).rstrip()


def _cut(text: str, room: int) -> str:
    if _width(text) <= room:
        return text
    kept = sum(width < room for width in accumulate(map(_width, text)))
    return f"{text[:kept].rstrip()}…"


def _width(text: str) -> int:
    """Columns on a terminal, where an East Asian character takes two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - only for text that needs it

    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _bold(text: str) -> str:
    return text if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else f"\x1b[1m{text}\x1b[0m"
