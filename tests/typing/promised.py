"""What the public types promise: both type checkers read this file, nothing runs it."""

from collections.abc import Mapping
from typing import assert_type

from prowess import (
    Caller,
    Manifest,
    NotFoundError,
    Permissions,
    ProwessError,
    Registry,
    Result,
    Runtime,
    Services,
    Skill,
)
from prowess.catalog.search.hit import Hit
from prowess.catalog.search.matching import Match


class Plain:
    """A skill that inherits from nothing."""

    name = "plain"
    description = "Use when nothing else fits."
    parameters: Mapping[str, object] = {"type": "object"}

    async def execute(self, **inputs: object) -> object:
        return inputs


def a_class_that_inherits_nothing_is_a_skill() -> None:
    taken: Skill = Plain()
    assert_type(taken.name, str)


def a_search_gives_hits() -> None:
    hits = Registry().search("find my notes about rust", k=5, permissions=Permissions.preset("sandboxed"))
    assert_type(hits, list[Hit])
    assert_type(hits[0].name, str)
    assert_type(hits[0].version, str | None)
    assert_type(hits[0].score, float)
    assert_type(hits[0].matched, tuple[Match, ...])


def a_registry_can_be_made_with_or_without_services() -> None:
    assert_type(Registry(), Registry)
    assert_type(Registry(Services()), Registry)


def a_lookup_may_find_nothing(registry: Registry) -> None:
    assert_type(registry.names, tuple[str, ...])
    found = registry.get("search_notes", "^1.2")
    if found is not None:
        assert_type(found.name, str)
        assert_type(found.manifest, Manifest)
    assert_type(registry.require("search_notes").manifest, Manifest)


async def a_run_gives_a_result(runtime: Runtime) -> None:
    result = await runtime.run("search_notes", {"query": "rust"}, caller=Caller("me"))
    assert_type(result, Result)
    assert_type(result.ok, bool)
    assert_type(result.error, ProwessError | None)
    assert_type(result.duration_ms, float)


async def a_runtime_is_a_context_manager(registry: Registry) -> None:
    async with Runtime(registry) as runtime:
        assert_type(runtime, Runtime)


def presets_are_permissions() -> None:
    assert_type(Permissions.preset("sandboxed"), Permissions)


def errors_are_one_family() -> None:
    error: ProwessError = NotFoundError("no such skill", details={"name": "x"}, retryable=False)
    assert_type(error.code, str)
    assert_type(error.retryable, bool)
