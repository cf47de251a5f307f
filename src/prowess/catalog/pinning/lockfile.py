"""`prowess.lock`: the packages of a project with the digest of each, written in one form, and what differs from it."""

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn, TypeGuard

from msgspec import Struct

from prowess.catalog.pinning.digest import FileDigest, PackageDigest, digest_of
from prowess.errors import ConfigurationError

__all__ = ["LOCK", "Change", "Drift", "LockedPackage", "drifts", "read_lock", "write_lock"]

LOCK = "prowess.lock"

_FORMAT = 1
_SHA = "sha256:"


class LockedPackage(Struct, frozen=True, kw_only=True):
    """One package of a lock file. A value."""

    name: str
    source: str
    """Its folder as entries show it."""
    version: str | None = None
    pinned: PackageDigest


class Change(Struct, frozen=True, gc=False):
    """One thing that is another than in the lock file: a file, or the package's `source` or `version`."""

    what: str
    how: str
    """`added`, `removed` or `changed`."""


class Drift(Struct, frozen=True, gc=False):
    """A package that is not as the lock file says."""

    name: str
    how: str
    """`added` for one that the lock file does not have, `removed` for one that it has alone, `changed`."""
    files: tuple[Change, ...] = ()
    fields: tuple[Change, ...] = ()


def write_lock(packages: Iterable[LockedPackage]) -> str:
    """The text of a lock file: the same for the same packages, whatever their order."""
    rows = {one.name: _row(one) for one in packages}
    return json.dumps({"version": _FORMAT, "packages": rows}, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_lock(text: str, place: str = LOCK) -> tuple[LockedPackage, ...]:
    """The packages of a lock file, by name; raises `ConfigurationError` for what is none, or was edited."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        _refuse(place, f"is not JSON: {error}")
    packages = value.get("packages") if _is_object(value) else None
    if not _is_object(value) or not _is_object(packages):
        _refuse(place, "is no lock file: it has no packages")
    if value.get("version") != _FORMAT:
        _refuse(place, f"is written in form {value.get('version')!r}, and this release reads form {_FORMAT}")
    return tuple(_package(place, name, packages[name]) for name in sorted(packages))


def drifts(locked: Iterable[LockedPackage], present: Iterable[LockedPackage]) -> tuple[Drift, ...]:
    """What is another now than it was when it was locked, by name; empty where nothing is."""
    before = {one.name: one for one in locked}
    now = {one.name: one for one in present}
    found = (_drift(name, before.get(name), now.get(name)) for name in sorted({*before, *now}))
    return tuple(one for one in found if one is not None)


# ---------------------------------------------------------------------------------------------------------------------


def _row(one: LockedPackage) -> dict[str, object]:
    files = {file.path: f"{file.kind} {_SHA}{file.sha256}" for file in one.pinned.files}
    return {"source": one.source, "version": one.version, "digest": one.pinned.digest, "files": files}


def _package(place: str, name: str, row: object) -> LockedPackage:
    if not _is_object(row) or not _is_object(row.get("files")):
        _refuse(place, f"says nothing about the files of '{name}'")
    files = row["files"]
    source, version = row.get("source"), row.get("version")
    if not _is_object(files) or not isinstance(source, str) or not isinstance(version, str | None):
        _refuse(place, f"has no source, or no text as version, for '{name}'")
    pinned = digest_of(_file(place, name, path, said) for path, said in files.items())
    if pinned.digest != row.get("digest"):
        _refuse(place, f"was edited: the digest of '{name}' does not fit its files")
    return LockedPackage(name=name, source=source, version=version, pinned=pinned)


def _file(place: str, name: str, path: str, said: object) -> FileDigest:
    kind, space, digest = said.partition(" ") if isinstance(said, str) else ("", "", "")
    if not space or not digest.startswith(_SHA):
        _refuse(place, f"says nothing about the file '{path}' of '{name}'")
    return FileDigest(path, digest.removeprefix(_SHA), kind)


def _drift(name: str, before: LockedPackage | None, now: LockedPackage | None) -> Drift | None:
    if before is None:
        return Drift(name, "added")
    if now is None:
        return Drift(name, "removed")
    files = _changes(_files_of(before), _files_of(now))
    fields = _changes(_fields_of(before), _fields_of(now))
    return Drift(name, "changed", files, fields) if files or fields else None


def _files_of(one: LockedPackage) -> dict[str, object]:
    return {file.path: file for file in one.pinned.files}


def _fields_of(one: LockedPackage) -> dict[str, object]:
    return {"source": one.source, "version": one.version}


def _changes(before: Mapping[str, object], now: Mapping[str, object]) -> tuple[Change, ...]:
    return tuple(
        Change(key, "added" if key not in before else "removed" if key not in now else "changed")
        for key in sorted({*before, *now})
        if before.get(key) != now.get(key)
    )


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)


def _refuse(place: str, why: str) -> NoReturn:
    message = f"{place} {why}: 'prowess lock' writes it anew"
    raise ConfigurationError(message, details={"file": place})
