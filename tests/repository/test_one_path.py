"""The gate is the single path that every call takes."""

from __future__ import annotations

import ast
import re

from tools.limits import ROOT

_HANDLER = re.compile(r"(^|_)(handler|plan)$")
_CODE = {"bare", "call"}


def calls_handlers(source: str) -> bool:
    """Tell whether a module gets at the code of a handler, or of a plan that holds one."""
    reached = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute) and node.attr in _CODE]
    return any(_HANDLER.search(_last_name(node.value)) for node in reached)


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def test_only_the_gate_gets_at_the_code_of_an_entry() -> None:
    """Spec: nothing else in the code base can call a handler."""
    package = ROOT / "src" / "prowess"
    found = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if calls_handlers(path.read_text())}
    assert found == {
        "authoring/decorators.py",  # for a function that its author calls by itself, before any registry knows of it
        "execution/handlers/carry_out.py",
        "execution/gate.py",
        "execution/plan.py",
    }


def test_a_second_path_is_found() -> None:
    """Choice: the rule above must be able to fail."""
    assert calls_handlers("entry.recipe.handler.call(**inputs)")
    assert calls_handlers("await plan.bare()")
    assert not calls_handlers("await ctx.call('x'); handler.style; event.call")
