"""What a model wrote under a strict schema, as the inputs that the schema of an entry means."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from prowess.model.json_value import is_array, is_object
from prowess.model.merged_schema import named_types
from prowess.model.schema import resolve_pointer

__all__ = ["without_added_nulls"]

_DEPTH_LIMIT = 40
_UNIONS = ("anyOf", "oneOf")
_COMBINING = ("allOf", *_UNIONS)


def without_added_nulls(schema: Mapping[str, object], arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments without the nulls that a model wrote because strict mode lets it leave no property out.

    A null stays where the schema takes one, and where it says nothing about the property.
    """
    return dict(_cleaned_members(schema, [schema], arguments))


# ---------------------------------------------------------------------------------------------------------------------


def _cleaned(root: Mapping[str, object], schemas: Sequence[object], value: object, depth: int) -> object:
    if depth > _DEPTH_LIMIT:
        return value
    if is_object(value):
        return dict(_cleaned_members(root, schemas, value, depth))
    if is_array(value):
        items = [branch.get("items") for branch in _branches(root, schemas)]
        return [_cleaned(root, items, item, depth + 1) for item in value]
    return value


def _cleaned_members(
    root: Mapping[str, object], schemas: Sequence[object], value: Mapping[str, object], depth: int = 0
) -> Iterator[tuple[str, object]]:
    branches = list(_branches(root, schemas))
    for name, item in value.items():
        declared = [branch.get("properties") for branch in branches]
        about = [properties[name] for properties in declared if is_object(properties) and name in properties]
        required = bool(about) and all(
            name in _texts(branch.get("required")) for branch in branches if _has(branch, name)
        )
        if item is not None or required or not about or _takes_null(root, about):
            yield name, _cleaned(root, about, item, depth + 1)


def _branches(root: Mapping[str, object], schemas: Sequence[object]) -> Iterator[Mapping[str, object]]:
    """Each schema and all that it combines or refers to, once."""
    waiting, seen = list(schemas), set[int]()
    while waiting:
        schema = waiting.pop()
        if not is_object(schema) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        reference = schema.get("$ref")
        if isinstance(reference, str):
            waiting.append(resolve_pointer(root, reference))
        for key in _COMBINING:
            members = schema.get(key)
            waiting.extend(members if is_array(members) else ())


def _takes_null(root: Mapping[str, object], schemas: Iterable[object], depth: int = 0) -> bool:
    return any(_takes_null_itself(root, schema, depth) for schema in schemas)


def _takes_null_itself(root: Mapping[str, object], schema: object, depth: int) -> bool:
    if not is_object(schema) or depth > _DEPTH_LIMIT:
        return schema is True
    values, types, reference = schema.get("enum"), named_types(schema), schema.get("$ref")
    if ("const" in schema and schema["const"] is not None) or (is_array(values) and None not in values):
        return False
    if types is not None and "null" not in types:
        return False
    if isinstance(reference, str) and not _takes_null_itself(root, resolve_pointer(root, reference), depth + 1):
        return False
    both = schema.get("allOf", [])
    if not is_array(both) or not all(_takes_null_itself(root, member, depth + 1) for member in both):
        return False
    return all(_takes_null(root, members, depth + 1) for key in _UNIONS if is_array(members := schema.get(key)))


def _has(schema: Mapping[str, object], name: str) -> bool:
    properties = schema.get("properties")
    return is_object(properties) and name in properties


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if is_array(value) else ()
