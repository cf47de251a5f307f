"""What each command imports: modules are counted here, time in the benchmarks."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from prowess.cli.main import COMMANDS, help_text
from tests.behaviour.processes import PATIENCE, ROOT, environment, prowess

if TYPE_CHECKING:
    from pathlib import Path

PROBE = """
import json, sys
from prowess.cli.main import main
try:
    main(sys.argv[1:])
finally:
    sys.stdout.write("\\nMODULES " + json.dumps(sorted(sys.modules)))
"""


def imported(*words: str, cwd: Path, home: Path) -> set[str]:
    """Give the modules that a process has loaded after one command, measured by nobody, since that imports more."""
    unmeasured = {name: value for name, value in environment(home).items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROBE, *words],
        cwd=cwd,
        env=unmeasured,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    names: list[str] = json.loads(done.stdout.decode().rpartition("\nMODULES ")[2])
    return set(names)


@pytest.mark.behaviour("start.help")
def test_help_imports_nothing_but_itself(home: Path) -> None:
    """Spec: `prowess --help` costs at most twice the bare interpreter."""
    found = imported("--help", cwd=home, home=home)
    assert {name for name in found if name.startswith("prowess")} == {"prowess", "prowess.cli", "prowess.cli.main"}
    assert not found & {"argparse", "msgspec", "asyncio", "pathlib"}


@pytest.mark.behaviour("start.list")
@pytest.mark.parametrize("words", [("list",), ("list", "--names"), ("show", "search_notes")])
def test_an_index_is_read_without_the_library(words: tuple[str, ...], notes: Path, home: Path) -> None:
    """Spec: `list` from an index costs at most four times the bare interpreter."""
    prowess("list", cwd=notes, home=home)
    found = imported(*words, cwd=notes, home=home)
    heavy = {"msgspec", "asyncio", "pathlib", "tomllib", "inspect", "dataclasses", "rich", "orjson", "prowess.errors"}
    assert not found & heavy
    assert not [name for name in found if name.startswith(("prowess.app", "prowess.model", "prowess.execution"))]


@pytest.mark.behaviour("start.run")
def test_a_run_imports_no_part_that_it_does_not_need(notes: Path, home: Path) -> None:
    """Spec: `run` costs at most eight times; no Pydantic, server, or terminal library on its path."""
    found = imported("run", "search_index", "query=rust", cwd=notes, home=home)
    assert not found & {"pydantic", "starlette", "uvicorn", "rich", "shtab", "orjson", "semantic_version", "difflib"}


HEAD = "from prowess import op, skill\n\n"
PLAIN = {
    "alone": """
@skill(description="Greet.")
async def greet(name: str) -> str:
    return f"Hello {name}"
""",
    "with what it calls": """
@op(description="Hello.")
async def hello(name: str) -> str:
    return f"Hello {name}"

@skill(calls=[hello], description="Say it.")
async def say(name: str, *, ctx) -> str:
    return await ctx.call("hello", name=name)

@skill(calls=[hello, say], description="Greet.")
async def greet(name: str, *, ctx) -> str:
    return await ctx.call("say", name=name)
""",
}
WAITING = {
    "at the top": """
import asyncio

@skill(description="Greet.")
async def greet(name: str) -> str:
    await asyncio.sleep(0)
    return f"Hello {name}"
""",
    "inside": """
@skill(description="Greet.")
async def greet(name: str) -> str:
    import asyncio

    async with asyncio.timeout(9):
        await asyncio.sleep(0)
    return f"Hello {name}"
""",
    "by name": """
import importlib

@skill(description="Greet.")
async def greet(name: str) -> str:
    await importlib.import_module("asyncio").sleep(0)
    return f"Hello {name}"
""",
    "by another name": """
from importlib import import_module as load

@skill(description="Greet.")
async def greet(name: str) -> str:
    await load("asyncio").sleep(0)
    return f"Hello {name}"
""",
    "in a module that came from no file": """
import sys
import types

