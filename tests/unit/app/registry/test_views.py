"""Whole views of a registry: tools of outside executors, checks, narrower views, fingerprints."""

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from prowess import (
    InvalidManifestError,
    Manifest,
    NotFoundError,
    Permissions,
    Pipeline,
    Registry,
    skill,
)
from tests.unit.app.registry.skills import Whisper, search_index, search_notes, versioned


async def test_an_outside_executors_tools_run_as_ops() -> None:
    """Spec: an outside executor's tools are ops, with schemas or without."""

    class Executor:
        async def execute(self, tool: str, input: Mapping[str, object], /) -> object:  # noqa: A002 - the promised name
            return {"tool": tool, **input}

    registry = Registry()
    registry.register_tools(
        Executor(),
        [
            {"name": "plain"},
            {"type": "function", "function": {"name": "chat", "description": "d", "parameters": {"type": "object"}}},
            {
                "name": "mcp_like",
                "inputSchema": {"type": "object", "required": ["a"]},
                "outputSchema": {"type": "object"},
            },
            Manifest(name="ready", description="d"),
        ],
    )
    assert (await registry.require("plain").execute(x=1)).output == {"tool": "plain", "x": 1}
    assert (await registry.require("chat").execute()).output == {"tool": "chat"}
    assert not (await registry.require("mcp_like").execute()).ok
    assert [one.name for one in registry.list(kind="op")] == ["chat", "mcp_like", "plain", "ready"]


def test_check_names_every_missing_target_and_who_needs_it() -> None:
    """Spec: `check` raises NotFoundError naming who needs what is missing."""
    registry = Registry()
    registry.register(search_notes)
    with pytest.raises(NotFoundError, match=r"'search_notes@1\.2\.0' needs 'search_index'") as caught:
        registry.check()
    assert caught.value.name == "search_index"
    registry.register(search_index)
    registry.check()


def test_check_takes_two_ways_to_one_target() -> None:
    """Choice: calling the same entry twice is no circle."""

    @skill(calls=["search_notes", "search_index"])
    async def either() -> None:
        """Call both."""

    registry = Registry()
    registry.register(either, search_notes, search_index)
    registry.check()


def test_check_refuses_a_circle_of_calls() -> None:
    """Spec: cycles are refused."""

    @skill(calls=["pong"])
    async def ping() -> None:
        """Call pong."""

    @skill(calls=["ping"])
    async def pong() -> None:
        """Call ping."""

    registry = Registry()
    registry.register(ping, pong, search_index)
    with pytest.raises(InvalidManifestError, match="ping → pong → ping"):
        registry.check()


def test_a_pipeline_may_come_before_its_targets() -> None:
    """Spec: targets are checked by `check`, not by `build`."""
    registry = Registry()
    registry.register(
        Pipeline("research", version="1.0.0", description="Use when in doubt.").step("search", "search_index").build()
    )
    with pytest.raises(NotFoundError, match="research"):
        registry.check()


def test_a_view_only_narrows() -> None:
    """Spec: `filtered` gives a view that only narrows."""
    registry = Registry()
    registry.register(search_notes, search_index, Whisper())
    view = registry.filtered(names=["search_notes", "whisper"]).filtered(permissions=Permissions().without("whisper"))
    assert view.names == ("search_notes",)
    assert "search_notes" in view
    assert "whisper" not in view
    assert view.get("whisper") is None
    assert [entry.name for entry in view] == ["search_notes"]
    assert len(view.tools("openai")) == 1
    assert registry.filtered(tag="notes").names == ("search_index",)
    assert registry.filtered(kind="op").names == ("search_index",)
    with pytest.raises(NotFoundError) as caught:
        view.require("whisperr")
    assert caught.value.near == ()


def test_a_view_for_each_of_many_callers_shows_each_his_own() -> None:
    """Choice: definitions are kept for a number of callers, and made anew for those beyond it."""
    registry = Registry()
    registry.register(search_index, Whisper())
    callers = [Permissions().without("whisper", f"other_{number}") for number in range(70)]
    for _ in range(2):
        assert [len(registry.tools(permissions=permissions)) for permissions in callers] == [1] * 70
    assert len(registry.tools()) == 2


def test_the_fingerprint_tells_catalogues_apart_and_not_their_order() -> None:
    """Spec: `fingerprint` is taken over sorted entries."""
    one, other = Registry(), Registry()
    one.register(search_index, search_notes)
    other.register(search_notes)
    assert one.fingerprint != other.fingerprint
    assert one.filtered(names=["search_notes"]).fingerprint == other.fingerprint
    other.register(search_index)
    assert one.fingerprint == other.fingerprint


def test_readers_are_never_disturbed_by_a_writer() -> None:
    """Spec: writers never disturb readers."""
    registry = Registry()
    registry.register(search_index)
    done = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not done.is_set():
            names = [manifest.name for manifest in registry.list()]
            assert names == sorted(names)
            assert registry.get("search_index") is not None
            seen.append(len(names))

    with ThreadPoolExecutor(2) as pool:
        reading = [pool.submit(read) for _ in range(2)]
        for number in range(300):
            registry.register_factory(
                f"n{number}", lambda _: Whisper(), manifest=Manifest(name=f"n{number}", description="x")
            )
        done.set()
        for one in reading:
            one.result()
    assert len(registry) == 301


def test_a_namespaced_entry_is_found_by_its_whole_name() -> None:
    """Spec: a namespace goes before a slash."""
    registry = versioned("1.0.0", name="acme/refunds")
    assert registry.require("acme/refunds@^1").manifest.namespace == "acme"
    assert registry.get("refunds") is None
