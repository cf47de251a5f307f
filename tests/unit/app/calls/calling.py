"""What the tests of calls share."""

from prowess import (
    Registry,
    Result,
    Runtime,
    op,
)


@op
async def echo(text: str) -> str:
    """Give the text back."""
    return text


def registry_of(*things: object) -> Registry:
    """A registry with these entries."""
    registry = Registry()
    registry.register(*things)
    return registry


async def run(thing: object, inputs: object = None, **options: object) -> Result:
    """One call of one entry in a runtime of its own."""
    registry = registry_of(thing)
    async with Runtime(registry) as runtime:
        return await runtime.run(registry.names[0], inputs or {}, **options)  # type: ignore[arg-type]
