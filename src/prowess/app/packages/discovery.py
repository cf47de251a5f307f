"""The packages of one registry: looked for, entered under their names, looked for again, and exchanged in one step."""

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from prowess.app.packages.folder_package import FolderPackage, handler_of, package_of
from prowess.app.packages.last_texts import LastTexts
from prowess.catalog.kept import Kept
from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.collisions import Named, give_names, name_by_place
from prowess.catalog.packages.condensed import Trouble, condense, expand, sources_of
from prowess.catalog.packages.found import NOTHING, Found, Scan
from prowess.catalog.packages.sources import Source, Sources
from prowess.catalog.packages.walk import Limits
from prowess.catalog.walked import GONE, Folder
from prowess.catalog.walked import Kind as FolderKind
from prowess.errors import UnavailableError
from prowess.model.names import key_of
from prowess.registry.entry import OUR_TOOLS, OURS, Door, Entry
from prowess.registry.holdings import Holdings

__all__ = ["Discovery", "PackageCatalogue", "SourcesAt"]

SourcesAt: TypeAlias = Callable[[int], Sources]
"""The sources as they are at a moment, in ns since the epoch: a client's folder may come or go."""


class Discovery(Struct, frozen=True):
    """What one look for packages found. A value."""

    entries: tuple[Entry, ...]
    """Every package of the registry, in the order in which one beats another of its name."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Every problem: what cannot be read or used, what another one hides, which limit ended the look."""
    added: tuple[str, ...] = ()
    """Names, sorted."""
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all packages, sorted."""
        return tuple(sorted(entry.name for entry in self.entries))


class PackageCatalogue:
    """The packages of one registry. Lives as long as that; one look at a time, and readers are never disturbed."""

    def __init__(self, holdings: Holdings, root: str) -> None:
        self.root = root
        """The folder of the project; what is kept of paths below it moves with it."""
        self.limits = Limits()
        self.entries: tuple[Entry, ...] = ()
        """Every package's entry, in the order in which one beats another of its name."""
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """What the last look had to tell."""
        self.files: tuple[str, ...] = ()
        """The archives that were looked into."""
        self.kept: Kept | None = None
        """What the last look found; a row is a position among the entries."""
        self.sources: tuple[Source, ...] = ()
        """Where the last look was."""
        self.texts = LastTexts()
        self._keeps_texts = False
        self._holdings = holdings
        self._places: dict[Hashable, SourcesAt] = {}
        self._trouble = Trouble()
        self._lock = threading.RLock()
        holdings.also_known = self._known_as

    @property
    def door(self) -> Door:
        """The way into the gate that its entries take."""
        return self._holdings.door

    def discover(self, key: Hashable, sources: SourcesAt, known: Scan | None = None) -> Discovery:
        """Look for packages there too, or in the place of what this key stood for, and enter what is found.

        `known` is a scan of an earlier process: what did not change since is not read again.
        """
        with self._lock:
            self._places[key] = sources
            return self.look(known)

    def look(self, known: Scan | None = None) -> Discovery:
        """Look for packages wherever they were looked for before. What did not change is not read again.

        A package that cannot be used any more stays as it was.
        """
        with self._lock:
            began_ns = time.time_ns()
            sources = sum((at(began_ns) for at in self._places.values()), Sources()).ranked()
            self.files = sources.files
            if self.kept is None and not any(map(_may_hold, sources.sources)):
                return self._enter(_nothing_in(sources))
            from prowess.catalog.packages.scan import LastGood, scan  # noqa: PLC0415 - 15 ms that only a look at files pays

            before = self._before() if known is None else known
            last = LastGood(self.texts.add if self._keeps_texts else None, self.texts.__contains__)
            return self._enter(scan(sources, self.limits, before, began_ns, last if known is None else None))

    def keep_texts(self) -> None:
        """Keep the text of every SKILL.md from now on, so that a broken edit does not take it away.

        It costs what reading the files does, and a third of their size in memory.
        """
        with self._lock:
            self._keeps_texts = True
            for entry in self.entries:
                package = package_of(entry.recipe)
                if package is not None and package.digest not in self.texts:
                    self.texts.take(package.digest, package.path)

    def restore(
        self,
        key: Hashable,
        sources: SourcesAt,
        kept: Kept,
        entries: Sequence[Entry],
        diagnostics: Sequence[Diagnostic],
    ) -> None:
        """Enter packages as an index has them; the next look starts from there."""
        with self._lock:
            self._places[key] = sources
            self.sources = sources_of(kept.sources)
            self.kept = kept
            self.entries = tuple(entries)
            self.diagnostics = tuple(diagnostics)
            self._holdings.exchange((), self.entries)

    def enter(self, entries: Iterable[Entry]) -> None:
        """Enter packages that no look will find: those of a built file, which are as they are."""
        self._holdings.exchange((), tuple(entries))

    # -----------------------------------------------------------------------------------------------------------------

    def _before(self) -> Scan:
        if self.kept is None:
            return NOTHING
        return expand(self.kept, self.sources, lambda row: self.entries[row].manifest, self._trouble)

    def _enter(self, found: Scan) -> Discovery:
        """Put what was found in the place of what was there."""
        before = {entry.name: entry for entry in self.entries}
        with self._holdings.writing():
            naming = give_names(found.found, self._holder_of, _tree_of)
            entries = [self._entry(one, before.get(one.name)) for one in naming.named]
            come = [entry for entry in entries if before.get(entry.name) is not entry]
            stay = frozenset(map(id, entries))
            gone = [entry for entry in self.entries if id(entry) not in stay]
            self._holdings.exchange(gone, come)
        rows = {one.found.path: row for row, one in enumerate(naming.named)}
        self.texts.broken = frozenset(one.digest for one in found.found if one.broken)
        self.entries = tuple(entries)
        self.diagnostics = (*found.diagnostics, *naming.diagnostics)
        self.sources, self._trouble = found.sources, Trouble.of(found)
        self.kept = condense(self.root, found, rows)
        now = {entry.name for entry in come}
        return Discovery(
            entries=self.entries,
            diagnostics=self.diagnostics,
            added=tuple(sorted(now - before.keys())),
            changed=tuple(sorted(now & before.keys())),
            removed=tuple(sorted({entry.name for entry in gone} - now)),
        )

    def _entry(self, one: Named, before: Entry | None) -> Entry:
        """The entry of a package: the same as before where nothing of it is another."""
        found = one.found
        label = found.source.label or found.shown
        package = None if before is None or before.source != label else package_of(before.recipe)
        if before is not None and package is not None and package.is_of(found):
            return before
        manifest = found.manifest if one.name == found.manifest.name else replace(found.manifest, name=one.name)
        path = os.path.join(found.folder, found.file)
        package = FolderPackage(manifest, path, found.digest, found.source.level, self.texts)
        return Entry(manifest, handler_of(package), label, self._holdings.door)

    def _holder_of(self, name: str) -> str | None:
        """Who has a name, where that is no package of ours; those of our own tools are ours."""
        if key_of(name) in OUR_TOOLS:
            return f"{OURS}, as a tool,"
        holder = self._holdings.holder(name)
        if holder is None:
            return None
        if not isinstance(holder, Entry):
            return "a factory"
        return None if package_of(holder.recipe) is not None else holder.source

    def _known_as(self, name: str) -> str | None:
        """The name of a package that is asked for by `level/name`, or by where it is; None for all else."""
        label, _, local = name.rpartition("/")
        holder = self._holdings.holder(local)
        package = package_of(holder.recipe) if isinstance(holder, Entry) else None
        if package is not None and package.level == label:
            return local
        for entry in self.entries:
            namespace, _, bare = entry.name.rpartition("/")
            if bare == local and _is_at(name, entry, namespace, local):
                return entry.name
        return None


# ---------------------------------------------------------------------------------------------------------------------


def _is_at(name: str, entry: Entry, namespace: str, local: str) -> bool:
    """Whether a name is one that an entry has by its place, in its level or its namespace."""
    package = package_of(entry.recipe)
    labels = {namespace, "" if package is None else package.level} - {""}
    names = (name_by_place(one, entry.source, local, sure=sure) for one in labels for sure in (False, True))
    return name in names


def _may_hold(source: Source) -> bool:
    return source.named_by is not None or os.path.isdir(source.path)


def _nothing_in(sources: Sources) -> Scan:
    """The scan of sources that are not there."""
    gone = (Folder(FolderKind.SOURCE, source.path, GONE) for source in sources.sources)
    return Scan(sources=sources.sources, folders=(*sources.folders, *gone), diagnostics=sources.diagnostics)


def _tree_of(found: Found) -> str | None:
    from prowess.catalog.pinning.digest import package_digest  # noqa: PLC0415 - only where two have one name

    try:
        return package_digest(found.folder).digest
    except UnavailableError:
        return None
