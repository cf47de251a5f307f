"""The packages that the tests of their disclosure share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prowess import Caller, LoadedPackage, Registry, Runtime

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prowess import Context, Result

ME = Caller("me", trace="1")


class Manual:
    """A package made in code, which counts how often it is opened."""

    def __init__(
        self,
        name: str = "manual",
        text: str = "Speak softly.",
        resources: Mapping[str, object] | None = None,
        *,
        version: str | None = None,
        tags: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.description = f"Use when the user wants the {name}."
        self.version = version
        self.tags = tags
        self.text = text
        self.resources = dict(resources or {})
        self.opened: list[Caller] = []

    async def load(self, ctx: Context) -> LoadedPackage:
        """Open it."""
        self.opened.append(ctx.caller)
        return LoadedPackage(self.text, self.resources)


def registry_of(*things: object) -> Registry:
    """A registry that holds these."""
    registry = Registry()
    registry.register(*things)
    return registry


async def call(registry: Registry, name: str, caller: Caller = ME, /, **inputs: object) -> Any:
    """The output of a call; raises its error."""
    return (await result_of(registry, name, caller, **inputs)).unwrap()


async def result_of(registry: Registry, name: str, caller: Caller = ME, /, **inputs: object) -> Result:
    """What a call came to."""
    async with Runtime(registry) as runtime:
        return await runtime.run(name, inputs, caller=caller)
