"""Instances that factories and classes made: who closes them, and what else is closed."""

import gc

import pytest

from prowess import Context, LoadedPackage, Registry, Services
from tests.unit.app.registry.skills import Whisper


async def test_a_package_can_be_registered_as_a_class() -> None:
    """Regression: an instance could be registered, and its class could not."""

    class Guide:
        name = "guide"
        description = "Use when lost."
        version = None

        async def load(self, _ctx: Context) -> LoadedPackage:
            return LoadedPackage("Turn left.")

    registry = Registry()
    registry.register(Guide)
    output = (await registry.require("guide").execute()).output
    assert output == {"instructions": "Turn left.", "resources": []}


class Closing(Whisper):
    """A skill that has something to close."""

    def __init__(self, closed: list[str]) -> None:
        self._closed = closed

    async def aclose(self) -> None:
        """Say so."""
        self._closed.append(self.name)


@pytest.mark.behaviour("services.lent")
async def test_a_registry_closes_the_container_that_it_made_and_no_other() -> None:
    """Regression: `async with Registry(services)` emptied services that it was lent."""
    closed: list[str] = []
    lent = Services()
    lent.register("key", 1, lambda: closed.append("lent"))
    async with Registry(lent) as registry:
        registry.register_factory("whisper", lambda _: Closing(closed))
        registry.get("whisper")
    assert closed == ["whisper"]
    assert lent.names() == ["key"]
    await lent.aclose()
    async with Registry() as registry:
        registry.services.register("key", 1, lambda: closed.append("own"))
    assert closed == ["whisper", "lent", "own"]


@pytest.mark.behaviour("factories.unclosed")
def test_a_registry_that_is_thrown_away_unclosed_warns() -> None:
    """Regression: instances with something to close were dropped without a word."""
    closed: list[str] = []

    def forget() -> None:
        registry = Registry()
        registry.register_factory("whisper", lambda _: Closing(closed))
        registry.get("whisper")

    forget()
    with pytest.warns(ResourceWarning, match="skills were never closed: whisper"):
        gc.collect()
    assert closed == []


async def test_own_services_are_closed_where_an_instance_cannot_be() -> None:
    """Choice: one bad closer keeps nothing else from closing."""
    closed: list[str] = []

    class Stuck(Whisper):
        def close(self) -> None:
            raise OSError("stuck")

    registry = Registry()
    registry.services.register("key", 1, lambda: closed.append("key"))
    registry.register_factory("whisper", lambda _: Stuck())
    registry.get("whisper")
    with pytest.raises(OSError, match="stuck"):
        await registry.aclose()
    assert closed == ["key"]
