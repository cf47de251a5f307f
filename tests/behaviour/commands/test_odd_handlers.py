"""Handlers that end in odd ways, and systems without a language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import prowess

if TYPE_CHECKING:
    from pathlib import Path

ODD = '''
import threading
from prowess import op

@op(timeout=0.05)
def linger() -> None:
    """Wait in a thread."""
    threading.Event().wait(5)

@op
async def leave() -> None:
    """Raise what ends a generator."""
    raise GeneratorExit
'''


@pytest.mark.behaviour("commands.run-ascii")
def test_json_is_json_where_the_system_has_no_language(tmp_path: Path, home: Path) -> None:
    """Regression: what ASCII lacks was written as no JSON knows it."""
    text = "from prowess import op\n\n@op\nasync def say() -> str:\n    'Say.'\n    return 'Größe'\n"
    (tmp_path / "say.py").write_text(text, encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = prowess("-C", "say.py", "run", "say", "--json", cwd=tmp_path, home=home, variables=plain)
    assert json.loads(ended.out)["output"] == "Größe"


@pytest.mark.behaviour("commands.run-abandoned")
def test_a_handler_that_is_left_to_itself_is_told(tmp_path: Path, home: Path) -> None:
    """Regression: the event was for the operator, and no command showed it."""
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    ended = prowess("-C", "odd.py", "run", "linger", cwd=tmp_path, home=home)
    assert (ended.code, "linger: its handler was left to itself and runs on" in ended.err) == (1, True), ended


@pytest.mark.behaviour("commands.run-failed")
@pytest.mark.parametrize("words", [(), ("--timeout", "5"), ("--json",)])
def test_a_handler_that_raises_what_ends_generators_fails_like_any(
    words: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    """Regression: it ended with a traceback."""
    (tmp_path / "odd.py").write_text(ODD, encoding="utf-8")
    ended = prowess("-C", "odd.py", "run", "leave", *words, cwd=tmp_path, home=home)
    told = ended.out if words == ("--json",) else ended.err
    assert (ended.code, "execution failed: leave" in told, "GeneratorExit" in told, "Traceback" in ended.err) == (
        *(1, True, True, False),
    ), ended
