"""Look at what a project lays down: try calls out that nobody makes, find rules that never fire, compare documents.

'simulate' says what the gate would answer to a call, with each reason of each stage; nothing runs. 'conflicts' lists
rules that can never fire, and ends with 1 where there are some. 'diff OLD NEW' compares two generations of registry
documents, and ends with 1 where a version rose too little.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping

from msgspec import to_builtins

from prowess.app.policies.simulation import Simulation, idle_rules, permissions_named, simulate
from prowess.app.project import Project
from prowess.cli import policy_diff
from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import json_line, safe
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.json_value import is_object
from prowess.model.manifest import Autonomy
from prowess.model.permissions import Preset

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "policy"
HELP = "try out what policies say, find rules that never fire, compare registry documents"

_DAY = 24


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess policy`."""
    parser.add_argument("what", choices=[*_COMMANDS], help="what to do")
    policy_diff.add_arguments(parser)
    _add_simulation(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(arguments: Arguments) -> int:
    """Do what was asked for."""
    if (arguments.what == "diff") != (arguments.new is not None):
        raise UsageError("'diff', and it alone, takes OLD and NEW\nSee 'prowess policy --help'.")
    return _COMMANDS[arguments.what](arguments)


# ---------------------------------------------------------------------------------------------------------------------


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("simulate")
    group.add_argument("--actor", help="who calls")
    group.add_argument("--entry", metavar="NAME", help="what is called: name or name@version")
    group.add_argument("--channel", default="cli", help="from where (cli)")
    group.add_argument("--preset", default=str(Preset.TRUSTED), help="the caller's permissions (trusted)")
    levels = [*map(str, Autonomy)]
    group.add_argument("--ceiling", choices=levels, default=levels[-1], help="the caller's autonomy ceiling (L3)")
    group.add_argument("--hour", type=_hour, help="the hour of the day, 0 to 23 (now)")
    group.add_argument("--inputs", type=_inputs, metavar="JSON", help="the call's inputs, held to schema and paths")


def _simulate(arguments: Arguments) -> int:
    if arguments.actor is None or arguments.entry is None:
        raise UsageError("say who calls what: --actor and --entry\nSee 'prowess policy --help'.")
    project = open_quietly(arguments.project)
    book = project.registry.rulebook
    permissions = permissions_named(arguments.preset, book)
    caller = Caller(arguments.actor, arguments.channel, permissions, Autonomy(arguments.ceiling))
    manifest = project.registry.require(*_reference(arguments.entry)).manifest
    hour = time.localtime().tm_hour if arguments.hour is None else arguments.hour
    found = simulate(Question(manifest, caller, hour), book, arguments.inputs)
    _show(arguments, to_builtins(found), _simulation_lines(found))
    return 0


def _conflicts(arguments: Arguments) -> int:
    project = open_quietly(arguments.project)
    report(project.diagnostics)
    found = idle_rules(tuple(project.registry.list()), project.registry.rulebook, _channels(project))
    lines = [f"{one.place or 'rule'}: '{one.rule}' never fires: {one.reason}" for one in found]
    lines = lines or [f"{_counted(len(project.registry.rulebook.rules))}, and each of them can fire."]
    _show(arguments, {"ok": not found, "conflicts": to_builtins(found)}, lines)
    return 1 if found else 0


_COMMANDS: Mapping[str, Callable[[Arguments], int]] = {
    "simulate": _simulate,
    "conflicts": _conflicts,
    "diff": policy_diff.run,
}


def _show(arguments: Arguments, value: object, lines: Iterator[str] | list[str]) -> None:
    if arguments.json:
        print(json_line(value))
    else:
        for line in lines:
            print(safe(line))


def _simulation_lines(found: Simulation) -> Iterator[str]:
    caller = f"'{found.actor}' ({found.level}, {found.ceiling}, {found.channel}, {found.hour}:00)"
    yield f"{found.entry} for {caller}: {found.verdict}"
    for stage in found.stages:
        place = f" ({stage.place})" if stage.place else ""
        yield f"  {stage.verdict:5}  {stage.stage}{place}"
        yield from (f"           {reason.message}" for reason in stage.reasons)
    yield from (f"  note   {reason.message}" for reason in found.notices)


def _counted(rules: int) -> str:
    return f"{rules} rule{'' if rules == 1 else 's'}"


def _channels(project: Project) -> tuple[str, ...]:
    return () if project.policies is None else project.policies.channels


def _reference(text: str) -> tuple[str, str | None]:
    name, at, version = text.partition("@")
    return name, version if at else None


def _hour(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < _DAY):
        message = f"'{text}' is no hour: 0 to 23"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _inputs(text: str) -> Mapping[str, object]:
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is not JSON: {error}") from None
    if not is_object(value):
        message = 'inputs are a JSON object: \'{"query": "rust"}\''
        raise argparse.ArgumentTypeError(message)
    return value
