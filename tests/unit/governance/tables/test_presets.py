from __future__ import annotations

import pytest

from prowess.governance.tables.policy_file import read_policy
from prowess.model.permissions import EntrySettings, Permissions, Preset
from tests.unit.governance.tables.test_policy_file import told

NONE = "there is no preset"
TAKEN = "is a preset of Prowess itself: give yours a name of its own, and let it extend this one"
NO_NAME = "is no name: lowercase letters and digits in words joined by single '_' or '-'"


@pytest.mark.behaviour("policy.presets")
def test_a_preset_is_what_it_extends_and_what_it_says_on_top() -> None:
    """Spec: custom presets extend one; per-entry settings."""
    text = """
[presets.strict]
extends = "reviewer"
blocked_paths = "notes/private"
capabilities = []
entries.write-note.timeout = 3

[presets.reviewer]
extends = "sandboxed"
capabilities = ["notes.*", "mail.send"]
allowed_paths = ["notes"]
blocked_paths = ["notes/old"]
hidden = ["erase-note", "purge"]

[presets.reviewer.entries.write-note]
enabled = true
allowed_paths = "notes/mine"
timeout = 5.5
requires_confirmation = true
"""
    found = read_policy(text).presets
    settings = EntrySettings(allowed_paths=("notes/mine",), timeout=5.5, requires_confirmation=True)
    hidden = EntrySettings(enabled=False)
    reviewer = Permissions(
        level=Preset.SANDBOXED,
        capabilities=("notes.*", "mail.send"),
        allowed_paths=("notes",),
        blocked_paths=("notes/old",),
        entries=(("erase_note", hidden), ("purge", hidden), ("write_note", settings)),
    )
    assert found["reviewer"] == reviewer
    assert found["strict"].capabilities == ()
    assert found["strict"].blocked_paths == ("notes/old", "notes/private")
    assert found["strict"].settings("write-note").timeout == 3
    assert not found["strict"].shows("purge")
    assert [*found] == ["strict", "reviewer"]
    assert reviewer.can_grant(found["strict"])
    assert Permissions.preset("sandboxed").can_grant(reviewer)


def test_less_than_a_second_is_a_time_limit() -> None:
    """Spec: per-entry `timeout`, in seconds."""
    found = read_policy('[presets.a]\nextends = "worker"\nentries.x.timeout = 0.5').presets
    assert found["a"].settings("x").timeout == 0.5


@pytest.mark.behaviour("policy.presets")
@pytest.mark.parametrize(
    ("said", "place"),
    [
        ('allowed_paths = ["/etc"]', "4: presets.b.allowed_paths"),
        ('allowed_paths = ["notes", "other"]', "4: presets.b.allowed_paths"),
        ('capabilities = ["mail.send"]', "4: presets.b.capabilities"),
        ("entries.x.requires_confirmation = false", "4: presets.b.entries.x.requires_confirmation"),
        ("entries.w.timeout = 9", "4: presets.b.entries.w.timeout"),
        ("entries.w.enabled = true", "4: presets.b.entries.w.enabled"),
        ('entries.x.allowed_paths = ["/etc"]', "4: presets.b.entries.x.allowed_paths"),
    ],
)
def test_a_preset_that_exceeds_its_base_is_refused_point_by_point(said: str, place: str) -> None:
    """Spec: the child never exceeds its parent."""
    base = """
[presets.a]
extends = "sandboxed"
capabilities = ["notes.*"]
allowed_paths = ["notes"]
hidden = ["w"]
entries.w.timeout = 5
"""
    problem = f"policy.toml:{place}: exceeds 'a', which it extends: a preset only narrows"
    assert told(f'\n[presets.b]\nextends = "a"\n{said}\n{base}') == [problem]


@pytest.mark.behaviour("policy.presets", "policy.file-problems")
@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            '[presets.yolo]\nextends = "worker"',
            [f"1: presets.yolo: {TAKEN}"],
        ),
        ('[presets.Big]\nextends = "worker"', [f"1: presets.Big: {NO_NAME}"]),
        ('[presets."a b"]\nextends = "worker"', [f"1: presets['a b']: {NO_NAME}"]),
        ("[presets.a]", ["1: presets.a.extends: is missing: one of yolo, trusted, sandboxed, worker, a"]),
        (
            '[presets.a]\nextends = "workr"',
            [f"2: presets.a.extends: {NONE} 'workr', did you mean 'worker'?"],
        ),
        ('[presets.a]\nextends = "zzz"', ["2: presets.a.extends: there is no preset 'zzz'"]),
        ('[presets.a]\nextends = "a"', ["2: presets.a.extends: extends itself: a → a"]),
        (
            '[presets.a]\nextends = "b"\n[presets.b]\nextends = "c"\n[presets.c]\nextends = "b"',
            ["4: presets.b.extends: extends itself: b → c → b", "6: presets.c.extends: extends itself: c → b → c"],
        ),
        ("[presets]\na = 5", ["2: presets.a: must be an object"]),
        ("[presets.a]\nextends = 5", ["2: presets.a.extends: must be text"]),
        ('[presets.a]\nextends = "worker"\nhidden = [5]', ["3: presets.a.hidden[0]: must be text"]),
        (
            '[presets.a]\nextends = "worker"\nentries = 5',
            ["3: presets.a.entries: must be tables: write [presets.NAME.entries.ENTRY]"],
        ),
        ('[presets.a]\nextends = "worker"\nentries.x = 5', ["3: presets.a.entries.x: must be an object"]),
        (
            '[presets.a]\nextends = "worker"\nentries.x.timeout = 0',
            ["3: presets.a.entries.x.timeout: must be a number of seconds above 0"],
        ),
        (
            '[presets.a]\nextends = "worker"\nentries.x.timeout = inf',
            ["3: presets.a.entries.x.timeout: must be a number of seconds above 0"],
        ),
        (
            '[presets.a]\nextends = "worker"\nentries.x.timeout = true',
            ["3: presets.a.entries.x.timeout: must be a number"],
        ),
        (
            '[presets.a]\nextends = "worker"\nentries.x.enabld = true',
            ["3: presets.a.entries.x.enabld: is unknown, did you mean 'enabled'?"],
        ),
    ],
)
def test_what_is_wrong_with_presets(text: str, problems: list[str]) -> None:
    """Spec: unknown bases, circles, names; each with its line."""
    assert told(text) == [f"policy.toml:{problem}" for problem in problems]
