"""The same project behaves the same in the library, on the command line and over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.behaviour.faces import CommandLine, Face, Http, Library, opened
from tests.behaviour.processes import KEY, serving

if TYPE_CHECKING:
    from collections.abc import Generator

SKILLS = '''
"""Entries with every way to end."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from prowess import Context, ExecutionFailedError, ForbiddenError, op, skill


@dataclass
class Total:
    sum: int
    words: list[str]


@op(tags=["sums"])
async def add(numbers: list[int], start: Annotated[int, Meta(ge=0)] = 0, label: str | None = None) -> Total:
    """Add numbers."""
    return Total(sum(numbers, start), [label or "none"])


@skill(tags=["sums"], calls=[add])
async def twice(number: int, *, ctx: Context) -> int:
    """Add a number to itself."""
    return (await ctx.call("add", numbers=[number, number]))["sum"]


@op
async def fail_kindly(reason: str) -> str:
    """Fail with words for the reader."""
    raise ExecutionFailedError(reason)


@op
async def refuse() -> str:
    """Say no."""
    raise ForbiddenError("not on a Sunday")


@op
async def crash() -> str:
    """Fail with words that nobody meant to be read."""
    raise RuntimeError("the plan is hunter2")


@op
async def lie() -> int:
    """Return what the schema does not allow."""
    return "text"


@op
async def hang() -> str:
    """Never end."""
    await asyncio.Event().wait()


@op
def echo(value: dict[str, str] | list[str] | str | float | None) -> dict[str, str] | list[str] | str | float | None:
    """Give back what came, from a thread."""
    return value


@op(status="disabled")
async def gone() -> str:
    """Be switched off."""
    return "never"


@op(name="shift", version="1.0.0")
async def shift_1() -> str:
    """First."""
    return "1.0.0"


@op(name="shift", version="1.5.0")
async def shift_15() -> str:
    """Second."""
    return "1.5.0"


@op(name="shift", version="2.3.0")
async def shift_23() -> str:
    """Third."""
    return "2.3.0"


@op(name="shift", version="3.0.0-rc.1")
async def shift_rc() -> str:
    """Fourth."""
    return "3.0.0-rc.1"
