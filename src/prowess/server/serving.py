"""Running the server: its socket, its signals, and an end that comes in time."""

import asyncio
import errno
import os
import socket
import sys
import threading
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from types import FrameType

import uvicorn

from prowess.app.project import Project
from prowess.errors import ConfigurationError
from prowess.server.app import make_app
from prowess.server.door.connection import Connection
from prowess.server.door.keys import ApiKey, obtain_key
from prowess.server.logs import log_to_stderr
from prowess.server.reloading import keep_reloading

__all__ = ["Ready", "serve"]

_GRACE = 2
"""Seconds that calls under way have to end by themselves; then they are cancelled."""
_STUBBORN = 3
"""Seconds more for calls that were cancelled and do not end; then the server ends without them."""
_LEFTOVERS = 1.0
"""Seconds that tasks have which our handlers started and left."""
_PATIENCE = 10.0
"""Seconds after a signal when the process ends, whatever a handler does."""

Ready = Callable[[str, ApiKey], None]
"""Told the server's address and its key once it answers."""


def serve(project: Project, ready: Ready) -> None:
    """Serve a project at the host and port of its settings until SIGINT or SIGTERM.

    Raises `ConfigurationError` where the address cannot be had, or other machines could reach it and nobody said that
    they may.
    """
    wanted = project.settings.server
    if not (wanted.allow_remote or _is_loopback(wanted.host)):
        message = f"other machines can reach {wanted.host}: say --allow-remote if they shall, or serve on 127.0.0.1"
        raise ConfigurationError(message, details={"host": wanted.host})
    listener = _bind(wanted.host, wanted.port)
    try:
        port = listener.getsockname()[1]
        key = obtain_key(port, os.environ)
        try:
            _serve(project, listener, key, ready)
        finally:
            if wanted.port == 0 and key.made:  # nobody will look for the key of a port taken by chance
                Path(key.place).unlink(missing_ok=True)
    finally:
        listener.close()


# ---------------------------------------------------------------------------------------------------------------------


def _serve(project: Project, listener: socket.socket, key: ApiKey, ready: Ready) -> None:
    host, port = listener.getsockname()[:2]
    settings = project.settings.server
    beside = partial(keep_reloading, project, _say) if settings.watch and project.built is None else None
    config = uvicorn.Config(
        make_app(project, key, hosts=[settings.host, host], beside=beside),
        http=Connection,
        limit_concurrency=settings.max_connections,
        timeout_keep_alive=settings.request_timeout,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=settings.log == "debug",
        server_header=False,
    )
    log_to_stderr(settings.log)
    shown = f"[{host}]" if ":" in host else host
    server = _Server(config, lambda: ready(f"http://{shown}:{port}", key))
    loop = _new_loop()
    try:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(_to_the_end(server, listener, loop))
    finally:
        asyncio.set_event_loop(None)


async def _to_the_end(server: "_Server", listener: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
    """Serve, then stop what handlers started and left; what does not stop goes down with the process."""
    await server.serve(sockets=[listener])
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    if left:
        loop.set_exception_handler(lambda _loop, _context: None)
        await asyncio.wait(left, timeout=_LEFTOVERS)


class _Server(uvicorn.Server):
    """Tells when it answers; ends on the first signal without raising it again, and at once on the second."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give calls under way some time, cancel them, and do not wait for those that will not be cancelled."""
        loop = asyncio.get_running_loop()
        steps = [loop.call_later(_GRACE, self._cancel_calls), loop.call_later(_GRACE + _STUBBORN, self._leave_calls)]
        await super().shutdown(sockets)
        for step in steps:
            step.cancel()
        if self.force_exit:  # which also makes uvicorn leave this out
            await self.lifespan.shutdown()

    def _cancel_calls(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()

    def _leave_calls(self) -> None:
        self.force_exit = True
        _say("a call did not let itself be stopped")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature is uvicorn's
        if not self.should_exit:
            last = threading.Timer(_PATIENCE, _give_up)
            last.daemon = True
            last.start()
        self.force_exit = self.should_exit
        self.should_exit = True


def _give_up() -> None:
    _say("a call holds the whole process: it is ended")
    os._exit(1)


def _say(text: str) -> None:
    print(f"prowess: {text}", file=sys.stderr, flush=True)  # noqa: T201 - what the server says besides its greeting


def _new_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop  # noqa: PLC0415 - there is none for Windows

    return uvloop.new_event_loop()


def _bind(host: str, port: int) -> socket.socket:
    address = "127.0.0.1" if host == "localhost" else host
    try:
        family, _, _, _, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (socket.gaierror, UnicodeError):  # the second where a part of the name is empty or too long
        raise ConfigurationError(f"there is no host {host} on this machine", details={"host": host}) from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(2_048)
    except OSError as error:
        listener.close()
        message = _WHY_NOT.get(error.errno or 0, "cannot listen on {host}, port {port}: {reason}")
        told = message.format(host=host, port=port, reason=error.strerror)
        raise ConfigurationError(told, details={"host": host, "port": port}) from None
    return listener


_WHY_NOT = {
    errno.EADDRINUSE: "port {port} on {host} is taken, perhaps by another server: stop that one, or choose with --port",
    errno.EACCES: "port {port} is not for everybody: choose one from 1024 with --port",
    errno.EADDRNOTAVAIL: "{host} is no address of this machine: choose another with --host",
}


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
