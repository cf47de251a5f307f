"""The public `Registry`."""

import inspect
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from prowess.app.catalogue.options import SearchOptions
from prowess.app.catalogue.shared import LIST_BUDGET, Shared
from prowess.app.outside_tools import ToolExecutor, outside_tools
from prowess.app.packages.folder_package import body_of
from prowess.app.view import RegistryView
from prowess.authoring.handler import definition_of
from prowess.authoring.services import Services
from prowess.errors import ConfigurationError, InvalidManifestError
from prowess.governance.rulebook import Rulebook
from prowess.model.caller import LOCAL_OWNER
from prowess.model.manifest import Manifest
from prowess.model.names import check_name
from prowess.model.pipeline import Pipeline
from prowess.model.result import Result
from prowess.model.versions import DEFAULT_VERSION
from prowess.registry.entry import Entry, Factory
from prowess.registry.holdings import Holdings
from prowess.registry.snapshot import Diagnostic

if TYPE_CHECKING:
    from prowess.app.catalogue.searching import Searching
    from prowess.app.documents.catalogue import DocumentCatalogue, Loading
    from prowess.app.packages.discovery import Discovery, PackageCatalogue
    from prowess.app.runtime import Runtime

__all__ = ["Registry"]

_NOTHING: Mapping[str | None, Entry] = {}


