from __future__ import annotations

import pytest

from prowess.errors import ConfigurationError
from prowess.governance.capabilities import Capabilities, Capability
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.tables.policy_file import NO_POLICY, TEXT_LIMIT, PackFiles, PolicyFile, read_policy

RULES = """
# what we lay down
[[rules]]
name = "nights"
effect = "deny"
match = { entries = ["write_*"], tag = "notes", capability = ["notes.*"], kind = "skill", hour = "22-6" }
reason = "Not at night."

[[rules]]
effect = "ask"
[rules.match]
actor = "a*"
channels = ["cli", "http"]
risk = "high"
hours = [9, "20-24", "22-6"]

[[rules]]
effect = "allow"
match = {}
"""
NIGHT = (0, 1, 2, 3, 4, 5, 22, 23)


def told(text: str) -> list[str]:
    """Give the problems of a text."""
    with pytest.raises(ConfigurationError) as caught:
        read_policy(text)
    lines = caught.value.message.splitlines()
    if len(lines) > 1:
        assert lines.pop(0) == f"{len(lines)} problems:"
        assert len(lines) > 1
        assert all(line.startswith("  policy.toml:") for line in lines)
    assert caught.value.details["file"] == "policy.toml"
    return [line.removeprefix("  ") for line in lines]


def codes(text: str) -> list[tuple[str, str, str | None]]:
    """Give path, rule and type of each problem of a text, for programs."""
    with pytest.raises(ConfigurationError) as caught:
        read_policy(text)
    return [(one.path, one.rule, one.type) for one in caught.value.problems]


@pytest.mark.behaviour("policy.rules")
def test_rules_are_read_as_they_are_written() -> None:
    """Spec: `policy.toml`; one word or several, in singular or plural."""
    rights = Capabilities.of([Capability("a.b", risk="high"), Capability("notes.x")])
    first = Match(
        entries=("write_*",),
        tags=("notes",),
        capabilities=("notes.*",),
        kinds=("skill",),
        hours=NIGHT,
        meant=frozenset({"notes.x"}),
    )
    second = Match(
        actors=("a*",),
        channels=("cli", "http"),
        risks=("high",),
        hours=(*range(6), 9, *range(20, 24)),
        grave=frozenset({"a.b"}),
    )
    assert read_policy(RULES, "x.toml", rights) == PolicyFile(
        rules=(
            Rule(name="nights", effect=Effect.DENY, match=first, reason="Not at night.", place="x.toml:3"),
            Rule(name="rule 2", effect=Effect.ASK, match=second, place="x.toml:9"),
            Rule(name="rule 3", effect=Effect.ALLOW, place="x.toml:17"),
        )
    )


def test_an_empty_file_lays_nothing_down() -> None:
    """Choice: nothing is required."""
    assert read_policy("") == NO_POLICY


@pytest.mark.parametrize(
    ("hour", "hours"),
    [
        ("0", (0,)),
        ("23", (23,)),
        ('"9-11"', (9, 10)),
        ('" 9 – 11 "', (9, 10)),
        ('"23-1"', (0, 23)),
        ('"22-24"', (22, 23)),
        ('"22-0"', (22, 23)),
        ('"0-24"', ()),
        ('["0-12", "12-24"]', ()),
        ("[1, 1]", (1,)),
    ],
)
def test_hours(hour: str, hours: tuple[int, ...]) -> None:
    """Spec: hours, and spans such as `22-6`; the whole day asks nothing."""
    (rule,) = read_policy(f'[[rules]]\neffect = "deny"\nmatch = {{ hour = {hour} }}').rules
    assert rule.match.hours == hours


@pytest.mark.behaviour("policy.file-problems")
@pytest.mark.parametrize("hour", ["24", "-1", "true", "1.5", '"24-1"', '"1-25"', '"5-5"', '"9"', '"a-b"', '""'])
def test_what_is_no_hour(hour: str) -> None:
    """Spec: each problem with what would be right."""
    place = "[0]" if hour == "list" else ""
    first = told(f'[[rules]]\neffect = "deny"\nmatch = {{ hour = {hour} }}')[0]
    assert (
        first
        == f"policy.toml:3: rules[0].match.hour{place}: must be an hour from 0 to 23, or a span of hours such as '22-6'"
    )


@pytest.mark.behaviour("policy.rules")
def test_packs_and_channels() -> None:
    """Spec: `policy.toml` names the files of packs."""
    text = """
channels = ["slack", "teams"]
[[packs]]
policies = ["policies/a.cedar", "b.cedar"]
[[packs]]
name = "b"
policies = "b.cedar"
schema = "b.cedarschema"
entities = "b.json"
"""
    assert read_policy(text) == PolicyFile(
        channels=("slack", "teams"),
        packs=(
            PackFiles(name="policies/a.cedar", policies=("policies/a.cedar", "b.cedar")),
            PackFiles(name="b", policies=("b.cedar",), schema="b.cedarschema", entities="b.json"),
        ),
    )
    assert read_policy('channels = "slack"').channels == ("slack",)


