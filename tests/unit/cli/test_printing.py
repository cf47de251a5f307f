"""How commands print into a pipe, and how wide a terminal is taken to be."""

import json

import pytest

from prowess.cli.terminal.printing import columns, json_line, print_table


@pytest.mark.parametrize(("said", "width"), [("120", 120), ("0", 80), ("wide", 80), ("", 80)])
def test_without_a_terminal_a_line_is_as_wide_as_is_said_or_80(
    said: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choice: help in a pipe has the width that most are written for."""
    monkeypatch.setenv("COLUMNS", said)
    assert columns() == width


def test_half_of_a_surrogate_pair_has_a_form_in_json() -> None:
    """Choice: an error about a file whose name is no text can be printed."""
    assert json.loads(json_line({"name": "\udcff"})) == {"name": "\udcff"}


def test_into_a_pipe_a_cell_is_whole_and_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Choice: what `cut` and `grep` take."""
    print_table(["NAME", "DESCRIPTION"], [["a", "one\ttwo\nthree\x1b[1m" + "x" * 200]])
    assert capsys.readouterr().out == "a\tone two three [1m" + "x" * 200 + "\n"
