"""Types with named fields: dataclasses, typed dictionaries, named tuples, and msgspec's structs."""

from collections.abc import Callable, Mapping
from typing import Any, NotRequired, Required, get_args, get_origin

import msgspec
from msgspec import Struct

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
from prowess.authoring.annotations.constraints import description_note
from prowess.authoring.annotations.containers import tuple_of
from prowess.authoring.annotations.definitions import Definitions
from prowess.authoring.annotations.writing import default_if_any, write_plainly
from prowess.authoring.docstrings import read_docstring
from prowess.model.json_value import Json

__all__ = ["Field", "dataclass_fields", "named_tuple_of", "record_of", "struct_of", "typed_dict_fields"]

Walk = Callable[[object], Codec]
_DATACLASS_FIELDS = "__dataclass_fields__"


class Field(Struct, frozen=True, kw_only=True):
    """One field of a record."""

    name: str
    codec: Codec
    required: bool
    notes: Mapping[str, object] = {}
    """Its default and description, as far as JSON has them."""


def dataclass_fields(kind: type, hints: Mapping[str, object], walk: Walk, *, output: bool) -> list[Field]:
    """What a dataclass takes, or as output what it holds."""
    import dataclasses  # noqa: PLC0415 - whoever made a dataclass has imported it; nobody else has to wait for it

    documented = _field_descriptions(kind)
    held = dataclasses.fields(kind)
    fields: list[Field] = []
    for field in getattr(kind, _DATACLASS_FIELDS).values():
        hint: Any = hints[field.name]
        variable = isinstance(hint, dataclasses.InitVar)
        if variable if output else not field.init or (field not in held and not variable):
            continue
        has_default = field.default is not dataclasses.MISSING
        if variable:
            hint = hint.type
        words = description_note(hint, field.metadata.get("description") or documented.get(field.name))
        codec = _at(field.name, hint, walk)
        fields.append(
            Field(
                name=field.name,
                codec=codec,
                required=field.init and not has_default and field.default_factory is dataclasses.MISSING,
                notes=words | (default_if_any(field.default, codec.schema, codec.read) if has_default else {}),
            )
        )
    return fields


def typed_dict_fields(kind: type, hints: Mapping[str, object], walk: Walk) -> list[Field]:
    """What a `TypedDict` holds. A wrapper beats its `total`, which postponed annotations make unreliable."""
    documented = _field_descriptions(kind)
    keys: frozenset[str] = vars(kind).get("__required_keys__", frozenset(hints))
    fields: list[Field] = []
    for name, hint in hints.items():
        wrappers = _wrappers(hint)
        required = Required in wrappers or (name in keys and NotRequired not in wrappers)
        notes = description_note(hint, documented.get(name))
        fields.append(Field(name=name, codec=_at(name, hint, walk), required=required, notes=notes))
    return fields


def record_of(kind: type, fields: list[Field], *, closed: bool) -> Codec:
    """The codec of an object with these fields, made by calling `kind` with them."""
    return Codec(
        family=Family.RECORD,
        schema=_object_schema(kind, fields, closed=closed),
        read=_record_reader(kind, {field.name: field for field in fields}, closed=closed),
        plain=issubclass(kind, dict) and all(field.codec.plain for field in fields),
        dump=write_plainly if any(field.codec.dump is not None for field in fields) else None,
    )


def named_tuple_of(kind: type, hints: Mapping[str, object], walk: Walk) -> Codec:
    """The codec of a named tuple: a list in JSON, its places titled with the fields' names."""
    names: tuple[str, ...] = vars(kind)["_fields"]
    defaults: Mapping[str, object] = vars(kind)["_field_defaults"]
    documented = _field_descriptions(kind)
    items: list[Codec] = []
    for name in names:
        hint = hints.get(name, object)
        codec = _at(name, hint, walk)
        notes = description_note(hint, documented.get(name))
        items.append(msgspec.structs.replace(codec, schema={"title": name, **codec.schema, **notes}))
    return tuple_of(items, len(names) - len(defaults), lambda values: kind(*values))


