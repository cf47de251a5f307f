"""Calls whose outputs cannot be sent, and streams that nobody reads."""

import asyncio
import logging
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import pytest
from starlette.requests import Request

from prowess import Caller, Registry, Result, Runtime, op
from prowess.server.calls import WantedCall, answer_call
from tests.unit.server.served import KEY, app_of, asking

JSON = {"Content-Type": "application/json"}
EVENTS = {**JSON, "Accept": "text/event-stream"}


class Careless(Runtime):
    """A runtime that lets an integer pass which has more digits than Python writes."""

    async def run(self, *_: object, **__: object) -> Result:
        """Give it."""
        return Result(10**5_000)


async def asked(headers: dict[str, str]) -> list[MutableMapping[str, Any]]:
    """What a sender with these headers is sent, of a call to that runtime."""
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()]}
    request = Request(scope, receive, send)
    async with Careless(Registry()) as runtime:
        answer = await answer_call(runtime, WantedCall("immense", {}, None, Caller("me")), request)
        await answer(scope, receive, send)
    return sent


@pytest.mark.behaviour("http.unsendable")
@pytest.mark.parametrize("headers", [JSON, EVENTS])
async def test_an_output_that_cannot_be_sent_is_the_handlers_mistake(
    headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """Regression: it was told as one of the server's, and a stream ended without a result and left its task behind."""
    before = asyncio.all_tasks()
    sent = await asked(headers)
    assert (sent[0]["status"], b'"code":"invalid_output"' in sent[1]["body"]) == (500, True)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


@op
async def immensities() -> AsyncGenerator[object]:
    """Give pieces, of which one has no form as JSON."""
    yield "small"
    yield 10**5_000


@pytest.mark.behaviour("http.unsendable")
async def test_a_piece_that_cannot_be_sent_is_left_to_the_result() -> None:
    """Choice: a reader of events fails alone, and the result says what was wrong."""
    async with asking(app_of(immensities)) as client:
        answer = await client.post("/v1/skills/immensities/run", headers=EVENTS, content="{}")
    assert [line[7:] for line in answer.text.splitlines() if line.startswith("event: ")] == ["piece", "result"]
    assert '"code":"invalid_output"' in answer.text


def asking_for(entry: str) -> dict[str, Any]:
    """Give what a server tells an application of a request for a call, as it goes."""
    headers = {"host": "localhost", "x-api-key": KEY, **{name.lower(): value for name, value in EVENTS.items()}}
    return {
        "type": "http",
        "method": "POST",
        "path": f"/v1/skills/{entry}/run",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


@pytest.mark.behaviour("http.backlog")
async def test_a_call_that_outruns_its_reader_is_stopped() -> None:
    """Regression: all that nobody read was kept, to the last byte of the machine."""
    held, go_on, stopped = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @op
    async def flood() -> AsyncGenerator[str]:
        """Give pieces for as long as somebody takes them."""
        try:
            while True:
                yield "x" * 1_000_000
                await asyncio.sleep(0)
        finally:
            stopped.set()

    app = app_of(flood)
    sent: list[MutableMapping[str, Any]] = []
    asked = [{"type": "http.request", "body": b"{}", "more_body": False}]

    async def receive() -> MutableMapping[str, Any]:
        if asked:
            return asked.pop()
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)
        if not held.is_set() and message["type"] == "http.response.body":
            held.set()
            await go_on.wait()

    async with app.router.lifespan_context(app):
        call = asyncio.create_task(app(asking_for("flood"), receive, send))
        await asyncio.wait_for(stopped.wait(), 10)
        go_on.set()
        await asyncio.wait_for(call, 10)
    told = [bytes(message["body"]) for message in sent if message["type"] == "http.response.body"]
    assert sum(map(len, told)) < 20_000_000
    assert b'"code":"cancelled"' in told[-2]
    assert b"more than its sender read" in told[-2]
