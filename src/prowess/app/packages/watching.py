"""Which folders tell, by changing, that a registry's packages may have changed."""

import os
from collections.abc import Iterable, Iterator

from msgspec import Struct

from prowess.app.packages.discovery import PackageCatalogue
from prowess.catalog.walked import GONE, Folder, Kind, is_passed_over

__all__ = ["Places", "places_to_watch"]

_GIT = ".git"
_INSTALLED = (".dist-info", ".egg-info")


class Places(Struct, frozen=True):
    """Folders to watch. A value: it is another one where there are others to watch."""

    deep: frozenset[str] = frozenset()
    """With everything below."""
    flat: frozenset[tuple[str, str]] = frozenset()
    """A folder, and the name in it that counts; a name that ends with a star stands for all that begin so, one that
    begins with it for all that end so."""
    found: frozenset[tuple[int, int]] = frozenset()
    """What these folders were on disk: a folder that took another's place under its path is another one to watch."""

    def counts(self, path: str, *, deep: bool) -> bool:
        """Whether a change at a path may change what is found."""
        if deep:
            return not any(map(is_passed_over, path.split(os.sep)))
        folder, name = os.path.split(path)
        return any(one == folder and _fits(name, pattern) for one, pattern in self.flat) and not is_passed_over(name)


def places_to_watch(catalogue: PackageCatalogue) -> Places:
    """The folders to watch for what was found last."""
    folders = [] if catalogue.kept is None else catalogue.kept.folders
    deep = {source.path for source in catalogue.sources if os.path.isdir(source.path)}
    deep.update(_linked(folders))
    flat = {place for folder in folders for place in _flat(folder)}
    flat.update(os.path.split(file) for file in catalogue.files)
    found = frozenset(_identity(path) for path in {*deep, *(path for path, _ in flat)})
    return Places(frozenset(deep), frozenset(flat), found)


# ---------------------------------------------------------------------------------------------------------------------


def _identity(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return (found.st_dev, found.st_ino)


def _fits(name: str, pattern: str) -> bool:
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return name.endswith(pattern[1:]) if pattern.startswith("*") else name == pattern


def _linked(folders: Iterable[Folder]) -> Iterator[str]:
    """Where links lead, to folders and to SKILL.md files: what is there changes without the link."""
    for folder in folders:
        for name in folder.names:
            if name.endswith("@/") and folder.kind == Kind.SOURCE:
                yield os.path.realpath(os.path.join(folder.path, name[:-2]))
            elif name.endswith("@"):
                yield os.path.dirname(os.path.realpath(os.path.join(folder.path, name[:-1])))


def _flat(folder: Folder) -> Iterator[tuple[str, str]]:
    if folder.kind == Kind.LEVEL:
        yield from ((folder.path, ".*"), (folder.path, "skills"))
    elif folder.kind == Kind.PYTHON:
        yield from ((folder.path, f"*{end}") for end in _INSTALLED)
    elif folder.facts == GONE and os.path.basename(folder.path) != _GIT:
        above, name = os.path.split(folder.path)
        while not os.path.isdir(above):
            above, name = os.path.split(above)
        yield above, name
