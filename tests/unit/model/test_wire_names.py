from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess.model.wire_names import WIRE_LIMIT, WireNames, WireTarget, wire_name

WORDS = st.from_regex(r"[a-z0-9]+([_-][a-z0-9]+)*", fullmatch=True).map(lambda name: name[:64].rstrip("_-"))
LONG = st.text("ab0", min_size=40, max_size=64)
LEGAL = WORDS | LONG | st.builds("{}/{}".format, WORDS | LONG, WORDS | LONG)
ANY = LEGAL | st.text(max_size=100) | st.text("aA_-/0", max_size=12)
RULES = {
    WireTarget.OPENAI: re.compile(r"[A-Za-z0-9_-]{1,64}"),
    WireTarget.OPENAI_RESPONSES: re.compile(r"[A-Za-z0-9_-]{1,64}"),
    WireTarget.ANTHROPIC: re.compile(r"[A-Za-z0-9_-]{1,64}"),
    WireTarget.GEMINI: re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}"),
    WireTarget.MCP: re.compile(r"[A-Za-z0-9_.-]{1,64}"),
}
TARGETS = st.sampled_from(list(WireTarget))


@pytest.mark.parametrize(
    ("name", "wire", "letter_first"),
    [
        ("search_notes", "search_notes", "search_notes"),
        ("read-file", "read-file", "read-file"),
        ("acme/refunds", "acme__refunds", "acme__refunds"),
        ("3d-print", "3d-print", "_3d-print"),
        ("3d/4x", "3d__4x", "_3d__4x"),
    ],
)
def test_a_name_reads_almost_the_same_on_the_wire(name: str, wire: str, letter_first: str) -> None:
    """Spec: `acme/refunds` → `acme__refunds`; a leading digit gets `_` where a target wants a letter."""
    assert wire_name(name, WireTarget.OPENAI) == wire
    assert wire_name(name, WireTarget.MCP) == wire
    assert wire_name(name, WireTarget.GEMINI) == letter_first


@settings(deadline=None)
@given(ANY, TARGETS)
def test_every_name_gets_one_that_the_target_takes(name: str, target: WireTarget) -> None:
    """Spec: one codec makes a legal name for each target, for `SKILL.md` names in other scripts too."""
    wire = wire_name(name, target)
    assert RULES[target].fullmatch(wire)
    assert wire == wire_name(name, target)


@settings(deadline=None)
@given(st.sets(ANY, max_size=8), TARGETS)
def test_every_name_is_found_again_and_no_two_meet(names: set[str], target: WireTarget) -> None:
    """Spec: reversible, and collision free."""
    table = WireNames(names, target)
    wires = {name: table.wire(name) for name in names}
    assert len(set(wires.values())) == len(names) == len(table)
    assert {name: table.name(wire) for name, wire in wires.items()} == {name: name for name in names}


@settings(deadline=None)
@given(st.sets(LEGAL, max_size=4), ANY | st.text("a_0/-", max_size=8), TARGETS)
def test_what_no_entry_is_called_is_nobody(names: set[str], wire: str, target: WireTarget) -> None:
    """Choice: a name that a model invents never becomes another entry's."""
    found = WireNames(names, target).name(wire)
    assert found is None or (found in names and wire_name(found, target) == wire)


def test_a_name_that_is_too_long_keeps_its_first_words_and_gets_a_hash() -> None:
    """Spec: a name that would be too long is cut and gets a hash, reversible through the table."""
    name = "a-plugin-with-a-long-name/and_a_tool_whose_name_says_all_that_it_does"
    wire = wire_name(name, WireTarget.OPENAI)
    assert wire.startswith("a-plugin-with-a-long-name__and_a_tool")
    assert len(wire) <= WIRE_LIMIT
    assert WireNames([name], WireTarget.OPENAI).name(wire) == name
    assert WireNames(["other"], WireTarget.OPENAI).name(wire) is None


def test_a_name_in_another_script_keeps_what_is_ascii_of_it() -> None:
    """Spec: `SKILL.md` names in other scripts get an ASCII wire name."""
    assert wire_name("データ-report", WireTarget.MCP).startswith("report--")
    assert wire_name("データ", WireTarget.MCP).startswith("name--")


def test_a_leading_underscore_is_somebodys_only_where_it_was_added() -> None:
    """Choice: of two spellings that would mean one entry only the one that was sent does."""
    assert WireNames(["3d"], WireTarget.GEMINI).name("_3d") == "3d"
    assert WireNames(["3d"], WireTarget.GEMINI).name("3d") is None
    assert WireNames(["3d"], WireTarget.OPENAI).name("_3d") is None
    assert WireNames(["a/b"], WireTarget.OPENAI).name("a/b") is None
