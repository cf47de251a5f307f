"""What a manifest must obey."""

from typing import Any

import pytest
from msgspec.structs import replace

from prowess.errors import ConfigurationError, InvalidManifestError
from prowess.model.manifest import Limits, Manifest, Redaction, Target
from prowess.model.manifest_rules import target_problem

GOOD = Manifest(name="acme/refunds", version="1.0", description="Use When money goes back.")


def test_a_manifest_that_obeys_is_given_back() -> None:
    """Choice: a check that can stand in the middle of an expression."""
    whole = replace(
        GOOD,
        id="refunds.v1",
        tags=("money back",),
        capabilities=("payments.write",),
        policy_tags=("requires_review",),
        targets=(Target("acme/pay", ">=1.2 <2 || ~3.x"), Target("log")),
        limits=Limits(0.5, 1),
        redaction=Redaction(("$", "$.card", "$.cards[*].number"), ("$.a['b c'][0]",)),
        estimated_steps=0,
    )

    assert whole.validate() is whole


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"name": ""}, "$.name", "name '' is empty"),
        ({"name": "Acme/Refunds"}, "$.name", "name 'Acme/Refunds' is not a name"),
        ({"id": "a b"}, "$.id", "id is one word"),
        ({"version": ""}, "$.version", "version is short text"),
        ({"version": "1.0\nbeta"}, "$.version", "version is short text"),
        ({"version": "1@2"}, "$.version", "version is short text"),
        ({"version": "1" * 300}, "$.version", "version is short text"),
        ({"description": " \n"}, "$.description", "description is empty"),
        ({"tags": ("a", "b\nc")}, "$.tags[1]", "one line of text"),
        ({"capabilities": ("",)}, "$.capabilities[0]", "a right named domain.verb"),
        ({"capabilities": ("a.b", "notadotted")}, "$.capabilities[1]", "a right named domain.verb"),
        ({"capabilities": ("a.",)}, "$.capabilities[0]", "a right named domain.verb"),
        ({"policy_tags": ("x" * 300,)}, "$.policy_tags[0]", "a word without spaces"),
        ({"targets": (Target("Log"),)}, "$.targets[0]", "target 'Log' is not a name"),
        ({"targets": (Target("log", "$"),)}, "$.targets[0]", "a version constraint that is none"),
        ({"limits": Limits(timeout=0)}, "$.limits.timeout", "a number of seconds above 0"),
        ({"limits": Limits(timeout=float("nan"))}, "$.limits.timeout", "a number of seconds above 0"),
        ({"limits": Limits(max_per_minute=0)}, "$.limits.max_per_minute", "at least 1 call a minute"),
        ({"estimated_steps": -1}, "$.estimated_steps", "not negative"),
        ({"redaction": Redaction(("card",))}, "$.redaction.inputs[0]", "starts with $"),
        ({"redaction": Redaction((), ("$.a.",))}, "$.redaction.outputs[0]", "starts with $"),
    ],
)
def test_what_breaks_a_rule_is_told_with_its_path(changes: dict[str, Any], path: str, words: str) -> None:
    """Choice: the author of a document sees where to look and what would be right."""
    (problem,) = replace(GOOD, **changes).problems()

    assert problem.path == path
    assert words in problem.message


def test_everything_that_is_wrong_is_told_at_once() -> None:
    """Spec: parsing collects every problem before failing."""
    with pytest.raises(InvalidManifestError) as caught:
        Manifest(name="Bad", tags=("",)).validate()

    assert [problem.path for problem in caught.value.problems] == ["$.name", "$.description", "$.tags[0]"]
    assert str(caught.value).startswith("invalid manifest: 'Bad': name 'Bad' is not a name")


def test_the_toolskill_profile_wants_a_trigger_and_a_strict_version() -> None:
    """Spec: the description starts with "Use when", ignoring case; off by default."""
    assert not replace(GOOD, version="1.0.0").problems("toolskill")
    assert [problem.rule for problem in replace(GOOD, description="Refunds.").problems("toolskill")] == [
        "use-when",
        "semver",
    ]
    assert [problem.rule for problem in replace(GOOD, version=None).problems("toolskill")] == ["semver"]


def test_an_unknown_profile_is_a_mistake_in_the_settings() -> None:
    """Choice: with the name that was probably meant."""
    with pytest.raises(ConfigurationError, match="there is no profile 'toolskil': use one of toolskill, did"):
        GOOD.validate(profile="toolskil")
    with pytest.raises(ConfigurationError, match=r"use one of toolskill$"):
        GOOD.validate(profile="x")


def test_a_target_without_a_constraint_is_only_a_name() -> None:
    """Choice: whether it exists is the registry's to check."""
    assert target_problem("log", None) is None
