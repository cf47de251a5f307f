"""What the application answers where no server stands before it."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from prowess import InvalidInputError, ProwessError, op
from tests.unit.server.served import app_of, asking

if TYPE_CHECKING:
    from starlette.types import Message, Scope

JSON = {"Content-Type": "application/json"}


@op
async def quick() -> str:
    """Answer at once."""
    return "quick"


def raising(error: ProwessError) -> object:
    """An op that raises this error."""

    @op(name="fail")
    async def fail() -> None:
        """Fail."""
        raise error

    return fail


async def pieces(*parts: bytes) -> AsyncGenerator[bytes]:
    """Give a body piece by piece, without its length."""
    for part in parts:
        yield part


async def broken(_request: Request) -> Response:
    """A route with a mistake of ours."""
    raise ZeroDivisionError("hunter2")


async def teapot(_request: Request) -> Response:
    """A route that the framework itself refuses, in its own way."""
    raise HTTPException(418, "hunter2")


async def test_a_mistake_of_ours_is_told_without_what_it_was() -> None:
    """Spec: what an exception said stays on the server."""
    async with asking(app_of(quick, mounts=[Route("/broken", broken)])) as client:
        answer = await client.get("/broken")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "error")
    assert "hunter2" not in answer.text


async def test_what_the_framework_refuses_is_a_json_error_like_others() -> None:
    """Choice: a program can read what was wrong, whoever found it."""
    async with asking(app_of(quick, mounts=[Route("/teapot", teapot)])) as client:
        answer = await client.get("/teapot")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


async def test_a_route_beside_the_api_stands_behind_the_same_door() -> None:
    """Spec: every route but `/health` needs the key."""
    async with asking(app_of(quick, mounts=[Route("/broken", broken)])) as client:
        assert (await client.get("/broken", headers={"X-API-Key": "other"})).status_code == 403


@pytest.mark.behaviour("http.too-large")
@pytest.mark.parametrize(
    ("length", "status"), [("1000", 400), ("1001", 413), ("²", 413), ("-1", 413), ("0x10", 413), ("9" * 5_000, 413)]
)
async def test_a_body_is_as_large_as_its_header_says_or_refused(length: str, status: int) -> None:
    """Regression: a length of `²` counted as a number, and was answered with an error of ours."""
    headers = {name.encode(): value.encode("latin-1") for name, value in {**JSON, "Content-Length": length}.items()}
    async with asking(app_of(quick)) as client:
        answer = await client.post("/v1/skills/quick/run", content=pieces(b"["), headers=headers)
    assert answer.status_code == status


@pytest.mark.behaviour("http.too-large")
async def test_a_body_without_a_length_is_counted_as_it_comes() -> None:
    """Spec: a body has at most `max_body` bytes, however it is sent."""
    async with asking(app_of(quick)) as client:
        fits = await client.post("/v1/skills/quick/run", content=pieces(b"{", b" " * 998, b"}"), headers=JSON)
        over = await client.post("/v1/skills/quick/run", content=pieces(b"{", b" " * 999, b"}"), headers=JSON)
    assert (fits.status_code, fits.json()["output"]) == (200, "quick")
    assert (over.status_code, over.json()["error"]["code"], over.headers["connection"]) == (413, "too_large", "close")


async def test_details_that_have_no_json_form_do_not_hide_the_error() -> None:
    """Regression: a set in an error's details was answered with an error of ours in place of the handler's."""
    error = InvalidInputError("no", details={"near": {"a"}, "problems": object})
    async with asking(app_of(raising(error))) as client:
        answer = await client.post("/v1/skills/fail/run")
    assert (answer.status_code, answer.json()["error"]["details"]["near"]) == (400, ["a"])


async def test_a_web_socket_is_closed_before_anything_is_checked() -> None:
    """Choice: nothing here speaks it, so nobody gets past the key by asking for one."""
    sent: list[Message] = []

    async def send(message: "Message") -> None:
        sent.append(message)

    async def receive() -> "Message":
        return {"type": "websocket.connect"}

    scope: Scope = {"type": "websocket", "path": "/v1/skills", "headers": []}
    await app_of(quick)(scope, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]
