"""A project opened: its settings, and a registry of what its modules define."""

import os
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from prowess.app.catalogue.options import SearchOptions, never
from prowess.app.definitions import definitions_in, line_of
from prowess.app.importing import FILE_PREFIX, Importer
from prowess.app.packages.folder_package import body_of
from prowess.app.packages.project_packages import enter_packages
from prowess.app.registry import Registry
from prowess.app.settings import Settings, load_settings, parse_settings
from prowess.authoring.services import Services
from prowess.catalog import index_file
from prowess.catalog.listing import Diagnostic, one_line
from prowess.catalog.places import CONFIG, POLICY, SETTINGS, STATE, Place, locate
from prowess.errors import AlreadyRegisteredError, ConfigurationError, ProwessError

if TYPE_CHECKING:
    from pathlib import Path

    from prowess.app.catalogue.sections import AuditMode
    from prowess.app.packages.building import Built, OpenedBuild
    from prowess.app.packages.discovery import Discovery
    from prowess.app.policies.loading import Policies
    from prowess.app.records.stores import ProjectRecords

__all__ = ["Project", "open_place", "open_project"]


class Project:
    """A project's settings and registry. Whoever opens it closes its registry: `async with project.registry`."""

    def __init__(self, place: Place, settings: Settings, registry: Registry) -> None:
        self.place = place
        self.settings = settings
        self.registry = registry
        self.opened_ns = time.time_ns()
        """When loading began."""
        self.loading: Sequence[Diagnostic] = ()
        """What is wrong with modules and what they define."""
        self.files: Sequence[str] = ()
        """The files that were read: settings, and every module of the project that was imported."""
        self.folders: Mapping[str, Sequence[str]] = {}
        """The folders that were looked through for modules, with the names that were in them."""
        self.passed_over: Sequence[str] = ()
        """The files of these folders that do not import prowess, and so were not run."""
        self.modules: Sequence[ModuleType] = ()
        """The modules whose definitions were registered."""
        self.governed = False
        """Whether it has a `config` folder, whose documents were loaded."""
        self.absent: Sequence[str] = ()
        """Paths that are not there, and whose coming would change what it holds."""
        self.policies: Policies | None = None
        """What its `policy.toml` lays down, where it has one."""
        self.built: OpenedBuild | None = None
        """The file of `prowess build` that it came from."""

    @property
    def root(self) -> "Path":
        """The project's folder."""
        from pathlib import Path  # noqa: PLC0415 - a command that runs one skill can do without

        return Path(self.place.root)

    @property
    def name(self) -> str:
        """What its settings call it, otherwise its folder's name; what it was called when it was built."""
        return self.built.name if self.built else self.settings.name or os.path.basename(self.place.root)

    def __repr__(self) -> str:
        return f"<Project {self.name!r} in {self.place.root}: {self.registry!r}>"

    def build(self, path: str | os.PathLike[str]) -> "Built":
        """Write its packages, its code and what `[build] include` names into one file that any machine can serve.

        The file appears whole or not at all. Raises `UnavailableError` for a package that cannot be read.
        """
        from prowess.app.catalogue.searching import index_files  # noqa: PLC0415 - only who builds one needs it
        from prowess.app.packages.building import Plan, build  # noqa: PLC0415 - only who builds one needs it

        code = [file for file in self.files if file not in self.registry.packages.files and not os.path.isdir(file)]
        include = self.settings.build.include
        return build(
            os.fspath(path),
            Plan(
                name=self.name,
                root=self.place.root,
                entries=self.registry,
                code=code,
                include=include,
                index=index_files(self.registry.holdings, self.registry.search_options),
            ),
        )

    def records(self, environ: Mapping[str, str]) -> "ProjectRecords":
        """What its store keeps, opened when it is first asked for something; whoever asks closes it."""
        from prowess.app.records.stores import ProjectRecords  # noqa: PLC0415 - most commands keep nothing

        return ProjectRecords(self.place, self.settings.records, environ)

    @property
    def audit(self) -> "AuditMode":
        """Whether calls by a command are recorded: where nothing is said about it, in a project that governs."""
        said = self.settings.records.audit
        return said if said != "auto" else "batched" if self.governed or self.policies is not None else "off"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything its owner should know: modules and packages that failed, doubles, factories that fail.

        An odd version of a package is a note here: `prowess lint` warns of it, and every other command need not.
        """
        packages = {entry.name for entry in self.registry.packages.entries}
        of_entries = [
            Diagnostic(
                code=one.code,
                subject=one.entry,
                message=one_line(one.message),
                severity="note" if one.code == "odd_version" and one.entry in packages else one.severity,
            )
            for one in self.registry.diagnostics
        ]
        of_documents = self.registry.documents.diagnostics() if self.governed else ()
        return (*self.loading, *of_documents, *self.registry.packages.diagnostics, *of_entries)

    def reload_documents(self) -> None:
        """Load the documents again, and exchange what changed in one step.

        Where they are wrong by now, they stay as they were: `registry.documents.failure` and the diagnostics say why.
        """
        if self.governed:
            self.registry.documents.reload()

    def reload_packages(self) -> "Discovery":
        """Look for packages again and exchange what changed in one step; readers keep what they have.

        One that cannot be used any more keeps its entry and, from the first time on, its text. Modules are not imported
        again.
        """
        self.registry.packages.keep_texts()
        return self.registry.packages.look()


def open_project(
    path: str | os.PathLike[str] = ".",
    *,
    services: Services | None = None,
    environ: Mapping[str, str] | None = None,
) -> Project:
    """Open a project: its folder or one inside it, a `.py` file, a folder of `.py` files or packages, a built file.

    Its modules are imported, and what they define is registered; then the packages of the project, of its user and of
    installed distributions are entered. A module or package that fails is a diagnostic and keeps nothing else from
    loading. `ConfigurationError` is raised for a path or settings that are wrong, and `InvalidDocumentError` for
    documents in its `config` folder that are, with every problem.
    """
    return open_place(locate(os.fspath(path)), services=services, environ=environ)


def open_place(place: Place, *, services: Services | None = None, environ: Mapping[str, str] | None = None) -> Project:
    """The same for a place that was found already."""
    variables = os.environ if environ is None else environ
    if place.built is not None:
        return _open_built(place.built, services, variables)
    return _open(place, services, variables)


# ---------------------------------------------------------------------------------------------------------------------


def _open_built(path: str, services: Services | None, variables: Mapping[str, str]) -> Project:
    """The project that a built file holds: its code goes to the user's cache, its packages stay in the file."""
    from prowess.app.packages.building import open_build  # noqa: PLC0415 - most projects are folders

    built = open_build(path)
    root = built.unpack_code(variables)
    place = Place(root, built=path, bare=not os.path.isfile(os.path.join(root, SETTINGS)))
    project = _open(place, services, variables, built)
    project.built = built
    return project


