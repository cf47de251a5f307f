"""What documents say about each other: targets, rights, circles, and what flows along bindings."""

from __future__ import annotations

from typing import Any

import pytest

from prowess.documents.loading import read_documents
from prowess.model.manifest import Manifest
from tests.unit.documents.samples import (
    examples,
    loaded,
    logic,
    op,
    ops,
    overlay,
    pipeline,
    rights,
    schema,
    skills,
    step,
    told,
)


def target(name: str, kind: str = "op", version: str | None = None) -> dict[str, Any]:
    """Give a target."""
    return {"kind": kind, "name": name, **({} if version is None else {"version": version})}


def calling(*targets: dict[str, Any], name: str = "caller", **more: Any) -> dict[str, Any]:
    """Give a logic skill that calls these."""
    return logic(name, call_targets=list(targets), **more)


READ = ops(op("read"), op("read_all", version="1.0.0"), op("read_all", version="1.2.0"), op("off", status="disabled"))


@pytest.mark.behaviour("documents.targets")
@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (
            target("raed"),
            "call_targets[0].name: 'caller' needs an entry that is nowhere declared: \"raed\" (did you mean 'read'?)",
        ),
        (target("read", "skill"), "call_targets[0].kind: 'read' is an op, and 'caller' calls it as a skill: \"skill\""),
        (target("other", "op"), "call_targets[0].kind: 'other' is a skill, and 'caller' calls it as an op: \"op\""),
        (
            target("read", version="2.0.0"),
            "call_targets[0].version: fits no version of 'read': there are read@1.0.0: \"2.0.0\"",
        ),
        (target("read_all", version="^3"), "fits no version of 'read_all': there are read_all@1.0.0, read_all@1.2.0"),
        (target("read_all", version="1..2"), "call_targets[0].version: is no version constraint"),
        (
            target("read_all"),
            "call_targets[0]: 'read_all' could be any of read_all@1.0.0, read_all@1.2.0: name a version",
        ),
        (target("off"), "call_targets[0].name: 'caller' calls 'off@1.0.0', which is disabled"),
        (target("caller", "skill"), "call_targets: 'caller' calls itself: caller@1.0.0 → caller@1.0.0"),
    ],
)
def test_a_target_that_leads_nowhere_is_refused(wanted: dict[str, Any], sentence: str) -> None:
    """Spec: unknown or disabled targets, a kind that does not fit, self-recursion are refused at load."""
    found = told(READ, skills(calling(wanted), logic("other")))
    assert any(sentence in line for line in found), found


@pytest.mark.behaviour("documents.targets")
def test_a_target_may_be_a_constraint_and_a_disabled_caller_may_call_what_is_disabled() -> None:
    """Spec: a target names a version, or a range of them."""
    found = loaded(
        READ, skills(calling(target("read_all", version="^1.1")), calling(target("off"), name="b", status="disabled"))
    )
    assert len(found.entries) == 6
    mended = loaded(READ, skills(calling(target("off"))), overlay("entries: {off: {status: enabled}}"))
    assert mended.unavailable == ()
    loaded(READ, skills(calling(target("off"))), overlay("entries: {caller: {status: disabled}}"))


@pytest.mark.behaviour("documents.circles")
def test_circles_are_refused_with_the_way_around() -> None:
    """Spec: self-recursion and cycles are refused at load."""
    first = pipeline("a", {**step("x", "b"), "target": target("b", "skill")})
    second = calling(target("c", "skill"), name="b")
    third = calling(target("a", "skill"), name="c")
    assert told(skills(first, second, third, calling(target("a", "skill"), name="outside"))) == [
        "skills.json:2: $.skills[0].steps: is a circle of calls: a@1.0.0 → b@1.0.0 → c@1.0.0 → a@1.0.0",
        "skills.json:3: $.skills[1].call_targets: is a circle of calls: b@1.0.0 → c@1.0.0 → a@1.0.0 → b@1.0.0",
        "skills.json:4: $.skills[2].call_targets: is a circle of calls: c@1.0.0 → a@1.0.0 → b@1.0.0 → c@1.0.0",
    ]
    wide = pipeline("a", *({**step(f"s{at}", name), "target": target(name, "skill")} for at, name in enumerate("bc")))
    back = calling(target("c", "skill"), target("a", "skill"), name="b")
    assert "a@1.0.0 → b@1.0.0 → a@1.0.0" in told(skills(wide, back, calling(target("b", "skill"), name="c")))[0]


