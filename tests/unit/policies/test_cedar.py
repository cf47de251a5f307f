from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from prowess.errors import ConfigurationError
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.permissions import Permissions
from prowess.model.verdict import ALLOW, Deny, Reason, Verdict
from prowess.policies.cedar import CALL_SCHEMA, CedarPack

ALL = "permit(principal, action, resource);"
NOTE = Manifest(name="acme/read_note", version="1.2.0", capabilities=["notes.read"], tags=["notes"], destructive=True)
TEAM = json.dumps(
    [
        {"uid": {"type": "Actor", "id": "ann"}, "attrs": {}, "parents": [{"type": "Team", "id": "core"}]},
        {"uid": {"type": "Team", "id": "core"}, "attrs": {}, "parents": []},
    ]
)


def asked(pack: CedarPack, actor: str = "ann", channel: str = "cli", hour: int = 9) -> Verdict:
    """Ask a pack about one call."""
    return pack.judge(Question(NOTE, Caller(actor, channel, Permissions.preset("worker")), hour))


def denied(message: str) -> Deny:
    """Give the refusal of the pack `team`."""
    return Deny((Reason("pack:team", f"policy pack 'team': {message}"),))


@pytest.mark.behaviour("policy.packs")
@pytest.mark.parametrize(
    "condition",
    [
        'context.channel == "cli"',
        "context.hour == 9",
        'context.level == "worker"',
        'context.ceiling == "L3"',
        'context.kind == "op"',
        'context.version == "1.2.0"',
        'context.autonomy == "L3"',
        "context.destructive",
        'context.tags.contains("notes")',
        'context.capabilities.containsAny(["notes.read"])',
        "context.policyTags.isEmpty()",
        "context.sideEffects.isEmpty()",
        'principal == Actor::"ann"',
        'principal in Team::"core"',
        'resource == Entry::"acme/read_note"',
        'action == Action::"call"',
    ],
)
def test_a_pack_is_told_all_about_a_call(condition: str) -> None:
    """Spec: Cedar policy packs; a clear yes changes nothing."""
    pack = CedarPack("team", f"permit(principal, action, resource) when {{ {condition} }};", entities=TEAM)
    assert asked(pack) == ALLOW
    pack = CedarPack("team", f"permit(principal, action, resource) unless {{ {condition} }};", entities=TEAM)
    assert asked(pack) == denied("no policy permits it")


@pytest.mark.behaviour("policy.packs")
def test_a_no_names_the_policies_that_say_it() -> None:
    """Spec: a reason for each verdict."""
    pack = CedarPack(
        "team",
        f'{ALL} @id("nights") forbid(principal, action, resource) when {{ context.hour < 6 }};'
        ' forbid(principal == Actor::"bob", action, resource);',
    )
    assert asked(pack) == ALLOW
    assert asked(pack, hour=3) == denied("nights forbids it")
    assert asked(pack, "bob") == denied("policy2 forbids it")
    assert repr(pack) == "<CedarPack 'team'>"


@pytest.mark.behaviour("policy.packs")
def test_an_error_is_a_no_also_where_cedar_would_let_the_call_pass() -> None:
    """Spec: any error or missing context means deny."""
    schema = CALL_SCHEMA.replace("hour: Long,", "hour: Long, ticket?: String,")
    rule = "forbid(principal, action, resource) when { 9223372036854775807 + context.hour > 0 };"
    verdict = asked(CedarPack("team", ALL + rule, schema=schema))
    assert isinstance(verdict, Deny)
    assert "could not be decided: error while evaluating policy" in verdict.reasons[0].message


@pytest.mark.behaviour("policy.packs")
def test_a_failure_of_the_engine_is_a_no() -> None:
    """Spec: as above; it never raises."""
    pack = CedarPack("team", ALL)
    assert asked(pack, "\ud800") == denied("could not be decided: UnicodeEncodeError")
    assert isinstance(asked(pack, hour=2**70), Deny)


@pytest.mark.behaviour("policy.packs")
@pytest.mark.parametrize(
    ("policies", "schema", "entities", "message"),
    [
        ("permit(", CALL_SCHEMA, "[]", "policy pack 'team': policies: unexpected end of input"),
        (ALL, "entit x", "[]", "policy pack 'team': schema: error parsing schema: unexpected token `entit`"),
        (ALL, CALL_SCHEMA, "[", "policy pack 'team': entities: error during entity deserialization"),
        (
            "permit(principal, action, resource) when { context.hou == 1 };",
            CALL_SCHEMA,
            "[]",
            "policy pack 'team': policies: [policy0] for policy `policy0`, attribute `hou` in context for",
        ),
    ],
)
def test_what_is_wrong_with_a_pack_is_told_when_it_is_opened(
    policies: str, schema: str, entities: str, message: str
) -> None:
    """Choice: before the first caller meets it."""
    with pytest.raises(ConfigurationError) as caught:
        CedarPack("team", policies, schema=schema, entities=entities)
    assert caught.value.message.startswith(message)


def test_a_schema_that_does_not_describe_a_call_is_told_too() -> None:
    """Choice: every call would be refused, and nobody would know why."""
    with pytest.raises(ConfigurationError) as caught:
        CedarPack("team", ALL, schema=CALL_SCHEMA.replace("hour: Long,", ""))
    assert "schema: failed to build request" in caught.value.message
    bad = "permit(principal, action, resource) when { context.a };"
    with pytest.raises(ConfigurationError) as caught:
        CedarPack("team", bad + bad.replace("context.a", "context.b"))
    assert caught.value.message.startswith("policy pack 'team': 2 problems:\n  policies: ")


def test_many_threads_may_ask_at_once() -> None:
    """Choice: a pack is one value for all calls."""
    pack = CedarPack("team", f"{ALL} forbid(principal, action, resource) when {{ context.hour < 6 }};")
    with ThreadPoolExecutor(8) as threads:
        verdicts = [*threads.map(lambda hour: asked(pack, hour=hour % 24), range(480))]
    assert [isinstance(one, Deny) for one in verdicts] == [hour % 24 < 6 for hour in range(480)]
