"""The index: what a project held when it was last loaded, and the files and folders that decide whether it still does.

`.prowess/index.msgpack`, or a file in the user's cache for a folder without settings, is derived: it may be deleted at
any time, and a damaged, foreign or outdated one counts as missing. Its parts, a line for each thing in a text:

    stamp            the writer, interpreter and settings it is from
    project          its name
    files            size, mtime in ns, path of settings, code and   } while these are as they were, and what is kept
                     documents; no size for what is not there        }
    folders          path of a folder with code, the names inside    } of packages (`kept`), the index holds
    rows, more       the columns that a list shows; the others
    diagnostics      the columns of `Diagnostic`, and whether it is about packages
    manifests        JSON, in the order of the rows
    rows of packages as packed numbers
    packages         seven parts: folders, SKILL.md files, sources
"""

from __future__ import annotations

import os
import sys
import zlib

from prowess.catalog.folders import names_in
from prowess.catalog.index_format import BETWEEN, join, pack, read_file, replace_file, split, text_of, unpack
from prowess.catalog.kept import PARTS, Kept, keep, numbers
from prowess.catalog.listing import Diagnostic, KeptListing, Listing, more_line, one_line
from prowess.catalog.places import STATE, make_state_folder
from prowess.catalog.walked import TICK_NS

