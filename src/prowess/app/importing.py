"""Importing a project's modules. What one does wrong is a diagnostic, and the others are imported all the same."""

import importlib
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from types import ModuleType, TracebackType

from prowess.catalog.folders import names_in, python_files, uses_prowess, walk
from prowess.catalog.listing import Diagnostic, one_line
from prowess.errors import ProwessError, UnavailableError
from prowess.model.names import near_names

__all__ = ["EXTRAS", "FILE_PREFIX", "Importer", "import_attribute", "installing", "place_of"]

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "server": ("starlette", "uvicorn", "httptools"),
    "search": ("tantivy",),
    "semantic": ("onnxruntime", "tokenizers"),
    "pydantic": ("pydantic",),
}
"""Each extra that something uses by now, with the modules that it brings."""


FILE_PREFIX = "prowess_file_"
"""How the name begins of a module whose file has none that Python can import."""


class Importer:
    """Imports modules below one folder, which it puts on `sys.path`. Used once, while a project opens."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.diagnostics: list[Diagnostic] = []
        self.folders: dict[str, list[str]] = {}
        """The folders that were looked through, with what was in them: a file that appears changes the project."""
        self.passed_over: list[str] = []
        """The files of such folders that do not import prowess, and so were not run."""
        if root not in sys.path:
            sys.path.insert(_before_installed(), root)
        importlib.invalidate_caches()  # a file may have been written since Python last looked

    def modules(self, names: Iterable[str]) -> list[ModuleType]:
        """The modules of these dotted names; `skills.*` stands for a package and every module below it."""
        found: list[ModuleType | None] = []
        for name in names:
            if name.endswith(".*"):
                found += self._package(name.removesuffix(".*"))
            else:
                found.append(self._named(name))
        return [module for module in found if module is not None]

    def folder(self, folder: str) -> list[ModuleType]:
        """The modules of the code files directly inside a folder that use prowess."""
        path = os.path.normpath(os.path.join(self.root, folder))
        if not os.path.isdir(path):
            self.blame("missing", folder, f"there is no folder {path}: 'folders' in prowess.toml names it")
            return []
        self.folders[path] = names_in(path)
        files = python_files(path)
        chosen = [file for file in files if uses_prowess(file)]
        self.passed_over += [file for file in files if file not in chosen]
        return [module for file in chosen if (module := self.file(file)) is not None]

    def file(self, path: str) -> ModuleType | None:
        """The module that a file is, under its dotted name where the project's folder gives it one."""
        main = sys.modules.get("__main__")
        if main is not None and _same(getattr(main, "__file__", None), path):
            return main  # a script that opens its own project must not run twice
        relative = os.path.relpath(path, self.root).removesuffix(".py")
        dotted = relative.replace(os.sep, ".")
        if _is_dotted(dotted):
            return self._named(dotted)
        name = f"{FILE_PREFIX}{zlib.crc32(path.encode('utf-8', 'surrogateescape')):08x}"
        return self._guarded(os.path.relpath(path, self.root), lambda: _load(name, path))

    def blame(self, code: str, subject: str, message: str, path: str = "", line: int | None = None) -> None:
        """Note what is wrong with a module."""
        shown = os.path.relpath(path, self.root) if path and _is_below(path, self.root) else path
        found = Diagnostic(code=code, subject=subject, message=one_line(message), path=shown, line=line)
        self.diagnostics.append(found)

    def blame_error(self, subject: str, error: BaseException, file: str | None = None) -> None:
        """Note an error that a module's code raised, with the place in the project where it came from."""
        path, line = place_of(error, self.root)
        code, message = _told(error)
        self.blame(code, subject, message, path or file or _file_named(subject, self.root), line)

    # -----------------------------------------------------------------------------------------------------------------

    def _named(self, name: str) -> ModuleType | None:
        if not _is_dotted(name):
            near = name.removesuffix(".py").replace("/", ".").strip(".")
            hint = f": did you mean '{near}'?" if near != name and _is_dotted(near) else ", and this is no such name"
            self.blame("missing", name, f"a module is named with dots, as for import{hint}")
            return None
        other = _taken(name, self.root)
        if other is not None:
            message = (
                f"another module '{name}' is loaded already, from {other}: a process can hold one, so rename this one"
            )
            self.blame("conflict", name, message)
            return None
        return self._guarded(name, lambda: importlib.import_module(name))

    def _package(self, name: str) -> list[ModuleType | None]:
        """A package and everything below it, in order of the dotted names."""
        package = self._named(name)
        if package is None:
            return []
        found: list[ModuleType | None] = [package]
        for top in list(getattr(package, "__path__", ())):
            for folder in walk(top):
                self.folders[folder] = names_in(folder)
                inside = os.path.relpath(folder, top)
                dotted = name if inside == "." else f"{name}.{inside.replace(os.sep, '.')}"
                stems = [os.path.basename(file).removesuffix(".py") for file in python_files(folder)]
                found += [self._named(f"{dotted}.{stem}") for stem in stems if _is_dotted(f"{dotted}.{stem}")]
        return found

    def _guarded(self, subject: str, load: Callable[[], ModuleType]) -> ModuleType | None:
        """What `load` gives; whatever a module's code raises ends with that module."""
        try:
            return load()
        except KeyboardInterrupt:
            raise
        except ModuleNotFoundError as error:
            if error.name and (subject == error.name or subject.startswith(f"{error.name}.")):
                self._missing(subject)
            else:
                self.blame_error(subject, error)
        except BaseException as error:  # noqa: BLE001 - sys.exit, and all else that code may raise while it is imported
            self.blame_error(subject, error)
        return None

    def _missing(self, name: str) -> None:
        stems = [os.path.relpath(file, self.root).removesuffix(".py") for file in python_files(self.root)]
        near = near_names(name, [stem.replace(os.sep, ".") for stem in stems], 1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        self.blame("missing", name, f"there is no module '{name}' in {self.root}{hint}")


def import_attribute(module: str, name: str, root: str, label: str) -> Callable[..., object]:
    """What can be called in a module that is imported from a folder now, `name` with dots for what is inside a class.

    Raises `UnavailableError`, its message beginning with the label.
    """
    importer = Importer(root)
    found = importer.modules([module])
    if not found:
        reasons = "; ".join(one.message for one in importer.diagnostics)
        raise UnavailableError(f"{label}: module '{module}': {reasons}", details={"module": module})
    value: object = found[0]
    for part in name.split("."):
        if not hasattr(value, part):
            near = next(iter(near_names(part, [one for one in dir(value) if not one.startswith("_")], 1)), None)
            hint = f", did you mean '{near}'?" if near else ""
            raise UnavailableError(f"{label}: module '{module}' has no '{name}'{hint}", details={"module": module})
        value = getattr(value, part)
    if not callable(value):
        raise UnavailableError(f"{label}: '{module}:{name}' cannot be called", details={"module": module})
    return value


def installing(extra: str) -> str:
    """The command that installs an extra. There is no release yet, so it names a checkout."""
    return f"pip install 'PATH/TO/prowess[{extra}]'"


def place_of(error: BaseException, root: str) -> tuple[str | None, int | None]:
    """The file and line of an error: that of a syntax error, else the innermost line of the project."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno or None
    place: tuple[str | None, int | None] = (None, None)
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if _is_below(file, root):
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place


# ---------------------------------------------------------------------------------------------------------------------


def _before_installed() -> int:
    """Where a project's folder stands on the path.

    Before what is installed, so that its own `skills` or `tests` is found, and after Python's own modules, so that its
    `queue.py` does not break them.
    """
    installed = [place for place, path in enumerate(sys.path) if path.endswith(("site-packages", "dist-packages"))]
    return min(installed, default=len(sys.path))


def _load(name: str, path: str) -> ModuleType:
    """A module from a file whose name is none that Python can import."""
    known = sys.modules.get(name)
    if known is not None:
        return known
    loader = SourceFileLoader(name, path)
    spec = ModuleSpec(name, loader, origin=path)
    spec.has_location = True
    module = sys.modules[name] = module_from_spec(spec)
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _taken(name: str, root: str) -> str | None:
    """Where another module of this name, or of a package it is in, was loaded from; None where there is none."""
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        loaded = sys.modules.get(".".join(parts[:count]))
        base = os.path.join(root, *parts[:count])
        if loaded is None:
            continue
        if os.path.isdir(base):
            ours = any(_same(base, path) for path in getattr(loaded, "__path__", ()))
        else:
            ours = not os.path.isfile(f"{base}.py") or _same(f"{base}.py", loaded.__file__)
        if not ours:
            return loaded.__file__ or "elsewhere"
    return None


def _file_named(name: str, root: str) -> str:
    """The file below `root` that a module of this name would be; empty where there is none."""
    base = os.path.join(root, *name.split("."))
    return next((file for file in (f"{base}.py", os.path.join(base, "__init__.py")) if os.path.isfile(file)), "")


def _told(error: BaseException) -> tuple[str, str]:
    """The code and sentence for what a module raised."""
    if isinstance(error, ProwessError):
        return error.code, error.message
    if isinstance(error, SyntaxError) and "codec can't decode" in str(error.msg):
        return "syntax", "this is not UTF-8 text, which Python reads: save it as such, or say its encoding in line 1"
    if isinstance(error, SyntaxError):
        return "syntax", f"this is not Python: {error.msg}"
    if isinstance(error, SystemExit):
        code = "" if error.code is None else repr(error.code)
        return "exit", f"it ended itself while it was imported: sys.exit({code})"
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        top = (error.name or "").partition(".")[0]
        advice = "".join(f": {installing(extra)}" for extra, modules in EXTRAS.items() if top in modules)
        return "import", f"it needs a module that is not installed: {error.name}{advice}"
    return "import", f"importing it failed: {text}"


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _is_below(path: str, root: str) -> bool:
    return path.startswith(root.rstrip(os.sep) + os.sep)


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and os.path.realpath(one) == os.path.realpath(other)
