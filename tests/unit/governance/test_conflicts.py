from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from prowess.governance.capabilities import Capabilities, Capability
from prowess.governance.conflicts import CHANNELS, Conflict, Idleness, World, conflicts
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.verdict import strictest

RIGHTS = Capabilities.of(
    [
        Capability("notes.read", risk="low"),
        Capability("notes.write", risk="high", implies=("notes.read",)),
        Capability("mail.send", risk="medium"),
    ]
)
MANIFESTS = (
    Manifest(name="read_note", capabilities=["notes.read"], tags=["notes"]),
    Manifest(name="write_note", version="2.0.0", kind="logic", capabilities=["notes.write"], policy_tags=["careful"]),
    Manifest(name="help", kind="package"),
)
WORLD = World(manifests=MANIFESTS, capabilities=RIGHTS)


def told(*rules: Rule, world: World = WORLD) -> list[tuple[str, Idleness, str]]:
    """Give what is said about rules that never fire."""
    known = [Rule(name=one.name, effect=one.effect, match=one.match.among(world.capabilities)) for one in rules]
    return [(one.rule, one.why, one.reason) for one in conflicts(known, world)]


def rule(name: str, effect: Effect = Effect.DENY, **match: object) -> Rule:
    """Give a rule that matches so."""
    return Rule(name=name, effect=effect, match=replace(Match(), **match))


@pytest.mark.behaviour("policy.conflicts")
@pytest.mark.parametrize(
    ("match", "why", "reason"),
    [
        ({"entries": ("raed_note",)}, Idleness.UNKNOWN, "there is no entry 'raed_note', did you mean 'read_note'?"),
        ({"entries": ("x*", "y")}, Idleness.UNKNOWN, "there is no entry 'x*' or 'y'"),
        (
            {"entries": ("write-note@1.*",)},
            Idleness.UNKNOWN,
            "there is no entry 'write-note@1.*', did you mean 'write_note'?",
        ),
        ({"kinds": ("pipline",)}, Idleness.UNKNOWN, "there is no kind 'pipline', did you mean 'pipeline'?"),
        ({"kinds": ("pipeline",)}, Idleness.NOTHING, "nothing in the registry has all that it asks for"),
        ({"tags": ("note",)}, Idleness.UNKNOWN, "there is no tag 'note', did you mean 'notes'?"),
        (
            {"capabilities": ("note.*",)},
            Idleness.UNKNOWN,
            "there is no capability 'note.*', did you mean 'notes.read'?",
        ),
        ({"capabilities": ("mail.send",)}, Idleness.NOTHING, "nothing in the registry has all that it asks for"),
        ({"risks": ("extreme",)}, Idleness.UNKNOWN, "there is no risk 'extreme'"),
        ({"risks": ("medium",)}, Idleness.NOTHING, "nothing in the registry has all that it asks for"),
        (
            {"tags": ("notes",), "kinds": ("skill",)},
            Idleness.NOTHING,
            "nothing in the registry has all that it asks for",
        ),
        ({"channels": ("htpp",)}, Idleness.UNKNOWN, "there is no channel 'htpp', did you mean 'http'?"),
        ({"hours": (24,)}, Idleness.UNKNOWN, "there is no hour '24', did you mean '4'?"),
    ],
)
def test_a_rule_that_nothing_can_match_is_told(match: dict[str, tuple[str, ...]], why: Idleness, reason: str) -> None:
    """Spec: rules that can never fire, with the reason."""
    assert told(Rule(name="a", effect=Effect.DENY, match=replace(Match(), **match))) == [("a", why, reason)]


@pytest.mark.parametrize(
    "match",
    [
        {},
        {"entries": ("write-note@2.*", "x")},
        {"kinds": ("skill",)},
        {"kinds": ("pipline", "op")},
        {"tags": ("careful",)},
        {"capabilities": ("notes.*",)},
        {"capabilities": ("notes.read",), "kinds": ("logic",)},
        {"risks": ("high",)},
        {"channels": ("h*", "x")},
        {"hours": (24, 3)},
        {"actors": ("nobody",)},
    ],
)
def test_a_rule_that_something_can_match_is_not_told(match: dict[str, tuple[str, ...]]) -> None:
    """Spec: no false alarm; who calls is open."""
    assert told(Rule(name="a", effect=Effect.DENY, match=replace(Match(), **match))) == []


