"""The SKILL.md files below a path, and their bytes: neither a loop of links nor a pipe can make anybody wait."""

import os
import stat
from collections.abc import Iterator

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.frontmatter.source import SIZE_LIMIT

__all__ = ["read_skill_file", "replace_skill_file", "skill_files"]

_PASSED_OVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", "site-packages"})
_ENVIRONMENT = "pyvenv.cfg"
_NAME = "skill.md"
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def skill_files(path: str, unread: list[OSError]) -> Iterator[str]:
    """The paths of what is named SKILL.md, in whatever case, at a path or below it, folder by folder in order.

    A file is itself. Links to folders are followed, and each folder is looked at once. What cannot be looked at, the
    path itself among it, is added to `unread`.
    """
    waiting, seen = [path], set[tuple[int, int]]()
    while waiting:
        here = waiting.pop()
        try:
            facts = os.stat(here)
            if not stat.S_ISDIR(facts.st_mode):
                yield here
                continue
            if (facts.st_dev, facts.st_ino) in seen:
                continue
            seen.add((facts.st_dev, facts.st_ino))
            with os.scandir(here) as found:
                names = sorted((entry.name, _is_folder(entry)) for entry in found)
        except OSError as error:
            unread.append(error)
            continue
        if here != path and (_ENVIRONMENT, False) in names:
            continue
        yield from (os.path.join(here, name) for name, _ in names if name.lower() == _NAME)
        folders = [name for name, is_folder in names if is_folder and name not in _PASSED_OVER]
        waiting += [os.path.join(here, name) for name in reversed(folders) if name.lower() != _NAME]


def read_skill_file(path: str) -> bytes | SkillProblem:
    """A file's bytes, or why there are none: it cannot be read, it is no regular file, or it is too large."""
    try:
        facts = os.stat(path)
        if not stat.S_ISREG(facts.st_mode):
            return problem_of("file-kind", what=_KINDS.get(stat.S_IFMT(facts.st_mode), "something else"))
        if facts.st_size > SIZE_LIMIT:
            return problem_of("file-too-large", size=facts.st_size, most=SIZE_LIMIT)
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            return file.read(SIZE_LIMIT + 1)
    except OSError as error:
        return problem_of("file-unreadable", why=error.strerror or str(error))


def replace_skill_file(path: str, data: bytes) -> None:
    """Write a file whole or not at all, with the mode that it had; a link goes on leading to it. Raises `OSError`."""
    target = os.path.realpath(path)
    mine = f"{target}.{os.urandom(6).hex()}"
    try:
        with open(mine, "xb") as file:
            os.chmod(mine, stat.S_IMODE(os.stat(target).st_mode))
            file.write(data)
        os.replace(mine, target)
    except OSError:
        if os.path.exists(mine):
            os.unlink(mine)
        raise


# ---------------------------------------------------------------------------------------------------------------------


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False
