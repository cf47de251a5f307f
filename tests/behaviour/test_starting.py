"""From nothing to a running project: `new`, `init`, `doctor`, `completion`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from prowess.cli.main import COMMANDS
from tests.behaviour.processes import PATIENCE, environment, prowess

if TYPE_CHECKING:
    from pathlib import Path


def finding(path: Path, home: Path, about: str) -> list[dict[str, str]]:
    """Give what doctor says about one thing."""
    report = json.loads(prowess("doctor", "--json", cwd=path, home=home).out)
    return [one for one in report["findings"] if one["about"] == about]


@pytest.mark.behaviour("starting.new-project")
def test_a_new_project_runs_at_once_with_its_test_green(home: Path) -> None:
    """Spec: from nothing to calling a skill in five minutes."""
    made = prowess("new", "project", "hello", cwd=home, home=home)
    assert "prowess run greet name=Ada" in made.out
    project = home / "hello"
    assert prowess("run", "greet", "name=Ada", cwd=project, home=home).out == "Hello, Ada!\n"
    assert prowess("doctor", cwd=project, home=home).code == 0
    tests = [sys.executable, "-m", "unittest"]
    done = subprocess.run(tests, cwd=project, env=environment(home), capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, b"Ran 1 test" in done.stderr) == (0, True), done.stderr


@pytest.mark.behaviour("starting.new-skill")
def test_a_new_skill_is_found_and_runs(home: Path) -> None:
    """Spec: `prowess new skill`."""
    prowess("new", "project", "hello", cwd=home, home=home)
    project = home / "hello"
    assert prowess("new", "skill", "say-more", cwd=project, home=home).code == 0
    assert prowess("run", "say_more", "text=hey", cwd=project, home=home).out == "hey\n"


@pytest.mark.behaviour("starting.new-refused")
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("skill", "greet"), "already"),
        (("skill", "class"), "cannot name a Python function"),
        (("skill", "2fa"), "cannot name a Python function"),
        (("skill", "test_it"), "test"),
        (("skill", "Say"), "is not a name"),
        (("skill", "acme/say"), "namespace"),
        (("skill", "../say"), "is not a name"),
        (("skill", ""), "is empty"),
        (("project", "Bad Name"), "is not a name"),
        (("project", "."), "is empty"),
        (("project", "skills"), "not empty"),
    ],
)
def test_a_name_that_would_not_work_is_refused_and_nothing_written(
    words: tuple[str, str], hint: str, home: Path
) -> None:
    """Spec: names are checked."""
    prowess("new", "project", "hello", cwd=home, home=home)
    project = home / "hello"
    before = sorted(project.rglob("*.py"))
    ended = prowess("new", *words, cwd=project, home=home)
    assert (ended.code, hint in ended.err) == (2, True), ended
    assert sorted(project.rglob("*.py")) == before


@pytest.mark.behaviour("starting.init")
def test_init_makes_a_project_of_a_folder_and_never_overwrites(home: Path) -> None:
    """Spec: `prowess init`."""
    assert prowess("init", cwd=home, home=home).code == 0
    assert prowess("new", "skill", "say", cwd=home, home=home).code == 0
    assert prowess("list", "--names", cwd=home, home=home).out == "say\n"
    settings = home / "prowess.toml"
    settings.write_text("# mine\n", encoding="utf-8")
    ended = prowess("init", cwd=home, home=home)
    assert (ended.code, settings.read_text(encoding="utf-8")) == (2, "# mine\n")


@pytest.mark.behaviour("starting.init-modules")
def test_init_names_the_modules_that_are_there(home: Path) -> None:
    """Choice: a folder that has skills already needs no moving of files."""
    text = 'from prowess import op\n\n@op\nasync def hi() -> str:\n    """Say hi."""\n    return "hi"\n'
    (home / "greetings.py").write_text(text, encoding="utf-8")
    (home / "unrelated.py").write_text("raise SystemExit\n", encoding="utf-8")
    prowess("init", cwd=home, home=home)
    ended = prowess("list", "--names", cwd=home, home=home)
    assert (ended.out, ended.err) == ("hi\n", "")


@pytest.mark.behaviour("starting.new-skill")
@pytest.mark.parametrize(
    ("settings", "file", "advice"),
    [
        ('folders = ["more", "skills"]', "more/say.py", "Try:  prowess run say text=hello"),
        ('modules = ["one", "tools.skills.*"]', "tools/skills/say.py", "Try:  prowess run say text=hello"),
        ('modules = ["one"]', "say.py", "Add \"say\" to 'modules' in "),
    ],
)
def test_a_new_skill_is_written_where_the_project_keeps_its_skills(
    settings: str, file: str, advice: str, home: Path
) -> None:
    """Spec: `prowess new skill` writes where the settings look, or says what is left to do."""
    (home / "prowess.toml").write_text(f"{settings}\n", encoding="utf-8")
    ended = prowess("new", "skill", "say", cwd=home, home=home)
    assert ended.out.splitlines()[0] == f"Wrote {home / file}."
    assert ended.out.splitlines()[1].startswith(advice)
    assert (home / file).exists()


@pytest.mark.behaviour("starting.new-skill")
def test_a_folder_without_settings_takes_a_new_skill_and_a_file_does_not(home: Path) -> None:
    """Choice: one file is enough to begin, and a second one is found beside it."""
    (home / "first.py").write_text("", encoding="utf-8")
    refused = prowess("-C", "first.py", "new", "skill", "say", cwd=home, home=home)
    assert (refused.code, "is one file" in refused.err) == (1, True), refused
    assert prowess("-C", ".", "new", "skill", "say", cwd=home, home=home).code == 0
    assert prowess("-C", ".", "run", "say", "text=hey", cwd=home, home=home).out == "hey\n"


@pytest.mark.behaviour("starting.init-odd-names")
def test_init_copes_with_names_that_settings_and_imports_do_not_take(home: Path) -> None:
    """Regression: a backslash in a folder's name, or a dash in a file's, gave a project that could not be opened."""
    folder = home / 'C:\\"new" skills'
    folder.mkdir()
    for name in ("my-skills.py", "mine.py"):
        (folder / name).write_text("import prowess\n", encoding="utf-8")
    assert "Left out: my-skills.py" in prowess("init", cwd=folder, home=home).out
    listed = prowess("list", "--json", cwd=folder, home=home)
    assert (json.loads(listed.out)["project"], json.loads(listed.out)["problems"]) == (folder.name, [])
    refused = prowess("-C", "nowhere", "init", cwd=home, home=home)
    assert (refused.code, "there is no folder" in refused.err) == (2, True), refused


@pytest.mark.behaviour("starting.unwritable")
def test_what_cannot_be_written_is_told_with_its_place(home: Path) -> None:
    """Choice: no traceback for what the file system does not allow."""
    (home / "file").write_text("", encoding="utf-8")
    ended = prowess("-C", "file", "new", "project", "hello", cwd=home, home=home)
    assert (ended.code, ended.err) == (1, "prowess: file/hello: Not a directory\n")


@pytest.mark.behaviour("doctor.problems")
def test_doctor_finds_each_problem_and_ends_with_1(notes: Path, home: Path) -> None:
    """Spec: `prowess doctor`; exit code 1 where problems are found."""
    (notes / "broken.py").write_text("import no_such_package\n", encoding="utf-8")
    (notes / "lost.py").write_text(
        'from prowess import skill\n\n@skill(calls=["serch_index"])\nasync def lost() -> None:\n    """Get lost."""\n',
        encoding="utf-8",
    )
    (notes / "random.py").write_text("", encoding="utf-8")
    (notes / "queue").mkdir()
    (notes / "queue" / "__init__.py").touch()
    (notes / "prowess.toml").write_text('modules = ["note_skills", "broken", "lost"]\n', encoding="utf-8")
    keys = home / ".prowess" / "apikeys"
    keys.mkdir(parents=True, mode=0o700)
    (keys / "8765.key").touch(mode=0o644)
    (keys / "8765.key").chmod(0o644)
    ended = prowess("doctor", cwd=notes, home=home)
    assert ended.code == 1
    for text in (
        "broken.py:1: broken: it needs a module that is not installed: no_such_package",
        "serch_index",
        "random.py has the name of Python's own module 'random'",
        "queue has the name of Python's own module 'queue'",
        "chmod 600",
    ):
        assert text in ended.out, ended


@pytest.mark.behaviour("doctor.index")
def test_doctor_tells_the_state_of_the_index(notes: Path, home: Path) -> None:
    """Choice: why a list is slow is a question for the doctor."""
    assert "is not there yet" in finding(notes, home, "index")[0]["text"]
    prowess("list", cwd=notes, home=home)
    assert "is up to date" in finding(notes, home, "index")[0]["text"]
    (notes / "note_skills.py").touch()
    assert "is out of date" in finding(notes, home, "index")[0]["text"]
    shutil.rmtree(notes / ".prowess")
    (notes / ".prowess").touch()
    assert "cannot be written" in finding(notes, home, "index")[0]["text"]


@pytest.mark.behaviour("doctor.bare")
def test_doctor_looks_at_one_file_too(notes: Path, home: Path) -> None:
    """Choice: one file is enough to begin, and to ask what is wrong with it."""
    ended = prowess("-C", "note_skills.py", "doctor", cwd=notes, home=home)
    assert ended.code == 0
    assert f"note     project: {notes / 'note_skills.py'} has no prowess.toml\nok       entries: 6\n" in ended.out


@pytest.mark.behaviour("starting.new-refused")
def test_a_new_skill_is_not_written_beside_a_built_file(notes: Path, home: Path) -> None:
    """Regression: it went into the cache, where the file's code was unpacked."""
    assert prowess("build", "-o", "notes.prowess", cwd=notes, home=home).code == 0
    ended = prowess("-C", "notes.prowess", "new", "skill", "shout", cwd=notes, home=home)
    assert (ended.code, "is a built file" in ended.err, ended.out) == (1, True, ""), ended


