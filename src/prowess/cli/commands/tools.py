"""Print the tool definitions of a project's ops and skills, as a model provider takes them.

The output is JSON. With --strict, definitions follow the provider's strict mode where they can. What cannot be made
strict, and what the provider would refuse, is reported on standard error.
"""

import argparse
import json

from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import complain, pretty_json, safe
from prowess.errors import ConfigurationError

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "tools"
HELP = "print tool definitions for a model provider"

_FORMATS = ("openai", "openai-responses", "anthropic", "gemini", "mcp")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess tools`."""
    parser.add_argument("--format", choices=_FORMATS, default="openai", help="whose form (openai, where none is given)")
    parser.add_argument("--strict", action="store_true", help="follow the provider's strict mode")
    parser.add_argument("--json", action="store_true", help="print on one line")


def run(arguments: Arguments) -> int:
    """Print the definitions; 0 even where some could not be made strict."""
    project = open_quietly(arguments.project)
    try:
        tools = project.registry.toolset(arguments.format, strict=arguments.strict)
    except ConfigurationError as error:  # a format without a strict mode
        raise UsageError(error.message) from None
    text = tools.json.decode()
    print(text if arguments.json else pretty_json(json.loads(text)))
    for note in tools.report:
        complain(safe(str(note)))
    report(project.diagnostics)
    return 0
