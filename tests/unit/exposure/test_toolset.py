from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from prowess.app.catalogue.soundness import schema_problems
from prowess.errors import ConfigurationError
from prowess.exposure import FORMATS, ToolCache
from prowess.exposure.toolset import encode_one
from prowess.model.manifest import Autonomy, Kind, Manifest, Status
from prowess.model.schema import ANYTHING, Schema

STRICT_FORMATS = [name for name, chosen in FORMATS.items() if chosen.strict is not None]


def named(*names: str) -> list[Manifest]:
    """Ops without inputs."""
    return [Manifest(name=name) for name in names]


def optional(name: str, count: int) -> Manifest:
    """An op with so many optional inputs."""
    properties = {f"p{number}": {"type": "string"} for number in range(count)}
    return Manifest(name=name, input_schema=Schema.of({"type": "object", "properties": properties}))


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_and_values_say_the_same(name: str) -> None:
    """Spec: built once, kept as values and as bytes."""
    tools = ToolCache(FORMATS).get(name, named("a", "acme/b", "3d"))
    assert json.loads(tools.json) == list(tools.definitions) == [json.loads(tool) for tool in tools.tools]
    assert len(tools) == 3


def test_the_formats_are_the_five_promised() -> None:
    """Spec: `openai`, `openai-responses`, `anthropic`, `gemini`, `mcp`."""
    assert list(FORMATS) == ["openai", "openai-responses", "anthropic", "gemini", "mcp"]


def test_values_are_fresh_each_time() -> None:
    """Choice: adapters add keys to definitions, which must not reach the next reader."""
    tools = ToolCache(FORMATS).get("anthropic", named("a"))
    tools.definitions[0]["cache_control"] = {"type": "ephemeral"}
    assert "cache_control" not in tools.definitions[0]


def test_packages_and_disabled_entries_are_no_tools() -> None:
    """Spec: ops and skills; packages appear through the disclosure tools."""
    manifests = [
        Manifest(name="op"),
        Manifest(name="logic", kind=Kind.LOGIC),
        Manifest(name="pipeline", kind=Kind.PIPELINE),
        Manifest(name="package", kind=Kind.PACKAGE),
        Manifest(name="disabled", status=Status.DISABLED),
        Manifest(name="deprecated", status=Status.DEPRECATED),
        Manifest(name="suggested", autonomy=Autonomy.L0),
    ]
    tools = ToolCache(FORMATS).get("mcp", manifests)
    names = ["op", "logic", "pipeline", "deprecated", "suggested"]
    assert [tool["name"] for tool in tools.definitions] == names
    assert [manifest.name for manifest in tools.manifests] == names


def test_an_empty_set_is_an_empty_array() -> None:
    """Choice: nothing visible is no error."""
    assert ToolCache(FORMATS).get("openai", []).json == b"[]"


def test_wire_names_lead_back_to_entries() -> None:
    """Spec: names through the reversible codec."""
    tools = ToolCache(FORMATS).get("gemini", named("acme/b", "3d"))
    wires = [tool["name"] for tool in tools.definitions]
    assert [tools.names.name(wire) for wire in wires] == ["acme/b", "3d"]
    assert tools.names.name("other") is None


