"""Reading commands and `run`, as a script uses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import PATIENCE, PROWESS, Ended, environment, prowess

if TYPE_CHECKING:
    from pathlib import Path

NOISY = '''
import os, sys
print("a module talks while it is imported")
os.system("echo a child of the module talks")
from prowess import op

@op
async def talk() -> dict[str, int]:
    """Print, then answer."""
    print("a handler talks")
    print("past everything", file=sys.__stdout__)
    os.system("echo a child of the handler talks")
    print("to errors", file=sys.stderr)
    return {"answer": 42}
'''
SLOW = '''
import asyncio
from prowess import op

@op
async def wait() -> str:
    """Wait for ever."""
    print("waiting", flush=True)
    await asyncio.Event().wait()
'''


@pytest.mark.behaviour("commands.list-lines")
def test_list_into_a_pipe_is_a_line_for_each_entry_with_tabs(notes: Path, home: Path) -> None:
    """Choice: what `cut` and `grep` take, without a head."""
    lines = prowess("list", cwd=notes, home=home).out.splitlines()
    assert [line.split("\t")[0] for line in lines] == [
        "add_note",
        "count_words",
        "read_note",
        "search_index",
        "search_notes",
        "tell_note",
    ]
    assert lines[4].split("\t")[:5] == ["search_notes", "1.2.0", "logic", "enabled", "note_skills.py"]


@pytest.mark.behaviour("project.found-above")
def test_a_project_is_found_from_a_folder_inside_it(notes: Path, home: Path) -> None:
    """Choice: as git does."""
    assert len(prowess("list", "--names", cwd=notes / "notes", home=home).out.split()) == 6


@pytest.mark.behaviour("commands.project-option")
@pytest.mark.parametrize(
    "words", [("-C", "{}", "list"), ("list", "-C", "{}"), ("--project={}", "list"), ("-C{}", "list")]
)
def test_a_project_may_be_named_before_or_after_the_command(words: tuple[str, ...], notes: Path, home: Path) -> None:
    """Spec: --project PATH, -C."""
    ended = prowess(*(word.format(notes) for word in words), cwd=home, home=home)
    assert ended.code == 0
    assert "search_notes" in ended.out


@pytest.mark.behaviour("commands.bare-file")
def test_one_file_with_skills_needs_no_project(notes: Path, home: Path) -> None:
    """Choice: `prowess -C skills.py list` works, and leaves nothing behind."""
    (notes / "prowess.toml").unlink()
    ended = prowess("-C", str(notes / "note_skills.py"), "list", "--names", cwd=home, home=home)
    assert len(ended.out.split()) == 6
    assert not (notes / ".prowess").exists()


@pytest.mark.behaviour("commands.no-project")
def test_without_a_project_the_way_to_one_is_told(home: Path) -> None:
    """Choice: an error says what would be right."""
    ended = prowess("list", cwd=home, home=home)
    assert ended.code == 1
    assert "prowess init" in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.behaviour("commands.show")
def test_show_tells_inputs_output_and_how_to_call(notes: Path, home: Path) -> None:
    """Spec: `show NAME`."""
    out = prowess("show", "search-notes", cwd=notes, home=home).out
    assert "whole number from 1 to 50, otherwise 10" in out
    assert "How many notes to give at most." in out
    assert "Calls: search_index" in out
    assert "prowess run search_notes query=rust" in out


@pytest.mark.behaviour("commands.show-constraint")
@pytest.mark.parametrize("reference", ["search_notes@1.2.0", "search_notes@^1", "search_notes"])
def test_show_takes_a_version_or_a_constraint(reference: str, notes: Path, home: Path) -> None:
    """Spec: `get` takes name or name@version."""
    manifest = json.loads(prowess("show", reference, "--json", cwd=notes, home=home).out)
    assert (manifest["name"], manifest["version"], manifest["source"]) == ("search_notes", "1.2.0", "note_skills.py")


@pytest.mark.behaviour("commands.tools")
def test_tools_are_printed_for_reading_or_for_a_program(notes: Path, home: Path) -> None:
    """Spec: `prowess tools --format openai`."""
    pretty = prowess("tools", "--format", "anthropic", cwd=notes, home=home).out
    line = prowess("tools", "--format", "anthropic", "--json", cwd=notes, home=home).out
    assert json.loads(pretty) == json.loads(line)
    assert len(line.splitlines()) == 1
    assert len(pretty.splitlines()) > 20


@pytest.mark.behaviour("commands.tools-report")
def test_tools_that_are_not_as_asked_for_are_told(tmp_path: Path, home: Path) -> None:
    """Regression: what was left out was not told without `--strict`, and the rest was told as Python."""
    text = """
