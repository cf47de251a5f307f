"""Every test says what requires it: a specification, a choice of ours, or a bug that must not return."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from tools.limits import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = re.compile(r"(Spec|Choice|Regression): \S.*")


def unsourced(root: Path) -> list[str]:
    """Name the tests below a folder whose docstring is not one line that begins with who requires them."""
    return [
        f"{file.relative_to(root).as_posix()}::{node.name}"
        for file in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name.startswith("test")
        and not SOURCE.fullmatch(ast.get_docstring(node, clean=False) or "")
    ]


def test_every_test_says_what_requires_it() -> None:
    """Choice: a test in the way can then be weighed, and not only obeyed."""
    assert unsourced(ROOT / "tests") == []


def test_a_test_without_a_source_is_found(tmp_path: Path) -> None:
    """Choice: the rule above must be able to fail."""
    file = tmp_path / "unit" / "test_made_up.py"
    file.parent.mkdir()
    file.write_text(
        'def test_spec(): "Spec: versions."\n'
        'async def test_choice(): "Choice: it reads best."\n'
        'def test_regression(): "Regression: it was lost."\n'
        'def helper(): "Help."\n'
        "async def test_silent(): pass\n"
        'class T:\n    def test_method(self): "Checks it."\n'
        'def test_by_another_word(): "Required by the spec."\n'
        'def test_in_the_middle(): "Checks it. Spec: versions."\n'
        'def test_empty(): "Spec: "\n'
        'def test_of_two_lines(): """Spec: versions.\n\n    And more."""\n',
        encoding="utf-8",
    )
    assert unsourced(tmp_path) == [
        f"unit/test_made_up.py::test_{name}"
        for name in ("silent", "by_another_word", "in_the_middle", "empty", "of_two_lines", "method")
    ]
