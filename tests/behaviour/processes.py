"""The command line as its users have it: a process of its own, into a pipe or at a terminal, or a server."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import pty
    import termios

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "examples" / "notes"
PROWESS = (sys.executable, "-P", "-m", "prowess.cli.main")
"""As the installed script: the present folder is not on the path, which `-m` alone would put there."""
PATIENCE = 30.0
KEY = "pk_for_tests_only"
WAITING = '''
import asyncio
import threading
import time
from pathlib import Path
from prowess import op

HERE = Path(__file__).parent
LEFT = []


def tell(what: str) -> None:
    """Tell the test, which reads from a pipe of that name."""
    (HERE / what).write_text(what)


@op
async def wait() -> str:
    """Wait until cancelled, and tell of it."""
    tell("started")
    try:
        await asyncio.Event().wait()
    finally:
        tell("cancelled")


@op
async def cling() -> str:
    """Never let go."""
    tell("started")
    await stay()


async def stay() -> None:
    """Wait, whoever cancels."""
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass


@op
def block() -> str:
    """Block a thread for ever."""
    tell("started")
    threading.Event().wait()


@op
async def freeze() -> str:
    """Block the event loop for ever."""
    tell("started")
    while True:
        time.sleep(1)


@op
async def leave() -> str:
    """Leave a task that ends when it is told to, and one that does not."""
    LEFT.extend([asyncio.create_task(wait.execute()), asyncio.create_task(stay())])
    await asyncio.sleep(0)
    return "left"


@op(name="acme/quick")
async def quick() -> str:
    """Answer at once."""
    return "quick"
'''


@dataclass(frozen=True, slots=True)
class Ended:
    """What a process said and how it ended."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"exit {self.code}\n--- out\n{self.out}\n--- err\n{self.err}"


def environment(home: Path, **variables: str) -> dict[str, str]:
    """This process's variables with another home, and none that steers prowess but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PROWESS_")}
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), kept.get("PYTHONPATH")]))
    return {**kept, "HOME": str(home), "PYTHONPATH": path, "COLUMNS": "80", "NO_COLOR": "1", **variables}


def prowess(
    *words: str, cwd: Path, home: Path, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> Ended:
    """Run one command into pipes."""
    done = subprocess.run(
        [*PROWESS, *words],
        cwd=cwd,
        env=environment(home, **(variables or {})),
        input=stdin,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def at_terminal(
    words: Sequence[str], answers: Sequence[tuple[str, str]] = (), *, cwd: Path, home: Path, **variables: str
) -> Ended:
    """Run one command at a terminal of 70 columns, which says 80; when it says the first of a pair, type the second."""
    pid, terminal = pty.fork()
    if pid == 0:  # the new process
        os.chdir(cwd)
        termios.tcsetwinsize(1, (24, 70))
        os.execve(sys.executable, [*PROWESS, *words], environment(home, **{"TERM": "xterm", **variables}))
    said, left = b"", list(answers)
    end = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end and (piece := _read(terminal)) is not None:
            said += piece
            if left and left[0][0].encode() in said:
                os.write(terminal, left.pop(0)[1].encode())
    finally:
        os.close(terminal)
    return Ended(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode().replace("\r\n", "\n"), "")


class Server:
    """`prowess serve` on a port of its own, ready for requests."""

    def __init__(self, process: subprocess.Popen[str], greeting: str) -> None:
        self.process = process
        self.greeting = greeting
        self.port = int(re.findall(r"http://\S+:(\d+)", greeting)[0])
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(sent)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(*words: str, cwd: Path, home: Path, variables: Mapping[str, str] | None = None) -> Generator[Server]:
    """A server until the end of the block."""
    process = subprocess.Popen(
        [*PROWESS, "serve", "--port", "0", *words],
        cwd=cwd,
        env=environment(home, **(variables or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Server(process, _greeting(process))
    finally:
        _end(process)


def exchange(server: Server, raw: bytes) -> bytes:
    """Send bytes as they are and give all that comes back."""
    with connected(server) as connection:
        connection.sendall(raw)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
    return answer


def connected(server: Server) -> socket.socket:
    """Open a connection."""
    return socket.create_connection(("127.0.0.1", server.port), timeout=20)


def posted(name: str, body: bytes = b"", *headers: str) -> bytes:
    """Write the bytes of a call, with these headers besides the usual ones."""
    lines = [
        f"POST /v1/skills/{name}/run HTTP/1.1",
        "Host: localhost",
        f"X-API-Key: {KEY}",
        "Connection: close",
        *(headers or ("Content-Type: application/json", f"Content-Length: {len(body)}")),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


# ---------------------------------------------------------------------------------------------------------------------


def _read(terminal: int) -> bytes | None:
    """What the terminal says next, None where its process has ended."""
    ready, _, _ = select.select([terminal], [], [], PATIENCE)
    if not ready:
        return None
    try:
        return os.read(terminal, 65_536) or None
    except OSError:  # how Linux tells the end
        return None


def _end(process: subprocess.Popen[str]) -> None:
    """End a server as its user would, which also keeps what was measured in it; kill one that does not end."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _greeting(process: subprocess.Popen[str]) -> str:
    """All that a server prints until it says how to end it."""
    lines: list[str] = []
    for line in process.stdout or ():
        lines.append(line)
        if "Ctrl-C" in line:
            return "".join(lines)
    raise AssertionError("the server ended: " + "".join(lines))
