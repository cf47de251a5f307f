"""Whole sets of documents: what they come to, and that everything wrong with them is told at once."""

from __future__ import annotations

from typing import Any

import pytest

from prowess.documents.loading import read_documents
from prowess.documents.values import (
    Allowed,
    DeclaredCapability,
    HttpEntry,
    McpEntry,
    PythonEntry,
    ScriptEntry,
)
from prowess.errors import InvalidDocumentError, InvalidManifestError, Problem
from prowess.model.manifest import Autonomy, Kind, Limits, Manifest, Redaction, RuntimeKind, Status
from prowess.model.pipeline import Pipeline, Reference, Source
from tests.unit.documents.samples import (
    SEARCH,
    examples,
    loaded,
    logic,
    op,
    ops,
    overlay,
    pipeline,
    problems,
    rights,
    schema,
    skills,
    step,
    told,
)


@pytest.mark.behaviour("documents.examples")
def test_the_documents_of_the_specification_load_unchanged() -> None:
    """Spec: the three examples, beside a document that declares the rest, load unchanged."""
    found = {entry.manifest.name: entry for entry in read_documents(examples()).entries}
    assert sorted(found) == ["obsidian_search", "read_note", "search_notes", "summarize_note", "summarize_text"]
    search = found["search_notes"].manifest
    assert (search.kind, search.autonomy, search.runtime) == (Kind.LOGIC, Autonomy.L1, RuntimeKind.NATIVE)
    assert (search.limits, search.redaction) == (Limits(None, 10), Redaction(("$.query",)))
    assert (search.policy_tags, search.owners) == (("requires_review",), ("core",))
    assert [str(target) for target in search.targets] == ["obsidian_search@1.0.0"]
    assert found["search_notes"].recipe == PythonEntry("skills.search_notes", "run")
    assert found["obsidian_search"].recipe == PythonEntry("skills.ops.obsidian", "search")


@pytest.mark.behaviour("documents.examples", "documents.json")
def test_a_list_that_a_brace_closes_is_told_with_its_line() -> None:
    """Spec: the first example with its failure_modes list closed by a brace fails naming the line."""
    broken = SEARCH.replace(b'"retryable": true}]}]}', b'"retryable": true}}]}')
    (problem,) = problems(examples(search=broken))
    assert (problem.file, problem.line, problem.rule) == ("search.json", 10, "json")
    assert problem.message == "is not JSON: the list that '[' opens in line 10 is closed by '}'"


@pytest.mark.behaviour("documents.pipeline")
def test_a_pipeline_of_a_document_is_the_value_that_engines_run() -> None:
    """Spec: `$step.<this>.f` shows a field to later steps, `$outputs.f` gives it to the caller."""
    recipe = {entry.manifest.name: entry.recipe for entry in read_documents(examples()).entries}["summarize_note"]
    assert isinstance(recipe, Pipeline)
    read, summarize = recipe.steps
    assert read.outputs == {"content": Reference(Source.STEP, ("content",), "read")}
    assert summarize.inputs == {"text": Reference(Source.STEP, ("content",), "read")}
    assert recipe.outputs == {"summary": Reference(Source.STEP, ("summary",), "summarize")}


@pytest.mark.behaviour("documents.rights")
def test_an_empty_list_of_rights_is_filled_with_those_of_all_steps_all_the_way_down() -> None:
    """Spec: a pipeline's capabilities are the transitive union; an empty list is filled."""
    inner = pipeline("inner", step("one", "read"), step("two", "write"))
    outer = pipeline("outer", {**step("all", "inner"), "target": {"kind": "skill", "name": "inner"}})
    found = loaded(ops(op("read"), op("write", capabilities=["notes.write"])), skills(outer, inner))
    assert {one.manifest.name: one.manifest.capabilities for one in found.entries[2:]} == {
        "outer": ("notes.read", "notes.write"),
        "inner": ("notes.read", "notes.write"),
    }


@pytest.mark.behaviour("documents.entry-points")
def test_every_runtime_is_read_as_a_value() -> None:
    """Spec: `url` alone declares its own host, `command` is split without a shell, a tool may name its server."""
    points: dict[str, dict[str, Any]] = {
        "a": {"runtime": "http", "url": "https://api.example.com:8443/v1?x=1"},
        "b": {"runtime": "http", "url": "http://a.b", "method": "PUT", "hosts": ["c.d", "a.b"]},
        "c": {"runtime": "script", "command": "python 'my script.py' --fast", "flags": ["-v"]},
        "d": {"runtime": "script", "command": ["ls", "a b"], "flags": {"query": "--query"}},
        "e": {"runtime": "mcp", "tool": "server/tool"},
        "f": {"runtime": "mcp", "tool": "tool"},
    }
    given = [op(name, module=..., handler=..., **point) for name, point in points.items()]
    remote = logic("g", entrypoint={"runtime": "http", "url": "https://a.b"})
    local = logic("h", entrypoint={"runtime": "script", "command": ["x"]})
    found = loaded(ops(*given), skills(remote, local))
    assert [entry.recipe for entry in found.entries] == [
        HttpEntry("https://api.example.com:8443/v1?x=1", "POST", ("api.example.com:8443",)),
        HttpEntry("http://a.b", "PUT", ("a.b", "c.d")),
        ScriptEntry(("python", "my script.py", "--fast"), ("-v",)),
        ScriptEntry(("ls", "a b"), (("query", "--query"),)),
        McpEntry("tool", "server"),
        McpEntry("tool"),
        HttpEntry("https://a.b", "POST", ("a.b",)),
        ScriptEntry(("x",)),
    ]
    assert [entry.manifest.runtime for entry in found.entries[:6:2]] == ["http", "script", "mcp"]


