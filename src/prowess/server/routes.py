"""The JSON API.

GET  /v1/skills?tag=&kind=&status=&source=      what there is
GET  /v1/skills/{name}?version=                 one entry; a name may have a namespace: acme/refunds
GET  /v1/search?q=&k=&page=&tag=&kind=…          what fits a request in anybody's words, best first
POST /v1/skills/{name}/run                      {"inputs": {...}, "version": "^1", "timeout": 5}, all optional;
                                                with Accept: text/event-stream told as it goes
GET  /v1/tools?format=openai&strict=true        tool definitions for a model provider
GET  /health                                    whether we are up; needs no key
"""

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from prowess import __version__
from prowess.app.json_text import encode_json
from prowess.app.listing import entry_json
from prowess.app.project import Project
from prowess.app.runtime import Runtime
from prowess.errors import ConfigurationError, NotFoundError
from prowess.model.caller import Caller
from prowess.model.manifest import Kind, Status
from prowess.registry.entry import Entry
from prowess.server.answers import RefusedError, answer
from prowess.server.bodies import check_names, query_of
from prowess.server.calls import answer_call, read_call, reference_to
from prowess.server.door.guard import CALLER

__all__ = ["Api"]

_RUN = "/run"
_DIGITS = 9
_FILTERS = ("tag", "kind", "status", "source")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Api:
    """The routes of one project. Lives as long as the server; owns neither project nor runtime."""

    def __init__(self, project: Project, runtime: Runtime) -> None:
        self._project = project
        self._registry = project.registry
        self._runtime = runtime
        self._settings = project.settings
        self._entries: tuple[Entry, ...] | None = None
        self._kept: dict[Entry, bytes] = {}
        self.routes = [
            Route("/health", self.health, methods=["GET"]),
            Route("/v1/skills", self.list, methods=["GET"]),
            Route("/v1/skills/{name:path}/run", self.run, methods=["POST"]),
            Route("/v1/skills/{name:path}", self.show, methods=["GET"]),
            Route("/v1/search", self.search, methods=["GET"]),
            Route("/v1/tools", self.tools, methods=["GET"]),
        ]

    async def health(self, _request: Request) -> Response:
        """That the server is up, and whether all of its project is there."""
        problems = sum(one.severity != "note" for one in self._project.diagnostics)
        told = {"status": "ok", "version": __version__, "skills": len(self._registry), "problems": problems}
        if self._project.governed:
            failure = self._registry.documents.failure
            told["documents"] = "loaded" if failure is None else "kept"  # those that were loaded last
        return answer(told)

    async def list(self, request: Request) -> Response:
        """The entries that fit the query, sorted by name and version."""
        wanted = query_of(request, _FILTERS)
        _check_choice(wanted, "kind", list(Kind))
        _check_choice(wanted, "status", list(Status))
        view = self._registry.filtered(permissions=_caller(request).permissions)
        texts = self._texts()
        found = [texts[entry] for entry in view if entry in texts and _fits(entry, wanted)]
        return answer(b'{"skills":[' + b",".join(found) + b"]}")

    async def search(self, request: Request) -> Response:
        """The entries that fit a request in anybody's words, best first."""
        wanted = query_of(request, ("q", "k", "page", *_FILTERS))
        _check_choice(wanted, "kind", list(Kind))
        _check_choice(wanted, "status", list(Status))
        if "q" not in wanted:
            raise RefusedError("bad_request", "say what to search for: there is no query parameter 'q'")
        k, page = (_number(wanted, name, default) for name, default in (("k", 5), ("page", 1)))
        filters = {name: wanted.get(name) for name in _FILTERS}
        permissions = _caller(request).permissions
        search = partial(self._registry.search, wanted["q"], k, page=page, permissions=permissions, **filters)
        try:
            hits = await asyncio.to_thread(search)  # the first one indexes everything
        except ConfigurationError as error:
            raise RefusedError("bad_request", error.message) from None
        return answer({"query": wanted["q"], "page": page, "hits": [hit.to_json() for hit in hits]})

    async def show(self, request: Request) -> Response:
        """One entry."""
        wanted = query_of(request, ("version",))
        name = request.path_params["name"]
        if not name:
            raise RefusedError("not_found", "there is no such route: the entries are listed by GET /v1/skills")
        reference = reference_to(name, wanted.get("version"))
        view = self._registry.filtered(permissions=_caller(request).permissions)
        try:
            return answer(entry_json(view.require(reference)))
        except NotFoundError:
            if name.endswith(_RUN) and name.removesuffix(_RUN) in view:
                raise RefusedError("method_not_allowed", "a call is a POST", headers={"Allow": "POST"}) from None
            raise

    async def run(self, request: Request) -> Response:
        """A call, through the gate."""
        return await answer_call(self._runtime, await read_call(request, self._settings), request)

    async def tools(self, request: Request) -> Response:
        """Tool definitions as JSON that was made once."""
        wanted = query_of(request, ("format", "strict"))
        strict = _FLAGS.get(wanted.get("strict", "false"))
        if strict is None:
            raise RefusedError("bad_request", "'strict' is true or false")
        permissions = _caller(request).permissions
        try:
            tools = self._registry.toolset(wanted.get("format", "openai"), permissions=permissions, strict=strict)
        except ConfigurationError as error:
            raise RefusedError("bad_request", error.message, near=error.near) from None
        return answer(tools.json)

    def _texts(self) -> dict[Entry, bytes]:
        """Each entry as JSON, made once for each state of the registry."""
        entries = self._registry.holdings.snapshot().entries
        if entries is not self._entries:
            self._kept = {entry: encode_json(entry_json(entry)) for entry in entries}
            self._entries = entries
        return self._kept


# ---------------------------------------------------------------------------------------------------------------------


def _caller(request: Request) -> Caller:
    caller: Caller = request.scope[CALLER]
    return caller


def _fits(entry: Entry, wanted: dict[str, str]) -> bool:
    manifest = entry.manifest
    return (
        ("tag" not in wanted or wanted["tag"] in manifest.tags)
        and ("kind" not in wanted or wanted["kind"] == manifest.kind)
        and ("status" not in wanted or wanted["status"] == manifest.status)
        and ("source" not in wanted or wanted["source"] == entry.source)
    )


def _number(wanted: dict[str, str], name: str, default: int) -> int:
    text = wanted.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > _DIGITS:
        raise RefusedError("bad_request", f"'{name}' is a whole number, from 1")
    return int(text)


def _check_choice(wanted: dict[str, str], name: str, choices: list[str]) -> None:
    if name in wanted:
        check_names([wanted[name]], choices, name)