@pytest.mark.behaviour("doctor.built")
@pytest.mark.parametrize("words", [("doctor",), ("doctor", "--json")])
def test_doctor_looks_at_a_built_file(words: tuple[str, ...], notes: Path, home: Path) -> None:
    """Regression: it looked for an index of the file for ever."""
    assert prowess("build", "-o", "notes.prowess", cwd=notes, home=home).code == 0
    ended = prowess("-C", "notes.prowess", *words, cwd=notes, home=home)
    assert (ended.code, "notes.prowess, which 'prowess build' made of 'notes'" in ended.out) == (0, True), ended


@pytest.mark.behaviour("doctor.index")
def test_doctor_ends_where_the_cache_has_a_relative_path(notes: Path, home: Path) -> None:
    """Regression: it went upwards from a relative path for ever."""
    variables = {"XDG_CACHE_HOME": "cache"}
    (notes / "prowess.toml").unlink()
    assert prowess("-C", ".", "doctor", cwd=notes, home=home, variables=variables).code == 0


@pytest.mark.behaviour("doctor.settings")
def test_doctor_tells_what_run_and_build_would_refuse(notes: Path, home: Path) -> None:
    """Regression: it found no problem in settings with which nothing runs."""
    (notes / "prowess.toml").write_text(
        'modules = ["note_skills"]\n[runtime]\nengine = "memry"\n[build]\ninclude = ["notes", "nowhere", "../x"]\n',
        encoding="utf-8",
    )
    ended = prowess("doctor", cwd=notes, home=home)
    assert ended.code == 1
    for text in ("no engine 'memry'", "did you mean 'memory'", "names 'nowhere': there is no", "names '../x': "):
        assert text in ended.out, ended
    assert "[build] include in prowess.toml names 'nowhere'" in prowess("build", cwd=notes, home=home).err


