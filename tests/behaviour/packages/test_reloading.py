"""A server that reloads packages as they change."""

from __future__ import annotations

import json
import time
from http.client import HTTPConnection
from shutil import rmtree
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import KEY, PATIENCE, serving
from tests.unit.catalog.archives.making import zip_of
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def health(port: int) -> dict[str, object]:
    """What the server says of itself."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/health")
    found: dict[str, object] = json.loads(connection.getresponse().read())
    connection.close()
    return found


def until(seen: Callable[[], object], wanted: object) -> None:
    """Look until what is wanted is seen."""
    end = time.monotonic() + PATIENCE
    while (last := seen()) != wanted:
        assert time.monotonic() < end, last


@pytest.mark.behaviour("serve.reload")
def test_a_server_reloads_packages_as_they_change_and_keeps_the_last_good_version(repo: Path, home: Path) -> None:
    """Spec: `watchfiles` drives hot reload in `serve`; a broken edit keeps the last good version."""
    with serving(cwd=repo, home=home, variables={"PROWESS_API_KEY": KEY}) as server:
        assert "Packages are reloaded as they change, Python code is not" in server.greeting

        def state() -> tuple[object, object]:
            told = health(server.port)
            return told["skills"], told["problems"]

        def run(name: str) -> object:
            connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
            connection.request("POST", f"/v1/skills/{name}/run", "{}", headers)
            told = json.loads(connection.getresponse().read())
            connection.close()
            return told["output"]["instructions"] if told["ok"] else told["error"]["code"]

        until(state, (1, 0))
        put(repo / ".agents" / "skills" / "new", body="# New\n")  # a folder that was not there
        until(state, (2, 0))
        (repo / ".claude" / "skills" / "pdf" / "SKILL.md").write_text("broken")
        until(state, (2, 1))
        assert run("pdf") == "# Steps\n"
        put(repo / ".claude" / "skills" / "pdf", body="# Mended\n")
        until(lambda: (*state(), run("pdf")), (2, 0, "# Mended\n"))
        (repo / ".agents" / "skills" / "new" / "SKILL.md").unlink()
        until(state, (1, 0))
        until(lambda: run("new"), "not_found")
        assert server.stop() == 0


@pytest.mark.behaviour("serve.reload-replaced")
@pytest.mark.parametrize("how", ["removed", "moved", "moved above"])
def test_a_server_follows_a_folder_that_took_anothers_place(how: str, repo: Path, home: Path) -> None:
    """Regression: the folder that was there before was watched for ever, and nothing was reloaded any more."""
    skills = repo / ".claude" / "skills"
    with serving(cwd=repo, home=home) as server:
        until(lambda: health(server.port)["skills"], 1)
        for number in range(2):
            if how == "removed":
                rmtree(skills)
                skills.mkdir()
            else:
                old = skills if how == "moved" else skills.parent
                old.rename(repo / f"{number}")
                skills.mkdir(parents=True)
            put(skills / "a")
            put(skills / "b")
            until(lambda: health(server.port)["skills"], 2)
            put(skills / "c")
            until(lambda: health(server.port)["skills"], 3)
            rmtree(skills / "a")
            until(lambda: health(server.port)["skills"], 2)
        assert server.stop() == 0


@pytest.mark.behaviour("serve.reload-linked")
def test_a_server_reloads_what_links_lead_to_and_archives(tmp_path: Path, home: Path) -> None:
    """Choice: whoever links a skill edits it where it is."""
    project = tmp_path / "project"
    (project / "skills").mkdir(parents=True)
    put(tmp_path / "away" / "pdf")
    (project / "skills" / "pdf").symlink_to(tmp_path / "away" / "pdf")
    zip_of(tmp_path / "bundle.zip", {"csv/SKILL.md": b"---\nname: csv\ndescription: Do it.\n---\n"})
    (project / "prowess.toml").write_text('[skills]\npaths = ["../bundle.zip"]\n', encoding="utf-8")
    with serving(cwd=project, home=home) as server:
        until(lambda: health(server.port)["skills"], 2)
        put(tmp_path / "away" / "pdf" / "inner")
        until(lambda: health(server.port)["skills"], 3)
        other = zip_of(tmp_path / "other.zip", {"a/SKILL.md": b"---\nname: a\ndescription: Do it.\n---\n", "b": b""})
        other.replace(tmp_path / "bundle.zip")
        (tmp_path / "away" / "pdf" / "inner" / "SKILL.md").unlink()
        until(lambda: health(server.port)["skills"], 2)
        assert server.stop() == 0


@pytest.mark.behaviour("serve.not-watched")
def test_a_server_that_is_told_not_to_watch_says_so(repo: Path, home: Path) -> None:
    """Choice: where watching is not wanted, or cannot be had, everything else works."""
    with serving(cwd=repo, home=home, variables={"PROWESS_SERVER_WATCH": "false"}) as server:
        assert "Nothing is reloaded when it changes" in server.greeting
        assert server.stop() == 0
