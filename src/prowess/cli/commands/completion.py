"""Print a script that completes commands, options, the names of skills, and their inputs.

bash:  mkdir -p ~/.local/share/bash-completion/completions
       prowess completion bash > ~/.local/share/bash-completion/completions/prowess
zsh:   mkdir -p ~/.zfunc      (a folder that is in $fpath)
       prowess completion zsh > ~/.zfunc/_prowess
fish:  mkdir -p ~/.config/fish/completions
       prowess completion fish > ~/.config/fish/completions/prowess.fish

With WORDS, which the script gives after '--', it prints what may stand behind them instead.
"""

import argparse
import json
import os
from collections.abc import Iterator

import shtab

from prowess.cli.main import COMMANDS, project_in
from prowess.cli.opening import listing_of
from prowess.cli.parsing import Arguments, declare, load_command
from prowess.cli.schema_words import fields_of

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "completion"
HELP = "print a script that completes commands and names in a shell"

_SHELLS = ("bash", "zsh", "fish")
_HEAD = """\
# Completes prowess in {shell}. Made by 'prowess completion {shell}', which says where to put it ('--help').
"""
_BASH_HEAD = """
_prowess_words() {
  compgen -W "$(prowess completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- $1
}
"""
_BASH_COMPLETE = "complete -o bashdefault -F _shtab_prowess prowess"
_BASH_FOOT = """\
_prowess() {
  _shtab_prowess "$@"
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -F _prowess prowess"""
_ZSH_HEAD = """
_prowess_words() {
  local -a typed
  typed=(${(z)${:-${LBUFFER}x}})
  compadd "$@" -- $(prowess completion zsh -- ${typed[2,-2]} 2>/dev/null)
}
_prowess_inputs() {
  _prowess_words "$@" -S ''
}
"""
_FISH = "(prowess completion fish -- (commandline -opc)[2..-1] 2>/dev/null)"
_HEADS = {"bash": _BASH_HEAD, "zsh": _ZSH_HEAD}
_NAMES: dict[str, object] = {"bash": "_prowess_words", "zsh": "_prowess_words", "fish": _FISH, "preamble": _HEADS}
_INPUTS: dict[str, object] = {**_NAMES, "zsh": "_prowess_inputs"}
_COMPLETED: dict[str, object] = {
    "name": _NAMES,
    "inputs": _INPUTS,
    "input": shtab.FILE,
    "path": shtab.FILE,
    "project": shtab.FILE,
}
"""What stands for an argument's values, by its name."""
_NAMED = {"show", "run", "trust"}
"""The commands whose name is that of an entry."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help="for which shell: bash, zsh or fish")
    parser.add_argument("words", metavar="WORDS", nargs="*", help=argparse.SUPPRESS)


def run(arguments: Arguments) -> int:
    """Print the script, or what may stand behind the words of a command line."""
    if arguments.words:
        print("".join(f"{word}\n" for word in _next(arguments.words)), end="")
        return 0
    made = shtab.complete(_whole_parser(), arguments.shell).replace(_BASH_COMPLETE, _BASH_FOOT)
    first = "#compdef prowess\n" if arguments.shell == "zsh" else ""  # which zsh wants at the top
    script = made.removeprefix(f"{first}\n").partition("\n\n")[2]  # without a head that names other places
    print(f"{first}{_HEAD.format(shell=arguments.shell)}\n{script}")
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _next(words: list[str]) -> Iterator[str]:
    """The names of entries behind a command that takes one, and the inputs of one behind its name."""
    project: str | None = None
    given: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        value = project_in(word, left) if word.startswith("-") else None
        if value is not None:
            project = os.path.expanduser(value)
        elif not word.startswith("-"):
            given.append(word)
    if not given or given[0] not in _NAMED:
        return
    listing = listing_of(project)
    if len(given) == 1:
        yield from listing.names
    position = listing.find(given[1].partition("@")[0]) if given[1:] and given[0] == "run" else None
    if position is not None:
        taken = {word.partition("=")[0] for word in given[2:]}
        fields = fields_of(json.loads(listing.manifests[position])["input_schema"])
        yield from (f"{name}=" for name, _, _ in fields if name not in taken)


def _whole_parser() -> argparse.ArgumentParser:
    """One parser for all commands, made for the sake of its description only."""
    whole = argparse.ArgumentParser(prog="prowess")
    whole.add_argument("--version", action="store_true", help="print the version")
    whole.add_argument("-C", "--project", metavar="PATH", help="the project")
    commands = whole.add_subparsers()
    parsers = {"": whole}
    for name, line in COMMANDS.items():
        parsers[name] = commands.add_parser(name, help=line)
        declare(parsers[name], load_command(name))
    for name, parser in parsers.items():
        for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its arguments
            if action.dest in _COMPLETED and (action.dest != "name" or name in _NAMED):
                action.complete = _COMPLETED[action.dest]  # type: ignore[attr-defined]
    return whole
