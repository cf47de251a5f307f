"""What a `$ref` leads to: only places in its own schema, the same ones for our survey and the native validator."""

import time

import pytest

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.validator import Validator, compile_validator
from prowess.model.json_value import Json
from prowess.model.schema import Schema

DRAFT_7, DRAFT_2019 = "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"
GOOD, EVIL = {"const": "good"}, {"const": "evil"}


def compiled(schema: dict[str, object]) -> Validator:
    """The validator of a schema."""
    return compile_validator(Schema.of(schema))


def refused(schema: dict[str, object]) -> list[tuple[str, str]]:
    """Where and why a schema is refused."""
    with pytest.raises(InvalidSchemaError) as caught:
        compiled(schema)
    return [(one.path, one.message) for one in caught.value.problems]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/good", "$defs": {"good": GOOD}},
        {"$ref": "#/%24defs/good", "$defs": {"good": GOOD}},
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": GOOD, "a~1b": EVIL}},
        {"$ref": "#/anywhere/1/x", "anywhere": [EVIL, {"x": GOOD}]},
        {"$ref": "#here", "$defs": {"a": {"$anchor": "here", **GOOD}}},
        {"$ref": "#here", "$defs": {"a": {"$dynamicAnchor": "here", **GOOD}}},
        {"$ref": "#/contentSchema/x", "contentSchema": {"x": GOOD}},
        {"$id": "https://example.com/a", "$ref": "#/$defs/good", "$defs": {"good": GOOD}},
        {"$schema": DRAFT_7, "$ref": "#/definitions/good", "const": "evil", "definitions": {"good": GOOD}},
        {"$schema": DRAFT_7, "definitions": {"evil": {"$anchor": "here"}, "good": GOOD}, **GOOD},
        {
            "$schema": DRAFT_2019,
            "$ref": "#here",
            "$defs": {"a": {"$anchor": "here", **GOOD}, "b": {"$dynamicAnchor": 5}},
        },
    ],
)
def test_a_reference_inside_its_schema_is_followed(schema: dict[str, object]) -> None:
    """Spec: local `$ref`, in each dialect as that dialect says."""
    assert compiled(schema).problems("good") == ()
    assert [problem.message for problem in compiled(schema).problems("evil")] == ['expected "good"']


@pytest.mark.behaviour("validation.references-stay")
@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({"contentSchema": {"$anchor": "a", **EVIL}}, ["$.contentSchema['$anchor']", "$['$defs'].ok['$anchor']"]),
        ({"not": {"$dynamicAnchor": "a", **EVIL}}, ["$.not['$dynamicAnchor']", "$['$defs'].ok['$anchor']"]),
    ],
)
def test_a_name_for_two_places_is_refused(schema: dict[str, object], places: list[str]) -> None:
    """Regression: our survey measured the one, and the native validator followed `$ref` to the other."""
    found = refused({"$ref": "#a", "$defs": {"ok": {"$anchor": "a", **GOOD}}, **schema})
    assert found[0][0] in places
    assert [message for _, message in found] == ["names two places"]


def test_an_id_that_moves_what_references_mean_is_found_in_a_content_schema_too() -> None:
    """Regression: `contentSchema` was not looked into, and its `$id` led `$ref` past every bound."""
    evil = {"$id": "https://example.com/b", "x": {"$ref": "#/y"}, "y": EVIL}
    (problem,) = refused({"$ref": "#/contentSchema/x", "contentSchema": evil, "y": GOOD})
    assert problem[0] == "$.contentSchema"


def test_what_lies_in_a_content_schema_is_measured() -> None:
    """Regression: thirty doublings behind an anchor there took hours."""
    steps: dict[str, object] = {"d0": {"type": "integer"}}
    for number in range(1, 31):
        steps[f"d{number}"] = {"anyOf": [{"$ref": f"#/contentSchema/$defs/d{number - 1}"}] * 2}
    schema: dict[str, object] = {
        "$ref": "#a",
        "contentSchema": {"$anchor": "a", "$ref": "#/contentSchema/$defs/d30", "$defs": steps},
    }
    began = time.process_time()
    assert "nests more than 32 references and combinations at one value" in dict(refused(schema)).values()
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("http://127.0.0.1:9/x", "leaves this schema: only '#', '#/…' and '#anchor' are followed"),
        ("x#/$defs/a", "leaves this schema: only '#', '#/…' and '#anchor' are followed"),
        ("#/$defs/none", "names no schema"),
        ("#/$defs/text", "names no schema"),
        ("#none", "names no schema"),
    ],
)
def test_a_reference_that_cannot_be_followed_says_why(reference: str, message: str) -> None:
    """Choice: an error says what would be right."""
    schema: dict[str, object] = {
        "$id": "https://example.com/x",
        "items": {"$ref": reference},
        "$defs": {"a": {}, "text": "a"},
    }
    assert refused(schema) == [("$.items['$ref']", message)]


def test_a_schema_that_refers_to_itself_further_down_is_checked_all_the_way() -> None:
    """Spec: recursive references."""
    tree = {"type": "object", "properties": {"sub": {"$ref": "#"}, "leaf": False}, "additionalProperties": False}
    value: Json = {"leaf": 1, "other": 2}
    for _ in range(20):
        value = {"sub": value}
    assert [(one.path, one.rule) for one in compiled(tree).problems(value)] == [
        (f"${'.sub' * 20}.leaf", "false"),
        (f"${'.sub' * 20}.other", "additionalProperties"),
    ]


@pytest.mark.parametrize(
    ("target", "value", "fits"), [(True, {"a": 1}, True), (False, {"a": 1}, False), (False, {"b": 1}, True)]
)
def test_a_reference_may_lead_to_true_or_false(target: bool, value: Json, fits: bool) -> None:
    """Spec: a schema may be a boolean."""
    assert compiled({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": target}}).is_valid(value) is fits
