"""What an author may say about an entry besides its code."""

from typing import Any

import pytest

from prowess import BaseSkill, InvalidManifestError, op, skill
from prowess.model.manifest import (
    Autonomy,
    Deprecation,
    FailureMode,
    Limits,
    Redaction,
    Status,
    Target,
)


@op
def render() -> None:
    """Render."""


@skill
def review() -> None:
    """Review."""


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        ({"name": "send_mail"}, "name", "send_mail"),
        ({"version": "2.0.0-rc.1"}, "version", "2.0.0-rc.1"),
        ({"description": "Post it."}, "description", "Post it."),
        ({"title": "Send mail"}, "title", "Send mail"),
        ({"tags": ["mail", "post"]}, "tags", ("mail", "post")),
        ({"capabilities": ["mail.send"]}, "capabilities", ("mail.send",)),
        ({"side_effects": ["sends mail"]}, "side_effects", ("sends mail",)),
        ({"destructive": True}, "destructive", True),
        ({"idempotent": True}, "idempotent", True),
        ({"autonomy": Autonomy.L1}, "autonomy", Autonomy.L1),
        ({"autonomy": "L0"}, "autonomy", Autonomy.L0),
        ({"policy_tags": ["requires_review"]}, "policy_tags", ("requires_review",)),
        (
            {"calls": ["style@^1", render, review, Target("log"), render]},
            "targets",
            (Target("style", "^1"), Target("render", None, "op"), Target("review", None, "skill"), Target("log")),
        ),
        (
            {"failure_modes": ["bounced", "full: no space", {"code": "slow", "retryable": True}]},
            "failure_modes",
            (FailureMode("bounced"), FailureMode("full", "no space"), FailureMode("slow", retryable=True)),
        ),
        ({"failure_modes": [FailureMode("x")]}, "failure_modes", (FailureMode("x"),)),
        ({"timeout": 5, "rate_limit": 60}, "limits", Limits(5, 60)),
        (
            {"redact_inputs": ["password", "$.user.token"], "redact_outputs": ["$[*].secret"]},
            "redaction",
            Redaction(("$.password", "$.user.token"), ("$[*].secret",)),
        ),
        ({"owners": ["mail team"]}, "owners", ("mail team",)),
        ({"author": "Ada"}, "author", "Ada"),
        ({"license": "MIT"}, "license", "MIT"),
        ({"deprecation": {"replaced_by": "post"}}, "deprecation", Deprecation("post")),
        ({"deprecation": Deprecation("post")}, "status", Status.DEPRECATED),
        ({"deprecation": Deprecation("post"), "status": "enabled"}, "status", Status.ENABLED),
        ({"status": Status.DISABLED}, "status", Status.DISABLED),
        ({"estimated_steps": 2}, "estimated_steps", 2),
        ({"supports_pause": True}, "supports_pause", True),
        ({"id": "mail.send"}, "id", "mail.send"),
        ({"examples": ["send a mail to Ada"]}, "examples", ("send a mail to Ada",)),
        ({"extra": {"cost": 1}}, "extra", {"cost": 1}),
    ],
)
def test_an_option_is_in_the_manifest(options: dict[str, Any], field: str, value: object) -> None:
    """Spec: the manifest's fields, by the names that authors use."""

    def send(password: str, user: dict[str, str]) -> None:
        """Send."""

    assert getattr(op(**options)(send).manifest, field) == value


def test_one_word_stands_for_a_list_of_one() -> None:
    """Choice: `tags="mail"` means one tag, not its letters."""

    @op(tags="mail", calls="render", failure_modes="bounced")
    def send() -> None:
        """Send."""

    assert send.manifest.tags == ("mail",)
    assert send.manifest.targets == (Target("render"),)
    assert send.manifest.failure_modes == (FailureMode("bounced"),)


def test_a_skill_object_can_be_a_target() -> None:
    """Choice: whatever has a name can be called by it."""

    class Render(BaseSkill):
        name = "render"
        description = "Render."

        async def execute(self) -> None:
            """Do it."""

    @skill(calls=[Render()])
    def send() -> None:
        """Send."""

    assert send.manifest.targets == (Target("render"),)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"version": "1.0"}, "version '1.0' is no semantic version: write one like '1.0.0'"),
        ({"version": 1}, "version 1 is no semantic version"),
        ({"autonomy": "L9"}, "autonomy: must be one of L0, L1, L2, L3"),
        ({"status": "enable"}, "status: must be one of enabled, disabled, deprecated, did you mean 'enabled'?"),
        ({"calls": [print]}, "calls has 'print', which is no entry"),
        ({"calls": ["Bad Name"]}, "target 'Bad Name' is not a name"),
        ({"calls": ["x@latest?"]}, "version constraint"),
        ({"tags": [1]}, "tags[0]: must be text"),
        ({"tags": [" "]}, "each of tags is one line of text"),
        ({"capabilities": ["notes read"]}, "each of capabilities is a right named domain.verb"),
        ({"timeout": 0}, "timeout is a number of seconds above 0"),
        ({"timeout": float("inf")}, "timeout is a number of seconds above 0"),
        ({"rate_limit": 0}, "at least 1 call a minute"),
        ({"estimated_steps": -1}, "estimated steps are not negative"),
        ({"redact_inputs": ["quary"]}, "redact_inputs names 'quary', which is no input, did you mean 'query'?"),
        ({"redact_inputs": ["$.zzzzzz"]}, "redact_inputs names 'zzzzzz', which is no input"),
        ({"redact_outputs": ["a b"]}, "a JSON path starts with $"),
        ({"failure_modes": [{"kode": "x"}]}, "failure_modes[0].kode: is unknown, did you mean 'code'?"),
        ({"deprecation": {"replaced_by": 1}}, "deprecation.replaced_by: must be text"),
        ({"description": " "}, "description is empty"),
        ({"name": "Bad"}, "name 'Bad' is not a name"),
        ({"id": "a b"}, "id is one word"),
    ],
)
def test_an_option_that_is_wrong_is_refused_at_decoration(options: dict[str, Any], words: str) -> None:
    """Choice: the author is there to put it right."""

    def find(query: str) -> None:
        """Find."""

    with pytest.raises(InvalidManifestError) as caught:
        op(**options)(find)

    assert str(caught.value).startswith("invalid manifest: function 'find': ")
    assert words in str(caught.value)
    assert caught.value.problems


