"""`prowess policy simulate` and `prowess policy conflicts`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import ROOT, prowess

if TYPE_CHECKING:
    from pathlib import Path

MODULE = '''
from prowess import op


@op(autonomy="L2")
def hello(name: str) -> str:
    """Say hello."""
    return f"hello {name}"
'''
POLICY = """
channels = ["slack"]

[[rules]]
name = "quiet"
effect = "deny"
match = { entry = "hello", channel = "slack" }
reason = "Nobody says hello there."

[presets.guest]
extends = "worker"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project with one op and one rule."""
    (tmp_path / "prowess.toml").write_text('folders = ["."]\n')
    (tmp_path / "hello.py").write_text(MODULE)
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


@pytest.mark.behaviour("policy.simulate")
def test_simulate_shows_the_verdict_and_each_reason(project: Path, home: Path) -> None:
    """Spec: `prowess policy simulate --actor A --entry N`."""
    words = ("policy", "simulate", "--actor", "ann", "--entry", "hello", "--hour", "9")
    told = prowess(*words, "--channel", "slack", "--preset", "guest", cwd=project, home=home)
    assert told.code == 0
    assert told.out == (
        "hello for 'ann' (worker, L3, slack, 9:00): deny\n"
        "  allow  status\n"
        "  allow  access\n"
        "  allow  capabilities\n"
        "  allow  permissions\n"
        "  allow  autonomy\n"
        f"  deny   rule 'quiet' ({project}/policy.toml:4)\n"
        "           Nobody says hello there.\n"
        "  note   it runs and tells (autonomy L2)\n"
    )
    found = json.loads(prowess(*words, "--ceiling", "L1", "--inputs", "{}", "--json", cwd=project, home=home).out)
    assert (found["verdict"], found["stages"][1]["verdict"], found["hour"]) == ("deny", "deny", 9)
    now = json.loads(prowess(*words[:-2], "--json", cwd=project, home=home).out)
    assert (now["verdict"], 0 <= now["hour"] < 24) == ("allow", True)


@pytest.mark.behaviour("policy.simulate")
@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (("--entry", "hello"), 2, "say who calls what: --actor and --entry"),
        (("--actor", "a", "--entry", "helo"), 1, "did you mean 'hello'?"),
        (("--actor", "a", "--entry", "hello@2"), 1, "hello"),
        (("--actor", "a", "--entry", "hello", "--hour", "24"), 2, "argument --hour: '24' is no hour: 0 to 23"),
        (("--actor", "a", "--entry", "hello", "--inputs", "{"), 2, "argument --inputs: this is not JSON: "),
        (("--actor", "a", "--entry", "hello", "--inputs", "5"), 2, "argument --inputs: inputs are a JSON object"),
        (("--actor", "a", "--entry", "hello", "--preset", "gest"), 1, "there is no preset 'gest'"),
        (("--actor", "a", "--entry", "hello", "--ceiling", "L4"), 2, "--ceiling: 'L4' is none of L0, L1, L2, L3"),
    ],
)
def test_what_cannot_be_simulated_is_told(
    project: Path, home: Path, words: tuple[str, ...], code: int, complaint: str
) -> None:
    """Choice: as every command."""
    told = prowess("policy", "simulate", *words, cwd=project, home=home)
    assert told.code == code
    assert complaint in told.err


@pytest.mark.behaviour("policy.conflicts")
def test_conflicts_lists_rules_that_never_fire(project: Path, home: Path) -> None:
    """Spec: `prowess policy conflicts`; 1 where there are some."""
    told = prowess("policy", "conflicts", cwd=project, home=home)
    assert (told.code, told.out) == (0, "1 rule, and each of them can fire.\n")
    (project / "policy.toml").write_text(POLICY.replace('entry = "hello"', 'entry = "helo"'))
    told = prowess("policy", "conflicts", cwd=project, home=home)
    place = f"{project}/policy.toml:4"
    assert told.code == 1
    assert told.out == f"{place}: 'quiet' never fires: there is no entry 'helo', did you mean 'hello'?\n"
    found = json.loads(prowess("policy", "conflicts", "--json", cwd=project, home=home).out)
    assert (found["ok"], found["conflicts"][0]["why"], found["conflicts"][0]["place"]) == (False, "unknown", place)
    (project / "policy.toml").unlink()
    assert prowess("policy", "conflicts", cwd=project, home=home).out == "0 rules, and each of them can fire.\n"


@pytest.mark.behaviour("policy.rules", "policy.file-problems")
def test_a_projects_rules_hold_for_the_commands(project: Path, home: Path) -> None:
    """Spec: every call takes the gate; a policy that cannot be read keeps a project from opening."""
    assert prowess("run", "hello", "name=x", cwd=project, home=home).code == 0
    (project / "policy.toml").write_text(POLICY.replace('channel = "slack"', 'channel = "cli"'))
    told = prowess("run", "hello", "name=x", cwd=project, home=home)
    assert (told.code, "Nobody says hello there." in told.err) == (1, True)
    (project / "policy.toml").write_text(POLICY.replace("deny", "dny"))
    told = prowess("run", "hello", "name=x", cwd=project, home=home)
    assert (
        f"{project}/policy.toml:6: rules[0].effect: must be one of allow, ask, deny, did you mean 'deny'?" in told.err
    )


@pytest.mark.behaviour("policy.packs")
def test_without_cedar_a_pack_says_what_to_install(project: Path, home: Path) -> None:
    """Spec: a missing extra says which to install."""
    (project / "policy.toml").write_text('[[packs]]\npolicies = "a.cedar"\n')
    missing = project / "missing"
    missing.mkdir()
    (missing / "cedarpy.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(missing), str(ROOT / "src")])
    told = prowess("run", "hello", "name=x", cwd=project, home=home, variables={"PYTHONPATH": path})
    assert told.code == 1
    assert told.err == f"prowess: {project}/policy.toml: policy packs need Cedar: install 'prowess[cedar]'\n"
