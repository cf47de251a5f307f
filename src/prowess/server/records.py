"""Approvals and the audit trail over HTTP.

GET  /v1/approvals?state=&limit=                proposals, the newest first
POST /v1/approvals/{id}/approve                 {"note": "..."}, optional; the proposal as it is then
POST /v1/approvals/{id}/reject                  the same
GET  /v1/audit?entry=&actor=&...&after=&limit=  records of calls: the last ones, or the first after a number
"""

import asyncio
import re
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from prowess.app.records.approvals import STATES, Approvals, proposal_json
from prowess.app.records.stores import ProjectRecords
from prowess.app.records.trail import Trail, record_json
from prowess.model.audit import AuditQuery
from prowess.model.caller import Caller
from prowess.model.proposal import Proposal
from prowess.server.answers import RefusedError, answer
from prowess.server.bodies import check_names, query_of, read_object
from prowess.server.calls import unless_stopped
from prowess.server.door.guard import CALLER

__all__ = ["RecordsApi"]

_TEXTS = ("entry", "actor", "channel", "verdict", "error", "run")
_TIMES = ("since", "until")
_MOST = 1_000
_NUMBER = re.compile(r"\d{1,15}", re.ASCII)
_TIME = re.compile(r"\d{1,12}(\.\d{1,9})?", re.ASCII)


class RecordsApi:
    """The routes to the records of one project. Lives as long as the server; does not own the records."""

    def __init__(self, records: ProjectRecords, max_body: int) -> None:
        self._records = records
        self._max_body = max_body
        self.routes = [
            Route("/v1/approvals", self.proposals, methods=["GET"]),
            Route("/v1/approvals/{id}/approve", self.approve, methods=["POST"]),
            Route("/v1/approvals/{id}/reject", self.reject, methods=["POST"]),
            Route("/v1/audit", self.audit, methods=["GET"]),
        ]

    async def proposals(self, request: Request) -> Response:
        """Proposals, the newest first."""
        wanted = query_of(request, ("state", "limit"))
        if "state" in wanted:
            check_names([wanted["state"]], STATES, "state")
        approvals = await self._approvals()
        found = await approvals.list(wanted.get("state"), limit=_count(wanted, "limit", 100, least=1))
        now = time.time()
        return answer({"proposals": [proposal_json(one, now) for one in found]})

    async def approve(self, request: Request) -> Response:
        """Let the call of a proposal run."""
        note = await self._note(request)
        return _decided(
            await (await self._approvals()).approve(request.path_params["id"], by=_caller(request), note=note)
        )

    async def reject(self, request: Request) -> Response:
        """Refuse the call of a proposal."""
        note = await self._note(request)
        return _decided(
            await (await self._approvals()).reject(request.path_params["id"], by=_caller(request), note=note)
        )

    async def audit(self, request: Request) -> Response:
        """Records of calls, in order."""
        wanted = query_of(request, (*_TEXTS, *_TIMES, "after", "limit"))
        texts = {name: wanted.get(name) for name in _TEXTS}
        query = AuditQuery(**texts, since=_time(wanted, "since"), until=_time(wanted, "until"))
        limit = _count(wanted, "limit", 100, least=1)
        after = _count(wanted, "after", 0, least=0) if "after" in wanted else None

        def look() -> Response:
            trail: Trail = self._records.trail
            found = trail.newest(query, limit=limit) if after is None else trail.after(after, query, limit=limit)
            return answer({"records": [record_json(one) for one in found]})

        return await asyncio.to_thread(look)

    # -----------------------------------------------------------------------------------------------------------------

    async def _approvals(self) -> Approvals:
        return await asyncio.to_thread(lambda: self._records.approvals)  # the first one opens the store

    async def _note(self, request: Request) -> str | None:
        async with unless_stopped():
            body = await read_object(request, self._max_body)
        check_names(body, ("note",), "field", ": there is 'note'")
        note = body.get("note")
        if note is not None and not isinstance(note, str):
            raise RefusedError("bad_request", "'note' is text")
        return note


# ---------------------------------------------------------------------------------------------------------------------


def _caller(request: Request) -> Caller:
    caller: Caller = request.scope[CALLER]
    return caller


def _decided(proposal: Proposal) -> Response:
    return answer(proposal_json(proposal, time.time()))


def _count(wanted: dict[str, str], name: str, default: int, *, least: int) -> int:
    text = wanted.get(name, str(default))
    most = _MOST if name == "limit" else None
    if not _NUMBER.fullmatch(text) or int(text) < least or (most is not None and int(text) > most):
        span = f"from {least} to {most}" if most else f"from {least}"
        raise RefusedError("bad_request", f"'{name}' is a whole number, {span}")
    return int(text)


def _time(wanted: dict[str, str], name: str) -> float | None:
    text = wanted.get(name)
    if text is not None and not _TIME.fullmatch(text):
        raise RefusedError("bad_request", f"'{name}' is a time in seconds since 1970")
    return None if text is None else float(text)
