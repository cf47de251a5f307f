"""What every test shares: the event loop that async tests run on, and the ledger's bookkeeping."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, settings

# No test is about time: a machine that does other things too must not make one fail.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@dataclass(slots=True)
class Marked:
    """The tests that name a behaviour: all of them, and those expected to fail."""

    tests: dict[str, set[str]] = field(default_factory=dict)
    expected_to_fail: set[str] = field(default_factory=set)


MARKED = pytest.StashKey[Marked]()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run async tests on asyncio, the only event loop Prowess supports."""
    return "asyncio"


@pytest.fixture
def marked(pytestconfig: pytest.Config) -> Marked:
    """Give the marks of every collected test."""
    return pytestconfig.stash[MARKED]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gather the behaviours before anything is deselected, and drop what a partial run cannot decide."""
    config.stash[MARKED] = gather(items)
    if not is_whole(config):
        undecidable = [item for item in items if item.get_closest_marker("whole_run")]
        config.hook.pytest_deselected(items=undecidable)
        items[:] = [item for item in items if item not in undecidable]


def gather(items: list[pytest.Item]) -> Marked:
    """Read the behaviours that these tests name, and which of the tests are expected to fail."""
    marked = Marked()
    for item in items:
        for mark in item.iter_markers("behaviour"):
            for behaviour in mark.args:
                marked.tests.setdefault(behaviour, set()).add(item.nodeid)
        if item.get_closest_marker("xfail"):
            marked.expected_to_fail.add(item.nodeid)
    return marked


def is_whole(config: pytest.Config) -> bool:
    """Tell whether every test was collected: no path named, no folder ignored, no rerun of failures."""
    options = config.option
    narrowed = options.ignore or options.ignore_glob or options.lf or options.stepwise
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and not narrowed