@pytest.mark.behaviour("documents.capabilities")
def test_capabilities_are_declared_as_objects_as_ids_or_as_a_plain_list() -> None:
    """Spec: a plain list of ids is accepted too."""
    one = {"id": "notes.write", "description": "Write.", "risk": "high", "implies": ["notes.read"]}
    whole = loaded(skills(), rights({"capabilities": [one, "notes.read"]})).capabilities
    assert whole == (
        DeclaredCapability(id="notes.write", description="Write.", risk="high", implies=("notes.read",)),
        DeclaredCapability(id="notes.read"),
    )
    assert loaded(rights(["a.b"])).capabilities == (DeclaredCapability(id="a.b"),)
    assert loaded(skills()).capabilities is None


@pytest.mark.behaviour("documents.capabilities")
def test_a_right_that_the_project_does_not_declare_is_refused_with_the_near_one() -> None:
    """Spec: any id used elsewhere must exist there; unknown ids suggest near names."""
    assert told(
        ops(op("read", capabilities=["notes.raed"])), rights(["notes.read", {"id": "a.b", "implies": ["c.d"]}])
    ) == [
        'rights.json:1: $.capabilities[1].implies[0]: is no capability of this project: "c.d"',
        (
            "ops.json:2: $.ops[0].capabilities[0]: is no capability of this project: capabilities.json does not have"
            " it: \"notes.raed\" (did you mean 'notes.read'?)"
        ),
    ]
    assert told(rights(["a.b", "a.b"]))[0].endswith('is declared twice: "a.b"')


@pytest.mark.behaviour("documents.overlays")
def test_overlays_change_entries_in_their_order_and_the_last_one_wins() -> None:
    """Spec: repository, then user; later wins, lists are replaced."""
    first = "entries:\n  read: {status: disabled, rate_limit: {max_per_minute: 5}, channels: [cli, api], actors: [a]}\n"
    last = "entries:\n  read@1.0.0: {status: enabled, channels: [cli], autonomy: L1, actors: null}\n  old: {}\n"
    given = ops(op("read", timeout=3), op("read", version="2.0.0"), op("old", autonomy="L2"))
    found = loaded(given, overlay(first), overlay(last, mine=False), overlay("# nothing\n"))
    one, two, old = (entry.manifest for entry in found.entries)
    assert (one.status, one.autonomy, one.limits) == (Status.ENABLED, Autonomy.L1, Limits(3, 5))
    assert (two.status, old.autonomy) == (Status.DISABLED, Autonomy.L2)
    assert found.allowed == {"read@1.0.0": Allowed(("cli",), None), "read@2.0.0": Allowed(("cli", "api"), ("a",))}
    lifted = loaded(
        ops(op("a", rate_limit={"max_per_minute": 1}, autonomy="L1")),
        overlay("entries: {a: {rate_limit: null, autonomy: L3}}"),
    )
    assert (lifted.entries[0].manifest.limits, lifted.entries[0].manifest.autonomy) == (Limits(), Autonomy.L3)


@pytest.mark.behaviour("documents.overlays")
def test_an_overlay_to_what_is_not_there_or_that_may_not_be_is_refused() -> None:
    """Spec: an overlay to an unknown entry is an error; only the repository's may raise autonomy."""
    text = "entries:\n  raed: {status: disabled}\n  read@2.0.0: {}\n  read:\n    autonomy: L3\n    colour: red\n"
    mine = "entries:\n  read:\n    autonomy: L3\n"
    given = ops(op("read", autonomy="L1"))
    assert told(given, overlay(text)) == [
        'overlay.yaml:6: $.entries.read.colour: is unknown here: "red"',
    ]
    assert told(given, overlay(text.replace("    colour: red\n", ""), mine=False)) == [
        "overlay.yaml:2: $.entries.raed: is no entry of this project: \"raed\" (did you mean 'read'?)",
        "overlay.yaml:3: $.entries['read@2.0.0']: is no version of 'read': there are read@1.0.0: \"read@2.0.0\"",
        (
            "overlay.yaml:5: $.entries.read.autonomy: may not be raised above L1 here: only the repository's overlays"
            ' may do that: "L3"'
        ),
    ]
    assert loaded(given, overlay(mine)).entries[0].manifest.autonomy is Autonomy.L3


