from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.skillmd.tools import listed_tools, read_tools
from tests.unit.skillmd.samples import codes, read, skill


@pytest.mark.behaviour("skillmd.tools")
@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read Write", ("Read", "Write")),
        ("Read, Write", ("Read", "Write")),
        ("Read,Write", ("Read", "Write")),
        ("Read Write, Edit", ("Read", "Write", "Edit")),
        ("Bash(git add *), Read", ("Bash(git add *)", "Read")),
        ("Bash(git add *) Read", ("Bash(git add *)", "Read")),
        ("Bash(git:*) Bash(jq:*) Read", ("Bash(git:*)", "Bash(jq:*)", "Read")),
        ("Bash(a, b), Read", ("Bash(a, b)", "Read")),
        ("Bash (git:*), Read", ("Bash(git:*)", "Read")),
        ("Bash(x (y, z) {w}) Read", ("Bash(x (y, z) {w})", "Read")),
        ("mcp__a__b, *", ("mcp__a__b", "*")),
        ('\'"Read", "Write"\'', ("Read", "Write")),
        ("'[Read, Write]'", ("Read", "Write")),
        ("[Read, Write]", ("Read", "Write")),
        ("[Azure MCP/docs, 'Bash(a, b)', '']", ("Azure MCP/docs", "Bash(a, b)")),
        ("\n  - Bash(git add *)\n  - Read", ("Bash(git add *)", "Read")),
        ("['Read, Write', Edit]", ("Read", "Write", "Edit")),
        ("[]", ()),
        ("''", ()),
        ("', ,'", ()),
        ("'\"\"'", ()),
    ],
)
def test_tools_have_one_form_however_they_are_written(value: str, tools: tuple[str, ...]) -> None:
    """Spec: space separated, comma separated with brackets that hold commas and spaces, a list."""
    reading = read(skill(f"allowed-tools: {value}\n"))
    assert reading.document is not None
    assert reading.document.allowed_tools == tools
    assert codes(reading) == []


def test_an_absent_field_is_not_an_empty_list() -> None:
    """Spec: None where the field is absent."""
    for text in (skill(), skill("allowed-tools:\n")):
        reading = read(text)
        assert reading.document is not None
        assert reading.document.allowed_tools is None
        assert reading.document.disallowed_tools == ()


@pytest.mark.parametrize(
    ("value", "tools", "found"),
    [
        ("Read Write Read Read", ("Read", "Write"), ["tools-duplicate"]),
        ("[a, b, a, b]", ("a", "b"), ["tools-duplicate", "tools-duplicate"]),
        ("Bash(git Read", ("Bash(git Read",), ["tools-brackets"]),
        ("Bash) Read", ("Bash)", "Read"), ["tools-brackets"]),
        ("{Bash: true}", (), ["tools-not-text"]),
        ("[Read, {Bash: git}]", ("Read", "{Bash: git}"), ["tools-not-text"]),
    ],
)
def test_what_is_wrong_with_tools_is_told(value: str, tools: tuple[str, ...], found: list[str]) -> None:
    """Spec: every problem."""
    reading = read(skill(f"allowed-tools: {value}\n"))
    assert reading.document is not None
    assert reading.document.allowed_tools == tools
    assert codes(reading) == found
    assert {problem.field for problem in reading.problems} == {"allowed-tools"}


@given(st.lists(st.from_regex(r"[A-Za-z_]{1,8}(?:\([a-z*:, ]{0,8}\))?", fullmatch=True), max_size=5, unique=True))
def test_every_way_to_separate_tools_gives_the_same(tools: list[str]) -> None:
    """Spec: one normalised form."""
    for separator in (" ", ", ", ",", "  ,\t"):
        assert [*read_tools(separator.join(tools)).tools] == tools
    assert [*listed_tools(tool.replace(",", " ") for tool in tools).tools] == [tool.replace(",", " ") for tool in tools]


@given(st.text(max_size=60))
def test_every_text_is_a_list_of_tools(text: str) -> None:
    """Choice: what a field holds must not break a skill."""
    found = read_tools(text)
    assert len(set(found.tools)) == len(found.tools)
    assert all(found.tools)


def test_many_tools_are_read_in_little_time() -> None:
    """Choice: as above."""
    assert len(read_tools(" ".join(f"t{n}" for n in range(50_000))).tools) == 50_000
    assert len(read_tools("a,a " * 50_000).tools) == 1
