"""Calls told as they go: server-sent events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.behaviour.processes import KEY, Server, connected, exchange

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    Serve = Callable[..., AbstractContextManager[Server]]


def asked(name: str, inputs: object) -> bytes:
    """Write a call whose sender takes events."""
    body = json.dumps({"inputs": inputs}).encode()
    lines = [
        f"POST /v1/skills/{name}/run HTTP/1.1",
        *("Host: localhost", f"X-API-Key: {KEY}", "Connection: close", "Accept: application/json, text/event-stream"),
        *("Content-Type: application/json", f"Content-Length: {len(body)}"),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def events_in(raw: bytes) -> tuple[int, list[tuple[str, Any]]]:
    """Give the status and the events of a raw answer."""
    head, _, body = raw.partition(b"\r\n\r\n")
    assert b"content-type: text/event-stream" in head
    lines = [line for line in body.decode().splitlines() if line.startswith(("event: ", "data: "))]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return int(head.split()[1]), [(name[7:], json.loads(data[6:])) for name, data in pairs]


@pytest.mark.behaviour("http.events")
def test_pieces_and_progress_come_in_order_and_the_result_last(telling: Server) -> None:
    """Regression: what a sender accepts was passed over."""
    status, events = events_in(exchange(telling, asked("count", {"to": 2})))
    assert status == 200
    assert events[:4] == [
        ("progress", {"done": 1, "total": 2, "message": "counting"}),
        ("piece", 0),
        ("progress", {"done": 2, "total": 2, "message": "counting"}),
        ("piece", 1),
    ]
    assert [name for name, _ in events[4:]] == ["result"]
    assert (events[4][1]["ok"], events[4][1]["output"]) == (True, [0, 1])


@pytest.mark.behaviour("http.events")
def test_a_stream_from_a_thread_is_told_alike(telling: Server) -> None:
    """Choice: how a handler is written is nobody's business."""
    _, events = events_in(exchange(telling, asked("count_in_a_thread", {"to": 3})))
    assert [value for name, value in events if name == "piece"] == ["0", "1", "2"]
    assert events[-1][1]["output"] == ["0", "1", "2"]


@pytest.mark.behaviour("http.events", "http.envelope")
@pytest.mark.parametrize(
    ("name", "status", "code"),
    [("count", 400, "invalid_input"), ("crash", 500, "execution_failed"), ("nobody", 404, "not_found")],
)
def test_a_call_that_tells_nothing_has_the_status_of_its_result(
    name: str, status: int, code: str, telling: Server
) -> None:
    """Choice: a sender that looks at the status alone is not deceived."""
    found, events = events_in(exchange(telling, asked(name, {})))
    assert (found, [name for name, _ in events]) == (status, ["result"])
    assert (events[0][1]["ok"], events[0][1]["error"]["code"]) == (False, code)
    assert "hunter2" not in str(events)


@pytest.mark.behaviour("http.events", "http.disconnect")
def test_the_first_piece_comes_before_the_end_and_whoever_leaves_cancels(serve: Serve) -> None:
    """Spec: a sender that goes away cancels its call."""
    with serve(log="debug") as running:
        with connected(running) as connection:
            connection.sendall(asked("forever", {}))
            told = b""
            while b"\n\n" not in told:
                told += connection.recv(65_536)
            assert b'event: piece\ndata: "first"\n\n' in told
        assert running.process.stdout is not None
        assert any("forever: cancelled" in line for line in iter(running.process.stdout.readline, ""))


@pytest.mark.behaviour("http.events", "http.envelope")
def test_whoever_still_listens_at_the_end_of_the_server_is_told(serve: Serve) -> None:
    """Choice: a stream that only stops leaves its reader in doubt."""
    with serve() as running, connected(running) as connection:
        connection.sendall(asked("forever", {}))
        told = connection.recv(65_536)
        running.process.terminate()
        told += b"".join(iter(lambda: connection.recv(65_536), b""))
    _, events = events_in(told)
    assert (events[-1][0], events[-1][1]["error"]["code"]) == ("result", "cancelled")
