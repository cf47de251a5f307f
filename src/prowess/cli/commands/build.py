"""Write a project's packages and code into one file, which 'prowess serve FILE' serves on any machine.

The same project gives the same file, to the byte. The packages of the person who builds it stay at home; data files of
the project go along where [build] include in prowess.toml names them.
"""

import argparse
import os
import shlex

from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments
from prowess.cli.terminal.printing import complain, json_line, safe

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "build"
HELP = "write a project's packages and code into one file that many machines serve"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess build`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (NAME.prowess, after the project)")
    parser.add_argument("--json", action="store_true", help="print what was built as JSON")


def run(arguments: Arguments) -> int:
    """Write the file; 1 where something of the project did not load, since the file would lack it."""
    project = open_quietly(arguments.project, {**os.environ, "PROWESS_SKILLS_USER": "false"})
    report(project.diagnostics)
    built = project.build(arguments.output or f"{project.name}.prowess")
    if arguments.json:
        print(json_line(built))
    else:
        held = f"{_counted(built.packages, 'package')}, {_counted(built.modules, 'module')}, {built.size:,} bytes"
        print(safe(f"Built {built.path}: {held}."))
        print(f"sha256:{built.digest}")
        print(safe(f"Serve it with: prowess serve {shlex.quote(built.path)}"))
    missing = sum(one.severity == "error" for one in project.diagnostics)
    if missing:
        complain(f"What did not load is not in it: {_counted(missing, 'problem')}.")
    return 1 if missing else 0


# ---------------------------------------------------------------------------------------------------------------------


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
