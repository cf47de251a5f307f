"""`prowess approvals` and `prowess audit`, on a store that holds what a test put there."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from prowess.app.records.stores import Store, open_store
from prowess.cli.main import main
from prowess.model.audit import AuditRecord
from prowess.model.proposal import Decision, Proposal
from prowess.model.verdict import Reason
from tests.ports.records.test_harm import harm

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

NOW = time.time()
ASKED = Proposal(
    id="a1b2c3d4",
    entry="pay@1.0.0",
    digest="d",
    actor="agent",
    channel="http",
    inputs={"to": "bob"},
    reasons=(Reason("autonomy", "payments are looked at"),),
    created=NOW,
    expires=NOW + 3_600,
)
RECORD = AuditRecord(
    at=1_700_000_000.0, duration=0.0125, entry="x@1.0.0", actor="ada", channel="cli", run="r-1", call=1
)
REFUSED = replace(
    RECORD, at=NOW - 60, actor="bob", channel="http", entry="pay@2.0.0", verdict="deny", error="forbidden", run="r-2"
)


class Project:
    """A project's folder, and commands in it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *words: str, code: int = 0) -> str:
        """What a command prints; of one that fails, what it complains."""
        assert main(["-C", str(self.folder), *words]) == code
        printed = self._capsys.readouterr()
        return printed.out or printed.err if code else printed.out

    def json(self, *words: str) -> Any:
        """What a command prints with `--json`."""
        return json.loads(self(*words, "--json"))


@pytest.fixture
def project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Project:
    """Give an empty project."""
    (tmp_path / "prowess.toml").touch()
    return Project(tmp_path, capsys)


@pytest.fixture
def store(project: Project) -> Generator[Store]:
    """Give the store of the project."""
    opened = open_store("sqlite:.prowess/state.db", project.folder)
    yield opened
    opened.close()


@pytest.mark.behaviour("approvals.decide")
def test_what_waits_is_listed_and_approved(project: Project, store: Store) -> None:
    """Spec: `prowess approvals list|approve|reject`."""
    assert project("approvals", "list") == ""
    store.approvals.propose(ASKED)
    line = project("approvals", "list").rstrip("\n").split("\t")
    assert line[:4] == ["a1b2c3d4", "pending", "pay@1.0.0", "agent"]
    assert re.fullmatch(r"\d\d min left", line[4])
    assert line[5] == 'payments are looked at {"to":"bob"}'
    said = project("approvals", "approve", "a1b2c3d4", "--note", "go on")
    assert re.fullmatch(r"Approved: 'agent' may call pay@1\.0\.0 with these inputs once, within \d\d min\.\n", said)
    assert project("approvals", "list") == ""
    assert project("approvals", "list", "--state", "approved").split("\t")[5] == 'by local: go on {"to":"bob"}\n'
    [told] = project.json("approvals", "list", "--state", "all")["proposals"]
    assert (told["state"], told["decided_by"], told["note"]) == ("approved", "local", "go on")


@pytest.mark.behaviour("approvals.decide")
def test_what_waits_is_rejected(project: Project, store: Store) -> None:
    """Spec: as above."""
    store.approvals.propose(ASKED)
    store.approvals.propose(replace(ASKED, id="other", digest="e", expires=NOW + 90_000))
    assert project("approvals", "reject", "a1b2c3d4") == "Rejected: pay@1.0.0 does not run for 'agent'.\n"
    told = project.json("approvals", "reject", "other")
    assert (told["id"], told["state"]) == ("other", "rejected")
    assert [line.split("\t")[5] for line in project("approvals", "list", "--state", "rejected").splitlines()] == [
        'by local {"to":"bob"}'
    ] * 2


@pytest.mark.behaviour("approvals.too-late")
def test_who_comes_too_late_is_told(project: Project, store: Store) -> None:
    """Spec: one wins, the other is told."""
    store.approvals.propose(ASKED)
    store.approvals.decide("a1b2c3d4", Decision.REJECTED, by="boss", note=None, now=NOW)
    assert "'boss' rejected proposal 'a1b2c3d4' at" in project("approvals", "approve", "a1b2c3d4", code=1)
    assert "did you mean" not in project("approvals", "approve", "a1b2c3dd", code=1)
    assert "is no id of a proposal" in project("approvals", "approve", "a b", code=1)


