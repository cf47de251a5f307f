"""Asking a person at the terminal for the inputs that are missing."""

import sys
from collections.abc import Mapping
from typing import Any

from prowess.cli.inputs import InputsError, parse_value
from prowess.cli.schema_words import fields_of, words_to_type
from prowess.cli.terminal.printing import at_terminal, json_line, safe
from prowess.errors import InvalidSchemaError, Problem
from prowess.execution.validation.problems import describe
from prowess.execution.validation.validator import compile_validator
from prowess.model.schema import Schema

__all__ = ["ask_for_missing"]


def ask_for_missing(inputs: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs with an answer for each required one that is missing; the same where nobody is there to ask.

    An empty answer takes the default, where there is one. The end of the input (Ctrl-D) ends the questions.
    """
    missing = [(name, field) for name, field, required in fields_of(schema, schema) if required and name not in inputs]
    if not missing or not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        return inputs
    answers: dict[str, Any] = {}
    for name, field in missing:
        try:
            answers[name] = _ask(name, field, schema)
        except EOFError:
            break
    return {**inputs, **answers}


def _ask(name: str, field: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if field.get("description"):
        _say(f"{field['description']}\n")
    default = f" [{json_line(field['default'])}]" if "default" in field else ""
    while True:
        _say(f"{name} ({words_to_type(field, root)}){default}: ")
        line = sys.stdin.readline()
        if not line:
            _say("\n")
            raise EOFError
        text = line.rstrip("\r\n")
        if not text and "default" in field:
            return field["default"]
        try:
            value = parse_value(text, field, root)
        except InputsError as problem:
            _say(f"  {problem}\n")
            continue
        problems = _problems(name, value, root)
        if not problems:
            return value
        _say("".join(f"  {describe([problem])}\n" for problem in problems))


def _problems(name: str, value: Any, root: Mapping[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with an answer, as the gate would see it; nothing where its schema only makes sense as a whole."""
    kept = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
    only = {**kept, "type": "object", "properties": {name: root.get("properties", {}).get(name, True)}}
    try:
        return compile_validator(Schema.of(only)).problems({name: value})
    except InvalidSchemaError:
        return ()


def _say(text: str) -> None:
    print(safe(text), end="", file=sys.stderr, flush=True)
