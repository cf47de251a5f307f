"""Finding ten thousand packages: from nothing, from an index, and as a list."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.scenario import Sample, Scenario, child_cpu, cpu, interleave
from prowess.app.listing import keep_listing
from prowess.app.project import open_project

_MANY, _SOME = 10_000, 1_000
_ROUNDS = 5
_LISTS = 20
_PROWESS = (sys.executable, "-m", "prowess.cli.main")
_TEXT = """---
name: skill-{number:05}
description: Look up record {number} of the archive. Use when the user names record {number} or asks for what is in it.
license: MIT
metadata:
  version: "1.{minor}.0"
  author: somebody
allowed-tools: Read, Bash(git add *)
---
# Record {number}

## When to use

{when}
## How it works

{how}"""
_WHEN = "Use this when the user wants something about records, and not otherwise.\n" * 6
_HOW = "Do one thing and then another, carefully, and say what came of it.\n" * 24


@contextmanager
def _project(count: int) -> Generator[str]:
    """A project with so many packages of three resources each, and a home with nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        root = Path(folder) / "project"
        root.mkdir()
        (root / "prowess.toml").touch()
        for number in range(count):
            package = root / ".agents" / "skills" / f"skill-{number:05}"
            package.mkdir(parents=True)
            text = _TEXT.format(number=number, minor=number % 7, when=_WHEN, how=_HOW)
            (package / "SKILL.md").write_text(text, encoding="utf-8")
            for name in ("reference.md", "forms.md", "run.py"):
                (package / name).write_text(f"{name} of {number}\n" * 20, encoding="utf-8")
        yield str(root)


def _list_and_read(root: str) -> None:
    """The least that anybody can do: list each folder, and read each SKILL.md."""
    with os.scandir(f"{root}/.agents/skills") as found:
        folders = [entry.path for entry in found]
    for folder in folders:
        with os.scandir(folder) as found:
            names = [entry.name for entry in found]
        if "SKILL.md" in names:
            with Path(f"{folder}/SKILL.md").open("rb") as file:
                file.read()


def _find(root: str) -> None:
    shutil.rmtree(f"{root}/.prowess", ignore_errors=True)
    keep_listing(open_project(root))


def _keep_index(root: str) -> None:
    """By a process that begins once all files are old enough to be sure of."""
    child_cpu((*_PROWESS, "list"), root)


def _cold() -> Sequence[Sample]:
    with _project(_MANY) as root:
        return interleave(partial(_find, root), partial(_list_and_read, root), _ROUNDS)


def _open() -> Sequence[Sample]:
    """In a process of its own each time: what was made of the time before would have to be taken apart."""
    with _project(_MANY) as root:
        _keep_index(root)
        command = (sys.executable, "-c", "from bench.scenarios.packages import open_once; open_once()", root)
        outputs = [subprocess.run(command, check=True, capture_output=True).stdout for _ in range(_ROUNDS)]
        return [Sample(cost=cost, bare=bare) for cost, bare in map(json.loads, outputs)]


def open_once() -> None:
    """Print how long opening the project takes that is named on the command line, and the bare limit."""
    root = sys.argv[1]
    cost = cpu(partial(open_project, root))
    print(json.dumps([cost, cpu(partial(_list_and_read, root))]))


def _list_many() -> Sequence[Sample]:
    with _project(_MANY) as root:
        _keep_index(root)
        command = (*_PROWESS, "list")
        bare = [cpu(partial(_list_and_read, root)) for _ in range(_ROUNDS)]
        return [Sample(cost=child_cpu(command, root), bare=one) for one in bare]


def _list_some() -> Sequence[Sample]:
    with _project(_SOME) as root:
        _keep_index(root)
        importing = (sys.executable, "-c", "import prowess.cli.main")
        for command in (importing, (*_PROWESS, "list")):
            child_cpu(command, root)
        return [
            Sample(cost=child_cpu((*_PROWESS, "list"), root), bare=child_cpu(importing, root)) for _ in range(_LISTS)
        ]


def _memory() -> Sequence[Sample]:
    """Resident bytes that opening adds in a process that opened a project without packages before."""
    with _project(0) as empty:
        open_project(empty)
    with _project(_MANY) as root:
        _keep_index(root)
        before = _resident()
        project = open_project(root)
        return [Sample(cost=_resident() - before, bare=len(project.registry.packages.entries))]


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


_READING = "listing the folders and reading each SKILL.md once"

SCENARIOS = (
    Scenario(
        name="packages-cold",
        what="10,000 packages found, read, checked, digested, entered; index written",
        bare=_READING,
        limit=6,
        measure=_cold,
        processes=2,
    ),
    Scenario(
        name="packages-open",
        what="`open_project` in a new process, 10,000 packages from the index",
        bare=_READING,
        limit=1,
        measure=_open,
        processes=2,
    ),
    Scenario(
        name="packages-list-many",
        what="a new process, `prowess list` of 10,000 packages from the index",
        bare=_READING,
        limit=1,
        measure=_list_many,
        processes=2,
    ),
    Scenario(
        name="packages-memory",
        what="resident memory that 10,000 packages from the index add to a process",
        bare="-",
        limit=25,
        measure=_memory,
        absolute=True,
        unit="MB",
        scale=1e-6,
        processes=2,
    ),
    Scenario(
        name="packages-list",
        what="`prowess list` of 1,000 packages from the index",
        bare='`python -c "import prowess.cli.main"`',
        limit=1.5,
        measure=_list_some,
        processes=2,
    ),
)
