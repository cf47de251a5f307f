"""Which entries a list or a view shows."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import force_setattr

from prowess.model.forms import Forms, Path, Problems, choice, demand, each, instance, text
from prowess.model.manifest import Manifest
from prowess.model.manifest_parts import Kind, Status
from prowess.model.names import key_of
from prowess.model.permissions import Permissions
from prowess.registry.entry import Entry

__all__ = ["SKILL", "Filter"]

SKILL = "skill"
"""Asks for every kind but an op."""


class Filter(Struct, frozen=True, kw_only=True, eq=False):
    """What an entry must be to be shown; None asks nothing.

    Raises `ConfigurationError` for what no entry can be.
    """

    permissions: Permissions | None = None
    names: Iterable[str] | None = None
    """Kept as their keys: both spellings are one name."""
    tag: str | None = None
    kind: str | None = None
    status: str | None = None
    source: str | None = None
    sees: Callable[[Manifest], bool] | None = None
    """What governance says about an entry that no name of it tells."""
    within: "Filter | None" = None
    """What must show it as well."""

    def __post_init__(self) -> None:
        """Read what was asked."""
        demand("filter", self, _FORMS)
        if self.names is not None:
            force_setattr(self, "names", frozenset(map(key_of, self.names)))

    def __call__(self, entry: Entry) -> bool:
        """Whether an entry is shown."""
        return self.shows_name(entry.name) and self.fits(entry)

    def shows_name(self, name: str) -> bool:
        """Whether an entry of that name can be shown: all that can be said of one that is not made yet."""
        return (
            (self.names is None or key_of(name) in self.names)
            and (self.permissions is None or self.permissions.shows(name))
            and (self.within is None or self.within.shows_name(name))
        )

    @property
    def keys(self) -> frozenset[str] | None:
        """The keys of the names that are asked for."""
        return None if self.names is None else frozenset(self.names)

    def each(self) -> "Iterator[Filter]":
        """This filter, and those that it stands within."""
        one: Filter | None = self
        while one is not None:
            yield one
            one = one.within

    def permits(self, name: str) -> bool:
        """Whether no permissions hide that name, whatever else is asked."""
        allowed = self.permissions is None or self.permissions.shows(name)
        return allowed and (self.within is None or self.within.permits(name))

    def governed(self, entry: Entry) -> bool:
        """Whether governance lets it be seen, whatever else is asked."""
        return self.sees is None or self.sees(entry.manifest)

    @property
    def asks_names_only(self) -> bool:
        """Whether the name alone decides."""
        more = (self.tag, self.kind, self.status, self.source, self.sees)
        return more == (None,) * len(more) and (self.within is None or self.within.asks_names_only)

    def fits(self, entry: Entry) -> bool:
        """Whether all but the name fits."""
        manifest = entry.manifest
        return (
            (self.tag is None or self.tag in manifest.tags)
            and (self.kind is None or manifest.kind == self.kind or (self.kind == SKILL and manifest.is_skill))
            and (self.status is None or manifest.status == self.status)
            and (self.source is None or entry.source == self.source)
            and self.governed(entry)
            and (self.within is None or self.within.fits(entry))
        )


# ---------------------------------------------------------------------------------------------------------------------


def _names(value: object, path: Path, problems: Problems) -> object:
    """Several names; one by itself is taken for a list of one, not for its letters."""
    return _TEXTS((value,) if isinstance(value, str) else value, path, problems)


def _anything(value: object, _path: Path, _problems: Problems) -> object:
    return value


_TEXTS = each(text)
_FORMS: Forms = {
    "permissions": instance(Permissions, "Permissions, such as Permissions.preset('worker')"),
    "names": _names,
    "tag": text,
    "kind": choice([*Kind, SKILL]),
    "status": choice(Status),
    "source": text,
    "sees": _anything,
    "within": instance(Filter, "a filter"),
}
