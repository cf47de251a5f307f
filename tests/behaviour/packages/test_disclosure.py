"""Packages disclosed in the library, on the command line and over HTTP; and what a model would be offered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.faces import CommandLine, Face, Http, Library, opened, request
from tests.behaviour.processes import KEY, prowess, serving

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

SKILLS = '''
"""Two packages and an op."""

from prowess import Context, LoadedPackage, op


class Manual:
    def __init__(self, name: str, description: str, version: str | None = None) -> None:
        self.name, self.description, self.version = name, description, version

    async def load(self, ctx: Context) -> LoadedPackage:
        return LoadedPackage(f"# {self.name}", {"guide.md": "Guide", "logo.png": b"png"})


class Threaded(Manual):
    def load(self) -> LoadedPackage:
        return LoadedPackage("# from a thread")


invoices = Manual("invoices", "Use when the user wants an invoice written.", "1.0.0")
travel = Threaded("travel", "Use when the user plans a journey by train.")


@op
async def add(numbers: list[int]) -> int:
    """Add numbers."""
    return sum(numbers)
'''
LISTED = {
    "skills": [
        {"name": "invoices", "description": "Use when the user wants an invoice written.", "version": "1.0.0"},
        {"name": "travel", "description": "Use when the user plans a journey by train."},
    ]
}
OURS = ["activate_skill", "list_skills", "read_skill_resource", "search_skills"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with packages."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "prowess.toml").write_text('modules = ["manuals"]\n[disclosure]\nbudget = 5000\n', encoding="utf-8")
    (folder / "manuals.py").write_text(SKILLS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def faces(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, Face]]:
    """The project behind its three faces."""
    home = tmp_path_factory.mktemp("home")
    with serving(cwd=project, home=home, variables={"PROWESS_API_KEY": KEY}) as server:
        library: Library = opened(project)
        yield {"library": library, "command line": CommandLine(project, home), "http": Http(server.url)}


@pytest.fixture(params=["library", "command line", "http"])
def face(faces: dict[str, Face], request: pytest.FixtureRequest) -> Face:
    """Give each face in turn."""
    name: str = request.param
    return faces[name]


@pytest.mark.behaviour("disclosure.faces")
def test_packages_are_listed_alike(face: Face) -> None:
    """Spec: library, HTTP and command line give the same."""
    assert face.run("list_skills", {}).output == LISTED
    found = face.run("search_skills", {"query": "invoice"}).output["skills"]
    assert [(row["name"], row["kind"]) for row in found] == [("invoices", "package")]


@pytest.mark.behaviour("disclosure.sessions")
def test_a_session_that_a_client_names_has_activations_of_its_own(project: Path, home: Path) -> None:
    """Regression: whoever held the key shared what any of them had activated."""
    with serving(cwd=project, home=home, variables={"PROWESS_API_KEY": KEY}) as server:

        def run(name: str, inputs: dict[str, str], session: str | None) -> tuple[int, str]:
            headers = {} if session is None else {"Prowess-Session": session}
            body = json.dumps({"inputs": inputs}).encode()
            status, answer = request(f"{server.url}/v1/skills/{name}/run", body, headers=headers)
            return status, json.dumps(answer)

        guide = {"skill": "invoices", "key": "guide.md"}
        assert "# invoices" in run("activate_skill", {"name": "invoices"}, "one")[1]
        assert run("read_skill_resource", guide, "one")[0] == 200
        for other in ("two", None):
            assert "is not active" in run("read_skill_resource", guide, other)[1]
            assert "already_active" not in run("activate_skill", {"name": "invoices"}, other)[1]
        assert "already_active" in run("activate_skill", {"name": "invoices"}, "one")[1]
        for wrong in ("x" * 129, "caf\u00e9"):
            status, answer = run("list_skills", {}, wrong)
            assert (status, "Prowess-Session" in answer) == (400, True)


@pytest.mark.behaviour("disclosure.faces")
def test_packages_are_activated_alike(face: Face) -> None:
    """Spec: as above; also one whose loader runs in a thread."""
    for name, text in (("invoices", "# invoices"), ("travel", "# from a thread")):
        answer = face.run("activate_skill", {"name": name, "again": True}).output
        assert f"\n{text}\n</skill " in answer["instructions"]
    assert face.run("activate_skill", {"name": "add"}).code == "invalid_input"
    assert face.run("activate_skill", {"name": "travels"}).code == "not_found"


@pytest.mark.behaviour("disclosure.faces")
def test_the_tools_are_offered_alike(face: Face) -> None:
    """Spec: offered as ordinary tools, and in no list of entries."""
    tools = [tool["name"] for tool in face.tools("anthropic")]
    assert tools == sorted([*OURS, "add"])
    assert [entry["name"] for entry in face.entries()] == ["add", "invoices", "travel"]
    hints = {tool["name"]: tool.get("annotations") for tool in face.tools("mcp")}
    assert all(hints[name] == {"readOnlyHint": True, "idempotentHint": True} for name in OURS)


def test_a_server_remembers_what_was_activated(faces: dict[str, Face], project: Path) -> None:
    """Spec: resources are read after activation, by the same caller."""
    http = faces["http"]
    http.run("activate_skill", {"name": "invoices"})
    assert http.run("read_skill_resource", {"skill": "invoices", "key": "guide.md"}).output == {"text": "Guide"}
    again = http.run("activate_skill", {"name": "invoices"}).output
    assert again["already_active"] is True
    inactive = opened(project).run("read_skill_resource", {"skill": "invoices", "key": "guide.md"})
    assert (inactive.code, "activate_skill" in inactive.text) == ("forbidden", True)


@pytest.mark.behaviour("explain.every-entry")
def test_what_a_model_would_be_offered_is_explained(project: Path, home: Path) -> None:
    """Spec: for every skill its rank, what was trimmed and why."""
    ended = prowess("explain", "an invoice", "please", "--budget", "45", cwd=project, home=home)
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert [row[:4] for row in rows] == [
        ["1", "invoices", "package", "list_skills"],
        ["-", "add", "op", "tool"],
        ["-", "travel", "package", "list_skills"],
    ]
    assert rows[0][4].startswith("matched name: invoice, description: invoice; description cut from 11 to ")
    assert rows[1][4] == "not found by these words"
    assert ended.code == 0


@pytest.mark.behaviour("explain.json")
def test_the_explanation_can_be_read_by_a_program(project: Path, home: Path) -> None:
    """Spec: `--json` prints machine output."""
    told = json.loads(prowess("explain", "invoice", "--json", "--as", "worker", cwd=project, home=home).out)
    assert (told["words"], told["as"], told["budget"]) == ("invoice", "worker", 5000)
    assert told["skills"][0] == {
        "name": "invoices",
        "version": "1.0.0",
        "kind": "package",
        "rank": 1,
        "offered": "list_skills",
        "description": "Use when the user wants an invoice written.",
        "matched": ["name: invoice", "description: invoice"],
        "reasons": [],
    }


@pytest.mark.parametrize("options", [("--budget", "0"), ("--as", "boss"), ()])
def test_a_wrong_option_of_explain_is_told(options: tuple[str, ...], project: Path, home: Path) -> None:
    """Choice: as for every command."""
    words = ("x", *options) if options else ()
    assert prowess("explain", *words, cwd=project, home=home).code == 2
