from __future__ import annotations

import pytest

from prowess.app.policies.simulation import idle_rules, permissions_named, simulate
from prowess.errors import ConfigurationError
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.question import Question
from prowess.governance.rulebook import NO_RULES, Access, Rulebook
from prowess.model.caller import Caller
from prowess.model.manifest import Autonomy, Manifest, Status
from prowess.model.permissions import Permissions, Preset
from prowess.model.verdict import Deny, Reason, Verdict


class FakePack:
    """Denies whatever it is asked."""

    def judge(self, question: Question) -> Verdict:
        return Deny((Reason("pack:x", f"never {question.manifest.name}"),))


NOTE = Manifest(
    name="erase_note",
    version="1.0.0",
    status=Status.DISABLED,
    capabilities=["notes.write"],
    destructive=True,
    autonomy=Autonomy.L1,
    input_schema={"type": "object", "properties": {"path": {"type": "string", "format": "path"}}, "required": ["path"]},
)


def rule(name: str, effect: Effect, match: Match, place: str = "") -> Rule:
    """Give a rule."""
    return Rule(name=name, effect=effect, match=match, reason=f"because of {name}", place=place)


@pytest.mark.behaviour("policy.simulate")
def test_each_stage_says_all_it_has_to_say() -> None:
    """Spec: `prowess policy simulate` shows the verdict and each reason."""
    book = Rulebook(
        access={"erase_note@1.0.0": Access(channels=("http",))},
        rules=(
            rule("a", Effect.ASK, Match(entries=("erase_*",)), "policy.toml:3"),
            rule("b", Effect.DENY, Match(actors=("bob",))),
            rule("c", Effect.DENY, Match(hours=(3,))),
            rule("d", Effect.ALLOW, Match(hours=(9,))),
        ),
        packs=(FakePack(),),
    )
    caller = Caller("ann", "cli", Permissions(allowed_paths=("notes",)))
    found = simulate(Question(NOTE, caller, 9), book, {"path": "/etc/passwd", "x": 1})
    told = [(one.stage, one.verdict, [reason.message for reason in one.reasons], one.place) for one in found.stages]
    assert told == [
        ("status", "deny", ["it is disabled"], ""),
        ("inputs", "deny", ["'path' leads out of the folders that the caller may reach"], ""),
        ("access", "deny", ["it may not be called from 'cli'"], ""),
        ("capabilities", "allow", [], ""),
        ("permissions", "ask", ["it is destructive, and 'trusted' asks before that"], ""),
        ("autonomy", "ask", ["it has autonomy L1: a person approves each call"], ""),
        ("rule 'a'", "ask", ["because of a"], "policy.toml:3"),
        ("rule 'd'", "allow", ["because of d"], ""),
        ("pack", "deny", ["never erase_note"], ""),
    ]
    assert (found.entry, found.verdict, found.level, found.ceiling, found.hour) == (
        "erase_note@1.0.0",
        "deny",
        "trusted",
        "L3",
        9,
    )


@pytest.mark.behaviour("policy.simulate")
def test_the_verdict_is_the_strictest_of_all() -> None:
    """Spec: deny beats ask beats allow."""
    plain = Manifest(name="x", autonomy=Autonomy.L2)
    found = simulate(Question(plain, Caller("ann")), NO_RULES)
    assert (found.verdict, [one.message for one in found.notices]) == ("allow", ["it runs and tells (autonomy L2)"])
    asking = Rulebook(rules=(rule("a", Effect.ASK, Match()),))
    assert simulate(Question(plain, Caller("ann")), asking).verdict == "ask"
    wrong = simulate(Question(NOTE, Caller("ann", permissions=Permissions.preset("worker"))), NO_RULES, {})
    assert wrong.verdict == "hidden"
    assert wrong.stages[1].reasons[0].message == "$.path: required field 'path' is missing"
    assert simulate(Question(plain, Caller("ann")), NO_RULES, {}).stages[1].verdict == "allow"


@pytest.mark.behaviour("policy.presets")
def test_presets_of_both_kinds_are_found_by_name() -> None:
    """Spec: custom presets extend one."""
    own = Permissions(level=Preset.WORKER, blocked_paths=("x",))
    book = Rulebook(presets={"reviewer": own})
    assert permissions_named("reviewer", book) is own
    assert permissions_named("yolo", book) == Permissions.preset("yolo")
    with pytest.raises(
        ConfigurationError, match=r"one of yolo, trusted, sandboxed, worker, reviewer, did you mean 'reviewer'"
    ):
        permissions_named("reviewr", book)
    with pytest.raises(ConfigurationError, match=r"worker$"):
        permissions_named("zzzz", NO_RULES)


@pytest.mark.behaviour("policy.conflicts")
def test_channels_of_ones_own_are_known_where_they_are_told() -> None:
    """Choice: a caller's channel is any word, and a misspelt one is the commonest mistake."""
    book = Rulebook(rules=(rule("a", Effect.DENY, Match(channels=("slack",))),))
    assert idle_rules((NOTE,), book, ("slack",)) == ()
    assert [one.rule for one in idle_rules((NOTE,), book)] == ["a"]