def test_references_are_inlined_and_recursive_ones_kept() -> None:
    """Spec: `$ref` inlined with a bounded fallback."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    plain = Schema.of({"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "null"}}})
    recursive = Schema.of({"$ref": "#/$defs/node", "$defs": {"node": node}})
    manifests = [Manifest(name="plain", input_schema=plain), Manifest(name="deep", input_schema=recursive)]
    first, second = ToolCache(FORMATS).get("anthropic", manifests).definitions
    assert first["input_schema"] == {"type": "object", "properties": {"a": {"type": "null"}}}
    assert second["input_schema"] == {**node, "$defs": {"node": node}}


@pytest.mark.parametrize("name", STRICT_FORMATS)
def test_what_cannot_be_strict_is_there_and_reported(name: str) -> None:
    """Spec: strict variants with a report."""
    manifests = [*named("a"), Manifest(name="open", input_schema=ANYTHING)]
    tools = ToolCache(FORMATS).get(name, manifests, strict=True)
    assert len(tools) == 2
    assert [(note.name, note.left_out, [str(p) for p in note.problems]) for note in tools.report] == [
        ("open", False, ["$: is an object that declares no properties"])
    ]
    assert [str(note) for note in tools.report] == ["open: not strict: $: is an object that declares no properties"]
    strict, loose = (definition.get("function", definition) for definition in tools.definitions)
    assert (strict["strict"], loose.get("strict", False)) == (True, False)
    assert ToolCache(FORMATS).get(name, manifests).report == ()


def test_a_tool_that_would_spoil_a_whole_request_is_left_out() -> None:
    """Choice: Anthropic refuses a request for one property name, and one bad skill never stops the others."""
    schema = Schema.of({"type": "object", "properties": {"$top": {}, "fine": {}, "a b": {}}})
    manifests = [Manifest(name="bad", input_schema=schema), *named("good")]
    tools = ToolCache(FORMATS).get("anthropic", manifests)
    assert [tool["name"] for tool in tools.definitions] == ["good"]
    (note,) = tools.report
    assert (note.name, note.left_out) == ("bad", True)
    assert str(note).startswith("bad: left out: $.properties['$top']: has a name")
    assert [problem.path for problem in note.problems] == ["$.properties['$top']", "$.properties['a b']"]
    assert len(ToolCache(FORMATS).get("openai", manifests)) == 2


def test_a_request_takes_only_so_many_strict_tools() -> None:
    """Choice: Anthropic refuses more than 20 strict tools, 24 optional properties and 16 unions in one request."""
    cache = ToolCache(FORMATS)
    many = cache.get("anthropic", named(*(f"t{number:02}" for number in range(22))), strict=True)
    assert [note.name for note in many.report] == ["t20", "t21"]
    assert [problem.rule for note in many.report for problem in note.problems] == ["strict-budget"] * 2
    assert [tool.get("strict", False) for tool in many.definitions] == [True] * 20 + [False] * 2
    wide = cache.get("anthropic", [optional("a", 20), optional("b", 5), optional("c", 4)], strict=True)
    assert [note.name for note in wide.report] == ["b"]
    assert cache.get("openai", named(*(f"t{number}" for number in range(22))), strict=True).report == ()


def test_a_set_is_made_once() -> None:
    """Spec: built once per snapshot and permissions."""
    cache = ToolCache(FORMATS)
    manifests = named("a", "b")
    first = cache.get("openai", manifests)
    assert cache.get("openai", list(manifests)) is first
    assert cache.get("openai", manifests[:1]) is not first
    assert cache.get("openai", named("a", "c")) is not first
    assert cache.get("openai", manifests, strict=True) is not first
    assert cache.get("mcp", manifests) is not first


def test_an_entry_that_changed_is_made_again() -> None:
    """Choice: the cache outlives snapshots, so it goes by manifests, not by names."""
    cache = ToolCache(FORMATS)
    cache.get("mcp", [Manifest(name="a", description="old"), Manifest(name="b")])
    again = cache.get("mcp", [Manifest(name="a", description="new"), Manifest(name="b"), Manifest(name="c")])
    assert [tool.get("description") for tool in again.definitions] == ["new", None, None]


def test_only_so_many_sets_are_kept() -> None:
    """Choice: each set of permissions has its own, and memory has an end."""
    cache = ToolCache(FORMATS)
    first = cache.get("mcp", named("first"))
    for number in range(32):
        cache.get("mcp", named(f"other_{number}"))
    made_again = cache.get("mcp", named("first"))
    assert made_again is not first
    assert made_again.json == first.json


def test_entries_that_are_gone_are_forgotten() -> None:
    """Choice: a registry whose entries come and go does not grow for ever."""
    cache = ToolCache(FORMATS, tools_kept=2)
    for name in ("a", "b", "c", "a"):
        assert cache.get("mcp", named(name, "z")).definitions[0]["name"] == name


def test_threads_share_a_cache() -> None:
    """Spec: snapshots are shared between threads without locks on reading."""
    cache = ToolCache(FORMATS)
    manifests = named(*(f"t{number}" for number in range(200)))
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: cache.get("openai", manifests).json, range(64)))
    assert set(made) == {cache.get("openai", manifests).json}


def test_one_definition_is_made_without_a_cache() -> None:
    """Choice: a pure function stands behind the cache."""
    made = encode_one(FORMATS["openai"], Manifest(name="a"), strict=True)
    assert (made.strict, made.problems) == (True, ())
    assert json.loads(made.json)["function"]["strict"] is True
    assert encode_one(FORMATS["gemini"], Manifest(name="a"), strict=True).strict is False


def test_a_format_that_does_not_exist_is_refused_with_those_that_do() -> None:
    """Spec: a wrong argument is told with what would be right."""
    with pytest.raises(
        ConfigurationError, match=r"use one of openai, openai-responses, .*did you mean 'openai'"
    ) as caught:
        ToolCache(FORMATS).get("opnai", [])
    assert caught.value.details["near"]
    with pytest.raises(ConfigurationError, match=r"gemini, mcp$"):
        ToolCache(FORMATS).get("zzz", [])


@pytest.mark.parametrize("name", ["gemini", "mcp"])
def test_a_format_without_a_strict_mode_is_refused_one(name: str) -> None:
    """Choice: what was asked for is not silently left undone."""
    with pytest.raises(ConfigurationError, match="has no strict mode: use one of openai, openai-responses, anthropic"):
        ToolCache(FORMATS).get(name, [], strict=True)


def test_nulls_that_strict_mode_made_a_model_write_are_no_inputs() -> None:
    """Regression: the definition asked for null where the entry's schema does not take it, so the call was refused."""
    branches = [
        {"properties": {"by": {"const": "name"}, "name": {"type": "string"}}, "required": ["by", "name"]},
        {"properties": {"by": {"const": "id"}, "id": {"type": "integer"}}, "required": ["by", "id"]},
    ]
    schema = Schema.of({"type": "object", "anyOf": [{**one, "additionalProperties": False} for one in branches]})
    manifests = [optional("one", 2), Manifest(name="two", input_schema=schema)]
    tools = ToolCache(FORMATS).get("openai", manifests, strict=True)
    assert tools.inputs("one", {"p0": None, "p1": "x"}) == {"p1": "x"}
    assert tools.inputs("two", {"by": "id", "id": 1, "name": None}) == {"by": "id", "id": 1}
    assert tools.inputs("unknown", {"p0": None}) == {"p0": None}
    assert ToolCache(FORMATS).get("openai", manifests).inputs("one", {"p0": None}) == {"p0": None}


