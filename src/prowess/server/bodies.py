"""Reading what a request brings: its JSON body and its query."""

from collections.abc import Collection

from starlette.requests import Request

from prowess.app.json_text import JsonTextError, parse_json
from prowess.model.json_value import Json
from prowess.model.names import near_names
from prowess.server.answers import RefusedError
from prowess.server.door.guard import too_large

__all__ = ["check_names", "query_of", "read_object"]

_JSON = "application/json"
_ALIKE, _VERY_ALIKE = 0.6, 0.75


async def read_object(request: Request, limit: int) -> dict[str, Json]:
    """The JSON object in a request's body, empty for an empty body. Raises `RefusedError`."""
    body = await _read(request, limit)
    if not body:
        return {}
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise RefusedError("unsupported_media_type", f"the body must be JSON: send 'Content-Type: {_JSON}'")
    try:
        value = parse_json(body)
    except JsonTextError as error:
        raise RefusedError("bad_request", str(error)) from None
    if not isinstance(value, dict):
        raise RefusedError("bad_request", "the body must be a JSON object")
    return value


def query_of(request: Request, known: Collection[str]) -> dict[str, str]:
    """The query's parameters, each at most once. Raises `RefusedError` for one that is not known."""
    pairs = request.query_params.multi_items()
    found = dict(pairs)
    check_names(found, known, "query parameter")
    if len(found) != len(pairs):
        raise RefusedError("bad_request", "a query parameter stands twice")
    return found


def check_names(given: Collection[str], known: Collection[str], what: str, advice: str | None = None) -> None:
    """Raise `RefusedError` for the first name that is not known, with near names or else with the advice."""
    for name in given:
        if name not in known:
            near = near_names(name, known, alike=_ALIKE if advice is None else _VERY_ALIKE)
            otherwise = f": there are {', '.join(known)}" if advice is None else advice
            hint = f", did you mean '{near[0]}'?" if near else otherwise
            raise RefusedError("bad_request", f"there is no {what} '{name[:64]}'{hint}", near=near)


# ---------------------------------------------------------------------------------------------------------------------


async def _read(request: Request, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise too_large(limit)
        parts.append(part)
    return b"".join(parts)
