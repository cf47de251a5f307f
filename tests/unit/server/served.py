"""An application as a server has it, asked without a socket."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from httpx2 import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from prowess import Registry
from prowess.app.catalogue.sections import AuditMode, RecordSettings
from prowess.app.project import Project
from prowess.app.settings import ServerSettings, Settings
from prowess.catalog.places import Place
from prowess.server.app import make_app
from prowess.server.door.keys import ApiKey

KEY = "pk_unit"


def app_of(
    *things: object,
    mounts: Iterable[BaseRoute] = (),
    max_body: int = 1_000,
    store: str = "memory",
    audit: AuditMode = "auto",
) -> Starlette:
    """The application that serves these entries, takes bodies up to a size, and keeps its records in a store."""
    registry = Registry()
    registry.register(*things)
    settings = Settings(server=ServerSettings(max_body=max_body), records=RecordSettings(store=store, audit=audit))
    project = Project(Place(str(Path("nowhere").absolute()), bare=True), settings, registry)
    return make_app(project, ApiKey(KEY, "a test"), mounts=mounts)


@asynccontextmanager
async def asking(app: Starlette) -> AsyncGenerator[AsyncClient]:
    """A client that knows the key, while the application is up."""
    transport = ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=transport, base_url="http://localhost", headers={"X-API-Key": KEY}) as client,
    ):
        yield client
