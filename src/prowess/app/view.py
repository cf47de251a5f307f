"""What one reader may see of a registry."""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from prowess.app.catalogue.shared import Shared
from prowess.app.catalogue.soundness import schema_problems
from prowess.errors import InvalidManifestError, InvalidSchemaError, NotFoundError, Problem, UnavailableError
from prowess.execution.rules import Rules
from prowess.governance.clearance import is_visible
from prowess.model.manifest import Kind, Manifest, Status
from prowess.model.names import key_of, near_names, split_reference
from prowess.model.permissions import Permissions, Preset
from prowess.registry.closure import Fault, raise_faults, target_faults
from prowess.registry.entry import OUR_TOOLS, Entry
from prowess.registry.filters import Filter
from prowess.registry.holdings import Holdings, unknown
from prowess.registry.scope import Scope
from prowess.registry.snapshot import Diagnostic, Snapshot

if TYPE_CHECKING:
    from prowess.app.catalogue.disclosing import Disclosing
    from prowess.catalog.search.hit import Hit
    from prowess.exposure.disclosure.offers import Explanation
    from prowess.exposure.toolset import ToolSet

__all__ = ["RegistryView"]

# Aliases, since inside the class the word `list` is its method.
_Definitions: TypeAlias = list[dict[str, Any]]
_Manifests: TypeAlias = list[Manifest]
_Hits: TypeAlias = "list[Hit]"
_WARM_LIMIT = 64
_SHOWN = 10
_OURS = tuple(sorted(OUR_TOOLS))
"""A face of the registry, so no filter of its content hides them, and no list, count or fingerprint of it has them.
Whoever registers an entry of such a name in code replaces the tool."""


