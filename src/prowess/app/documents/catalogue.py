"""The documents of one registry: loaded as a whole, loaded again, and exchanged in one step."""

import os
import threading
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from prowess.app.catalogue.soundness import problems_of_schema
from prowess.app.documents.folder import Folder, paths_of, places_of, read_folder
from prowess.app.documents.governing import rulebook_with
from prowess.app.documents.recipes import recipe_of
from prowess.catalog.listing import Diagnostic, one_line
from prowess.documents.loading import read_documents
from prowess.documents.values import Loaded
from prowess.errors import DocumentProblem, ProwessError
from prowess.governance.rulebook import Rulebook
from prowess.model.manifest import Manifest
from prowess.model.names import near_names
from prowess.registry.entry import Entry
from prowess.registry.holdings import Holdings

__all__ = ["DocumentCatalogue", "Loading"]


class Loading(Struct, frozen=True):
    """What loading documents came to. A value."""

    entries: tuple[Entry, ...]
    """Every entry of the documents, in their order."""
    warnings: tuple[Diagnostic, ...] = ()


class _Folder(Struct, frozen=True):
    """One folder as it was loaded last."""

    read: Folder
    loaded: Loaded
    entries: tuple[Entry, ...]


class DocumentCatalogue:
    """The documents of one registry. Lives as long as that; one load at a time, and readers are never disturbed."""

    def __init__(self, holdings: Holdings, govern: Callable[[Callable[[Rulebook], Rulebook]], None]) -> None:
        self.failure: ProwessError | None = None
        """Why the last load failed; what was loaded before it stays."""
        self._holdings = holdings
        self._govern = govern
        self._folders: dict[str, _Folder] = {}
        self._written: dict[Entry, Entry] = {}
        """Entries of code as overlays have them, with those that code has registered."""
        self._marks: dict[str, tuple[tuple[str, int, int], ...]] = {}
        """What was on disk of each folder when it was loaded last, or tried to be."""
        self._lock = threading.RLock()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of all documents."""
        return tuple(entry for folder in self._folders.values() for entry in folder.entries)

    @property
    def files(self) -> tuple[str, ...]:
        """The files and folders that were read."""
        return tuple(path for folder in self._folders.values() for path in folder.read.files)

    @property
    def absent(self) -> tuple[str, ...]:
        """The paths that were looked for and are not there."""
        return tuple(path for folder in self._folders.values() for path in folder.read.absent)

    @property
    def places(self) -> tuple[str, ...]:
        """The folders that were loaded."""
        return tuple(self._folders)

    @property
    def changed(self) -> bool:
        """Whether anything on disk is other than when it was loaded, or tried to be."""
        return any(_marks(config) != marks for config, marks in self._marks.items())

    def load(self, path: str) -> Loading:
        """Load a folder, or load it again: all of it or, where anything is wrong, none.

        Raises `InvalidDocumentError` with everything that is wrong.
        """
        config = os.path.abspath(path)
        with self._lock:
            marks = _marks(config)
            if config in self._marks:
                self._marks[config] = marks
            try:
                loading = self._load(config)
            except ProwessError as error:
                self.failure = error
                raise
            self.failure = None
            self._marks[config] = marks
            return loading

    def reload(self) -> None:
        """Load every folder again; one that is wrong now stays as it was, and `failure` says why."""
        for config in self.places:
            try:
                self.load(config)
            except ProwessError:
                return

    def diagnostics(self) -> list[Diagnostic]:
        """What its owner should know: why the last load failed, what is odd, what is unavailable, what is unknown."""
        found: list[Diagnostic] = []
        if self.failure is not None:
            found += diagnostics_of(self.failure, "documents stay as they were loaded last, since these are wrong")
        for folder in self._folders.values():
            found += [_diagnostic(warning, "warning") for warning in folder.loaded.warnings]
            found += [
                Diagnostic(
                    code="unavailable", subject=one.name, message=f"is unavailable: {one.reason}", severity="warning"
                )
                for one in folder.loaded.unavailable
            ]
            found += self._undeclared(folder.loaded)
        return found

    # -----------------------------------------------------------------------------------------------------------------

    def _load(self, config: str) -> Loading:
        read = read_folder(config)
        root, _ = places_of(config)
        before = self._folders.get(config)
        holdings = self._holdings
        with holdings.writing():
            old = () if before is None else before.entries
            around = _Around(holdings, frozenset(self.entries), self._written)
            loaded = read_documents(read.documents, around, problems_of_schema)
            door = holdings.door
            entries = tuple([Entry(one.manifest, recipe_of(one, root), one.file, door) for one in loaded.entries])
            gone, come = self._changes(loaded)
            holdings.exchange((*old, *gone), (*entries, *come.values()))
            self._written = {changed: written for written, changed in come.items() if changed is not written}
            self._folders[config] = _Folder(read, loaded, entries)
            self._govern(lambda rulebook: rulebook_with(rulebook, loaded))
        return Loading(entries, tuple(_diagnostic(warning, "warning") for warning in loaded.warnings))

    def _changes(self, loaded: Loaded) -> tuple[list[Entry], dict[Entry, Entry]]:
        """What goes and what comes of the entries of code, by those that code has registered, as overlays have them."""
        wanted = {manifest.reference: manifest for manifest in loaded.changed}
        gone: list[Entry] = [changed for changed in self._written if self._holdings.holds(changed)]
        come = {self._written[changed]: self._written[changed] for changed in gone}
        for reference, manifest in wanted.items():
            for entry in self._holdings.index.versions(manifest.name):
                written = self._written.get(entry, entry)
                if written.manifest.reference == reference:
                    come[written] = Entry(manifest, written.recipe, written.source, written.door)
                    gone.append(entry)
        return gone, come

    def _undeclared(self, loaded: Loaded) -> list[Diagnostic]:
        """The rights that entries of code use, and that the project does not declare."""
        if loaded.capabilities is None:
            return []
        known = [one.id for one in loaded.capabilities]
        ours = frozenset(self.entries)
        found: list[Diagnostic] = []
        for entry in self._holdings.snapshot():
            for right in () if entry in ours else entry.manifest.capabilities:
                if right not in known:
                    near = next(iter(near_names(right, known, 1)), None)
                    hint = f", did you mean '{near}'?" if near else ""
                    message = f"needs '{right}', which capabilities.json does not have{hint}"
                    found.append(Diagnostic(code="unknown_capability", subject=entry.name, message=message))
        return found


def diagnostics_of(error: ProwessError, head: str = "") -> list[Diagnostic]:
    """An error of documents as what a list and the doctor tell: one for each problem."""
    found = [Diagnostic(code="documents", subject="documents", message=head)] if head else []
    problems = [problem for problem in error.problems if isinstance(problem, DocumentProblem)]
    if not problems:
        return [*found, Diagnostic(code="documents", subject="documents", message=one_line(str(error)))]
    return [*found, *[_diagnostic(problem, "error") for problem in problems]]


# ---------------------------------------------------------------------------------------------------------------------


def _marks(config: str) -> tuple[tuple[str, int, int], ...]:
    """Size and time of every document that is there now."""
    found: list[tuple[str, int, int]] = []
    for path in paths_of(config):
        try:
            facts = os.stat(path)
        except OSError:
            continue
        found.append((path, facts.st_size, facts.st_mtime_ns))
    return tuple(found)


class _Around:
    """The entries that documents may name besides their own: what code has registered, as code has it."""

    def __init__(self, holdings: Holdings, ours: frozenset[Entry], written: dict[Entry, Entry]) -> None:
        self._holdings = holdings
        self._ours = ours
        self._written = written

    @property
    def names(self) -> Sequence[str]:
        """Every name."""
        return self._holdings.names

    def versions(self, name: str) -> Sequence[Manifest]:
        """Every version that code has registered, lowest first."""
        if self._holdings.pending_name(name) is not None:
            self._holdings.find(name)  # made first, to know its version
        found = self._holdings.index.versions(name)
        return [self._written.get(entry, entry).manifest for entry in found if entry not in self._ours]


def _diagnostic(problem: DocumentProblem, severity: str) -> Diagnostic:
    told = str(replace(problem, line=None)).removeprefix(f"{problem.file}: ")
    return Diagnostic(
        code=f"document-{problem.rule}",
        subject=problem.path,
        message=one_line(told.removeprefix(f"{problem.path}: ")),
        path=problem.file,
        line=problem.line,
        severity=severity,
    )