@pytest.mark.behaviour("documents.names")
def test_no_two_entries_have_one_name_and_version_and_no_op_has_the_name_of_a_skill() -> None:
    """Spec: an op and a skill with one name are refused, naming both sides."""
    assert told(ops(op("a"), op("a"), op("b")), skills(logic("b", version="2.0.0"))) == [
        "ops.json:3: $.ops[1].version: 'a@1.0.0' stands in ops.json, ops[0] already: give another version: \"1.0.0\"",
        "skills.json:2: $.skills[0].name: is a skill here, and 'b' is an op in ops.json, ops[2]: \"b\"",
    ]


@pytest.mark.behaviour("documents.rights")
def test_declared_rights_have_to_be_what_the_targets_need() -> None:
    """Spec: a declared list must match the union; a logic skill's must cover its targets'."""
    documents = ops(op("read"), op("write", capabilities=["notes.write"], side_effects=["notes.write"]))
    wrong = pipeline("p", step("one", "read"), capabilities=["notes.write"])
    lacking = calling(target("write"), capabilities=["notes.read"])
    effects = pipeline("q", step("one", "read"), side_effects=["notes.raed"])
    assert told(documents, skills(wrong, lacking, effects)) == [
        (
            "skills.json:2: $.skills[0].capabilities: lacks 'notes.read', which the steps of 'p' need: leave the list"
            " out, and it is filled"
        ),
        (
            "skills.json:2: $.skills[0].capabilities[0]: is needed by no step of 'p': leave the list out, and it is"
            ' filled: "notes.write"'
        ),
        "skills.json:3: $.skills[1].capabilities: lacks 'notes.write', which a target of 'caller' needs",
        (
            'skills.json:4: $.skills[2].side_effects[0]: is none of its capabilities: "notes.raed" (did you mean'
            " 'notes.read'?)"
        ),
    ]
    right = pipeline("p", step("one", "read"), step("two", "write"), capabilities=["notes.write", "notes.read"])
    found = loaded(
        documents,
        skills(
            {**right, "side_effects": ["notes.write"]}, pipeline("q", step("x", "write"), side_effects=["notes.write"])
        ),
    )
    assert found.entries[2].manifest.capabilities == ("notes.write", "notes.read")


@pytest.mark.behaviour("documents.rights")
def test_the_rights_of_what_several_call_are_counted_once() -> None:
    """Choice: a diamond is no circle."""
    low = pipeline("low", step("one", "read"))
    sides = [calling(target("low", "skill"), name=name) for name in ("left", "right")]
    both = [{**step(f"s{name}", name), "target": target(name, "skill")} for name in ("left", "right", "low")]
    found = loaded(ops(op("read")), skills(pipeline("top", *both), *sides, low))
    assert {entry.manifest.capabilities for entry in found.entries} == {("notes.read",)}
    some = op("a", capabilities=["notes.read", "notes.write"])
    assert len(told(ops(some), rights(["notes.read"]))) == 1


def test_a_right_that_implies_another_covers_it() -> None:
    """Spec: a capability may imply others."""
    declared = rights(
        [
            {"id": "notes.all", "implies": ["notes.some"]},
            {"id": "notes.some", "implies": ["notes.read", "notes.all"]},
            "notes.read",
        ]
    )
    loaded(ops(op("read")), skills(calling(target("read"), capabilities=["notes.all"])), declared)


