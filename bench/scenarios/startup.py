"""Whole processes against the bare interpreter."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.scenario import Sample, Scenario, child_cpu

_NOTES = str(Path(__file__).parents[2] / "examples" / "notes")
_PLAIN = str(Path(__file__).parents[1] / "projects" / "plain")
_BARE_FILE = str(Path(__file__).parents[1] / "projects" / "bare")
_PROWESS = (sys.executable, "-m", "prowess.cli.main")
_ROUNDS = 12


def _process(project: str, *words: str) -> Sequence[Sample]:
    if "-C" not in words:
        child_cpu((*_PROWESS, "list"), project)
    child_cpu((*_PROWESS, *words), project)
    return [
        Sample(cost=child_cpu((*_PROWESS, *words), project), bare=child_cpu((sys.executable, "-c", "pass"), project))
        for _ in range(_ROUNDS)
    ]


def _new_project() -> Sequence[Sample]:
    """A run in a project that `prowess new project` makes, with and without an index alike: nothing lists it first."""
    with TemporaryDirectory() as folder:
        child_cpu((*_PROWESS, "new", "project", "fresh"), folder)
        return _process(str(Path(folder, "fresh")), "-C", ".", "run", "greet", "name=Ada")


_BARE = "`python -c pass`"

SCENARIOS = (
    Scenario(
        name="start-help",
        what="`prowess --help`",
        bare=_BARE,
        limit=2,
        measure=partial(_process, _NOTES, "--help"),
        processes=2,
    ),
    Scenario(
        name="start-list",
        what="`prowess list` from the index",
        bare=_BARE,
        limit=4,
        measure=partial(_process, _NOTES, "list"),
        processes=2,
    ),
    Scenario(
        name="start-run",
        what="`prowess run` of an example with builtin annotations",
        bare=_BARE,
        limit=8,
        measure=partial(_process, _PLAIN, "run", "greet", "name=Ada"),
        processes=2,
    ),
    Scenario(
        name="start-run-new",
        what="`prowess run` in the project that `prowess new project` makes, before anything was listed",
        bare=_BARE,
        limit=9,
        measure=_new_project,
        processes=2,
    ),
    Scenario(
        name="start-run-def",
        what="`prowess run` of a plain `def` in a file without a project: it runs in a thread, so asyncio is imported",
        bare=_BARE,
        limit=11,
        measure=partial(_process, _BARE_FILE, "-C", "def_skill.py", "run", "greet", "name=Ada"),
        processes=2,
    ),
)
