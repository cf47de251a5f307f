"""Which files are run, what is told of those that are not, and which variables count."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import prowess

if TYPE_CHECKING:
    from pathlib import Path

HELLO = '''
from prowess import op


@op
async def {name}() -> str:
    """Say hello."""
    return "hello"
'''
LOOKS_LIKE = '''
from prowess import BaseSkill, op


class Tools:
    @op
    async def inside(self) -> str:
        """Be inside a class."""
        return "no"


class Duck:
    name, description, parameters = "duck", "Quack.", {"type": "object"}

    async def execute(self) -> str:
        return "quack"


class Needy(BaseSkill):
    name, description, parameters = "needy", "Need a key.", {"type": "object"}

    def __init__(self, key: str) -> None:
        self.key = key

    async def execute(self) -> str:
        return self.key
'''


@pytest.mark.behaviour("project.only-ours")
def test_a_file_that_does_not_use_prowess_is_not_run(home: Path) -> None:
    """Regression: opening a folder ran every Python file in it."""
    (home / "hello.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "late.py").write_text("def use():\n    import os, prowess\n", encoding="utf-8")
    (home / "format_disk.py").write_text("raise SystemExit('prowess would have run this')\n", encoding="utf-8")
    for _ in range(2):
        ended = prowess("-C", ".", "list", cwd=home, home=home)
        assert (ended.out.split("\t")[0], ended.err) == ("hello", "")
    doctor = prowess("-C", ".", "doctor", cwd=home, home=home)
    assert "note     files: format_disk.py does not import prowess" in doctor.out
    assert "late.py" not in doctor.out


@pytest.mark.behaviour("project.only-ours")
def test_a_file_that_cannot_be_read_is_told(home: Path) -> None:
    """Choice: what is there and leads nowhere is a mistake that its owner wants to know of."""
    (home / "gone.py").symlink_to(home / "nowhere.py")
    (home / "hello.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    assert "gone" in prowess("-C", ".", "list", cwd=home, home=home).err


@pytest.mark.behaviour("project.only-ours")
def test_a_file_that_begins_to_use_prowess_is_found(home: Path) -> None:
    """Regression: the index would go on without it."""
    (home / "prowess.toml").write_text('folders = ["."]\n', encoding="utf-8")
    (home / "hello.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "later.py").write_text("pass\n", encoding="utf-8")
    assert prowess("list", "--names", cwd=home, home=home).out == "hello\n"
    (home / "later.py").write_text(HELLO.format(name="later"), encoding="utf-8")
    assert prowess("list", "--names", cwd=home, home=home).out == "hello\nlater\n"


@pytest.mark.behaviour("project.elsewhere")
def test_a_folder_beside_the_project_shows_paths_as_sources(home: Path) -> None:
    """Regression: the list showed the name that we give a module whose file has none."""
    (home / "other" / "skills").mkdir(parents=True)
    (home / "other" / "skills" / "hello.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "here").mkdir()
    (home / "here" / "prowess.toml").write_text('folders = ["../other/skills"]\n', encoding="utf-8")
    assert prowess("list", cwd=home / "here", home=home).out.split("\t")[4] == "../other/skills/hello.py"


@pytest.mark.behaviour("project.told")
def test_what_is_wrong_with_a_module_or_the_settings_is_told_as_what_it_is(home: Path) -> None:
    """Regression: a name was offered as what was meant by itself, Latin-1 was no Python, settings were not there."""
    (home / "prowess.toml").write_text('modules = ["a b", "latin", "wrong"]\n', encoding="utf-8")
    (home / "latin.py").write_bytes(b"import prowess\nx = '\xe9'\n")
    (home / "wrong.py").write_text("from prowess import op\n\nop(autonomy='L9')(print)\n", encoding="utf-8")
    problems = json.loads(prowess("list", "--json", cwd=home, home=home).out)["problems"]
    told = {one["subject"]: (one["code"], one["message"]) for one in problems}
    assert "did you mean" not in told["a b"][1]
    assert told["latin"][1].startswith("this is not UTF-8 text")
    assert told["wrong"][0] == "invalid_manifest"
    (home / "sub" / "prowess.toml").mkdir(parents=True)
    assert "prowess.toml is no file" in prowess("list", cwd=home / "sub", home=home).err


@pytest.mark.behaviour("doctor.no-skill")
def test_what_looks_like_a_skill_and_is_none_is_noted(home: Path) -> None:
    """Regression: methods, and classes that the registry cannot make, were passed over without a word."""
    (home / "alike.py").write_text(LOOKS_LIKE, encoding="utf-8")
    ended = prowess("-C", "alike.py", "doctor", cwd=home, home=home)
    notes = [line.removeprefix("note     no skill: ") for line in ended.out.splitlines() if "no skill: " in line]
    assert notes == [
        "alike.Tools.inside is decorated inside a class: only functions of a module are",
        "alike.Duck is a class without BaseSkill: inherit that, or make an instance",
        "alike.Needy is made with arguments: register a factory that gives them",
    ]


@pytest.mark.behaviour("commands.run-notes")
@pytest.mark.parametrize("words", [("run", "hello"), ("tools", "--json"), ("list",)])
def test_a_broken_module_and_a_double_are_told_by_every_command(words: tuple[str, ...], home: Path) -> None:
    """Regression: `run` worked with half of a project, and said nothing."""
    (home / "a.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "b.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "c.py").write_text("from prowess import nothing\n", encoding="utf-8")
    ended = prowess("-C", ".", *words, cwd=home, home=home)
    assert (ended.code, "2 problems:" in ended.err, "c.py:1: c: importing it failed" in ended.err) == (0, True, True)
    assert "b.py:5: hello: 'hello' is in the registry already (a.py defines it): this one is left out" in ended.err


@pytest.mark.behaviour("settings.variables-checked")
@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("PROWESS_PORT", "3", "PROWESS_SERVER_PORT"),
        ("PROWESS_SERVER_PORT", "abc", "PROWESS_SERVER_PORT"),
        ("PROWESS_SERVER_PROT", "1", "PROWESS_SERVER_PORT"),
        ("PROWESS_APIKEY", "x", "PROWESS_API_KEY"),
        ("PROWESS_SERVER_LOG", "loud", "use one of error, info, debug"),
    ],
)
def test_a_wrong_variable_is_told_also_where_the_index_would_do(
    variable: str, value: str, told: str, notes: Path, home: Path
) -> None:
    """Regression: with an index, `list` took whatever the variables said."""
    assert prowess("list", cwd=notes, home=home).code == 0
    ended = prowess("list", cwd=notes, home=home, variables={variable: value})
    assert (ended.code, variable in ended.err, told in ended.err) == (1, True, True), ended
    fine = {"PROWESS_SERVER_PORT": "3", "PROWESS_API_KEY": "whatever", "PROWESS_DEBUG": "1", "PROWESSLY": "x"}
    assert prowess("list", cwd=notes, home=home, variables=fine).code == 0


@pytest.mark.behaviour("project.missing-extra")
def test_a_module_that_an_extra_brings_is_told_with_it(home: Path) -> None:
    """Regression: whoever lacked Pydantic was not told that we can bring it."""
    (home / "needs.py").write_text("import prowess\nraise ModuleNotFoundError(name='tantivy')\n", encoding="utf-8")
    ended = prowess("-C", "needs.py", "list", cwd=home, home=home)
    assert "not installed: tantivy: pip install 'PATH/TO/prowess[search]'" in ended.err


@pytest.mark.behaviour("doctor.extras")
def test_doctor_tells_of_the_extras_that_something_uses(home: Path) -> None:
    """Regression: it told to install what nothing imports yet, and nothing of `search`."""
    findings = json.loads(prowess("doctor", "--json", cwd=home, home=home).out)["findings"]
    extras = [one["about"] for one in findings if one["about"].startswith("extra ")]
    assert extras == ["extra server", "extra search", "extra semantic", "extra pydantic"]


@pytest.mark.behaviour("starting.init-then-new")
def test_a_skill_that_is_written_after_init_is_found(home: Path) -> None:
    """Regression: in a folder with modules a new skill was written where nobody looked."""
    (home / "hello.py").write_text(HELLO.format(name="hello"), encoding="utf-8")
    (home / "skills").mkdir()
    assert prowess("init", cwd=home, home=home).code == 0
    assert prowess("doctor", cwd=home, home=home).code == 0
    assert "Try:  prowess run shout text=hello" in prowess("new", "skill", "shout", cwd=home, home=home).out
    assert prowess("run", "shout", "text=hello", cwd=home, home=home).out == "hello\n"
    assert prowess("list", "--names", cwd=home, home=home).out == "hello\nshout\n"
