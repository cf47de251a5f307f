"""Every scenario, in the order of the table."""

from bench.scenarios import (
    built,
    calls,
    documents,
    packages,
    records,
    registry,
    search,
    search_quality,
    startup,
    tools,
)

SCENARIOS = (
    *calls.SCENARIOS,
    *registry.SCENARIOS,
    *documents.SCENARIOS,
    *tools.SCENARIOS,
    *startup.SCENARIOS,
    *packages.SCENARIOS,
    *built.SCENARIOS,
    *search.SCENARIOS,
    *search_quality.SCENARIOS,
    *records.SCENARIOS,
)