class RegistryView:
    """What one reader may see of a registry. Follows the registry's changes; never shows more than its parent."""

    def __init__(self, holdings: Holdings, shared: Shared, shows: Filter | None = None) -> None:
        self.holdings = holdings
        self.shows = shows
        """Which entries can be seen here; None where all can."""
        self._shared = shared
        self._seen: tuple[Snapshot | None, Snapshot] = (None, _EMPTY)
        """The registry's snapshot, and what is seen of it."""
        self._warm: tuple[Snapshot | None, dict[tuple[str, Permissions | None, bool], ToolSet]] = (None, {})
        self._judged: tuple[Snapshot | None, tuple[Fault, ...]] = (None, ())

    def get(self, name: str, constraint: str | None = None) -> Entry | None:
        """The entry of a name, `name@constraint` or alias; None where there is none to be seen.

        Without a constraint it is the highest enabled release. A factory is called at the first `get`.
        """
        return self._find(name, constraint) or self._our_tool(name, constraint)

    def holds(self, entry: Entry) -> bool:
        """Whether this very entry is in the registry still, and to be seen."""
        if self.holdings.holds(entry):
            return self.shows is None or self.shows(entry)
        ours = self._our_tool(entry.name)  # where nothing is hidden, any view's tools may run: they show less
        return ours is entry or (ours is not None and self.shows is None and self._shared.holds_tool(entry))

    @property
    def rules(self) -> Rules:
        """What the project lays down about who may do what: what its runtimes judge by."""
        return self._shared.rules

    def sees(self, permissions: Permissions) -> Callable[[Manifest], bool]:
        """Tells which entries there are for a caller with these permissions: what it may never use is not there."""
        book = self.rules.book
        return lambda manifest: is_visible(manifest, permissions, book)

    @property
    def latest(self) -> Mapping[object, Entry]:
        """What bare names give at this moment; a view that hides something says nothing here, so `get` is asked."""
        return cast("Mapping[object, Entry]", self.holdings.index.latest) if self.shows is None else {}

    @property
    def scope(self) -> Scope:
        """The root scope, where instances live as long as the registry."""
        return self.holdings.scope

    def near(self, name: str) -> tuple[str, ...]:
        """Names like the given one, nearest first, of entries that can be seen; of a known name its versions."""
        names: Iterable[str] = self.holdings.names
        seen = names if self.shows is None else filter(self._sees, names)
        latest = tuple(self.holdings.index.latest.values())
        disclosed = any(entry.manifest.kind is Kind.PACKAGE for entry in latest)
        ours = [tool for tool in _OURS if disclosed and self._our_tool(tool) is not None]
        return self._versions(name) or near_names(split_reference(name)[0], (*seen, *ours))

    def require(self, name: str, constraint: str | None = None) -> Entry:
        """The same, or `NotFoundError` with near names."""
        entry = self.get(name, constraint)
        if entry is None:
            wanted = name if constraint is None else f"{name}@{constraint}"
            versions = self._versions(wanted)
            error = unknown(wanted, versions or self.near(wanted))
            if versions:
                there = ", ".join(versions[:_SHOWN]) + (", …" if len(versions) > _SHOWN else "")
                raise NotFoundError(f"{error.message.partition(', did')[0]}: there are {there}", details=error.details)
            raise error
        return entry

    def __repr__(self) -> str:
        some = "" if self.shows is None else "some of "
        count = len(self.holdings.names)
        return f"<{type(self).__name__} of {some}{count} name{'' if count == 1 else 's'}>"

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __len__(self) -> int:
        return len(self._snapshot())

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._snapshot())

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, sorted."""
        return self.holdings.names if self.shows is None else tuple(entry.name for entry in self._snapshot().latest)

    def list(
        self,
        *,
        tag: str | None = None,
        kind: Kind | str | None = None,
        status: Status | str | None = None,
        source: str | None = None,
    ) -> _Manifests:
        """The manifests that fit every filter given, sorted by name and version; `kind="skill"` is all but ops.

        Raises `ConfigurationError` for a kind or status that there is not.
        """
        shows = Filter(tag=tag, kind=kind, status=status, source=source)
        return [entry.manifest for entry in self._snapshot() if shows(entry)]

    def search(  # noqa: PLR0913 - the filters, each by name
        self,
        query: str,
        k: int = 5,
        *,
        kind: Kind | str | None = None,
        tag: str | None = None,
        status: Status | str | None = None,
        source: str | None = None,
        page: int = 1,
        permissions: Permissions | None = None,
    ) -> "_Hits":
        """The entries that fit a request in anybody's words, best first: `k` of them on each page.

        Only what can be seen here, with these permissions, and fits every filter given. Disabled entries are left out
        unless `status` asks for them. The first search indexes the registry. Raises `ConfigurationError` for a page
        that is none, and for a kind or status that there is not.
        """
        shows = self.shows
        if (kind, tag, status, source, permissions) != (None,) * 5:
            sees = self._bounded(permissions)
            shows = Filter(
                permissions=permissions, tag=tag, kind=kind, status=status, source=source, sees=sees, within=shows
            )
        return self._shared.searching().search(query, k, page, shows)

    def tools(
        self,
        format: str = "openai",  # noqa: A002 - the promised name
        *,
        permissions: Permissions | None = None,
        strict: bool = False,
    ) -> _Definitions:
        """The definitions of all ops and skills in a provider's format, as fresh values."""
        return builtins.list(self.toolset(format, permissions=permissions, strict=strict).definitions)

    def toolset(
        self,
        format: str = "openai",  # noqa: A002 - the promised name
        *,
        permissions: Permissions | None = None,
        strict: bool = False,
    ) -> "ToolSet":
        """The same as one value: definitions, their JSON bytes, the wire names, and what could not be made strict."""
        snapshot = self._snapshot()
        warm = self._warm
        if warm[0] is not snapshot:
            warm = self._warm = (snapshot, {})
        sets, key = warm[1], (format, permissions, strict)
        found = sets.get(key)
        if found is None:
            view = self if permissions is None else self.filtered(permissions=permissions)
            found = self._shared.tools.get(format, view.offered, strict=strict)
            if len(sets) < _WARM_LIMIT:
                sets[key] = found
        return found

    def advertise(self) -> _Definitions:
        """Every enabled skill as an A2A agent skill."""
        from prowess.exposure.a2a import advertise  # noqa: PLC0415 - see `Shared.tools`

        return [advertise(entry.manifest) for entry in self._snapshot() if entry.enabled]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over names, versions, descriptions and schemas: equal for equal catalogues."""
        return self._snapshot().fingerprint

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the owner should know: factories that fail, schemas of no use, odd versions, tools that are replaced."""
        faults = [
            Diagnostic("invalid_schema", str(fault.details["name"]), fault.message, "error")
            for fault in self._schema_faults()
        ]
        return (*self._snapshot().diagnostics, *faults, *self._replaced_tools())

    def filtered(
        self,
        *,
        permissions: Permissions | None = None,
        names: Iterable[str] | None = None,
        tag: str | None = None,
        kind: Kind | str | None = None,
        status: Status | str | None = None,
        source: str | None = None,
    ) -> "RegistryView":
        """A view that shows only what fits every filter given, and never more than this one.

        A bare name means the highest version that it shows. Raises `ConfigurationError` as `list` does.
        """
        shows = Filter(
            permissions=permissions,
            names=names,
            tag=tag,
            kind=kind,
            status=status,
            source=source,
            sees=self._bounded(permissions),
            within=self.shows,
        )
        return RegistryView(self.holdings, self._shared, shows)

    def explain(
        self, words: str, *, permissions: Permissions | None = None, budget: int | None = None
    ) -> "Explanation":
        """What a model would be offered for a user's words: each entry, its rank, what is trimmed, and why."""
        return self._disclosing.explain(words, Permissions() if permissions is None else permissions, budget)

    def check(self) -> None:
        """Raise the gravest of what keeps entries from running, with all of it in the message.

        `NotFoundError` for a target that is missing; `InvalidManifestError` for a circle of calls, a constraint that is
        none, and a pipeline's target without a version where several match; `InvalidSchemaError` for a schema that
        cannot be used; `UnavailableError` for a target that never runs.
        """
        raise_faults([*target_faults(self._snapshot(), self.holdings, self._our_tool), *self._schema_faults()])

    @property
    def shown(self) -> tuple[Manifest, ...]:
        """One manifest for each name that can be seen, sorted: what the bare name gives."""
        return tuple(entry.manifest for entry in self._snapshot().latest)

    @property
    def offered(self) -> tuple[Manifest, ...]:
        """The same and, where there is a package among them, the tools that disclose it."""
        offered = self.shown
        if not any(manifest.kind is Kind.PACKAGE for manifest in offered):
            return offered
        ours = [tool for tool in self._disclosing.tools_beside(offered) if self._our_tool(tool.name) is not None]
        return tuple(sorted((*offered, *ours), key=attrgetter("name")))

    # -----------------------------------------------------------------------------------------------------------------

    def _versions(self, reference: str) -> tuple[str, ...]:
        """What can be seen of a name that was asked for in a version, highest first."""
        name, constraint = split_reference(reference)
        versions = self.holdings.index.versions(name)[::-1] if constraint is not None else ()
        return tuple(one.manifest.reference for one in versions if self.shows is None or self.shows(one))

    def _find(self, name: str, constraint: str | None) -> Entry | None:
        """The entry of a name as the registry holds it, as far as it is shown."""
        shows = self.shows
        pending = None if shows is None else self.holdings.pending_name(name)
        if shows is None or pending is None:
            return self.holdings.find(name, constraint, shows)
        if not shows.shows_name(pending):
            return None
        try:
            return self.holdings.find(name, constraint, shows)
        except (InvalidManifestError, UnavailableError):
            if shows.asks_names_only:
                raise
            return None  # nobody can say whether it would be shown

    def _bounded(self, permissions: Permissions | None) -> Callable[[Manifest], bool] | None:
        """The same; None where these permissions hide nothing but by name."""
        if not isinstance(permissions, Permissions):  # what is none is told by the filter
            return None
        wide = permissions.level in (Preset.YOLO, Preset.TRUSTED) and permissions.capabilities is None
        return None if wide else self.sees(permissions)

    @cached_property
    def _disclosing(self) -> "Disclosing":
        return self._shared.disclosing(self)

    def _our_tool(self, name: str, constraint: str | None = None) -> Entry | None:
        """The tool that discloses packages and is meant by a name, unless it was replaced or may not be seen."""
        key = key_of(split_reference(str(name))[0])
        if key not in _OURS or self.holdings.find(key) is not None:
            return None
        seen = self.shows is None or self.shows.permits(key)
        return self._disclosing.get(name, constraint) if seen else None

    def _replaced_tools(self) -> Iterator[Diagnostic]:
        """What to say about entries that took the name of one of our tools, where there is a package to disclose."""
        taken = [name for name in map(self.holdings.index.owner, _OURS) if name is not None]
        if taken and any(manifest.kind is Kind.PACKAGE for manifest in self.shown):
            for name in taken:
                message = f"'{name}' is offered in the place of the tool of that name that discloses packages"
                yield Diagnostic("tool_replaced", name, message)

    def _sees(self, name: str) -> bool:
        """Whether an entry of that name is shown, as far as that can be said without making it."""
        shows = self.shows
        if shows is None or self.holdings.pending_name(name) is not None:
            return shows is None or (shows.asks_names_only and shows.shows_name(name))
        return any(map(shows, self.holdings.index.versions(name)))

    def _snapshot(self) -> Snapshot:
        whole = self.holdings.snapshot()
        if self.shows is None:
            return whole
        root, seen = self._seen
        if root is not whole:
            seen = whole.narrowed(self.shows)
            self._seen = (whole, seen)
        return seen

    def _schema_faults(self) -> tuple[Fault, ...]:
        snapshot = self._snapshot()
        judged, faults = self._judged
        if judged is not snapshot:
            found = ((entry, schema_problems(entry.manifest)) for entry in snapshot)
            faults = tuple(_schema_fault(entry, problems) for entry, problems in found if problems)
            self._judged = (snapshot, faults)
        return faults


# ---------------------------------------------------------------------------------------------------------------------

_EMPTY = Snapshot(())


def _schema_fault(entry: Entry, problems: tuple[Problem, ...]) -> Fault:
    message = f"the schema of '{entry.manifest.reference}' cannot be used: {'; '.join(map(str, problems))}"
    return Fault(InvalidSchemaError, "schema", message, {"name": entry.name})
