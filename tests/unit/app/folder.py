"""A project's folder for the tests of opening one, whose modules no other test has."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from prowess import open_project
from prowess.app.project import Project

_NUMBERS = count(1)
OP = '''
@op
async def {name}() -> str:
    """Say {name}."""
    return "{name}"
'''
HEAD = "from prowess import BaseSkill, Context, Pipeline, Services, op, skill\n"


class Folder:
    """A project's folder whose modules have names that no other test has."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mark = f"m{next(_NUMBERS)}"

    def write(self, name: str, text: str) -> str:
        """Write a file, `§` in its name and text standing for the mark; gives its name."""
        file = self.path / name.replace("§", self.mark)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("§", self.mark), encoding="utf-8")
        return str(file.relative_to(self.path))

    def open(self, settings: str = "", **environ: str) -> Project:
        """Open it with these settings."""
        self.write("prowess.toml", settings)
        return open_project(self.path, environ=environ)

    def ops(self, *names: str) -> str:
        """The text of a module with these ops."""
        return HEAD + "".join(OP.format(name=name) for name in names)


@contextmanager
def fresh_folder(path: Path) -> Generator[Folder]:
    """A folder, and the process without what was imported from it afterwards."""
    paths, modules = list(sys.path), set(sys.modules)
    yield Folder(path)
    sys.path[:] = paths
    for name in set(sys.modules) - modules:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(path)):
            del sys.modules[name]


def told(project: Project) -> list[str]:
    """Give the diagnostics as lines."""
    return [str(one) for one in project.diagnostics]