@pytest.mark.behaviour("documents.switched-off")
@pytest.mark.parametrize("change", ["status: disabled", "autonomy: L0"])
def test_what_needs_an_entry_that_an_overlay_stops_is_unavailable_and_nothing_else(change: str) -> None:
    """Spec: a target that an overlay disables makes only its dependents unavailable, with the reason."""
    inner = pipeline("inner", step("one", "read"))
    outer = logic("outer", call_targets=[{"kind": "skill", "name": "inner"}])
    off = pipeline("off", step("one", "read"), status="disabled")
    documents = (ops(op("read"), op("other")), skills(outer, inner, off))
    found = loaded(*documents, overlay(f"entries:\n  read:\n    {change}\n"))
    assert {one.name: one.reason for one in found.unavailable} == {
        "inner": "it needs 'read@1.0.0', which overlay.yaml switches off",
        "outer": "it needs 'inner@1.0.0', which is unavailable: it needs 'read@1.0.0', which overlay.yaml switches off",
    }
    enabled = {one.manifest.name for one in found.entries if one.manifest.status is Status.ENABLED}
    assert enabled == {"other"} | ({"read"} if "L0" in change else set())


@pytest.mark.behaviour("documents.warnings")
def test_what_is_only_odd_is_a_warning() -> None:
    """Spec: `failure_modes: []` and an op's `capabilities: []` load with a warning."""
    odd = op("a", failure_modes=[], capabilities=[], deprecation={"deprecated": True})
    found = loaded(ops(odd), skills(logic("b", capabilities=[]), pipeline("c", capabilities=..., outputs_schema={})))
    assert [(one.path, one.line) for one in found.warnings] == [
        ("$.ops[0].failure_modes", 2),
        ("$.ops[0].capabilities", 2),
        ("$.ops[0].deprecation", 2),
    ]


class Around:
    """What code has registered."""

    def __init__(self, *manifests: Manifest) -> None:
        self._manifests = manifests
        self.names = [one.name for one in manifests]

    def versions(self, name: str) -> list[Manifest]:
        """Give every version of a name, spelt either way."""
        return [one for one in self._manifests if one.name.replace("-", "_") == name.replace("-", "_")]


@pytest.mark.behaviour("documents.code")
def test_entries_of_code_may_be_called_and_overlaid_and_not_be_declared_again() -> None:
    """Choice: code and documents are one registry."""
    around = Around(Manifest(name="search", description="x", output_schema={"type": "array"}), Manifest(name="a-b"))
    calling = pipeline("p", step("one", "search", {}, outputs={}), outputs_schema=schema())
    found = read_documents([skills(calling), overlay("entries: {search: {status: disabled}}")], around)
    assert [manifest.status for manifest in found.changed] == ["disabled"]
    assert [one.name for one in found.unavailable] == ["p"]
    again = ops(op("search", version="2.0.0"), op("search"), op("a_b"))
    assert told(again, around=around) == [
        (
            "ops.json:3: $.ops[1].version: code has registered 'search@1.0.0' already: give another version, or leave"
            ' one of them out: "1.0.0"'
        ),
        "ops.json:4: $.ops[2].name: code has registered 'a-b': '-' and '_' count as the same: \"a_b\"",
    ]
    assert told(skills(logic("search")), around=around) == [
        'skills.json:2: $.skills[0].name: is a skill here, and code has registered an op of that name: "search"'
    ]


def test_a_schema_that_a_judge_refuses_is_a_problem_of_its_document() -> None:
    """Choice: what no call could be checked with is refused when it is loaded."""

    def judge(_schema: object) -> list[Problem]:
        return [Problem(path="$.properties.a", rule="$ref", message="leads outside")]

    bad = op("a", inputs_schema={"type": "object", "properties": {"a": {"$ref": "http://x/y"}}})
    assert told(ops(bad), judge=judge) == [
        "ops.json:2: $.ops[0].inputs_schema: cannot be used: $.properties.a: leads outside"
    ]
    deep: object = {}
    for _ in range(300):
        deep = {"items": deep}
    assert "nested deeper" in told(ops(op("a", outputs_schema=deep)))[0]


def test_one_error_tells_everything_and_is_an_invalid_manifest() -> None:
    """Spec: every problem is collected before failing with one error; a very long one names the first hundred."""
    many = [op(f"a_{number}", autonomy="L9", colour="red") for number in range(80)]
    with pytest.raises(InvalidManifestError) as refused:
        read_documents([ops(*many)])
    assert isinstance(refused.value, InvalidDocumentError)
    assert len(refused.value.problems) == 160
    assert str(refused.value).endswith("; and 60 more")
    assert refused.value.details["files"] == ("ops.json",)
