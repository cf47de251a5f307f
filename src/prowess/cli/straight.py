"""Calls that need no event loop: which ones that is sure of, and how they are made.

Importing asyncio is a third of what a short `prowess run` costs with it (docs/decisions/0016).
"""

import os
import sys
from collections.abc import Coroutine, Iterator
from opcode import opmap
from types import CodeType, ModuleType
from typing import Any

from prowess.app.registry import Registry
from prowess.authoring.handler import Handler, Style
from prowess.governance.rulebook import NO_RULES
from prowess.model.manifest_parts import NO_LIMITS, Autonomy
from prowess.model.result import Result
from prowess.registry.entry import OURS, Entry

__all__ = ["needs_loop", "run_straight"]

_IMPORTING = frozenset({"__import__", "eval", "exec"})
_IMPORTER = "importlib"


def needs_loop(entry: Entry, registry: Registry, root: str, known: frozenset[str]) -> bool:
    """Whether a call of this entry could ask for an event loop; True where that is not certain.

    It could where the entry or anything it may call has a deadline or is no coroutine function, where governance may
    have to look something up, where asyncio is loaded, and where code that came with the project (all that is not
    `known`) is not the project's own, or may import something while it runs.
    """
    if "asyncio" in sys.modules or registry.rulebook != NO_RULES or not _all_coroutines(entry, registry):
        return True
    came = [module for name, module in sys.modules.items() if name not in known and not _is_trusted(name)]
    with_code = [module for module in came if not _is_folder_below(module, root)]
    return any(not _is_below(module, root) or _imports_late(module) for module in with_code)


def run_straight(call: Coroutine[Any, Any, Result]) -> Result:
    """The result of a call that never waits for an event loop. Bare turns (`yield`) are granted at once."""
    waits_for: object = None
    try:
        while True:
            if waits_for is None:
                waits_for = call.send(None)
            else:
                no_loop = RuntimeError(f"waits for {type(waits_for).__name__}, and there is no event loop")
                waits_for = call.throw(no_loop)
    except StopIteration as end:
        result: Result = end.value
        return result


# ---------------------------------------------------------------------------------------------------------------------


def _all_coroutines(entry: Entry, registry: Registry) -> bool:
    """Whether the entry, and all that it may call, are coroutine functions without a deadline."""
    seen: set[Entry] = set()
    waiting: list[Entry | None] = [entry]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        if one is None or not isinstance(one.recipe, Handler) or one.recipe.style is not Style.COROUTINE:
            return False
        if one.manifest.limits != NO_LIMITS or one.source == OURS:  # our tools open packages of any kind
            return False
        if one.manifest.autonomy is not Autonomy.L3 or one.manifest.destructive or one.manifest.policy_tags:
            return False  # it may have to look records up
        seen.add(one)
        waiting += [registry.get(target.name, target.version) for target in one.manifest.targets]
    return True


def _is_trusted(name: str) -> bool:
    """Whether a module is Python's or ours: none of these asks for a loop unless asyncio is loaded."""
    top = name.partition(".")[0]
    return top == "prowess" or top in sys.stdlib_module_names


def _is_below(module: ModuleType, root: str) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and file.startswith(root + os.sep) and "site-packages" not in file


def _is_folder_below(module: ModuleType, root: str) -> bool:
    """Whether a module is a folder of the project without a file of its own, and so without code: `skills`, say."""
    folders = [*getattr(module, "__path__", ())] if getattr(module, "__file__", None) is None else []
    return bool(folders) and all(folder.startswith(root + os.sep) for folder in folders)


def _imports_late(module: ModuleType) -> bool:
    """Whether any function or class of a module may import something when it is called."""
    if any(_imports_by_name(one) for one in vars(module).values()):
        return True
    loader: Any = getattr(module.__spec__, "loader", None)
    try:
        code = loader.get_code(module.__name__)
    except Exception:  # noqa: BLE001 - a loader of whatever kind: without code nothing is certain
        return True
    return code is None or any(
        opmap["IMPORT_NAME"] in inner.co_code[::2] or not _IMPORTING.isdisjoint(inner.co_names)
        for inner in _inside(code)
    )


def _imports_by_name(one: object) -> bool:
    return _IMPORTER in (getattr(one, "__module__", None), getattr(one, "__name__", None))


def _inside(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _inside(constant)