_FLOWS: list[tuple[dict[str, Any], str]] = [
    (
        {"inputs": {"query": "$inputs.qurey"}},
        "inputs.query: step 'one': there is no input 'qurey', did you mean 'query'?",
    ),
    ({"inputs": {"query": "$input.query"}}, "inputs.query: is no reference: write $inputs.field"),
    ({"inputs": {"query": "$step.two.result"}}, "inputs.query: step 'one': there is no step 'two'"),
    ({"inputs": {"query": "$step.one.result"}}, "inputs.query: step 'one': it refers to itself"),
    ({"inputs": {"query": "$step.last.result"}}, "inputs.query: step 'one': step 'last' comes later"),
    (
        {"inputs": {"query": "$inputs.query", "quer": 1}},
        "inputs.quer: step 'one': 'read' has no input of this name: \"quer\" (did you mean 'query'?)",
    ),
    ({"inputs": {}}, "inputs.query: step 'one': 'read' requires it, and it is not given"),
    ({"inputs": {"query": 5}}, "inputs.query: step 'one': the value: must be string, and is integer"),
    (
        {"inputs": {"query": "$inputs.number"}},
        "inputs.query: step 'one': $inputs.number: must be string, and is integer",
    ),
    (
        {"inputs": {"query": "$inputs.maybe"}},
        "inputs.query: step 'one': it is required there, and $inputs.maybe may be missing",
    ),
    (
        {"inputs": {"query": "$inputs.deep.inner"}},
        "inputs.query: step 'one': $inputs.deep.inner leads nowhere: there is no 'inner'",
    ),
    ({"inputs": {"query": "$inputs.query.inner"}}, "leads nowhere: there is no 'inner'"),
    (
        {"outputs": {"reslut": "$step.one.x"}},
        "outputs.reslut: step 'one': 'read' gives no output of this name: \"reslut\" (did you mean 'result'?)",
    ),
    (
        {"outputs": {"result": "$step.two.x"}},
        "outputs.result: must be $step.one.field, as later steps see it, or $outputs.field",
    ),
    ({"outputs": {"result": "$step.one.x.y"}}, "outputs.result: must be $step.one.field"),
    ({"outputs": {"result": "$outputs.other"}}, 'outputs.result: the pipeline has no output of this name: "other"'),
    ({"outputs": {"result": "$outputs.result"}}, "'result' of the pipeline's outputs comes from elsewhere already"),
    ({"when": "step.last.result == ''"}, "when: step 'one': step 'last' comes later"),
    ({"on_error": "nobody"}, "on_error: step 'one': on_error names no step 'nobody'"),
    ({"target": {"kind": "op", "name": "read", "version": "1..0"}}, "target.version: is no version constraint"),
    ({"id": "last"}, "there is another step of this id"),
    ({"foreach": "$input.x"}, "foreach: is no reference"),
    ({"foreach": 5}, "foreach takes a list"),
]


@pytest.mark.behaviour("documents.bindings")
@pytest.mark.parametrize(("said", "sentence"), _FLOWS)
def test_each_binding_leads_to_something_that_fits(said: dict[str, Any], sentence: str) -> None:
    """Spec: forward references, unknown fields and types that do not fit are refused at load."""
    own = schema("query", number={"type": "integer"}, deep={"type": "object", "properties": {"x": {}}})
    own["properties"]["maybe"] = {"type": "string"}
    first = {**step("one", "read"), **said}
    found = told(ops(op("read")), skills(pipeline("p", first, step("last", "read"), inputs_schema=own)))
    assert any(sentence in line for line in found), found
    assert all(line.startswith("skills.json:2: $.skills[0].") for line in found)


@pytest.mark.behaviour("documents.bindings")
def test_what_a_step_does_not_map_is_not_seen_by_later_ones() -> None:
    """Spec: with `outputs` only the mapped fields are visible."""
    given = ops(op("read", outputs_schema=schema("result", "more")))
    hidden = pipeline(
        "p", step("one", "read", outputs={"result": "$step.one.text"}), step("two", "read", {"query": "$step.one.more"})
    )
    assert told(given, skills(hidden)) == [
        (
            "skills.json:2: $.skills[0].steps[1].inputs.query: step 'two': step 'one' shows no 'more': its outputs say"
            ' what is seen: "$step.one.more"'
        )
    ]
    seen = pipeline(
        "p", step("one", "read", outputs={"result": "$step.one.text"}), step("two", "read", {"query": "$step.one.text"})
    )
    whole = pipeline("p", step("one", "read"), step("two", "read", {"query": "$step.one.more"}))
    loaded(given, skills(seen))
    loaded(given, skills(whole))


