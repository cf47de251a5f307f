"""Packages in lists, and shown and run one by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import prowess
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.behaviour("commands.list-packages")
def test_a_repository_with_clients_folders_alone_is_listed_from_anywhere_inside_and_nothing_is_left_there(
    repo: Path, home: Path
) -> None:
    """Spec: `prowess list` in a repository that has only `.claude/skills`."""
    (repo / "src" / "deep").mkdir(parents=True)
    before = sorted(repo.rglob("*"))
    line = "pdf\t\tpackage\tenabled\t.claude/skills/pdf\tFill forms. Use when asked.\n"
    for _ in range(2):
        ended = prowess("list", cwd=repo / "src" / "deep", home=home)
        assert (ended.out, ended.err, ended.code) == (line, "", 0)
    assert prowess("list", "--kind", "package", "--names", cwd=repo, home=home).out == "pdf\n"
    assert sorted(repo.rglob("*")) == before


@pytest.mark.behaviour("commands.list-packages")
def test_a_folder_of_packages_is_listed_by_naming_it(tmp_path: Path, home: Path) -> None:
    """Spec: `prowess list -C folder`."""
    put(tmp_path / "collection" / "group" / "pdf")
    put(home / ".claude" / "skills" / "mine")
    ended = prowess("-C", str(tmp_path / "collection"), "list", cwd=home, home=home)
    assert [line.split("\t")[4] for line in ended.out.splitlines()] == ["group/pdf"]


@pytest.mark.behaviour("commands.package-problems")
def test_problems_of_packages_are_told_and_notes_left_to_the_doctor(repo: Path, home: Path) -> None:
    """Spec: one bad skill never stops the rest, and each problem is told."""
    put(repo / ".agents" / "skills" / "pdf", description="Other. Use when asked.")
    put(home / ".agents" / "skills" / "pdf", description="Other. Use when asked.")
    bad = repo / "skills" / "bad"
    bad.mkdir(parents=True)
    (bad / "SKILL.md").write_text("broken")
    for _ in range(2):
        ended = prowess("list", cwd=repo, home=home)
        assert [line.split("\t")[0] for line in ended.out.splitlines()] == ["pdf", "project/pdf"]
        assert "2 problems:" in ended.err
        assert ".claude/skills/pdf/SKILL.md: pdf: .agents/skills/pdf has the name 'pdf' already" in ended.err
        assert "skills/bad/SKILL.md:1: bad:" in ended.err
    report = json.loads(prowess("doctor", "--json", cwd=repo, home=home).out)
    states = {one["about"]: one["state"] for one in report["findings"]}
    assert (states["same-package"], states["shadowed"], states["packages"]) == ("note", "note", "ok")
    assert (report["ok"], states["index"]) == (False, "ok")


@pytest.mark.behaviour("commands.show-package")
def test_a_package_is_shown_and_run_like_any_skill(repo: Path, home: Path) -> None:
    """Spec: `show` and `run`."""
    fields = "name: pdf\ndescription: Fill forms.\nlicense: MIT\nauthor: Ada\nallowed-tools: Read, Bash(git add *)\n"
    (repo / ".claude" / "skills" / "pdf" / "SKILL.md").write_text(f"---\n{fields}---\n# Do\n")
    out = prowess("show", "pdf", cwd=repo, home=home).out
    for text in ("pdf  (package, enabled, from .claude/skills/pdf)", "License: MIT", "Author: Ada", "Bash(git add *)"):
        assert text in out
    ran = json.loads(prowess("run", "pdf", cwd=repo, home=home).out)
    assert ran == {"instructions": "# Do\n", "resources": ["run.sh"]}
