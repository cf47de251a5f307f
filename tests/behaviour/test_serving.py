"""How a server is started, and how it ends: its greeting, its key, its address, and calls under way."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import time
from typing import TYPE_CHECKING

import pytest

from prowess.model.event import ABANDONED
from tests.behaviour.faces import request
from tests.behaviour.processes import KEY, PATIENCE, Server, connected, environment, posted, prowess, serving

if TYPE_CHECKING:
    from pathlib import Path


def has(host: str) -> bool:
    """Tell whether this machine has an address; not every one has IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind((host, 0))
    except OSError:
        return False
    return True


SHOWN = [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1"), *([("::1", "[::1]")] if has("::1") else [])]


@pytest.mark.behaviour("serve.greeting")
def test_serve_says_where_it_is_and_what_to_try_without_telling_the_key(notes: Path, home: Path) -> None:
    """Spec: prints what to try next; the key is read from its file."""
    with serving(cwd=notes, home=home) as running:
        file = home / ".prowess" / "apikeys" / f"{running.port}.key"
        key = file.read_text(encoding="ascii").strip()
        assert key.startswith("pk_")
        assert len(key) >= len("pk_") + 43  # 256 bits
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert key not in running.greeting
        assert str(file) in running.greeting
        assert "6 entries" in running.greeting
        assert "search_notes/run" in running.greeting
        assert request(f"{running.url}/v1/skills", key=key)[0] == 200
        assert running.stop() == 0
    assert not file.exists()


EXAMPLES = """
from typing import Annotated
from msgspec import Meta
from prowess import op, skill

@op(name="a_wipe", destructive=True)
async def wipe() -> None:
    "Wipe the disk."

@op(name="b_code")
async def code(code: Annotated[str, Meta(pattern="^[A-Z]{7}$")]) -> str:
    "Take what nobody can guess."
    return code

@op(name="c_off", status="disabled")
async def off() -> None:
    "Be off."

@op(name="d_suggest", autonomy="L0")
async def suggest() -> None:
    "Never run."
"""
HARMLESS = """
@skill(name="e_write", side_effects=["files"])
async def write(text: str) -> str:
    "Write."
    return text

@op(name="f_look")
async def look(limit: Annotated[int, Meta(ge=3)]) -> int:
    "Look."
    return limit
"""


@pytest.mark.behaviour("serve.example")
@pytest.mark.parametrize(("more", "shown"), [("", None), (HARMLESS, "f_look")])
def test_only_a_call_that_harms_nothing_is_offered_to_paste(more: str, shown: str | None, home: Path) -> None:
    """Regression: the first entry was offered, whatever it destroys."""
    (home / "offered.py").write_text(EXAMPLES + more, encoding="utf-8")
    with serving("offered.py", cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        calls = [line for line in running.greeting.splitlines() if "/run" in line]
        assert len(calls) == (shown is not None)
        if shown is not None:
            body = calls[0].partition("-d '")[2].partition("'")[0]
            assert request(f"{running.url}/v1/skills/{shown}/run", body.encode())[1]["output"] == 3
        assert "Python code is not: start again for that" in running.greeting


@pytest.mark.behaviour("serve.key-kept")
def test_the_key_of_a_port_is_made_once_and_kept(notes: Path, home: Path) -> None:
    """Spec: made at the first start."""
    port = free_port()
    words = ("--port", str(port))
    with serving(*words, cwd=notes, home=home) as first:
        key = (home / ".prowess" / "apikeys" / f"{port}.key").read_text(encoding="ascii").strip()
        first.stop()
    with serving(*words, cwd=notes, home=home) as second:
        assert request(f"{second.url}/v1/skills", key=key)[0] == 200


@pytest.mark.behaviour("serve.refusals")
def test_serve_refuses_what_would_be_unsafe_or_cannot_be(notes: Path, home: Path) -> None:
    """Spec: loopback by default, loose key files refused with the fix, a taken port told."""
    remote = prowess("serve", "--host", "0.0.0.0", "--port", "0", cwd=notes, home=home)  # noqa: S104 - what is refused
    assert (remote.code, "--allow-remote" in remote.err) == (1, True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = prowess("serve", "--port", str(port), cwd=notes, home=home)
        assert (ended.code, f"port {port} on 127.0.0.1 is taken" in ended.err) == (1, True), ended
    nowhere = prowess("serve", "--host", "no.such.host.invalid", "--allow-remote", cwd=notes, home=home)
    assert (nowhere.code, "no.such.host.invalid" in nowhere.err) == (1, True)
    keys = home / ".prowess" / "apikeys"
    keys.mkdir(parents=True, exist_ok=True, mode=0o700)
    port = free_port()
    (keys / f"{port}.key").write_text("pk_seen_by_all\n", encoding="ascii")
    (keys / f"{port}.key").chmod(0o644)
    loose = prowess("serve", "--port", str(port), cwd=notes, home=home)
    assert (loose.code, "chmod 600" in loose.err) == (1, True), loose


@pytest.mark.behaviour("serve.refusals")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--host", "skills.example"), "say --allow-remote"),
        (("--host", "203.0.113.1", "--allow-remote"), "203.0.113.1 is no address of this machine"),
        (("--host", ".example", "--allow-remote"), "there is no host .example"),
    ],
)
def test_a_host_that_cannot_be_had_is_told(words: tuple[str, ...], told: str, notes: Path, home: Path) -> None:
    """Regression: a name with an empty part was told as a mistake of ours."""
    ended = prowess("serve", "--port", "0", *words, cwd=notes, home=home)
    assert (ended.code, told in ended.err) == (1, True), ended


@pytest.mark.behaviour("serve.refusals")
def test_a_second_server_on_a_port_is_refused_and_the_first_goes_on(notes: Path, home: Path) -> None:
    """Spec: a taken port is told, with the way to another."""
    with serving(cwd=notes, home=home, variables={"PROWESS_API_KEY": KEY}) as first:
        ended = prowess("serve", "--port", str(first.port), cwd=notes, home=home)
        assert (ended.code, "choose with --port" in ended.err) == (1, True), ended
        assert request(f"{first.url}/v1/skills")[0] == 200


@pytest.mark.parametrize(("host", "shown"), SHOWN)
def test_an_address_is_shown_as_it_can_be_asked(host: str, shown: str, notes: Path, home: Path) -> None:
    """Choice: what is printed can be pasted, also where an address has colons."""
    with serving("--host", host, cwd=notes, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        url = f"http://{shown}:{running.port}/health"
        assert url in running.greeting
        assert request(url, key="")[0] == 200


@pytest.mark.behaviour("serve.missing-extra")
@pytest.mark.parametrize(
    ("missing", "told"),
    [("uvicorn", "pip install 'PATH/TO/prowess[server]'"), ("prowess.nothing", "should not have happened")],
)
def test_a_server_that_is_not_installed_is_told_with_the_way_to_install_it(
    missing: str, told: str, notes: Path, home: Path
) -> None:
    """Spec: a missing extra is named; a module of our own that is missing is a mistake of ours."""
    text = f"raise ModuleNotFoundError(\"No module named '{missing}'\", name='{missing}')\n"
    (home / "uvicorn.py").write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(home), environment(home)["PYTHONPATH"]])
    ended = prowess("serve", cwd=notes, home=home, variables={"PYTHONPATH": path})
    assert (ended.code, missing in ended.err, told in ended.err) == (1, True, True), ended


