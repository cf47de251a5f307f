"""`prowess lint`, as its users have it."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import prowess

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "---\nname: {name}\ndescription: Reads PDF files. Use when there is one.\n---\nText.\n"


@pytest.fixture
def skills(tmp_path: Path) -> Path:
    """Give a folder with a sound skill, one with a warning, one with an error and one that cannot be loaded."""
    folder = tmp_path / "skills"
    texts = {
        "good": GOOD.format(name="good"),
        "colon": "---\nname: colon\ndescription: Use for X: y\n---\nText.\n",
        "other": GOOD.format(name="another"),
        "none": "# nothing\n",
    }
    for name, text in texts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.behaviour("lint.lines", "lint.exit")
def test_lint_prints_a_line_for_every_problem_and_the_counts(skills: Path, home: Path) -> None:
    """Spec: `path:line:column: severity code: message (fix)`, with a count line."""
    ended = prowess("lint", "skills", cwd=skills.parent, home=home)
    lines = ended.out.splitlines()
    assert ended.code == 1
    assert ended.err == ""
    assert [line.split(": ")[:2] for line in lines[:-1]] == [
        ["skills/colon/SKILL.md:3:23", "warning frontmatter-quotes"],
        ["skills/none/SKILL.md:1:1", "error frontmatter-missing"],
        ["skills/other/SKILL.md:2:7", "error name-folder"],
    ]
    assert lines[2].endswith("is not that of its folder, 'other' (rename one of the two)")
    assert lines[-1] == "4 skills, 2 errors, 1 warning"


@pytest.mark.behaviour("lint.exit")
def test_lint_ends_with_0_where_there_are_only_warnings(skills: Path, home: Path) -> None:
    """Spec: exit 1 where there are errors."""
    ended = prowess("lint", "good", "colon/SKILL.md", "good/SKILL.md", cwd=skills, home=home)
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "2 skills, 0 errors, 1 warning")
    assert prowess("lint", cwd=skills / "good", home=home).out == "1 skill, 0 errors, 0 warnings\n"
    assert prowess("-C", "good", "lint", cwd=skills, home=home).out == "1 skill, 0 errors, 0 warnings\n"


@pytest.mark.behaviour("lint.json")
def test_lint_as_json_has_a_row_for_every_file_loadable_or_not(skills: Path, home: Path) -> None:
    """Spec: one row for every SKILL.md found, loadable or not."""
    os.mkfifo(skills / "good" / "skill.md")
    ended = prowess("lint", "--json", str(skills), cwd=home, home=home)
    rows = json.loads(ended.out)["skills"]
    assert ended.code == 1
    assert [(row["path"], row["name"], row["loadable"]) for row in rows] == [
        (str(skills / "colon" / "SKILL.md"), "colon", True),
        (str(skills / "good" / "SKILL.md"), "good", True),
        (str(skills / "good" / "skill.md"), "good", False),
        (str(skills / "none" / "SKILL.md"), "none", False),
        (str(skills / "other" / "SKILL.md"), "another", True),
    ]
    assert rows[1]["problems"] == []
    assert rows[3]["problems"] == [
        {
            "code": "frontmatter-missing",
            "severity": "error",
            "line": 1,
            "column": 1,
            "message": "there is no front matter: the first line is not ---",
            "fix": "begin the file with a line ---, then name: and description:, then a line ---",
        }
    ]
    assert {problem["code"] for problem in rows[2]["problems"]} == {"file-kind", "file-name"}


@pytest.mark.behaviour("lint.usage", "skillmd.unknown-profile")
def test_bad_usage_ends_with_2_and_what_was_meant(skills: Path, home: Path) -> None:
    """Spec: 2 for bad usage; unknown profile names near ones."""
    ended = prowess("lint", "--profile", "cluade", cwd=skills, home=home)
    assert (ended.code, ended.out) == (2, "")
    assert "did you mean 'claude'?" in ended.err
    ended = prowess("lint", "--profil", "claude", cwd=skills, home=home)
    assert (ended.code, ended.out) == (2, "")
    assert "did you mean '--profile'?" in ended.err


@pytest.mark.behaviour("lint.missing-path")
def test_a_path_that_does_not_exist_is_an_error_and_the_others_are_looked_at(skills: Path, home: Path) -> None:
    """Spec: a path that does not exist is an error."""
    ended = prowess("lint", "nowhere", "good", cwd=skills, home=home)
    assert ended.code == 1
    assert ended.out == "1 skill, 0 errors, 0 warnings\n"
    assert ended.err == "prowess: nowhere: No such file or directory\n"


@pytest.mark.behaviour("skillmd.profiles")
def test_profiles_say_which_clients_load_a_skill(skills: Path, home: Path) -> None:
    """Spec: `prowess lint PATH… --profile claude,adk`."""
    ended = prowess("lint", "colon", "--profile", "claude,adk", "--json", cwd=skills, home=home)
    (row,) = json.loads(ended.out)["skills"]
    assert (ended.code, row["loadable"]) == (1, False)
    assert "claude and adk do not load it" in row["problems"][0]["message"]
    ended = prowess("lint", "colon", "--profile=gemini", "--profile=fastmcp", cwd=skills, home=home)
    assert ended.code == 0


@pytest.mark.behaviour("lint.fix")
def test_fix_writes_what_it_repaired_and_says_so(skills: Path, home: Path) -> None:
    """Spec: writes atomically, keeps the mode, and prints what it repaired."""
    file = skills / "colon" / "SKILL.md"
    file.chmod(0o604)
    untouched = (skills / "good" / "SKILL.md").stat()
    ended = prowess("lint", "--fix", "colon", "good", cwd=skills, home=home)
    assert ended.code == 0
    assert ended.out.splitlines()[0].startswith("colon/SKILL.md:3:23: repaired frontmatter-quotes: ")
    assert ended.out.splitlines()[1:] == ["2 skills, 0 errors, 0 warnings, 1 repaired"]
    assert file.read_text(encoding="utf-8") == '---\nname: colon\ndescription: "Use for X: y"\n---\nText.\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o604
    assert (skills / "good" / "SKILL.md").stat().st_ino == untouched.st_ino
    assert prowess("lint", "--fix", "colon", cwd=skills, home=home).out == "1 skill, 0 errors, 0 warnings\n"


@pytest.mark.behaviour("lint.fix-unwritable")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_file_that_cannot_be_written_stops_no_other(words: tuple[str, ...], skills: Path, home: Path) -> None:
    """Regression: everything after it was left out, and the message named a temporary file."""
    file = skills / "colon" / "SKILL.md"
    text = file.read_text(encoding="utf-8")
    file.symlink_to(file.rename(file.with_name("x" * 250)))  # beside it there is no room for a longer name
    (skills / "late").mkdir()
    (skills / "late" / "SKILL.md").write_text(text.replace("colon", "late"), encoding="utf-8")
    ended = prowess("lint", "--fix", *words, "colon", "late", "good", cwd=skills, home=home)
    assert (ended.code, "colon/SKILL.md: cannot be repaired: File name too long" in ended.err) == (1, True), ended
    assert '"Use for X: y"' in (skills / "late" / "SKILL.md").read_text(encoding="utf-8")
    if words:
        rows = json.loads(ended.out)["skills"]
        assert [(row["name"], len(row["problems"])) for row in rows] == [("colon", 1), ("late", 0), ("good", 0)]


@pytest.mark.behaviour("lint.missing-path", "lint.usage")
def test_nothing_is_counted_where_nothing_was_looked_at_and_a_built_file_is_refused(skills: Path, home: Path) -> None:
    """Regression: '0 skills' stood below the error, and a built file was taken for a SKILL.md."""
    assert prowess("lint", "nowhere", cwd=skills, home=home).out == ""
    assert prowess("-C", ".", "build", "-o", "x.prowess", cwd=skills, home=home).code in {0, 1}
    ended = prowess("lint", "-C", "x.prowess", cwd=skills, home=home)
    assert (ended.code, "x.prowess is a built file" in ended.err) == (2, True), ended


def test_fix_and_json_tell_of_repairs_apart_from_the_output(skills: Path, home: Path) -> None:
    """Choice: a script gets its JSON, a person still learns what was written."""
    ended = prowess("lint", "--fix", "--json", "colon", cwd=skills, home=home)
    assert json.loads(ended.out)["skills"][0]["problems"] == []
    assert "repaired frontmatter-quotes" in ended.err


def test_what_a_file_says_cannot_steer_the_terminal(skills: Path, home: Path) -> None:
    """Choice: a skill's text is text, whatever it holds."""
    (skills / "good" / "SKILL.md").write_text('---\nname: "a\\e[2J\\nb"\ndescription: d\n---\nx\n', encoding="utf-8")
    ended = prowess("lint", "good", cwd=skills, home=home)
    assert "\x1b" not in ended.out
    assert len(ended.out.splitlines()) == 3
