"""What is wrong with one document by itself: its text, its fields, and the rules that one entry has to obey."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from prowess.documents.text.json_text import SIZE_LIMIT
from prowess.documents.values import Document, DocumentKind
from tests.unit.documents.samples import (
    loaded,
    logic,
    op,
    ops,
    overlay,
    pipeline,
    problems,
    rights,
    skills,
    step,
    told,
)


def document(text: str | bytes, kind: DocumentKind = DocumentKind.SKILLS) -> Document:
    """Give a document of any text."""
    return Document(kind=kind, file="d", data=text if isinstance(text, bytes) else text.encode())


@pytest.mark.behaviour("documents.json")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "d:1: $: is not JSON: "),
        ('{"a": 1,\n"b": }', "d:2: $: is not JSON: "),
        ('{"a": NaN}', "d:1: $: is not JSON: "),
        ('{"a": 1}\n]', "d:2: $: is not JSON: ']' closes what was never opened"),
        ('{"skills": [\n\n{"a": 1]}', "d:3: $: is not JSON: the object that '{' opens in line 3 is closed by ']'"),
        (b'{"a": "\xff"}', "d:1: $: is not JSON: "),
        ("[" * 5_000, "d:1: $: is not JSON: "),
        ("5", "d:1: $: must be an object, not 5"),
        ('{"a": tru}\n\n[}', "d:1: $: is not JSON: "),
        ('{"registry_version": "1.0.0", "skills": [' + "[" * 1_015 + "]" * 1_015 + "]}", "d:1: $.skills[0]: must be"),
    ],
)
def test_text_that_is_no_json_is_told_with_its_line(text: str | bytes, wanted: str) -> None:
    """Spec: every document error names file, path, value and rule, the line where it is known."""
    assert told(document(text))[0].startswith(wanted)


@pytest.mark.behaviour("documents.duplicate")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"a": 1,\n"b": {"c": [{}, {"d": ":",\n"d": 2}]},\n"a": 3}', ["$.b.c[1].d", "$.a"]),
        ('{"a": "\\u003a",\n"a": 3}', ["$.a"]),
        ('{"a\\u003a": 1, "a:": []}', ["$['a:']"]),
        ('{"x": ' + '{"y":' * 300 + "1" + "}" * 300 + ', "x": 1}', ["$.x"]),
    ],
)
def test_a_key_that_stands_twice_is_refused(text: str, wanted: list[str]) -> None:
    """Choice: readers differ on which of the two counts."""
    found = problems([document(text)])
    assert [one.message.partition(" ")[0] for one in found] == wanted
    assert {one.rule for one in found} == {"duplicate"}


def test_colons_that_are_escaped_and_a_mark_at_the_start_do_no_harm() -> None:
    """Choice: what other programs write is read."""
    text = b'\xef\xbb\xbf{"registry_version": "1.0.0", "skills": [], "$schema": "a\\u003Ab"}'
    assert loaded(document(text)).entries == ()


@pytest.mark.behaviour("documents.bounded")
def test_what_is_too_large_or_too_deep_is_refused_in_bounded_time() -> None:
    """Spec: an oversized input and a deep JSON are refused in bounded time."""
    began = time.monotonic()
    assert told(document(b" " * (SIZE_LIMIT + 1))) == ["d: $: is larger than 64,000,000 bytes"]
    assert "is larger than" in told(overlay("#" * 17_000_000))[0]
    assert "is larger than" in told(overlay("#" * 5_000_000))[0]
    assert told(document('{"skills":' + "[" * 900 + "]" * 900 + "}"))
    assert told(ops(op("a", autonomy="L" * 1_000_000)))[0].endswith("…")
    assert time.monotonic() - began < 10


@pytest.mark.behaviour("documents.yaml")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("entries: &a {}", "overlay.yaml:1: $: has the anchor &a"),
        ("entries:\n  a: &b {}\n  c: *b", "overlay.yaml:2: $: has the anchor &b"),
        ("entries: !x {}", "overlay.yaml:1: $: has the tag !x"),
        ("entries:\n  a: {}\n  a: {}", "overlay.yaml:3: $: 'a' stands in line 2 already"),
        ("entries: [", "overlay.yaml:1: $: "),
        ("- a", "overlay.yaml:1: $: must be an object"),
        ("entries:\n  a:\n    channels: [cli, [x]]", "overlay.yaml:3: $.entries.a.channels[1]: must be text"),
        ("entries: {[a]: {}}", "overlay.yaml:1: $.entries['(line 1)']"),
        ("registry_version: 3.0.0\nentries: {}", "overlay.yaml:1: $.registry_version: is a version that"),
    ],
)
def test_an_overlay_is_plain_yaml(text: str, wanted: str) -> None:
    """Spec: YAML overlays have no alias, anchor or tag."""
    assert told(overlay(text))[0].startswith(wanted)


def test_an_overlay_that_is_no_text_is_told_with_its_line() -> None:
    """Choice: as for JSON."""
    bad = Document(kind=DocumentKind.OVERLAY, file="o", data=b"a: 1\nb: \xff")
    assert told(bad) == ["o:2: $: is not UTF-8 text"]


@pytest.mark.behaviour("documents.versions")
@pytest.mark.parametrize("version", ["1.0.0", "1.9.3", "2.0.0", "2.7.1-rc.1"])
def test_versions_one_and_two_load_alike(version: str) -> None:
    """Spec: `registry_version` 1.x and 2.x load alike."""
    assert len(loaded(ops(op("a"), version=version)).entries) == 1


@pytest.mark.behaviour("documents.versions")
@pytest.mark.parametrize("version", ["3.0.0", "0.9.0"])
def test_another_major_version_is_refused_with_those_that_are_read(version: str) -> None:
    """Spec: a higher major is refused with the versions this release reads."""
    assert told(ops(version=version)) == [
        (
            f"ops.json:1: $.registry_version: is a version that this release does not read: it reads 1.x and 2.x:"
            f' "{version}"'
        )
    ]


_WRONG: list[tuple[dict[str, Any], list[str]]] = [
    ({"name": "Search-Notes"}, ["name: must be a snake_case name: lowercase words and digits joined by single '_'"]),
    ({"name": "a" * 65}, ["name: must have at most 64 characters"]),
    ({"version": "1.0"}, ['version: must be a semantic version such as 1.0.0, not "1.0"']),
    ({"status": "enabeld"}, ["status: must be one of enabled, disabled, deprecated", "(did you mean 'enabled'?)"]),
    ({"description": "  "}, ["description: must say something"]),
    ({"description": 5}, ["description: must be text, not 5"]),
    ({"capabilities": "notes.read"}, ["capabilities: must be a list"]),
    ({"capabilities": ["read"]}, ["capabilities[0]: must be a right named domain.verb, such as notes.read"]),
    ({"inputs_schema": []}, ["inputs_schema: must be an object"]),
    ({"inputs_schema": {"type": "string"}}, ["inputs_schema.type: must be object: inputs have names"]),
    ({"autonomy": "L4"}, ["autonomy: must be one of L0, L1, L2, L3"]),
    ({"failure_modes": [{"code": "Bad", "description": "x"}]}, ["failure_modes[0].code: must be a snake_case name"]),
    ({"failure_modes": [{"code": "a", "description": "x"}] * 2}, ["failure_modes[1].code: is the code of another"]),
    ({"failure_modes": [5]}, ["failure_modes[0]: must be an object"]),
    ({"side_effects": ["notes.write"]}, ["side_effects[0]: is none of its capabilities"]),
    ({"side_effects": ["notes.raed"]}, ["(did you mean 'notes.read'?)"]),
    ({"rate_limit": {"max_per_minute": 0}}, ["rate_limit.max_per_minute: must be at least 1, not 0"]),
    ({"rate_limit": {"max_per_minute": 1.5}}, ["rate_limit.max_per_minute: must be a whole number"]),
    ({"rate_limit": {"per_minute": 1}}, ["max_per_minute: is missing", "per_minute: is unknown here: 1"]),
    ({"timeout": 0}, ["timeout: must be more than 0, not 0"]),
    ({"timeout": "5"}, ["timeout: must be a number"]),
    ({"destructive": "no"}, ["destructive: must be true or false"]),
    (
        {"redaction": {"inputs": ["qurey"]}},
        ["redaction.inputs[0]: names no field of the schema", "(did you mean 'query'?)"],
    ),
    ({"redaction": {"outputs": ["$.a[b"]}}, ["redaction.outputs[0]: must be a field, or a JSON path"]),
    ({"status": "deprecated"}, ["deprecation: is missing: the status is deprecated"]),
    ({"deprecation": {"deprecated": False}}, ["deprecation.deprecated: must be one of True"]),
    ({"tagz": []}, ["tagz: is unknown here: [] (did you mean 'tags'?)"]),
    ({"name": ...}, ["name: is missing"]),
    ({"owners": ["a\nb"]}, ["owners[0]: must be one line of text"]),
]


@pytest.mark.behaviour("documents.fields")
@pytest.mark.parametrize(("said", "wanted"), _WRONG)
def test_each_field_that_is_wrong_is_told_with_path_value_and_rule(said: dict[str, Any], wanted: list[str]) -> None:
    """Spec: extra fields are refused, every problem is collected with file and JSON path."""
    found = "\n".join(told(ops(op("fine"), op("other", **said))))
    assert all(line.startswith("ops.json:3: $.ops[1].") for line in found.splitlines())
    assert [text for text in wanted if text not in found] == []


_WRONG_SKILLS: list[tuple[dict[str, Any], str]] = [
    (logic("a", kind=...), "$.skills[0].kind: is missing: one of logic, pipeline"),
    (
        logic("a", kind="pipelin"),
        "$.skills[0].kind: must be one of logic, pipeline, not \"pipelin\" (did you mean 'pipeline'?)",
    ),
    (logic("a", kind=7), "$.skills[0].kind: must be one of logic, pipeline, not 7"),
    (
        logic("a", steps=[]),
        "$.skills[0].steps: is for pipelines, and this is a logic skill: its entrypoint says what runs",
    ),
    (pipeline("a", entrypoint={}), "entrypoint: is for logic skills, and this is a pipeline: its steps say what runs"),
    (pipeline("a", call_targets=[]), "call_targets: is for logic skills, and this is a pipeline: its steps name"),
    (logic("a", call_targets=...), "$.skills[0].call_targets: is missing"),
    (logic("a", call_targets=[{"kind": "tool", "name": "x"}]), "call_targets[0].kind: must be one of skill, op"),
    (logic("a", entrypoint={"runtime": "pyton"}), "entrypoint.runtime: must be one of python, http, script"),
    (logic("a", entrypoint={}), "entrypoint.runtime: is missing: one of python, http, script"),
    (
        logic("a", entrypoint={"runtime": "python", "module": "a-b", "handler": "x"}),
        "must be a name as Python imports it",
    ),
    (
        logic("a", entrypoint={"runtime": "python", "module": "a", "handlr": "x"}),
        "handlr: is unknown here: \"x\" (did you mean 'handler'?)",
    ),
    (logic("a", entrypoint={"runtime": "http", "url": "ftp://x"}), "must be an address that begins with http"),
    (logic("a", entrypoint={"runtime": "http", "url": "http://u:p@x"}), "without user and password"),
    (
        logic("a", entrypoint={"runtime": "script", "command": "a 'b"}),
        "command: cannot be split into words: No closing",
    ),
    (logic("a", entrypoint={"runtime": "script", "command": []}), "command"),
    (logic("a", entrypoint={"runtime": "script", "command": 5}), "command"),
    (logic("a", entrypoint={"runtime": "script", "command": "x", "flags": 5}), "flags"),
    (pipeline("a", {"id": "x"}), "$.skills[0].steps[0].target: is missing"),
    (pipeline("a", step("X", "b")), "steps[0].id: must be an id"),
    (pipeline("a", step("x", "b", retries=-1)), "steps[0].retries: must be at least 0"),
    (pipeline("a", {**step("x", "b"), "inputs": []}), "steps[0].inputs: must be an object"),
]


@pytest.mark.behaviour("documents.kinds")
@pytest.mark.parametrize(("said", "wanted"), _WRONG_SKILLS)
def test_each_kind_of_skill_has_its_own_fields(said: dict[str, Any], wanted: str) -> None:
    """Spec: a pipeline with `entrypoint` or `call_targets`, a logic skill with `steps`: refused, naming both sides."""
    found = told(skills(said))
    assert any(wanted in line for line in found), found


def test_an_entry_of_no_known_kind_is_told_all_else_that_is_wrong_with_it() -> None:
    """Spec: every problem is collected."""
    found = told(skills(logic("a", kind=..., autonomy="L7", version=...)), ops(op("b", runtime="natve", status="on")))
    assert found == [
        (
            'ops.json:2: $.ops[0].runtime: must be one of native, http, script, mcp, not "natve" (did you mean'
            " 'native'?)"
        ),
        'ops.json:2: $.ops[0].status: must be one of enabled, disabled, deprecated, not "on"',
        "skills.json:2: $.skills[0].kind: is missing: one of logic, pipeline",
        "skills.json:2: $.skills[0].version: is missing",
        'skills.json:2: $.skills[0].autonomy: must be one of L0, L1, L2, L3, not "L7"',
    ]


def test_what_is_wrong_with_one_entry_hides_nothing_of_the_others() -> None:
    """Spec: every problem is collected; what calls an entry that cannot be read is not blamed for it."""
    caller = logic("caller", call_targets=[{"kind": "op", "name": "broken"}, {"kind": "op", "name": "nowhere"}])
    found = told(
        ops(op("broken", autonomy=5)), skills(caller, logic("other", colour=1)), overlay("entries: {broken: {}}")
    )
    assert [line.partition(": ")[2][:45] for line in found] == [
        "$.ops[0].autonomy: must be one of L0, L1, L2,",
        "$.skills[0].call_targets[1].name: 'caller' ne",
        "$.skills[1].colour: is unknown here: 1",
    ]
    nameless = told(ops(op("x", name=5)), skills(caller))
    assert nameless == ["ops.json:2: $.ops[0].name: must be text, not 5"]
    assert told(document('{"registry_version": "1.0.0", "skills": [5, {"kind": "logic"}, []]}'))[0].startswith(
        "d:1: $.skills[0]: must be an object"
    )
    assert told(document('{"registry_version": "1.0.0", "skills": 5}')) == ["d:1: $.skills: must be a list, not 5"]
    assert told(document('{"registry_version": "1.0.0"}')) == ["d:1: $.skills: is missing"]


def test_fields_to_mask_are_names_or_paths() -> None:
    """Spec: `query` means `$.query`; where a schema is open, any field may be there."""
    masked = op("a", redaction={"inputs": ["query", "$.query.inner"], "outputs": ["$.result", "$"]})
    free = op("b", inputs_schema={"type": "object"}, redaction={"inputs": ["secret", "$.deep[*].token"]})
    first, second = (entry.manifest.redaction for entry in loaded(ops(masked, free)).entries)
    assert (first.inputs, first.outputs) == (("$.query", "$.query.inner"), ("$.result", "$"))
    assert second.inputs == ("$.secret", "$.deep[*].token")


def test_fields_of_one_member_of_a_union_are_told_at_their_place() -> None:
    """Choice: Pydantic names the members of a union, which nobody wrote."""
    script = {"runtime": "script", "command": ["ls", 5], "flags": ["-v", 5]}
    assert sorted(line.partition(": ")[2] for line in told(ops(op("a", module=..., handler=..., **script)))) == [
        '$.ops[0].command: must be text, not ["ls",5]',
        "$.ops[0].command[1]: must be text, not 5",
        '$.ops[0].flags: must be an object, not ["-v",5]',
        "$.ops[0].flags[1]: must be text, not 5",
    ]
    words = {"runtime": "script", "command": "ls", "flags": {"query": 5}}
    assert "$.ops[0].flags.query: must be text, not 5" in told(ops(op("a", module=..., handler=..., **words)))[-1]
    http = {"runtime": "http", "url": "http://a.b", "http": 1}
    assert told(ops(op("a", module=..., handler=..., **http))) == ["ops.json:2: $.ops[0].http: is unknown here: 1"]


def test_capability_documents_are_objects_or_lists() -> None:
    """Spec: `{"capabilities": [...]}`, a plain list of ids accepted too."""
    assert told(rights({"capabilities": 5})) == ["rights.json:1: $.capabilities: must be a list, not 5"]
    assert told(rights(["a"])) == [
        'rights.json:1: $.capabilities[0].id: must be a right named domain.verb, such as notes.read, not "a"'
    ]
    assert told(rights([{"id": "a.b", "risk": "hihg"}]))[0].endswith("(did you mean 'high'?)")
    assert told(rights({})) == ["rights.json:1: $.capabilities: is missing"]


def test_a_document_says_which_schema_it_follows() -> None:
    """Choice: editors look for `$schema`."""
    text = json.dumps({"$schema": "skills.json", "registry_version": "1.0.0", "skills": []})
    assert loaded(document(text)).entries == ()
