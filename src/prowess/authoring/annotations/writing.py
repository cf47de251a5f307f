"""Writing Python values whose schema says more than `to_json_value` does alone."""

import re
import sys
from collections.abc import Mapping

from msgspec import to_builtins

from prowess.authoring.annotations.codec import MismatchError, Read, UnsupportedError
from prowess.model.json_value import Json, NotJsonError, to_json_value

__all__ = ["default_if_any", "default_note", "write_plainly"]


def write_plainly(value: object) -> object:
    """A value with every key as text, and Pydantic's types by their aliases. What has no JSON form is left as it is."""
    try:
        return to_builtins(value, str_keys=True, enc_hook=_unknown)
    except (TypeError, ValueError, RecursionError):
        return value  # to_json_value, which comes next, says where and why


def default_note(value: object, schema: Mapping[str, object], read: Read | None = None) -> dict[str, object]:
    """What a schema says of a default.

    Raises `UnsupportedError` for one that has no JSON form, or is not what the schema itself and `read` take.
    """
    try:
        plain = to_json_value(write_plainly(value))
        if read is not None:
            read(plain, {})
    except NotJsonError as error:
        message = f"its default cannot be told in JSON: {error.problem}"
        raise UnsupportedError(message) from None
    except MismatchError as error:
        message = f"its default is not what its type says: {error}"
        raise UnsupportedError(message) from None
    broken = _broken_rule(schema, plain) if read is None or _NARROWING.search(str(schema)) else None
    if broken is not None:
        message = f"its default breaks its own schema: {broken}"
        raise UnsupportedError(message)
    return {"default": plain}


def default_if_any(value: object, schema: Mapping[str, object], read: Read) -> dict[str, object]:
    """The same for a type that may not be its user's own: what would be refused is left out."""
    try:
        return default_note(value, schema, read)
    except UnsupportedError:
        return {}


# ---------------------------------------------------------------------------------------------------------------------


_NARROWING = re.compile(r"'(?:m(?:in|ax)[A-Zi]|exclusiveM|multipleOf|pattern|uniqueItems)")


def _broken_rule(schema: Mapping[str, object], plain: Json) -> str | None:
    """Why a value does not fit; None where it does. For what a reader takes, bounds and patterns are left to check."""
    import jsonschema_rs  # noqa: PLC0415 - 18 ms, and only a default beside a bound, which is rare, needs it

    try:
        jsonschema_rs.validate(dict(schema), plain, offline=True)
    except ValueError as error:
        return getattr(error, "message", str(error))
    return None


def _unknown(value: object) -> object:
    """What msgspec does not know."""
    dump = getattr(type(value), "model_dump", None)
    if dump is not None:
        return dump(value, mode="json", by_alias=True)
    core = sys.modules.get("pydantic_core")
    if core is not None and type(value).__module__.startswith("pydantic"):
        return core.to_jsonable_python(value, by_alias=True)
    return to_json_value(value)