made = types.ModuleType("made")
made.__file__ = __file__
exec("async def pause():\\n    import asyncio\\n    await asyncio.sleep(0)\\n", vars(made))
sys.modules["made"] = made

@skill(description="Greet.")
async def greet(name: str) -> str:
    await made.pause()
    return f"Hello {name}"
""",
    "in a thread": """
@skill(description="Greet.")
def greet(name: str) -> str:
    return f"Hello {name}"
""",
    "in what it calls": """
@op(description="Hello.")
def hello(name: str) -> str:
    return f"Hello {name}"

@skill(calls=[hello], description="Greet.")
async def greet(name: str, *, ctx) -> str:
    return await ctx.call("hello", name=name)
""",
    "with a deadline": """
@skill(timeout=9, description="Greet.")
async def greet(name: str) -> str:
    return f"Hello {name}"
""",
}


@pytest.mark.behaviour("start.straight")
@pytest.mark.parametrize("way", PLAIN)
def test_a_run_that_never_waits_loads_no_event_loop(way: str, tmp_path: Path, home: Path) -> None:
    """Spec: `run` costs at most eight times the bare interpreter, and asyncio alone more than four."""
    (tmp_path / "plain_skills.py").write_text(HEAD + PLAIN[way], encoding="utf-8")
    assert "asyncio" not in imported("-C", "plain_skills.py", "run", "greet", "name=Ada", cwd=tmp_path, home=home)
    assert prowess("-C", "plain_skills.py", "run", "greet", "name=Ada", cwd=tmp_path, home=home).out == "Hello Ada\n"


@pytest.mark.behaviour("start.straight")
def test_a_run_in_a_new_project_loads_no_event_loop(home: Path) -> None:
    """Regression: its folder `skills` is a package without a file, and so was taken for somebody else's code."""
    assert prowess("new", "project", "fresh", cwd=home, home=home).code == 0
    found = imported("run", "greet", "name=Ada", cwd=home / "fresh", home=home)
    assert not found & {"asyncio", "yaml"}


@pytest.mark.behaviour("start.straight")
@pytest.mark.parametrize("way", WAITING)
def test_a_run_that_may_wait_has_an_event_loop(way: str, tmp_path: Path, home: Path) -> None:
    """Choice: in every doubtful case there is one, wherever asyncio is imported."""
    (tmp_path / "waiting_skills.py").write_text(HEAD + WAITING[way], encoding="utf-8")
    ended = prowess("-C", "waiting_skills.py", "run", "greet", "name=Ada", cwd=tmp_path, home=home)
    assert (ended.code, ended.out) == (0, "Hello Ada\n"), str(ended)


def test_the_table_of_commands_is_what_the_modules_say() -> None:
    """Choice: help reads a table because importing the modules would cost more than help may."""
    modules = {name: import_module(f"prowess.cli.commands.{name}") for name in COMMANDS}
    assert {name: module.HELP for name, module in modules.items()} == dict(COMMANDS)
    assert [module.NAME for module in modules.values()] == list(COMMANDS)
    files = (ROOT / "src" / "prowess" / "cli" / "commands").glob("[a-z]*.py")
    assert {file.stem for file in files} == set(COMMANDS)


@pytest.mark.behaviour("commands.help")
def test_every_command_is_in_the_help_and_has_its_own(home: Path) -> None:
    """Choice: help names each command, and each explains itself."""
    assert prowess("--help", cwd=home, home=home).out == help_text()
    for name in COMMANDS:
        ended = prowess(name, "--help", cwd=home, home=home)
        assert ended.code == 0
        assert ended.out.startswith(f"usage: prowess {name}")


@pytest.mark.behaviour("commands.no-command")
def test_no_command_shows_the_help_and_is_bad_usage(home: Path) -> None:
    """Choice: help where one is lost, and a script still notices."""
    ended = prowess(cwd=home, home=home)
    assert (ended.code, ended.out, ended.err) == (2, "", help_text())
