"""Pipelines written out as documents, and read back unchanged."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from prowess import Pipeline, op
from prowess.documents.loading import read_entries
from prowess.documents.text.findings import Findings
from prowess.documents.text.json_text import read_json
from prowess.documents.values import Document, DocumentKind
from prowess.documents.writing import pipeline_document, skill_registry
from prowess.errors import InvalidManifestError
from prowess.model import pipeline as model
from prowess.model.manifest import Manifest, Target
from prowess.model.names import key_of


@op
def search(query: str) -> list[str]:
    """Find notes."""
    return [query]


def kind_of(target: Target) -> str | None:
    """Whether a target is a skill or an op, as far as this test knows."""
    return {"search": "op", "read_note": "skill"}.get(target.name)


def read_back(value: model.Pipeline, manifest: Manifest | None = None) -> model.Pipeline:
    """Write a pipeline, and read it."""
    text = skill_registry([pipeline_document(value, manifest or value.manifest, kind_of)])
    (entry,) = read_entries([Document(kind=DocumentKind.SKILLS, file="d", data=text)])
    assert isinstance(entry.recipe, model.Pipeline)
    return entry.recipe


@pytest.mark.behaviour("documents.written")
def test_a_pipeline_of_the_builder_is_written_out_and_read_back_unchanged() -> None:
    """Spec: what the builder makes can be written out, with a snake_case name of the same key."""
    whole = (
        Pipeline("re-search", version="1.0.0", description="Use when …", tags=["a"], author="me", idempotent=True)
        .input(query=str, limit=(int, 10))
        .returns({"type": "object", "properties": {"text": {}}})
        .step("find", search, query="$inputs.query", name="Find", when="size(inputs.query) > 0", timeout=5, retries=2)
        .step("read", Target("read_note", "^1", "skill"), inputs={"path": "$$5", "deep": {"a": [1]}}, optional=True)
        .step("each", search, query="$step.find", foreach="$step.find", concurrency=3, parallel="g", on_error="find")
        .step("last", search, pause_before=True, outputs={"text": "$step.last.found"})
        .output(text="$step.last.text", raw="$step.find", number=5)
        .requires(Target("other", "^1"))
        .build()
    )
    assert read_back(whole) == replace(whole, name="re_search")


@pytest.mark.behaviour("documents.written")
def test_what_the_manifest_says_is_written_too() -> None:
    """Choice: nothing that is governed by is lost."""
    bare = Pipeline("p", version="1.0.0", description="x").build()
    said: dict[str, Any] = {
        "capabilities": ["a.b"],
        "side_effects": ["a.b"],
        "autonomy": "L1",
        "failure_modes": ["broken"],
        "limits": {"timeout": 5, "max_per_minute": 3},
        "redaction": {"inputs": ["$.x"]},
        "deprecation": {"replaced_by": "q"},
        "status": "deprecated",
        "owners": ["core"],
    }
    manifest = Manifest(name="p", version="1.0.0", description="x", kind="pipeline", **said)
    text = skill_registry([pipeline_document(bare, manifest, kind_of)])
    written = json.loads(text)["skills"][0]
    assert {key: written[key] for key in ("autonomy", "rate_limit", "timeout", "deprecation", "redaction")} == {
        "autonomy": "L1",
        "rate_limit": {"max_per_minute": 3},
        "timeout": 5,
        "deprecation": {"deprecated": True, "replaced_by": "q"},
        "redaction": {"inputs": ["$.x"], "outputs": []},
    }
    assert written["failure_modes"] == [{"code": "broken", "description": "broken", "retryable": False}]
    assert json.loads(skill_registry([pipeline_document(bare, bare.manifest, kind_of)]))["skills"][0][
        "failure_modes"
    ] == [{"code": "pipeline_failed", "description": "A step of the pipeline failed.", "retryable": False}]


@pytest.mark.behaviour("documents.written")
def test_what_only_code_can_say_is_refused_all_of_it() -> None:
    """Choice: half a pipeline would do something else."""
    code = (
        Pipeline("p", version="1.0.0", description="x")
        .step("one", search, query=lambda _context: "x", when=lambda _context: True)
        .step("two", "nobody", foreach=lambda _context: [])
        .build()
    )
    with pytest.raises(InvalidManifestError) as refused:
        pipeline_document(code, code.manifest, kind_of)
    assert [problem.path for problem in refused.value.problems] == [
        "$.steps[0].inputs.query",
        "$.steps[0].when",
        "$.steps[1].target",
        "$.steps[1].foreach",
    ]


NAMES = st.from_regex(r"[a-z][a-z0-9]{0,5}(?:[_-][a-z0-9]{1,4}){0,2}", fullmatch=True)
LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "$5", "$$", "text"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def pipelines(draw: st.DrawFn) -> model.Pipeline:
    """Draw a pipeline that obeys the rules."""
    count = draw(st.integers(0, 4))
    steps: list[model.Step] = []
    for number in range(count):
        earlier = [f"$step.s{at}" for at in range(number)] + [f"$step.s{at}.field" for at in range(number)]
        text = st.sampled_from(["$inputs.query", "$inputs", *earlier])
        bindings = st.dictionaries(NAMES, text.map(model.parse_binding) | LITERALS.map(model.Literal), max_size=3)
        own = st.dictionaries(NAMES, NAMES, max_size=2).map(partial(_shown, f"s{number}"))
        steps.append(
            model.Step(
                id=f"s{number}",
                target=Target(draw(st.sampled_from(["search", "a/b-c"])), draw(st.none() | st.just("^1.2")), "op"),
                inputs=draw(st.none() | bindings),
                outputs=draw(st.none() | own),
                when=draw(st.none() | st.just("size(inputs.query) > 0")),
                timeout=draw(st.none() | st.floats(0.1, 9)),
                retries=draw(st.integers(0, 3)),
                optional=draw(st.booleans()),
                on_error=draw(st.none() | st.just("s0")) if number else None,
                foreach=draw(st.none() | st.just(model.Literal([1]))),
                concurrency=draw(st.integers(1, 4)),
                parallel=draw(st.none() | st.just("g")),
                pause_before=draw(st.booleans()),
            )
        )
    outputs = st.dictionaries(NAMES, LITERALS.map(model.Literal), max_size=2)
    return model.Pipeline(
        name=draw(NAMES),
        version="1.2.3",
        description="Use when it is wanted.",
        steps=tuple(steps),
        outputs=draw(st.none() | outputs),
        tags=draw(st.sampled_from([(), ("a", "b")])),
        supports_pause=draw(st.booleans()),
    )


def _shown(step: str, seen: dict[str, str]) -> dict[str, model.Reference]:
    """Give each field of a result one name: a document maps it once."""
    fields = list(seen.values())
    return {
        name: model.Reference(model.Source.STEP, (field,), step)
        for name, field in seen.items()
        if fields.count(field) == 1
    }


@pytest.mark.behaviour("documents.written")
@given(pipelines())
def test_any_pipeline_comes_back_as_it_was(value: model.Pipeline) -> None:
    """Spec: builder pipelines are written out as documents and read back unchanged."""
    assert read_back(value) == replace(value, name=key_of(value.name))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=12,
    ),
    st.sampled_from([None, 1, 4]),
)
def test_every_json_text_is_read_as_what_it_says(value: Any, indent: int | None) -> None:
    """Choice: looking for keys that stand twice finds none that do not."""
    findings = Findings()
    assert read_json("d", json.dumps(value, indent=indent).encode(), findings) == value
    assert not findings.wrong
