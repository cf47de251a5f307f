"""The only place that chooses adapters: registry, runtime and project, wired."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prowess.app.project import Project, open_project
    from prowess.app.registry import Registry
    from prowess.app.runtime import Runtime
    from prowess.app.view import RegistryView

__all__ = ["Project", "Registry", "RegistryView", "Runtime", "open_project"]

_HOMES = {
    "Project": "project",
    "Registry": "registry",
    "RegistryView": "view",
    "Runtime": "runtime",
    "open_project": "project",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        message = f"module 'prowess.app' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"prowess.app.{home}"), name)
