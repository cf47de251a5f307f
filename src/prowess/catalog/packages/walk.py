"""Looking through the folders of sources for packages: each folder once, links followed, and never without an end."""

import errno
import os
import stat
from collections import deque
from collections.abc import Mapping

from msgspec import Struct

from prowess.catalog.listing import Diagnostic, one_line
from prowess.catalog.packages.sources import Source
from prowess.catalog.walked import GONE, INODE, SKILL_FILE, TICK_NS, UNSURE, Folder, Kind, TooManyError, look

__all__ = ["Limits", "Spot", "Walk"]


class Limits(Struct, frozen=True, kw_only=True):
    """How much of one source is looked at."""

    max_depth: int = 12
    """How many folders below the source's own a package may be."""
    max_folders: int = 200_000
    max_files: int = 2_000_000
    """Names of whatever kind."""


class Spot(Struct, frozen=True, gc=False):
    """A folder with a SKILL.md."""

    folder: str
    name: str
    """How SKILL.md is spelt there, with a mark behind it where it is no regular file (`walked.Kind.SOURCE`)."""
    depth: int


class Walk:
    """One look through several sources, used once.

    `previous` has the folders of the look before: one that did not change since is not read again.
    """

    def __init__(self, limits: Limits, previous: Mapping[str, Folder], began_ns: int) -> None:
        self.limits = limits
        self.folders: list[Folder] = []
        """Every folder that was looked into, and every source that was not there."""
        self.diagnostics: list[Diagnostic] = []
        self._previous = previous
        self._sure_ns = began_ns - TICK_NS
        self._seen: dict[str | None, set[tuple[int, int]]] = {}

    def source(self, source: Source) -> list[Spot]:
        """The packages of one source, by depth and path.

        A folder that was seen in an earlier source of the same namespace is left to that one.
        """
        looking = _Looking(self, source, self._seen.setdefault(source.namespace, set()))
        looking.through()
        return sorted(looking.spots, key=_order)

    def look(self, path: str, now: os.stat_result, most: int) -> tuple[Folder, int]:
        """What counts in a folder, and how many names there were to read. Raises `OSError` and `TooManyError`."""
        facts = (now.st_mtime_ns, now.st_ino & INODE)
        before = self._previous.get(path)
        if before is not None and before.facts == facts:
            return before, 0
        names, seen = look(Kind.SOURCE, path, most)
        return Folder(Kind.SOURCE, path, UNSURE if facts[0] >= self._sure_ns else facts, names), seen


# ---------------------------------------------------------------------------------------------------------------------


class _Looking:
    """The way through one source, level by level, so that a limit takes what is deepest.

    Links come last, so that a folder keeps its own path.
    """

    def __init__(self, walk: Walk, source: Source, seen: set[tuple[int, int]]) -> None:
        self.spots: list[Spot] = []
        self._walk = walk
        self._source = source
        self._seen = seen
        self._waiting = deque([(source.path, 0)])
        self._links: deque[tuple[str, int]] = deque()
        self._files_left = walk.limits.max_files
        self._told: set[str] = set()

    def through(self) -> None:
        """Look into every folder of the source, as far as its limits allow."""
        left = self._walk.limits.max_folders
        while self._waiting or self._links:
            path, depth = (self._waiting or self._links).popleft()
            if not left:
                self._reached("max_folders", path)
                return
            left -= 1
            try:
                self._into(path, depth)
            except TooManyError:
                self._reached("max_files", path)
                return

    def _into(self, path: str, depth: int) -> None:
        facts = GONE
        try:
            now = os.stat(path)
            if not stat.S_ISDIR(now.st_mode):
                raise NotADirectoryError(errno.ENOTDIR, "it is no folder")
            key, facts = (now.st_dev, now.st_ino), UNSURE
            if key in self._seen:
                return
            folder, seen = self._walk.look(path, now, self._files_left)
        except OSError as error:
            self._walk.folders.append(Folder(Kind.SOURCE, path, facts))
            self._failed(path, error)
            return
        self._seen.add(key)
        self._files_left -= seen
        self._walk.folders.append(folder)
        if folder.names:
            self._take(folder, depth)

    def _take(self, folder: Folder, depth: int) -> None:
        """Note the SKILL.md of a folder, and its subfolders for later."""
        path = folder.path
        files: list[str] = []
        inside: list[tuple[str, int]] = []
        for name in folder.names:
            if name[-1] != "/":
                files.append(name)
            elif not name.isprintable() and _is_odd(name):
                self._tell("name", path, f"the name of the folder {name!a} inside has characters that cannot be shown")
            elif name[-2] == "@":
                self._links.append((f"{path}/{name[:-2]}", depth + 1))
            else:
                inside.append((f"{path}/{name[:-1]}", depth + 1))
        if files:
            self._take_files(files, path, depth)
        if inside and depth >= self._walk.limits.max_depth:
            self._reached("max_depth", inside[0][0])
        else:
            self._waiting += inside

    def _take_files(self, names: list[str], path: str, depth: int) -> None:
        """Note a SKILL.md, and tell of files of a package that nobody can name."""
        odd = [name[:-1] for name in names if name[-1] == "?"]
        skills = [name for name in names if name[-1] != "?"]
        if skills:
            self.spots.append(Spot(path, self._best(skills, path), depth))
        if odd and any(f"{path}/".startswith(f"{spot.folder}/") for spot in self.spots):
            more = f", one of {len(odd)}," if odd[1:] else ""
            message = f"the name of the file {odd[0]!a} inside{more} is no UTF-8, and no resource can be named so"
            self._tell("name", path, f"{message}: rename it", "warning")

    def _best(self, skills: list[str], path: str) -> str:
        """The SKILL.md to read, where its name is spelt in several ways."""
        if len(skills) == 1:
            return skills[0]
        best = next((name for name in skills if name.startswith(SKILL_FILE)), skills[0])
        others = ", ".join(name.rstrip("@|") for name in skills if name != best)
        self._tell("double", path, f"has {best} and {others}: {best} is read, so remove the other", "warning")
        return best

    def _failed(self, path: str, error: OSError) -> None:
        """Tell of a folder that cannot be read; one that is gone is a problem only where somebody named it."""
        source = self._source
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            message = f"cannot be read: {error.strerror}. packages inside are missing until you may read it"
            self._tell("unreadable", path, message)
        elif path == source.path and source.named_by is not None:
            what = "is no folder and no archive" if os.path.lexists(path) else "does not exist"
            self._tell("missing", path, f"{what}: '{source.named_by}' names it")

    def _reached(self, limit: str, path: str) -> None:
        """Tell that a limit ended the look; once for each limit and source."""
        most = getattr(self._walk.limits, limit)
        message = (
            f"{_REACHED[limit].format(most=most)}, {self._source.shown_below(path)} for one: raise 'skills.{limit}'"
        )
        if limit not in self._told:
            self._told.add(limit)
            self._tell("limit", self._source.path, message)

    def _tell(self, code: str, path: str, message: str, severity: str = "error") -> None:
        shown = self._source.shown_below(path)
        found = Diagnostic(code=code, subject=shown, message=one_line(message), path=shown, severity=severity)
        self._walk.diagnostics.append(found)


_REACHED = {
    "max_depth": "has folders more than {most} levels down, which are not looked into",
    "max_folders": "has more than {most} folders, and the others are not looked into",
    "max_files": "has more than {most} files, and folders after them are not looked into",
}


def _is_odd(name: str) -> bool:
    """Whether a folder's name has control characters, or is no UTF-8."""
    return any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in name)


def _order(spot: Spot) -> tuple[int, str]:
    return spot.depth, spot.folder
