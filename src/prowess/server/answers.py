"""What the server answers: JSON, and for each error code one HTTP status and words that anybody may read."""

from collections.abc import Mapping
from math import ceil, isfinite

from starlette.responses import Response

from prowess.app.json_text import encode_json
from prowess.errors import ProwessError, RateLimitedError
from prowess.model.json_value import is_object
from prowess.model.result import Result

__all__ = ["STATUS", "UNWRITABLE", "RefusedError", "answer", "answer_error", "answer_result", "public_result"]

STATUS: Mapping[str, int] = {
    "invalid_input": 400,
    "bad_request": 400,
    "unauthenticated": 401,
    "forbidden": 403,
    "approval_required": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "too_slow": 408,
    "already_registered": 409,
    "too_large": 413,
    "unsupported_media_type": 415,
    "rate_limited": 429,
    "head_too_large": 431,
    "error": 500,
    "execution_failed": 500,
    "invalid_output": 500,
    "invalid_manifest": 500,
    "invalid_schema": 500,
    "invalid_document": 500,
    "configuration": 500,
    "missing_extra": 500,
    "unavailable": 503,
    "missing_service": 503,
    "store_unavailable": 503,
    "cancelled": 503,
    "timed_out": 504,
}
"""Every code's status. A test holds it to the error tree."""

UNWRITABLE = (TypeError, ValueError, RecursionError)
"""What writing JSON raises for a value that has no such form: an integer of many thousand digits, one too deep."""

_SHOWN = ("name", "near", "problems", "retry_after", "proposal_id")
"""The details that leave the process; others may quote code, paths and values."""


class RefusedError(Exception):
    """A request that never became a call: its code, a sentence, and the headers its answer needs."""

    def __init__(
        self, code: str, message: str, *, near: tuple[str, ...] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.near = near
        self.headers = headers


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as JSON; bytes are JSON already."""
    body = value if isinstance(value, bytes) else encode_json(value)
    return Response(body, status, headers, "application/json")


def answer_error(error: ProwessError | RefusedError) -> Response:
    """An error outside a call: `{"error": {"code", "message", "retryable", "details"}}`."""
    if isinstance(error, RefusedError):
        details = {"near": error.near} if error.near else {}
        body = {"code": error.code, "message": error.message, "retryable": False, "details": details}
        return answer({"error": body}, STATUS[error.code], error.headers)
    return answer({"error": _public(error)}, _status(error), _headers(error))


def answer_result(result: Result) -> Response:
    """What a call came to: `{"ok", "output" or "error", "duration_ms"}`, with the status of its error.

    Raises what `UNWRITABLE` names for an output that has no form as JSON.
    """
    headers = None if result.error is None else _headers(result.error)
    return answer(*public_result(result), headers)


def public_result(result: Result) -> tuple[dict[str, object], int]:
    """The same as a value, and its status."""
    if result.error is None:
        return result.to_json(), 200
    told: dict[str, object] = {"ok": False, "error": _public(result.error)}
    return {**told, "duration_ms": round(result.duration_ms, 3)}, _status(result.error)


# ---------------------------------------------------------------------------------------------------------------------


def _public(error: ProwessError) -> dict[str, object]:
    details = error.to_json()["details"]
    shown = {key: details[key] for key in _SHOWN if key in details} if is_object(details) else {}
    return {"code": error.code, "message": error.model_text, "retryable": error.retryable, "details": shown}


def _status(error: ProwessError) -> int:
    return STATUS.get(error.code, 500)


def _headers(error: ProwessError) -> Mapping[str, str] | None:
    after = error.retry_after if isinstance(error, RateLimitedError) else None
    return None if after is None or not isfinite(after) else {"Retry-After": str(max(1, ceil(after)))}
