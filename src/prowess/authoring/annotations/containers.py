"""Containers and unions, made from the codecs of what they hold."""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from prowess.authoring.annotations.codec import (
    Codec,
    Family,
    Flaw,
    Gathering,
    MismatchError,
    Read,
    Seen,
    UnsupportedError,
)
from prowess.authoring.annotations.scalars import SCALARS, read_integer
from prowess.authoring.annotations.writing import write_plainly
from prowess.model.json_value import Json, is_array

__all__ = ["array_of", "mapping_of", "nullable", "set_of", "tuple_of", "union_of"]

_UNHASHABLE = frozenset({Family.ARRAY, Family.OBJECT})
_TEXT_KEYS = frozenset({Family.TEXT, Family.WORD, Family.ORDERED, Family.BYTES})


def array_of(item: Codec, make: Callable[[Iterable[object]], object] = list) -> Codec:
    """A list of such items, or a tuple of any length; what asks for a sequence or an iterable gets a list too."""
    schema = {"type": "array", "items": dict(item.schema)} if item.schema else {"type": "array"}
    plain = item.plain and make is list
    return Codec(family=Family.ARRAY, schema=schema, read=_reader_of(item, make), plain=plain, dump=_inherited([item]))


def set_of(item: Codec, kind: Callable[[Iterable[object]], object]) -> Codec:
    """A set or frozen set of such items."""
    if item.family in _UNHASHABLE:
        message = "a set cannot hold lists or dictionaries: write list[...]"
        raise UnsupportedError(message)
    schema: dict[str, object] = {"type": "array", "uniqueItems": True}
    if item.schema:
        schema["items"] = dict(item.schema)
    read = _reader_of(item, kind)
    return Codec(family=Family.ARRAY, schema=schema, read=read, dump=_inherited([item]))


def tuple_of(items: Sequence[Codec], required: int, make: Callable[[Iterable[object]], object] = tuple) -> Codec:
    """A tuple with a codec for each place; the last ones may be missing where `make` has defaults for them."""
    schema: dict[str, object] = {"type": "array", "minItems": required, "maxItems": len(items)}
    if items:
        schema |= {"prefixItems": [dict(item.schema) for item in items], "items": False}

    def read(value: Json, seen: Seen) -> object:
        if type(value) is not list:
            raise MismatchError.at(value, "expected a list")
        if not required <= len(value) <= len(items):
            raise MismatchError.at(value, f"expected {len(items)} items", "maxItems")
        parts = Gathering(seen)
        made = [parts.read(at, item.read, one) for at, (item, one) in enumerate(zip(items, value, strict=False))]
        parts.done()
        return make(made)

    return Codec(family=Family.ARRAY, schema=schema, read=read, dump=_inherited(items))


def mapping_of(key: Codec, value: Codec) -> Codec:
    """A dictionary. Its keys are text in JSON, or whole numbers written as text."""
    if key.read is not read_integer and key.family not in _TEXT_KEYS:
        message = "the keys of a JSON object are text: write dict[str, ...]"
        raise UnsupportedError(message)
    schema: dict[str, object] = {"type": "object"}
    if value.schema:
        schema["additionalProperties"] = dict(value.schema)
    names = _names_schema(key)
    if names:
        schema["propertyNames"] = names
    return Codec(
        family=Family.OBJECT,
        schema=schema,
        read=_mapping_reader(key, value),
        plain=key.plain and value.plain,
        dump=_inherited([value]) or (None if key.family is Family.TEXT else write_plainly),
    )


def union_of(members: Sequence[Codec]) -> Codec:
    """One of several: a value is read as the first member, in written order, that it fits."""
    schemas: list[object] = []
    for member in members:
        opened = member.schema.get("anyOf") if member.family is Family.UNION else None
        alternatives: list[object] = opened if is_array(opened) else [dict(member.schema)]
        schemas += [schema for schema in alternatives if schema not in schemas]
    may_be_null = any(member.family is Family.NULL for member in members)

    def read(value: Json, seen: Seen) -> object:
        if value is None and may_be_null:
            return None
        flaws: list[Flaw] = []
        for member in members:
            try:
                return member.read(value, seen)
            except MismatchError as error:
                flaws += error.flaws
        if any(flaw.path for flaw in flaws):  # the alternative that went deepest was meant
            raise MismatchError(max(flaws, key=lambda flaw: len(flaw.path)))
        raise MismatchError.at(value, f"expected {_alternatives(flaws)}", "anyOf")

    return Codec(
        family=Family.UNION,
        schema={} if {} in schemas else {"anyOf": schemas},
        read=read,
        plain=all(member.plain for member in members),
        dump=_inherited(members),
        members=tuple(members),
    )


def nullable(codec: Codec) -> Codec:
    """The codec, which takes null in any case: a default of None says so, whatever the annotation forgot."""
    try:
        codec.read(None, {})
    except MismatchError:
        bare = {key: value for key, value in codec.schema.items() if key != "description"}
        return union_of([replace(codec, schema=bare), SCALARS[type(None)]])
    return codec


# ---------------------------------------------------------------------------------------------------------------------


def _reader_of(item: Codec, make: Callable[[Iterable[object]], object]) -> Read:
    whole_numbers = item.read is read_integer

    def read(value: Json, seen: Seen) -> object:
        if type(value) is not list:
            raise MismatchError.at(value, "expected a list")
        if whole_numbers and all(type(one) is int for one in value):
            return make(value)
        parts = Gathering(seen)
        made = [parts.read(at, item.read, one) for at, one in enumerate(value)]
        parts.done()
        try:
            return make(made)
        except TypeError:
            raise MismatchError.at(value, "holds what cannot be in a set", "uniqueItems") from None

    return read


def _mapping_reader(key: Codec, item: Codec) -> Read:
    read_key = _whole_number_key if key.read is read_integer else key.read

    def read(value: Json, seen: Seen) -> object:
        if type(value) is not dict:
            raise MismatchError.at(value, "expected an object")
        parts = Gathering(seen)
        made = {parts.read(name, read_key, name): parts.read(name, item.read, one) for name, one in value.items()}
        parts.done()
        return made

    return read


def _whole_number_key(name: Json, _seen: Seen) -> object:
    try:
        return int(str(name))
    except ValueError:
        raise MismatchError.at(name, "expected a whole number as key", "propertyNames") from None


def _names_schema(key: Codec) -> dict[str, object]:
    if key.read is read_integer:
        return {"pattern": "^(0|-?[1-9][0-9]*)$"}
    return {rule: value for rule, value in key.schema.items() if rule != "type"}


def _inherited(parts: Sequence[Codec]) -> Callable[[object], object] | None:
    """Where a part needs more than `to_json_value`, the whole is written by the one writer that knows everything."""
    return write_plainly if any(part.dump is not None for part in parts) else None


def _alternatives(flaws: Sequence[Flaw]) -> str:
    wanted = [flaw.message.removeprefix("expected ") for flaw in flaws]
    return " or ".join(dict.fromkeys(wanted))
