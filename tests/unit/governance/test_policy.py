from __future__ import annotations

import pytest

from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities, Capability
from prowess.governance.policy import Effect, Match, Rule, rules_about
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.verdict import ALLOW, Allow, Ask, Deny, Reason

RIGHTS = Capabilities.of(
    [
        Capability("notes.read", risk="low"),
        Capability("notes.all", implies=("notes.read", "notes.erase")),
        Capability("notes.erase", risk="high", implies=("files.write",)),
        Capability("files.write"),
    ]
)
NOTE = Manifest(
    name="acme/read-note",
    version="1.2.0",
    kind="logic",
    tags=["notes"],
    policy_tags=["careful"],
    capabilities=["notes.all"],
)


@pytest.mark.behaviour("policy.rules")
@pytest.mark.parametrize(
    ("match", "fits"),
    [
        (Match(), True),
        (Match(entries=("acme/read_note",)), True),
        (Match(entries=("acme/read-*",)), True),
        (Match(entries=("read-note",)), False),
        (Match(entries=("acme/read-note@1.*",)), True),
        (Match(entries=("acme/read-note@2.*",)), False),
        (Match(entries=("x", "*")), True),
        (Match(tags=("notes",)), True),
        (Match(tags=("care*",)), True),
        (Match(tags=("note",)), False),
        (Match(capabilities=("notes.*",)), True),
        (Match(capabilities=("notes.erase",)), True),
        (Match(capabilities=("files.write",)), True),
        (Match(capabilities=("mail.*",)), False),
        (Match(risks=("high",)), True),
        (Match(risks=("low", "medium")), True),
        (Match(risks=("medium",)), False),
        (Match(kinds=("logic",)), True),
        (Match(kinds=("skill",)), True),
        (Match(kinds=("op", "pipeline")), False),
        (Match(tags=("notes",), kinds=("op",)), False),
    ],
)
def test_which_entries_a_rule_is_about(match: Match, fits: bool) -> None:
    """Spec: match on tags, capabilities, kind; a right that brings others with it is those as well."""
    assert match.among(RIGHTS).fits(NOTE) is fits
    rules = (Rule(name="a", effect=Effect.DENY, match=match.among(RIGHTS)),)
    assert rules_about(rules, NOTE) == (rules if fits else ())


@pytest.mark.parametrize(
    ("match", "fits"),
    [
        (Match(capabilities=("notes.*",)), True),
        (Match(capabilities=("notes.erase",)), False),
        (Match(risks=("high",)), False),
    ],
)
def test_without_declared_rights_each_is_its_own_word(match: Match, fits: bool) -> None:
    """Spec: where a project declares no capabilities, none brings another with it, and none is grave."""
    assert match.fits(NOTE) is fits
    assert match.among(NO_CAPABILITIES).fits(NOTE) is fits
    assert match.among(RIGHTS).among(NO_CAPABILITIES).fits(NOTE) is fits


def test_a_skill_is_no_op_and_an_entry_without_a_version_is_1_0_0() -> None:
    """Spec: kinds and versions as everywhere."""
    plain = Manifest(name="x")
    assert not Match(kinds=("skill",)).fits(plain)
    assert Match(kinds=("op",)).fits(plain)
    assert Match(entries=("x@1.0.0",)).fits(plain)
    assert not Match(capabilities=("*",)).fits(plain)


@pytest.mark.behaviour("policy.rules")
@pytest.mark.parametrize(
    ("match", "is_of"),
    [
        (Match(), True),
        (Match(actors=("ann",)), True),
        (Match(actors=("a*",)), True),
        (Match(actors=("bob",)), False),
        (Match(channels=("cli", "http")), True),
        (Match(channels=("http",)), False),
        (Match(hours=(9, 10)), True),
        (Match(hours=(10,)), False),
        (Match(actors=("ann",), channels=("http",)), False),
    ],
)
def test_which_callers_and_hours_a_rule_is_about(match: Match, is_of: bool) -> None:
    """Spec: match on actor, channel, hour."""
    question = Question(NOTE, Caller("ann", "cli"), 9)
    assert match.is_of(question.caller, question.hour) is is_of
    rule = Rule(name="a", effect=Effect.DENY, match=match)
    assert rule.verdict(question) == (Deny((Reason("policy:a", "rule 'a' says deny"),)) if is_of else ALLOW)


@pytest.mark.parametrize(("effect", "kind"), [("allow", Allow), ("ask", Ask), ("deny", Deny)])
def test_a_rule_answers_with_its_reason(effect: str, kind: type[Allow | Ask | Deny]) -> None:
    """Spec: allow, ask, deny; an entry that it is not about is let pass without a word."""
    rule = Rule(name="a", effect=Effect(effect), match=Match(entries=("acme/*",)), reason="Because.")
    assert rule.verdict(Question(NOTE, Caller("ann"))) == kind((Reason("policy:a", "Because."),))
    assert rule.verdict(Question(Manifest(name="x"), Caller("ann"))) == ALLOW
