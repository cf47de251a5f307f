"""Two schemas that bind at once, as one."""

from __future__ import annotations

import pytest

from prowess.model.merged_schema import Conflict, merged, merged_all_of, telling_apart

A, B, OTHER = ({"a": {"type": "string"}}, {"b": {"type": "null"}}, {"a": {"type": "integer"}})


def test_fields_of_both_are_fields_of_one() -> None:
    """Spec: what strict mode merges says exactly the same as before."""
    both = merged({"properties": A, "required": ["a"]}, {"properties": {**A, **B}, "required": ["b"]})
    assert both == {"properties": {**A, **B}, "required": ["b", "a"]}


@pytest.mark.parametrize("other", [OTHER, True])
def test_fields_that_say_different_things_are_a_conflict(other: object) -> None:
    """Choice: what cannot be written as one schema is not guessed."""
    with pytest.raises(Conflict):
        merged({"properties": A}, {"properties": other})


def test_what_is_no_list_of_names_requires_nothing() -> None:
    """Choice: a schema that others wrote may hold anything."""
    assert merged({"required": "a"}, {"required": ["b"]})["required"] == ["b"]


@pytest.mark.parametrize("member", [True, {"$ref": "#/a"}, {"allOf": [True]}, {"type": "null"}])
def test_what_cannot_be_merged_stays_as_it_was(member: object) -> None:
    """Choice: a schema that would say something else is left alone."""
    schema = {"type": "string", "allOf": [member]}
    assert merged_all_of(schema) == schema


@pytest.mark.parametrize(
    ("members", "apart"),
    [
        ([{"type": "string"}, {"type": "null"}], []),
        ([{"const": 1}, {"enum": [2, 3]}], []),
        ([{"$ref": "#/$defs/text"}, {"type": "null"}], []),
        ([{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "array"}], []),
        ([{"anyOf": [{"type": "string"}, True]}, {"type": "array"}], None),
        ([True, {"type": "array"}], None),
        ([{"enum": [[1]]}, {"const": 1}], None),
        (
            [
                {"type": "object", "properties": {"kind": {"const": "a"}, "x": {}}},
                {"type": "object", "properties": {"kind": {"const": "b"}}},
            ],
            ["kind"],
        ),
        ([{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}}}], None),
    ],
)
def test_members_are_told_apart_by_type_value_or_tag(members: list[object], apart: list[str] | None) -> None:
    """Choice: only where no value fits two members is one of them the same as any of them."""
    assert telling_apart({"$defs": {"text": {"type": "string"}}}, members) == apart
