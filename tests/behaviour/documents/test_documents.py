"""Registry documents through the library, the command line and HTTP."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.behaviour.faces import CommandLine, Http, Library, opened, request
from tests.behaviour.processes import KEY, PATIENCE, prowess, serving
from tests.unit.documents import samples as make
from tools.document_schemas import schemas

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
async def read(query):
    return {"result": f"read {query}"}

async def tell(query, ctx):
    return await ctx.call("read", query=query)
"""
TELL = make.logic("tell", call_targets=[{"kind": "op", "name": "read"}])
PIPE = make.pipeline("pipe", make.step("one", "read"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project with documents, and the module that they name."""
    folder = tmp_path / "project"
    (folder / "config").mkdir(parents=True)
    (folder / "prowess.toml").write_text("")
    (folder / "document_code.py").write_text(CODE)
    write(folder, "op-registry", make.ops(make.op("read")).data)
    write(folder, "skill-registry", make.skills(TELL, PIPE).data)
    write(folder, "capabilities", b'["notes.read"]')
    return folder


def write(folder: Path, name: str, data: bytes) -> None:
    """Write one document, at once."""
    file = folder / "config" / f"{name}.json"
    new = file.with_suffix(".new")
    new.write_bytes(data.replace(b"skills.code", b"document_code"))
    new.replace(file)


@pytest.mark.behaviour("documents.faces")
def test_the_same_documents_are_listed_and_run_everywhere(project: Path, home: Path) -> None:
    """Spec: behaviour through library, commands and HTTP is the same."""
    with serving(cwd=project, home=home, variables={"PROWESS_API_KEY": KEY}) as server:
        faces: list[Library | CommandLine | Http] = [
            opened(project),
            CommandLine(project, home),
            Http(f"http://127.0.0.1:{server.port}"),
        ]
        listed = [face.entries() for face in faces]
        assert listed[0] == listed[1] == listed[2]
        assert [(one["name"], one["source"]) for one in listed[0]] == [
            ("pipe", "config/skill-registry.json"),
            ("read", "config/op-registry.json"),
            ("tell", "config/skill-registry.json"),
        ]
        assert [face.run("tell", {"query": "x"}).output for face in faces] == [{"result": "read x"}] * 3
        assert {face.run("tell", {}).code for face in faces} == {"invalid_input"}
        assert server.stop() == 0


@pytest.mark.behaviour("documents.project")
@pytest.mark.parametrize("command", ["list", "serve", "run tell"])
def test_documents_that_are_wrong_fail_a_command_with_all_their_problems(
    project: Path, home: Path, command: str
) -> None:
    """Spec: a document that does not validate fails the start with all its problems."""
    write(project, "op-registry", make.ops(make.op("raed"), make.op("b", autonomy="L9")).data)
    ended = prowess(*command.split(), cwd=project, home=home)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines() == [
        "prowess: invalid document: 3 problems",
        '  config/op-registry.json:3: $.ops[1].autonomy: must be one of L0, L1, L2, L3, not "L9"',
        (
            "  config/skill-registry.json:2: $.skills[0].call_targets[0].name: 'tell' needs an entry that is nowhere"
            " declared: \"read\" (did you mean 'raed'?)"
        ),
        (
            "  config/skill-registry.json:3: $.skills[1].steps[0].target.name: 'pipe' needs an entry that is nowhere"
            " declared: \"read\" (did you mean 'raed'?)"
        ),
    ]
    doctor = json.loads(prowess("doctor", "--json", cwd=project, home=home).out)
    assert len([one for one in doctor["findings"] if one["about"] == "documents" and one["state"] == "problem"]) == 3


@pytest.mark.behaviour("documents.index")
def test_the_list_follows_every_document_without_loading_in_between(project: Path, home: Path) -> None:
    """Spec: the index holds document entries; size and time of each document are watched."""

    def names() -> list[str]:
        listed = [prowess("list", "--names", cwd=project, home=home).out.split() for _ in range(2)]
        assert listed[0] == listed[1]
        return listed[0]

    assert names() == ["pipe", "read", "tell"]
    write(project, "op-registry", make.ops(make.op("read"), make.op("more")).data)
    assert names() == ["more", "pipe", "read", "tell"]
    overlays = project / "config" / "overlays"
    overlays.mkdir()
    (overlays / "a.yaml").write_text("entries: {read: {status: disabled}}")
    told = prowess("list", cwd=project, home=home)
    assert "read\t1.0.0\top\tdisabled" in told.out
    assert "pipe: is unavailable: it needs 'read@1.0.0', which config/overlays/a.yaml switches off" in told.err
    assert prowess("list", cwd=project, home=home).err == told.err
    mine = project / ".prowess" / "overlays"
    mine.mkdir(parents=True)
    (mine / "b.yaml").write_text("entries: {read: {status: enabled}}")
    assert prowess("list", "--status", "disabled", "--names", cwd=project, home=home).out == ""
    (project / "config").rename(project / "gone")
    assert names() == []
    (project / "gone").rename(project / "config")
    assert names() == ["more", "pipe", "read", "tell"]


@pytest.mark.behaviour("documents.watched")
def test_a_server_loads_documents_again_and_keeps_the_last_good_ones(project: Path, home: Path) -> None:
    """Spec: a broken reload keeps the last good snapshot and says so in the health route."""
    with serving(cwd=project, home=home, variables={"PROWESS_API_KEY": KEY}) as server:
        url = f"http://127.0.0.1:{server.port}"

        def until(wanted: tuple[Any, ...]) -> None:
            end = time.monotonic() + PATIENCE
            while True:
                _, told = request(f"{url}/health")
                if (state := (told["skills"], told["documents"], told["problems"])) == wanted:
                    return
                assert time.monotonic() < end, state

        until((3, "loaded", 0))
        write(project, "op-registry", make.ops(make.op("read"), make.op("more")).data)
        until((4, "loaded", 0))
        write(project, "op-registry", make.ops(make.op("read", autonomy="L9")).data)
        until((4, "kept", 2))
        assert Http(url).run("tell", {"query": "x"}).output == {"result": "read x"}
        write(project, "op-registry", make.ops(make.op("read")).data)
        until((3, "loaded", 0))
        (project / "config" / "overlays").mkdir()
        (project / "config" / "overlays" / "a.yaml").write_text("entries: {read: {status: disabled}}")
        until((3, "loaded", 2))
        assert Http(url).run("tell", {"query": "x"}).code == "unavailable"
        assert server.stop() == 0


@pytest.mark.behaviour("policy.diff")
def test_policy_diff_compares_two_generations(project: Path, home: Path, tmp_path: Path) -> None:
    """Spec: for each entry whether the change is breaking, and whether its version was raised enough."""
    new = tmp_path / "new.json"
    limited = make.schema("query", "more")
    new.write_bytes(
        make.ops(make.op("read", inputs_schema=limited), make.op("fresh")).data.replace(
            b"skills.code", b"document_code"
        )
    )
    old = "config/op-registry.json"
    ended = prowess("policy", "diff", old, str(new), cwd=project, home=home)
    assert (ended.code, ended.out.splitlines()) == (
        1,
        [
            "fresh 1.0.0, new: compatible",
            "read 1.0.0 → 1.0.0: breaking",
            "  breaks  narrowed-input: inputs: 'more' is required, and may be missing",
            (
                "  PROBLEM  the version rose too little: from 1.0.0 to 2.0.0 at least, since inputs: 'more' is"
                " required, and may be missing"
            ),
            "2 changed, 1 with problems.",
        ],
    )
    as_json = json.loads(prowess("policy", "diff", old, str(new), "--json", cwd=project, home=home).out)
    assert (as_json["ok"], [one["name"] for one in as_json["entries"]]) == (False, ["fresh", "read"])
    same = prowess("policy", "diff", "config", "config", cwd=project, home=home)
    assert (same.code, same.out) == (0, "Nothing changed.\n")
    missing = prowess("policy", "diff", "config", "nowhere", cwd=project, home=home)
    assert (missing.code, missing.err) == (1, "prowess: not found: there is no file or folder nowhere\n")
    new.write_bytes(make.ops().data)
    assert "read 1.0.0, gone: breaking" in prowess("policy", "diff", old, str(new), cwd=project, home=home).out


@pytest.mark.behaviour("schema.print")
@pytest.mark.parametrize("kind", ["skills", "ops", "capabilities", "overlay"])
def test_the_schema_of_each_kind_of_document_is_printed(kind: str, tmp_path: Path, home: Path) -> None:
    """Spec: JSON Schemas of all four kinds ship with the package and are printed by `prowess schema KIND`."""
    assert prowess("schema", kind, cwd=tmp_path, home=home).out == schemas()[kind]
