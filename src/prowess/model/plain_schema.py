"""Which JSON Schemas are so plain that nothing can be wrong with them: most are, and need no validator to be sure."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, DecodeError, Meta, Struct, UnsetType, ValidationError, field, json

from prowess.model.schema import Schema

__all__ = ["is_plain"]

_BYTES_LIMIT = 16_384
_DEPTH_LIMIT = 16


def is_plain(schema: Schema) -> bool:
    """Whether a schema is legal and cheap, as far as a glance shows; one that is not plain may be so all the same."""
    text = schema.text
    if len(text) > _BYTES_LIMIT or (text.count(b"{") > _DEPTH_LIMIT and _depth(text) > _DEPTH_LIMIT):
        return False
    try:
        _READ(text)
    except (ValidationError, DecodeError, RecursionError):
        return False
    return True


# ---------------------------------------------------------------------------------------------------------------------

_Type: TypeAlias = Literal["array", "boolean", "integer", "null", "number", "object", "string"]
_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_Number: TypeAlias = int | float
_Filled: TypeAlias = Annotated[list[Any], Meta(min_length=1)]


class _Plain(Struct, forbid_unknown_fields=True, gc=False):
    """All that a plain schema may say. Reading text as this is the check: it takes a microsecond."""

    type: _Type | UnsetType = UNSET
    properties: "dict[str, _Plain] | UnsetType" = UNSET
    required: list[str] | UnsetType = UNSET
    additional: bool | UnsetType = field(default=UNSET, name="additionalProperties")
    items: "_Plain | UnsetType" = UNSET
    any_of: "Annotated[list[_Plain], Meta(min_length=1)] | UnsetType" = field(default=UNSET, name="anyOf")
    enum: _Filled | UnsetType = UNSET
    default: Any = UNSET
    examples: _Filled | UnsetType = UNSET
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    format: str | UnsetType = UNSET
    encoding: str | UnsetType = field(default=UNSET, name="contentEncoding")
    minimum: _Number | UnsetType = UNSET
    maximum: _Number | UnsetType = UNSET
    above: _Number | UnsetType = field(default=UNSET, name="exclusiveMinimum")
    below: _Number | UnsetType = field(default=UNSET, name="exclusiveMaximum")
    least_length: _Count | UnsetType = field(default=UNSET, name="minLength")
    most_length: _Count | UnsetType = field(default=UNSET, name="maxLength")
    least_items: _Count | UnsetType = field(default=UNSET, name="minItems")
    most_items: _Count | UnsetType = field(default=UNSET, name="maxItems")

    def __post_init__(self) -> None:
        """Refuse a field that is required twice."""
        required = self.required
        if required is not UNSET and len(required) > 1 and len(set(required)) < len(required):
            raise ValueError


_READ = json.Decoder(_Plain).decode


def _depth(text: bytes) -> int:
    """How deep braces are nested, those in texts counted too: at least as deep as it is."""
    deepest = depth = 0
    for sign in text:
        if sign == _OPENS:
            depth += 1
            deepest = max(deepest, depth)
        elif sign == _CLOSES:
            depth -= 1
    return deepest


_OPENS, _CLOSES = b"{}"
