"""The versions of one name, sorted once, so that a constraint is answered by bisection."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from prowess.model.versions import VersionKey, is_prerelease, version_key
from prowess.registry.entry import Entry

if TYPE_CHECKING:  # at run time it would bring semantic_version, which only a constraint needs
    from prowess.model.ranges import Interval, VersionRange

__all__ = ["Versions"]


class _Shelf(Struct, frozen=True):
    """Entries with their keys, lowest first."""

    keys: tuple[VersionKey, ...] = ()
    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "_Shelf":
        ordered = sorted(((version_key(entry.version), entry) for entry in entries), key=lambda pair: pair[0])
        return cls(tuple(key for key, _ in ordered), tuple(entry for _, entry in ordered))

    def highest(self, interval: "Interval") -> Entry | None:
        """The highest entry inside an interval, by bisection; prereleases are passed over unless admitted."""
        keys = self.keys
        position = len(keys)
        if interval.high is not None:
            position = (bisect_right if interval.high_included else bisect_left)(keys, interval.high)
        while position > 0 and keys[position - 1] >= interval.low:
            position -= 1
            if interval.admits(keys[position]):
                return self.entries[position]
        return None


class Versions:
    """All entries of one name. Immutable; adding one makes another."""

    __slots__ = ("_off", "_on", "_releases", "entries")

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = _Shelf.of(entries).entries
        enabled = [entry for entry in entries if entry.enabled]
        self._releases = _Shelf.of(entry for entry in enabled if not is_prerelease(version_key(entry.version)))
        self._on = _Shelf.of(enabled)
        self._off = _Shelf.of(entry for entry in entries if not entry.enabled)

    @property
    def latest(self) -> Entry:
        """The highest enabled release; else the highest enabled prerelease; else the highest disabled one."""
        return self.candidates[-1]

    @property
    def candidates(self) -> tuple[Entry, ...]:
        """All that a bare name could mean: the enabled releases; else enabled prereleases; else the disabled ones."""
        return self._releases.entries or self._on.entries or self._off.entries

    def best(self, constraint: "VersionRange") -> Entry | None:  # noqa: C901 - a call more would be a third of a look-up
        """The highest entry that satisfies a constraint, a disabled one only where no enabled one does."""
        if len(constraint.intervals) > 1:
            return _best_of(self._on, constraint) or _best_of(self._off, constraint)
        for interval in constraint.intervals:
            if interval.prereleases_of:
                found = self._on.highest(interval)
                if found is not None:
                    return found
                continue
            high, keys = interval.high, self._releases.keys  # the common case, written out: it is asked most
            position = len(keys)
            if high is not None:
                position = (bisect_right if interval.high_included else bisect_left)(keys, high)
            if position:
                key, low = keys[position - 1], interval.low
                if key > low or (interval.low_included and key == low):
                    return self._releases.entries[position - 1]
        for interval in constraint.intervals:
            found = self._off.highest(interval)
            if found is not None:
                return found
        return None

    def exact(self, version: str | None) -> Entry | None:
        """The entry whose version compares equal, None where there is none."""
        key = version_key(version)
        return next((entry for entry in self.entries if version_key(entry.version) == key), None)

    def with_entry(self, entry: Entry) -> "Versions":
        """These versions and another, which takes the place of one with the same version."""
        return Versions([*self.without(entry.version), entry])

    def without(self, version: str | None) -> tuple[Entry, ...]:
        """The entries of every other version."""
        key = version_key(version)
        return tuple(entry for entry in self.entries if version_key(entry.version) != key)


# ---------------------------------------------------------------------------------------------------------------------


def _best_of(shelf: _Shelf, constraint: "VersionRange") -> Entry | None:
    """The highest entry inside any interval: that of the highest interval may be below a prerelease in another."""
    found = [entry for interval in constraint.intervals if (entry := shelf.highest(interval)) is not None]
    return max(found, key=lambda entry: version_key(entry.version), default=None)
