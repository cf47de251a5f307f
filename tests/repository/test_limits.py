from __future__ import annotations

from typing import TYPE_CHECKING

from tools.limits import FILE_LINES, FOLDER_MODULES, FUNCTION_LINES, ROOT, Excess, exceptions, measure

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_over_a_limit_is_exactly_what_limits_toml_lists() -> None:
    """Choice: a larger thing needs a reason, and a reason that has gone needs no entry."""
    allowed = exceptions(ROOT / "limits.toml")
    over = {(excess.what, excess.where) for excess in measure(ROOT)}
    assert sorted(over - set(allowed)) == []
    assert sorted(set(allowed) - over) == []


def test_every_exception_has_a_reason() -> None:
    """Choice: a list of exceptions without reasons only grows."""
    assert [where for where, reason in exceptions(ROOT / "limits.toml").items() if len(reason) < len("a why")] == []


def test_a_function_is_measured_without_its_docstring(tmp_path: Path) -> None:
    """Choice: describing a function must not make it too long."""
    statements = "        x = 0\n" * (FUNCTION_LINES - 1)
    _write(tmp_path, "house/fits.py", f'def f():\n        """Say\n\n    much.\n    """\n{statements}')
    _write(tmp_path, "house/long.py", f"class C:\n    async def f(self):\n{statements}        x = 0\n")
    found = measure(tmp_path, ("house",))
    assert found == [Excess("function", "house/long.py::C.f", FUNCTION_LINES + 1)]


def test_long_files_full_folders_and_deep_folders_are_found(tmp_path: Path) -> None:
    """Choice: the limits of our habits, each measured."""
    _write(tmp_path, "house/long.py", "x = 0\n" * (FILE_LINES + 1))
    _write(tmp_path, "house/a/b/c/fits.py", "")
    _write(tmp_path, "house/a/b/c/d/deep.py", "")
    _write(tmp_path, "house/full/__init__.py", "")
    for number in range(FOLDER_MODULES + 1):
        _write(tmp_path, f"house/full/m{number}.py", "")
    assert measure(tmp_path, ("house",)) == [
        Excess("depth", "house/a/b/c/d", 4),
        Excess("file", "house/long.py", FILE_LINES + 1),
        Excess("modules", "house/full", FOLDER_MODULES + 1),
    ]


def _write(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
