"""Run one Markdown page as a reader would: `python -m tests.docs.run_page PAGE REPOSITORY FOLDER`.

A process of its own for every page, so that no page lives off another, working in FOLDER/desk. Ends
with 1 and says which line did not hold.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import doctest
import inspect
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import traceback
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.docs.page import Block, Command, PageError, blocks_of, commands_of

if TYPE_CHECKING:
    from collections.abc import Callable

PORT = "8765"  # a reader may be serving there already
COMMAND_SECONDS = 30
READY_SECONDS = 15
POLL_SECONDS = 0.05
FLAGS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_TRUE_FOR_1 | doctest.DONT_ACCEPT_BLANKLINE
REMEMBER = '\nstatus=$?; pwd > "$0/pwd"; env -0 > "$0/env"; exit $status'

matches: Callable[[str, str, int], bool] = doctest.OutputChecker().check_output


@dataclass(slots=True)
class Reader:
    """Somebody working through a page: one terminal, one Python, and what both remember."""

    page: Path
    repository: Path
    folder: Path
    notes: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    main: types.ModuleType = field(default_factory=lambda: types.ModuleType("__main__"))
    printed: str = ""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def read(self) -> None:
        """Do the whole page, and end whatever it left running."""
        sys.modules["__main__"] = self.main
        sys.path[0] = str(self.folder)
        try:
            with asyncio.Runner() as runner:
                for block in self._blocks():
                    self._do(block, runner)
        finally:
            for process in self.started:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(COMMAND_SECONDS)

    def _blocks(self) -> list[Block]:
        """Give the blocks to run, with a free port wherever the page writes the usual one."""
        text = self.page.read_text(encoding="utf-8")
        if PORT in text:
            self.environment["PROWESS_SERVER_PORT"] = os.environ["PROWESS_SERVER_PORT"] = free = _free_port()
            text = text.replace(PORT, free)
        return [block for block in blocks_of(text) if block.runs]

    def _do(self, block: Block, runner: asyncio.Runner) -> None:
        before = self.folder
        if "cwd" in block.words:
            self.folder = self._copy(block.words["cwd"])
        os.chdir(self.folder)
        if "file" in block.words:
            target = self.folder / block.words["file"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self._python(block, runner)
        elif block.language == "output":
            _compare(block.text, self.printed, block.line)
        else:
            self._console(block)
        if "cwd" in block.words:
            self.folder = before

    def _copy(self, name: str) -> Path:
        """Give the page its own copy of a folder of the repository, made once."""
        copy = self.notes / name
        if not copy.exists():
            shutil.copytree(self.repository / name, copy, ignore=shutil.ignore_patterns(".prowess", "__pycache__"))
        return copy

    def _python(self, block: Block, runner: asyncio.Runner) -> None:
        source = "\n" * (block.line - 1) + block.text  # a traceback then shows the page's own lines
        code = compile(source, str(self.page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                pending = types.FunctionType(code, self.main.__dict__)()
                if inspect.iscoroutine(pending):
                    runner.run(pending)
        except Exception as error:
            message = f"line {block.line}: this block raised\n{traceback.format_exc()}"
            raise PageError(message) from error
        self.printed = output.getvalue()

    def _console(self, block: Block) -> None:
        commands = commands_of(block)
        for command in commands:
            if command.in_background:
                self._start(command)
                continue
            status, printed = self._run(command)
            wanted = int(block.words.get("exit", "0")) if command is commands[-1] else 0
            if status != wanted:
                message = f"line {command.line}: `{command.text}` ended with {status}, not {wanted}:\n{printed}"
                raise PageError(message)
            if command.expected:
                _compare(command.expected + "\n", printed, command.line)

    def _run(self, command: Command) -> tuple[int, str]:
        """Run a command in the page's terminal, which then stands where the command left it."""
        done = subprocess.run(
            ["sh", "-c", command.text + REMEMBER, str(self.notes)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        self.folder = Path((self.notes / "pwd").read_text(encoding="utf-8").rstrip("\n"))
        pairs = (self.notes / "env").read_text(encoding="utf-8").split("\0")
        self.environment = dict(pair.partition("=")[::2] for pair in pairs if pair)
        return done.returncode, done.stdout.decode()

    def _start(self, command: Command) -> None:
        """Start a command that stays, and wait until it has printed what the page says."""
        output = self.notes / f"background-{len(self.started)}"
        with output.open("wb") as file:
            process = subprocess.Popen(
                ["sh", "-c", f"exec {command.text.removesuffix(' &')}"],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started.append(process)
        clock = threading.Event()
        for _ in range(int(READY_SECONDS / POLL_SECONDS)):
            if matches(command.expected + "\n", output.read_text(encoding="utf-8"), FLAGS):
                return
            if process.poll() is not None:
                break
            clock.wait(POLL_SECONDS)
        _compare(command.expected + "\n", output.read_text(encoding="utf-8"), command.line)


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def _compare(expected: str, printed: str, line: int) -> None:
    if not matches(expected, printed, FLAGS):
        message = f"line {line}: expected\n{expected}\nbut this was printed\n{printed}"
        raise PageError(message)


def main(page: str, repository: str, folder: str) -> int:
    """Read the page; 1 and a complaint where it does not hold."""
    desk = Path(folder) / "desk"
    notes = Path(folder) / "notes"
    desk.mkdir()
    notes.mkdir()
    os.chdir(desk)
    sys.argv = [page]
    try:
        Reader(Path(page), Path(repository), desk, notes).read()
    except PageError as error:
        print(f"{page}, {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
