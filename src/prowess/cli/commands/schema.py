"""Print the JSON Schema of a kind of registry document, so that an editor completes and checks it.

Write "$schema": "PATH" into a document, or name the file in the editor's settings.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from prowess.cli.parsing import Arguments

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "schema"
HELP = "print the JSON Schema of a kind of registry document"

_KINDS = ("skills", "ops", "capabilities", "overlay")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess schema`."""
    parser.add_argument("kind", metavar="KIND", choices=_KINDS, help="{skills,ops,capabilities,overlay}")


def run(arguments: Arguments) -> int:
    """Print the schema that came with the package."""
    file = files("prowess.documents") / "schemas" / f"{arguments.kind}.json"
    print(file.read_text(encoding="utf-8"), end="")
    return 0