from prowess import op

@op
async def count(**words: int) -> int:
    "Count words."
    return len(words)

class Outside:
    async def execute(self, tool, input):
        return None

def register(registry):
    schema = {"type": "object", "properties": {"$top": {"type": "integer"}}}
    registry.register_tools(Outside(), [{"name": "find", "parameters": schema}])
"""
    (tmp_path / "reported.py").write_text(text, encoding="utf-8")
    plain = prowess("-C", "reported.py", "tools", "--format", "anthropic", "--json", cwd=tmp_path, home=home)
    assert [tool["name"] for tool in json.loads(plain.out)] == ["count"]
    assert plain.err.startswith("find: left out: $.properties['$top']: ")
    strict = prowess("-C", "reported.py", "tools", "--strict", cwd=tmp_path, home=home)
    assert "count: not strict: $: takes properties that it does not declare\n" in strict.err


@pytest.mark.behaviour("commands.run-text")
def test_text_is_printed_as_it_is_and_all_else_as_json(notes: Path, home: Path) -> None:
    """Choice: output that other programs take."""
    text = prowess("run", "read_note", "note_id=bread", cwd=notes, home=home).out
    assert text.startswith("# Bread\n\n500 g flour")
    found = json.loads(prowess("run", "search_notes", "query=rust", "limit=1", cwd=notes, home=home).out)
    assert found == [{"id": "rust-errors", "title": "Errors in Rust", "score": 1.0}]


@pytest.mark.behaviour("commands.run-inputs")
def test_a_document_and_pairs_go_together_with_pairs_on_top(notes: Path, home: Path) -> None:
    """Spec: key=value, --input file.json or '-', both combined."""
    (home / "in.json").write_text('{"query": "rust", "limit": 9}', encoding="utf-8")
    words = ("run", "search_index", "--input", str(home / "in.json"), "limit=1")
    assert json.loads(prowess(*words, cwd=notes, home=home).out) == ["rust-errors"]
    piped = prowess("run", "search_index", "--input", "-", cwd=notes, home=home, stdin=b'{"query": "bread"}')
    assert json.loads(piped.out) == ["bread"]


@pytest.mark.behaviour("commands.run-file")
def test_an_input_may_be_the_text_of_a_file_or_of_standard_input(notes: Path, home: Path) -> None:
    """Choice: long text has no place on a command line."""
    words = ("run", "add_note", "title=Ü", "tags=a,b")
    added = json.loads(prowess(*words, "text@=-", cwd=notes, home=home, stdin="größer\n".encode()).out)
    assert (added["title"], added["tags"]) == ("Ü", ["a", "b"])
    assert "größer" in (notes / "notes" / f"{added['id']}.md").read_text(encoding="utf-8")


@pytest.mark.behaviour("commands.run-quiet")
def test_what_a_project_prints_stays_out_of_the_output(tmp_path: Path, home: Path) -> None:
    """Choice: the output of `run` and of `--json` can be piped, whatever a skill's code prints."""
    file = tmp_path / "noisy.py"
    file.write_text(NOISY, encoding="utf-8")
    ended = prowess("-C", str(file), "run", "talk", cwd=home, home=home)
    assert json.loads(ended.out) == {"answer": 42}
    assert all(text in ended.err for text in ("a module talks", "a handler talks", "to errors"))
    assert all(text in ended.err for text in ("child of the module", "child of the handler", "past everything"))
    assert json.loads(prowess("-C", str(file), "list", "--json", cwd=home, home=home).out)["problems"] == []