@pytest.mark.behaviour("policy.file-problems")
def test_every_problem_is_told_with_line_key_and_near_name() -> None:
    """Spec: every problem at once, in the order of the lines."""
    text = """
[[rules]]
efect = "deny"
match = { kinds = "opp", actors = [], tags = ["", 5], entry = "" }
[[rules]]
name = "a"
effect = "dny"
reason = 5
[rules.match]
hour = [9,
  25]
[[rules]]
name = "a"
effect = "deny"
match = "x"
[[packs]]
schema = "x"
[[packs]]
policies = []
channel = "x"
"""
    assert told(text) == [
        "policy.toml:2: rules[0].effect: is missing: one of allow, ask, deny",
        "policy.toml:3: rules[0].efect: is unknown, did you mean 'effect'?",
        "policy.toml:4: rules[0].match.kinds: must be one of op, logic, pipeline, package, skill, did you mean 'op'?",
        "policy.toml:4: rules[0].match.actors: is empty, which no call could be: leave it out to ask nothing",
        "policy.toml:4: rules[0].match.tags[0]: is empty",
        "policy.toml:4: rules[0].match.tags[1]: must be text",
        "policy.toml:4: rules[0].match.entry: is empty",
        "policy.toml:7: rules[1].effect: must be one of allow, ask, deny, did you mean 'deny'?",
        "policy.toml:8: rules[1].reason: must be text",
        "policy.toml:10: rules[1].match.hour[1]: must be an hour from 0 to 23, or a span of hours such as '22-6'",
        "policy.toml:13: rules[2].name: is the name of another rule: reasons name their rule",
        "policy.toml:15: rules[2].match: must be an object",
        "policy.toml:16: packs[0].policies: is missing: the file with the policies",
        "policy.toml:19: packs[1].policies: is empty, which no call could be: leave it out to ask nothing",
        "policy.toml:20: packs[1].channel: is unknown",
    ]


@pytest.mark.behaviour("policy.file-problems")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[rules]]\neffect =", "policy.toml:2: this is not TOML: invalid value"),
        ("x = [", "policy.toml:1: this is not TOML: invalid value"),
        ("a = 1\na = 2", "policy.toml:2: this is not TOML: cannot overwrite a value"),
        ("rules = 3", "policy.toml:1: rules: must be a list of tables: write [[rules]]"),
        ("[rules]\neffect = 'deny'", "policy.toml:1: rules: must be a list of tables: write [[rules]]"),
        ("rules = [3]", "policy.toml:1: rules[0]: must be an object"),
        ("presets = 3", "policy.toml:1: presets: must be tables: write [presets.NAME]"),
        ("packs = [5]", "policy.toml:1: packs[0]: must be an object"),
        (
            "[[rules]]\neffect = 'deny'",
            "policy.toml:1: rules[0].match: is missing: say what it matches, or write match = {} for every call",
        ),
        ("x" * (TEXT_LIMIT + 1), f"policy.toml: is longer than {TEXT_LIMIT:,} characters"),
        ("x = " + "[" * 20_000, "policy.toml: is nested deeper than anything that could stand there"),
    ],
)
def test_a_file_that_cannot_be_read(text: str, problem: str) -> None:
    """Spec: bad input names file and line."""
    assert told(text) == [problem]


@pytest.mark.behaviour("policy.file-problems")
@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("[[rules]]\neffect = 'deny'", [("$.rules[0].match", "required", None)]),
        ("rules = 3", [("$.rules", "type", "integer")]),
        ("presets = 3", [("$.presets", "type", "integer")]),
        ("[[rules]]\neffect = 'deny'\nmatch = {hour = 'x'}", [("$.rules[0].match.hour", "hour", "string")]),
        ("[[rules]]\neffect = 'deny'\nmatch = {tags = []}", [("$.rules[0].match.tags", "empty", "array")]),
        ("[[rules]]\neffect = 'deny'\nmatch = {tags = ['']}", [("$.rules[0].match.tags[0]", "empty", "string")]),
        (
            "rules = [{name='a',effect='ask',match={}},{name='a',effect='deny',match={}}]",
            [("$.rules[1].name", "duplicate", None)],
        ),
        ("[presets.yolo]\nextends = 'worker'", [("$.presets.yolo", "taken", None)]),
        ("[presets.Big]\nextends = 'worker'", [("$.presets.Big", "name", None)]),
        ("[presets.a]", [("$.presets.a.extends", "required", None)]),
        ("[presets.a]\nextends = 'zz'", [("$.presets.a.extends", "unknown", None)]),
        ("[presets.a]\nextends = 'a'", [("$.presets.a.extends", "circle", None)]),
        ("[presets.a]\nextends = 'worker'\nallowed_paths = '/'", [("$.presets.a.allowed_paths", "exceeds", None)]),
        ("[presets.a]\nextends = 'worker'\nentries = 5", [("$.presets.a.entries", "type", "integer")]),
        (
            "[presets.a]\nextends = 'worker'\nentries.x.timeout = 0",
            [("$.presets.a.entries.x.timeout", "minimum", "integer")],
        ),
    ],
)
def test_a_program_learns_path_and_rule_of_each_problem(text: str, problems: list[tuple[str, str, str | None]]) -> None:
    """Choice: an editor shows problems where they are, and acts on stable words."""
    assert codes(text) == problems
