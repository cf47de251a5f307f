"""What only Pydantic understands: its models, its fields and validators. Imported where one of these appears.

This is the one module of authoring that imports Pydantic, and nothing imports it before an annotation needs it.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from prowess.authoring.annotations.codec import Codec, Family, Flaw, MismatchError, Seen, UnsupportedError
from prowess.authoring.annotations.definitions import Definitions
from prowess.model.json_value import Json, json_path

__all__ = ["default_of", "pydantic_codec"]

_PREFIX = "#/pydantic/"


class _Untitled(GenerateJsonSchema):
    """Without the titles that Pydantic makes of field names: a model reads the names anyway."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - Pydantic's signature
        return False


def pydantic_codec(annotation: Any, definitions: Definitions, *, output: bool) -> Codec:
    """The codec of a whole annotation, read and written by Pydantic; raises `UnsupportedError` where it refuses."""
    try:
        adapter: TypeAdapter[Any] = TypeAdapter[Any](annotation)
        schema = adapter.json_schema(
            mode="serialization" if output else "validation",
            ref_template=_PREFIX + "{model}",
            schema_generator=_Untitled,
        )
    except PydanticUserError as error:
        message = f"Pydantic cannot make a schema of it: {str(error).splitlines()[0]}"
        raise UnsupportedError(message) from None
    except ImportError as error:  # EmailStr and its like need a package of their own
        message = f"Pydantic needs a package for it that is not there: {error}"
        raise UnsupportedError(message) from None
    components = schema.pop("$defs", {})

    def read(value: Json, _seen: Seen) -> object:
        try:  # as JSON, since Pydantic reads dates, bytes and strict types otherwise from Python values
            return adapter.validate_json(msgspec.json.encode(value))
        except ValidationError as error:
            raise MismatchError(*(_flaw(one) for one in error.errors(include_input=False))) from None

    def dump(value: object) -> object:
        return adapter.dump_python(value, mode="json", by_alias=True, warnings=False)

    return Codec(family=Family.FOREIGN, schema=definitions.absorb(schema, components, _PREFIX), read=read, dump=dump)


def default_of(field: FieldInfo) -> Callable[[], object] | None:
    """What makes the default of a `Field(...)` that stands where a default is written; None where it has none."""
    if field.is_required():
        return None
    return lambda: field.get_default(call_default_factory=True)


# ---------------------------------------------------------------------------------------------------------------------


def _flaw(error: ErrorDetails) -> Flaw:
    return Flaw(error["msg"], error["type"], path=json_path(list(error["loc"]))[1:])
