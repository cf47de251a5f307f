"""`prowess lock` and `prowess trust`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.index_format import replace_file
from tests.behaviour.processes import at_terminal, prowess
from tests.unit.catalog.archives.making import killed_at
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.behaviour("lock.command")
def test_lock_writes_one_file_and_check_names_what_differs(repo: Path, home: Path) -> None:
    """Spec: `prowess lock`, `prowess lock --check`: exit 1 on drift, showing which files."""
    missing = prowess("lock", "--check", cwd=repo, home=home)
    assert (missing.code, "'prowess lock' writes it" in missing.err) == (1, True)
    assert prowess("lock", cwd=repo, home=home).out == f"{repo}/prowess.lock: 1 package\n"
    lock = repo / "prowess.lock"
    before = (lock.read_bytes(), lock.stat().st_mtime_ns)
    assert json.loads(prowess("lock", "--json", cwd=repo, home=home).out) == {"file": str(lock), "packages": 1}
    assert (lock.read_bytes(), lock.stat().st_mtime_ns) == before
    assert prowess("lock", "--check", cwd=repo, home=home).code == 0
    (repo / ".claude" / "skills" / "pdf" / "run.sh").write_text("echo two\n")
    put(repo / ".claude" / "skills" / "new")
    ended = prowess("lock", "--check", cwd=repo, home=home)
    assert (ended.code, ended.out) == (1, "+ new: added\n~ pdf: changed\n    ~ run.sh\n")
    told = json.loads(prowess("lock", "--check", "--json", cwd=repo, home=home).out)
    assert (told["ok"], [one["name"] for one in told["packages"]]) == (False, ["new", "pdf"])
    assert told["packages"][1]["files"] == [{"what": "run.sh", "how": "changed"}]
    lock.write_bytes(b"\xff")
    assert "no UTF-8" in prowess("lock", "--check", cwd=repo, home=home).err
    assert prowess("lock", cwd=repo, home=home).code == 0


@pytest.mark.behaviour("digest.every-byte", "digest.remarks")
def test_a_planted_compiled_file_ends_trust_and_is_told_by_the_lock(repo: Path, home: Path) -> None:
    """Regression: Python ran it, and both said that all was as it had been."""
    prowess("lock", cwd=repo, home=home)
    prowess("trust", "pdf", "--yes", cwd=repo, home=home)
    planted = repo / ".claude" / "skills" / "pdf" / "__pycache__" / "helper.cpython-311.pyc"
    planted.parent.mkdir()
    planted.write_bytes(b"evil")
    ended = prowess("lock", "--check", cwd=repo, home=home)
    assert (ended.code, "__pycache__/helper.cpython-311.pyc: Python runs this" in ended.out) == (1, True)
    asked = prowess("trust", "pdf", cwd=repo, home=home)
    assert (asked.code, "__pycache__/helper.cpython-311.pyc: Python runs this" in asked.out) == (1, True)
    put(repo / ".claude" / "skills" / "both")
    put(repo / ".claude" / "skills" / "both" / "inner")
    assert "inner is a package of its own" in prowess("trust", "both", "--yes", cwd=repo, home=home).out


@pytest.mark.behaviour("lock.moved")
def test_a_package_that_moved_or_has_another_version_differs(repo: Path, home: Path) -> None:
    """Choice: source and version are written down, so they are checked."""
    prowess("lock", cwd=repo, home=home)
    (repo / ".agents").mkdir()
    (repo / ".claude" / "skills").rename(repo / ".agents" / "skills")
    ended = prowess("lock", "--check", cwd=repo, home=home)
    assert (ended.code, ended.out) == (1, "~ pdf: changed\n    source changed\n")


@pytest.mark.behaviour("trust.command")
def test_trust_shows_what_a_package_holds_and_later_what_changed(repo: Path, home: Path) -> None:
    """Spec: `prowess trust NAME`, asked again, with a diff, when bytes change."""
    refused = prowess("trust", "pdf", cwd=repo, home=home)
    assert (refused.code, "--yes" in refused.err) == (1, True)
    first = prowess("trust", "pdf", "--yes", cwd=repo, home=home)
    assert "  file  SKILL.md\n  file  run.sh\n" in first.out
    assert prowess("trust", "pdf", cwd=repo, home=home).code == 0
    (repo / ".claude" / "skills" / "pdf" / "run.sh").write_text("echo two\n")
    assert prowess("trust", "pdf", cwd=repo, home=home).code == 1
    again = prowess("trust", "pdf", "--yes", cwd=repo, home=home)
    assert "-echo one\n+echo two\n" in again.out
    rows = json.loads(prowess("trust", "--list", "--json", cwd=home, home=home).out)["trusted"]
    assert [row["name"] for row in rows] == ["pdf", "pdf"]
    assert prowess("trust", "--list", cwd=home, home=home).out.startswith("pdf\tsha256:")
    assert prowess("trust", "pdf", "--revoke", cwd=repo, home=home).code == 0
    assert prowess("trust", "pdf", "--revoke", cwd=repo, home=home).code == 1
    assert prowess("trust", "pdf", cwd=repo, home=home).code == 1
    assert not (repo / ".prowess").exists()


@pytest.mark.behaviour("trust.list")
def test_the_list_of_what_is_trusted_tells_what_changed_since(repo: Path, home: Path) -> None:
    """Spec: trust is bound to the digest; whoever looks at the list sees which of it still holds."""

    def listed() -> tuple[str, dict[str, object]]:
        (row,) = json.loads(prowess("trust", "--list", "--json", cwd=home, home=home).out)["trusted"]
        return prowess("trust", "--list", cwd=home, home=home).out.split("\t")[2], row

    package = repo / ".claude" / "skills" / "pdf"
    prowess("trust", "pdf", "--yes", cwd=repo, home=home)
    state, row = listed()
    assert (state, row["state"], row["folder"]) == ("same", "same", str(package))
    (package / "run.sh").write_text("echo two\n")
    for name in "abcd":
        (package / name).touch()
    state, row = listed()
    assert state == "a is new; b is new; c is new and 2 more"
    assert row["state"] == "changed"
    assert row["files"] == [*({"path": name, "how": "is new"} for name in "abcd"), {"path": "run.sh", "how": "changed"}]
    package.rename(repo / "away")
    state, row = listed()
    assert (state, row["state"]) == ("gone", "gone")


@pytest.mark.behaviour("trust.built")
def test_a_package_in_a_built_file_is_trusted_by_the_same_digest(repo: Path, home: Path) -> None:
    """Regression: its files were looked for in a folder, and the command failed."""
    prowess("lock", cwd=repo, home=home)
    digest = json.loads((repo / "prowess.lock").read_text())["packages"]["pdf"]["digest"]
    assert prowess("build", "-o", str(home / "x.prowess"), cwd=repo, home=home).code == 0
    trusted = prowess("-C", "x.prowess", "trust", "pdf", "--yes", cwd=home, home=home)
    assert (trusted.code, f"is trusted as it is now ({digest})" in trusted.out) == (0, True)
    assert "is trusted as it is" in prowess("trust", "pdf", cwd=repo, home=home).out
    assert prowess("trust", "--list", cwd=home, home=home).out.split("\t")[1:3] == [digest, "same"]
    (repo / ".claude" / "skills" / "pdf" / "run.sh").write_text("echo two\n")
    assert prowess("build", "-o", str(home / "x.prowess"), cwd=repo, home=home).code == 0
    assert prowess("trust", "--list", cwd=home, home=home).out.split("\t")[2] == "run.sh changed"
    again = prowess("-C", "x.prowess", "trust", "pdf", "--yes", cwd=home, home=home)
    assert "-echo one\n+echo two\n" in again.out
    (home / "x.prowess").write_bytes(b"cut")
    assert "gone" in prowess("trust", "--list", cwd=home, home=home).out


@pytest.mark.behaviour("versions.told-once")
def test_a_version_that_is_none_is_lints_and_the_doctors_matter(repo: Path, home: Path) -> None:
    """Regression: every command warned of it, and lint, which is there to warn, did not."""
    text = "---\nname: pdf\ndescription: Do it.\nmetadata:\n  version: '1.10'\n---\n# Steps\n"
    (repo / ".claude" / "skills" / "pdf" / "SKILL.md").write_text(text)
    said = "the version '1.10' is not a semantic version: it compares as 1.10.0"
    assert said in prowess("lint", ".claude", cwd=repo, home=home).out
    assert prowess("lint", ".claude", cwd=repo, home=home).code == 0
    for command in (("list",), ("show", "pdf"), ("lock",), ("list",)):
        assert "1.10.0" not in prowess(*command, cwd=repo, home=home).err
    assert "it compares as 1.10.0" in prowess("doctor", cwd=repo, home=home).out


@pytest.mark.behaviour("trust.terminal")
@pytest.mark.parametrize(("answer", "code", "word"), [("y", 0, "is trusted as it is now"), ("", 1, "is not trusted")])
def test_a_person_at_the_terminal_is_asked(answer: str, code: int, word: str, repo: Path, home: Path) -> None:
    """Spec: asks at a terminal."""
    ended = at_terminal(["trust", "pdf"], [("[y/N]", f"{answer}\n")], cwd=repo, home=home)
    assert (ended.code, word in ended.out) == (code, True), ended


@pytest.mark.behaviour("trust.own")
def test_a_users_own_package_is_trusted_by_itself_and_what_is_no_package_never(repo: Path, home: Path) -> None:
    """Spec: packages from user sources are trusted by themselves."""
    put(home / ".claude" / "skills" / "mine")
    assert "by itself" in prowess("trust", "mine", cwd=repo, home=home).out
    assert prowess("trust", cwd=repo, home=home).code == 2
    assert "did you mean 'pdf'" in prowess("trust", "pdv", cwd=repo, home=home).err
    (repo / "tool_of_code.py").write_text('from prowess import op\n\n@op\nasync def add() -> None:\n    """Add."""\n')
    assert prowess("-C", str(repo), "trust", "add", cwd=repo, home=home).code == 2


@pytest.mark.behaviour("trust.long")
def test_a_package_with_very_many_files_is_shown_in_part(repo: Path, home: Path) -> None:
    """Choice: a terminal that scrolls for minutes shows nothing."""
    for number in range(500):
        (repo / ".claude" / "skills" / "pdf" / f"{number}.txt").touch()
    assert "lines more: look at" in prowess("trust", "pdf", "--yes", cwd=repo, home=home).out


@pytest.mark.behaviour("lock.killed")
def test_a_write_that_is_killed_at_any_step_leaves_the_old_lock_file_or_the_new_one(tmp_path: Path) -> None:
    """Spec: kill between write steps."""
    path = tmp_path / "prowess.lock"
    path.write_bytes(b"old")
    step = 0
    while killed_at(step, lambda: replace_file(str(path), b"new")):
        assert path.read_bytes() in {b"old", b"new"}
        step += 1
    assert (step > 1, path.read_bytes()) == (True, b"new")