@pytest.mark.behaviour("serve.greeting")
def test_an_empty_project_is_served_without_a_call_to_paste(home: Path) -> None:
    """Choice: a server is up before its first skill is written."""
    (home / "prowess.toml").write_text("", encoding="utf-8")
    with serving(cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        assert ": 0 entries.\n" in running.greeting
        assert "/run" not in running.greeting
        assert "KEY=$PROWESS_API_KEY" in running.greeting
        assert request(f"{running.url}/v1/skills")[1] == {"skills": []}


@pytest.mark.behaviour("serve.remote")
def test_a_remote_address_is_served_when_that_is_said(notes: Path, home: Path) -> None:
    """Choice: an explicit flag, and the names that requests come for listed in the settings."""
    variables = {"PROWESS_API_KEY": KEY, "PROWESS_SERVER_ALLOWED_HOSTS": "skills.example"}
    words = ("--host", "0.0.0.0", "--allow-remote")  # noqa: S104 - what is tested
    with serving(*words, cwd=notes, home=home, variables=variables) as running:
        url = f"http://127.0.0.1:{running.port}/health"
        assert request(url, key="", headers={"Host": "skills.example"})[0] == 200
        assert request(url, key="", headers={"Host": "other.example"})[0] == 403


@pytest.mark.behaviour("http.disconnect")
def test_a_sender_that_goes_away_cancels_its_call(waiting: Path, home: Path) -> None:
    """Choice: nobody pays for work that nobody waits for."""
    with serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        with connected(running) as connection:
            connection.sendall(posted("wait"))
            assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
        assert (waiting.parent / "cancelled").read_text(encoding="utf-8") == "cancelled"
        assert request(f"{running.url}/v1/skills/acme/quick/run", b"")[1]["output"] == "quick"


@pytest.mark.behaviour("http.disconnect")
def test_a_sender_that_goes_away_in_mid_sentence_leaves_no_trace(waiting: Path, home: Path) -> None:
    """Regression: for each upload that was broken off the server printed a traceback."""
    with serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        for _ in range(2):
            with connected(running) as connection:
                connection.sendall(posted("wait", b'{"in', "Content-Type: application/json", "Content-Length: 100"))
        assert request(f"{running.url}/v1/skills/acme/quick/run", b"")[1]["output"] == "quick"
        assert (running.stop(), said(running)) == (0, "")


@pytest.mark.behaviour("http.ends-told", "http.envelope")
def test_whoever_waits_for_a_call_that_the_end_cancels_is_told(waiting: Path, home: Path) -> None:
    """Regression: an upload under way was answered with 500 as text, and a traceback on the terminal."""
    with (
        serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running,
        connected(running) as calling,
        connected(running) as sending,
    ):
        calling.sendall(posted("wait"))
        assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
        sending.sendall(posted("wait", b'{"in', "Content-Type: application/json", "Content-Length: 100"))
        running.process.terminate()
        assert (waiting.parent / "cancelled").read_text(encoding="utf-8") == "cancelled"
        called, sent = all_of(calling), all_of(sending)
        assert {"ok", "error", "duration_ms"} == set(json.loads(called.partition(b"\r\n\r\n")[2]))
        for answer in (called, sent):
            error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert (error["code"], error["retryable"]) == ("cancelled", True)
        assert (running.process.wait(PATIENCE), said(running)) == (0, "")


@pytest.mark.behaviour("http.ends-at-once")
def test_a_second_signal_ends_the_server_at_once(waiting: Path, home: Path) -> None:
    """Choice: whoever asks twice does not want to wait for a call that will not end."""
    with (
        serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running,
        connected(running) as connection,
    ):
        connection.sendall(posted("cling"))
        assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
        running.process.send_signal(signal.SIGINT)
        wait_until_closed(running)
        assert (running.stop(signal.SIGINT), said(running)) == (0, "")


@pytest.mark.behaviour("http.ends-in-time")
def test_what_a_handler_started_and_left_does_not_keep_the_server(waiting: Path, home: Path) -> None:
    """Choice: it is told to end, and goes down with the process where it does not."""
    with serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        with connected(running) as connection:
            connection.sendall(posted("leave"))
            assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
            assert b'"left"' in all_of(connection)
        running.process.terminate()
        assert (waiting.parent / "cancelled").read_text(encoding="utf-8") == "cancelled"
        assert (running.process.wait(PATIENCE), said(running)) == (0, "")


@pytest.mark.behaviour("http.ends-in-time")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("name", [None, "cling", "block"])
def test_a_signal_ends_the_server_whatever_a_call_does(
    name: str | None, sent: signal.Signals, waiting: Path, home: Path
) -> None:
    """Spec: clean shutdown on SIGINT and SIGTERM within seconds, even with a hanging call."""
    with serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        connection = connected(running)
        if name is not None:
            connection.sendall(posted(name))
            assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
        assert running.stop(sent) == 0
        connection.close()
        told = said(running)
        assert (told == "") if name != "block" else told.strip().endswith(f"block: {ABANDONED}")


@pytest.mark.long
@pytest.mark.behaviour("http.frozen-loop")
def test_even_a_frozen_event_loop_does_not_keep_the_process(waiting: Path, home: Path) -> None:
    """Choice: a handler that blocks the loop is a mistake, and must not need kill -9."""
    with (
        serving(str(waiting), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running,
        connected(running) as connection,
    ):
        connection.sendall(posted("freeze"))
        assert (waiting.parent / "started").read_text(encoding="utf-8") == "started"
        assert running.stop() == 1


def said(running: Server) -> str:
    """Give what a server that has ended printed after its greeting."""
    assert running.process.stdout is not None
    return running.process.stdout.read()


def all_of(connection: socket.socket) -> bytes:
    """Give all that comes until the other side closes."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def wait_until_closed(running: Server) -> None:
    """Knock until nobody opens any more."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            connected(running).close()
        except ConnectionError:
            return
    raise AssertionError("the server still opens")


def free_port() -> int:
    """Give a port that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
