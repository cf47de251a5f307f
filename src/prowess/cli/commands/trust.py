"""Trust a package: what it brings to run (scripts, injected commands) may run once you do.

It is shown what the package holds or, where you trusted it before, what changed since. Trust is bound to the digest of
all its files and kept in ~/.prowess/trust. Packages in your own folders and installed ones are trusted by themselves.
"""

import argparse
import sys
from collections.abc import Iterator

from prowess.app.packages.folder_package import FolderPackage, package_of
from prowess.app.packages.pins import digest_now, digest_of_package, texts_of_package, trust_store
from prowess.catalog.pinning.digest import PackageDigest
from prowess.catalog.pinning.remarks import remarks
from prowess.catalog.pinning.trust import Trusted, TrustStore, changed_files, changes_since, is_trusted
from prowess.cli.opening import open_quietly, report
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import at_terminal, complain, json_line, print_table, safe
from prowess.model.verdict import Allow

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "trust"
HELP = "let a package run what it brings, after a look at it"

_MOST_SHOWN = 400
_MOST_NAMED = 3
_YES = frozenset({"y", "yes"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess trust`."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="the package")
    parser.add_argument("--yes", action="store_true", help="trust it without being asked")
    parser.add_argument("--revoke", action="store_true", help="trust it no longer")
    parser.add_argument("--list", action="store_true", help="show what is trusted, and what changed since")
    parser.add_argument("--json", action="store_true", help="with --list, print a JSON object")


def run(arguments: Arguments) -> int:
    """Show, ask, and keep the answer; 1 where the package is not trusted afterwards."""
    store = trust_store()
    if arguments.list and (arguments.name or arguments.yes or arguments.revoke):
        raise UsageError("--list shows all that is trusted: it takes no name, and nothing besides --json")
    if arguments.list:
        return _list(store, as_json=arguments.json)
    if arguments.name is None:
        raise UsageError("name a package, or say --list\nSee 'prowess trust --help'.")
    if arguments.revoke:
        return _revoke(store, arguments.name)
    package = _package(arguments.project, arguments.name)
    pinned = digest_of_package(package)
    known = store.find(pinned.digest) is not None
    if isinstance(is_trusted(package.name, package.level, known=known), Allow):
        why = "as it is" if known else f"by itself: it is one of the {package.level}'s own"
        print(safe(f"'{package.name}' is trusted {why} ({pinned.digest})."))
        return 0
    return _decide(store, package, pinned, sure=arguments.yes)


# ---------------------------------------------------------------------------------------------------------------------


def _package(project: str | None, name: str) -> FolderPackage:
    opened = open_quietly(project)
    if name not in opened.registry:
        report(opened.diagnostics)
    entry = opened.registry.require(name)
    package = package_of(entry.recipe)
    if package is None:
        raise UsageError(f"'{name}' is no package with a SKILL.md, and trust is about those")
    return package


def _decide(store: TrustStore, package: FolderPackage, pinned: PackageDigest, *, sure: bool) -> int:
    """Show a package, ask about it, and keep the answer."""
    texts = texts_of_package(package, pinned)
    before = store.before(package.name, package.folder)
    lines = list(_contents(package, pinned) if before is None else _changes(before, pinned, texts))
    for line in lines[:_MOST_SHOWN]:
        print(safe(line))
    if len(lines) > _MOST_SHOWN:
        print(f"... and {len(lines) - _MOST_SHOWN} lines more: look at {safe(package.folder)}")
    if not sure and not _agrees(package.name):
        return 1
    trusted = Trusted(name=package.name, folder=package.folder, digest=pinned.digest, files=pinned.files, texts=texts)
    store.add(trusted)
    print(safe(f"'{package.name}' is trusted as it is now ({pinned.digest})."))
    return 0


def _contents(package: FolderPackage, pinned: PackageDigest) -> Iterator[str]:
    yield f"'{package.name}' in {package.folder} holds:"
    width = max(len(file.kind) for file in pinned.files)
    yield from (f"  {file.kind:{width}}  {file.path}" for file in pinned.files)
    yield from remarks(file.path for file in pinned.files)


def _changes(before: Trusted, pinned: PackageDigest, texts: dict[str, str]) -> Iterator[str]:
    yield f"'{before.name}' changed since you trusted it:"
    yield from changes_since(before, pinned, texts)
    old = frozenset(before.files)
    yield from remarks(file.path for file in pinned.files if file not in old)


def _agrees(name: str) -> bool:
    """Whether the person at the terminal agrees; nobody does where there is none."""
    if not (at_terminal(sys.stdin) and at_terminal(sys.stderr)):
        complain(safe(f"'{name}' is not trusted. There is nobody to ask: --yes trusts it without."))
        return False
    print(safe(f"Trust '{name}' as it is shown here? [y/N] "), end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in _YES:
        return True
    complain(safe(f"'{name}' is not trusted."))
    return False


def _revoke(store: TrustStore, name: str) -> int:
    found = [one for one in store.all() if one.name == name]
    for one in found:
        store.remove(one.digest)
    print(safe(f"'{name}' is trusted no longer." if found else f"'{name}' was not trusted."))
    return 0 if found else 1


def _list(store: TrustStore, *, as_json: bool) -> int:
    found = [(one, digest_now(one)) for one in store.all()]
    if as_json:
        print(json_line({"trusted": [_row(one, now) for one, now in found]}))
    else:
        rows = [(one.name, one.digest, _state(one, now), one.folder) for one, now in found]
        print_table(("NAME", "DIGEST", "SINCE", "FOLDER"), rows)
    return 0


def _row(one: Trusted, now: PackageDigest | None) -> dict[str, object]:
    row: dict[str, object] = {"name": one.name, "folder": one.folder, "digest": one.digest}
    if now is None:
        return {**row, "state": "gone"}
    changed = changed_files(one, now)
    files = [{"path": path, "how": how} for path, how in changed.items()]
    return {**row, "state": "changed", "files": files} if changed else {**row, "state": "same"}


def _state(one: Trusted, now: PackageDigest | None) -> str:
    """What became of a package since it was trusted, in a few words."""
    if now is None:
        return "gone"
    changed = [f"{path} {how}" for path, how in changed_files(one, now).items()]
    more = len(changed) - _MOST_NAMED
    return "; ".join(changed[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "") or "same"
