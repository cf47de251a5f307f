"""JSON text from outside, read strictly: what two readers could understand differently is refused."""

import json
import re

import orjson

from prowess.model.json_value import DEPTH_LIMIT, Json

__all__ = ["JsonTextError", "encode_json", "parse_json"]

_LONG_NUMBER = re.compile(rb"\d{19}")


class JsonTextError(ValueError):
    """Text that is not JSON as we take it; the message says what and where, and quotes none of it but a key."""


def parse_json(text: bytes) -> Json:
    """The value of a JSON text. Raises `JsonTextError`, for a key that stands twice in one object as well.

    The quick parser silently drops all but the last of a key's values, and what it read has fewer colons when it is
    written again: only such a text is read once more, slowly. The same goes for integers too long for it.
    """
    try:
        value: Json = orjson.loads(text)
        again = orjson.dumps(value)
    except orjson.JSONDecodeError as error:
        raise JsonTextError(f"this is not JSON: {error}") from None
    except TypeError:
        raise JsonTextError(_TOO_DEEP) from None
    if text.count(b":") != again.count(b":") or b"\\u003" in text or (b"e+" in again and _LONG_NUMBER.search(text)):
        return _parse_exactly(text)
    return value


def encode_json(value: object) -> bytes:
    """The JSON text of a plain value, integers of any length and lone surrogates included."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


# ---------------------------------------------------------------------------------------------------------------------

_TOO_DEEP = f"this is nested deeper than {DEPTH_LIMIT} levels"


def _parse_exactly(text: bytes) -> Json:
    """The value of a text that the quick parser has read already, so that it is not too deep for this one."""
    try:
        value: Json = _EXACT.decode(text.decode())
    except ValueError as error:
        raise error if isinstance(error, JsonTextError) else JsonTextError(f"this is not JSON: {error}") from None
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise JsonTextError(f"the key {twice[:64]!r} stands twice in one object")
    return found


_EXACT = json.JSONDecoder(object_pairs_hook=_object)
