"""What the registry holds: a manifest, the recipe for its code, and the door through which it runs."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from prowess.authoring.handler import Handler
from prowess.authoring.services import Services
from prowess.model.json_value import Json
from prowess.model.manifest import Manifest, Status
from prowess.model.pipeline import Pipeline
from prowess.model.result import Result

__all__ = ["OURS", "OUR_TOOLS", "Door", "Entry", "Factory", "Recipe"]

OUR_TOOLS = frozenset({"activate_skill", "list_skills", "read_skill_resource", "search_skills"})
"""The keys of the tools that disclose packages: code may replace one, a package that was found never does."""
OURS = "prowess"
"""The source of what a registry offers by itself."""


class Factory(Struct, frozen=True, eq=False):
    """A recipe that makes a skill from services, once for each scope that asks."""

    make: Callable[[Services], object]
    version: str | None = None
    """The version that its skill must have, where it is known beforehand and the skill says one."""


Recipe: TypeAlias = Handler | Factory | Pipeline
"""How a call of an entry is carried out: code that is there, code that is made first, or steps."""

Door: TypeAlias = Callable[["Entry", Mapping[str, object]], Coroutine[Any, Any, Result]]
"""The way into the gate that an entry's `execute` takes."""


class Entry(Struct, frozen=True, eq=False):
    """One `name@version` of the registry. Immutable; a change makes another entry.

    It satisfies `Skill`, so it can be handed to whatever takes one.
    """

    manifest: Manifest
    recipe: Recipe
    source: str
    """Where it came from: `code`, `builtin`, `prowess`, or a document's or folder's path."""
    door: Door

    @property
    def name(self) -> str:
        """Its name, with the namespace where it has one."""
        return self.manifest.name

    @property
    def version(self) -> str | None:
        """Its version as its author wrote it."""
        return self.manifest.version

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        return self.manifest.description

    @property
    def parameters(self) -> dict[str, object]:
        """The JSON Schema of its inputs; a fresh copy each time."""
        return self.manifest.input_schema.value()

    @property
    def output_schema(self) -> dict[str, object] | None:
        """The JSON Schema of its output, where it has one; a fresh copy each time."""
        schema = self.manifest.output_schema
        return None if schema is None else schema.value()

    @property
    def enabled(self) -> bool:
        """Whether its status lets it run."""
        return self.manifest.status is not Status.DISABLED

    async def execute(self, /, **inputs: Json) -> Result:
        """Run it through the gate of its registry's own runtime; a refusal or failure is in the result."""
        return await self.door(self, inputs)

    def __repr__(self) -> str:
        return f"<{self.manifest.kind} {self.manifest.reference} from {self.source}>"
