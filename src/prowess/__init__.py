"""Write an agent's skill once; any agent can find it, is allowed exactly what it may do, and runs it to the end."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prowess.app.project import Project, open_project
    from prowess.app.registry import Registry
    from prowess.app.runtime import Runtime
    from prowess.authoring.context import Context, Progress
    from prowess.authoring.decorators import op, skill
    from prowess.authoring.opening import CommandOutput
    from prowess.authoring.pipeline import Pipeline
    from prowess.authoring.services import Services
    from prowess.authoring.skill import BaseSkill, LoadedPackage, Package, Skill
    from prowess.errors import (
        AlreadyRegisteredError,
        ApprovalRequiredError,
        ExecutionFailedError,
        ForbiddenError,
        InvalidInputError,
        InvalidManifestError,
        NotFoundError,
        ProwessError,
        RateLimitedError,
    )
    from prowess.model.caller import Caller
    from prowess.model.manifest import Manifest
    from prowess.model.permissions import Permissions
    from prowess.model.result import Result

__all__ = [
    "AlreadyRegisteredError",
    "ApprovalRequiredError",
    "BaseSkill",
    "Caller",
    "CommandOutput",
    "Context",
    "ExecutionFailedError",
    "ForbiddenError",
    "InvalidInputError",
    "InvalidManifestError",
    "LoadedPackage",
    "Manifest",
    "NotFoundError",
    "Package",
    "Permissions",
    "Pipeline",
    "Progress",
    "Project",
    "ProwessError",
    "RateLimitedError",
    "Registry",
    "Result",
    "Runtime",
    "Services",
    "Skill",
    "op",
    "open_project",
    "skill",
]

__version__ = "0.1.0"

_HOMES = {
    "app.project": ("Project", "open_project"),
    "app.registry": ("Registry",),
    "app.runtime": ("Runtime",),
    "authoring.context": ("Context", "Progress"),
    "authoring.decorators": ("op", "skill"),
    "authoring.opening": ("CommandOutput",),
    "authoring.pipeline": ("Pipeline",),
    "authoring.services": ("Services",),
    "authoring.skill": ("BaseSkill", "LoadedPackage", "Package", "Skill"),
    "errors": (
        "AlreadyRegisteredError",
        "ApprovalRequiredError",
        "ExecutionFailedError",
        "ForbiddenError",
        "InvalidInputError",
        "InvalidManifestError",
        "NotFoundError",
        "ProwessError",
        "RateLimitedError",
    ),
    "model.caller": ("Caller",),
    "model.manifest": ("Manifest",),
    "model.permissions": ("Permissions",),
    "model.result": ("Result",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        message = f"module 'prowess' has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"prowess.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
