from __future__ import annotations

import datetime as dt
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.errors import InvalidManifestError
from prowess.model.manifest import (
    Autonomy,
    Deprecation,
    FailureMode,
    Kind,
    Limits,
    Manifest,
    Redaction,
    RuntimeKind,
    Status,
    Target,
)
from prowess.model.manifest_json import manifest_from_json, manifest_to_json
from prowess.model.schema import Schema

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
MAYBE = st.none() | TEXT
SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
JSON = st.recursive(SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))
SCHEMAS = (st.booleans() | st.dictionaries(TEXT, JSON, max_size=3)).map(Schema.of)
MANIFESTS = st.builds(
    Manifest,
    name=TEXT,
    version=MAYBE,
    description=TEXT,
    kind=st.sampled_from(Kind),
    status=st.sampled_from(Status),
    input_schema=SCHEMAS,
    output_schema=st.none() | SCHEMAS,
    tags=TEXTS,
    capabilities=TEXTS,
    side_effects=TEXTS,
    destructive=st.booleans(),
    idempotent=st.booleans(),
    autonomy=st.sampled_from(Autonomy),
    policy_tags=TEXTS,
    targets=st.lists(st.builds(Target, TEXT | st.just("a@b"), MAYBE, MAYBE), max_size=3).map(tuple),
    failure_modes=st.lists(st.builds(FailureMode, TEXT, TEXT, st.booleans()), max_size=2).map(tuple),
    limits=st.builds(Limits, st.none() | st.floats(0, 9) | st.integers(0, 9), st.none() | st.integers()),
    redaction=st.builds(Redaction, TEXTS, TEXTS),
    owners=TEXTS,
    author=MAYBE,
    license=MAYBE,
    deprecation=st.none() | st.builds(Deprecation, MAYBE, MAYBE, MAYBE),
    estimated_steps=st.none() | st.integers(),
    supports_pause=st.booleans(),
    runtime=st.none() | st.sampled_from(RuntimeKind),
    id=MAYBE,
    title=MAYBE,
    examples=TEXTS,
    extra=st.dictionaries(TEXT, JSON, max_size=2),
)


@settings(deadline=None)
@given(MANIFESTS)
def test_a_manifest_reads_back_exactly_as_it_was(manifest: Manifest) -> None:
    """Spec: a manifest goes to and from JSON."""
    assert manifest_from_json(manifest_to_json(manifest)) == manifest
    assert manifest_from_json(json.loads(json.dumps(manifest_to_json(manifest)))) == manifest


def test_what_is_left_at_its_default_is_left_out() -> None:
    """Choice: a catalogue in git shows what an author said, no more."""
    assert manifest_to_json(Manifest(name="a")) == {"name": "a"}
    manifest = Manifest(name="a", kind=Kind.LOGIC, tags=("x",), targets=(Target("b", "^1"), Target("c", kind="op")))
    assert manifest_to_json(manifest) == {
        "name": "a",
        "kind": "logic",
        "tags": ["x"],
        "targets": ["b@^1", {"name": "c", "kind": "op"}],
    }


def test_the_json_is_nobodys_but_the_readers() -> None:
    """Choice: changing it changes no manifest, and the other way round."""
    extra: dict[str, object] = {"deep": [1]}
    manifest = manifest_from_json({"name": "a", "extra": extra})
    extra["deep"] = None
    manifest_to_json(manifest)["extra"].clear()  # type: ignore[attr-defined]
    assert manifest.extra == {"deep": [1]}


def test_both_spellings_are_read() -> None:
    """Spec: camelCase accepted on reading."""
    snake = {
        "name": "a",
        "input_schema": {"type": "object"},
        "side_effects": ["x"],
        "failure_modes": [{"code": "oops", "retryable": True}],
        "limits": {"max_per_minute": 3},
        "deprecation": {"replaced_by": "b", "removal_version": "2.0.0"},
        "supports_pause": True,
    }
    camel = {
        "name": "a",
        "inputSchema": {"type": "object"},
        "sideEffects": ["x"],
        "failureModes": [{"code": "oops", "retryable": True}],
        "limits": {"maxPerMinute": 3},
        "deprecation": {"replacedBy": "b", "removalVersion": "2.0.0"},
        "supportsPause": True,
    }
    assert manifest_from_json(snake) == manifest_from_json(camel)


@pytest.mark.parametrize("key", ["parameters", "input_schema", "inputSchema", "inputs_schema", "inputsSchema"])
def test_the_input_schema_has_many_names(key: str) -> None:
    """Spec: what people write elsewhere is understood."""
    assert manifest_from_json({"name": "a", key: {}}).input_schema == Schema.of({})


@pytest.mark.parametrize("key", ["output_schema", "outputSchema", "outputs_schema", "outputsSchema"])
def test_the_output_schema_has_many_names(key: str) -> None:
    """Spec: what people write elsewhere is understood."""
    assert manifest_from_json({"name": "a", key: True}).output_schema == Schema.of(True)  # noqa: FBT003 - a schema


