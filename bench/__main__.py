"""Run scenarios, each in fresh processes, and write bench/RESULTS.md.

python -m bench [NAME ...]     the named scenarios (a part of the name is enough), or all of them
"""

import json
import platform
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench.catalogue import SCENARIOS
from bench.scenario import Sample, Scenario

RESULTS = Path(__file__).parent / "RESULTS.md"
_ONE = "--one"


def main(arguments: list[str]) -> int:
    """Measure, print, and write the table when everything was measured."""
    if arguments[:1] == [_ONE]:
        samples = next(one for one in SCENARIOS if one.name == arguments[1]).measure()
        print(json.dumps([(sample.cost, sample.bare) for sample in samples]))
        return 0
    usual = [one for one in SCENARIOS if not one.on_request]
    chosen = [one for one in SCENARIOS if any(word in one.name for word in arguments)] if arguments else usual
    rows = [row for scenario in chosen if (row := _row(scenario))]
    if not arguments:
        RESULTS.write_text(_page(rows), encoding="utf-8")
    return 0


def _row(scenario: Scenario) -> str:
    """A row of the table; none where what is measured with is not there."""
    samples: list[Sample] = []
    for _ in range(scenario.processes):
        output = subprocess.run(
            [sys.executable, "-m", "bench", _ONE, scenario.name], check=True, capture_output=True, text=True
        ).stdout
        samples += [Sample(cost=cost, bare=bare) for cost, bare in json.loads(output.splitlines()[-1])]
    if not samples:
        print(f"{scenario.name}: left out, since {scenario.bare} is not there")
        return ""
    figures = sorted(
        sample.cost * scenario.scale if scenario.absolute else sample.cost / sample.bare for sample in samples
    )
    median = statistics.median(figures)
    low, high = figures[len(figures) // 10], figures[-1 - len(figures) // 10]
    met = "yes" if (median >= scenario.limit if scenario.at_least else median <= scenario.limit) else "**no**"
    row = (
        f"| {scenario.name} | {scenario.what} | {scenario.bare} | {median:.3g} {scenario.unit} "
        f"| {low:.3g} to {high:.3g} | {'≥' if scenario.at_least else '≤'} {scenario.limit:g} | {met} |"
    )
    print(row, flush=True)
    return row


def _page(rows: list[str]) -> str:
    machine = f"{platform.machine()}, Python {platform.python_version()}, {platform.system()}"
    packages = ", ".join(f"{name} {version(name)}" for name in ("msgspec", "jsonschema-rs", "tantivy"))
    head = (
        "# Measured figures\n\n"
        f"Written by `make bench` on {datetime.now(UTC):%Y-%m-%d} ({machine}; {packages}).\n"
        "Each scenario runs in fresh processes, turn about with its bare limit; figures are medians of CPU time, with\n"
        "the 10th and 90th percentile.\n"
        "Shared machines are noisy: read the ratios, not single digits.\n"
        "`search-million` takes minutes and is measured on request.\n\n"
        "| scenario | what | against | median | 10 % to 90 % | limit | met |\n|---|---|---|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
