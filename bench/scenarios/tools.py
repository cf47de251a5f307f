"""All tool definitions of a registry: as JSON, as values, and after a change."""

import itertools
from collections.abc import Sequence

import msgspec

from bench.scenario import Sample, Scenario, interleave
from bench.scenarios.registry import filled
from prowess import Manifest
from prowess.exposure import FORMATS, ToolCache

_ENTRIES = 10_000
_GOES = 20


def _warm() -> Sequence[Sample]:
    registry = filled(_ENTRIES)
    definitions = registry.toolset("openai").json
    parts = [definitions[start : start + 300] for start in range(0, len(definitions), 300)]

    def ask() -> None:
        for _ in range(_GOES):
            registry.toolset("openai").json  # noqa: B018 - the look is what is measured

    def join() -> None:
        for _ in range(_GOES):
            b",".join(parts)

    return interleave(ask, join)


def _values() -> Sequence[Sample]:
    registry = filled(_ENTRIES)
    kept = registry.tools("openai")
    return interleave(lambda: registry.tools("openai"), lambda: msgspec.to_builtins(kept), rounds=5)


def _changed() -> Sequence[Sample]:
    registry = filled(_ENTRIES)
    registry.toolset("openai")
    numbers = itertools.count()

    def change() -> None:
        manifest = Manifest(name="changing", description=f"Change number {next(numbers)}.")
        registry.register_tools(_Nobody(), [manifest], replace=True)
        registry.toolset("openai").json  # noqa: B018 - as above

    def anew() -> None:
        ToolCache(FORMATS).get("openai", registry.offered)

    return interleave(change, anew, rounds=5)


class _Nobody:
    async def execute(self, tool: str, input: object) -> object:  # noqa: A002 - the promised name
        return [tool, input]


SCENARIOS = (
    Scenario(
        name="tools-of-10000",
        what="all tool definitions of 10,000 entries as JSON, from a warm snapshot",
        bare="joining as many bytes",
        limit=1,
        measure=_warm,
        processes=3,
    ),
    Scenario(
        name="tools-as-values",
        what="`registry.tools()` of 10,000 entries: fresh values from the JSON that is kept",
        bare="a native copy of kept values",
        limit=2,
        measure=_values,
        processes=3,
    ),
    Scenario(
        name="tools-after-a-change",
        what="all tool definitions of 10,000 entries as JSON, after one of them changed",
        bare="making all of them",
        limit=0.5,
        measure=_changed,
        processes=3,
    ),
)