def test_targets_come_from_every_list_that_names_them() -> None:
    """Spec: targets are the required tools and the required skills."""
    manifest = manifest_from_json(
        {
            "name": "a",
            "required_skills": ["s"],
            "requiredTools": ["t@^1", {"name": "u", "version": 2}, {"name": "v", "kind": "skill"}],
            "calls": ["c", "x"],
            "targets": ["x", "x"],
        }
    )
    assert manifest.targets == (
        Target("x"),
        Target("x"),
        Target("c"),
        Target("t", "^1", "op"),
        Target("u", "2", "op"),
        Target("v", None, "skill"),
        Target("s", None, "skill"),
    )


@pytest.mark.parametrize(
    ("written", "version"),
    [("1.10", "1.10"), (1.0, "1.0"), (2, "2"), (dt.date(2024, 1, 2), "2024-01-02"), (None, None), ("", "")],
)
def test_a_version_is_what_its_author_wrote(written: object, version: str | None) -> None:
    """Spec: a YAML float and a date are read as text, never silently replaced."""
    assert manifest_from_json({"name": "a", "version": written}).version == version


def test_nulls_count_as_absent() -> None:
    """Choice: other programs write every field."""
    assert manifest_from_json({"name": "a", "tags": None, "limits": {"timeout": None}}) == Manifest(name="a")


def test_a_failure_mode_may_be_its_code_alone() -> None:
    """Choice: most need no more."""
    assert manifest_from_json({"name": "a", "failure_modes": ["oops"]}).failure_modes == (FailureMode("oops"),)


def test_values_made_in_python_are_read_too() -> None:
    """Choice: tuples and schemas need not be turned into JSON first."""
    schema = Schema.of({"type": "object"})
    manifest = manifest_from_json({"name": "a", "tags": ("x",), "input_schema": schema})
    assert (manifest.tags, manifest.input_schema) == (("x",), schema)


WRONG = {
    "nmae": "a",
    "inptuSchema": {},
    "tags": "x",
    "owners": ["a", 1],
    "kind": "skil",
    "autonomy": "l3",
    "status": 3,
    "destructive": "yes",
    "estimated_steps": True,
    "limits": {"timeuot": 1, "timeout": "x", "max_per_minute": 1.5},
    "failure_modes": [{"description": "no code"}, 3],
    "input_schema": 3,
    "parameters": {},
    "output_schema": {"const": float("nan")},
    "extra": {"a": [float("nan")]},
    "redaction": [],
    "targets": [{"kind": "op"}],
    "deprecation": "soon",
    "version": True,
    "description": 5,
    3: 4,
}


def test_every_problem_is_told_at_once() -> None:
    """Spec: all problems are reported at once, each with its path, the value's type, the rule, and a near name."""
    with pytest.raises(InvalidManifestError) as caught:
        manifest_from_json(WRONG)  # type: ignore[arg-type]
    found = [(problem.path, problem.rule, problem.type, problem.near) for problem in caught.value.problems]
    assert found == [
        ("$.nmae", "unknown", None, "name"),
        ("$.inptuSchema", "unknown", None, "inputsSchema"),
        ("$.tags", "type", "string", None),
        ("$.owners[1]", "type", "integer", None),
        ("$.kind", "enum", "string", None),
        ("$.autonomy", "enum", "string", "L3"),
        ("$.status", "enum", "integer", None),
        ("$.destructive", "type", "string", None),
        ("$.estimated_steps", "type", "boolean", None),
        ("$.limits.timeuot", "unknown", None, "timeout"),
        ("$.limits.timeout", "type", "string", None),
        ("$.limits.max_per_minute", "type", "number", None),
        ("$.failure_modes[0].code", "required", None, None),
        ("$.failure_modes[1]", "type", "integer", None),
        ("$.input_schema", "type", "integer", None),
        ("$.parameters", "duplicate", "object", None),
        ("$.output_schema", "schema", "object", None),
        ("$.extra.a[0]", "json", None, None),
        ("$.redaction", "type", "array", None),
        ("$.targets[0].name", "required", None, None),
        ("$.deprecation", "type", "string", None),
        ("$.version", "type", "boolean", None),
        ("$.description", "type", "integer", None),
        ("$['3']", "unknown", None, None),
        ("$.name", "required", None, None),
    ]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], r"invalid manifest: manifest: \$: must be an object"),
        ({}, r"manifest: \$\.name: is missing"),
        ({"name": "a", "extra": 3}, r"manifest 'a': \$\.extra: must be an object"),
        ({"name": "a", "version": float("inf")}, r"\$\.version: must be text"),
        ({"name": "a", "limits": {"timeout": [1]}}, r"\$\.limits\.timeout: must be a number"),
        ({"name": 3}, r"manifest: \$\.name: must be text"),
        ({"name": "a", "tags": [], "Tags": []}, r"\$\.Tags: is unknown \(did you mean 'tags'\?\)"),
    ],
)
def test_the_message_names_the_manifest_and_the_place(value: object, message: str) -> None:
    """Spec: one bad skill never stops the others, so its owner is told which it is."""
    with pytest.raises(InvalidManifestError, match=message):
        manifest_from_json(value)  # type: ignore[arg-type]


def test_a_field_in_two_spellings_is_refused() -> None:
    """Choice: which one counts is not guessed."""
    with pytest.raises(InvalidManifestError, match=r"says 'side_effects' a second time, in another spelling"):
        manifest_from_json({"name": "a", "side_effects": ["x"], "sideEffects": ["y"]})
