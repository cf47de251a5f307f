"""Two generations of documents, compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from prowess.documents.comparing.differing import Difference, differences
from prowess.documents.loading import read_entries
from tests.unit.documents.samples import logic, op, ops, schema, skills

if TYPE_CHECKING:
    from prowess.documents.values import Declared


def entries(*said: dict[str, Any]) -> tuple[Declared, ...]:
    """Read ops."""
    return read_entries([ops(*said)])


def changed(version: str = "1.0.0", base: str = "1.0.0", **more: Any) -> list[Difference]:
    """Compare an op with a changed one."""
    return list(differences(entries(op("a", version=base)), entries(op("a", version=version, **more))))


_LIMITED = {"type": "object", "required": ["query"], "properties": {"query": {"type": "string", "maxLength": 5}}}
_MORE = {
    "type": "object",
    "required": ["query"],
    "properties": {"query": {"type": "string"}, "page": {"type": "integer"}},
}


@pytest.mark.behaviour("policy.diff")
@pytest.mark.parametrize(
    ("more", "rules", "breaking"),
    [
        ({"inputs_schema": _LIMITED}, ["narrowed-input"], True),
        ({"inputs_schema": _MORE}, ["inputs"], False),
        ({"inputs_schema": schema("query", "more")}, ["narrowed-input"], True),
        ({"inputs_schema": {"type": "object", "properties": {}}}, ["removed-field"], True),
        ({"outputs_schema": {"type": "object"}}, ["removed-field"], True),
        ({"outputs_schema": schema("result", "more")}, ["outputs"], False),
        ({"outputs_schema": schema(result={"type": ["string", "null"]})}, ["widened-output"], True),
        ({"capabilities": ["notes.read", "notes.write"]}, ["new-capability"], True),
        ({"capabilities": []}, ["removed-capability"], False),
        ({"side_effects": ["notes.read"]}, ["new-side-effect"], True),
        ({"status": "disabled"}, ["status"], True),
        ({"autonomy": "L1"}, ["autonomy"], True),
        ({"description": "Other."}, ["description"], False),
        ({"handler": "other"}, ["code"], False),
        ({"rate_limit": {"max_per_minute": 1}}, ["limits"], False),
    ],
)
def test_each_change_is_breaking_or_not(more: dict[str, Any], rules: list[str], breaking: bool) -> None:
    """Spec: a removed field, a narrowed input, a widened output and a new capability are breaking."""
    (difference,) = changed(**more)
    assert [one.rule for one in difference.changes] == rules
    assert difference.breaking is breaking
    assert not difference.ok


@pytest.mark.behaviour("policy.diff")
@pytest.mark.parametrize(
    ("base", "version", "more", "ok"),
    [
        ("1.0.0", "2.0.0", {"inputs_schema": _LIMITED}, True),
        ("1.0.0", "1.9.0", {"inputs_schema": _LIMITED}, False),
        ("0.1.0", "0.2.0", {"inputs_schema": _LIMITED}, True),
        ("0.1.0", "0.1.1", {"inputs_schema": _LIMITED}, False),
        ("1.0.0", "1.0.1", {"description": "Other."}, True),
        ("1.0.0-rc.1", "1.0.0-rc.1", {"description": "Other."}, False),
        ("1.0.0", "1.0.0", {"description": "Other."}, False),
    ],
)
def test_a_version_rises_as_much_as_its_change_asks(base: str, version: str, more: dict[str, Any], ok: bool) -> None:
    """Spec: whether its version was raised enough."""
    (difference,) = changed(version, base, **more)
    assert difference.ok is ok


def test_the_least_version_that_would_do_is_named() -> None:
    """Choice: whoever reads it knows what to write."""
    two: dict[str, Any] = {"inputs_schema": _LIMITED, "capabilities": ["notes.read", "a.b"]}
    assert changed(**two)[0].problems == (
        (
            "the version rose too little: from 1.0.0 to 2.0.0 at least, since inputs: query: must keep maxLength 5, and"
            " has no such bound and 1 more"
        ),
    )
    assert "to 0.2.0 at least" in changed("0.1.0", "0.1.0", **two)[0].problems[0]
    assert "to 1.0.1 at least" in changed(description="Other.")[0].problems[0]
    assert "to 1.0.0 at least" in changed("1.0.0-rc.1", "1.0.0-rc.1", description="Other.")[0].problems[0]


@pytest.mark.behaviour("policy.diff")
def test_a_new_deprecation_says_how_to_change_over() -> None:
    """Spec: a new deprecation carries `migration` unless `replaced_by` says enough."""
    gone = {"status": "deprecated"}
    (bare,) = changed("1.0.1", **gone, deprecation={"deprecated": True})
    assert bare.problems == ("the deprecation is new, and says neither 'migration' nor 'replaced_by'",)
    assert changed("1.0.1", **gone, deprecation={"deprecated": True, "migration": "Use b."})[0].ok
    assert changed("1.0.1", **gone, deprecation={"deprecated": True, "replaced_by": "b"})[0].ok


@pytest.mark.behaviour("policy.diff")
def test_entries_that_come_and_go_are_told() -> None:
    """Choice: an entry that goes breaks whoever calls it, unless it was deprecated or a higher version is there."""
    old = entries(op("a"), op("a", version="2.0.0"), op("b"), op("same"))
    removed = entries(op("a", version="2.0.0"), op("a", version="2.1.0", description="Other."), op("c"), op("same"))
    found = differences(old, removed)
    assert [(one.name, one.old, one.new, one.ok, one.breaking) for one in found] == [
        ("a", "2.0.0", "2.1.0", True, False),
        ("a", "1.0.0", None, True, True),
        ("b", "1.0.0", None, False, True),
        ("c", None, "1.0.0", True, False),
    ]
    assert found[2].to_json() == {
        "name": "b",
        "old": "1.0.0",
        "new": None,
        "breaking": True,
        "ok": False,
        "needed": "major",
        "raised": "none",
        "changes": [{"rule": "removed-entry", "message": "version 1.0.0 is gone", "breaking": True}],
        "problems": ["it goes without having been deprecated"],
    }
    deprecated = entries(op("a", status="deprecated", deprecation={"deprecated": True}))
    assert differences(deprecated, ())[0].ok
    assert [one.new for one in differences(entries(op("a", version="2.0.0")), entries(op("a")))] == ["1.0.0", None]


def test_another_kind_is_breaking() -> None:
    """Choice: whoever names the kind of a target no longer finds it."""
    skill = read_entries([skills(logic("a", version="2.0.0"))])
    (difference,) = differences(entries(op("a")), skill)
    assert [(one.rule, one.breaking) for one in difference.changes] == [("kind", True)]