__all__ = ["Stored", "Watched", "cache_folder", "home_of", "path_of", "read", "stamp", "watch", "write"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from prowess.catalog.places import Place

(
    _STAMP,
    _NAME,
    _FILES,
    _FOLDERS,
    _ROWS,
    _MORE,
    _DIAGNOSTICS,
    _MANIFESTS,
    _PACKAGE_ROWS,
    _PACKAGES,
) = range(10)
_STEERING = ("PROWESS_NAME", "PROWESS_MODULES", "PROWESS_FOLDERS", "PYTHONPATH", "HOME", "XDG_CONFIG_HOME")
_STEERING_PREFIX = "PROWESS_SKILLS_"
_ABOUT_PACKAGES = "packages"
_ABSENT = "-"
"""In the place of the size of a file that is not there."""


class Watched:
    """The files and folders that a listing rests on, as they were when it was made."""

    __slots__ = ("about_packages", "files", "folders", "newest", "package_rows", "packages")

    def __init__(self, files: list[str], folders: list[str], newest: int) -> None:
        self.files = files
        """Lines of the index."""
        self.folders = folders
        """Lines of the index."""
        self.newest = newest
        """The latest change of a file, in ns since the epoch."""
        self.packages: Kept | None = None
        """What was found of packages; whoever looked for some sets it."""
        self.package_rows: Sequence[int] = ()
        """The position of each package's entry in the listing."""
        self.about_packages: frozenset[Diagnostic] = frozenset()
        """The diagnostics about packages: whatever mends such a one is watched, so that even errors may be kept."""


class Stored:
    """An index that was read. Its parts are taken apart when they are asked for."""

    def __init__(self, root: str, data: bytes, parts: list[slice]) -> None:
        whole = memoryview(data)
        self._root = root
        self._data = data
        self._parts = parts
        self.packages = Kept(root, [whole[part] for part in parts[_PACKAGES : _PACKAGES + PARTS]])
        """What was found of packages."""

    def holds(self) -> bool:
        """Whether all that the listing rests on is as it was."""
        try:
            return self._same_code() and self.packages.holds()
        except (OSError, ValueError):
            return False

    @property
    def listing(self) -> Listing:
        """The listing that was kept."""
        texts = (self._text(_ROWS), lambda: self._text(_MORE), lambda: self._text(_MANIFESTS))
        diagnostics = [_diagnostic(line)[0] for line in self._lines(_DIAGNOSTICS)]
        return KeptListing(self._text(_NAME), texts, diagnostics)

    @property
    def about_packages(self) -> list[Diagnostic]:
        """Those of the listing's diagnostics that are about packages."""
        found = map(_diagnostic, self._lines(_DIAGNOSTICS))
        return [diagnostic for diagnostic, is_about_packages in found if is_about_packages]

    def package_manifests(self) -> Iterator[bytes]:
        """The manifest of each package's entry as JSON, in the order of the entries."""
        data, part = self._data, self._parts[_MANIFESTS]
        starts = [part.start]
        while starts[-1] < part.stop:
            starts.append(data.index(b"\n", starts[-1]) + 1)
        rows = memoryview(data)[self._parts[_PACKAGE_ROWS]].cast("q").tolist()
        return (data[starts[row] : starts[row + 1] - 1] for row in rows)

    def _same_code(self) -> bool:
        """Whether each file has its size and time still, and each folder its names. OSError where a file is gone."""
        for line in self._lines(_FILES):
            size, changed, path = line.split("\t")
            if size == _ABSENT:
                if os.path.lexists(os.path.join(self._root, path)):
                    return False
                continue
            facts = os.stat(os.path.join(self._root, path))
            if facts.st_mtime_ns != int(changed) or facts.st_size != int(size):
                return False
        for line in self._lines(_FOLDERS):
            path, names = line.split("\t")
            if BETWEEN.join(names_in(os.path.join(self._root, path))) != names:
                return False
        return True

    def _lines(self, part: int) -> list[str]:
        return split(self._text(part))

    def _text(self, part: int) -> str:
        return text_of(self._data[self._parts[part]])


def path_of(place: Place, environ: Mapping[str, str]) -> str | None:
    """Where the index of a place is kept: for a folder without settings in the user's cache; None for a file."""
    if place.file is not None or place.built is not None:
        return None
    if not place.bare:
        return os.path.join(place.root, STATE, "index.msgpack")
    key = f"{place.root}\n{place.code}\n{place.collection}".encode("utf-8", "surrogateescape")
    name = f"{zlib.crc32(key):08x}{zlib.adler32(key):08x}.msgpack"
    return os.path.join(cache_folder(environ, "indexes"), name)


def cache_folder(environ: Mapping[str, str], name: str) -> str:
    """A folder of ours in the user's cache."""
    cache = environ.get("XDG_CACHE_HOME") or os.path.join(home_of(environ), ".cache")
    return os.path.join(cache, "prowess", name)


def home_of(environ: Mapping[str, str]) -> str:
    """The user's home."""
    return os.path.abspath(environ.get("HOME") or os.path.expanduser("~"))


def stamp(place: Place, environ: Mapping[str, str]) -> str:
    """What an index has to be from besides its files: this installation, interpreter, and variables that steer it.

    A folder's path is part of it where the index does not lie in the folder.
    """
    root = f"{place.root}\n{place.code}\n{place.collection}" if place.bare else ""
    ours = os.stat(os.path.join(os.path.dirname(os.path.dirname(__file__)), "__init__.py"))
    steering = [f"{name}={environ.get(name, '')}" for name in _STEERING]
    steering += sorted(f"{name}={value}" for name, value in environ.items() if name.startswith(_STEERING_PREFIX))
    return "\n".join((root, str(ours.st_mtime_ns), sys.version, sys.prefix, *steering))


def watch(
    root: str, files: Iterable[str], folders: Mapping[str, Sequence[str]], absent: Iterable[str] = ()
) -> Watched | None:
    """How these files are now, and the names that folders had; None where one cannot be watched: then keep nothing.

    `absent` are paths that are not there: once one of them is, the index holds no more.
    """
    try:
        found = [(path, os.stat(path)) for path in sorted(set(files))]
    except OSError:
        return None
    lines = [f"{facts.st_size}\t{facts.st_mtime_ns}\t{_relative(root, path)}" for path, facts in found]
    lines += [f"{_ABSENT}\t0\t{_relative(root, path)}" for path in sorted(set(absent))]
    watched = [f"{_relative(root, path)}\t{BETWEEN.join(names)}" for path, names in sorted(folders.items())]
    if any("\n" in line or line.count("\t") != tabs for tabs, some in ((2, lines), (1, watched)) for line in some):
        return None
    return Watched(lines, watched, max((facts.st_mtime_ns for _, facts in found), default=0))


def read(place: Place, environ: Mapping[str, str]) -> Stored | None:
    """The index of a place, None where there is none for these variables. Ask it whether it holds."""
    path = path_of(place, environ)
    data = b"" if path is None else read_file(path)
    parts = unpack(data, _PACKAGES + PARTS)
    if parts is None or text_of(data[parts[_STAMP]]) != stamp(place, environ):
        return None
    return Stored(place.root, data, parts)


def write(place: Place, environ: Mapping[str, str], listing: Listing, watched: Watched, began_ns: int) -> bool:
    """Keep a listing whose load began at `began_ns`; False where that is not possible, which harms nobody.

    The file appears whole or not at all, whoever else writes it. Nothing is kept where a file of code changed during
    the load, or where a broken module may be mended by something that is not watched.
    """
    path = path_of(place, environ)
    about = watched.about_packages
    errors = any(one.severity == "error" and one not in about for one in listing.diagnostics)
    if path is None or errors or watched.newest >= began_ns - TICK_NS:
        return False
    packages = watched.packages or keep(place.root, (), (), ())
    said = (_diagnostic_line(one, about=one in about) for one in listing.diagnostics)
    parts = [
        *(stamp(place, environ), listing.name, join(watched.files), join(watched.folders)),
        *(listing.table, "".join(map(more_line, listing.rows)), join(said), join(listing.manifests)),
        numbers(watched.package_rows),
        *packages.parts,
    ]
    try:
        _make_folder(os.path.dirname(path), ignored=not place.bare)
        replace_file(path, pack(parts))
    except (OSError, UnicodeError):
        return False
    return True


# ---------------------------------------------------------------------------------------------------------------------


def _relative(root: str, path: str) -> str:
    return path[len(root) + 1 :] if path.startswith(root + os.sep) else path


def _diagnostic_line(one: Diagnostic, *, about: bool) -> str:
    columns = (one.code, one.subject, one.message, one.path, str(one.line or ""), one.severity)
    return "\t".join((*map(one_line, columns), _ABOUT_PACKAGES if about else ""))


def _diagnostic(line: str) -> tuple[Diagnostic, bool]:
    """A diagnostic, and whether it is about packages."""
    code, subject, message, path, number, severity, about = line.split("\t")
    found = Diagnostic(
        code=code,
        subject=subject,
        message=message,
        path=path,
        line=int(number) if number else None,
        severity=severity,
    )
    return found, bool(about)


def _make_folder(folder: str, *, ignored: bool) -> None:
    """Make the index's folder: one inside a project keeps itself out of git, one in the cache is its owner's."""
    if os.path.isdir(folder):
        return
    if ignored:
        make_state_folder(folder)
    else:
        os.makedirs(folder, mode=0o700, exist_ok=True)
