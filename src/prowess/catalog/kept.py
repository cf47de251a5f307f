"""What was found of packages in few bytes, and whether it still holds: in the index, and in a process that looks again.

`prowess list` waits for this module: its loops run once for each folder and file, before the list says a word. They
look at paths from the project's folder, which saves the system a quarter of the way.
"""

from __future__ import annotations

import os

from prowess.catalog.index_format import BETWEEN, join, split, text_of
from prowess.catalog.walked import GONE, INODE, Folder, holds

__all__ = ["PARTS", "Kept", "KeptSkill", "keep", "numbers"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    Part: TypeAlias = str | bytes | memoryview

PARTS = 7
_FOLDERS, _FOLDER_FACTS, _NAMES, _SKILLS, _SKILL_FACTS, _DETAILS, _SOURCES = range(PARTS)


class KeptSkill:
    """What is kept of one SKILL.md. Treat it as immutable."""

    __slots__ = ("depth", "digest", "facts", "path", "real", "row", "source")

    def __init__(  # noqa: PLR0913 - the columns, each by name
        self,
        *,
        path: str,
        facts: tuple[int, int, int, int],
        source: int,
        depth: int,
        digest: str,
        row: int | None,
        real: str,
    ) -> None:
        self.path = path
        self.facts = facts
        """When its bytes changed in ns since the epoch, its size, its inode, and when that changed."""
        self.source = source
        """The position of its source."""
        self.depth = depth
        """How far below the source's folder it was found."""
        self.digest = digest
        """The SHA-256 of its bytes; empty where they could not be used."""
        self.row = row
        """Its entry's position among those that are kept with it; None where it has none."""
        self.real = real
        """Where the file is, for a link; otherwise empty."""


class Kept:
    """Folders, SKILL.md files and sources as they were found. Its parts are taken apart when they are asked for."""

    __slots__ = ("_root", "parts")

    def __init__(self, root: str, parts: Sequence[Part]) -> None:
        self._root = root
        self.parts = parts

    def copy(self) -> Kept:
        """The same, without what else was read with it."""
        return Kept(self._root, [bytes(part) if isinstance(part, memoryview) else part for part in self.parts])

    def holds(self) -> bool:
        """Whether each SKILL.md and each folder is as it was. Raises `OSError` where one cannot be looked at."""
        start = os.open(self._root, os.O_RDONLY) if os.stat in os.supports_dir_fd else None
        try:
            return self._same_skills(start) and self._same_folders(start)
        finally:
            if start is not None:
                os.close(start)

    @property
    def sources(self) -> list[str]:
        """A line for each place in which packages were looked for."""
        return self._lines(_SOURCES)

    @property
    def folders(self) -> list[Folder]:
        """The folders that decide what is found."""
        return self._folders_at(None)

    @property
    def entered(self) -> Iterator[tuple[str, int, str]]:
        """Of each SKILL.md with an entry, in the order of these: where it is, its source's position, its digest."""
        for path, details in zip(self._paths(_SKILLS), self._lines(_DETAILS), strict=True):
            source, _, digest, row, real = details.split("\t")
            if row:
                yield real or path, int(source), digest

    @property
    def skills(self) -> Iterator[KeptSkill]:
        """Every SKILL.md."""
        n = self._numbers(_SKILL_FACTS)
        lines = zip(self._paths(_SKILLS), self._lines(_DETAILS), n, n, n, n, strict=True)
        return (_skill(path, details, (changed, *rest)) for path, details, changed, *rest in lines)

    def _same_skills(self, start: int | None) -> bool:
        look, n = os.stat, self._numbers(_SKILL_FACTS)
        for path, changed, size, inode, touched in zip(self._places(_SKILLS, start), n, n, n, n, strict=True):
            now = look(path, dir_fd=start)
            if now.st_mtime_ns != changed or now.st_size != size or now.st_ino & INODE != inode:
                return False
            if now.st_ctime_ns != touched:
                return False
        return True

    def _same_folders(self, start: int | None) -> bool:
        """Whether each folder has its facts still, or at least the names in it that count."""
        return all(map(holds, self._folders_at(self._doubtful_folders(start))))

    def _folders_at(self, positions: Sequence[int] | None) -> list[Folder]:
        """The folders at these positions, or all of them."""
        if positions is not None and not positions:
            return []
        paths, names, facts = self._paths(_FOLDERS), self._lines(_NAMES), list(self._numbers(_FOLDER_FACTS))
        return [
            _folder(paths[one], names[one], (facts[2 * one], facts[2 * one + 1]))
            for one in (range(len(paths)) if positions is None else positions)
        ]

    def _doubtful_folders(self, start: int | None) -> list[int]:
        """The positions of folders whose facts are others."""
        look, n = os.stat, self._numbers(_FOLDER_FACTS)
        doubtful: list[int] = []
        for position, (path, changed, inode) in enumerate(zip(self._places(_FOLDERS, start), n, n, strict=True)):
            try:
                now = look(path, dir_fd=start)
                if now.st_mtime_ns != changed or now.st_ino & INODE != inode:
                    doubtful.append(position)
            except OSError:
                if changed != GONE[0]:
                    doubtful.append(position)
        return doubtful

    def _places(self, part: int, start: int | None) -> list[str]:
        """Paths as they can be looked at from an open folder; whole ones where none is open."""
        return self._paths(part) if start is None else self._lines(part)

    def _paths(self, part: int) -> list[str]:
        start = self._root.rstrip(os.sep) + os.sep
        whole = [line if os.path.isabs(line) else start + line for line in self._lines(part)]
        return [self._root if path == f"{start}." else path for path in whole]

    def _lines(self, part: int) -> list[str]:
        held = self.parts[part]
        return split(held if isinstance(held, str) else text_of(held))

    def _numbers(self, part: int) -> Iterator[int]:
        held = self.parts[part]
        return iter(memoryview(b"" if isinstance(held, str) else held).cast("q").tolist())


def keep(root: str, folders: Iterable[Folder], skills: Iterable[KeptSkill], sources: Iterable[str]) -> Kept:
    """Keep what was found; paths below `root` are kept as they are from there."""
    found, looked = list(skills), list(folders)
    inside = _lines_of(root, [one.path for one in looked] + [one.path for one in found])
    details = [
        f"{one.source}\t{one.depth}\t{one.digest}\t{'' if one.row is None else one.row}\t{one.real}" for one in found
    ]
    parts: list[Part] = [
        join(inside[: len(looked)]),
        numbers([number for one in looked for number in one.facts]),
        join([f"{one.kind}\t{BETWEEN.join(one.names)}" for one in looked]),
        join(inside[len(looked) :]),
        numbers([number for one in found for number in one.facts]),
        join(details),
        join(sources),
    ]
    return Kept(root, parts)


def numbers(values: Sequence[int]) -> bytes:
    """Numbers packed as the index has them."""
    from array import array  # noqa: PLC0415 - whoever only reads does without

    return array("q", values).tobytes()


# ---------------------------------------------------------------------------------------------------------------------


def _lines_of(root: str, paths: Iterable[str]) -> list[str]:
    """Paths as lines: those below the root from there, and the root itself as a dot."""
    start = root.rstrip(os.sep) + os.sep
    return ["." if path == root else path.removeprefix(start) for path in paths]


def _folder(path: str, line: str, facts: tuple[int, int]) -> Folder:
    kind, _, names = line.partition("\t")
    return Folder(kind, path, facts, tuple(names.split(BETWEEN)) if names else ())


def _skill(path: str, line: str, facts: tuple[int, ...]) -> KeptSkill:
    source, depth, digest, row, real = line.split("\t")
    changed, size, inode, touched = facts
    return KeptSkill(
        path=path,
        facts=(changed, size, inode, touched),
        source=int(source),
        depth=int(depth),
        digest=digest,
        row=int(row) if row else None,
        real=real,
    )
