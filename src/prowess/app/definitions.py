"""What a module defines that belongs in a registry."""

import ast
import inspect
from types import ModuleType

from prowess.authoring.decorators import EntryFunction
from prowess.authoring.handler import Definition
from prowess.authoring.skill import BaseSkill
from prowess.model.pipeline import Pipeline

__all__ = ["definitions_in", "ignored_in", "line_of"]

_SKILL = ("name", "description", "parameters", "execute")
_PACKAGE = ("name", "description", "load")


def definitions_in(module: ModuleType) -> list[object]:
    """Decorated functions, pipelines, skill objects, packages and skill classes, in the order of the module, each once.

    What a module imported is left to the one that defines it. A class counts only where the registry can make it, with
    no arguments or with the services, and where the module makes no instance of it.
    """
    public = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    found = {name: value for name, value in public.items() if _is_definition(value, module)}
    objects = [name for name, value in found.items() if not isinstance(value, type | EntryFunction)]
    for name in _imported_names(module) if objects else ():
        if name in objects:
            del found[name]
    made: set[type] = {type(value) for value in found.values()}
    once = {id(value): value for value in found.values() if not (isinstance(value, type) and value in made)}
    return list(once.values())


def ignored_in(module: ModuleType) -> list[tuple[str, str]]:
    """What a module defines that looks like a skill and is none: its name, and why. Its owner may wonder."""
    found: list[tuple[str, str]] = []
    for name, value in vars(module).items():
        if not isinstance(value, type) or value.__module__ != module.__name__ or name.startswith("_"):
            continue
        methods = [inner for inner, one in vars(value).items() if isinstance(one, EntryFunction)]
        found += [
            (f"{name}.{inner}", "is decorated inside a class: only functions of a module are") for inner in methods
        ]
        why = _why_no_skill(value, module)
        found += [] if why is None else [(name, why)]
    return found


def line_of(thing: object) -> int | None:
    """The line where a function is defined; None for all else."""
    code = getattr(inspect.unwrap(thing), "__code__", None) if callable(thing) else None
    return None if code is None else code.co_firstlineno


# ---------------------------------------------------------------------------------------------------------------------


def _is_definition(value: object, module: ModuleType) -> bool:
    if isinstance(value, type):
        return _is_skill_class(value, module)
    if isinstance(value, EntryFunction):
        return value.__module__ == module.__name__
    if isinstance(value, ModuleType) or type(value).__module__ == "builtins":
        return False
    try:
        return isinstance(value, Pipeline) or _is_skill(value)
    except Exception:  # noqa: BLE001 - an object of the module's own that answers no questions
        return False


def _is_skill(value: object) -> bool:
    """Whether an object satisfies `Skill` or `Package`, or carries a definition."""
    if isinstance(getattr(value, "definition", None), Definition):
        return True
    named = isinstance(getattr(value, "name", None), str) and isinstance(getattr(value, "description", None), str)
    has = [all(hasattr(value, part) for part in parts) for parts in (_SKILL, _PACKAGE)]
    return named and any(has)


def _is_skill_class(kind: type, module: ModuleType) -> bool:
    if not issubclass(kind, BaseSkill) or kind.__module__ != module.__name__ or kind.__name__.startswith("_"):
        return False
    if inspect.isabstract(kind) or (kind.__init__ is BaseSkill.__init__ and not hasattr(kind, "name")):
        return False
    needed = [
        parameter.name
        for parameter in inspect.signature(kind).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
    ]
    return needed in ([], ["services"])


def _why_no_skill(kind: type[object], module: ModuleType) -> str | None:
    """Why a class that looks like one is none; None for what is a skill, or does not look like one."""
    if _is_skill_class(kind, module) or inspect.isabstract(kind) or not all(hasattr(kind, part) for part in _SKILL):
        return None
    if issubclass(kind, BaseSkill):
        return "is made with arguments: register a factory that gives them"
    return "is a class without BaseSkill: inherit that, or make an instance"


def _imported_names(module: ModuleType) -> set[str]:
    """The names that a module binds by `from x import y`, as far as its source can be read."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return set()
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in froms for alias in node.names}
