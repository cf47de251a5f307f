"""Which of several packages with one name has it, and under which name the others are found."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from prowess.catalog.listing import Diagnostic
from prowess.catalog.packages.found import Found
from prowess.model.names import key_of

__all__ = ["Named", "Naming", "give_names"]


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
        local = one.manifest.name
        label = one.source.namespace or one.source.level
        other = self._free(label, local)
        self._winners[key_of(other)] = one
        self.named.append(Named(other, one))
        message = f"{holder} has the name '{name}' already: this one is found as '{other}'"
        self._tell("shadowed", one, message, "warning")

    def _free(self, label: str, local: str) -> str:
        """A name with a namespace that says where the package is from, numbered where several are from there."""
        number = 1
        while True:
            name = f"{label}/{local}" if number == 1 else f"{label}-{number}/{local}"
            if key_of(name) not in self._winners and self._holder_of(name) is None:
                return name
            number += 1

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