'''


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, Face]]:
    """One project behind its three faces."""
    home = tmp_path_factory.mktemp("home")
    project = tmp_path_factory.mktemp("faces")
    (project / "prowess.toml").write_text('modules = ["skills_of_every_end"]\n', encoding="utf-8")
    (project / "skills_of_every_end.py").write_text(SKILLS, encoding="utf-8")
    with serving(cwd=project, home=home, variables={"PROWESS_API_KEY": KEY}) as server:
        library: Library = opened(project)
        yield {"library": library, "command line": CommandLine(project, home), "http": Http(server.url)}


@pytest.fixture(params=["library", "command line", "http"])
def face(faces: dict[str, Face], request: pytest.FixtureRequest) -> Face:
    """Give each face in turn."""
    name: str = request.param
    return faces[name]


@pytest.mark.behaviour("running.valid-input")
def test_a_valid_input_runs(face: Face) -> None:
    """Spec: a valid input runs; a dataclass comes out as an object."""
    assert face.run("add", {"numbers": [1, 2], "start": 3}).output == {"sum": 6, "words": ["none"]}


@pytest.mark.behaviour("faces.nested-call")
def test_a_skill_calls_its_declared_target(face: Face) -> None:
    """Spec: `ctx.call` reaches a declared target through the gate."""
    assert face.run("twice", {"number": 21}).output == 42


@pytest.mark.behaviour("faces.text-untouched")
@pytest.mark.parametrize("value", ["10", "true", "null", "ünï", "a\nb", "\x1b[31m", "", '"', "x" * 5_000, None, 1.5])
def test_a_value_comes_back_as_it_went(face: Face, value: object) -> None:
    """Choice: no face reads, trims or recodes a value that has a JSON form."""
    assert face.run("echo", {"value": value}).output == value


@pytest.mark.behaviour("running.invalid-input")
@pytest.mark.parametrize(
    ("inputs", "paths"),
    [
        ({}, {"$.numbers"}),
        ({"numbers": "1"}, {"$.numbers"}),
        ({"numbers": [1, "2"]}, {"$.numbers[1]"}),
        ({"numbers": [1], "start": -1}, {"$.start"}),
        ({"numbers": [1], "strat": 1}, {"$.strat"}),
        ({"numbers": None, "start": "x", "more": 1}, {"$.numbers", "$.start", "$.more"}),
    ],
)
def test_an_invalid_input_names_every_problem(face: Face, inputs: dict[str, object], paths: set[str]) -> None:
    """Spec: all problems of an input are reported at once, each with its JSON path."""
    outcome = face.run("add", inputs)
    assert (outcome.code, set(outcome.paths)) == ("invalid_input", paths)


@pytest.mark.behaviour("faces.same-code")
@pytest.mark.parametrize(
    ("name", "inputs", "code"),
    [
        ("fail_kindly", {"reason": "the disk is full"}, "execution_failed"),
        ("refuse", {}, "forbidden"),
        ("crash", {}, "execution_failed"),
        ("lie", {}, "invalid_output"),
        ("gone", {}, "unavailable"),
        ("ad", {}, "not_found"),
        ("add@^9", {"numbers": []}, "not_found"),
    ],
)
def test_a_failure_has_the_same_code_everywhere(face: Face, name: str, inputs: dict[str, object], code: str) -> None:
    """Spec: one error family with stable codes."""
    assert face.run(name, inputs).code == code


@pytest.mark.behaviour("faces.near-name")
def test_an_unknown_name_is_answered_with_a_near_one(face: Face) -> None:
    """Spec: near names where one helps."""
    assert "did you mean 'add'?" in face.run("ad", {}).text


@pytest.mark.behaviour("faces.deadline")
def test_a_call_ends_at_its_deadline(face: Face) -> None:
    """Spec: per-call timeout."""
    assert face.run("hang", {}, timeout=0.2).code == "timed_out"


@pytest.mark.behaviour("faces.authors-words")
def test_an_authors_own_error_reaches_the_reader(face: Face) -> None:
    """Spec: what of a failure reaches a model."""
    assert "the disk is full" in face.run("fail_kindly", {"reason": "the disk is full"}).text


@pytest.mark.behaviour("http.nothing-leaks")
def test_an_unmeant_text_does_not_leave_over_http(faces: dict[str, Face]) -> None:
    """Spec: any other exception's text stays with the operator."""
    text = faces["http"].run("crash", {}).text
    assert "crash" in text
    assert not any(word in text for word in ("hunter2", "RuntimeError", "Traceback", ".py"))


@pytest.mark.behaviour("commands.operators-text")
def test_the_operator_at_the_command_line_sees_the_cause(faces: dict[str, Face]) -> None:
    """Spec: the operator's text and the model's text are two."""
    assert "hunter2" in faces["command line"].run("crash", {}).text


@pytest.mark.behaviour("registry.list-by-tag")
def test_a_tag_selects_its_entries(face: Face) -> None:
    """Spec: by tag."""
    assert [entry["name"] for entry in face.entries(tag="sums")] == ["add", "twice"]


@pytest.mark.behaviour("faces.same-manifests")
def test_every_face_shows_the_same_manifests(faces: dict[str, Face]) -> None:
    """Choice: one JSON form of an entry, wherever it is read."""
    library, *others = (face.entries() for face in faces.values())
    assert len(library) == 13
    assert all(other == library for other in others)


@pytest.mark.behaviour("faces.filters")
@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"kind": "logic"}, ["twice"]),
        ({"status": "disabled"}, ["gone"]),
        ({"kind": "pipeline"}, []),
        ({"tag": "sums", "kind": "op"}, ["add"]),
        ({"tag": "no such"}, []),
    ],
)
def test_filters_narrow_together(face: Face, filters: dict[str, str], names: list[str]) -> None:
    """Spec: `list` with filters."""
    assert [entry["name"] for entry in face.entries(**filters)] == names


@pytest.mark.behaviour("tools.openai-shape")
def test_definitions_have_exactly_the_openai_shape(face: Face) -> None:
    """Spec: {"type": "function", "function": {"name", "description", "parameters"}}."""
    tool = next(one for one in face.tools("openai") if one["function"]["name"] == "twice")
    assert tool["type"] == "function"
    assert tool["function"]["description"] == "Add a number to itself."
    assert tool["function"]["parameters"]["required"] == ["number"]
    assert set(tool) == {"type", "function"}
    assert set(tool["function"]) == {"name", "description", "parameters"}


@pytest.mark.behaviour("faces.same-tools")
@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic", "gemini", "mcp"])
def test_every_face_gives_the_same_definitions(faces: dict[str, Face], provider: str) -> None:
    """Spec: built once, kept as values and as bytes."""
    first, *others = (face.tools(provider) for face in faces.values())
    assert len(first) == 9
    assert all(other == first for other in others)


@pytest.mark.behaviour("versions.latest", "versions.range", "versions.caret", "versions.prerelease")
@pytest.mark.parametrize(
    ("reference", "version"),
    [
        ("shift", "2.3.0"),
        ("shift@>=1.0.0 <2.0.0", "1.5.0"),
        ("shift@^2.0.0", "2.3.0"),
        ("shift@1.0.0", "1.0.0"),
        ("shift@3.0.0-rc.1", "3.0.0-rc.1"),
        ("shift@>=3.0.0-rc.0", "3.0.0-rc.1"),
    ],
)
def test_a_constraint_finds_its_version(face: Face, reference: str, version: str) -> None:
    """Spec: latest without a constraint, ranges, prereleases only when asked."""
    assert face.run(reference, {}).output == version
