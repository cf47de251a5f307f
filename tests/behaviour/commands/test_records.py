"""`prowess audit --follow` and tables, as their users have them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from prowess.app.records.stores import open_store
from prowess.model.audit import AuditRecord
from tests.behaviour.processes import PATIENCE, PROWESS, at_terminal, environment

if TYPE_CHECKING:
    from pathlib import Path

RECORD = AuditRecord(at=1.0, duration=0.1, entry="x@1", actor="ada", channel="cli", run="r", call=1)


@pytest.mark.behaviour("audit.follow")
@pytest.mark.parametrize("before", [0, 2])
def test_following_goes_on_with_what_comes(tmp_path: Path, home: Path, before: int) -> None:
    """Spec: `prowess audit` follows; Ctrl-C ends it."""
    (tmp_path / "prowess.toml").touch()
    store = open_store("sqlite:.prowess/state.db", tmp_path)
    store.audit.append([RECORD] * before)
    following = [*PROWESS, "audit", "--follow", "--actor", "ada"]
    with subprocess.Popen(
        following, cwd=tmp_path, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        seen = [process.stdout.readline().split("\t")[0] for _ in range(before)]
        store.audit.append([replace(RECORD, actor="bob"), RECORD])
        seen.append(process.stdout.readline().split("\t")[0])
        store.audit.append([RECORD])
        seen.append(process.stdout.readline().split("\t")[0])
        process.send_signal(2)
        assert process.wait(PATIENCE) == 130
    store.close()
    assert [int(number) for number in seen] == [*range(1, before + 1), before + 2, before + 3]


def test_at_a_terminal_nothing_is_said_to_be_nothing(tmp_path: Path, home: Path) -> None:
    """Choice: an empty screen leaves a person wondering."""
    (tmp_path / "prowess.toml").touch()
    said = {
        words: at_terminal(words.split(), cwd=tmp_path, home=home).out
        for words in ("approvals list", "approvals list --state used", "audit")
    }
    assert "Nothing waits." in said["approvals list"]
    assert "There is none." in said["approvals list --state used"]
    assert "No call was recorded that fits." in said["audit"]
