"""Measure what limits.toml bounds: long functions, long files, full folders, deep folders.

    python -m tools.limits       print everything over its limit

A function's length is counted from `def` to its last line, without its docstring.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ("src/prowess", "tools", "tests", "bench", "examples")

FUNCTION_LINES = 40
FILE_LINES = 400
FOLDER_MODULES = 10
FOLDER_DEPTH = 3

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True, order=True)
class Excess:
    """Something over its limit: which one, where, and by how much."""

    what: str
    where: str
    size: int


def measure(root: Path, folders: tuple[str, ...] = MEASURED) -> list[Excess]:
    """Give everything in these folders of `root` that is over a limit, sorted."""
    found: list[Excess] = []
    for folder in folders:
        top = root / folder
        files = sorted(top.rglob("*.py"))
        found += [excess for file in files for excess in _in_file(file, file.relative_to(root).as_posix())]
        found += _in_folders(files, top, root)
    return sorted(found)


def exceptions(listing: Path) -> dict[tuple[str, str], str]:
    """Read the allowed exceptions: what and where, and the reason."""
    with listing.open("rb") as file:
        rows: list[dict[str, str]] = tomllib.load(file).get("exception", [])
    return {(row["what"], row["where"]): row["reason"] for row in rows}


def _in_file(file: Path, name: str) -> Iterator[Excess]:
    text = file.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines > FILE_LINES:
        yield Excess("file", name, lines)
    for qualified, function in _functions(ast.parse(text), ""):
        length = _length(function)
        if length > FUNCTION_LINES:
            yield Excess("function", f"{name}::{qualified}", length)


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        qualified = prefix
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            qualified = f"{prefix}.{child.name}".lstrip(".")
        if isinstance(child, FUNCTIONS):
            yield qualified, child
        yield from _functions(child, qualified)


def _length(function: Function) -> int:
    end = function.end_lineno or function.lineno
    length = end - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and ast.get_docstring(function) is not None:
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def _in_folders(files: list[Path], top: Path, root: Path) -> Iterator[Excess]:
    modules = Counter(file.parent for file in files if file.name != "__init__.py")
    for folder, count in modules.items():
        name = folder.relative_to(root).as_posix()
        if count > FOLDER_MODULES:
            yield Excess("modules", name, count)
        depth = len(folder.relative_to(top).parts)
        if depth > FOLDER_DEPTH:
            yield Excess("depth", name, depth)


if __name__ == "__main__":
    for over in measure(ROOT):
        print(f"{over.what:9} {over.size:5}  {over.where}")
