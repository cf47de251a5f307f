"""The files that `prowess new` and `prowess init` write."""

import keyword
import os
from collections.abc import Mapping
from pathlib import Path

from prowess.catalog.folders import is_code
from prowess.catalog.places import SETTINGS
from prowess.cli.parsing import UsageError
from prowess.model.names import name_problem

__all__ = ["PROJECT", "SETTINGS_TEXT", "SKILL", "function_name", "write_new"]

SETTINGS_TEXT = """\
# What `prowess` finds here. `prowess doctor` says what is wrong with it; PROWESS_* variables go over it.
name = "{name}"
{code}

# [server]
# port = 8765

# [runtime]
# timeout = 30
"""

SKILL = '''\
"""What {name} does."""

from prowess import skill


@skill(version="0.1.0")
async def {name}(text: str) -> str:
    """Say in one sentence what this does. Use when the user wants ...

    Args:
        text: What it works on.
    """
    return text
'''

_GREET = '''\
"""A first skill. Its schema comes from the signature, its description from the docstring."""

from prowess import skill


@skill(version="0.1.0")
async def greet(name: str, times: int = 1) -> str:
    """Greet somebody by name. Use when the user wants a greeting.

    Args:
        name: Whom to greet.
        times: How often.
    """
    return " ".join([f"Hello, {name}!"] * times)
'''

_TEST = '''\
"""Run with `python -m pytest`, or `python -m unittest`."""

import unittest
from pathlib import Path

from prowess import Runtime, open_project

ROOT = Path(__file__).parent.parent


class TestSkills(unittest.IsolatedAsyncioTestCase):
    async def test_greet_says_the_name(self) -> None:
        project = open_project(ROOT)
        assert not project.diagnostics
        async with project.registry, Runtime(project.registry) as runtime:
            result = await runtime.run("greet", {{"name": "Ada"}})
        assert result.unwrap() == "Hello, Ada!"
'''

_README = """\
# {name}

    prowess list                    what there is
    prowess show greet              its inputs and output
    prowess run greet name=Ada      run it
    prowess new skill NAME          write another one
    prowess serve                   offer them over HTTP
    python -m unittest              run the tests

Skills live in `skills/`: each function with `@skill` is one.
"""

PROJECT: Mapping[str, str] = {
    SETTINGS: SETTINGS_TEXT.replace("{code}", 'folders = ["skills"]'),
    "skills/greetings.py": _GREET.replace("{", "{{").replace("}", "}}"),
    "tests/__init__.py": "",
    "tests/test_skills.py": _TEST,
    "README.md": _README,
    ".gitignore": ".prowess/\n__pycache__/\n",
}
"""The files of a new project. Braces name what is filled in."""


def function_name(text: str) -> str:
    """A name for a function and its file; raises `UsageError` saying what is wrong with one."""
    name = text.replace("-", "_")
    problem = name_problem(name) or ("has a namespace, a function has none" if "/" in name else None)
    if problem is None and (not name.isidentifier() or keyword.iskeyword(name)):
        problem = "cannot name a Python function"
    if problem is None and not is_code(f"{name}.py"):
        problem = "would name a file that is taken for a test or a build script"
    if problem is not None:
        raise UsageError(f"'{text}' {problem}")
    return name


def write_new(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder. Nothing is overwritten: where one exists, none is written."""
    present = [name for name in files if os.path.lexists(folder / name)]
    if present:
        raise UsageError(f"{folder / present[0]} exists already, and nothing is overwritten")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
