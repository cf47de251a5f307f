"""The parser of one command, whose complaints say what was probably meant."""

from __future__ import annotations

import argparse
import re
from importlib import import_module

from prowess.cli.opening import is_kept
from prowess.cli.terminal.printing import columns

__all__ = ["Arguments", "CommandParser", "UsageError", "declare", "load_command", "refuse_word", "whole_number"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, NoReturn, Protocol

    class Command(Protocol):
        """A module in `prowess.cli.commands`."""

        NAME: str
        HELP: str
        __doc__: str | None

        def add_arguments(self, parser: argparse.ArgumentParser, /) -> None:
            """Declare what may follow the command's name."""

        def run(self, arguments: Arguments, /) -> int:
            """Carry the command out and give its exit code."""
            ...


_CHOICE = r"argument (.+?): invalid choice: '(.*)' \(choose from (.*)\)"
_DIGITS = 15
_MISSING = "the following arguments are required: "


class UsageError(Exception):
    """A command line that cannot be carried out as it was typed: exit code 2."""

    def __init__(self, message: str, code: str = "bad_usage") -> None:
        super().__init__(message)
        self.code = code


class Arguments(argparse.Namespace):
    """What a command was given: an attribute for each of its arguments, and `project`."""

    project: str | None


def refuse_word(problem: str, given: str, known: Iterable[str], project: str | None) -> NoReturn:
    """Raise `UsageError` for what stands in the place of a command, with what was probably meant."""
    hint = _hint(given, known)
    if not given.startswith("-") and is_kept(project, given):
        hint = f", but a skill of that name: did you mean 'prowess run {given}'?"
    raise UsageError(f"{problem}{hint}\nSee 'prowess --help'.")


def load_command(name: str) -> Command:
    """The module of a command."""
    command: Any = import_module(f"prowess.cli.commands.{name}")
    found: Command = command
    return found


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """What reads an option's whole number."""
    bounds = f"from {least}" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        fits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
        if not fits or not least <= int(text) <= (int(text) if most is None else most):
            raise argparse.ArgumentTypeError(f"expected a whole number {bounds}, got '{text}'")
        return int(text)

    return read


def declare(parser: argparse.ArgumentParser, command: Command) -> None:
    """Add a command's arguments to a parser, and those that all commands take."""
    parser.add_argument(
        "-C", "--project", metavar="PATH", help="a project, a folder or .py file with skills, or a built file"
    )
    command.add_arguments(parser)


class CommandParser(argparse.ArgumentParser):
    """Reads the arguments of one command."""

    def __init__(self, command: Command) -> None:
        super().__init__(
            prog=f"prowess {command.NAME}",
            description=command.__doc__,
            formatter_class=_HelpFormatter,
            allow_abbrev=False,
        )
        declare(self, command)

    def parse(self, given: Sequence[str], project: str | None) -> Arguments:
        """The arguments; an option may stand anywhere between the others. Raises `UsageError`."""
        arguments = Arguments(project=None)
        _, left = self.parse_known_args(given, arguments)
        unknown = [text for text in left if text.startswith("-") and text != "-"]
        if unknown:
            option = unknown[0].partition("=")[0]
            hint = _hint(option, self._option_string_actions, self._as_input(option))
            self.error(f"there is no option {option}{hint}")
        if left and not hasattr(arguments, "inputs"):
            self.error(f"'{left[0]}' is one argument too many")
        if left:
            arguments.inputs = [*arguments.inputs, *left]
        if arguments.project is None:
            arguments.project = project
        return arguments

    def error(self, message: str) -> NoReturn:
        """Complain about the command line."""
        match = re.fullmatch(_CHOICE, message, re.DOTALL)
        if match:
            what, given, known = match.groups()
            names = re.findall(r"'([^']*)'|([\w-]+)", known)
            choices = [quoted or bare for quoted, bare in names]
            place = f"{what}: " if what.startswith("-") else ""
            message = f"{place}'{given}' is none of {', '.join(choices)}{_hint(given, choices)}"
        if message.startswith(_MISSING):
            message = " and ".join(self._missing(message.removeprefix(_MISSING).split(", ")))
        raise UsageError(f"{message}\nSee '{self.prog} --help'.")

    def _missing(self, names: list[str]) -> Iterator[str]:
        """What each argument is that is required and not given; argparse also names those that may be left out."""
        for action in self._actions:
            shown = str(action.metavar or action.dest)
            if shown in names and action.nargs not in {"*", "?"}:
                choices = f", one of {', '.join(action.choices)}" if action.choices else ""
                yield f"{shown.upper()} is missing{choices}"

    def _as_input(self, option: str) -> str:
        return f"; inputs are written {option.lstrip('-')}=value" if self.prog == "prowess run" else ""


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal; left to itself it imports a module to learn that, even where no help is shown."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)


def _hint(given: str, known: Iterable[str], otherwise: str = "") -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only after a mistake

    near = get_close_matches(given, list(known), 1)
    return f", did you mean '{near[0]}'?" if near else otherwise
