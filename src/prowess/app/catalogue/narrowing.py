"""From a filter to what an index is asked for it, and what of its answer is taken."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from math import prod, sqrt
from typing import TypeAlias

from msgspec import Struct

from prowess.app.catalogue.following import Followed
from prowess.catalog.search.document import facet, key_of
from prowess.catalog.search.port import Found
from prowess.registry.entry import Entry
from prowess.registry.filters import SKILL, Filter

__all__ = ["Narrowed", "Narrowing"]

_FEW = 20
_FEW_OF_ROOT = 1.4
"""So many names, and so many times the root of its size, an index is asked for one by one; of more it is quicker to
find all and pass over the others."""
_DEAR = 5
"""Documents that are found and passed over in the time in which an index looks up one name."""
_PART = 0.1
"""Below this part of all entries those that pass are told by a set of their keys; of more, few are passed over."""
_KEPT = 64
"""Sets of keys that are remembered."""

Versions: TypeAlias = Callable[[str], Iterable[Entry]]
"""Every entry of a name."""

_NO_NAMES: frozenset[str] = frozenset()

_Passing = tuple[float, frozenset[int] | None]
"""Which part of all entries passes, and their keys where it is small."""


class Narrowed(Struct, frozen=True):
    """What an index is asked for a filter, and what of its answer can pass."""

    facets: tuple[tuple[str, ...], ...] = ()
    among: tuple[frozenset[int], ...] = ()
    """The key of a document must be in each of these sets."""
    names: frozenset[str] = _NO_NAMES
    """Names that an index was not asked for, since they are many."""
    share: float = 1.0
    """Which part of what is found is likely to pass."""

    def taken(self, found: Sequence[Found]) -> Sequence[Found]:
        """What of an answer can pass, as far as keys tell."""
        for keys in self.among:
            found = [one for one in found if one[1] in keys]
        return found

    def by_name(self, limit: int, size: int) -> "Narrowed | None":
        """The same with every name asked for, where that is quicker than to find so many documents of so many."""
        if not self.names or len(self.names) * _DEAR > min(limit, size):
            return None
        return Narrowed((*self.facets, _named(self.names)), self.among)


class Narrowing:
    """Tells how an index is narrowed. Lives as long as what searches; every thread may ask it."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._kept: tuple[object, dict[int, tuple[object, _Passing]]] = ((), {})
        """The entries of a moment, and what passes by the identity of what lets it pass, which is held here too."""

    def of(self, shows: Filter | None, now: Followed) -> Narrowed:
        """What the index of a moment is asked for a filter."""
        if shows is None:
            return _WHOLE
        size = max(now.index.size, 1)
        facets: list[tuple[str, ...]] = []
        passing: list[_Passing] = []
        many: list[frozenset[str]] = []
        for one in shows.each():
            facets += [(facet(kind, value),) for kind, value in _given(one) if value is not None]
            names = one.keys
            if names is not None and len(names) <= _FEW + _FEW_OF_ROOT * sqrt(size):
                facets.append(_named(names))
            elif names is not None and len(names) < size:
                passing.append(self._passing(names, now, partial(self._of_names, names)))
                many.append(names)
            permissions = one.permissions
            if permissions is not None and (one.sees is not None or len(permissions.entries) > _PART * size):
                passing.append(self._passing(permissions, now, partial(_permitted, one, now)))
        among = tuple(keys for _, keys in passing if keys is not None)
        fewest = min(many, key=len) if many else _NO_NAMES
        return Narrowed(tuple(facets), among, fewest, prod(share for share, _ in passing))

    # -----------------------------------------------------------------------------------------------------------------

    def _passing(self, source: object, now: Followed, entries: Callable[[], Iterable[Entry]]) -> _Passing:
        """What passes, remembered for as long as the registry stays as it is."""
        moment, kept = self._kept
        if moment is not now.entries:
            self._kept = (now.entries, kept := {})
        found = kept.get(id(source))
        if found is not None:
            return found[1]
        if len(kept) >= _KEPT:
            kept.clear()
        keys = frozenset(key_of(entry.manifest.reference) for entry in entries())
        share = max(len(keys), 1) / len(now.entries)
        passing = (share, keys if share <= _PART else None)
        kept[id(source)] = (source, passing)
        return passing

    def _of_names(self, names: Iterable[str]) -> Iterable[Entry]:
        return (entry for name in names for entry in self._versions(name))


# ---------------------------------------------------------------------------------------------------------------------

_WHOLE = Narrowed()


def _given(one: Filter) -> Iterable[tuple[str, str | None]]:
    """What a filter asks for that an index knows."""
    kind = None if one.kind == SKILL else one.kind
    return ("tag", one.tag), ("kind", kind), ("status", one.status), ("source", one.source)


def _permitted(shows: Filter, now: Followed) -> Iterable[Entry]:
    return (entry for entry in now.entries if shows.permits(entry.name) and shows.governed(entry))


@lru_cache
def _named(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(facet("name", name) for name in sorted(names))
