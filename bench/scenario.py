"""What a scenario is: something to measure, interleaved with the bare operation it is compared to."""

import gc
import os
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Work = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One measurement: seconds of CPU for each, or any two figures that make a ratio."""

    cost: float
    bare: float
    unit: str = "s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A figure that is promised: at most `limit` times the bare operation, or at most `limit` in `unit`."""

    name: str
    what: str
    bare: str
    limit: float
    measure: Callable[[], Sequence[Sample]]
    absolute: bool = False
    """The limit is on the cost itself, not on its ratio to the bare operation."""
    unit: str = "×"
    scale: float = field(default=1.0)
    """What an absolute cost is multiplied with before it is shown in `unit`."""
    processes: int = 5
    at_least: bool = False
    """The limit is a floor."""
    on_request: bool = False
    """Left out where everything is measured: it takes minutes."""


def interleave(cost: Work, bare: Work, rounds: int = 15) -> list[Sample]:
    """CPU seconds of both, turn about, after one warm-up each; the collector rests meanwhile."""
    cost()
    bare()
    gc.collect()
    gc.disable()
    try:
        return [Sample(cost=cpu(cost), bare=cpu(bare)) for _ in range(rounds)]
    finally:
        gc.enable()


def cpu(work: Work) -> float:
    """CPU seconds of this process for one go."""
    begin = time.process_time_ns()
    work()
    return (time.process_time_ns() - begin) / 1e9


def child_cpu(command: Sequence[str], cwd: str | None = None) -> float:
    """CPU seconds, user and system, of one child process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=cwd, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
