"""A whole, sorted, immutable view of the registry, shared between threads without a lock."""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import groupby

import msgspec

from prowess.model.manifest import Manifest
from prowess.model.versions import is_prerelease, is_semver, version_key, version_shown
from prowess.registry.entry import Entry
from prowess.registry.filters import Filter
from prowess.registry.versions import Versions

__all__ = ["Diagnostic", "Snapshot"]


class Diagnostic(msgspec.Struct, frozen=True, gc=False):
    """Something about an entry that its owner should know: a factory that fails, a name with prereleases only."""

    code: str
    entry: str
    message: str
    severity: str = "warning"


class Snapshot:
    """Every entry, sorted by name and version. Lives until nobody holds it; a write makes the next one."""

    def __init__(self, entries: tuple[Entry, ...], failures: tuple[Diagnostic, ...] = ()) -> None:
        self.entries = entries
        self.failures = failures
        """The factories that could not be made."""

    @classmethod
    def of(cls, entries: Iterable[Entry], failures: Iterable[Diagnostic] = ()) -> "Snapshot":
        """A snapshot of entries in any order."""
        return cls(tuple(sorted(entries, key=_order)), tuple(failures))

    def narrowed(self, shown: Filter) -> "Snapshot":
        """What a filter shows of it. Of a factory that fails, only a filter of names knows whether it shows that."""
        entries = tuple(filter(shown, self.entries))
        failures = self.failures if shown.asks_names_only else ()
        return Snapshot(entries, tuple(one for one in failures if shown.shows_name(one.entry)))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def latest(self) -> tuple[Entry, ...]:
        """What each bare name gives, sorted."""
        chosen: list[Entry] = []
        for _, group in groupby(self.entries, key=_name):
            versions = tuple(group)
            chosen.append(versions[0] if len(versions) == 1 else Versions(versions).latest)
        return tuple(chosen)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What an owner should know about the entries: those that fail, then what is odd about versions."""
        return (*self.failures, *map(_prerelease_only, filter(_is_prerelease, self.latest)), *self._odd_versions())

    def _odd_versions(self) -> Iterator[Diagnostic]:
        for entry in self.entries:
            message = None if entry.version is None else _oddity(entry.version)
            if message is not None:
                yield Diagnostic("odd_version", entry.name, f"'{entry.manifest.reference}': {message}")

    @cached_property
    def manifests(self) -> tuple[Manifest, ...]:
        """The manifests in the entries' order."""
        return tuple(entry.manifest for entry in self.entries)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over every name, version, description and schema.

        Equal for equal catalogues, whatever the order of registration.
        """
        from hashlib import sha256  # noqa: PLC0415 - as for a schema's digest

        digest = sha256()
        for manifest in self.manifests:
            output = manifest.output_schema
            row = (
                manifest.name,
                manifest.version,
                manifest.description,
                manifest.input_schema.digest,
                None if output is None else output.digest,
            )
            digest.update(msgspec.json.encode(row) + b"\n")
        return digest.hexdigest()


def _name(entry: Entry) -> str:
    return entry.name


def _is_prerelease(entry: Entry) -> bool:
    return entry.version is not None and is_prerelease(version_key(entry.version))


def _prerelease_only(entry: Entry) -> Diagnostic:
    message = f"'{entry.name}' has prereleases only: no constraint gives the highest of them"
    return Diagnostic("prerelease_only", entry.name, message)


@lru_cache(maxsize=4_096)
def _oddity(version: str) -> str | None:
    """What an author should know about a version; None for a strict one."""
    if is_semver(version):
        return None
    return f"version {version!r} is no semantic version: it compares as {version_shown(version_key(version))}"


def _order(entry: Entry) -> tuple[str, object]:
    return (entry.manifest.name, version_key(entry.manifest.version))
