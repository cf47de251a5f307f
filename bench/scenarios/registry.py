"""Look-ups among many entries, and what an entry costs."""

import gc
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from bench.scenario import Sample, Scenario, cpu, interleave
from prowess import Registry

_LOOKUPS = 50_000


class _Executor:
    async def execute(self, tool: str, input: object) -> object:  # noqa: A002 - the promised name
        return [tool, input]


def _definition(number: int, versions: int = 1) -> dict[str, object]:
    return {
        "name": f"tool_{number // versions}",
        "version": f"{number % versions + 1}.0.0",
        "description": f"Look up record {number} of the archive. Use when the user names record {number}.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string"}, f"option_{number % 97}": {"type": "integer"}},
            "required": ["query"],
        },
    }


def filled(count: int, versions: int = 1) -> Registry:
    """A registry with so many entries."""
    registry = Registry()
    registry.register_tools(_Executor(), (_definition(number, versions) for number in range(count)))
    return registry


def _nothing() -> None:
    for _ in range(_LOOKUPS):
        pass


def _spread(count: int) -> list[str]:
    """A thousand names from all over the registry, asked again and again: what a host's agents do."""
    few = [f"tool_{number * 7919 % count}" for number in range(1_000)]
    return [few[number % 1_000] for number in range(_LOOKUPS)]


def _get(count: int) -> Sequence[Sample]:
    registry = filled(count)
    get, names = registry.get, _spread(count)

    def look_up() -> None:
        for name in names:
            get(name)

    return _per_lookup(look_up)


def _everywhere() -> Sequence[Sample]:
    """As many different names as are asked: nearly each look misses the processor's caches, a dictionary's too."""
    count = 1_000_000
    get = filled(count).get
    plain = {f"tool_{number}": number for number in range(count)}.get
    names = [f"tool_{number * 7919 % count}" for number in range(_LOOKUPS)]

    def look_up(find: Callable[[str], object]) -> None:
        for name in names:
            find(name)

    return interleave(partial(look_up, get), partial(look_up, plain))


def _resolve(constraint: Callable[[int], str], *, kept: bool) -> Sequence[Sample]:
    versions = 10
    registry = filled(1_000 * versions, versions)
    get = registry.get
    names = [f"tool_{number % 1_000}" for number in range(_LOOKUPS)]
    constraints = [constraint(number) for number in range(_LOOKUPS)]
    pairs = list(zip(names, constraints, strict=True))
    index = registry.holdings.index

    def look_up() -> None:
        for name, wanted in pairs:
            get(name, wanted)

    def without_answers() -> None:
        for start in range(0, _LOOKUPS, 1_000):
            index.forget_answers()
            for name, wanted in pairs[start : start + 1_000]:
                get(name, wanted)

    return _per_lookup(look_up if kept else without_answers)


def _first_seen() -> Sequence[Sample]:
    registry = filled(10, 10)
    get = registry.get
    count = 1_000
    get("tool_0", "^0.9")
    samples = []
    for go in range(10):
        wanted = [f">={go}.{number} <9" for number in range(count)]

        def look_up(wanted: list[str] = wanted) -> None:
            for constraint in wanted:
                get("tool_0", constraint)

        samples.append(Sample(cost=cpu(look_up) / count, bare=1))
    return samples


def _per_lookup(work: Callable[[], None]) -> list[Sample]:
    samples = interleave(work, _nothing)
    return [Sample(cost=(one.cost - one.bare) / _LOOKUPS, bare=1) for one in samples]


def _memory(count: int) -> Sequence[Sample]:
    filled(10)
    gc.collect()
    before = _resident()
    registry = filled(count)
    gc.collect()
    used = _resident() - before
    return [Sample(cost=used / len(registry.names), bare=1)]


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


_COUNTS = (100, 10_000, 1_000_000)
_MICRO = 1e6

SCENARIOS = (
    *(
        Scenario(
            name=f"get-among-{count}",
            what=f"`registry.get(name)` among {count:,} entries",
            bare="-",
            limit=0.15,
            measure=partial(_get, count),
            absolute=True,
            unit="µs",
            scale=_MICRO,
            processes=3,
        )
        for count in _COUNTS
    ),
    Scenario(
        name="get-everywhere",
        what="`registry.get(name)` among 1,000,000 entries, 50,000 different names from all over",
        bare="`get` of a dictionary with as many names",
        limit=3,
        measure=_everywhere,
        processes=3,
    ),
    Scenario(
        name="resolve-known-constraint",
        what="a constraint that was read before, no kept answer",
        bare="-",
        limit=1,
        measure=partial(_resolve, lambda number: f"^{number % 7 + 1}.0", kept=False),
        absolute=True,
        unit="µs",
        scale=_MICRO,
        processes=3,
    ),
    Scenario(
        name="resolve-repeated",
        what="a constraint and a name that were asked before",
        bare="-",
        limit=0.1,
        measure=partial(_resolve, lambda number: f"^{number % 7 + 1}.0", kept=True),
        absolute=True,
        unit="µs",
        scale=_MICRO,
        processes=3,
    ),
    Scenario(
        name="resolve-first-seen",
        what="a constraint that nobody asked for yet",
        bare="-",
        limit=60,
        measure=_first_seen,
        absolute=True,
        unit="µs",
        scale=_MICRO,
        processes=3,
    ),
    *(
        Scenario(
            name=f"memory-of-{count}",
            what=f"resident bytes for each of {count:,} entries",
            bare="-",
            limit=1_200,
            measure=partial(_memory, count),
            absolute=True,
            unit="B",
            processes=1,
        )
        for count in (10_000, 1_000_000)
    ),
)
