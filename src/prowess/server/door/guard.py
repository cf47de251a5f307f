"""The door of the server: which hosts and origins may knock, and whose key opens."""

import re
from collections.abc import Iterable

from msgspec.structs import replace
from starlette.types import ASGIApp, Receive, Scope, Send

from prowess.model.caller import Caller
from prowess.server.answers import RefusedError, answer_error
from prowess.server.door.keys import ApiKey

__all__ = ["CALLER", "LOOPBACK", "Guard", "too_large"]

CALLER = "prowess.caller"
"""Where a request's scope holds who asks."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_OPEN = frozenset({"/health"})
_DIGITS = 15
_LONGEST_SESSION = 128
_HOST = re.compile(r"(?:\[([^\[\]]+)\]|([^:\[\]]+))(?::[0-9]{0,5})?", re.ASCII)
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


class Guard:
    """Stands before every route. What it lets through carries its caller in the scope.

    The Host header must name this machine, or a web page could reach us through a name that its owner points here.
    A request that a browser sends for a page must come from our own page.
    """

    def __init__(self, app: ASGIApp, *, key: ApiKey, hosts: Iterable[str] = (), max_body: int) -> None:
        self._app = app
        self._key = key
        self._caller = Caller(key.actor, "http")
        self._hosts = LOOPBACK.union(host.lower() for host in hosts)
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that may not come in, and hand on every other."""
        if scope["type"] == "websocket":  # nothing here speaks it, so nothing checks it
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http":
            try:
                self._admit(scope)
            except RefusedError as error:
                await answer_error(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        """Put the caller into the scope; raises `RefusedError` for whom the door stays shut."""
        headers = _headers(scope)
        host = _only(headers, b"host", "Host")
        if _name_of(host) not in self._hosts:
            message = "this Host header is not one of ours: [server] allowed_hosts in prowess.toml lists other names"
            raise RefusedError("forbidden", message)
        origin = _only(headers, b"origin", "Origin")
        if origin and origin.partition("://")[2].lower() != host.lower():
            raise RefusedError("forbidden", "requests of web pages from elsewhere are not answered")
        if scope["path"] not in _OPEN:
            self._check_key(headers)
            scope[CALLER] = _in_session(self._caller, _only(headers, b"prowess-session", "Prowess-Session"))
        self._check_length(headers)

    def _check_key(self, headers: dict[bytes, list[bytes]]) -> None:
        given = _key_in(headers)
        if given is None:
            message = "an API key is needed: send 'Authorization: Bearer KEY' or 'X-API-Key: KEY'"
            raise RefusedError("unauthenticated", message, headers=_CHALLENGE)
        if not self._key.fits(given):
            raise RefusedError("forbidden", "this API key is not the server's")

    def _check_length(self, headers: dict[bytes, list[bytes]]) -> None:
        length = _only(headers, b"content-length", "Content-Length")
        if length and (len(length) > _DIGITS or not length.isdecimal() or int(length) > self._max_body):
            raise too_large(self._max_body)


def too_large(limit: int) -> RefusedError:
    """The refusal of a body beyond the limit; the connection ends, since the rest of it is not read."""
    return RefusedError("too_large", f"a body has at most {limit} bytes", headers={"Connection": "close"})


# ---------------------------------------------------------------------------------------------------------------------


def _headers(scope: Scope) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name, []).append(value)
    return found


def _in_session(caller: Caller, session: str) -> Caller:
    """The caller within the session that a client names, which is then its trace; raises for what is no name of one."""
    if not session:
        return caller
    if len(session) > _LONGEST_SESSION or not (session.isascii() and session.isprintable()):
        message = f"the header Prowess-Session is text of at most {_LONGEST_SESSION} visible ASCII characters"
        raise RefusedError("bad_request", message)
    return replace(caller, trace=session)


def _only(headers: dict[bytes, list[bytes]], name: bytes, shown: str) -> str:
    """A header's value, empty where it is missing; two of them are two answers to one question."""
    values = headers.get(name, [])
    if len(values) > 1:
        raise RefusedError("bad_request", f"the header {shown} stands twice")
    return values[0].decode("latin-1").strip() if values else ""


def _name_of(host: str) -> str:
    """The name in a Host header, without its port; empty for what is no name with at most a port."""
    found = _HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower().removesuffix(".")


def _key_in(headers: dict[bytes, list[bytes]]) -> bytes | None:
    for value in headers.get(b"authorization", []):
        scheme, _, key = value.partition(b" ")
        if scheme.lower() == b"bearer":
            return key.strip()
    return next(iter(headers.get(b"x-api-key", [])), None)
