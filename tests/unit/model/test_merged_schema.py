"""Two schemas that bind at once, as one."""

from __future__ import annotations

import pytest

from prowess.model.merged_schema import Conflict, merged

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
