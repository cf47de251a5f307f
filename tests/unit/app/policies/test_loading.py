from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.app.policies.loading import NO_POLICIES, load_policies
from prowess.app.project import open_project
from prowess.errors import ConfigurationError
from prowess.governance.capabilities import Capabilities, Capability
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.verdict import ALLOW, Deny

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
channels = ["slack"]

[[rules]]
name = "grave"
effect = "deny"
match = { risk = "high" }

[presets.reviewer]
extends = "worker"
"""
PACK = """
[[packs]]
name = "team"
policies = ["a.cedar", "b.cedar"]
entities = "team.json"
"""


@pytest.mark.behaviour("policy.rules")
def test_a_project_without_a_policy_lays_nothing_down(tmp_path: Path) -> None:
    """Spec: an entry written in code needs no governance."""
    assert load_policies(tmp_path) is NO_POLICIES


@pytest.mark.behaviour("policy.packs", "policy.rules")
def test_rules_presets_and_packs_are_ready_to_be_in_force(tmp_path: Path) -> None:
    """Spec: `policy.toml`, and packs parsed once."""
    (tmp_path / "policy.toml").write_text(RULES + PACK)
    (tmp_path / "a.cedar").write_text('\ufeffpermit(principal in Team::"core", action, resource);')
    (tmp_path / "b.cedar").write_text('forbid(principal, action, resource == Entry::"x");')
    (tmp_path / "team.json").write_text(
        '[{"uid": {"type": "Actor", "id": "ann"}, "attrs": {}, "parents": [{"type": "Team", "id": "core"}]}]'
    )
    rights = Capabilities.of([Capability("notes.write", risk="high")])
    found = load_policies(tmp_path, rights)
    assert [(rule.name, rule.place) for rule in found.rules] == [("grave", f"{tmp_path / 'policy.toml'}:4")]
    writing = Question(Manifest(name="x", capabilities=["notes.write"]), Caller("ann"))
    assert isinstance(found.rules[0].verdict(writing), Deny)
    assert [*found.presets] == ["reviewer"]
    assert found.channels == ("slack",)
    assert found.files == ("policy.toml", "a.cedar", "b.cedar", "team.json")
    (pack,) = found.packs
    assert isinstance(pack.judge(writing), Deny)
    assert pack.judge(Question(Manifest(name="y"), Caller("ann"))) == ALLOW
    assert isinstance(pack.judge(Question(Manifest(name="y"), Caller("bob"))), Deny)


def test_a_pack_may_bring_its_schema(tmp_path: Path) -> None:
    """Choice: more about its entities than ours knows."""
    (tmp_path / "policy.toml").write_text('[[packs]]\npolicies = "a.cedar"\nschema = "a.cedarschema"\n')
    (tmp_path / "a.cedar").write_text("permit(principal, action, resource);")
    (tmp_path / "a.cedarschema").write_text("entity Actor;")
    with pytest.raises(ConfigurationError, match=r"policy pack 'a\.cedar': "):
        load_policies(tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("../a.cedar", None, "leads out of the project's folder"),
        ("a.cedar", None, "No such file or directory"),
        ("a.cedar", b"\xff", "is not UTF-8 text: byte 0 is 0xff"),
        ("a.cedar", b"x" * 1_000_001, "is larger than 1,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_path(
    tmp_path: Path, file: str, content: bytes | None, message: str
) -> None:
    """Spec: bad input is refused with file and problem."""
    (tmp_path / "policy.toml").write_text(f'[[packs]]\npolicies = "{file}"\n')
    if content is not None:
        (tmp_path / file).write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        load_policies(tmp_path)
    assert caught.value.message == f"{tmp_path / file}: {message}"


def test_a_policy_that_is_no_file_is_told(tmp_path: Path) -> None:
    """Choice: a link that leads nowhere must not count as no policy."""
    (tmp_path / "policy.toml").symlink_to(tmp_path / "gone.toml")
    with pytest.raises(ConfigurationError, match="No such file"):
        load_policies(tmp_path)


@pytest.mark.behaviour("policy.rules")
def test_a_projects_policies_are_in_force_once_it_is_open(tmp_path: Path) -> None:
    """Spec: project rules; what cannot be read keeps a project from opening."""
    (tmp_path / "prowess.toml").write_text('folders = ["."]\n')
    (tmp_path / "m.py").write_text(
        'from prowess import op\n@op(capabilities=["notes.write"])\ndef x() -> int:\n    """X."""\n    return 1\n'
    )
    config = tmp_path / "config"
    config.mkdir()
    (config / "skill-registry.json").write_text('{"registry_version": "1.0.0", "skills": []}')
    (config / "capabilities.json").write_text(
        '{"capabilities": [{"id": "notes.write", "description": "Write.", "risk": "low"}]}'
    )
    (tmp_path / "policy.toml").write_text(RULES)
    project = open_project(tmp_path)
    (rule,) = project.registry.rulebook.rules
    entry = Question(project.registry.require("x").manifest, Caller("ann"))
    assert rule.verdict(entry) == ALLOW
    assert str(tmp_path / "policy.toml") in project.files
    assert project.policies is not None
    (config / "capabilities.json").write_text(
        '{"capabilities": [{"id": "notes.write", "description": "Write.", "risk": "high"}]}'
    )
    project.registry.load(config)
    (rule,) = project.registry.rulebook.rules
    assert isinstance(rule.verdict(entry), Deny)
    assert [*project.registry.rulebook.presets] == ["reviewer"]
    (tmp_path / "policy.toml").write_text("[[rules]]\n")
    with pytest.raises(ConfigurationError, match=r"rules\[0\]\.effect: is missing"):
        open_project(tmp_path)
