"""What a server tells its operator, and what it tells a sender however a call ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.faces import request

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from tests.behaviour.processes import Server

    Serve = Callable[..., AbstractContextManager[Server]]


def logged(serve: Serve, *names: str, **settings: str) -> str:
    """Give what the server says about calls of these entries, one after the other."""
    with serve(**settings) as running:
        for name in names:
            request(f"{running.url}/v1/skills/{name}/run", b"{}")
        running.stop()
        assert running.process.stdout is not None
        return running.process.stdout.read()


@pytest.mark.behaviour("serve.log")
def test_a_failure_is_told_with_its_run_its_entry_and_where_it_was(serve: Serve) -> None:
    """Regression: what a handler raised was nowhere to be found."""
    told = logged(serve, "crash")
    head, *trace = told.splitlines()
    assert head.split(" ")[2] == "ERROR"
    assert head.split(" ", 3)[3].split("-", 1)[1].startswith("1 crash: execution failed: crash: RuntimeError: ")
    assert trace[0] == "Traceback (most recent call last):"
    assert any("telling.py" in line and "in crash" in line for line in trace)
    assert "\x1b" not in told


@pytest.mark.behaviour("serve.log")
def test_lines_of_a_handler_and_its_failure_name_the_same_run(serve: Serve) -> None:
    """Choice: what belongs to one call can be found by its run, also where another call failed inside."""
    line, failure, *trace = logged(serve, "outer").splitlines()
    assert line.split(" ", 4)[4] == "outer: on the way to crash number=1"
    assert failure.split(" ")[3] == line.split(" ")[3]
    assert (failure.split(" ")[4], "\n".join(trace).count("Traceback")) == ("outer:", 1)


@pytest.mark.behaviour("serve.log")
def test_a_handler_that_is_left_to_itself_is_told(serve: Serve) -> None:
    """Regression: the event was for the operator, and the log left it out."""
    told, *_ = logged(serve, "linger").splitlines()
    assert "linger: its handler was left to itself and runs on" in told


@pytest.mark.behaviour("serve.log")
def test_the_setting_says_how_much_is_told(serve: Serve) -> None:
    """Choice: failures always, lines of handlers by default, every request and call for who asks."""
    levels = {level: logged(serve, "outer", "count", log=level) for level in ("error", "info", "debug")}
    assert "on the way" not in levels["error"]
    assert "Traceback" in levels["error"]
    assert "on the way" in levels["info"]
    assert "required" not in levels["info"]
    assert '"POST /v1/skills/count/run HTTP/1.1" 400' in levels["debug"]
    assert "count: invalid input" in levels["debug"]


@pytest.mark.behaviour("http.envelope", "serve.log")
def test_an_exception_that_is_none_is_answered_as_any_other(serve: Serve) -> None:
    """Regression: a handler's KeyboardInterrupt was answered with text."""
    with serve() as running:
        status, answer = request(f"{running.url}/v1/skills/interrupt/run", b"")
        assert (status, answer["ok"], answer["error"]["code"]) == (500, False, "execution_failed")
        assert answer["duration_ms"] >= 0
        running.stop()
        assert running.process.stdout is not None
        assert "interrupt: KeyboardInterrupt ended the call\nTraceback" in running.process.stdout.read()


@pytest.mark.behaviour("http.advice")
@pytest.mark.parametrize(
    ("path", "body", "advice"),
    [
        ("/v1/skills/count/run", {"amount": 1}, "inputs stand in an object under 'inputs'"),
        ("/v1/skills/count/run", {"input": {}}, "did you mean 'inputs'?"),
        ("/v1/skills/", None, "GET /v1/skills"),
        ("/v1/tools?strict=yes", None, "'strict' is true or false"),
    ],
)
def test_a_request_that_is_nearly_right_is_told_what_would_be(
    path: str, body: object, advice: str, telling: Server
) -> None:
    """Regression: `there is no entry ''`, `there is no strict 'yes'`, and a list of fields were no help."""
    sent = None if body is None else json.dumps(body).encode()
    assert advice in request(f"{telling.url}{path}", sent)[1]["error"]["message"]
