"""Look for problems in the installation and in the project, and say how to mend each.

Exit code 1 where there is one. Extras that are not installed are told, and are no problem.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from typing import Literal

from prowess import __version__
from prowess.app.definitions import ignored_in
from prowess.app.importing import EXTRAS, installing
from prowess.app.packages.building import included_files
from prowess.app.project import Project
from prowess.app.runtime import check_engine
from prowess.catalog import index_file
from prowess.catalog.places import SETTINGS
from prowess.cli.opening import open_quietly
from prowess.cli.parsing import Arguments
from prowess.cli.terminal.printing import safe
from prowess.errors import ConfigurationError, InvalidDocumentError, ProwessError
from prowess.server.door.keys import problems_of_keys

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "doctor"
HELP = "look for problems and say how to mend them"

_OLDEST, _NEWEST = (3, 11), (3, 13)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: fine, worth a note, or a problem with the way to mend it."""

    state: Literal["ok", "note", "problem"]
    about: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess doctor`."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: Arguments) -> int:
    """Print every finding; 1 where one is a problem."""
    findings = [*_installation(), *_extras(), *_keys(), *_project(arguments.project)]
    problems = sum(finding.state == "problem" for finding in findings)
    if arguments.json:
        print(json.dumps({"ok": not problems, "findings": [asdict(finding) for finding in findings]}, indent=2))
        return 1 if problems else 0
    for finding in findings:
        print(safe(f"{_MARKS[finding.state]}  {finding.about}: {finding.text}"))
    print(f"\n{problems or 'No'} problem{'' if problems == 1 else 's'} found.")
    return 1 if problems else 0


# ---------------------------------------------------------------------------------------------------------------------

_MARKS = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}


def _installation() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if _OLDEST <= sys.version_info[:2] <= _NEWEST:
        yield Finding("ok", "Python", f"{version}, {sys.executable}")
    else:
        yield Finding("problem", "Python", f"{version} is not supported: use 3.11 to 3.13")
    yield Finding("ok", "prowess", __version__)


def _extras() -> Iterator[Finding]:
    for extra, modules in EXTRAS.items():
        missing = [module for module in modules if find_spec(module) is None]
        if missing:
            yield Finding("note", f"extra {extra}", f"not installed: {installing(extra)}")
        else:
            yield Finding("ok", f"extra {extra}", "installed")


def _keys() -> Iterator[Finding]:
    for problem in problems_of_keys():
        yield Finding("problem", "API keys", problem)


def _project(path: str | None) -> Iterator[Finding]:
    try:
        project = open_quietly(path)
    except ConfigurationError as error:
        for line in error.message.splitlines():
            yield Finding("problem", "project", line.strip())
        return
    except InvalidDocumentError as error:
        yield from (Finding("problem", "documents", str(problem)) for problem in error.problems)
        yield Finding("note", "documents", "a server that runs goes on with those that it loaded last")
        return
    yield _place(project)
    index = index_file.path_of(project.place, os.environ)
    if index is not None:
        yield _index(project, os.path.abspath(index))
    yield Finding("ok", "entries", str(len(project.registry)))
    if project.governed:
        yield Finding("ok", "documents", f"{len(project.registry.documents.entries)} entries")
    yield Finding("ok", "packages", str(len(project.registry.packages.entries)))
    for one in project.diagnostics:
        yield Finding("problem" if one.severity == "error" else "note", one.code, str(one))
    yield from _ignored(project)
    yield from _targets(project)
    yield from _settings(project)
    yield from _shadows(project.place.root)


def _place(project: Project) -> Finding:
    place = project.place
    if place.built is not None:
        return Finding("ok", "project", f"{place.built}, which 'prowess build' made of '{project.name}'")
    if place.bare:
        return Finding("note", "project", f"{place.file or place.root} has no {SETTINGS}")
    return Finding("ok", "project", os.path.join(place.root, SETTINGS))


def _ignored(project: Project) -> Iterator[Finding]:
    """What is there and is no skill, where its owner may think that it is one."""
    for path in project.passed_over:
        shown = os.path.relpath(path, project.place.root)
        yield Finding("note", "files", f"{shown} does not import prowess, so it is not run: 'modules' takes any file")
    for module in project.modules:
        for name, why in ignored_in(module):
            yield Finding("note", "no skill", f"{module.__name__}.{name} {why}")


def _targets(project: Project) -> Iterator[Finding]:
    try:
        project.registry.check()
    except ProwessError as error:
        yield Finding("problem", "targets", str(error))


def _settings(project: Project) -> Iterator[Finding]:
    """What `run`, `serve` and `build` would refuse, though the settings could be read."""
    settings = project.settings
    checks: list[Callable[[], object]] = [partial(check_engine, settings.runtime.engine)]
    if project.built is None:
        checks.append(partial(included_files, project.place.root, settings.build.include))
    for check in checks:
        try:
            check()
        except ConfigurationError as error:
            yield from (Finding("problem", "settings", line.strip()) for line in error.message.splitlines())


def _index(project: Project, path: str) -> Finding:
    """What the index is worth; a missing one is made by the next `prowess list`."""
    kept = index_file.read(project.place, os.environ)
    if kept is not None and kept.holds():
        return Finding("ok", "index", f"{path} is up to date")
    folder = os.path.dirname(path)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if os.path.isdir(path) or not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
        return Finding("note", "index", f"{path} cannot be written: every 'prowess list' loads the whole project")
    state = "is out of date" if os.path.exists(path) else "is not there yet"
    return Finding("note", "index", f"{path} {state}: 'prowess list' writes it once every module loads")


def _shadows(root: str) -> Iterator[Finding]:
    for name in sorted(os.listdir(root)):
        module = name.removesuffix(".py")
        if module in sys.stdlib_module_names and (name.endswith(".py") or _is_package(root, name)):
            path = os.path.join(root, name)
            text = f"{path} has the name of Python's own module '{module}', which is found instead: rename it"
            yield Finding("problem", "names", text)


def _is_package(root: str, name: str) -> bool:
    return os.path.exists(os.path.join(root, name, "__init__.py"))
