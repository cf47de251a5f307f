"""Packages that installed distributions bring: entry points of the group `prowess.skills`.

They are found without importing anything, neither the distributions nor the standard library's reader of them, which
takes longer than everything else that opening a project does.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.sources import Level, Source, Sources, looked
from prowess.catalog.walked import Kind
from prowess.skillmd.names import registry_name

__all__ = ["GROUP", "installed_sources"]

GROUP = "prowess.skills"
_FILE = "entry_points.txt"
_LARGEST = 1_000_000
_INSTALLED_INTO = frozenset({"site-packages", "dist-packages"})
"""Folders in which a distribution may turn up; another one counts once it has one."""


def installed_sources(path: Iterable[str], began_ns: int) -> Sources:
    """The folders that distributions on Python's path name, each with the entry point's name as namespace."""
    found = Sources()
    for place in dict.fromkeys(path):
        if os.path.isdir(place):
            folder = looked(Kind.PYTHON, os.path.abspath(place), began_ns)
            if folder.names or os.path.basename(folder.path) in _INSTALLED_INTO:
                found += Sources(folders=(folder,))
            for distribution in folder.names:
                found += _brought(os.path.join(folder.path, distribution))
    return found


# ---------------------------------------------------------------------------------------------------------------------


def _brought(distribution: str) -> Sources:
    """What one distribution brings."""
    found = Sources()
    for name, value in _entry_points(os.path.join(distribution, _FILE)):
        package = value.partition(":")[0].strip()
        who = os.path.basename(distribution).partition("-")[0]
        folder = _folder_of(package)
        if folder is None:
            message = f"its entry point '{name}' of {GROUP} names '{package}', which is no package with a folder"
            found += Sources(diagnostics=(Diagnostic(code="missing", subject=who, message=message),))
        else:
            shown = f"{who}:{package}"
            source = Source(path=folder, level=Level.INSTALLED, shown=shown, namespace=registry_name(name))
            found += Sources((source,))
    return found


def _entry_points(file: str) -> Iterator[tuple[str, str]]:
    """Name and value of each entry point of our group; a file that cannot be read has none."""
    try:
        with open(file, encoding="utf-8", errors="replace") as text:
            lines = text.read(_LARGEST).splitlines()
    except OSError:
        return
    ours = False
    for line in map(str.strip, lines):
        if line.startswith("["):
            ours = line == f"[{GROUP}]"
        elif ours and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def _folder_of(package: str) -> str | None:
    """The folder of a package by its dotted name; none of it is imported, so its parents are looked for as folders."""
    top, *inside = package.split(".")
    try:
        spec = sys.modules[top].__spec__ if top in sys.modules else find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None
    places = [] if spec is None else [*(spec.submodule_search_locations or ())]
    folders = [os.path.join(place, *inside) for place in places]
    return next(filter(os.path.isdir, folders), None)
