"""Write down the packages of a project, each with the digest of all its files, in prowess.lock.

With --check nothing is written: it ends with 1 where a package came, went, or has other files than when it was locked.
Packages in the user's own folders are not in it.
"""

import argparse
import os
from collections.abc import Iterator

from msgspec.structs import asdict

from prowess.app.packages.pins import locked_packages
from prowess.catalog.index_format import read_file, replace_file
from prowess.catalog.pinning.lockfile import LOCK, Drift, drifts, read_lock, write_lock
from prowess.catalog.pinning.remarks import remarks
from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments
from prowess.cli.terminal.printing import complain, json_line, safe
from prowess.errors import ConfigurationError

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "lock"
HELP = "write down the digest of every package, or check them"

_MARKS = {"added": "+", "removed": "-", "changed": "~"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess lock`."""
    parser.add_argument("--check", action="store_true", help="write nothing, and end with 1 where something differs")
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(arguments: Arguments) -> int:
    """Write the lock file, or compare it."""
    project = open_quietly(arguments.project)
    if project.built is not None:
        message = "a built file is pinned as a whole, by the digest that 'prowess build' printed: lock its project"
        raise ConfigurationError(message)
    report(project.diagnostics)
    path = os.path.join(project.place.root, LOCK)
    present = locked_packages(project.registry.packages.entries)
    if arguments.check:
        return _check(path, drifts(read_lock(_read(path), path), present), as_json=arguments.json)
    data = write_lock(present).encode()
    if read_file(path) != data:
        replace_file(path, data)
    if arguments.json:
        print(json_line({"file": path, "packages": len(present)}))
    else:
        print(safe(f"{path}: {len(present)} package{'' if len(present) == 1 else 's'}"))
    return 0


# ---------------------------------------------------------------------------------------------------------------------


def _check(path: str, found: tuple[Drift, ...], *, as_json: bool) -> int:
    if as_json:
        print(json_line({"ok": not found, "file": path, "packages": [asdict(one) for one in found]}))
    else:
        for line in _lines(found):
            print(safe(line))
        if found:
            complain("Look at what changed, then say 'prowess lock'.")
    return 1 if found else 0


def _lines(found: tuple[Drift, ...]) -> Iterator[str]:
    if not found:
        yield "Every package is as it was locked."
    for drift in found:
        yield f"{_MARKS[drift.how]} {drift.name}: {drift.how}"
        for change in drift.files:
            yield f"    {_MARKS[change.how]} {change.what}"
        for change in drift.fields:
            yield f"    {change.what} changed"
        yield from (f"    {remark}" for remark in remarks(one.what for one in drift.files if one.how != "removed"))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        raise ConfigurationError(f"there is no {path}: 'prowess lock' writes it", details={"file": path}) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is no UTF-8 text: 'prowess lock' writes it anew") from None
