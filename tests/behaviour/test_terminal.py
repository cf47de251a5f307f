"""What a person sees at a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import at_terminal, prowess

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal is Unix's")

SLY = '''
from collections.abc import AsyncIterator
from typing import Literal

from prowess import BaseSkill, Context, op


@op
async def clear() -> str:
    """Give what would clear a screen."""
    return "\\x1b[2Jdone"


@op(autonomy="L1")
async def launch(what: str) -> str:
    """Launch something."""
    return f"{what} is up"


@op
async def choose(size: Literal["small", "large"], count: int, *, ctx: Context) -> str:
    """Need two inputs."""
    ctx.log("chosen", size=size)
    return f"{count} {size}"


@op
async def tell(*, ctx: Context) -> AsyncIterator[str]:
    """Tell something in pieces."""
    ctx.progress(1, 2, "half")
    yield "one "
    yield "two"


@op
async def mutter(*, ctx: Context) -> AsyncIterator[str]:
    """Tell something, and of the telling."""
    ctx.progress(1, 2, "drawn")
    yield "one\\n"
    ctx.progress(2, 2, "unseen")
    ctx.log("still there")
    yield "two\\n"


@op
async def count(*, ctx: Context) -> AsyncIterator[dict[str, int]]:
    """Count in objects."""
    yield {"n": 1}
    yield {"n": 2}


@op
async def work(*, ctx: Context) -> str:
    """Tell of the work in bars and lines."""
    ctx.progress(1, 2, "first")
    ctx.log("between")
    ctx.progress(2, 2, "second")
    return "done"


class Sized(BaseSkill):
    async def execute(self, **inputs: object) -> object:
        return inputs


SIZE = {"type": "integer", "default": 7}
sized = Sized("sized", "Need a size.", {"type": "object", "properties": {"size": SIZE}, "required": ["size"]})
'''
WIDE = """
from prowess import op

