"""Describe one entry: what it does, its inputs and output, what it calls and what it may do.

NAME may be name@version, where the version may be a constraint: 'notes@^1.2'.
"""

from __future__ import annotations

import json

from prowess.cli.examples import example_inputs
from prowess.cli.opening import listing_of, open_quietly, report
from prowess.cli.schema_words import fields_of, object_in, words_for
from prowess.cli.terminal.printing import safe

__all__ = ["HELP", "NAME", "add_arguments", "run"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Mapping
    from typing import Any

    from prowess.cli.parsing import Arguments

NAME = "show"
HELP = "describe one skill: its inputs, output and rights"

_DEEPEST = 4
_HARMLESS = str.maketrans("", "", "-._/:@")
_LISTS = {
    "tags": "Tags",
    "capabilities": "Capabilities",
    "side_effects": "Side effects",
    "policy_tags": "Policy",
    "owners": "Owners",
    "examples": "Examples",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what may follow `prowess show`."""
    parser.add_argument("name", metavar="NAME", help="the entry: name or name@version")
    parser.add_argument("--json", action="store_true", help="print the manifest as JSON")


def run(arguments: Arguments) -> int:
    """Print one entry's manifest."""
    text = _manifest(arguments.project, arguments.name)
    print(text if arguments.json else "\n".join(_described(json.loads(text))))
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _manifest(project: str | None, name: str) -> str:
    """The entry's manifest as JSON: from the listing, or from the registry, which understands constraints and ids."""
    listing = listing_of(project)
    position = listing.find(name)
    if position is not None:
        return listing.manifests[position]
    from prowess.app.listing import entry_text  # noqa: PLC0415 - the listing answers nearly always

    opened = open_quietly(project)
    entry = opened.registry.get(name)
    if entry is None:
        report(opened.diagnostics)  # it may be what failed to load
        entry = opened.registry.require(name)
    return entry_text(entry)


def _described(manifest: dict[str, Any]) -> Iterator[str]:
    version = f" {manifest['version']}" if manifest.get("version") else ""
    yield safe(f"{manifest['name']}{version}  ({manifest['kind']}, {manifest['status']}, from {manifest['source']})")
    if manifest.get("description"):
        yield from ("", safe(manifest["description"]))
    yield ""
    inputs = manifest["input_schema"]
    yield "Inputs:" if fields_of(inputs) else "Inputs: none"
    yield from _fields(inputs)
    output = manifest.get("output_schema")
    if output:
        yield f"Output: {safe(words_for(output, output))}"
        yield from _fields(output)
    yield from (f"{title}: {safe(text)}" for title, text in _facts(manifest))
    words = _example(manifest)
    if words is not None:
        yield from ("", f"Try:  {safe(words)}")


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    rows = list(_rows(schema, schema))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    for name, kind, described in rows:
        yield safe(f"{name:{widths[0]}}  {kind:{widths[1]}}  {' '.join(described.split())}").rstrip()


def _rows(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int = 1) -> Iterator[tuple[str, str, str]]:
    """A row for each field of an object, and, indented, for the fields of the objects inside."""
    inside = object_in(schema, root)
    for name, field, required in fields_of(inside, root) if inside is not None else ():
        yield "  " * depth + name, _type(field, root, required=required), str(field.get("description", ""))
        if depth < _DEEPEST:
            yield from _rows(field, root, depth + 1)


def _type(field: Mapping[str, Any], root: Mapping[str, Any], *, required: bool) -> str:
    if "default" in field:
        return f"{words_for(field, root)}, otherwise {json.dumps(field['default'], ensure_ascii=False)}"
    return words_for(field, root) + ("" if required else ", optional")


def _facts(manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if manifest.get("deprecation"):
        yield "Deprecated", _deprecation(manifest["deprecation"])
    for key, title in _LISTS.items():
        if manifest.get(key):
            yield title, ", ".join(str(item) for item in manifest[key])
    yield from _of_package(manifest)
    if manifest.get("targets"):
        yield "Calls", ", ".join(_target(target) for target in manifest["targets"])
    yield "Autonomy", manifest.get("autonomy", "L3")
    yield from ((flag.capitalize(), "yes") for flag in ("destructive", "idempotent") if manifest.get(flag))
    yield from _limits(manifest.get("limits") or {})
    for mode in manifest.get("failure_modes", ()):
        again = " (may succeed when tried again)" if mode.get("retryable") else ""
        yield f"Fails with {mode['code']}", mode.get("description", "") + again


def _limits(limits: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if limits.get("timeout"):
        yield "Time limit", f"{limits['timeout']:g} s"
    if limits.get("max_per_minute"):
        yield "Calls a minute", str(limits["max_per_minute"])


def _of_package(manifest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((key.capitalize(), manifest[key]) for key in ("author", "license") if manifest.get(key))
    tools = manifest.get("extra", {}).get("allowed-tools")
    if tools:
        yield "Allowed tools", ", ".join(map(str, tools))


def _target(target: str | dict[str, Any]) -> str:
    if isinstance(target, str):
        return target
    return f"{target['name']}@{target['version']}" if target.get("version") else str(target["name"])


def _deprecation(found: dict[str, Any]) -> str:
    told = (("replaced_by", "use {} instead"), ("removal_version", "refused from {}"), ("migration", "{}"))
    return "; ".join(text.format(found[key]) for key, text in told if found.get(key))


def _example(manifest: dict[str, Any]) -> str | None:
    """A command that runs the entry; None where there is no example of its inputs, or it does not run."""
    inputs = example_inputs(manifest["input_schema"])
    if inputs is None or manifest["status"] == "disabled" or manifest["autonomy"] == "L0":
        return None
    return " ".join(["prowess run", manifest["name"], *(_word(name, value) for name, value in inputs.items())])


def _word(name: str, value: object) -> str:
    """An input as a word of a shell's command line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if not name.translate(_HARMLESS).isalnum():
        return _quoted(f"{name}={text}")
    return f"{name}={text if text.translate(_HARMLESS).isalnum() else _quoted(text)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
