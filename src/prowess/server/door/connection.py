"""One connection: no sender keeps it for longer than its request takes, and no more are open than may be."""

import asyncio
from typing import cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from prowess.server.answers import STATUS, RefusedError, answer_error

__all__ = ["Connection"]

_LONGEST_HEAD = 65_536
_TOO_LARGE = f"the path and the headers of a request have at most {_LONGEST_HEAD} bytes"


class Connection(HttpToolsProtocol):
    """Closes itself when a request, the next one, or the reading of an answer takes longer than the keep-alive time.

    A call under way has no clock here: the gate has.
    """

    _waiting: asyncio.TimerHandle | None = None
    """The end of our patience with a sender, while we wait for one."""
    _unread: asyncio.TimerHandle | None = None
    """The end of our patience with one who does not read."""
    _coming = False
    """Whether a request has begun to come, and is not there yet."""
    _busy = False
    """Whether a request whose head is there waits for its answer."""
    _in_head = False
    _head = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection where there is a place for it."""
        super().connection_made(cast("asyncio.Transport", transport))
        most, self.limit_concurrency = self.limit_concurrency, None  # uvicorn's own check counts one too many
        if most is not None and len(self.connections) > most:
            self._refuse("unavailable", "there are too many connections: try again later")
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all clocks."""
        self._wait_no_more()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, but for a head without end."""
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > _LONGEST_HEAD:
            self._refuse("head_too_large", _TOO_LARGE)

    def on_message_begin(self) -> None:
        """Give a request its time."""
        self._coming = self._in_head = True
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Hand the request on; its body is read by the application."""
        self._busy, self._in_head, self._head = True, False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for the next request, where this one is answered already, as one with too large a body."""
        self._coming = False
        self._wait_no_more()
        super().on_message_complete()
        if not self._busy:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of this one."""
        self._busy = bool(self.pipeline)
        super().on_response_complete()
        if not self._busy and not self._coming:
            self._wait()

    def pause_writing(self) -> None:
        """Give a sender who does not read some time."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.timeout_keep_alive, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, in words of our own."""
        del msg
        if len(getattr(self, "url", b"")) >= _LONGEST_HEAD - 1:  # beyond that the parser takes a path for none
            self._refuse("head_too_large", _TOO_LARGE)
        else:
            self._refuse("bad_request", "this is not HTTP")

    # -----------------------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        self._wait_no_more()
        self._waiting = self.loop.call_later(self.timeout_keep_alive, self._lose_patience)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _lose_patience(self) -> None:
        """Say why, where no answer is on its way into which that would be written."""
        reading = self._busy and not (self._in_head or self.pipeline or self.cycle.response_started)
        if self._coming and (reading or (self._in_head and not self._busy)):
            self._refuse("too_slow", f"a request must be there within {self.timeout_keep_alive} seconds")
        else:
            self._end()

    def _refuse(self, code: str, message: str) -> None:
        """Answer what never became a request to the application, and close."""
        body = bytes(answer_error(RefusedError(code, message)).body)
        head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        self.transport.write(STATUS_LINE[STATUS[code]] + head.encode() + body)
        self._end()

    def _end(self) -> None:
        """Close, also where what was written is never read."""
        self._wait_no_more()
        self.transport.close()
        self.loop.call_later(self.timeout_keep_alive, self.transport.abort)
