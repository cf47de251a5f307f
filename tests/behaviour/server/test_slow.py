"""Senders that take their time, and too many of them."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import pytest

from tests.behaviour.processes import KEY, Server, connected, posted

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    Serve = Callable[..., AbstractContextManager[Server]]

HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
BODY = posted("count", b'{"inputs"', "Content-Type: application/json", "Content-Length: 100")
REFUSED = posted("count", b"[", "Content-Type: application/json", "Content-Length: 2000000")


def answers_until_closed(server: Server, *sent: bytes) -> list[int]:
    """Send what there is, and give the statuses of all answers that come before the server closes."""
    with connected(server) as connection:
        for part in sent:
            connection.sendall(part)
        raw = b"".join(iter(lambda: connection.recv(65_536), b""))
    return [int(part.split()[0]) for part in raw.split(b"HTTP/1.1 ")[1:]]


@pytest.mark.behaviour("http.slow")
def test_a_sender_has_its_time_and_no_more(serve: Serve) -> None:
    """Regression: half of a head, half of a body and a connection without a word stayed open for ever."""
    with serve(request_timeout="1") as running:
        assert answers_until_closed(running) == []
        assert answers_until_closed(running, b"GET /hea") == [408]
        assert answers_until_closed(running, BODY) == [408]
        assert answers_until_closed(running, HEALTH) == [200]
        assert answers_until_closed(running, HEALTH, b"\r\n") == [200]
        assert answers_until_closed(running, HEALTH, b"GET ") == [200, 408]
        assert answers_until_closed(running, REFUSED) == [413]


@pytest.mark.behaviour("http.slow")
def test_a_refusal_of_the_slow_is_json_as_any_other(serve: Serve) -> None:
    """Choice: a program can read what was wrong."""
    with serve(request_timeout="1") as running, connected(running) as connection:
        connection.sendall(BODY)
        raw = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert json.loads(raw.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_slow"


@pytest.mark.behaviour("http.slow")
def test_a_call_under_way_and_pieces_that_come_in_time_are_left_alone(serve: Serve) -> None:
    """Choice: how long a call may last is for the gate to say."""
    with serve(request_timeout="1") as running, connected(running) as waiting:
        waiting.sendall(posted("forever"))
        assert answers_until_closed(running, HEALTH) == [200]  # which takes as long as a sender has
        assert answers_until_closed(running, HEALTH[:9], HEALTH[9:], HEALTH) == [200, 200]
        running.process.terminate()
        assert received(waiting, b"}").startswith(b"HTTP/1.1 503 ")


@pytest.mark.behaviour("http.connections")
def test_there_are_only_so_many_connections(serve: Serve) -> None:
    """Regression: a machine's every file could be a connection."""
    with serve(max_connections="2") as running, ExitStack() as opened:
        first, second, third = (opened.enter_context(connected(running)) for _ in range(3))
        assert received(third, b"}}").startswith(b"HTTP/1.1 503 ")
        for one in (first, second):
            one.sendall(HEALTH)
            assert received(one, b"}").startswith(b"HTTP/1.1 200 ")


@pytest.mark.behaviour("http.connections")
def test_a_path_that_is_too_long_is_told_as_that(serve: Serve) -> None:
    """Regression: it was said to be no HTTP."""
    with serve() as running, connected(running) as connection:
        connection.sendall(b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 431 ")


@pytest.mark.behaviour("http.connections")
def test_a_head_without_end_is_refused(serve: Serve) -> None:
    """Regression: a header was collected for as long as it came."""
    with serve() as running, connected(running) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nX-API-Key: " + KEY.encode())
        statuses = set[bytes]()
        try:
            for _ in range(100):
                connection.sendall(b"x" * 10_000)
            statuses.add(connection.recv(65_536)[:13])
        except ConnectionError:  # it was closed while we were still talking
            statuses.add(b"HTTP/1.1 431 ")
        assert statuses == {b"HTTP/1.1 431 "}


@pytest.mark.behaviour("http.slow")
def test_whoever_does_not_read_an_answer_is_left(serve: Serve) -> None:
    """Regression: an answer that nobody reads was kept for ever."""
    with serve(request_timeout="1") as running, connected(running) as patient, connected(running) as idle:
        for one in (patient, idle):
            one.sendall(posted("flood"))
        assert len(b"".join(iter(lambda: patient.recv(1 << 20), b""))) > 20_000_000
        assert answers_until_closed(running) == []  # which takes as long as a reader has
        assert answers_until_closed(running) == []
        came = 0
        with suppress(ConnectionError):
            while piece := idle.recv(1 << 20):
                came += len(piece)
        assert came < 20_000_000


@pytest.mark.behaviour("http.slow")
def test_a_body_that_nobody_waits_for_may_come_to_its_end(serve: Serve) -> None:
    """Choice: a refusal ends no connection that can still be used."""
    head = posted("count", b"", "Content-Type: application/json", "Content-Length: 5")
    refused = head.replace(KEY.encode(), b"wrong").replace(b"Connection: close\r\n", b"")
    with serve(request_timeout="1") as running, connected(running) as connection:
        connection.sendall(refused)
        assert received(connection, b"}}").startswith(b"HTTP/1.1 403 ")
        connection.sendall(b"12345" + HEALTH)
        assert received(connection, b"}").startswith(b"HTTP/1.1 200 ")
        assert connection.recv(65_536) == b""


def received(connection: socket.socket, end: bytes) -> bytes:
    """Give what comes until it ends like this: an answer may come in parts."""
    came = b""
    while not came.endswith(end) and (piece := connection.recv(65_536)):
        came += piece
    return came
