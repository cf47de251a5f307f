"""Offer a project's skills over HTTP until Ctrl-C.

PATH is a project's folder, a folder of .py files or packages, one .py file, or what 'prowess build' made.

Requests need the API key, which is made at the first start and kept in ~/.prowess/apikeys/PORT.key; PROWESS_API_KEY
replaces it.
"""

import argparse
import json
import shlex
from collections.abc import Callable
from importlib import import_module

from msgspec.structs import replace

from prowess.app.importing import installing
from prowess.app.listing import keep_listing
from prowess.app.project import Project
from prowess.catalog.listing import Listing
from prowess.cli.examples import example_inputs
from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, whole_number
from prowess.errors import MissingExtraError
from prowess.server.door.keys import VARIABLE, ApiKey

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "serve"
HELP = "offer a project's skills over HTTP"

_PORTS = 65_535
_NOT_WATCHED = "Nothing is reloaded when it changes: start again for that."
_RUN_AT_ONCE = {"L2", "L3"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess serve`."""
    parser.add_argument("path", metavar="PATH", nargs="?", help="what to serve, in place of --project")
    parser.add_argument("--host", help="the address to listen on (127.0.0.1)")
    parser.add_argument(
        "--port", type=whole_number(0, _PORTS), help="the port to listen on (8765); 0 takes any free one"
    )
    parser.add_argument("--allow-remote", action="store_true", help="accept an address that other machines can reach")


def run(arguments: Arguments) -> int:
    """Serve until a signal; 0 after a clean end."""
    start = _starter()
    project = open_quietly(arguments.path or arguments.project)
    wanted = {"host": arguments.host, "port": arguments.port, "allow_remote": arguments.allow_remote or None}
    given = {name: value for name, value in wanted.items() if value is not None}
    project.settings = replace(project.settings, server=replace(project.settings.server, **given))
    listing = keep_listing(project)
    report(listing.diagnostics)
    watched = project.settings.server.watch and project.built is None
    start(project, lambda url, key: print(_greeting(listing, url, key, watched=watched), flush=True))
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _starter() -> Callable[[Project, Callable[[str, ApiKey], None]], None]:
    """The function that serves; raises `MissingExtraError` where what it needs is not installed."""
    try:
        module = import_module("prowess.server.serving")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("prowess"):
            raise
        message = f"the server needs {error.name}, which is not installed: {installing('server')}"
        raise MissingExtraError(message, details={"extra": "server"}) from None
    start: Callable[[Project, Callable[[str, ApiKey], None]], None] = module.serve
    return start


def _greeting(listing: Listing, url: str, key: ApiKey, *, watched: bool) -> str:
    """Where we are, and what to try next; the key is named by its place, never shown."""
    count = sum(one.severity != "note" for one in listing.diagnostics)
    problems = f", {count} problem{'s' if count > 1 else ''}" if count else ""
    url = url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
    secret = f"${VARIABLE}" if key.place == VARIABLE else f"$(cat {shlex.quote(key.place)})"
    header = '-H "Authorization: Bearer $KEY"'
    call = _example(listing)
    lines = [
        f"Prowess serves {listing.name or 'skills'} on {url}: {_entries(len(listing.rows))}{problems}.",
        f"The API key is in {key.place}. Try in another terminal:",
        "",
        f"  KEY={secret}",
        f"  curl {header} {url}/v1/skills",
        f"  curl {header} '{url}/v1/tools?format=openai'",
        *([f"  curl {header} -H 'Content-Type: application/json' {call[1]} {url}{call[0]}"] if call else []),
        f"  curl {url}/health",
        "",
        "Packages are reloaded as they change, Python code is not: start again for that." if watched else _NOT_WATCHED,
        "Ctrl-C ends it.",
    ]
    return "\n".join(lines)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _example(listing: Listing) -> tuple[str, str] | None:
    """The path and the data of a call that may be pasted without a second thought; None where there is none such.

    One without side effects is preferred, and a skill to an op.
    """
    found = [call for position in range(len(listing.rows)) if (call := _call(listing, position)) is not None]
    best = min(found, key=lambda call: call[0], default=None)
    return None if best is None else best[1:]


def _call(listing: Listing, position: int) -> tuple[tuple[bool, bool], str, str] | None:
    """A call of one entry, with what speaks against it first; None where it must not be pasted, or would not run."""
    row = listing.rows[position]
    if not row.latest or row.status != "enabled" or row.kind == "pipeline":
        return None
    manifest = json.loads(listing.manifests[position])
    inputs = example_inputs(manifest["input_schema"])
    if inputs is None or manifest.get("destructive") or manifest["autonomy"] not in _RUN_AT_ONCE:
        return None
    body = shlex.quote(json.dumps({"inputs": inputs}, ensure_ascii=False))
    return (bool(manifest.get("side_effects")), row.kind == "op"), f"/v1/skills/{row.name}/run", f"-d {body}"