def _open(
    place: Place, services: Services | None, variables: Mapping[str, str], built: "OpenedBuild | None" = None
) -> Project:
    settings = parse_settings("", variables) if place.bare else load_settings(place.root, variables)
    project = Project(place, settings, Registry(services, list_budget=settings.disclosure.budget))
    project.registry.search_options = SearchOptions(
        folder=_search_folder(place, variables),
        carried=tuple if built is None else built.index_files,
        settled=never if built is None else built.holds,
        semantic=settings.search.semantic,
        body_of=body_of,
    )
    stored = index_file.read(place, variables)
    if place.code:
        importer = Importer(place.root)
        project.modules = _modules(place, settings, importer)
        for module in project.modules:
            _register(project.registry, module, importer)
        project.passed_over = importer.passed_over
        project.loading = tuple(importer.diagnostics)
        project.folders = importer.folders
    _load_documents(project)
    _load_policies(project)
    if built is None:
        enter_packages(project.registry.packages, place, settings.skills, variables, stored)
    else:
        project.registry.packages.enter(built.entries(project.registry.holdings.door))
    code = _files_below(place.root) if place.code else ()
    documents = project.registry.documents.files if project.governed else ()
    laid_down = () if project.policies is None else project.policies.files
    policies = [os.path.join(place.root, file) for file in laid_down]
    project.files = [*_settings_of(place), *code, *documents, *policies, *project.registry.packages.files]
    return project