@pytest.mark.behaviour("documents.bindings")
def test_every_required_output_is_produced_and_fits() -> None:
    """Spec: every required pipeline output must be produced."""
    given = ops(op("read"))
    nothing = pipeline("p", step("one", "read", outputs={}))
    wrong = pipeline("q", step("one", "read"), outputs_schema=schema(result={"type": "integer"}))
    named = pipeline(
        "r", step("one", "read", outputs={}), outputs={"result": "$inputs.query", "x": 1, "result2": "$step.one"}
    )
    assert [line.partition(": $.")[2] for line in told(given, skills(nothing, wrong, named))] == [
        "skills[0].outputs_schema.required: output 'result' is required, and no step produces it with $outputs.result",
        "skills[1].steps[0].outputs.result: output 'result': $step.one.result: must be integer, and is string",
        'skills[2].outputs.x: the pipeline has no output of this name: "x"',
        "skills[2].outputs.result2: the pipeline has no output of this name: \"result2\" (did you mean 'result'?)",
    ]
    lost = pipeline("p", step("one", "read", outputs={}), outputs={"result": "$step.nobody.x"})
    assert "$.skills[0].outputs.result: output 'result': there is no step 'nobody'" in told(given, skills(lost))[0]
    free = pipeline("p", outputs_schema={"type": "object", "properties": {}})
    loaded(given, skills({**free, "steps": [{"id": "one", "target": target("read")}]}))
    whole = pipeline("p", step("one", "read"), step("two", "read", outputs={}), outputs={}, outputs_schema=schema())
    each = pipeline("p", {"id": "one", "target": target("read")}, outputs_schema=schema(one=schema("result")))
    each["steps"][0].pop("outputs", None)
    loaded(given, skills(whole))
    loaded(given, skills({**each, "steps": [{"id": "one", "target": target("read")}]}))


@pytest.mark.behaviour("documents.bindings")
def test_a_step_without_inputs_hands_those_of_the_pipeline_on() -> None:
    """Choice: as the builder does."""
    bare = {"id": "one", "target": target("read"), "outputs": {"result": "$outputs.result"}}
    loaded(ops(op("read")), skills(pipeline("p", bare)))
    other = pipeline("p", bare, inputs_schema=schema("text"))
    assert told(ops(op("read")), skills(other)) == [
        (
            "skills.json:2: $.skills[0].steps[0]: step 'one' hands the pipeline's inputs on to 'read': 'query' is"
            " required, and may be missing"
        )
    ]


def test_items_of_a_list_defaults_and_open_schemas_are_not_judged() -> None:
    """Choice: what is not told is not refused; a step that runs for each item gives a list of what it gave."""
    many = schema("query", texts={"type": "array", "items": {"type": "string"}})
    each = pipeline(
        "p",
        step("one", "read", {"query": "$inputs.texts"}, foreach="$inputs.texts"),
        step("two", "open", {"anything": "$step.one.result", "query": "$inputs.query"}),
        step("three", "read", {"query": "$step.two.unknown"}),
        inputs_schema=many,
    )
    free = op("open", inputs_schema={"type": "object"}, outputs_schema={"type": "object", "additionalProperties": True})
    loaded(ops(op("read"), free), skills(each))
    preset = op("preset", inputs_schema={**schema("query"), "properties": {"query": {"type": "string", "default": ""}}})
    loaded(ops(preset), skills(pipeline("p", step("one", "preset", {}))))
    maybe = {"type": "object", "properties": {"query": {"type": "string"}}}
    loaded(ops(preset), skills(pipeline("p", step("one", "preset"), inputs_schema=maybe)))


def test_a_reference_in_a_schema_is_followed() -> None:
    """Choice: `$defs` are part of a schema."""
    text = {"$ref": "#/$defs/text"}
    defined = {**schema(query=text), "$defs": {"text": {"type": "integer"}}}
    found = told(ops(op("read", inputs_schema=defined)), skills(pipeline("p", step("one", "read"))))
    assert "must be integer, and is string" in found[0]


def test_a_pipeline_of_code_counts_with_the_rights_that_it_says() -> None:
    """Choice: documents may name what code has registered."""

    class Around:
        names = ("ask",)

        def versions(self, name: str) -> list[Manifest]:
            said = Manifest(name="ask", kind="logic", description="x", capabilities=["net.read"])
            return [said] if name == "ask" else []

    found = read_documents(
        [skills(pipeline("p", {"id": "one", "target": target("ask", "skill"), "inputs": {}}, outputs_schema={}))],
        Around(),
    )
    assert found.entries[0].manifest.capabilities == ("net.read",)


@pytest.mark.behaviour("documents.examples")
def test_the_examples_need_each_other() -> None:
    """Spec: unknown targets are refused at load."""
    alone = told(*examples()[:2])
    assert len([line for line in alone if "nowhere declared" in line]) == 3


def test_what_the_pipeline_requires_besides_is_a_target_too() -> None:
    """Choice: as the builder's `requires`."""
    wanting = pipeline("p", step("one", "read"), required_tools=["read_all@^1", "nobody"])
    assert "$.skills[0].required_tools[1]" in told(READ, skills(wanting))[0]
