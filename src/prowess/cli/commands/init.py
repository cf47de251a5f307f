"""Make a folder a project: write its prowess.toml, never over one that is there.

Python files in the folder that import prowess become its modules; new skills go into its folder 'skills'.
"""

import argparse
import json
from pathlib import Path

from prowess.catalog.folders import python_files, uses_prowess
from prowess.catalog.places import SETTINGS
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.scaffold import SETTINGS_TEXT, write_new

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "init"
HELP = "make the present folder a project"

_README = "Each function with `@skill` or `@op` in a .py file here is found. `prowess new skill NAME` writes one.\n"


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess init`: nothing."""


def run(arguments: Arguments) -> int:
    """Write the file and say what to do next."""
    folder = Path(arguments.project or ".").resolve()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}: 'prowess new project NAME' makes one")
    found = [Path(file).stem for file in python_files(str(folder)) if uses_prowess(file)]
    modules = [stem for stem in found if stem.isidentifier()]
    code = (f"modules = {json.dumps(modules)}\n" if modules else "") + 'folders = ["skills"]'
    write_new(folder, {SETTINGS: SETTINGS_TEXT.format(name=_in_quotes(folder.name), code=code)})
    if not (folder / "skills").is_dir():
        write_new(folder / "skills", {"README.md": _README})  # git keeps no empty folder
    print(f"Wrote {folder / SETTINGS}.")
    for stem in found:
        if stem not in modules:
            print(f"Left out: {stem}.py, whose name cannot be imported. Rename it, and add it to 'modules'.")
    if modules:
        print(f"Its modules: {', '.join(modules)}. Try:  prowess list")
    else:
        print("Skills go into its folder 'skills'. Try:  prowess new skill NAME")
    return 0


def _in_quotes(text: str) -> str:
    """The text as it stands between the quotes of a TOML string."""
    return json.dumps(text.encode(errors="replace").decode(), ensure_ascii=False)[1:-1]
