"""`prowess`: finds the command that is asked for, and turns what goes wrong into a sentence and an exit code.

Exit codes: 0 done, 1 failed or problems found, 2 bad usage, 130 interrupted. Nothing here imports what only one
command needs: `prowess --help` costs little more than starting Python.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

__all__ = ["COMMANDS", "help_text", "main", "project_in"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

COMMANDS = {
    "list": "show the skills and ops of a project",
    "search": "find skills by what you want done",
    "show": "describe one skill: its inputs, output and rights",
    "run": "run a skill with inputs given as key=value",
    "tools": "print tool definitions for a model provider",
    "explain": "show what a model would be offered for a user's words, and why",
    "approvals": "show the calls that wait for a person, and decide about them",
    "audit": "show what calls came to, follow them, and verify that no record was changed",
    "serve": "offer a project's skills over HTTP",
    "build": "write a project's packages and code into one file that many machines serve",
    "lint": "check SKILL.md files, and repair what can be repaired",
    "schema": "print the JSON Schema of a kind of registry document",
    "lock": "write down the digest of every package, or check them",
    "trust": "let a package run what it brings, after a look at it",
    "policy": "try out what policies say, find rules that never fire, compare registry documents",
    "new": "write a new skill, or a new project",
    "init": "make the present folder a project",
    "doctor": "look for problems and say how to mend them",
    "completion": "print a script that completes commands and names in a shell",
}
"""Every command in the order of the help. A test compares this with the modules, which import more than help may."""

_PLAIN = frozenset({"list"})
"""Commands that need no parser where nothing follows their name: they say `run_plain`."""
_BROKEN_PIPE = 141
_INTERRUPTED = 130
_USAGE = 2
_ASCII = frozenset({"ascii", "us-ascii", "ansi_x3.4-1968", "646"})
_HEAD = """\
Usage: prowess [--project PATH] COMMAND ...

Write a skill once; any agent can find it, is allowed exactly what it may do, and runs it to the end.

Commands:
"""
_FOOT = """
Options:
  -C, --project PATH  a project's folder, or a folder or .py file with skills; without it, the
                      nearest folder with a prowess.toml, from here upwards
  --version           print the version
  -h, --help          print this; 'prowess COMMAND --help' says more about a command

Set PROWESS_DEBUG=1 to see where an error comes from.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code. Never raises for what a user can do wrong."""
    _open_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in given
    try:
        try:
            return _dispatch(given)
        finally:
            sys.stdout.flush()
            if arguments is None:
                gc.freeze()  # the process ends: its last search for garbage would be a tenth of `prowess list`
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - where every command ends
        return _complain(error, as_json=as_json)


def help_text() -> str:
    """What `prowess --help` prints."""
    width = max(map(len, COMMANDS)) + 2
    return _HEAD + "".join(f"  {name:{width}}{line}\n" for name, line in COMMANDS.items()) + _FOOT


def project_in(option: str, rest: list[str]) -> str | None:
    """The path of a project option, taken from the next argument where it stands apart; None for another option."""
    if option in {"-C", "--project"}:
        return rest.pop(0) if rest else ""
    head, separator, path = option.partition("=")
    if head == "--project" and separator:
        return path
    return option[2:] if option.startswith("-C") else None


# ---------------------------------------------------------------------------------------------------------------------


def _dispatch(arguments: list[str]) -> int:
    project, rest = None, arguments
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in {"-h", "--help"}:
            print(help_text(), end="")
            return 0
        if option == "--version":
            return _version()
        value = project_in(option, rest)
        if value is None:
            _refuse(f"unknown option {option}", option, ["--help", "--version", "--project", "-C"])
        project = value
    if not rest:
        print(help_text(), end="", file=sys.stderr)
        return _USAGE
    name = rest.pop(0)
    if name not in COMMANDS:
        _refuse(f"there is no command '{name}'", name, list(COMMANDS), project)
    return _run(name, project, rest)


def _run(name: str, project: str | None, arguments: list[str]) -> int:
    if not arguments and name in _PLAIN:
        gc.disable()  # little is made, and none of it is garbage
        plain: Callable[[str | None], int] = import_module(f"prowess.cli.commands.{name}").run_plain
        try:
            return plain(project)
        finally:
            gc.enable()
    from prowess.cli.parsing import CommandParser, load_command  # noqa: PLC0415 - building a parser takes 6 ms

    command = load_command(name)
    return command.run(CommandParser(command).parse(arguments, project))


def _version() -> int:
    from prowess import __version__  # noqa: PLC0415 - looking it up takes longer than all else here

    print(f"prowess {__version__}")
    return 0


def _refuse(problem: str, given: str, known: list[str], project: str | None = None) -> NoReturn:
    from prowess.cli.parsing import refuse_word  # noqa: PLC0415 - only after a mistake

    refuse_word(problem, given, known, project)


def _complain(error: Exception, *, as_json: bool) -> int:
    from prowess.cli.complaints import (  # noqa: PLC0415 - only after a failure
        complaint_of,
        json_complaint_of,
        show_trace,
    )

    show_trace(error)
    text, code = complaint_of(error)
    if as_json:
        print(json_complaint_of(error), flush=True)
    else:
        print(f"prowess: {text}", file=sys.stderr)
    return code


def _open_streams() -> None:
    """Put an empty stream in the place of one that a shell closed, where errors would go to the output.

    No character of a skill's output ends a command because the terminal cannot show it; where a system without a
    language would have us write ASCII alone, UTF-8 is written, or JSON would be none.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            narrow = stream.encoding.lower() in _ASCII
            reconfigure(encoding="utf-8" if narrow else None, errors="backslashreplace")


if __name__ == "__main__":
    raise SystemExit(main())
