"""Which store an address means, and the one of a project."""

import os
import threading
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from typing import Protocol

from prowess.app.catalogue.sections import RecordSettings
from prowess.app.importing import installing
from prowess.app.records.approvals import Approvals
from prowess.app.records.trail import Trail
from prowess.app.settings import load_settings, parse_settings
from prowess.catalog import index_file
from prowess.catalog.places import STATE, Place, locate, make_state_folder
from prowess.errors import ConfigurationError, MissingExtraError, StoreError
from prowess.execution.ports import ApprovalStore, RateStore
from prowess.model.names import near_names
from prowess.telemetry.audit import AuditStore

__all__ = ["ProjectRecords", "Store", "open_store", "records_of"]

_DEFAULT = RecordSettings().store
_KINDS = "use 'sqlite:PATH', 'postgresql://USER@HOST/DATABASE' or 'memory'"
_POSTGRES = frozenset({"postgresql", "postgres"})


class Store(Protocol):
    """All records, by their roles. Every thread may use it; whoever opens it closes it."""

    @property
    def rates(self) -> RateStore:
        """What counts calls."""
        ...

    @property
    def approvals(self) -> ApprovalStore:
        """What keeps proposals."""
        ...

    @property
    def audit(self) -> AuditStore:
        """What keeps the audit trail."""
        ...

    def close(self) -> None:
        """Close it; a second time does nothing."""
        ...


def open_store(address: str, root: str | os.PathLike[str] = ".") -> Store:
    """The store of an address; a path is relative to `root`, and a folder that is missing is made.

    Raises `ConfigurationError` for an address that is none, `MissingExtraError` where what it needs is not installed,
    and `StoreError` for a store that cannot be reached.
    """
    kind, separator, rest = address.partition(":")
    if address == "memory":
        memory: Store = import_module("prowess.storage.records.memory").MemoryStore()
        return memory
    if kind == "sqlite" and rest.strip("/") and rest != ":memory:":
        return _open_sqlite(os.path.join(root, rest))
    if kind in _POSTGRES and rest.startswith("//"):
        return _open_postgres(address)
    if kind == "sqlite":
        raise _wrong(address, "sqlite", "'sqlite:' is followed by the path of a file; in memory is 'memory'")
    if kind in _POSTGRES:
        raise _wrong("postgresql:...", "postgresql", f"the address of a PostgreSQL database has two slashes: {_KINDS}")
    near = near_names(kind, ["sqlite", "postgresql", "memory"])
    hint = f"did you mean '{near[0]}{separator}'? {_KINDS}" if near else _KINDS
    raise _wrong(kind + separator, kind, hint)


class ProjectRecords:
    """The records of a project, opened when they are first needed. Every thread may use it; it lives until `close`."""

    def __init__(self, place: Place, settings: RecordSettings, environ: Mapping[str, str]) -> None:
        self._place = place
        self._settings = settings
        self._environ = environ
        self._lock = threading.Lock()
        self._store: Store | None = None

    @property
    def store(self) -> Store:
        """The store; raises what `open_store` does."""
        with self._lock:
            if self._store is None:
                self._store = open_store(self.address, self._place.root)
            return self._store

    @property
    def address(self) -> str:
        """What the settings say; a place that keeps nothing beside it has its records in the user's cache."""
        if not self._place.bare or self._settings.store != _DEFAULT:
            return self._settings.store
        place = self._place
        key = f"{place.root}\n{place.file}\n{place.built}\n{place.code}".encode("utf-8", "surrogateescape")
        name = f"{sha256(key).hexdigest()[:16]}.db"
        return f"sqlite:{os.path.join(index_file.cache_folder(self._environ, 'records'), name)}"

    @property
    def approvals(self) -> Approvals:
        """What waits for a person, and was decided."""
        return Approvals(self.store.approvals)

    @property
    def trail(self) -> Trail:
        """What calls came to."""
        return Trail(self.store.audit)

    def close(self) -> None:
        """Close the store where it was opened."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None


def records_of(path: str | None, environ: Mapping[str, str]) -> ProjectRecords:
    """The records of the project at a path, as `locate` understands it; nothing of its code is run."""
    place = locate(path)
    settings = parse_settings("", environ) if place.bare else load_settings(place.root, environ)
    return ProjectRecords(place, settings.records, environ)


# ---------------------------------------------------------------------------------------------------------------------


def _open_sqlite(path: str) -> Store:
    folder = os.path.dirname(os.path.abspath(path))
    try:
        if os.path.basename(folder) == STATE:
            make_state_folder(folder)
        else:
            os.makedirs(folder, exist_ok=True)
    except OSError as error:
        message = f"{path} cannot be made: {error.filename}: {error.strerror}"
        raise StoreError(message, details={"store": path}) from None
    store: Store = import_module("prowess.storage.records.sqlite").SqliteStore(path)
    return store


def _open_postgres(address: str) -> Store:
    try:
        module = import_module("prowess.storage.records.postgres")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("prowess"):
            raise
        message = f"a store in PostgreSQL needs {error.name}, which is not installed: {installing('postgres')}"
        raise MissingExtraError(message, details={"extra": "postgres"}) from None
    store: Store = module.PostgresStore(address)
    return store


def _wrong(shown: str, kind: str, advice: str) -> ConfigurationError:
    """The complaint about an address; of one that may hold a password only its kind is shown."""
    return ConfigurationError(f"there is no store {shown!r}: {advice}", details={"store": kind})
