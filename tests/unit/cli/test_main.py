"""The command line called from Python, as a script's entry point does."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest

from prowess import __version__
from prowess.cli.main import main


def test_main_writes_to_whatever_stands_for_the_output() -> None:
    """Choice: a host that catches output gets it, though its stream knows nothing of encodings."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as errors:
        assert (main(["--version"]), main(["lst"])) == (0, 2)
    assert out.getvalue() == f"prowess {__version__}\n"
    assert "did you mean 'list'?" in errors.getvalue()


@pytest.mark.parametrize("arguments", [["-C"], ["--project"], ["-C", "somewhere"], ["--project="]])
def test_a_project_without_a_command_shows_the_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Choice: help where one is lost."""
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("Usage: prowess ")