def struct_of(kind: object, walk: Walk, definitions: Definitions) -> Codec:
    """The codec of a msgspec `Struct` (or an attrs class): msgspec's own, with ours for the types it does not know."""
    others: dict[object, Codec] = {}

    def schema_of(other: type) -> dict[str, object]:
        others[other] = walk(other)
        return dict(others[other].schema)

    def read_other(other: type, value: Json) -> object:
        return others[other].read(value, {})

    prefix = "#/msgspec/"
    try:
        (schema,), components = msgspec.json.schema_components(
            (kind,), schema_hook=schema_of, ref_template=prefix + "{name}"
        )
    except TypeError as error:
        raise UnsupportedError(str(error)) from None

    def read(value: Json, _seen: Seen) -> object:
        try:
            return msgspec.convert(value, kind, dec_hook=read_other)
        except msgspec.ValidationError:
            pass
        try:  # JSON Schema's "integer" takes 5.0, msgspec does not
            return msgspec.convert(_whole_numbers(value), kind, dec_hook=read_other)
        except msgspec.ValidationError as error:
            message, _, path = str(error).partition(" - at `$")
            raise MismatchError(Flaw(message, path=path.removesuffix("`"))) from None

    return Codec(
        family=Family.RECORD,
        schema=definitions.absorb(schema, components, prefix),
        read=read,
        dump=write_plainly,
    )


# ---------------------------------------------------------------------------------------------------------------------


def _at(name: str, hint: object, walk: Walk) -> Codec:
    try:
        return walk(hint)
    except UnsupportedError as error:
        message = f"in field '{name}': {error}"
        raise UnsupportedError(message) from None


def _wrappers(hint: object) -> set[object]:
    """The `Required` and `NotRequired` around a type, also inside `Annotated`."""
    found: set[object] = set()
    while get_args(hint):
        found.add(get_origin(hint))
        hint = get_args(hint)[0]
    return found


def _object_schema(kind: type, fields: list[Field], *, closed: bool) -> dict[str, object]:
    schema: dict[str, object] = {"type": "object"}
    description = _description(kind)
    if description:
        schema["description"] = description
    schema["properties"] = {field.name: {**field.codec.schema, **field.notes} for field in fields}
    required = [field.name for field in fields if field.required]
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False} if closed else schema


def _record_reader(kind: Callable[..., object], fields: Mapping[str, Field], *, closed: bool) -> Read:
    def read(value: Json, seen: Seen) -> object:
        if type(value) is not dict:
            raise MismatchError.at(value, "expected an object")
        parts = Gathering(seen)
        for name in fields.keys() - value.keys():
            if fields[name].required:
                parts.note(Flaw(f"needs '{name}'", "required"))
        if closed and not value.keys() <= fields.keys():
            parts.note(Flaw("has a field that is not known here", "additionalProperties"))
        parts.done()  # before the fields are read, so that a union soon leaves what it is not
        made = {
            name: parts.read(name, fields[name].codec.read, one) if name in fields else one
            for name, one in value.items()
        }
        parts.done()
        try:
            return kind(**made)
        except (TypeError, ValueError) as error:  # its own __post_init__, which speaks to whoever fills it in
            raise MismatchError(Flaw(str(error), "value")) from None

    return read


def _field_descriptions(kind: type) -> Mapping[str, str]:
    return read_docstring(_own_docstring(kind)).parameters


def _description(kind: type) -> str:
    return read_docstring(_own_docstring(kind)).description


def _own_docstring(kind: type) -> str:
    """What the author wrote: a dataclass and a named tuple without a docstring get their signature as one."""
    written = vars(kind).get("__doc__")
    return "" if not isinstance(written, str) or written.startswith(f"{kind.__name__}(") else written


def _whole_numbers(value: Json) -> Json:
    """The same value with whole floats as integers."""
    if type(value) is dict:
        return {key: _whole_numbers(item) for key, item in value.items()}
    if type(value) is list:
        return [_whole_numbers(item) for item in value]
    return int(value) if type(value) is float and value.is_integer() else value