@pytest.mark.behaviour("commands.usage")
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("lst",), "did you mean 'list'?"),
        (("--projekt", "x"), "did you mean '--project'?"),
        (("list", "--knd", "op"), "did you mean '--kind'?"),
        (("list", "--kind", "opp"), "did you mean 'op'?"),
        (("list", "extra"), "'extra' is one argument too many"),
        (("tools", "--format", "opnai"), "did you mean 'openai'?"),
        (("run",), "NAME"),
        (("run", "search_notes", "--query", "rust"), "query=value"),
        (("run", "search_notes", "limt=3"), "did you mean 'limit'?"),
        (("run", "search_notes", "limit=many"), "limit: expected whole number from 1 to 50, got 'many'"),
        (("run", "search_notes", "rust"), "write key=value"),
        (("run", "search_notes", "limit=1", "limit=2"), "given twice"),
        (("run", "search_notes", "--input", "nowhere.json"), "nowhere.json"),
        (("run", "search_notes", "--timeout", "-1"), "--timeout: expected seconds, above 0 and below 1000000000"),
        (("run", "search_notes", "--timeout", "soon"), "--timeout: expected seconds, above 0 and below 1000000000"),
        (("serve", "--port", "99999"), "--port: expected a whole number from 0 to 65535, got '99999'"),
        (("serve", "--port", "http"), "--port: expected a whole number from 0 to 65535, got 'http'"),
        (("explain", "rust", "--as", "truste"), "--as: 'truste' is none of yolo, trusted, sandboxed, worker, did you"),
        (("explain", "rust", "--budget", "0"), "--budget: expected a whole number from 1, got '0'"),
        (("search", "rust", "-k", "abc"), "-k: expected a whole number from 1 to 10000, got 'abc'"),
        (("search", "rust", "-k", "0"), "-k: expected a whole number from 1 to 10000, got '0'"),
        (("search", "rust", "--page", "0"), "--page: expected a whole number from 1 to 10000, got '0'"),
        (("search", "rust", "--page", "9000"), "-k times --page is at most 10000"),
        (("tools", "--format", "gemini", "--strict"), "'gemini' has no strict mode"),
        (("trust", "pdf", "--list"), "--list"),
        (("new", "skil", "x"), "did you mean 'skill'?"),
        (("completion", "bsh"), "did you mean 'bash'?"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_was_meant(
    words: tuple[str, ...], hint: str, notes: Path, home: Path
) -> None:
    """Spec: exit code 2 for bad usage; near names for unknown commands, options and choices."""
    ended = prowess(*words, cwd=notes, home=home)
    assert ended.code == 2, ended
    assert hint in ended.err, ended
    assert not ended.out


@pytest.mark.behaviour("commands.bad-documents")
@pytest.mark.parametrize(
    ("document", "hint"),
    [
        (b"", "not JSON"),
        (b"[]", "JSON object"),
        (b'"x"', "JSON object"),
        (b'{"query": NaN}', "not JSON"),
        (b'{"query": "a", "query": "b"}', "'query' stands twice"),
        (b'{"a": {"b": 1, "b": 2}}', "'b' stands twice"),
        (b'{"a": "x:y", "\\u0061": 1}', "'a' stands twice"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "depth"),
        (b'{"query": 1e999}', "not JSON"),
        (b'{"query": "\\ud800"}', "not JSON"),
    ],
)
def test_a_bad_document_is_refused_with_the_reason(document: bytes, hint: str, notes: Path, home: Path) -> None:
    """Spec: duplicate keys and NaN are refused."""
    ended = prowess("run", "search_notes", "--input", "-", cwd=notes, home=home, stdin=document)
    assert (ended.code, hint in ended.err) == (2, True), ended


@pytest.mark.behaviour("commands.run-failed")
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("run", "search_notes"), "query"),
        (("run", "search_notes", "query=x", "limit=0"), "limit: expected at least 1"),
        (("run", "read_note", "note_id=nothing"), "there is no note 'nothing'"),
        (("run", "serch_notes"), "did you mean 'search_notes'?"),
        (("show", "serch_notes"), "did you mean 'search_notes'?"),
        (("show", "search_notes@^^"), "^1.2"),
        (("run", "search_notes@^7", "query=x"), "search_notes@^7"),
    ],
)
def test_a_failure_ends_with_1_and_its_reason(words: tuple[str, ...], text: str, notes: Path, home: Path) -> None:
    """Spec: exit code 1, no traceback for a user's mistake."""
    ended = prowess(*words, cwd=notes, home=home)
    assert ended.code == 1, ended
    assert text in ended.err, ended
    assert "Traceback" not in ended.err


