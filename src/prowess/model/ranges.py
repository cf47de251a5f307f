"""Version constraints in npm's grammar, read once into sorted intervals. Imported at the first constraint only.

`semantic_version` reads each comparator; we join them, because its own joining admits a release where only one of its
prereleases was asked for, and npm's rule for prereleases needs all comparators of a set at once.
"""

import re
from functools import lru_cache
from itertools import takewhile
from typing import TypeAlias

from msgspec import Struct
from semantic_version import NpmSpec
from semantic_version.base import Range

from prowess.errors import InvalidInputError
from prowess.model.versions import VersionKey, is_prerelease, version_key

__all__ = ["Interval", "VersionRange", "parse_range"]

_Comparator: TypeAlias = tuple[str, VersionKey]

_ALTERNATIVES_LIMIT = 32
_LENGTH_LIMIT = 1_024
_SHOWN = 80
_BELOW = re.compile(r"<\d+\.\d+\.\d+(?:[-+].*)?")  # the one upper bound that takes no prerelease of itself away
_OPERATOR_SPACE = re.compile(r"(~>|[<>]=|[<>=^~]) ")
_NUMBER = r"0|[1-9]\d{0,14}"
_PART = rf"({_NUMBER}|[xX*])"
_TAIL = rf"(?:-((?:{_NUMBER}|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:{_NUMBER}|\d*[A-Za-z-][0-9A-Za-z-]*))*))?"
_BUILD = r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
_BLOCK = re.compile(rf"(\^|~>|~|[<>]?=?)([v=]*){_PART}(?:\.{_PART}(?:\.{_PART}{_TAIL}{_BUILD})?)?", re.ASCII)
_ANY_NUMBER = frozenset("xX*")
_LOWEST = version_key("0.0.0-0")
_NO_BOUND = (Range.OP_GTE, "0.0.0")  # npm does not read this one, which matters to prereleases of 0.0.0
_LOWER = (Range.OP_GT, Range.OP_GTE, Range.OP_EQ)
_UPPER = (Range.OP_LT, Range.OP_LTE, Range.OP_EQ)


class Interval(Struct, frozen=True, gc=False):
    """One unbroken piece of a range. `prereleases_of` holds the releases whose prereleases it admits."""

    low: VersionKey
    low_included: bool
    high: VersionKey | None
    high_included: bool
    prereleases_of: frozenset[tuple[int, int, int]] = frozenset()

    def admits(self, key: VersionKey) -> bool:
        """Whether a version is inside, prereleases only where they were asked for."""
        above = key > self.low or (self.low_included and key == self.low)
        below = self.high is None or key < self.high or (self.high_included and key == self.high)
        return above and below and (not is_prerelease(key) or key[:3] in self.prereleases_of)


class VersionRange(Struct, frozen=True, gc=False):
    """A constraint, read: the text as written and its intervals, highest first."""

    text: str
    intervals: tuple[Interval, ...]

    def admits(self, version: str | None) -> bool:
        """Whether a version satisfies the constraint."""
        key = version_key(version)
        return any(interval.admits(key) for interval in self.intervals)


@lru_cache(maxsize=4_096)
def parse_range(text: str) -> VersionRange:
    """Read a constraint; a comma counts as a space, and nothing as `*`. Raises `InvalidInputError` for what is none."""
    try:
        return VersionRange(text, _intervals(text))
    except ValueError:
        shown = text[:_SHOWN]
        message = f"version constraint {shown!r} is not one: write ^1.2, ~1.2.3, >=1 <2, 1.x or a || b"
        raise InvalidInputError(message, details={"constraint": shown}) from None


# ---------------------------------------------------------------------------------------------------------------------


def _intervals(text: str) -> tuple[Interval, ...]:
    cleaned = re.sub(r"\s+", " ", text.replace(",", " ")).strip()
    alternatives = cleaned.split("||")
    if len(cleaned) > _LENGTH_LIMIT or len(alternatives) > _ALTERNATIVES_LIMIT:
        raise ValueError
    read = [_comparators(alternative.strip() or "*") for alternative in alternatives]
    found = [_interval(one) for one in ([[]] if [] in read else read)]  # beside everything, npm reads nothing else
    return tuple(sorted((one for one in found if one is not None), key=_height, reverse=True))


def _comparators(alternative: str) -> list[_Comparator]:
    low, hyphen, high = alternative.partition(" - ")
    blocks = [f">={low}", f"<={high}"] if hyphen else _OPERATOR_SPACE.sub(r"\1", alternative).split(" ")
    return [comparator for block in blocks for comparator in _block(block, loose=bool(hyphen))]


def _block(written: str, *, loose: bool) -> list[_Comparator]:
    block = _plain(written, loose=loose)
    found = NpmSpec.Parser.parse_simple(block)
    if block.startswith("~") and "-" in block:  # the library ends ~1.2.0-rc.1 at 1.2.0
        found[1] = NpmSpec.Parser.parse_simple(block.partition("-")[0])[1]
    spelled_out = _BELOW.fullmatch(block) is not None
    return [
        (
            one.operator,
            version_key(f"{one.target}-0" if one.operator == Range.OP_LT and not spelled_out else str(one.target)),
        )
        for one in found
        if (one.operator, str(one.target)) != _NO_BOUND
    ]


def _plain(block: str, *, loose: bool) -> str:
    """A comparator as the library reads it: without what npm passes over, and without what stands behind an x.

    Between a hyphen, and behind `^` and `~`, npm reads loosely: any `v` and `=` may precede, a number follow an x.
    """
    found = _BLOCK.fullmatch(block)
    if found is None:
        raise ValueError(block)
    operator, noise, *parts, tail = found.groups()
    numbers = list(takewhile(lambda part: part is not None and part not in _ANY_NUMBER, parts))
    loose = loose or operator.startswith(("^", "~"))
    if not loose and any(part is not None and part not in _ANY_NUMBER for part in parts[len(numbers) :]):
        raise ValueError(block)
    if not loose and len(numbers) == len(parts) and noise not in {"", "v"}:
        raise ValueError(block)
    operator = "~" if operator == "~>" else operator
    if not numbers:
        return "<0.0.0-0" if operator in {"<", ">"} else "*"  # nothing is above or below everything
    version = ".".join(numbers)
    return f"{operator}{version}-{tail}" if tail and len(numbers) == len(parts) else f"{operator}{version}"


def _interval(comparators: list[_Comparator]) -> Interval | None:
    """The one interval that satisfies all comparators; None where nothing can."""
    low, low_included = _LOWEST, True
    high: VersionKey | None = None
    high_included = False
    prereleases: set[tuple[int, int, int]] = set()
    for operator, key in comparators:
        if is_prerelease(key):
            prereleases.add(key[:3])
        if operator in _LOWER:
            included = operator != Range.OP_GT
            if (key, not included) > (low, not low_included):
                low, low_included = key, included
        if operator in _UPPER:
            included = operator != Range.OP_LT
            if high is None or (key, included) < (high, high_included):
                high, high_included = key, included
    if high is not None and (low > high or (low == high and not (low_included and high_included))):
        return None
    return Interval(low, low_included, high, high_included, frozenset(prereleases))


def _height(interval: Interval) -> tuple[bool, VersionKey]:
    return (interval.high is None, interval.high or _LOWEST)
