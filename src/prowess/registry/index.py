"""Every entry by name and version. Reads take no lock; writes are the caller's to put in line.

A name with one version costs one dictionary slot. Single look-ups see each write at once; whole views are snapshots.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from prowess.errors import AlreadyRegisteredError, ConfigurationError, InvalidInputError
from prowess.model.names import key_of, split_reference
from prowess.model.versions import VersionKey, is_semver, version_key, version_shown
from prowess.registry.entry import Entry
from prowess.registry.versions import Versions

if TYPE_CHECKING:
    from prowess.model.ranges import VersionRange

__all__ = ["Index", "Shows", "as_text", "claims_of"]

_NAME = "the name of an entry"
_NAMES_LIMIT = 16_384
_CONSTRAINTS_LIMIT = 64

Shows: TypeAlias = Callable[[Entry], bool]
"""Whether whoever asks may see an entry."""


class Index:
    """Name and constraint to entry."""

    def __init__(self) -> None:
        self._names = _Shelf()
        self._aliases = _Shelf()
        """By the key of an `id` that is another than the name's; an entry's alias goes when the entry does."""
        self._spellings: dict[str, str] = {}
        self.latest = self._names.latest
        """What a name gives without a constraint. Read it; only the index writes."""
        self._several = self._names.several
        self.answers: dict[str, dict[str | None, Entry]] = {}
        """What was found since the last write, by name and constraint. Read it; only the index writes."""

    def entries(self) -> Iterator[Entry]:
        """Every entry, all versions, in no particular order; take a copy before writing."""
        for name in self.latest:
            yield from self._names.entries(name)

    def find(self, name: str, constraint: str | None = None, shows: Shows | None = None) -> Entry | None:
        """The entry that a name, `name@constraint` or alias means, among those that can be seen.

        What is found among all is kept until the next write. Raises `InvalidInputError` for a constraint that is none,
        and `ConfigurationError` for what is no text at all.
        """
        if shows is not None:
            return self._search_shown(name, constraint, shows)
        answers = self.answers
        entry = self.latest.get(name)  # before the versions, which stay until the name goes: so both are of one state
        if entry is None:
            found = self._search_spelled(name, constraint)
        else:
            found = entry if constraint is None else _chosen(entry, self._several.get(name), constraint)
        if found is not None:
            kept = answers.get(name)
            if kept is None or len(kept) >= _CONSTRAINTS_LIMIT:
                if len(answers) >= _NAMES_LIMIT:
                    answers.clear()
                kept = answers[name] = {}
            kept[constraint] = found
        return found

    def split(self, reference: str) -> tuple[str, str | None]:
        """The name or alias in a reference, and its constraint; an alias may hold an `@` itself."""
        return (reference, None) if self._place(reference) is not None else split_reference(reference)

    def versions(self, name: str) -> tuple[Entry, ...]:
        """Every version of a name, or every entry of an alias, lowest first."""
        place = self._place(name)
        return () if place is None else place[0].entries(place[1])

    def owner(self, name: str) -> str | None:
        """The name of the entries that a name or alias gives; None where it is free."""
        place = self._place(name)
        entry = None if place is None else place[0].latest.get(place[1])
        return None if entry is None else entry.name

    def check(self, entries: Iterable[Entry], *, replace: bool = False) -> None:
        """Raise `AlreadyRegisteredError` where these entries would take a name@version, a spelling or an id in use."""
        first: dict[str, Entry] = {}
        repeated: dict[str, set[VersionKey]] = {}
        for entry in entries:
            for name in (entry.name, *_aliases_of(entry)):
                claimed = first.setdefault(key_of(name), entry).name
                owner = self.owner(name) if claimed == entry.name else claimed
                if owner not in (None, entry.name):
                    raise _taken(entry, name, str(owner))
            key = _key(entry)
            taken: set[VersionKey] = set() if replace else set(map(_key, self.versions(entry.name)))
            earlier = first[key_of(entry.name)]
            if earlier is not entry:
                batch = repeated.setdefault(entry.name, {_key(earlier)})
                taken |= batch
                batch.add(key)
            if key in taken:
                odd = entry.version is not None and not is_semver(entry.version)
                which = f"'{entry.manifest.reference}'{f' (which compares as {version_shown(key)})' if odd else ''}"
                message = f"{which} is in the registry; give another version, or replace=True"
                raise AlreadyRegisteredError(message, details={"name": entry.name})

    def add(self, entries: Iterable[Entry]) -> list[Entry]:
        """Add entries, each in the place of one with the same name and version; gives those. `check` comes first."""
        replaced: list[Entry] = []
        for entry in entries:
            old = self._names.put(entry.name, entry)
            if old is not None:
                replaced.append(old)
                self._drop_aliases((old,))
            elif "-" in entry.name:
                self._spellings[key_of(entry.name)] = entry.name
            for alias in _aliases_of(entry):
                self._aliases.put(alias, entry)
        self.forget_answers()
        return replaced

    def remove(self, gone: Collection[Entry]) -> None:
        """Take entries out; those that are not in it are passed over."""
        for name in {entry.name for entry in gone}:
            self._names.drop(name, gone)
            if name not in self.latest:
                self._spellings.pop(key_of(name), None)
        self._drop_aliases(gone)
        self.forget_answers()

    def forget_answers(self) -> None:
        """Drop kept answers: after a write they may be wrong."""
        self.answers = {}

    # -----------------------------------------------------------------------------------------------------------------

    def _search_spelled(self, name: str, constraint: str | None) -> Entry | None:
        """The entry under another spelling, an alias, or a whole reference."""
        name = as_text(name, _NAME)
        if constraint is None:
            name, constraint = self.split(name)
        place = self._place(name)
        entry = None if place is None else place[0].latest.get(place[1])
        if place is None or entry is None or constraint is None:
            return entry
        return _chosen(entry, place[0].several.get(place[1]), constraint)

    def _search_shown(self, name: str, constraint: str | None, shows: Shows) -> Entry | None:
        name = as_text(name, _NAME)
        if constraint is None:
            name, constraint = self.split(name)
        seen = [entry for entry in self.versions(name) if shows(entry)]
        if not seen:
            return None
        versions = Versions(seen)
        return versions.latest if constraint is None else _chosen(versions.latest, versions, constraint)

    def _place(self, name: str) -> "tuple[_Shelf, str] | None":
        """Where the entries of a name, in either spelling, or of an alias are."""
        if name in self.latest:
            return self._names, name
        key = key_of(name)
        spelling = key if key in self.latest else self._spellings.get(key)
        if spelling is not None:
            return self._names, spelling
        return (self._aliases, key) if key in self._aliases.latest else None

    def _drop_aliases(self, gone: Collection[Entry]) -> None:
        for alias in {alias for entry in gone for alias in _aliases_of(entry)}:
            self._aliases.drop(alias, gone)


def claims_of(entry: Entry) -> tuple[str, ...]:
    """The keys that an entry takes: that of its name and, where it has another name, that of its `id`."""
    return (key_of(entry.name), *_aliases_of(entry))


def as_text(value: object, what: str) -> str:
    """Plain text, of which an enum's member is some; raises `ConfigurationError` for anything else."""
    if isinstance(value, str):
        return str.__str__(value)
    message = f"{what} is text: not {value!r}"
    raise ConfigurationError(message)