def _load_documents(project: Project) -> None:
    """Load the documents of a project that has a `config` folder; a folder without settings is no project."""
    place, root = project.place, project.place.root
    config = os.path.join(root, CONFIG)
    if place.bare or not os.path.isdir(config):
        if project.settings.governance.required:
            message = f"[governance] required is true, and there is no {config}: it holds skill-registry.json"
            raise ConfigurationError(message, details={"path": config})
        project.absent = () if place.bare else (config,)
        return
    project.registry.load(config)
    project.governed = True
    project.absent = project.registry.documents.absent


def _load_policies(project: Project) -> None:
    """Bring the rules, packs and presets of a project into force, where it has any."""
    if project.place.bare or not os.path.lexists(os.path.join(project.place.root, POLICY)):
        return
    from prowess.app.policies.loading import load_policies  # noqa: PLC0415 - most projects have none

    registry = project.registry
    project.policies = found = load_policies(project.place.root, registry.rulebook.capabilities)
    registry.rulebook = replace(registry.rulebook, rules=found.rules, packs=found.packs, presets=found.presets)


def _search_folder(place: Place, variables: Mapping[str, str]) -> str | None:
    """Where the search index is kept: beside the index; in memory where there is none."""
    if place.built is not None:
        return os.path.join(place.root, STATE, "search")
    index = index_file.path_of(place, variables)
    if index is None:
        return None
    return os.path.join(place.root, STATE, "search") if not place.bare else f"{index}.search"


def _settings_of(place: Place) -> list[str]:
    return [] if place.bare else [os.path.join(place.root, SETTINGS)]


def _modules(place: Place, settings: Settings, importer: Importer) -> list[ModuleType]:
    """The project's modules in the order of its settings, each once."""
    if place.file is not None:
        module = importer.file(place.file)
        return [] if module is None else [module]
    found = importer.modules(settings.modules)
    for folder in ["."] if place.bare else settings.folders:
        found += importer.folder(folder)
    return list(dict.fromkeys(found))


def _register(registry: Registry, module: ModuleType, importer: Importer) -> None:
    """Register what a module defines, after its own `register(registry)` where it has one."""
    file = getattr(module, "__file__", None) or module.__name__
    relative = os.path.relpath(file, importer.root)
    elsewhere = relative.startswith("..") and not module.__name__.startswith(FILE_PREFIX)  # it is installed
    source = module.__name__ if elsewhere else relative
    taken = _call_register(registry, module, importer, file)
    things = definitions_in(module)
    try:
        registry.register(*things, source=source)
    except ProwessError:  # which of them it was shows when each goes on its own
        for thing in things:
            _register_one(registry, thing, source, taken, (importer, file))


def _call_register(registry: Registry, module: ModuleType, importer: Importer, file: str) -> frozenset[str]:
    """Call a module's `register(registry)`; gives the names that it added."""
    register: Callable[[Registry], object] | None = getattr(module, "register", None)
    if not callable(register) or getattr(register, "__module__", None) != module.__name__:
        return frozenset()
    before = registry.names
    try:
        outcome = register(registry)
        if isinstance(outcome, Coroutine):  # nobody would await it
            outcome.close()
            importer.blame("register", module.__name__, "register(registry) is async: write it with 'def'", file)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as for importing: a module's failure is its own
        importer.blame_error(f"{module.__name__}.register", error, file)
    return frozenset(registry.names).difference(before)


def _register_one(
    registry: Registry, thing: object, source: str, taken: frozenset[str], where: tuple[Importer, str]
) -> None:
    importer, file = where
    try:
        registry.register(thing, source=source)
    except AlreadyRegisteredError as error:
        if error.name not in taken:
            first = registry.get(error.name or "")
            of_first = "" if first is None else f" ({first.source} defines it)"
            told, in_registry, _ = error.message.partition(";")
            message = f"{told}{' already' if in_registry else ''}{of_first}: this one is left out"
            importer.blame("duplicate", error.name or source, message, file, line_of(thing))
    except ProwessError as error:
        importer.blame(error.code, error.name or source, str(error), file, line_of(thing))


def _files_below(root: str) -> list[str]:
    """The files of every module below a folder that is loaded, installed ones left out."""
    prefix = root.rstrip(os.sep) + os.sep
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return sorted({file for file in files if file and file.startswith(prefix) and "site-packages" not in file})
