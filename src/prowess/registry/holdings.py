"""All that one registry holds: its index, the factories not made yet, its root scope, and the current snapshot."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from msgspec import Struct

from prowess.authoring.services import Services
from prowess.errors import AlreadyRegisteredError, ConfigurationError, NotFoundError, ProwessError
from prowess.model.names import key_of, near_names, split_reference
from prowess.model.versions import is_version, version_key
from prowess.registry.entry import Door, Entry, Factory
from prowess.registry.index import Index, Shows, as_text, claims_of
from prowess.registry.scope import Scope
from prowess.registry.snapshot import Diagnostic, Snapshot

__all__ = ["Holdings", "unknown"]

_SHOWN = 200


class _Pending(Struct, frozen=True, eq=False):
    """A factory whose manifest is known only when it is made: until then it stands for the whole name."""

    name: str
    factory: Factory
    source: str


class Holdings:
    """Reads take no lock and are never disturbed by a write; writes stand in line behind one lock."""

    def __init__(self, services: Services, door: Door) -> None:
        self.index = Index()
        self.scope = Scope(services)
        self.door = door
        self.also_known: Callable[[str], str | None] | None = None
        """The name behind another one, `project/pdf` for `pdf`; asked for a name with a namespace that nothing has."""
        self._lock = threading.RLock()
        self._pending: dict[str, _Pending] = {}
        """By the key of the name."""
        self._snapshot: Snapshot | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, sorted, those of factories not made yet among them."""
        with self._lock:
            return tuple(sorted({*self.index.latest, *(pending.name for pending in self._pending.values())}))

    def add(self, entries: Sequence[Entry], *, replace: bool = False) -> None:
        """Add all of these entries or none; raises `AlreadyRegisteredError`.

        A factory that stands for one of the names is made first, to know its version, where it is not replaced.
        """
        for entry in entries if self._pending and not replace else ():
            for one in self._claimed(entry):
                self._try(one)
        with self._lock:
            self.index.check(entries, replace=replace)
            standing = [self._standing(entry, replace=replace) for entry in entries] if self._pending else []
            self._drop(self.index.add(entries))
            for pending in standing:  # after the new ones came: a reader always finds some
                self._forget(pending)

    def add_factory(self, name: str, factory: Factory, source: str, *, replace: bool = False) -> None:
        """Keep a factory whose manifest is known only when it is made."""
        key = key_of(name)
        with self._lock:
            pending = self._pending.get(key)
            owner = self.index.owner(name) if pending is None else pending.name
            if owner is not None and (not replace or owner != name):
                message = f"'{name}' gives '{owner}' already"
                if owner == name:
                    message = f"'{name}' is in the registry: pass manifest=... for another version, or replace=True"
                raise AlreadyRegisteredError(message, details={"name": name, "taken_by": owner})
            self._pending[key] = _Pending(name, factory, source)  # before the old ones go: a reader always finds some
            if pending is not None:
                self.scope.forget(pending.factory)
            gone = self.index.versions(name)
            self.index.remove(gone)
            self._drop(gone)

    def find(self, name: str, constraint: str | None = None, shows: Shows | None = None) -> Entry | None:
        """The entry that a name or `name@constraint` means, made first where only its factory is known."""
        pending = self._pending_for(name)
        if pending is not None:  # looked for first: what is made meanwhile is in the index by the time that is asked
            self._make(pending)
        found = self.index.find(name, constraint, shows)
        if found is None and self.also_known is not None and "/" in name:
            bare, wanted = split_reference(name)
            known = self.also_known(bare)
            found = None if known is None else self.index.find(known, constraint or wanted, shows)
        return found

    def holds(self, entry: Entry) -> bool:
        """Whether this very entry is in the registry: it was neither taken out nor replaced."""
        return any(one is entry for one in self.index.versions(entry.name))

    def pending_name(self, name: str) -> str | None:
        """The name of the factory not made yet that a reference means; None where there is none."""
        pending = self._pending_for(name)
        return None if pending is None else pending.name

    def near(self, name: str) -> tuple[str, ...]:
        """Names most like the wanted one."""
        return near_names(split_reference(name)[0], self.names)

    def remove(self, reference: str, *, every: bool = False) -> None:
        """Take out `name`, every version of it, or `name@version`. Raises where it is not clear which."""
        name, version = self.index.split(as_text(reference, "what is taken out"))
        pending = self._pending_for(name)
        if pending is not None and version is not None:
            self._make(pending)
        with self._lock:
            pending = self._pending.get(key_of(name))
            if pending is not None:
                self._forget(pending)
                return
            gone = [entry for entry in self.index.versions(name) if version is None or _is_version_of(entry, version)]
            if not gone:
                raise self._missing(reference, name, version)
            if len(gone) > 1 and not every:
                versions = ", ".join(entry.manifest.reference for entry in gone)
                message = f"'{name}' has {len(gone)} versions: name one of {versions}, or pass all=True"
                raise ConfigurationError(message, details={"name": name})
            self.index.remove(gone)
            self._drop(gone)

    def exchange(self, gone: Iterable[Entry], come: Sequence[Entry]) -> None:
        """Put entries in the place of others in one step.

        A look-up finds the old or the new one of a name that both have, and never none; a snapshot has all of the old
        or all of the new. Whoever calls has made sure, under `writing`, that no other entry has a name that comes.
        """
        with self._lock:
            coming = {entry.name for entry in come}
            going = frozenset(gone)
            self.index.remove(frozenset(entry for entry in going if entry.name not in coming))
            self.index.add(come)
            self.index.remove(frozenset(entry for entry in going if entry.name in coming))
            self._drop(going)

    def writing(self) -> AbstractContextManager[bool]:
        """Keep all other writers out until the end of the block; readers are not disturbed."""
        return self._lock

    def holder(self, name: str) -> Entry | Factory | None:
        """Who has a name, in whatever spelling: an entry, or a factory that was not made yet."""
        owner = self.index.owner(name)
        if owner is not None:
            return self.index.latest[owner]
        pending = self._pending_for(name)
        return None if pending is None else pending.factory

    def renew(self) -> None:
        """Make the next snapshot another one, so that nothing worked out by this one is used any more."""
        with self._lock:
            self._snapshot = None

    def snapshot(self) -> Snapshot:
        """Everything as it is now; made at the first look after a write, every factory's instance made first."""
        current = self._snapshot
        tried: dict[_Pending, Diagnostic | None] = {}
        while current is None:
            for pending in list(self._pending.values()):
                if pending not in tried:
                    tried[pending] = self._try(pending)
            with self._lock:
                if tried.keys() >= set(self._pending.values()):  # else one came meanwhile
                    failures = [failure for failure in map(tried.get, self._pending.values()) if failure is not None]
                    current = self._snapshot = Snapshot.of(self.index.entries(), failures)
        return current

    # -----------------------------------------------------------------------------------------------------------------

    def _pending_for(self, name: str) -> _Pending | None:
        if not self._pending or not isinstance(name, str):
            return None
        return self._pending.get(key_of(split_reference(name)[0]))

    def _make(self, pending: _Pending) -> None:
        definition = self.scope.definition(pending.name, pending.factory)
        key = key_of(pending.name)
        with self._lock:
            if self._pending.get(key) is pending:
                entry = Entry(definition.manifest, pending.factory, pending.source, self.door)
                self.index.check((entry,))
                self.index.add((entry,))
                del self._pending[key]  # after it can be found otherwise
                self._snapshot = None

    def _try(self, pending: _Pending) -> Diagnostic | None:
        try:
            self._make(pending)
        except ProwessError as error:
            return Diagnostic("factory_failed", pending.name, str(error), "error")
        return None

    def _claimed(self, entry: Entry) -> list[_Pending]:
        """The factories not made yet that stand for a name that this entry takes."""
        found = map(self._pending.get, claims_of(entry))
        return [pending for pending in found if pending is not None]

    def _standing(self, entry: Entry, *, replace: bool) -> _Pending | None:
        """The factory not made yet whose place an entry takes; raises where it may not."""
        for pending in self._claimed(entry):
            if pending.name != entry.name:
                message = f"'{entry.name}' and '{pending.name}', which has a factory in the registry, share a name"
                raise AlreadyRegisteredError(message, details={"name": entry.name, "taken_by": pending.name})
            if not replace:
                message = f"'{entry.name}' has a factory that cannot be made to tell its version; replace=True drops it"
                raise AlreadyRegisteredError(message, details={"name": entry.name})
        return self._pending.get(key_of(entry.name))

    def _forget(self, pending: _Pending | None) -> None:
        if pending is not None and self._pending.pop(key_of(pending.name), None) is not None:
            self.scope.forget(pending.factory)
            self._snapshot = None

    def _missing(self, reference: str, name: str, version: str | None) -> ProwessError:
        """The error for what cannot be taken out since nothing is it."""
        if version is None or is_version(version) or not self.index.versions(name):
            return unknown(reference, self.near(reference))
        message = f"'{reference[:_SHOWN]}' names no version: take out 'name' or 'name@version', such as '{name}@1.0.0'"
        return ConfigurationError(message, details={"name": name})

    def _drop(self, gone: Iterable[Entry]) -> None:
        for entry in gone:
            if isinstance(entry.recipe, Factory):
                self.scope.forget(entry.recipe)
        self._snapshot = None


def unknown(reference: str, near: tuple[str, ...]) -> NotFoundError:
    """The error for a name that nothing has, with the names that were probably meant."""
    hint = f", did you mean '{near[0]}'?" if near else ""
    shown = reference[:_SHOWN]
    name, constraint = split_reference(shown)
    details = {"name": name, "near": near} | ({} if constraint is None else {"constraint": constraint})
    return NotFoundError(f"there is no entry '{shown}'{hint}", details=details)


# ---------------------------------------------------------------------------------------------------------------------


def _is_version_of(entry: Entry, version: str) -> bool:
    same = is_version(version) and version_key(version) == version_key(entry.version)
    return same or version == entry.version
