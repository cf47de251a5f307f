"""Run a skill and print its output: text as it is, everything else as JSON.

Inputs are key=value pairs, read by what the skill's schema says:

  limit=10 flag=true        a number, a truth value
  tags=a,b                  a list; also tags='["a","b"]', or tags=a tags=b
  address.street='Elm 1'    a field of an object
  query=10                  stays text where the schema says text
  text@=notes.md            the text of a file; text@=- reads standard input

--input takes a JSON object from a file, or '-' for standard input; pairs go over it. What is missing is asked for at
a terminal. Log lines, progress, and what the skill prints go to standard error.

At a terminal a stream is shown as it comes: pieces of text one after the other, others on a line each. Into a pipe it
is a list at the end, or with --stream its pieces as they come, as JSON on a line each.
"""

import argparse
import os
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from prowess.app.project import Project
from prowess.app.runtime import Runtime
from prowess.cli.complaints import show_trace, told_of_call
from prowess.cli.inputs import InputsError, parse_pairs, read_document
from prowess.cli.opening import open_quietly, output_to_errors, report
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.straight import needs_loop, run_straight
from prowess.cli.terminal.approving import approver
from prowess.cli.terminal.asking import ask_for_missing
from prowess.cli.terminal.printing import at_terminal, complain, json_line, pretty_json, safe
from prowess.cli.terminal.watching import Pieces, Watcher
from prowess.errors import ExecutionFailedError
from prowess.execution.eventloop import asyncio
from prowess.model.caller import Caller
from prowess.model.json_value import Json
from prowess.model.result import Result
from prowess.registry.entry import Entry

if TYPE_CHECKING:
    from prowess.app.records.stores import ProjectRecords, Store

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "run"
HELP = "run a skill with inputs given as key=value"

_CALLER = Caller("local", "cli")
_FOREVER = 1e9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess run`."""
    parser.add_argument("name", metavar="NAME", help="the skill: name, or name@version with a version or constraint")
    parser.add_argument("inputs", metavar="KEY=VALUE", nargs="*", help="an input")
    parser.add_argument("--input", metavar="FILE", help="inputs as a JSON object; '-' reads standard input")
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="give up after this time")
    parser.add_argument("--stream", action="store_true", help="print the pieces of a stream as they come, as JSON")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")


def run(arguments: Arguments) -> int:
    """Run the skill; 1 where it is refused or fails."""
    ours = frozenset(sys.modules)
    project = open_quietly(arguments.project)
    entry = project.registry.get(arguments.name)
    if entry is None:
        report(project.diagnostics)  # the skill may be what failed to load
        entry = project.registry.require(arguments.name)
    schema = entry.parameters
    inputs = ask_for_missing(_inputs(arguments, schema), schema)
    timeout = arguments.timeout or project.settings.runtime.timeout
    pieces = Pieces.JSON if arguments.stream else Pieces.NONE if arguments.json else Pieces.TEXT
    with output_to_errors() as output:
        watcher = Watcher(entry.name, pieces, output)
        try:
            looped = (
                timeout is not None
                or project.audit == "sync"
                or needs_loop(entry, project.registry, project.place.root, ours)
            )
            call = _call(project, entry, inputs, timeout, watcher, stoppable=looped)
            result = _on_loop(call) if looped else run_straight(call)
        except GeneratorExit as failure:  # a handler's own, which the gate cannot tell from the end of a coroutine
            raise ExecutionFailedError(f"{entry.name}: GeneratorExit", details={"name": entry.name}) from failure
        finally:
            watcher.close()
    if arguments.json:
        print(json_line(result.to_json()))
    elif result.error is None:
        _show_output(result.output, streamed=watcher.streamed, as_line=arguments.stream)
    else:
        show_trace(result.error)
        complain(f"prowess: {safe(told_of_call(result.error, project.place.root))}")
    report(project.loading)
    return 0 if result.ok else 1


# ---------------------------------------------------------------------------------------------------------------------


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < _FOREVER:
        raise argparse.ArgumentTypeError(f"expected seconds, above 0 and below {_FOREVER:.0f}, got '{text}'")
    return seconds


def _inputs(arguments: Arguments, schema: dict[str, Any]) -> dict[str, Any]:
    try:
        given = read_document(arguments.input) if arguments.input else {}
        return parse_pairs(arguments.inputs, schema, given)
    except InputsError as problem:
        raise UsageError(f"{problem}\nSee 'prowess show {arguments.name}'.", "invalid_input") from None


async def _call(
    project: Project,
    entry: Entry,
    inputs: dict[str, Any],
    timeout: float | None,
    watcher: Watcher,
    *,
    stoppable: bool,
) -> Result:
    opened: list[ProjectRecords] = []

    def store() -> "Store":
        opened.append(project.records(os.environ))
        return opened[-1].store

    runtime = Runtime(
        project.registry,
        engine=project.settings.runtime.engine,
        stoppable=stoppable,
        approver=approver(),
        store=store,
        audit=project.audit,
    )
    try:
        async with project.registry, runtime:
            runtime.subscribe(watcher, starts=True)
            return await runtime.run(entry, inputs, caller=_CALLER, timeout=timeout)
    finally:
        for records in opened:
            records.close()


def _on_loop(call: Coroutine[Any, Any, Result]) -> Result:
    """The result of a call that may wait; only such a call imports asyncio."""
    return asyncio.run(call)


def _show_output(output: Json, *, streamed: bool, as_line: bool) -> None:
    """Text as it is, but for what would steer a terminal where one shows it; anything else as JSON."""
    if streamed:
        return
    text = json_line(output) if as_line else output if isinstance(output, str) else pretty_json(output)
    text = safe(text) if at_terminal(sys.stdout) else text
    print(text, end="" if text.endswith("\n") else "\n")