def test_what_covers_a_rule_is_named() -> None:
    """Spec: covered by a stricter rule that always matches first, here by two together."""
    day, night = tuple(range(6, 22)), (22, 23, 0, 1, 2, 3, 4, 5)
    rules = (
        rule("a", Effect.ASK, entries=("read_note",), actors=("bo*",), channels=("cli", "http")),
        rule("day", tags=("notes",), hours=day, actors=("b*",)),
        rule("night", hours=night),
    )
    reason = "wherever it matches, 'night' or 'day' is stricter"
    (conflict,) = conflicts(rules, WORLD)
    assert conflict == Conflict(rule="a", why=Idleness.COVERED, reason=reason, by=("night", "day"))
    assert told(rules[0], rules[1]) == told(rules[0], rules[2]) == []
    assert told(rule("a", Effect.ASK), rule("b", actors=("b*",))) == []
    assert told(rule("a", Effect.ASK), rule("b", channels=CHANNELS)) == []
    assert told(rule("a"), rule("b", Effect.ASK)) == [("b", Idleness.COVERED, "wherever it matches, 'a' is stricter")]


def test_a_duplicate_is_told_once_with_its_place() -> None:
    """Spec: duplicates, whatever the order of their words."""
    first = Rule(name="a", effect=Effect.ASK, match=Match(tags=("notes", "careful")), place="policy.toml:1")
    second = Rule(
        name="b", effect=Effect.ASK, match=Match(tags=("careful", "notes"), hours=(*range(24),)), place="policy.toml:5"
    )
    (conflict,) = conflicts((first, second), WORLD)
    assert (conflict.rule, conflict.why, conflict.place, conflict.by) == (
        "b",
        Idleness.DUPLICATE,
        "policy.toml:5",
        ("a",),
    )
    assert conflict.reason == "it says the same as 'a'"
    other = Rule(name="b", effect=Effect.DENY, match=Match(tags=("careful",)))
    assert told(first, other) == []


# ---------------------------------------------------------------------------------------------------------------------


ACTORS = ("ann", "annika", "bob", "someone-else")
HOURS = (0, 3, 6, 12, 23)
"""The hours that rules name below, and one for all others."""


def fires(rules: tuple[Rule, ...], at: int, channels: tuple[str, ...]) -> bool:
    """Try every call there is, and see whether a rule is ever among the reasons."""
    for manifest, actor, channel, hour in product(MANIFESTS, ACTORS, channels, HOURS):
        question = Question(manifest, Caller(actor, channel), hour)
        verdict = strictest(*(one.verdict(question) for one in rules))
        if f"policy:{rules[at].name}" in [reason.rule for reason in verdict.reasons]:
            return True
    return False


def some(*words: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Give a few of these words, or none."""
    return st.lists(st.sampled_from(words), max_size=2, unique=True).map(tuple)


def universe(*, patterns: bool) -> st.SearchStrategy[tuple[Rule, ...]]:
    """Give a few rules about the small world above."""
    actors = ("ann", "ann*", "*", "b?b", "?o*") if patterns else ("ann", "annika", "bob")
    channels = ("cli", "h*", "*", "x?") if patterns else ("cli", "http", "xx")
    match = st.builds(
        Match,
        entries=some("read_note", "write_note", "*_note", "none"),
        tags=some("notes", "careful", "no"),
        capabilities=some("notes.read", "notes.*", "mail.send"),
        risks=some("low", "high", "medium"),
        kinds=some("op", "skill", "pipeline"),
        actors=some(*actors),
        channels=some(*channels),
        hours=st.sampled_from([(), (), (*range(24),), (0, 6), (12, 23)]),
    )
    effects = st.sampled_from(list(Effect))
    found = st.lists(st.tuples(effects, match), min_size=1, max_size=6)
    return found.map(
        lambda pairs: tuple(Rule(name=str(at), effect=e, match=m.among(RIGHTS)) for at, (e, m) in enumerate(pairs))
    )


@pytest.mark.behaviour("policy.conflicts")
@given(universe(patterns=True))
def test_no_rule_is_told_that_a_call_can_make_fire(rules: tuple[Rule, ...]) -> None:
    """Spec: no false alarms, held against every call of a small world; a channel must be one of those there are."""
    for conflict in conflicts(rules, WORLD):
        if conflict.why is not Idleness.DUPLICATE:
            known = CHANNELS if "channel" in conflict.reason else (*CHANNELS, "xx", "zz")
            assert not fires(rules, int(conflict.rule), known), conflict


@given(universe(patterns=False))
def test_without_patterns_every_idle_rule_is_told(rules: tuple[Rule, ...]) -> None:
    """Choice: where callers are named one by one, what is told is complete."""
    silent = {str(at) for at in range(len(rules)) if not fires(rules, at, (*CHANNELS, "xx", "zz"))}
    assert silent <= {conflict.rule for conflict in conflicts(rules, WORLD)}
