"""Which of several packages with one name has it, and under which name the others are found."""

import os
import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.found import Found
from prowess.model.names import NAME_LIMIT, key_of

__all__ = ["Named", "Naming", "give_names", "name_by_place"]

_OTHERS = re.compile(r"[^a-z0-9]+")
_PLACES = {"..": "up", **dict.fromkeys(("", ".", "~", "skills"), "")}
"""Parts of a path that say nothing of where a package is from, or say it with signs."""
_MOST_OF_PLACE = 32
_HASH = 4


class Named(Struct, frozen=True, gc=False):
    """A package and the name under which the registry holds it."""

    name: str
    found: Found


class Naming(Struct, frozen=True):
    """Packages with their names, and what an owner should know about those that had to share one."""

    named: tuple[Named, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def give_names(
    found: Iterable[Found], holder_of: Callable[[str], str | None], tree_of: Callable[[Found], str | None]
) -> Naming:
    """Give each package a name; of several with the same one the first keeps it.

    `holder_of` says who has a name that is no package's, None where nobody has. `tree_of` gives the digest of all files
    of a package, None where it has none: the same files twice are one package.
    """
    naming = _Names(holder_of, tree_of)
    for one in found:
        naming.add(one)
    return Naming(tuple(naming.named), tuple(naming.diagnostics))


def name_by_place(label: str, shown: str, local: str, *, sure: bool = False) -> str:
    """The name that a package has by where it is, whatever else there is: `project-claude/pdf`.

    It is made of its level or namespace and the folders above it as they are shown. Where these have other letters or
    are too long, or `sure` asks for it, four digits of their hash stand behind them.
    """
    *above, last = shown.replace(os.sep, "/").split("/")
    parts = above if key_of(last.lower()) == key_of(local) else [*above, last]
    said = [_PLACES.get(part, part).lower() for part in parts if _PLACES.get(part, part) and part != label]
    place = _OTHERS.sub("-", "-".join(said[-1:] if shown.startswith(os.sep) else said)).strip("-") or "skills"
    whole = f"{label}-{place}"
    if sure or not shown.isascii() or len(place) > _MOST_OF_PLACE or len(whole) > NAME_LIMIT:
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and most commands ask no digest

        mark = sha256(os.fsencode(shown)).hexdigest()[:_HASH]
        whole = f"{label}-{place[-_MOST_OF_PLACE:]}"[: NAME_LIMIT - _HASH - 1]
        whole = f"{_OTHERS.sub('-', whole.replace('_', '-')).strip('-')}-{mark}"
    return f"{whole}/{local}"


# ---------------------------------------------------------------------------------------------------------------------


class _Names:
    def __init__(self, holder_of: Callable[[str], str | None], tree_of: Callable[[Found], str | None]) -> None:
        self.named: list[Named] = []
        self.diagnostics: list[Diagnostic] = []
        self._holder_of = holder_of
        self._tree_of = tree_of
        self._winners: dict[str, Found] = {}

    def add(self, one: Found) -> None:
        name = one.manifest.name
        if one.source.namespace is not None:
            name = f"{one.source.namespace}/{name}"
        key = key_of(name)
        winner = self._winners.get(key)
        holder = self._holder_of(name) if winner is None else winner.shown
        if holder is None:
            self._winners[key] = one
            self.named.append(Named(name, one))
        else:
            self._lose(one, name, winner, holder)

    def _lose(self, one: Found, name: str, winner: Found | None, holder: str) -> None:
        if winner is not None and self._is_same(one, winner):
            message = f"it is the same, file for file, as {winner.shown}: one entry stands for both"
            self._tell("same-package", one, message, "note")
            return
        other = self._free(one)
        self._winners[key_of(other)] = one
        self.named.append(Named(other, one))
        always = name_by_place(_label(one), one.shown, one.manifest.name)
        found_as = f"'{other}'" if other.partition("/")[0] != _label(one) else f"'{other}', and always as '{always}'"
        message = f"{holder} has the name '{name}' already: this one is found as {found_as}"
        self._tell("shadowed", one, message, "warning")

    def _free(self, one: Found) -> str:
        """The name of its level or namespace where it is the first from there; else the one that says where it is."""
        local, label = one.manifest.name, _label(one)
        names = [f"{label}/{local}", *(name_by_place(label, one.shown, local, sure=sure) for sure in (False, True))]
        free = next((name for name in names if self._is_free(name)), None)
        number = 1
        while free is None or not self._is_free(free):  # two that are shown in one place
            number += 1
            free = f"{names[-1].rpartition('/')[0]}-{number}/{local}"
        return free

    def _is_free(self, name: str) -> bool:
        return key_of(name) not in self._winners and self._holder_of(name) is None

    def _is_same(self, one: Found, other: Found) -> bool:
        if one.digest != other.digest:
            return False
        tree = self._tree_of(one)
        return tree is not None and tree == self._tree_of(other)

    def _tell(self, code: str, one: Found, message: str, severity: str) -> None:
        path = f"{one.shown}/{one.file}"
        self.diagnostics.append(
            Diagnostic(code=code, subject=one.manifest.name, message=message, path=path, severity=severity)
        )


def _label(one: Found) -> str:
    return one.source.namespace or one.source.level
