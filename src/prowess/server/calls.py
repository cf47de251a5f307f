"""Calls that come by HTTP: read from a request, carried out while the sender waits, told at the end or as they go."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from prowess.app.json_text import encode_json
from prowess.app.runtime import Runtime
from prowess.app.settings import Settings
from prowess.errors import CallCancelledError, ExecutionFailedError, InvalidInputError, InvalidOutputError, ProwessError
from prowess.execution.ports import EventReader
from prowess.model.caller import Caller
from prowess.model.event import CallStarted, Event, OutputStreamed, ProgressReported
from prowess.model.json_value import Json
from prowess.model.names import split_reference
from prowess.model.ranges import parse_range
from prowess.model.result import Result
from prowess.server.answers import UNWRITABLE, RefusedError, answer_result, public_result
from prowess.server.bodies import check_names, read_object
from prowess.server.door.guard import CALLER
from prowess.server.logs import LOG

__all__ = ["CallStoppedError", "WantedCall", "answer_call", "read_call", "reference_to", "unless_stopped"]

_FIELDS = ("inputs", "version", "timeout")
_LONGEST = 86_400
_EVENTS = "text/event-stream"
_STREAM_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
_STOPPING = "the server is shutting down"
_UNREAD = "the call told more than its sender read"
_MOST_UNREAD = 16_000_000
"""Bytes that a stream may be ahead of a sender who keeps us waiting."""


class CallStoppedError(CallCancelledError):
    """Nobody waits for the answer any more, or the server ends."""

    def __init__(self) -> None:
        super().__init__(_STOPPING, retryable=True)


class WantedCall(Struct, frozen=True):
    """What a request asks for."""

    reference: str
    inputs: dict[str, Json]
    timeout: float | None
    caller: Caller


async def read_call(request: Request, settings: Settings) -> WantedCall:
    """The call that a request asks for. Raises `RefusedError`."""
    async with unless_stopped():
        body = await read_object(request, settings.server.max_body)
    check_names(body, _FIELDS, "field", ": inputs stand in an object under 'inputs'")
    inputs = body.get("inputs", {})
    if not isinstance(inputs, dict):
        raise RefusedError("bad_request", "'inputs' must be an object: a field for each input")
    reference = reference_to(request.path_params["name"], body.get("version"))
    return WantedCall(reference, inputs, _timeout(body, settings.runtime.timeout), request.scope[CALLER])


async def answer_call(runtime: Runtime, call: WantedCall, request: Request) -> Response:
    """The answer to a call: what it came to, or a stream of events where the sender takes one."""
    accepted = ",".join(request.headers.getlist("accept"))
    if any(part.partition(";")[0].strip().lower() == _EVENTS for part in accepted.split(",")):
        return _EventStream(runtime, call, request)
    result = await _carry_out(runtime, call, request)
    try:
        return answer_result(result)
    except UNWRITABLE as reason:
        return answer_result(_unsendable(result, call, reason))


def reference_to(name: str, version: Json) -> str:
    """`name@constraint` as a path and a parameter give it. Raises `RefusedError` for what is no constraint."""
    in_path = split_reference(name)[1]
    wanted = in_path if version is None else version
    if wanted is None:
        return name
    if not isinstance(wanted, str) or (in_path is not None and version is not None):
        raise RefusedError("bad_request", "'version' is text, a version or a constraint, and stands in one place")
    try:
        parse_range(wanted)
    except InvalidInputError as error:
        raise RefusedError("bad_request", error.message) from None
    return name if version is None else f"{name}@{wanted}"


@asynccontextmanager
async def unless_stopped() -> AsyncGenerator[None]:
    """Being cancelled inside, as the server does with its requests when it ends, raises `CallStoppedError`."""
    try:
        yield
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        raise CallStoppedError from None


# ---------------------------------------------------------------------------------------------------------------------


async def _carry_out(runtime: Runtime, call: WantedCall, request: Request) -> Result:
    """What a call comes to, whatever ends it."""
    began = time.perf_counter()
    error: ProwessError
    try:
        async with unless_stopped(), _while_sender_waits(request):
            return await runtime.run(call.reference, call.inputs, caller=call.caller, timeout=call.timeout)
    except CallStoppedError as stopped:
        error = stopped
    except BaseException as failure:  # noqa: BLE001 - the task boundary: the gate lets pass what is no Exception
        LOG.error("%s: %s ended the call", call.reference, type(failure).__name__, exc_info=failure)
        error = ExecutionFailedError(f"{call.reference} failed", details={"name": split_reference(call.reference)[0]})
    return Result(None, error, (), (time.perf_counter() - began) * 1e3)


def _unsendable(result: Result, call: WantedCall, reason: Exception) -> Result:
    """What a call came to whose output has no form as JSON."""
    LOG.error("%s: its output cannot be sent: %s", call.reference, reason)
    message = f"the output of {call.reference} cannot be sent: it has no form as JSON"
    return replace(result, output=None, error=InvalidOutputError(message))


@asynccontextmanager
async def _while_sender_waits(request: Request) -> AsyncGenerator[None]:
    """Cancel what runs inside when the request's sender disconnects."""
    task = asyncio.current_task()

    async def watch() -> None:
        await request.receive()  # after its body a request has nothing to say but that its sender went away
        if task is not None:
            task.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()


