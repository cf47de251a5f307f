"""Write a new project or a new skill. Nothing is ever overwritten.

prowess new project NAME    a folder with settings, a skill, a test: it runs at once
prowess new skill NAME      a file with a skill, where the project keeps its skills
"""

import argparse
import os
import shlex
from pathlib import Path

from prowess.app.settings import load_settings
from prowess.catalog.places import locate
from prowess.cli.opening import listing_of
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.scaffold import PROJECT, SKILL, function_name, write_new
from prowess.errors import ConfigurationError
from prowess.model.names import name_problem

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "new"
HELP = "write a new skill, or a new project"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess new`."""
    parser.add_argument("what", choices=("skill", "project"), help="what to write")
    parser.add_argument("name", metavar="NAME", help="its name: lowercase letters, digits, '_' and '-'")


def run(arguments: Arguments) -> int:
    """Write the files and say what to do next."""
    if arguments.what == "project":
        return _project(Path(arguments.project or "."), arguments.name)
    return _skill(arguments.project, function_name(arguments.name))


# ---------------------------------------------------------------------------------------------------------------------


def _project(parent: Path, name: str) -> int:
    folder = parent / name
    problem = name_problem(folder.name)
    if problem is not None:
        raise UsageError(f"'{folder.name}' {problem}")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} exists already and is not empty: 'prowess init' makes a project of a folder")
    write_new(folder, {path: text.format(name=folder.name) for path, text in PROJECT.items()})
    print(f"Made {folder}. Try:\n")
    print(f"  cd {shlex.quote(str(folder))}\n  prowess run greet name=Ada\n  prowess list\n  prowess serve")
    return 0


def _skill(project: str | None, name: str) -> int:
    place = locate(project)
    if place.file is not None:
        raise ConfigurationError(f"{place.file} is one file: name a project or folder to write the skill in")
    if place.built is not None:
        message = f"{place.built} is a built file, which nothing is written into: write the skill in its project"
        raise ConfigurationError(message)
    listing = listing_of(project)
    present = listing.find(name)
    if present is not None:
        raise UsageError(f"there is a skill '{name}' already, from {listing.rows[present].source}")
    root = Path(place.root)
    folder, advice = _home(root, bare=place.bare, name=name)
    write_new(folder, {f"{name}.py": SKILL.format(name=name)})
    print(f"Wrote {folder / name}.py.")
    print(advice or f"Try:  prowess run {name} text=hello")
    return 0


def _home(root: Path, *, bare: bool, name: str) -> tuple[Path, str]:
    """Where the project keeps its skills, and what is left to do for one that is written there."""
    if bare:
        return root, ""
    settings = load_settings(root, os.environ)
    if settings.folders:
        return root / settings.folders[0], ""
    packages = [module.removesuffix(".*") for module in settings.modules if module.endswith(".*")]
    if packages:
        return root.joinpath(*packages[0].split(".")), ""
    return root, f"Add \"{name}\" to 'modules' in {root / 'prowess.toml'}, and it is found."
