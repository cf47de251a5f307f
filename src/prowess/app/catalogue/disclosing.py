"""The four tools that disclose packages, bound to what one view of a registry shows."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct, field

from prowess.app.catalogue.once import Once
from prowess.app.catalogue.reading import Wanted, read_resource
from prowess.app.catalogue.searching import PLACES_LIMIT, Searching
from prowess.authoring.handler import Handler, Style
from prowess.authoring.opening import OPENED
from prowess.authoring.skill import LoadedPackage
from prowess.catalog.search.hit import Hit
from prowess.errors import (
    ForbiddenError,
    InvalidInputError,
    InvalidManifestError,
    NotFoundError,
    ProwessError,
    UnavailableError,
)
from prowess.execution.failures import judged
from prowess.execution.handlers.context import CallContext
from prowess.exposure.disclosure.activation import Activation, Activations, activated, activation_of
from prowess.exposure.disclosure.budget import Page, fit
from prowess.exposure.disclosure.offers import Asked, Explanation, explanation
from prowess.exposure.disclosure.shapes import Found, found_rows, is_disclosed, is_for_people, listed
from prowess.exposure.disclosure.tools import ACTIVATE, BYTES_BY_DEFAULT, FOUND_BY_DEFAULT, LIST, READ, SEARCH, TOOLS
from prowess.model.caller import Caller
from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest
from prowess.model.names import near_names, split_reference
from prowess.model.permissions import Permissions
from prowess.registry.entry import OURS, Entry
from prowess.registry.filters import Filter
from prowess.registry.holdings import Holdings
from prowess.registry.index import Index
from prowess.skillmd.names import registry_name

if TYPE_CHECKING:
    from prowess.registry.snapshot import Snapshot

__all__ = ["Disclosing", "Disclosure", "Search", "View", "disclosure_with"]


class View(Protocol):
    """What one reader may see of a registry, as the tools look at it."""

    @property
    def holdings(self) -> Holdings:
        """All that the registry holds."""
        ...

    @property
    def shows(self) -> Filter | None:
        """Which entries can be seen."""
        ...

    @property
    def shown(self) -> tuple[Manifest, ...]:
        """One manifest for each name that can be seen, sorted."""
        ...

    def get(self, name: str, constraint: str | None = None, /) -> Entry | None:
        """The entry of a name."""
        ...

    def sees(self, permissions: Permissions, /) -> Callable[[Manifest], bool]:
        """Tells which entries there are for a caller with these permissions."""
        ...


Fits: TypeAlias = Callable[[Manifest], bool]
Search: TypeAlias = Callable[[View, Fits, str, int, Sequence[str]], Sequence[Found]]
"""Of the entries that a view shows and that fit, the `k` that some words mean best, with all of the tags."""


class Disclosure(Struct, frozen=True, kw_only=True):
    """What the tools of all views of one registry share. Lives as long as the registry."""

    budget: int
    """Tokens of a list that is asked for without a budget."""
    search: Search
    activations: Activations = field(default_factory=Activations)
    loading: Once[LoadedPackage] = field(default_factory=Once)


class Disclosing:
    """The tools of one view: they show what it shows, and of that what their caller may see."""

    def __init__(self, view: View, disclosure: Disclosure) -> None:
        self._view = view
        self._disclosure = disclosure
        self._entries = Index()
        self._entries.add(
            Entry(manifest, Handler(_as_the_gate(call), Style.COROUTINE, "ctx", _bound), OURS, view.holdings.door)
            for manifest, call in (
                (ACTIVATE, self._activate),
                (LIST, self._list),
                (READ, self._read),
                (SEARCH, self._search),
            )
        )
        self._packages: tuple[Snapshot | None, tuple[Manifest, ...]] = (None, ())

    def get(self, name: str, constraint: str | None = None) -> Entry | None:
        """The tool of a name."""
        return self._entries.find(name, constraint)

    def tools_beside(self, shown: Iterable[Manifest]) -> tuple[Manifest, ...]:
        """What the tools say about themselves, sorted, where there is a package among what is shown; else nothing."""
        return TOOLS if any(is_disclosed(manifest) for manifest in shown) else ()

    def explain(self, words: str, permissions: Permissions, budget: int | None = None) -> Explanation:
        """What a model whose caller has these permissions would be offered for a user's words, and why not the rest."""
        tokens = self._disclosure.budget if budget is None else budget
        asked = Asked(words, tokens, self._view.sees(permissions))
        shown = self._view.shown
        found = self._disclosure.search(self._view, asked.may_find, words, len(shown), ())
        packages = [one for one in shown if is_disclosed(one) and asked.sees(one)]
        return explanation(asked, shown, found, self._page(packages, words, tokens))

    # -----------------------------------------------------------------------------------------------------------------

    async def _list(
        self, *, ctx: CallContext, query: str | None = None, budget: int | None = None, after: str | None = None
    ) -> dict[str, Json]:
        tokens = self._disclosure.budget if budget is None else budget
        return listed(self._page(self._packages_for(ctx.caller), query, tokens, after))

    async def _search(
        self, *, ctx: CallContext, query: str, k: int = FOUND_BY_DEFAULT, tags: Sequence[str] = ()
    ) -> dict[str, Json]:
        asked = Asked(query, self._disclosure.budget, self._view.sees(ctx.caller.permissions))
        return found_rows(self._disclosure.search(self._view, asked.may_find, query, k, tags))

    async def _activate(self, *, ctx: CallContext, name: str, again: bool = False) -> dict[str, Json]:
        entry = self._package(name, ctx.caller)
        before = self._disclosure.activations.get(ctx.caller, entry.manifest)
        if before is not None and before.source is entry and not again:
            return activated(entry.manifest, "", before, before, again=False)
        key = (ctx.caller.actor, ctx.caller.trace, entry)
        package = await self._disclosure.loading.do(key, partial(_load, ctx, entry))
        now = activation_of(entry, package)
        self._disclosure.activations.put(ctx.caller, entry.manifest, now)
        return activated(entry.manifest, package.instructions, now, before, again=again)

    async def _read(
        self, *, ctx: CallContext, skill: str, key: str, start: int = 0, limit: int = BYTES_BY_DEFAULT
    ) -> dict[str, Json]:
        entry = self._package(skill, ctx.caller)
        activation = self._disclosure.activations.get(ctx.caller, entry.manifest)
        if activation is None:
            message = f"'{skill}' is not active: call activate_skill with name='{skill}' first, then read its resources"
            raise ForbiddenError(message, details={"name": skill})
        if key not in activation.resources:
            raise _no_resource(skill, key, activation)
        return await read_resource(activation.resources[key], Wanted(skill, key, start, limit))

    def _package(self, name: str, caller: Caller) -> Entry:
        """The package of a name that this caller may activate; raises what a model can act on."""
        entry = self._entry(name)
        if entry is None or not self._view.sees(caller.permissions)(entry.manifest):
            raise self._no_skill(name, caller)
        if entry.manifest.kind is not Kind.PACKAGE:
            message = f"'{name}' is no skill to activate, but a tool: call '{entry.name}' itself, with its own inputs"
            raise InvalidInputError(message, details={"name": name})
        if is_for_people(entry.manifest):
            hidden = self._no_skill(name, caller)
            message = f"'{name}' is offered to people only: its author set disable-model-invocation"
            raise NotFoundError(message, details=hidden.details, model_text=str(hidden))
        if not entry.enabled:  # the gate would say so of an activation, but not of what was activated before
            raise UnavailableError(f"'{entry.manifest.reference}' is disabled", details={"name": entry.name})
        return entry

    def _entry(self, name: str) -> Entry | None:
        """The entry of a name, also of one as its author wrote it, which the registry may hold in another form."""
        try:
            return self._view.get(name) or self._view.get(registry_name(name))
        except InvalidManifestError as error:
            if split_reference(name)[1] is None:
                raise
            raise InvalidInputError(
                error.message, details={"name": name}
            ) from None  # of the version that was asked for

    def _no_skill(self, name: str, caller: Caller) -> NotFoundError:
        near = near_names(name, [manifest.name for manifest in self._packages_for(caller)])
        hint = f", did you mean '{near[0]}'?" if near else ": list_skills tells which there are"
        return NotFoundError(
            f"there is no skill '{name[:_SHOWN]}'{hint}", details={"name": name[:_SHOWN], "near": near}
        )

    def _packages_for(self, caller: Caller) -> tuple[Manifest, ...]:
        """The packages that a caller may be told of, sorted."""
        snapshot = self._view.holdings.snapshot()
        if self._packages[0] is not snapshot:
            self._packages = (snapshot, tuple(filter(is_disclosed, self._view.shown)))
        return tuple(filter(self._view.sees(caller.permissions), self._packages[1]))

    def _page(self, packages: Sequence[Manifest], query: str | None, tokens: int, after: str | None = None) -> Page:
        """What a list shows of these packages; by what a query looks for only where they do not all fit."""
        if not query:
            return fit(packages, tokens, after=after)
        page = fit(packages, tokens)
        if not page.left_out and after is None:
            return page
        return fit(self._ranked(packages, query), tokens, ranked=True, after=after)

    def _ranked(self, packages: Sequence[Manifest], query: str) -> list[Manifest]:
        """All of these packages, nearest to the query first; those that it does not find stand last, by name."""
        left = {manifest.name: manifest for manifest in packages}
        found = self._disclosure.search(self._view, lambda one: one.name in left, query, len(packages), ())
        return [*(left.pop(one.manifest.name) for one in found if one.manifest.name in left), *left.values()]