class _EventStream(Response):
    """Tells a call as server-sent events: `piece` and `progress` as they come, and `result` at the end.

    The status is that of the result where nothing came before it.
    """

    def __init__(self, runtime: Runtime, call: WantedCall, request: Request) -> None:
        super().__init__()
        self._runtime = runtime
        self._call = replace(call, caller=replace(call.caller))  # one of its own, by which its events are known
        self._request = request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry the call out, and send what it tells."""
        del scope, receive  # the request has them
        backlog = _Backlog(send, asyncio.current_task())
        sending = asyncio.create_task(backlog.send_all())
        stop = self._runtime.subscribe(_teller(self._call.caller, backlog.tell), starts=True)
        try:
            result = await _carry_out(self._runtime, self._call, self._request)
        finally:
            stop()
            backlog.calling = None
        if backlog.too_long and isinstance(result.error, CallStoppedError):
            result = replace(result, error=CallCancelledError(_UNREAD))
        try:
            backlog.end(result)
        except UNWRITABLE as reason:
            backlog.end(_unsendable(result, self._call, reason))
        with suppress(asyncio.CancelledError):
            await sending


class _Backlog:
    """What is told of a call and not sent yet. Lives as long as its stream. A call that outruns its reader ends."""

    def __init__(self, send: Send, calling: "asyncio.Task[object] | None") -> None:
        self._send = send
        self._told: asyncio.Queue[tuple[int, bytes] | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._bytes = 0
        self._is_held = False
        self.calling = calling
        """The task to stop where too much is told; None once there is none."""
        self.too_long = False

    def tell(self, event: str, value: object) -> None:
        """Tell of something on the way, from any thread. What has no form as JSON is left to the result."""
        with suppress(*UNWRITABLE):
            self._loop.call_soon_threadsafe(self._put, 200, event, encode_json(value))

    def end(self, result: Result) -> None:
        """Tell the result, and that nothing comes after it. Raises what `UNWRITABLE` names where it cannot be told."""
        value, status = public_result(result)
        self._loop.call_soon(self._put, status, "result", encode_json(value))  # after what was told before
        self._loop.call_soon(self._told.put_nowait, None)

    def _put(self, status: int, event: str, text: bytes) -> None:
        item = b"event: %s\ndata: %s\n\n" % (event.encode(), text)
        self._told.put_nowait((status, item))
        self._bytes += len(item)
        if self._is_held and self._bytes > _MOST_UNREAD and self.calling is not None:
            self.too_long = True
            self.calling.cancel()
            self.calling = None

    async def send_all(self) -> None:
        """Send events until the end; the first one brings the status."""
        started = False
        while (item := await self._told.get()) is not None:
            if not started:
                await self._send({"type": "http.response.start", "status": item[0], "headers": _STREAM_HEADERS})
                started = True
            self._is_held = True
            await self._send({"type": "http.response.body", "body": item[1], "more_body": True})
            self._is_held = False
            self._bytes -= len(item[1])
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _teller(caller: Caller, tell: Callable[[str, object], None]) -> EventReader:
    """A reader of the events of the one call that this very caller makes, without those of nested calls."""
    ours = 0

    def read(event: Event) -> None:
        nonlocal ours
        if isinstance(event, CallStarted):
            ours = event.call if event.caller is caller and event.parent is None else ours
        elif isinstance(event, OutputStreamed) and event.call == ours:
            tell("piece", event.piece)
        elif isinstance(event, ProgressReported) and event.call == ours:
            tell("progress", {"done": event.done, "total": event.total, "message": event.message})

    return read


def _timeout(body: dict[str, Json], default: float | None) -> float | None:
    timeout = body.get("timeout", default)
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= _LONGEST:
        raise RefusedError("bad_request", f"'timeout' is a number of seconds, above 0 and up to {_LONGEST}")
    return float(timeout)
