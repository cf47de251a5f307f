"""The ASGI application: guard, routes, and what an error becomes."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from prowess.app.project import Project
from prowess.app.runtime import Runtime
from prowess.errors import ProwessError
from prowess.server.answers import RefusedError, answer_error
from prowess.server.calls import CallStoppedError
from prowess.server.door.guard import Guard
from prowess.server.door.keys import ApiKey
from prowess.server.logs import CallLog
from prowess.server.records import RecordsApi
from prowess.server.routes import Api

__all__ = ["make_app"]

_OURS = "something went wrong inside the server; its log says what"
_CODES = {404: ("not_found", "there is no such route"), 405: ("method_not_allowed", "this route takes other methods")}


def make_app(
    project: Project,
    key: ApiKey,
    *,
    hosts: Iterable[str] = (),
    mounts: Iterable[BaseRoute] = (),
    beside: Callable[[], Coroutine[object, object, None]] | None = None,
) -> Starlette:
    """The application that serves a project. Its lifespan opens a runtime, and closes that, registry and records.

    `hosts` are names, besides loopback ones, that requests may come for; `mounts` are routes beside the JSON API,
    behind the same guard; `beside` makes what runs as long as the application does, and is cancelled then.
    """
    settings = project.settings.runtime
    records = project.records(os.environ)
    runtime = Runtime(
        project.registry,
        engine=settings.engine,
        max_concurrent=settings.max_concurrent,
        stoppable=True,
        store=lambda: records.store,
        audit=project.settings.records.audit,
    )
    runtime.subscribe(CallLog(runtime.run_id), starts=True)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with project.registry, runtime, _running(beside):
            yield
        await asyncio.to_thread(records.close)

    server = project.settings.server
    guard = Middleware(Guard, key=key, hosts=[*server.allowed_hosts, *hosts], max_body=server.max_body)
    app = Starlette(
        routes=[*Api(project, runtime).routes, *RecordsApi(records, server.max_body).routes, *mounts],
        middleware=[guard],
        exception_handlers={
            HTTPException: _http,
            **dict.fromkeys((ProwessError, RefusedError, Exception), _failed),
            ClientDisconnect: _gone,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


# ---------------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _running(beside: Callable[[], Coroutine[object, object, None]] | None) -> AsyncGenerator[None]:
    """Something that runs beside the block, and is over when the block is."""
    if beside is None:
        yield
        return
    task = asyncio.create_task(beside())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _http(_request: Request, error: Exception) -> Response:
    """What the router itself refuses."""
    status = error.status_code if isinstance(error, HTTPException) else 0
    code, message = _CODES.get(status, ("bad_request", "this request cannot be answered"))
    return answer_error(RefusedError(code, message, headers=getattr(error, "headers", None)))


async def _failed(_request: Request, error: Exception) -> Response:
    """What we refuse; of our own mistakes the traceback goes to the log, and nothing to the sender."""
    known = error if isinstance(error, ProwessError | RefusedError) else ProwessError(_OURS)
    return answer_error(known)


async def _gone(_request: Request, _error: Exception) -> Response:
    """The sender left before its request was there: nobody reads this."""
    return answer_error(CallStoppedError())