def disclosure_with(budget: int, searching: Callable[[], Searching]) -> Disclosure:
    """What the tools of one registry share; they find what its search finds."""

    def search(view: View, fits: Fits, query: str, k: int, tags: Sequence[str]) -> list[Found]:
        shows = Filter(tag=tags[0], within=view.shows) if tags else view.shows
        fetched = min(2 * k, PLACES_LIMIT)
        while True:
            hits = searching().search(query, fetched, 1, shows)
            fitting = [hit for hit in hits if fits(hit.manifest) and set(tags) <= set(hit.tags)]
            if len(fitting) >= k or len(hits) < fetched or fetched == PLACES_LIMIT:
                return [Found(hit.manifest, hit.score, _why(hit)) for hit in fitting[:k]]
            fetched = min(4 * fetched, PLACES_LIMIT)

    return Disclosure(budget=budget, search=search)


# ---------------------------------------------------------------------------------------------------------------------

_SHOWN = 200


def _why(hit: Hit) -> tuple[str, ...]:
    """What of an entry was found, as a model reads it."""
    return tuple(dict.fromkeys(f"{match.field}: {match.word}" for match in hit.matched))


_SKILL_FILE = "skill.md"


def _as_the_gate(tool: Callable[..., Awaitable[Json]]) -> Callable[..., Awaitable[Json]]:
    """The tool, whose errors of every kind reach its caller as they are: an author's handler may raise three only."""

    async def call(**inputs: object) -> Json:
        try:
            return await tool(**inputs)
        except ProwessError as error:
            judged(error)
            raise

    return call


def _bound(inputs: dict[str, Json]) -> dict[str, object]:
    """Inputs as an author's function gets them: JSON's `5.0` is an integer, and no tool here takes another number."""
    return {name: int(value) if isinstance(value, float) else value for name, value in inputs.items()}


async def _load(ctx: CallContext, entry: Entry) -> LoadedPackage:
    """Open a package by calling its entry, as anybody would: through the gate, which names it where that fails."""
    OPENED.set(None)
    output = await ctx.call_entry(entry)
    package = OPENED.get()
    OPENED.set(None)
    if package is not None:
        return package
    given = (
        output if isinstance(output, dict) else {}
    )  # by a loader that gave what the gate gives: its keys lead nowhere
    return LoadedPackage(str(given.get("instructions", "")))


def _no_resource(skill: str, key: str, activation: Activation) -> NotFoundError:
    near = near_names(key, activation.resources)
    hint = f", did you mean '{near[0]}'?" if near else ": activate_skill lists the keys there are"
    if key.lower() == _SKILL_FILE:
        hint = ": what it says are the instructions that activate_skill gives"
    message = f"'{skill}' has no resource '{key[:_SHOWN]}'{hint}"
    return NotFoundError(message, details={"name": skill, "near": near})