@pytest.mark.behaviour("commands.broken-module")
def test_one_broken_module_is_reported_and_keeps_nothing_else_away(notes: Path, home: Path) -> None:
    """Spec: one bad skill never stops the others from loading."""
    (notes / "broken.py").write_text("def f(:\n", encoding="utf-8")
    (notes / "prowess.toml").write_text('modules = ["broken", "note_skills"]\n', encoding="utf-8")
    ended = prowess("list", cwd=notes, home=home)
    assert (ended.code, len(ended.out.splitlines())) == (0, 6)
    assert "broken.py:1: broken: this is not Python" in ended.err
    assert json.loads(prowess("list", "--json", cwd=notes, home=home).out)["problems"][0]["line"] == 1
    assert prowess("run", "read_note", "note_id=bread", cwd=notes, home=home).code == 0
    assert "broken.py:1" in prowess("run", "lost_with_it", cwd=notes, home=home).err


@pytest.mark.behaviour("settings.every-problem")
def test_every_problem_of_the_settings_is_told_with_its_line(notes: Path, home: Path) -> None:
    """Spec: all problems are collected, with file, line and near names."""
    (notes / "prowess.toml").write_text('nam = "x"\n[server]\nport = "high"\nhsot = ""\n', encoding="utf-8")
    ended = prowess("list", cwd=notes, home=home, variables={"PROWESS_RUNTIME_TIMEOUT": "soon"})
    assert ended.code == 1
    for text in ("prowess.toml:1: ", "'name'", "prowess.toml:3: ", "prowess.toml:4: ", "'server.host'", "_TIMEOUT"):
        assert text in ended.err, ended


@pytest.mark.behaviour("commands.broken-pipe")
def test_a_reader_that_has_enough_ends_a_command_quietly(notes: Path, home: Path) -> None:
    """Choice: `prowess ... | head -1` prints no error."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        command = subprocess.Popen(
            [*PROWESS, "list"], cwd=notes, env=environment(home), stdout=closed, stderr=subprocess.PIPE
        )
    _, errors = command.communicate(timeout=PATIENCE)
    assert (command.returncode, errors) == (141, b"")


@pytest.mark.behaviour("commands.closed-streams")
@pytest.mark.parametrize(
    ("closed", "words", "code", "told"),
    [
        ("<&-", ("run", "read_note", "--input", "-"), 2, "standard input: this is not JSON"),
        ("<&-", ("run", "read_note", "note_id@=-"), 1, "there is no note ''"),
        (">&-", ("list",), 0, ""),
        ("2>&-", ("lst",), 2, ""),
        ("2>&-", ("list", "--knd", "op"), 2, ""),
    ],
)
def test_a_stream_that_a_shell_closed_is_an_empty_one(
    closed: str, words: tuple[str, ...], code: int, told: str, notes: Path, home: Path
) -> None:
    """Regression: without standard input a command failed, and without standard error complaints were output."""
    shell = ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *PROWESS, *words]
    done = subprocess.run(
        shell, cwd=notes, env=environment(home), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout, told in done.stderr) == (code, "", True), done
    assert "Traceback" not in done.stderr
    assert bool(told) == bool(done.stderr)


@pytest.mark.behaviour("commands.interrupted")
def test_ctrl_c_ends_a_run_quietly(tmp_path: Path, home: Path) -> None:
    """Spec: Ctrl-C ends with 130 and no traceback."""
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    command = subprocess.Popen(
        [*PROWESS, "-C", str(file), "run", "wait"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stderr is not None
    assert command.stderr.readline() == b"waiting\n"
    command.send_signal(signal.SIGINT)
    out, errors = command.communicate(timeout=PATIENCE)
    assert (command.returncode, out, errors) == (130, b"", b"")


@pytest.mark.behaviour("commands.debug")
def test_a_traceback_is_shown_only_when_asked_for(notes: Path, home: Path) -> None:
    """Choice: PROWESS_DEBUG=1 shows where an error comes from."""
    words = ("run", "search_notes@^^")
    ended: Ended = prowess(*words, cwd=notes, home=home, variables={"PROWESS_DEBUG": "1"})
    assert "Traceback" in ended.err
    assert "Traceback" not in prowess(*words, cwd=notes, home=home).err


@pytest.mark.behaviour("commands.terminal-safe")
def test_no_output_steers_the_terminal(tmp_path: Path, home: Path) -> None:
    """Choice: a description is text, whatever it holds."""
    file = tmp_path / "sly.py"
    text = 'from prowess import op\n\n@op(description="a\\x1b]0;owned\\x07b\\nc")\nasync def sly() -> str: ...\n'
    file.write_text(text, encoding="utf-8")
    for words in (("list",), ("show", "sly")):
        assert "\x1b" not in prowess("-C", str(file), *words, cwd=home, home=home).out
