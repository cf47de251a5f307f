"""On which line of a TOML text something stands; what reads the text does not tell."""

import re

from prowess.model.json_value import json_path

__all__ = ["lines_of", "nearest_line"]


def lines_of(text: str) -> dict[str, int]:
    """The line of each table and key that begins one, by its JSON path: `$.rules[0].match`."""
    found: dict[str, int] = {}
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    is_text = False
    for number, line in enumerate(text.splitlines(), 1):
        was_text, is_text = is_text, is_text ^ (len(_FENCE.findall(line)) % 2 == 1)
        if was_text:
            continue
        header = _HEADER.fullmatch(line)
        if header:
            table = _table(_parts(header["table"]), counts, is_item=header["item"] is not None)
        key = None if header else _KEY.match(line)
        if header or key:
            found.setdefault(json_path([*table, *(_parts(key["key"]) if key else ())]), number)
    return found


def nearest_line(lines: dict[str, int], path: str) -> int:
    """The line of what a path leads to, or of what that stands in; the first where nothing of it is known."""
    found = max(
        (place for place in lines if path == place or path.startswith((f"{place}.", f"{place}["))), default="", key=len
    )
    return lines.get(found, 1)


# ---------------------------------------------------------------------------------------------------------------------


_PART = r"(?:[\w-]+|\"[^\"]*\"|'[^']*')"
_PARTS = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(?P<item>\[)?\[\s*(?P<table>{_PARTS})\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(rf"\s*(?P<key>{_PARTS})\s*=")
_FENCE = re.compile(r"\"\"\"|'''")


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(_PART, dotted)]


def _table(parts: list[str], counts: dict[tuple[str | int, ...], int], *, is_item: bool) -> tuple[str | int, ...]:
    """The path of a table; of one that stands several times, with its number."""
    path: tuple[str | int, ...] = ()
    for at, part in enumerate(parts, 1):
        path = (*path, part)
        if is_item and at == len(parts):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
