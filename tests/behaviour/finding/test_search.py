"""Searching through the library, the command line and HTTP."""

from __future__ import annotations

import json
import urllib.parse
from typing import TYPE_CHECKING

import pytest

from prowess import open_project
from tests.behaviour.faces import request
from tests.behaviour.processes import KEY, Server, at_terminal, prowess, serving

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture
def server(notes: Path, home: Path) -> Generator[Server]:
    """Give a server of the example project."""
    with serving(cwd=notes, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        yield running


def asked(server: Server, **query: str) -> tuple[int, str]:
    """Ask the server, and give the status and the answer as JSON."""
    status, answer = request(f"{server.url}/v1/search?{urllib.parse.urlencode(query)}")
    return status, json.dumps(answer)


@pytest.mark.behaviour("search.faces")
def test_every_face_finds_the_same_with_the_same_scores(notes: Path, home: Path, server: Server) -> None:
    """Spec: the same cases through library, command line and HTTP."""
    hits = open_project(notes).registry.search("find my notes", 3, kind="op", page=1)
    expected = json.loads(json.dumps([hit.to_json() for hit in hits]))
    assert len(expected) == 3
    ended = prowess("search", "find my", "notes", "-k", "3", "--kind", "op", "--json", cwd=notes, home=home)
    assert json.loads(ended.out) == {"query": "find my notes", "page": 1, "hits": expected}
    assert asked(server, q="find my notes", k="3", kind="op") == (200, json.dumps(json.loads(ended.out)))


@pytest.mark.behaviour("search.command")
def test_search_into_a_pipe_is_a_line_for_each_hit_with_tabs(notes: Path, home: Path) -> None:
    """Spec: `prowess search WORDS… [-k N] [--page N] [--kind --tag --status --source]`."""
    ended = prowess("search", "search", "the", "notes", "-k", "2", cwd=notes, home=home)
    assert ended.code == 0
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert [row[0] for row in rows] == ["search_notes", "search_index"]
    assert rows[0][1:3] == ["1.2.0", "logic"]
    assert float(rows[0][3]) > float(rows[1][3])
    assert rows[0][4:] == ["note_skills.py", "Search the notes. Use when the user asks what is in their notes."]
    second = prowess("search", "search the notes", "-k", "1", "--page", "2", cwd=notes, home=home)
    assert second.out.split("\t")[0] == "search_index"
    tagged = prowess("search", "notes", "--tag", "figures", "--status", "enabled", cwd=notes, home=home)
    assert [line.split("\t")[0] for line in tagged.out.splitlines()] == ["count_words"]
    assert prowess("search", "notes", "--source", "other.py", cwd=notes, home=home).out == ""


@pytest.mark.behaviour("search.kept")
def test_search_keeps_its_index_beside_the_projects_state(notes: Path, home: Path) -> None:
    """Spec: `.prowess/search/`, out of git; without a project nothing is left behind."""
    first = prowess("search", "notes", cwd=notes, home=home)
    kept = {file for file in (notes / ".prowess" / "search").rglob("*") if file.suffix == ".idx"}
    assert kept
    assert (notes / ".prowess" / ".gitignore").read_text(encoding="ascii") == "*\n"
    assert prowess("search", "notes", cwd=notes, home=home).out == first.out
    assert {file for file in (notes / ".prowess" / "search").rglob("*") if file.suffix == ".idx"} == kept
    alone = home / "alone.py"
    alone.write_text((notes / "note_store.py").read_text(encoding="utf-8"), encoding="utf-8")
    assert prowess("-C", str(alone), "search", "notes", cwd=home, home=home).code == 0
    assert not (home / ".prowess" / "search").exists()


def test_search_explains_which_word_matched_where(notes: Path, home: Path) -> None:
    """Spec: --explain."""
    ended = prowess("search", "serach", "rust", "-k", "1", "--explain", cwd=notes, home=home)
    lines = ended.out.splitlines()
    assert lines[0].startswith("search_notes\t1.2.0")
    assert lines[1:] == ["    name: serach (search_notes)", "    description: serach (Search)", "    body: rust"]
    assert prowess("search", "elephant", "--explain", cwd=notes, home=home).out == ""


def test_explain_names_what_was_left_out(tmp_path: Path, home: Path) -> None:
    """Choice: nothing that fits disappears without a word."""
    file = tmp_path / "shifts.py"
    file.write_text(
        "from prowess import op\n\n"
        + "\n\n".join(
            f'@op(name="shift", version="{version}")\nasync def shift_{number}() -> str:\n    "Change a shift."\n'
            for number, version in enumerate(("1.0.0", "2.0.0"))
        ),
        encoding="utf-8",
    )
    ended = prowess("-C", str(file), "search", "shift", "--explain", cwd=home, home=home)
    assert ended.out.splitlines()[0].startswith("shift\t2.0.0")
    assert ended.out.splitlines()[-1] == "    also: shift@1.0.0"


def test_at_a_terminal_search_prints_a_table_or_says_that_nothing_fits(notes: Path, home: Path) -> None:
    """Spec: a person reads a table, and never an empty screen."""
    shown = at_terminal(["search", "weather", "notes"], cwd=notes, home=home).out
    assert shown.splitlines()[0].split() == ["NAME", "VERSION", "KIND", "SCORE", "SOURCE", "DESCRIPTION"]
    assert "No entries fit." in at_terminal(["search", "elephant"], cwd=notes, home=home).out
    (home / "prowess.toml").touch()
    assert "No entries yet" in at_terminal(["search", "elephant"], cwd=home, home=home).out


def test_bad_usage_is_told(notes: Path, home: Path) -> None:
    """Spec: exit code 2 for bad usage."""
    assert prowess("search", cwd=notes, home=home).code == 2
    assert prowess("search", "notes", "-k", "many", cwd=notes, home=home).code == 2
    refused = prowess("search", "notes", "-k", "0", cwd=notes, home=home)
    assert (refused.code, "expected a whole number from 1 to 10000" in refused.err) == (2, True)


@pytest.mark.behaviour("search.http-refused")
def test_the_route_refuses_what_it_does_not_know(server: Server) -> None:
    """Spec: a parameter that does not exist, or does not fit, is refused with what would be right."""
    for query, words in (
        ({}, "there is no query parameter 'q'"),
        ({"q": "x", "k": "ten"}, "'k' is a whole number"),
        ({"q": "x", "k": "9999999999"}, "'k' is a whole number"),
        ({"q": "x", "page": "0"}, "k is 5 and page is 0"),
        ({"q": "x", "kind": "logik"}, "did you mean 'logic'?"),
        ({"q": "x", "status": "off"}, "there is no status 'off'"),
        ({"q": "x", "limit": "1"}, "there is no query parameter 'limit'"),
    ):
        status, answer = asked(server, **query)
        assert (status, '"code": "bad_request"' in answer, words in answer) == (400, True, True)
    assert asked(server, q="") == (200, '{"query": "", "page": 1, "hits": []}')


def test_a_setting_asks_for_meaning(notes: Path, home: Path) -> None:
    """Spec: `[search] semantic = true`."""
    lexical = json.loads(prowess("search", "look something up", "--json", cwd=notes, home=home).out)["hits"]
    variables = {"PROWESS_SEARCH_SEMANTIC": "true"}
    ended = prowess("search", "look up my notes", "--json", cwd=notes, home=home, variables=variables)
    hits = json.loads(ended.out)["hits"]
    assert hits[0]["name"] == "search_notes"
    assert 0 < hits[0]["score"] <= 1
    assert all(hit["score"] > 0 for hit in lexical)
    assert (notes / ".prowess" / "search" / "vectors-1.db").exists()