@op(description="\\N{HIRAGANA LETTER A}e\\N{COMBINING ACUTE ACCENT}" * 10_000)
async def wide() -> str: ...
"""


@pytest.fixture
def sly(tmp_path: Path) -> Path:
    """Give a file of skills for a terminal."""
    file = tmp_path / "sly.py"
    file.write_text(SLY, encoding="utf-8")
    return file


@pytest.mark.behaviour("terminal.table")
def test_list_is_a_table_cut_to_the_terminal(notes: Path, home: Path) -> None:
    """Choice: a head, aligned columns, no line longer than the terminal."""
    lines = at_terminal(["list"], [], cwd=notes, home=home).out.splitlines()
    assert lines[0].split() == ["NAME", "VERSION", "KIND", "STATUS", "SOURCE", "DESCRIPTION"]
    assert len(lines) == 7
    assert max(map(len, lines)) <= 80
    assert lines[1].endswith("…")


@pytest.mark.behaviour("terminal.table")
def test_a_table_is_cut_to_the_terminals_own_width_where_nobody_says_another(sly: Path, home: Path) -> None:
    """Choice: whoever makes the window narrow wants narrow lines."""
    said, own = (
        at_terminal(["-C", "sly.py", "list"], cwd=sly.parent, home=home, COLUMNS=columns).out.splitlines()
        for columns in ("80", "")
    )
    assert (max(map(len, said)) > 70, max(map(len, own))) == (True, 70)


@pytest.mark.behaviour("terminal.table")
def test_characters_that_take_two_columns_are_counted_as_two(tmp_path: Path, home: Path) -> None:
    """Regression: a long description in such characters kept `list` busy for half a minute."""
    (tmp_path / "wide.py").write_text(WIDE, encoding="utf-8")
    line = at_terminal(["-C", "wide.py", "list"], cwd=tmp_path, home=home).out.splitlines()[1]
    assert line.startswith("wide")
    shown = line.removesuffix("…")
    room = 80 - len(shown) - shown.count("\N{HIRAGANA LETTER A}") + shown.count("\N{COMBINING ACUTE ACCENT}")
    assert room in {1, 2, 3}


@pytest.mark.behaviour("terminal.nothing")
def test_a_list_of_nothing_says_so(notes: Path, home: Path) -> None:
    """Regression: into a pipe nothing was said, and silence could be a mistake; the output itself stays empty."""
    assert "No entries fit." in at_terminal(["list", "--tag", "none"], cwd=notes, home=home).out
    (notes / "prowess.toml").write_text("", encoding="utf-8")
    assert "No entries yet: 'prowess new skill NAME'" in at_terminal(["list"], cwd=notes, home=home).out
    ended = prowess("list", cwd=notes, home=home)
    assert (ended.out, ended.err) == ("", "No entries yet: 'prowess new skill NAME' writes one.\n")


@pytest.mark.behaviour("terminal.asks")
def test_an_empty_answer_takes_the_default(sly: Path, home: Path) -> None:
    """Choice: what is shown in brackets is one key away."""
    asked = [("size (whole number) [7]: ", "\n")]
    ended = at_terminal(["-C", str(sly), "run", "sized"], asked, cwd=home, home=home)
    assert (ended.code, '"size": 7' in ended.out) == (0, True), ended


@pytest.mark.behaviour("terminal.asks")
def test_missing_inputs_are_asked_for_with_description_and_type(notes: Path, home: Path) -> None:
    """Spec: asks for what is missing when at a terminal."""
    ended = at_terminal(["run", "search_index"], [("query (text): ", "bread\n")], cwd=notes, home=home)
    assert ended.code == 0
    assert "Words to look for." in ended.out
    assert '"bread"' in ended.out


@pytest.mark.behaviour("terminal.asks-again")
def test_an_answer_that_does_not_fit_is_asked_for_again(sly: Path, home: Path) -> None:
    """Choice: a slip of the finger does not throw the other answers away."""
    answers = [("size (one of small, large): ", "large\n"), ("count (whole number): ", "many\n"), ("got 'many'", "3\n")]
    ended = at_terminal(["-C", str(sly), "run", "choose"], answers, cwd=home, home=home)
    assert ended.code == 0, ended
    assert ended.out.rstrip().endswith("3 large")
    assert 'choose: chosen size="large"' in ended.out


@pytest.mark.behaviour("terminal.end-of-answers")
def test_the_end_of_input_ends_the_questions(notes: Path, home: Path) -> None:
    """Choice: Ctrl-D leaves the input missing, and the error names it."""
    ended = at_terminal(["run", "search_index"], [("query (text): ", "\x04")], cwd=notes, home=home)
    assert ended.code == 1
    assert "invalid input: search_index" in ended.out


@pytest.mark.behaviour("terminal.interrupted")
def test_ctrl_c_at_a_question_ends_quietly(notes: Path, home: Path) -> None:
    """Spec: Ctrl-C ends with 130 and no traceback."""
    ended = at_terminal(["run", "search_index"], [("query (text): ", "\x03")], cwd=notes, home=home)
    assert (ended.code, "Traceback" in ended.out) == (130, False)


@pytest.mark.behaviour("terminal.progress")
def test_progress_is_drawn(notes: Path, home: Path) -> None:
    """Spec: `prowess run` shows progress bars for `ctx.progress`."""
    ended = at_terminal(["run", "search_notes", "query=rust"], [], cwd=notes, home=home)
    assert "2/2" in ended.out
    assert "rust-ownership" in ended.out


@pytest.mark.behaviour("terminal.streams")
def test_pieces_are_shown_as_they_come_and_not_twice(sly: Path, home: Path) -> None:
    """Spec: async generators stream; the whole list is for programs."""
    ended = at_terminal(["-C", str(sly), "run", "tell"], [], cwd=home, home=home)
    assert ended.out.rstrip().endswith("one two")
    assert "[" not in ended.out.rpartition("one two")[2]


@pytest.mark.behaviour("terminal.streams")
def test_no_bar_is_drawn_over_pieces_that_are_shown(sly: Path, home: Path) -> None:
    """Choice: from the first piece on, what is told stands between them."""
    ended = at_terminal(["-C", str(sly), "run", "mutter"], cwd=home, home=home)
    assert ended.out.endswith("one\nmutter: still there\ntwo\n"), ended
    assert ("drawn" in ended.out, "unseen" in ended.out) == (True, False)


@pytest.mark.behaviour("terminal.streams")
def test_pieces_that_are_no_text_are_lines_of_json(sly: Path, home: Path) -> None:
    """Choice: each piece is a value that can be read as soon as it is there."""
    ended = at_terminal(["-C", str(sly), "run", "count"], cwd=home, home=home)
    assert ended.out == '{"n":1}\n{"n":2}\n'


@pytest.mark.behaviour("terminal.progress")
def test_a_log_line_stands_above_the_bars(sly: Path, home: Path) -> None:
    """Choice: what a skill says is not drawn over."""
    ended = at_terminal(["-C", str(sly), "run", "work"], cwd=home, home=home)
    assert (ended.code, "work: between" in ended.out, "work: second" in ended.out) == (0, True, True), ended
    assert ended.out.rstrip().endswith("done")


@pytest.mark.behaviour("terminal.safe")
def test_an_output_cannot_steer_the_terminal(sly: Path, home: Path) -> None:
    """Choice: a skill's output is shown, not obeyed."""
    ended = at_terminal(["-C", str(sly), "run", "clear"], [], cwd=home, home=home)
    assert "[2Jdone" in ended.out
    assert "\x1b[2J" not in ended.out


@pytest.mark.behaviour("approvals.terminal")
@pytest.mark.parametrize(("answer", "code", "told"), [("y\n", 0, "it is up"), ("\n", 1, "was not approved")])
def test_a_person_at_the_terminal_is_asked(sly: Path, home: Path, answer: str, code: int, told: str) -> None:
    """Spec: L1 runs after a person approved this very call; only a clear yes counts."""
    asked = [("Let it run? [y/N] ", answer)]
    ended = at_terminal(["-C", str(sly), "run", "launch", "what=it"], asked, cwd=home, home=home)
    assert (ended.code, told in ended.out, "autonomy L1" in ended.out) == (code, True, True), ended
    assert '{"what":"it"}' in ended.out


@pytest.mark.behaviour("approvals.terminal")
def test_where_nobody_is_there_the_call_waits_for_a_decision(sly: Path, home: Path) -> None:
    """Spec: with nobody to ask, the call is refused with the proposal's id, and `prowess approvals` decides it."""
    words = ["-C", str(sly), "run", "launch", "what=it"]
    refused = prowess(*words, cwd=home, home=home)
    assert (refused.code, refused.out) == (1, "")
    proposal = refused.err.partition("(proposal ")[2].partition(")")[0]
    assert prowess("-C", str(sly), "approvals", "approve", proposal, cwd=home, home=home).code == 0
    assert prowess(*words, cwd=home, home=home).out == "it is up\n"
    assert prowess(*words, cwd=home, home=home).code == 1
