"""A process that is killed in the middle of its calls."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from prowess.app.records.stores import open_store
from prowess.app.records.trail import Trail
from tests.ports.records.asking import PATIENCE, ROOT

CALLING = """
import asyncio, sys
from prowess.app.records.stores import open_store
from prowess.telemetry.audit import AuditTrail
from tests.unit.telemetry.calls import ended

trail = AuditTrail(open_store(sys.argv[1]).audit, sync=sys.argv[2] == "sync")

async def call(worker):
    for number in range(worker * 1_000_000, worker * 1_000_000 + 100_000):
        event = ended(number)
        trail(event)
        if sys.argv[2] == "sync":
            await trail.recorded(event)
        elif number % 7 == 0:
            await asyncio.to_thread(trail.flush)
        else:
            continue
        print(number, flush=True)

async def main():
    await asyncio.gather(*map(call, range(4)))

asyncio.run(main())
"""


@pytest.mark.behaviour("records.audit-crash")
@pytest.mark.parametrize("mode", ["sync", "batched"])
def test_what_was_acknowledged_is_there_after_a_kill_and_the_chain_holds(address: str, mode: str) -> None:
    """Spec: on a crash after the record's acknowledgement nothing is lost."""
    open_store(address).close()
    process = subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", CALLING, address, mode], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        told = [int(process.stdout.readline() or "0") for _ in range(60)]
        process.kill()
        told += [int(line) for line in process.stdout.read().split()]
    assert process.wait(PATIENCE) == -signal.SIGKILL
    store = open_store(address)
    kept = [one.record.call for one in store.audit.read(limit=100_000)]
    verified = Trail(store.audit).verify()
    store.close()
    assert set(told) <= set(kept)
    assert (verified.whole, verified.records) == (True, len(kept))
    assert len(set(kept)) == len(kept)
    for worker in range(4):  # nothing is missing in between either
        ours = [call % 1_000_000 for call in kept if call // 1_000_000 == worker]
        assert ours == list(range(len(ours)))