def test_every_wrong_option_is_told_at_once() -> None:
    """Spec: parsing collects every problem before failing."""
    with pytest.raises(InvalidManifestError) as caught:

        @op(version="x", autonomy="L9", timeout=-1)
        def find() -> None:
            """Find."""

    assert [problem.path for problem in caught.value.problems] == ["$.version", "$.autonomy", "$.limits.timeout"]


@pytest.mark.parametrize(
    ("option", "words"),
    [("capabilites", "did you mean 'capabilities'?"), ("zzzzzz", "no option 'zzzzzz'")],
)
def test_an_unknown_option_is_a_type_error_with_a_near_name(option: str, words: str) -> None:
    """Choice: a typing mistake in an option must not be ignored."""
    options: dict[str, Any] = {option: []}

    with pytest.raises(TypeError, match=r"skill\(\) has no option"):
        skill(**options)
    with pytest.raises(TypeError) as caught:
        op(**options)
    assert words in str(caught.value)


@pytest.mark.behaviour("authoring.types")
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": 5}, "name: must be text"),
        ({"description": 5}, "description: must be text"),
        ({"tags": 5}, "tags: must be a list"),
        ({"tags": None}, "tags: must be a list"),
        ({"calls": None}, "calls: must be a list"),
        ({"calls": 5}, "calls: must be a list"),
        ({"timeout": "5"}, "timeout: must be a number"),
        ({"timeout": True}, "timeout: must be a number"),
        ({"rate_limit": "x"}, "rate_limit: must be a whole number"),
        ({"owners": 5}, "owners: must be a list"),
        ({"id": 5}, "id: must be text"),
        ({"estimated_steps": "x"}, "estimated_steps: must be a whole number"),
        ({"destructive": "no"}, "destructive: must be true or false"),
        ({"idempotent": 1}, "idempotent: must be true or false"),
        ({"author": 5}, "author: must be text"),
        ({"title": 5}, "title: must be text"),
        ({"license": 5}, "license: must be text"),
        ({"supports_pause": "x"}, "supports_pause: must be true or false"),
        ({"status": None}, "status: must be one of"),
        ({"extra": 5}, "extra: must be an object"),
        ({"extra": {"a": object()}}, "extra.a: a value of type object has no JSON form"),
        ({"failure_modes": 5}, "failure_modes: must be a list"),
        ({"failure_modes": [5]}, "failure_modes[0]: must be an object"),
        ({"redact_inputs": 5}, "redact_inputs: must be a list"),
        ({"redact_outputs": [5]}, "each of redact_outputs is text"),
        ({"deprecation": 5}, "deprecation: must be an object"),
        ({"deprecation": {"replacedbi": "x"}}, "deprecation.replacedbi: is unknown, did you mean 'replaced_by'?"),
    ],
)
def test_an_option_of_the_wrong_type_is_told_by_its_name(options: dict[str, Any], words: str) -> None:
    """Regression: many were accepted, others were an error of Python's."""

    def find(query: str) -> None:
        """Find."""

    with pytest.raises(InvalidManifestError) as caught:
        op(**options)(find)
    assert words in str(caught.value)
    assert len(caught.value.problems) == 1


@pytest.mark.behaviour("authoring.types")
def test_options_of_wrong_types_are_told_all_at_once() -> None:
    """Spec: parsing collects every problem before failing."""
    wrong: dict[str, Any] = {"timeout": "5", "tags": None, "description": 5, "calls": [print], "autonomy": 3}

    def find(query: str) -> None:
        """Find."""

    with pytest.raises(InvalidManifestError) as caught:
        op(**wrong)(find)
    assert sorted(problem.path for problem in caught.value.problems) == [
        "$.autonomy",
        "$.calls",
        "$.description",
        "$.limits.timeout",
        "$.tags",
    ]


def test_a_deprecation_may_be_written_as_in_json() -> None:
    """Regression: `replacedBy` was dropped without a word."""

    @op(deprecation={"replacedBy": "post", "removalVersion": "2.0.0"})
    def send() -> None:
        """Send."""

    assert send.manifest.deprecation == Deprecation("post", "2.0.0")


def test_several_words_may_come_in_any_collection() -> None:
    """Choice: a set is sorted, since an order is kept."""
    collections: Any = {"tags": {"b", "a"}, "owners": iter(("x", "y")), "redact_inputs": {"query": 1}.keys()}

    def find(query: str) -> None:
        """Find."""

    manifest = op(**collections)(find).manifest
    assert (manifest.tags, manifest.owners) == (("a", "b"), ("x", "y"))
    assert manifest.redaction.inputs == ("$.query",)