def test_spans_are_told_in_words(project: Project, store: Store) -> None:
    """Choice: nobody reckons with seconds."""
    for number, (left, word) in enumerate(((50, "s"), (600, "min"), (30_000, "h"), (-5, ""))):
        store.approvals.propose(replace(ASKED, id=f"p{number}", digest=str(number), expires=time.time() + left))
        line = next(one for one in project("approvals", "list", "--state", "all").splitlines() if f"p{number}" in one)
        assert re.fullmatch(rf"\d+ {word} left" if word else "", line.split("\t")[4])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["approvals"], "ACTION is missing"),
        (["approvals", "approve"], "'approve' takes the ID of a proposal"),
        (["approvals", "list", "x"], "'list' takes no ID"),
        (["approvals", "list", "--state", "pendig"], "did you mean 'pending'"),
        (["approvals", "list", "--limit", "0"], "from 1 to 1000"),
        (["audit", "verif"], "did you mean 'verify'"),
        (["audit", "verify", "--actor", "ada"], "takes no filter"),
        (["audit", "verify", "--follow"], "takes no filter"),
        (["audit", "--known", "1:" + "a" * 64], "--known goes with 'verify'"),
        (["audit", "verify", "--known", "1:abc"], "a number, ':' and 64 digits"),
        (["audit", "--since", "yesterday"], "'yesterday' is no time"),
        (["audit", "--limit", "0"], "from 1 to 100000"),
        (["audit", "--limit", "many"], "from 1 to 100000"),
        (["audit", "--verdict", "allowed"], "did you mean 'allow'"),
    ],
)
def test_a_wrong_command_line_says_what_would_be_right(project: Project, words: list[str], told: str) -> None:
    """Choice: exit code 2, and a hint."""
    assert told in project(*words, code=2)


@pytest.mark.behaviour("audit.show")
@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ([], [1, 2, 3]),
        (["--limit", "2"], [2, 3]),
        (["--entry", "x"], [1, 3]),
        (["--entry", "pay@2.0.0"], [2]),
        (["--actor", "bob"], [2]),
        (["--channel", "cli"], [1, 3]),
        (["--verdict", "deny"], [2]),
        (["--error"], [2]),
        (["--error", "forbidden"], [2]),
        (["--error", "timed_out"], []),
        (["--run", "r-2"], [2]),
        (["--since", "2h"], [2]),
        (["--until", "2023-11-15"], [1, 3]),
        (["--since", "2023-11-14T22:13:20", "--until", "2023-11-14T23:13:21+01:00"], [1, 3]),
        (["--since", "2023-11-14T22:13:21", "--until", "1d"], []),
    ],
)
def test_records_are_shown_that_fit(project: Project, store: Store, words: list[str], numbers: list[int]) -> None:
    """Spec: `prowess audit` filters."""
    store.audit.append([RECORD, REFUSED, RECORD])
    assert [int(line.split("\t")[0]) for line in project("audit", *words).splitlines()] == numbers
    told = project("audit", *words, "--json").splitlines()
    assert [json.loads(line)["number"] for line in told] == numbers


@pytest.mark.behaviour("audit.show")
def test_a_line_says_what_a_call_came_to(project: Project, store: Store) -> None:
    """Spec: a record for each call."""
    store.audit.append([RECORD, REFUSED])
    first, second = (line.split("\t") for line in project("audit").splitlines())
    assert first == ["1", "2023-11-14 22:13:20", "x@1.0.0", "ada", "cli", "allow", "ok", "12.5", "r-1"]
    assert second[2:7] == ["pay@2.0.0", "bob", "http", "deny", "forbidden"]


@pytest.mark.behaviour("audit.verify")
def test_verifying_tells_whether_the_trail_is_whole(project: Project, store: Store) -> None:
    """Spec: `prowess audit verify`."""
    assert project("audit", "verify").startswith("0 records, none changed, none missing. Head: 0:0000")
    store.audit.append([RECORD])
    head = project("audit", "verify").partition("Head: ")[2].strip()
    assert project("audit", "verify", "--known", head).startswith("1 record, none changed")
    store.audit.append([RECORD] * 4)
    assert project.json("audit", "verify") == {
        "ok": True,
        "records": 5,
        "flaws": [],
        "head": {"number": 5, "hash": store.audit.head().hash},
    }
    harm(f"sqlite:{project.folder}/.prowess/state.db", ["DELETE FROM audit_record WHERE number = 2"])
    harm(
        f"sqlite:{project.folder}/.prowess/state.db",
        ["UPDATE audit_record SET text = x'ff' WHERE number = 4"],
        unlock=False,
    )
    assert project("audit", "verify", code=1).splitlines() == [
        "record 3: missing: records are missing before it: 2",
        "record 4: changed: its text is not the one that was written",
        "4 records: the trail is not whole.",
    ]
    told = json.loads(project("audit", "verify", "--json", code=1))
    assert [(flaw["number"], flaw["kind"]) for flaw in told["flaws"]] == [(3, "missing"), (4, "changed")]
    assert project("audit").splitlines()[2].split("\t")[:2] == ["4", "damaged"]


def test_a_store_that_is_none_is_told(project: Project) -> None:
    """Choice: the address stands in a file that somebody wrote."""
    (project.folder / "prowess.toml").write_text('[records]\nstore = "sqlit:x"\n', encoding="utf-8")
    for words in (("audit",), ("approvals", "list")):
        assert "did you mean 'sqlite:'" in project(*words, code=1)
