"""From what an index found to the order in which it is shown: ties by name, and one entry for all that say the same."""

from collections.abc import Sequence
from math import inf
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from prowess.model.manifest import Manifest
from prowess.model.versions import version_key

__all__ = ["TIE", "Ranked", "rank"]

_DIGITS = 4
TIE = 0.0001
"""Scores that differ by less differ by the order in which they were summed up."""


class _Described(Protocol):
    @property
    def manifest(self) -> Manifest: ...


_Entry = TypeVar("_Entry", bound=_Described)


class Ranked(Struct, Generic[_Entry]):
    """An entry in its place, with those that it stands for."""

    score: float
    entry: _Entry
    also: list[str]
    """References of the entries below it that say the same: other versions, and twins from other sources."""


def rank(found: Sequence[tuple[float, int, _Entry]]) -> list[Ranked[_Entry]]:
    """What was found, each with its score and its twin number, highest first: in order, and without repetitions.

    More that is found later never changes the order of what came first.
    """
    settled = _settled(found)
    count = len(settled)
    if len({twin for _, twin, _ in settled}) == count == len({entry.manifest.name for _, _, entry in settled}):
        return [Ranked(score, entry, []) for score, _, entry in settled]
    ranked: list[Ranked[_Entry]] = []
    by_name: dict[str, Ranked[_Entry]] = {}
    by_twin: dict[int, Ranked[_Entry]] = {}
    for score, twin, entry in settled:
        name = entry.manifest.name
        first = by_name.get(name) or by_twin.get(twin)
        if first is None:
            first = Ranked(score, entry, [])
            ranked.append(first)
        else:
            _stand_for(first, score, entry)
        by_name[name] = by_twin[twin] = first
    return ranked


# ---------------------------------------------------------------------------------------------------------------------


def _stand_for(first: Ranked[_Entry], score: float, entry: _Entry) -> None:
    """Let the first of entries that say the same stand for another one; of versions with one score, the highest."""
    before, after = first.entry.manifest, entry.manifest
    if before.name == after.name and first.score - score <= TIE and _is_newer(after, before):
        first.entry, before, after = entry, after, before
    first.also.append(after.reference)


def _is_newer(one: Manifest, other: Manifest) -> bool:
    return version_key(one.version) > version_key(other.version)


def _settled(found: Sequence[tuple[float, int, _Entry]]) -> Sequence[tuple[float, int, _Entry]]:
    """The same in an order that does not depend on the index: of equal scores by name."""
    before = inf
    for score, _, _ in found:
        if before - score <= TIE:
            return sorted(found, key=lambda one: (-round(one[0], _DIGITS), one[2].manifest.name))
        before = score
    return found
