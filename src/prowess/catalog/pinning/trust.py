"""Which packages a person trusts: by the digest of every file, kept with the user, never in a project.

What trust guards (scripts, injected commands) asks `is_trusted`, which only compares: whoever asks has the digest of
the very bytes that are to run.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from difflib import unified_diff

from msgspec import DecodeError, Struct, json

from prowess.catalog.index_format import read_file, replace_file
from prowess.catalog.packages.sources import Level
from prowess.catalog.pinning.digest import FILE, PROGRAM, FileDigest, PackageDigest
from prowess.errors import ConfigurationError
from prowess.model.verdict import ALLOW, Ask, Reason, Verdict

__all__ = ["TrustStore", "Trusted", "changed_files", "changes_since", "is_trusted"]

_TRUSTED_LEVELS = frozenset({Level.USER, Level.INSTALLED})
"""Who put a package there could run anything in our name: asking would protect from nobody."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Trusted(Struct, frozen=True, kw_only=True):
    """A package as a person trusted it. A value."""

    name: str
    folder: str
    digest: str
    files: tuple[FileDigest, ...]
    texts: dict[str, str] = {}
    """What its text files said, as far as that was kept: so that a later change can be shown."""


def is_trusted(name: str, level: Level, *, known: bool) -> Verdict:
    """Whether what a package brings may run: `Allow`, or `Ask` with the way to trust it.

    `known` says whether a person trusts the digest of all its files.
    """
    if known or level in _TRUSTED_LEVELS:
        return ALLOW
    message = f"'{name}' is not trusted, or changed since it was: 'prowess trust {name}' shows what it holds and asks"
    return Ask((Reason("trust", message),))


class TrustStore:
    """What one person trusts, a file for each digest in a folder that only that person can write to.

    Each question reads the disk: what is revoked in one process is not trusted in another any more. Raises
    `ConfigurationError` where others could write there.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find(self, digest: str) -> Trusted | None:
        """The package of that digest as it was trusted; None where it is not."""
        self._check()
        found = _read(self._path(digest))
        return found if found is not None and found.digest == digest else None

    def all(self) -> list[Trusted]:
        """Everything that is trusted, by name, the latest first among those with one name."""
        self._check()
        try:
            with os.scandir(self._folder) as found:
                files = sorted(found, key=lambda entry: -entry.stat().st_mtime_ns)
        except FileNotFoundError:
            return []
        kept = [trusted for file in files if (trusted := _read(file.path)) is not None]
        return sorted(kept, key=lambda trusted: trusted.name)

    def before(self, name: str, folder: str) -> Trusted | None:
        """What was trusted last of a package: in that folder, else under that name."""
        known = self.all()
        here = [one for one in known if one.folder == folder]
        return next(iter(here or [one for one in known if one.name == name]), None)

    def add(self, trusted: Trusted) -> None:
        """Trust a package. Raises `OSError` where that cannot be kept."""
        os.makedirs(os.path.dirname(self._folder), mode=0o700, exist_ok=True)
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        self._check()
        replace_file(self._path(trusted.digest), json.encode(trusted), 0o600)

    def remove(self, digest: str) -> None:
        """Trust a package no longer."""
        self._check()
        try:
            os.unlink(self._path(digest))
        except FileNotFoundError:
            return

    def _path(self, digest: str) -> str:
        return os.path.join(self._folder, f"{digest.removeprefix('sha256:')}.json")

    def _check(self) -> None:
        try:
            found = os.stat(self._folder)
        except OSError:
            return
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE):
            message = (
                f"others can write in {self._folder}, where what you trust is kept: say  chmod 700 '{self._folder}'"
            )
            raise ConfigurationError(message, details={"file": self._folder})


def changes_since(before: Trusted, now: PackageDigest, texts: Mapping[str, str]) -> Iterator[str]:
    """What is another now than when it was trusted, as lines: text files as a unified diff, other files by name."""
    for path, old, new in _differing(before, now):
        yield from _change(path, old, new, (before.texts.get(path), texts.get(path)))


def changed_files(before: Trusted, now: PackageDigest) -> dict[str, str]:
    """The paths of what is another now than when it was trusted, and what became of each."""
    return {path: _how(old, new) for path, old, new in _differing(before, now)}


# ---------------------------------------------------------------------------------------------------------------------


def _differing(before: Trusted, now: PackageDigest) -> Iterator[tuple[str, FileDigest | None, FileDigest | None]]:
    then, found = {file.path: file for file in before.files}, {file.path: file for file in now.files}
    for path in sorted({*then, *found}):
        old, new = then.get(path), found.get(path)
        if old != new:
            yield path, old, new


def _how(old: FileDigest | None, new: FileDigest | None) -> str:
    if old is None or new is None:
        return "is new" if old is None else "is gone"
    return "changed" if old.kind == new.kind else f"was a {old.kind} and is a {new.kind}"


def _change(
    path: str, old: FileDigest | None, new: FileDigest | None, texts: tuple[str | None, str | None]
) -> Iterator[str]:
    yield f"{path}: {_how(old, new)}"
    if (old is None or texts[0] is not None) and (new is None or texts[1] is not None):
        then, now = ((text or "").splitlines() for text in texts)
        yield from unified_diff(then, now, f"trusted/{path}", f"now/{path}", lineterm="")
    elif {old.kind if old else FILE, new.kind if new else FILE} <= {FILE, PROGRAM}:
        yield "  (its bytes are not shown: they are no text, or too many)"


def _read(path: str) -> Trusted | None:
    try:
        return json.decode(read_file(path), type=Trusted)
    except (DecodeError, UnicodeDecodeError):  # damaged or foreign: not trusted
        return None