# ---------------------------------------------------------------------------------------------------------------------


class _Shelf:
    """Entries under one kind of name: the one that a bare name gives and, where ever there were several, all."""

    __slots__ = ("latest", "several")

    def __init__(self) -> None:
        self.latest: dict[str, Entry] = {}
        self.several: dict[str, Versions] = {}
        """Written before `latest`, and kept until the name goes: who reads `latest` first misses nothing."""

    def entries(self, name: str) -> tuple[Entry, ...]:
        """All entries of a name, lowest first."""
        entry = self.latest.get(name)
        several = self.several.get(name)
        if several is not None:
            return several.entries
        return () if entry is None else (entry,)

    def put(self, name: str, entry: Entry) -> Entry | None:
        """Add an entry; gives the one of the same version whose place it takes."""
        present = self.latest.get(name)
        several = self.several.get(name)
        if present is None or (several is None and _key(present) == _key(entry)):
            self.latest[name] = entry
            return present
        several = several or Versions([present])
        old = several.exact(entry.version)
        self.several[name] = several = several.with_entry(entry)
        self.latest[name] = several.latest
        return old

    def drop(self, name: str, gone: Collection[Entry]) -> None:
        """Take entries out, and with the last one the name."""
        left = [entry for entry in self.entries(name) if entry not in gone]
        if left:
            self.several[name] = several = Versions(left)
            self.latest[name] = several.latest
        else:
            self.latest.pop(name, None)
            self.several.pop(name, None)


def _chosen(entry: Entry, several: Versions | None, constraint: str) -> Entry | None:
    """The highest entry that satisfies a constraint: among several, or this one where it is alone."""
    try:
        wanted = _read_range(constraint)
    except InvalidInputError:
        written = _written(several.entries if several is not None else (entry,), constraint)
        if written is None:
            raise
        return written
    if wanted is None:
        return _exact(entry, several, constraint)
    if several is not None:
        return several.best(wanted)
    return entry if wanted.admits(entry.version) else None


def _exact(entry: Entry, several: Versions | None, version: str) -> Entry | None:
    if several is not None:
        return several.exact(version)
    return entry if _key(entry) == version_key(version) else None


def _written(entries: Iterable[Entry], version: str) -> Entry | None:
    """The entry whose author wrote this very version: text that is none can only be asked for as it is."""
    return next((entry for entry in entries if entry.version == version), None)


def _key(entry: Entry) -> VersionKey:
    return version_key(entry.version)


def _aliases_of(entry: Entry) -> tuple[str, ...]:
    """The key of the entry's id, where that is another name."""
    alias = entry.manifest.id
    return () if alias is None or key_of(alias) == key_of(entry.name) else (key_of(alias),)


def _taken(entry: Entry, name: str, owner: str) -> AlreadyRegisteredError:
    if key_of(entry.name) == key_of(owner):
        message = f"'{entry.name}' and '{owner}' are two spellings of one name: '-' and '_' count as the same"
    elif name == entry.name:
        message = f"'{entry.name}' is the id of '{owner}': one name cannot give two entries"
    else:
        message = f"'{entry.name}' has the id '{entry.manifest.id}', which gives '{owner}' already"
    return AlreadyRegisteredError(message, details={"name": entry.name, "taken_by": owner})


@lru_cache(maxsize=4_096)
def _read_range(constraint: str) -> "VersionRange | None":
    """A constraint, read; None for a version, which admits what compares equal to it."""
    text = as_text(constraint, "a version constraint")
    if is_semver(text):
        return None
    from prowess.model.ranges import parse_range  # noqa: PLC0415 - 60 ms that only a constraint has to pay

    return parse_range(text)
