"""npm's own way of deciding whether a version satisfies a range, written down as plainly as its documentation."""

from __future__ import annotations

import re

Version = tuple[int, int, int, tuple[str, ...]]
Comparator = tuple[str, Version]

_PARTIAL = re.compile(r"v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?")
_BLOCK = re.compile(r"(\^|~>|~|>=|<=|>|<|=|)\s*(.+)")
_UNREAD: Comparator = (">=", (0, 0, 0, ()))
_NOTHING: Comparator = ("<", (0, 0, 0, ("0",)))


def satisfies(version: str, text: str) -> bool:
    """Whether a version satisfies a range of alternatives."""
    found = read_version(version)
    read = [_comparators(alternative.strip()) for alternative in text.split("||")]
    if any(all(one == _UNREAD for one in comparators) for comparators in read):  # beside that, nothing else is read
        read = [[]]
    return any(_admits(found, comparators) for comparators in read)


def read_version(text: str) -> Version:
    """A full version."""
    release, _, tail = text.partition("-")
    major, minor, patch = (int(part) for part in release.split("."))
    return (major, minor, patch, tuple(tail.split(".")) if tail else ())


def _admits(version: Version, comparators: list[Comparator]) -> bool:
    comparators = [one for one in comparators if one != _UNREAD]
    order = [(operator, _compare(version, bound)) for operator, bound in comparators]
    inside = {">": (1,), ">=": (1, 0), "<": (-1,), "<=": (-1, 0), "=": (0,)}
    if not all(sign in inside[operator] for operator, sign in order):
        return False
    return not version[3] or any(bound[3] and bound[:3] == version[:3] for _, bound in comparators)


def _compare(one: Version, other: Version) -> int:
    if one[:3] != other[:3]:
        return 1 if one[:3] > other[:3] else -1
    if not one[3] or not other[3]:
        return bool(other[3]) - bool(one[3])
    for left, right in zip(one[3], other[3], strict=False):
        if left != right:
            return 1 if _rank(left) > _rank(right) else -1
    return (len(one[3]) > len(other[3])) - (len(one[3]) < len(other[3]))


def _rank(part: str) -> tuple[int, int, str]:
    return (0, int(part), "") if part.isdigit() else (1, 0, part)


def _comparators(text: str) -> list[Comparator]:
    low, hyphen, high = text.partition(" - ")
    if hyphen:
        return [*_block(">=", low), *_block("<=", high)]
    text = re.sub(r"(\^|~>|~|>=|<=|>|<|=)\s+", r"\1", text)
    matches = (_BLOCK.fullmatch(block) for block in text.split())
    return [one for match in matches if match for one in _block(match[1], match[2])]


def _block(operator: str, text: str) -> list[Comparator]:
    match = _PARTIAL.fullmatch(text.strip())
    assert match is not None
    numbers = [int(part) for part in match.groups()[:3] if part is not None and part.isdigit()]
    tail = tuple(match[4].split(".")) if match[4] else ()
    if not numbers:
        return [_NOTHING] if operator in {"<", ">"} else []
    bound: Version = (numbers[0], (numbers[1:2] or [0])[0], (numbers[2:] or [0])[0], tail)
    if operator == "^":
        depth = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
        return [(">=", bound), ("<", _after(numbers, depth))]
    if operator in {"~", "~>"}:
        return [(">=", bound), ("<", _after(numbers, min(1, len(numbers) - 1)))]
    if len(numbers) == 3:
        return [(operator or "=", bound)]
    following = _after(numbers, len(numbers) - 1)
    meant: dict[str, list[Comparator]] = {
        "": [(">=", bound), ("<", following)],
        "=": [(">=", bound), ("<", following)],
        ">": [(">=", (*following[:3], ()))],
        ">=": [(">=", bound)],
        "<": [("<", (*bound[:3], ("0",)))],
        "<=": [("<", following)],
    }
    return meant[operator]


def _after(numbers: list[int], depth: int) -> Version:
    """The first version that no longer shares the numbers up to there."""
    padded = [*numbers[:depth], numbers[depth] + 1, 0, 0]
    return (padded[0], padded[1], padded[2], ("0",))