TREE: dict[str, object] = {
    "type": "object",
    "properties": {
        "colour": {"$ref": "#/$defs/Colour", "default": "red"},
        "node": {"$ref": "#/$defs/Node"},
    },
    "required": ["node"],
    "additionalProperties": False,
    "$defs": {
        "Colour": {"enum": ["red", "blue"]},
        "Node": {
            "type": "object",
            "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": None}},
            "additionalProperties": False,
        },
    },
}


@pytest.mark.behaviour("tools.references")
def test_a_strict_report_blames_the_field_that_is_recursive() -> None:
    """Regression: with one recursive type every reference stayed, and the first field that had one was blamed."""
    (note,) = ToolCache(FORMATS).get("anthropic", [tree()], strict=True).report
    assert [problem.path for problem in note.problems] == ["$.properties.node"]


@pytest.mark.behaviour("tools.references")
def test_a_default_beside_a_reference_is_told_in_strict_mode() -> None:
    """Regression: beside a reference that stayed, a default was lost without a word."""
    (definition,) = ToolCache(FORMATS).get("openai", [tree()], strict=True).definitions
    assert definition["function"]["strict"]
    assert definition["function"]["parameters"]["properties"]["colour"] == {
        "type": ["string", "null"],
        "enum": ["red", "blue", None],
        "description": 'default: "red"',
    }


def tree() -> Manifest:
    """An op with a recursive input, and one that is not."""
    return Manifest(name="plant", input_schema=Schema.of(TREE))


@pytest.mark.behaviour("tools.never-runs")
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}}, "$.properties.a['$ref']"),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}, "$.properties.a['$ref']"),
        ({"$schema": "https://example.com/dialect", "type": "object"}, "$['$schema']"),
        ({"type": "array"}, "$"),
        ({"$ref": "#/$defs/text", "$defs": {"text": {"type": ["string", "null"]}}}, "$"),
    ],
)
def test_what_the_gate_always_refuses_is_left_out(name: str, schema: dict[str, object], path: str) -> None:
    """Regression: a model was told of tools that nobody could ever call."""
    manifests = [Manifest(name="never", input_schema=Schema.of(schema)), *named("other")]
    tools = ToolCache(FORMATS, schema_problems).get(name, manifests)
    assert [manifest.name for manifest in tools.manifests] == ["other"]
    assert [(note.name, note.left_out, note.problems[0].path) for note in tools.report] == [("never", True, path)]


@pytest.mark.behaviour("tools.never-runs")
def test_an_output_that_the_gate_cannot_check_leaves_its_tool_out() -> None:
    """Regression: as above."""
    odd = Schema.of({"items": {"$ref": "https://example.com/a"}})
    tools = ToolCache(FORMATS, schema_problems).get("mcp", [Manifest(name="never", output_schema=odd)])
    assert (len(tools), tools.report[0].left_out) == (0, True)


def test_a_root_that_also_takes_objects_is_a_tool() -> None:
    """Choice: only what can never be called is left out."""
    manifests = [Manifest(name="a", input_schema=Schema.of({"type": ["object", "null"]})), *named("b")]
    assert len(ToolCache(FORMATS).get("openai", manifests)) == 2
