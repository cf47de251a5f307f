"""Where packages are looked for, in the order in which one beats another of the same name."""

import os
from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from prowess.catalog.listing import Diagnostic
from prowess.catalog.places import GIT, levels_of
from prowess.catalog.walked import GONE, TICK_NS, UNSURE, Folder, Kind, facts_of, look
from prowess.skillmd.names import registry_name

__all__ = [
    "Level",
    "Source",
    "Sources",
    "looked",
    "named_sources",
    "plugin_sources",
    "project_sources",
    "shown",
    "user_sources",
]

_FIRST = (".agents", ".claude")
"""What clients share comes before what one of them keeps for itself."""
_SKILLS = "skills"
_USER = (".agents/skills", ".claude/skills", ".config/agents/skills", ".config/claude/skills")
_CONFIG = ("agents/skills", "claude/skills")
_EVERY = "*"


class Level(StrEnum):
    """Who put a source there. A namespace for what loses its name to another."""

    PROJECT = "project"
    USER = "user"
    PLUGIN = "plugin"
    INSTALLED = "installed"


class Source(Struct, frozen=True, kw_only=True):
    """One folder or archive in which packages are looked for. A value."""

    path: str
    """The folder or archive, absolute."""
    level: Level
    shown: str
    """How entries show it: relative to the project, or to the home."""
    namespace: str | None = None
    """What stands before the names of its packages."""
    named_by: str | None = None
    """Who asked for this very one, so that it is a problem where it is missing; None for a standard place."""
    label: str | None = None
    """What its entries show as their source, in the place of their folders."""

    def shown_below(self, path: str) -> str:
        """How a path below its folder is shown."""
        inside = path[len(self.path) :]
        return self.shown + inside if self.shown != "." else inside[1:] or "."


class Sources(Struct, frozen=True):
    """Sources, the folders that decide which there are, and what is wrong with them."""

    sources: tuple[Source, ...] = ()
    folders: tuple[Folder, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    """Archives that were looked into: where one changes, there is something else to be found."""

    def __add__(self, other: "Sources") -> "Sources":
        return Sources(
            self.sources + other.sources,
            self.folders + other.folders,
            self.diagnostics + other.diagnostics,
            self.files + other.files,
        )

    def ranked(self) -> "Sources":
        """The same, what beats others first."""
        levels = tuple(Level)
        ordered = sorted(self.sources, key=lambda source: levels.index(source.level))
        return replace(self, sources=tuple(ordered))


def project_sources(root: str, home: str, began_ns: int) -> Sources:
    """The standard folders of a project: `.agents/skills`, `.claude/skills`, `.<client>/skills` and `skills`.

    They are looked for in its folder and in those above, up to git's root: the nearest comes first. A folder above that
    belongs to another user ends the way up.
    """
    levels, in_git = levels_of(root)
    folders = [looked(Kind.LEVEL, level, began_ns) for level in levels]
    sources: list[Source] = []
    for level in folders:
        for name in sorted(level.names, key=_rank):
            if name != GIT:
                path = os.path.join(level.path, _SKILLS if name[0] != "." else os.path.join(name[:-1], _SKILLS))
                sources.append(Source(path=path, level=Level.PROJECT, shown=shown(path, root, home)))
    if not in_git:
        folders += [Folder(Kind.SOURCE, os.path.join(folder, GIT), GONE) for folder in _above(root)]
    return Sources(tuple(sources), tuple(folders))


def user_sources(home: str, config: str | None, root: str) -> Sources:
    """The folders in which a person keeps skills for all projects; `config` is what `XDG_CONFIG_HOME` says."""
    paths = [os.path.join(home, *inside.split("/")) for inside in _USER]
    if config:
        paths += [os.path.join(config, *inside.split("/")) for inside in _CONFIG]
    found = [Source(path=path, level=Level.USER, shown=shown(path, root, home)) for path in dict.fromkeys(paths)]
    return Sources(tuple(found))


def named_sources(paths: Iterable[str], root: str, home: str, named_by: str) -> Sources:
    """The folders and archives that somebody named: relative to the project, or `~/…`."""
    found = [_absolute(path, root, home) for path in paths]
    return Sources(
        tuple(
            Source(path=path, level=Level.PROJECT, shown=shown(path, root, home), named_by=named_by) for path in found
        )
    )


def plugin_sources(plugins: Iterable[str], root: str, home: str, began_ns: int) -> Sources:
    """The `skills` folder of each plugin, whose folder's name is their namespace; `plugins/*` names every one in it."""
    found = Sources()
    for plugin in plugins:
        path = _absolute(plugin, root, home)
        if os.path.basename(path) == _EVERY:
            folder = looked(Kind.SOURCE, os.path.dirname(path), began_ns)
            inside = [name.rstrip("@/") for name in folder.names if name.endswith("/")]
            several = tuple(_plugin(os.path.join(folder.path, name), root, home, None) for name in inside)
            found += Sources(several, (folder,))
        else:
            found += Sources((_plugin(path, root, home, "skills.plugins"),))
    return found


def looked(kind: str, path: str, began_ns: int) -> Folder:
    """A folder as it is now; one that cannot be read has nothing in it."""
    facts = facts_of(path)
    if facts == GONE:
        return Folder(kind, path, GONE)
    try:
        names = look(kind, path)[0]
    except OSError:
        names = ()
    return Folder(kind, path, UNSURE if facts[0] >= began_ns - TICK_NS else facts, names)


def shown(path: str, root: str, home: str) -> str:
    """A path as an entry's source: relative to the project's folder inside it, `~/…` in the home, else absolute."""
    if path.startswith(root.rstrip(os.sep) + os.sep):
        return path[len(root.rstrip(os.sep)) + 1 :]
    if path.startswith(home.rstrip(os.sep) + os.sep):
        return "~" + path[len(home.rstrip(os.sep)) :]
    return path


# ---------------------------------------------------------------------------------------------------------------------


def _absolute(path: str, root: str, home: str) -> str:
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return os.path.normpath(os.path.join(root, path))


def _plugin(path: str, root: str, home: str, named_by: str | None) -> Source:
    skills = os.path.join(path, _SKILLS)
    namespace = registry_name(os.path.basename(path))
    return Source(
        path=skills, level=Level.PLUGIN, shown=shown(skills, root, home), namespace=namespace, named_by=named_by
    )


def _above(folder: str) -> list[str]:
    """The folders above one, up to the file system's root."""
    above: list[str] = []
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        above.append(folder)
    return above


def _rank(name: str) -> tuple[int, str]:
    """`.agents/` and `.claude/` first, then other clients, then `skills/`."""
    first = name[:-1] in _FIRST
    return (0 if first else 1 if name.startswith(".") else 2, name)
