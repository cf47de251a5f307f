"""A running server: its door, its routes, and bad requests."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tests.behaviour.faces import request
from tests.behaviour.processes import KEY, WAITING, Server, exchange, posted, serving

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    """A server of one file with a namespaced op."""
    home = tmp_path_factory.mktemp("home")
    file = tmp_path_factory.mktemp("skills") / "waiting.py"
    file.write_text(WAITING, encoding="utf-8")
    with serving(str(file), cwd=home, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        yield running


def error_in(raw: bytes) -> tuple[int, str]:
    """Give the status and the error code of a raw answer."""
    head, _, body = raw.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.behaviour("http.health")
def test_health_needs_no_key_and_tells_of_problems(server: Server) -> None:
    """Spec: GET /health."""
    status, health = request(f"{server.url}/health", key="")
    assert (status, health["status"], health["skills"], health["problems"]) == (200, "ok", 6, 0)
    assert health["version"]


@pytest.mark.behaviour("http.namespaces")
def test_a_name_with_a_namespace_has_its_routes(server: Server) -> None:
    """Choice: a slash in a name is a slash in the path."""
    assert request(f"{server.url}/v1/skills/acme/quick")[1]["name"] == "acme/quick"
    assert request(f"{server.url}/v1/skills/acme/quick/run", b"")[1]["output"] == "quick"
    assert request(f"{server.url}/v1/skills/acme%2Fquick/run", b"{}")[1]["output"] == "quick"


@pytest.mark.behaviour("http.keys")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Basic abc"}, 401),
        ({"Authorization": "Bearer wrong"}, 403),
        ({"Authorization": "Bearer "}, 403),
        ({"Authorization": f"Bearer {KEY}x"}, 403),
        ({"Authorization": f"Bearer {KEY[:-1]}"}, 403),
        ({"X-API-Key": "wrong"}, 403),
        ({"X-API-Key": "\xfc"}, 403),
        ({"Authorization": f"Bearer {KEY}"}, 200),
        ({"Authorization": f"bearer {KEY}"}, 200),
        ({"X-API-Key": KEY}, 200),
    ],
)
def test_a_key_is_needed_and_must_be_the_right_one(headers: dict[str, str], status: int, server: Server) -> None:
    """Spec: 401 without a key, 403 with a wrong one."""
    found, answer = request(f"{server.url}/v1/skills", key="", headers=headers)
    assert found == status
    assert ("error" in answer) == (status != 200)


@pytest.mark.behaviour("http.hosts")
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1", 200),
        ("[::1]:8765", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example:8765", 403),
        ("", 403),
        ("[::1]", 200),
        ("localhost:", 200),
        ("localhost.:8765", 200),
        *(
            (host, 403)
            for host in ("[::1", "[::1]evil.com", "[::1]:evil.com", "localhost:evil.com", "localhost:1:2", "[]")
        ),
        ("evil.example#localhost", 403),
    ],
)
def test_only_requests_for_this_machine_are_answered(host: str, status: int, server: Server) -> None:
    """Spec: Host header allow-list."""
    raw = exchange(server, f"GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert int(raw.split()[1]) == status


@pytest.mark.behaviour("http.origins")
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:99", 200),
        ("http://localhost:98", 403),
        ("http://127.0.0.1:99", 403),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://localhost:99.evil.example", 403),
        ("localhost:99", 403),
    ],
)
def test_a_web_page_must_be_our_own(origin: str, status: int, server: Server) -> None:
    """Spec: Origin checked."""
    head = f"GET /health HTTP/1.1\r\nHost: localhost:99\r\nOrigin: {origin}\r\nConnection: close\r\n\r\n"
    assert int(exchange(server, head.encode()).split()[1]) == status


@pytest.mark.behaviour("http.bad-requests")
@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (posted("wait", b"{"), 400, "bad_request"),
        (posted("wait", b"[]"), 400, "bad_request"),
        (posted("wait", b"null"), 400, "bad_request"),
        (posted("wait", b"\xff"), 400, "bad_request"),
        (posted("wait", b'{"inputs": []}'), 400, "bad_request"),
        (posted("wait", b'{"inputs": {}, "inputs": {}}'), 400, "bad_request"),
        (posted("wait", b'{"inputs": {"a": {"b": 1, "\\u0062": 2}}}'), 400, "bad_request"),
        (posted("wait", b'{"inputs": {"a": NaN}}'), 400, "bad_request"),
        (posted("wait", b'{"inputs": {"a": -Infinity}}'), 400, "bad_request"),
        (posted("wait", b'{"inputs": {"a": 1e999}}'), 400, "bad_request"),
        (posted("wait", b'{"input": {}}'), 400, "bad_request"),
        (posted("wait", b'{"timeout": 0}'), 400, "bad_request"),
        (posted("wait", b'{"timeout": true}'), 400, "bad_request"),
        (posted("wait", b'{"timeout": "1"}'), 400, "bad_request"),
        (posted("wait", b'{"timeout": 1e300}'), 400, "bad_request"),
        (posted("wait", b'{"version": 1}'), 400, "bad_request"),
        (posted("wait", b'{"version": "^^"}'), 400, "bad_request"),
        (posted("wait@^1", b'{"version": "^1"}'), 400, "bad_request"),
        (posted("wait", b"[" * 5_000 + b"]" * 5_000), 400, "bad_request"),
        (posted("wait", b'{"inputs":' + b'{"a":' * 200 + b"1" + b"}" * 201), 400, "invalid_input"),
        (posted("wait", b'{"inputs": {"extra": 1}}'), 400, "invalid_input"),
        (posted("nobody", b"{}"), 404, "not_found"),
        (posted("", b"{}"), 404, "not_found"),
        (posted("wait", b"{}", "Content-Type: text/plain", "Content-Length: 2"), 415, "unsupported_media_type"),
        (posted("wait", b"{}", "Content-Length: 2"), 415, "unsupported_media_type"),
        (posted("wait", b"", "Host: localhost"), 400, "bad_request"),
        (posted("wait", b"", "Origin: http://localhost", "Origin: http://localhost"), 400, "bad_request"),
        (posted("wait", b"", "Content-Type: application/json", "Content-Length: 1000001"), 413, "too_large"),
        (posted("wait", b"", "Content-Type: application/json", f"Content-Length: {'9' * 15}"), 413, "too_large"),
        (
            posted(
                "wait",
                b"f4241\r\n" + b" " * 0xF4241 + b"\r\n",
                "Content-Type: application/json",
                "Transfer-Encoding: chunked",
            ),
            413,
            "too_large",
        ),
    ],
)
def test_a_bad_request_gets_its_error_as_json(raw: bytes, status: int, code: str, server: Server) -> None:
    """Spec: everything malformed is answered with a JSON error and its status."""
    assert error_in(exchange(server, raw)) == (status, code)


@pytest.mark.behaviour("http.no-http")
@pytest.mark.parametrize(
    "raw",
    [
        posted("wait", b"2\r\n{}\r\n0\r\n\r\n", "Content-Length: 2", "Transfer-Encoding: chunked"),
        posted("wait", b"{}", "Content-Length: 2", "Content-Length: 2"),
        posted("wait", b"", "Content-Length: -1"),
        posted("wait", b"zz\r\n", "Transfer-Encoding: chunked"),
        b"GET /\xff HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_the_connection_ends(raw: bytes, server: Server) -> None:
    """Choice: nobody guesses where a request ends that tells its length twice."""
    assert exchange(server, raw).startswith(b"HTTP/1.1 400 ")


@pytest.mark.behaviour("http.head")
@pytest.mark.parametrize(("path", "status"), [("/v1/skills", 200), ("/v1/skills/nobody", 404), ("/health", 200)])
def test_head_tells_what_get_would_and_sends_no_body(path: str, status: int, server: Server) -> None:
    """Choice: as HTTP has it."""
    head, get = (
        exchange(
            server,
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {KEY}\r\nConnection: close\r\n\r\n".encode(),
        )
        for method in ("HEAD", "GET")
    )
    lines, _, body = get.partition(b"\r\n\r\n")
    assert int(head.split()[1]) == status
    assert f"content-length: {len(body)}".encode() in head
    assert head.endswith(b"\r\n\r\n")
    assert [line for line in head.split(b"\r\n") if line and not line.startswith(b"date")] == [
        line for line in lines.split(b"\r\n") if not line.startswith(b"date")
    ]


@pytest.mark.behaviour("http.wrong-routes")
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/v2/skills", 404),
        ("GET", "/v1/skills/", 404),
        ("GET", "/v1/skills/nobody", 404),
        ("GET", "/v1/skills/../../etc/passwd", 404),
        ("GET", "/v1/skills/wait/run", 405),
        ("GET", "/v1/skills/nobody/run", 404),
        ("POST", "/v1/skills", 405),
        ("DELETE", "/v1/skills/wait", 405),
        ("PUT", "/v1/skills/wait/run", 405),
        ("POST", "/health", 405),
        ("OPTIONS", "/v1/skills", 405),
        ("GET", "/v1/skills/%FF%00", 404),
        ("GET", "/v1/skills?=x", 400),
        ("GET", "/v1/skills?knid=op", 400),
        ("GET", "/v1/skills?kind=opp", 400),
        ("GET", "/v1/skills?kind=op&kind=op", 400),
        ("GET", "/v1/skills/wait?version=^^", 400),
        ("GET", "/v1/tools?format=opnai", 400),
        ("GET", "/v1/tools?strict=maybe", 400),
    ],
)
def test_a_wrong_route_method_or_query_is_told_as_json(method: str, path: str, status: int, server: Server) -> None:
    """Spec: unknown route 404, wrong method 405, all as JSON errors."""
    found, answer = request(f"{server.url}{path}", method=method)
    assert found == status
    assert set(answer["error"]) == {"code", "message", "retryable", "details"}


@pytest.mark.behaviour("json.exact")
def test_a_long_integer_is_not_rounded(notes: Path, home: Path) -> None:
    """Regression: the quick JSON parser makes a float of an integer that does not fit 64 bits."""
    (notes / "note_skills.py").write_text(
        'from prowess import op\n\n@op\nasync def same(n: int) -> str:\n    """Say it."""\n    return str(n)\n',
        encoding="utf-8",
    )
    with serving(cwd=notes, home=home, variables={"PROWESS_API_KEY": KEY}) as running:
        body = b'{"inputs": {"n": 123456789012345678901234567890}}'
        assert request(f"{running.url}/v1/skills/same/run", body)[1].get("output") == "123456789012345678901234567890"


@pytest.mark.behaviour("http.side-by-side")
def test_many_callers_are_answered_side_by_side(server: Server) -> None:
    """Choice: no request sees another's answer."""

    def ask(number: int) -> Any:
        path = "acme/quick/run" if number % 2 else f"nobody{number}/run"
        status, answer = request(f"{server.url}/v1/skills/{path}", b"{}")
        return status, answer.get("output") or answer["error"]["details"]["name"]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(200)))
    assert answers == [(200, "quick") if number % 2 else (404, f"nobody{number}") for number in range(200)]
