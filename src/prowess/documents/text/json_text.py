"""JSON text to plain values, duplicate keys refused; where a place of it stands."""

import re
from collections.abc import Iterator, Mapping
from functools import partial

import orjson

from prowess.documents.text.findings import Findings
from prowess.documents.values import Place
from prowess.model.json_value import json_path

__all__ = ["SIZE_LIMIT", "read_json"]

SIZE_LIMIT = 64_000_000
"""Bytes of one document: 50,000 entries."""

_MARK = b"\xef\xbb\xbf"
_ESCAPED_COLON = re.compile(rb"\\u003[aA]")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_CLOSES = {"}": "{", "]": "["}
_NAMES = {"{": "object", "[": "list"}
_MOST_TWICE = 100
_COMMA, _COLON = frozenset(","), frozenset(":")


def read_json(file: str, data: bytes, findings: Findings) -> object | None:
    """The value of a document; None where it is no JSON, which `findings` then tells with its line."""
    if len(data) > SIZE_LIMIT:
        findings.broken(file, None, "size", f"is larger than {SIZE_LIMIT:,} bytes")
        return None
    data = data.removeprefix(_MARK)
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        findings.broken(file, error.lineno, "json", _told(error, data))
        return None
    findings.opened(file, partial(_lines_of, data))
    if _repeats(data, value):
        for at, line, first in _twice(data):
            message = f"{json_path(list(at))} stands in line {first} already: a key is written once"
            findings.broken(file, line, "duplicate", message)
        return None
    return value


# ---------------------------------------------------------------------------------------------------------------------


class _Level:
    """An object or a list that is open."""

    __slots__ = ("keys", "part", "sign", "wants_key")

    def __init__(self, sign: str) -> None:
        self.sign = sign
        self.part = 0
        """Which item of a list comes."""
        self.keys: dict[str, int] = {}
        """The lines of an object's keys so far."""
        self.wants_key = sign == "{"

    def next(self) -> None:
        """Go on behind a comma."""
        self.part += 1
        self.wants_key = self.sign == "{"


def _repeats(data: bytes, value: object) -> bool:
    """Whether a key stands twice in one object, without a look at each: what was lost shows in the number of colons.

    Written again, a value has every colon of its text but those of what was lost; only an escaped one would be more.
    """
    if not _ESCAPED_COLON.search(data):
        try:
            return data.count(b":") != orjson.dumps(value).count(b":")
        except orjson.JSONEncodeError:  # it reads what is nested deeper than it writes
            pass
    return next(_twice(data), None) is not None


def _twice(data: bytes) -> Iterator[tuple[Place, int, int]]:
    """Each key that stands twice: its place, its line, and that of the first."""
    left = _MOST_TWICE
    for at, line, first in _walk(data):
        if first is not None and left:
            left -= 1
            yield at, line, first


def _lines_of(data: bytes, wanted: frozenset[Place]) -> Mapping[Place, int]:
    found: dict[Place, int] = {}
    for at, line, _ in _walk(data):
        if at in wanted:
            found.setdefault(at, line)
            if len(found) == len(wanted):
                break
    return found


def _walk(data: bytes) -> Iterator[tuple[Place, int, int | None]]:
    """Each value's place and line and, for a key that stood before, the line of that. The text is JSON."""
    levels: list[_Level] = []
    place: list[str | int] = []
    yield (), 1, None
    for token, line in _tokens(data):
        level = levels[-1] if levels else None
        if token in _CLOSES:
            levels.pop()
            del place[len(levels) :]
        elif token in _COMMA and level is not None:
            del place[len(levels) - 1 :]
            level.next()
        elif level is not None and level.wants_key:
            key: str = orjson.loads(token)
            level.wants_key = False
            place.append(key)
            yield tuple(place), line, level.keys.get(key)
            level.keys.setdefault(key, line)
        elif token not in _COLON:
            if level is not None and level.sign == "[":
                place.append(level.part)
                yield tuple(place), line, None
            if token in _NAMES:
                levels.append(_Level(token))


def _tokens(data: bytes) -> Iterator[tuple[str, int]]:
    """Each token and its line."""
    text = data.decode("utf-8", "replace")
    line, at = 1, 0
    for found in _TOKEN.finditer(text):
        start = found.start()
        line += text.count("\n", at, start)
        at = start
        yield found[0], line


def _told(error: orjson.JSONDecodeError, data: bytes) -> str:
    """What is wrong with the text; of a bracket that closes another one, where that was opened."""
    crossed = _crossed(data, error.lineno)
    if crossed is not None:
        return f"is not JSON: {crossed}"
    return f"is not JSON: {error.msg}, at column {error.colno}"


def _crossed(data: bytes, until: int) -> str | None:
    """The first bracket that closes what another kind has opened, up to a line."""
    levels: list[tuple[str, int]] = []
    for token, line in _tokens(data):
        if line > until:
            return None
        if token in _NAMES:
            levels.append((token, line))
        elif token in _CLOSES:
            opened, began = levels.pop() if levels else ("", 0)
            if opened != _CLOSES[token]:
                return _wrong_close(token, opened, began)
    return None


def _wrong_close(token: str, opened: str, began: int) -> str:
    if not opened:
        return f"'{token}' closes what was never opened"
    return f"the {_NAMES[opened]} that '{opened}' opens in line {began} is closed by '{token}'"