class Registry(RegistryView):
    """Everything an engineer's agents can find and run, by name and version.

    It lives as long as the program or the project; `aclose` (or `async with`) closes what its factories made, and the
    services where it made the container itself. Reading is safe from every thread, without a lock. `list_budget` is how
    many tokens `list_skills` takes at most where its caller names no budget.
    """

    def __init__(self, services: Services | None = None, *, list_budget: int = LIST_BUDGET) -> None:
        if not (services is None or isinstance(services, Services)):
            hint = "Services({...}) around them" if isinstance(services, Mapping) else "a Services"
            raise ConfigurationError(
                f"the services of this registry are of type {type(services).__name__}: give {hint}"
            )
        self.services = Services() if services is None else services
        self._lent = services is not None
        super().__init__(
            Holdings(self.services, self._execute), Shared(list_budget=list_budget, searching=self._searches)
        )
        self.search_options = SearchOptions(body_of=body_of)
        """How it is searched; whoever wants another way says so before the first search."""
        self._searching_now: Searching | None = None
        self._lock = threading.Lock()
        self._index = self.holdings.index
        self._latest_by_name = self._index.latest

    def get(self, name: str, constraint: str | None = None) -> Entry | None:
        """The entry of a name, `name@constraint` or alias; None where there is none.

        Without a constraint it is the highest enabled release. A factory is called at the first `get`.
        """
        if constraint is None:
            entry = self._latest_by_name.get(name)
            if entry is not None:
                return entry
        index = self._index
        return (
            index.answers.get(name, _NOTHING).get(constraint)
            or index.find(name, constraint)
            or self.holdings.find(name, constraint)
            or self._our_tool(name, constraint)
        )

    def register(
        self,
        *things: object,
        source: str = "code",
        replace: bool = False,
    ) -> None:
        """Add functions, skill objects, `BaseSkill` classes and pipelines; all of them or, where one is wrong, none.

        `register(name, factory)` is the same as `register_factory`. A `name@version` that is there already is refused
        unless `replace=True`, which also drops what was made of it.
        """
        if len(things) == 2 and isinstance(things[0], str):  # noqa: PLR2004 - a name and its factory
            self._register_factory(things[0], things[1], None, source, replace=replace)
            return
        self.holdings.add([self._entry(thing, source) for thing in things], replace=replace)

    def register_factory(
        self,
        name: str,
        factory: Callable[[Services], object],
        *,
        manifest: Manifest | None = None,
        source: str = "code",
        replace: bool = False,
    ) -> None:
        """Add a skill that `factory(services)` makes when it is first needed, once for each scope.

        With a manifest, listing and searching need no instance either.
        """
        self._register_factory(name, factory, manifest, source, replace=replace)

    def register_tools(
        self,
        executor: ToolExecutor,
        definitions: Iterable[Mapping[str, Any] | Manifest],
        *,
        source: str = "tools",
        replace: bool = False,
    ) -> None:
        """Add ops that an outside executor runs.

        A definition has a `name`, and may have `description` and schemas, in any of the providers' spellings.
        """
        tools = outside_tools(executor, definitions)
        door = self.holdings.door
        self.holdings.add([Entry(manifest, handler, source, door) for manifest, handler in tools], replace=replace)

    @property
    def rulebook(self) -> Rulebook:
        """What the project lays down about who may do what; a new one is in force at once, for every runtime."""
        return self.rules.book

    @rulebook.setter
    def rulebook(self, book: Rulebook) -> None:
        self.rules.change(book)
        self.holdings.renew()

    def discover(
        self, path: str | os.PathLike[str], *, source: str | None = None, namespace: str | None = None
    ) -> "Discovery":
        """Add every package below a folder, or in an archive, and say what was found and what is wrong with it.

        One that cannot be used keeps no other from being added. Called again, it looks again: what changed is
        exchanged in one step, and a package whose SKILL.md cannot be used any more keeps its entry and its text.
        `source` is what the entries show as theirs, in the place of their folders; `namespace`
        stands before their names. Raises `NotFoundError` for a path that is not there.
        """
        from prowess.app.packages.given import given_place  # noqa: PLC0415 - as for `packages`

        self.packages.keep_texts()
        at = given_place(os.fspath(path), source, namespace)
        return self.packages.discover((os.path.abspath(path), namespace), at)

    @cached_property
    def packages(self) -> "PackageCatalogue":
        """The packages that were discovered, and looking for them again."""
        from prowess.app.packages.discovery import PackageCatalogue  # noqa: PLC0415 - most registries hold no package

        return PackageCatalogue(self.holdings, os.getcwd())

    def load(self, path: str | os.PathLike[str]) -> "Loading":
        """Add every entry of a folder of documents: `skill-registry.json`, `op-registry.json`, and so on.

        All of it is added or, where anything is wrong, nothing: `InvalidDocumentError` has every problem with its file,
        line and path. Called again, it loads again: what changed is exchanged in one step, and a folder that is wrong
        by then stays as it was. `rulebook` gets the capabilities and access that documents lay down.
        """
        return self.documents.load(os.fspath(path))

    def written(self, *names: str) -> bytes:
        """Pipelines as a skill registry, in JSON: what `load` reads. Without names, every pipeline.

        Raises `InvalidManifestError` for what only code can say, such as a function in the place of a condition.
        """
        from prowess.app.documents.writing import write_pipelines  # noqa: PLC0415 - as for `packages`

        chosen = [self.require(name) for name in names] or [e for e in self if isinstance(e.recipe, Pipeline)]
        return write_pipelines(chosen, self.holdings)

    @cached_property
    def documents(self) -> "DocumentCatalogue":
        """The documents that were loaded, and loading them again."""
        from prowess.app.documents.catalogue import DocumentCatalogue  # noqa: PLC0415 - Pydantic, only for documents

        return DocumentCatalogue(self.holdings, self._govern)

    def unregister(self, reference: str, *, all: bool = False) -> None:  # noqa: A002 - the promised name
        """Take out `name` or `name@version`; a name with several versions only with `all=True`."""
        self.holdings.remove(reference, every=all)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the owner should know: that of every view, and whether the search index could not be kept."""
        trouble = "" if self._searching_now is None else self._searching_now.trouble
        if not trouble:
            return super().diagnostics
        message = f"the search index is in memory, and every process makes its own: {trouble}"
        return (*super().diagnostics, Diagnostic("search_in_memory", "search", message))

    async def aclose(self) -> None:
        """Close what factories made, in reverse order; then the services, unless they were lent."""
        with self._lock:
            searches, self._searching_now = self._searching_now, None
        if searches is not None:
            searches.close()
        runtime = self.__dict__.pop("_runtime", None)
        if runtime is not None:
            await runtime.aclose()
        try:
            await self.holdings.scope.aclose()
        finally:
            if not self._lent:
                await self.services.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # -----------------------------------------------------------------------------------------------------------------

    @cached_property
    def _runtime(self) -> "Runtime":
        from prowess.app.runtime import Runtime  # noqa: PLC0415 - asyncio and the validator: only where something runs

        return Runtime(self)

    def _searches(self) -> "Searching":
        """What searches it: made once, at the first search."""
        with self._lock:
            if self._searching_now is None:
                from prowess.app.catalogue.searching import Searching  # noqa: PLC0415 - only where somebody searches

                self._searching_now = Searching(self.holdings, self.search_options)
            return self._searching_now

    def _govern(self, change: Callable[[Rulebook], Rulebook]) -> None:
        """Exchange the rulebook for a changed one."""
        with self._lock:
            self.rulebook = change(self.rulebook)

    def _execute(self, entry: Entry, inputs: Mapping[str, object]) -> Coroutine[Any, Any, Result]:
        return self._runtime.run(entry, inputs, caller=LOCAL_OWNER)

    def _register_factory(self, name: str, factory: object, manifest: object, source: str, *, replace: bool) -> None:
        check_name(name)
        if not callable(factory):
            message = f"the factory of '{name}' is {type(factory).__name__}: give a callable that takes the services"
            raise InvalidManifestError(message, details={"name": name})
        if manifest is None:
            self.holdings.add_factory(name, Factory(factory), source, replace=replace)
            return
        if not isinstance(manifest, Manifest) or manifest.name != name:
            given = f"that of '{manifest.name}'" if isinstance(manifest, Manifest) else type(manifest).__name__
            message = f"the manifest given for '{name}' is {given}: give its own Manifest"
            raise InvalidManifestError(message, details={"name": name})
        recipe = Factory(factory, manifest.version or DEFAULT_VERSION)
        self.holdings.add([Entry(manifest.validate(), recipe, source, self.holdings.door)], replace=replace)

    def _entry(self, thing: object, source: str) -> Entry:
        door = self.holdings.door
        if isinstance(thing, Pipeline):
            from prowess.authoring.pipeline import checked_pipeline  # noqa: PLC0415 - 0.5 ms, for who has pipelines

            built = checked_pipeline(thing)
            return Entry(built.manifest, built, source, door)
        if isinstance(thing, type):
            return self._class_entry(thing, source)
        definition = definition_of(thing)
        return Entry(definition.manifest, definition.handler, source, door)

    def _class_entry(self, kind: type[object], source: str) -> Entry:
        """A class of skills or packages: made with the services where its constructor takes them, else without."""
        if not any(callable(getattr(kind, code, None)) for code in ("execute", "load")):
            message = (
                f"class {kind.__name__} is not a skill: it has no execute(**inputs), nor load(ctx) as a package has"
            )
            raise InvalidManifestError(message, details={"name": kind.__name__})
        missing = sorted(getattr(kind, "__abstractmethods__", ()))
        if missing:
            message = f"class {kind.__name__} is not a skill: it has no {', '.join(missing)}"
            raise InvalidManifestError(message, details={"name": kind.__name__})
        factory = Factory(partial(_make, kind))
        name = getattr(kind, "name", None)
        label = name if isinstance(name, str) else kind.__name__
        definition = self.holdings.scope.definition(label, factory, named=False)
        return Entry(definition.manifest, factory, source, self.holdings.door)


# ---------------------------------------------------------------------------------------------------------------------


def _make(kind: type, services: Services) -> object:
    wanted = [
        parameter
        for parameter in inspect.signature(kind).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return kind(services) if wanted else kind()
