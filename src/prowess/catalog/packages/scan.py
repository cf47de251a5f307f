"""One look at all sources: what is there, what cannot be used, and what did not change since the look before."""

import os
from collections.abc import Callable, Iterable
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from prowess.catalog.listing import Diagnostic, one_line
from prowess.catalog.packages.found import FileFacts, Found, Refused, Scan
from prowess.catalog.packages.reading import UNSURE_FILE, UnusableError, file_facts, read_whole
from prowess.catalog.packages.sources import Source, Sources
from prowess.catalog.packages.walk import Limits, Spot, Walk
from prowess.catalog.walked import SKILL_FILE, Kind
from prowess.skillmd.document import Severity, SkillReading

__all__ = ["LastGood", "scan"]


def _never(_: str) -> bool:
    return False


class LastGood(Struct, frozen=True):
    """What is kept of a package whose SKILL.md cannot be used any more."""

    read: Callable[[str, bytes], None] | None = None
    """Told the digest and the bytes of each SKILL.md that is read and can be used."""
    has_text: Callable[[str], bool] = _never
    """Whether the text of that digest is kept."""


_KEPT = LastGood()


def scan(
    sources: Sources,
    limits: Limits,
    previous: Scan,
    began_ns: int,
    last: LastGood | None = _KEPT,
) -> Scan:
    """Find every package of the sources, in the order in which one beats another.

    Folders and files that are as `previous` knows them are not read again. A package whose SKILL.md cannot be used any
    more stays as `previous` has it, with a diagnostic that says so, unless `last` is None.
    """
    look = _Look(limits, previous, began_ns, last)
    for source in sources.sources:
        look.at(source)
    return Scan(
        sources=sources.sources,
        found=tuple(look.found),
        refused=tuple(look.refused),
        folders=(*sources.folders, *look.walk.folders),
        diagnostics=(*sources.diagnostics, *look.walk.diagnostics, *look.diagnostics),
    )


# ---------------------------------------------------------------------------------------------------------------------


class _Look:
    def __init__(self, limits: Limits, previous: Scan, began_ns: int, last: LastGood | None) -> None:
        before = {folder.path: folder for folder in previous.folders if folder.kind == Kind.SOURCE}
        self.walk = Walk(limits, before, began_ns)
        self.found: list[Found] = []
        self.refused: list[Refused] = []
        self.diagnostics: list[Diagnostic] = []
        self._before = {one.path: one for one in previous.found}
        self._refused_before = {one.path: one for one in previous.refused}
        self._began_ns = began_ns
        self._last = last

    def at(self, source: Source) -> None:
        """Find the packages of one source."""
        for spot in self.walk.source(source):
            try:
                self._take(source, spot)
            except UnusableError as error:
                self._refuse(source, spot, (_told(source, spot, error.code, str(error)),))
            except FileNotFoundError:  # it went while we looked, and its folder tells the next scan
                continue
            except OSError as error:
                self._refuse(source, spot, (_told(source, spot, "unreadable", f"it cannot be read: {error.strerror}"),))

    def _take(self, source: Source, spot: Spot) -> None:
        path, folder, file = _place_of(spot)
        before = self._before.get(path)
        if before is not None and file_facts(os.stat(path)) == before.facts:
            self._keep(before, source, spot, before.facts, before.broken)
            return
        refused = self._refused_before.get(path)
        if refused is not None and file_facts(os.stat(path)) == refused.facts:
            self._note(refused)
            return
        data, facts = read_whole(path, self._began_ns)
        digest = sha256(data).hexdigest()
        if before is not None and digest == before.digest:
            self._keep(before, source, spot, facts, ())
            return
        from prowess.skillmd.reading import read_skill  # noqa: PLC0415 - 15 ms that only a file to be read pays
        from prowess.skillmd.writing.manifest import to_manifest  # noqa: PLC0415 - as above

        reading = read_skill(data, os.path.basename(spot.folder))
        if reading.document is None:
            self._refuse(source, spot, tuple(_problems(source, spot, reading)), facts)
            return
        if self._last is not None and self._last.read is not None:
            self._last.read(digest, data)
        self.found.append(
            Found(
                folder=folder,
                file=file,
                path=path,
                shown=source.shown_below(spot.folder),
                facts=facts,
                digest=digest,
                manifest=to_manifest(reading.document),
                source=source,
                depth=spot.depth,
            )
        )

    def _keep(
        self, before: Found, source: Source, spot: Spot, facts: FileFacts, broken: tuple[Diagnostic, ...]
    ) -> None:
        """Take a package over from the scan before."""
        same = before.facts == facts and before.source == source and before.depth == spot.depth
        kept = before
        if not same or before.broken != broken:
            shown = source.shown_below(spot.folder)
            kept = replace(before, facts=facts, source=source, depth=spot.depth, shown=shown, broken=broken)
        self.found.append(kept)
        self.diagnostics += broken

    def _refuse(self, source: Source, spot: Spot, why: tuple[Diagnostic, ...], facts: FileFacts = UNSURE_FILE) -> None:
        path = os.path.join(spot.folder, spot.name.rstrip(_MARKS))
        before = self._before.get(path)
        if before is None or self._last is None:
            self._note(Refused(path, facts, why))
            return
        kept = _WHOLE if self._last.has_text(before.digest) else _ENTRY
        stays = tuple(_told(source, spot, one.code, f"{one.message}{kept}", one.line) for one in why)
        self._keep(before, source, spot, facts, stays)

    def _note(self, refused: Refused) -> None:
        self.refused.append(refused)
        self.diagnostics += refused.diagnostics


_WHOLE = (
    ". Until it can be used again, its entry and its text stay as they were, and its resources are read as they are"
)
_ENTRY = ". Until it can be used again, its entry stays as it was, and its text cannot be opened"
_MARKS = "@|"


def _place_of(spot: Spot) -> tuple[str, str, str]:
    """The path of a SKILL.md, the folder of its package, and its name there. Raises `UnusableError`."""
    mark = spot.name[-1]
    if mark not in _MARKS:
        return f"{spot.folder}{os.sep}{spot.name}", spot.folder, spot.name
    if mark == "|":
        raise UnusableError("not-a-file", "it is no file: put a file in its place, or remove it")
    path = os.path.join(spot.folder, spot.name.rstrip(_MARKS))
    real = os.path.realpath(path)
    folder, file = os.path.split(real)
    if file.lower() != SKILL_FILE.lower():
        message = f"it is a link to a file named '{file}': link the folder of a package, or its {SKILL_FILE}"
        raise UnusableError("linked-elsewhere", message)
    return path, folder, file


def _problems(source: Source, spot: Spot, reading: SkillReading) -> Iterable[Diagnostic]:
    """Why a SKILL.md cannot be used; what could be mended or passed over is `prowess lint`'s matter."""
    for problem in reading.problems:
        if problem.severity is Severity.ERROR:
            message = f"{problem.message}: {problem.fix}" if problem.fix else problem.message
            yield _told(source, spot, problem.code, message, problem.line)


def _told(source: Source, spot: Spot, code: str, message: str, line: int | None = None) -> Diagnostic:
    shown = source.shown_below(spot.folder)
    path = os.path.join(shown, spot.name.rstrip(_MARKS))
    return Diagnostic(code=code, subject=os.path.basename(shown), message=one_line(message), path=path, line=line)