@pytest.mark.behaviour("doctor.no-project")
def test_doctor_without_a_project_still_looks_at_the_installation(home: Path) -> None:
    """Choice: a broken installation is what one calls a doctor for."""
    ended = prowess("doctor", cwd=home, home=home)
    assert ended.code == 1
    assert "ok       Python" in ended.out
    assert "prowess init" in ended.out


@pytest.mark.behaviour("commands.completion")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_knows_commands_options_and_asks_for_names(shell: str, home: Path) -> None:
    """Spec: completes names in the shell."""
    script = prowess("completion", shell, cwd=home, home=home).out
    assert all(name in script for name in COMMANDS)
    assert f"prowess completion {shell} -- " in script
    assert "timeout" in script
    assert script.startswith("#compdef prowess\n# Completes" if shell == "zsh" else "# Completes prowess in ")
    assert "/shtab" not in script.partition("_shtab_prowess")[0]  # a head of its own, which named another place


@pytest.mark.behaviour("commands.completes-names")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("run", "search"), ["search_index", "search_notes"]),
        (("-C", "{}", "run", "search"), ["search_index", "search_notes"]),
        (("run", "--project={}", "search"), ["search_index", "search_notes"]),
        (("-C", "nowhere", "run", "search"), []),
        (("run", "search_notes", ""), ["query=", "limit="]),
        (("run", "search_notes@^1", "limit", "=", "3", ""), ["query="]),
        (("run", "nobody", ""), []),
        (("run", "--json", "search"), ["search_index", "search_notes"]),
        (("show", "search_notes", ""), []),
    ],
)
def test_bash_completes_the_names_of_skills_and_of_their_inputs(
    typed: tuple[str, ...], offered: list[str], notes: Path, home: Path
) -> None:
    """Regression: names were those of the present folder, whatever `-C` said, and inputs had to be known by heart."""
    script = home / "completion.bash"
    script.write_text(prowess("completion", "bash", cwd=home, home=home).out, encoding="utf-8")
    words = " ".join(f"'{word.format(notes)}'" for word in ("prowess", *typed))
    ask = (
        f'prowess() {{ "{sys.executable}" -m prowess.cli.main "$@"; }}; source {script}; '
        f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _prowess; printf '%s\\n' ${{COMPREPLY[@]}}"
    )
    here = notes if "{}" not in "".join(typed) else home
    done = subprocess.run(
        ["/bin/bash", "-c", ask], cwd=here, env=environment(home), capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.decode().split() == offered, done.stderr


@pytest.mark.behaviour("commands.completes-names")
def test_behind_a_command_that_takes_no_entry_there_is_none(notes: Path, home: Path) -> None:
    """Choice: what cannot stand there is not offered."""
    assert prowess("completion", "bash", "--", "tools", cwd=notes, home=home).out == ""
    assert prowess("completion", "bash", "--", "-C", cwd=notes, home=home).out == ""
