"""Two schemas that bind at once as one that says exactly the same, and whether any value fits two schemas."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from prowess.model.json_value import is_array, is_object, json_type
from prowess.model.schema import resolve_pointer

__all__ = ["RESTRICTING", "Conflict", "fits_types", "merged", "merged_all_of", "named_types", "telling_apart"]

_NESTING_LIMIT = 16
_UNIONS = ("anyOf", "oneOf")
RESTRICTING = frozenset(
    {
        *("type", "enum", "const", "not", "if", "then", "else", "$ref", "$dynamicRef", "allOf", *_UNIONS),
        *("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains", "maxContains"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "properties", "required"),
        *("patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
    }
)
"""The keywords that keep a value out; all others only speak of it."""


class Conflict(Exception):  # noqa: N818 - nothing is wrong: two schemas just have no common form that we write
    """Two schemas that bind at once and cannot be written as one; `nothing` where no value fits both."""

    def __init__(self, keyword: str, *, nothing: bool = False) -> None:
        super().__init__(keyword)
        self.nothing = nothing


def merged(inner: Mapping[str, object], outer: Mapping[str, object]) -> dict[str, object]:
    """One schema for two that bind at once; of what only speaks, the outer one's stays. Raises `Conflict`."""
    both = {**inner, **outer}
    for key in inner.keys() & outer.keys() & RESTRICTING:
        if inner[key] == outer[key] and json_type(inner[key]) == json_type(outer[key]):
            continue
        if key == "type":
            both["type"] = _common_types(inner, outer)
        elif key == "required":
            both["required"] = list(dict.fromkeys((*_texts(outer[key]), *_texts(inner[key]))))
        elif key != "properties":
            raise Conflict(key)
    _check_closed(inner, outer)
    _check_closed(outer, inner)
    if "properties" in inner and "properties" in outer:
        both["properties"] = _common_properties(inner, outer)
    return both


def merged_all_of(schema: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    """The schema with the members of its `allOf` merged into it; as it was where that would say something else."""
    members = schema.get("allOf")
    result = {key: value for key, value in schema.items() if key != "allOf"}
    for member in members if is_array(members) else ():
        if depth > _NESTING_LIMIT or not is_object(member) or "$ref" in member:
            return dict(schema)
        part = merged_all_of(member, depth + 1)
        if "allOf" in part:
            return dict(schema)
        try:
            result = merged(part, result)
        except Conflict:
            return dict(schema)
    return result


def named_types(schema: Mapping[str, object]) -> list[object] | None:
    """The types that a schema names; None where it names none."""
    named = schema.get("type")
    return None if named is None else list(named) if is_array(named) else [named]


def fits_types(value: object, types: Sequence[object]) -> bool:
    """Whether a value is of one of some types."""
    kind = json_type(value)
    whole = kind == "number" and isinstance(value, float) and value.is_integer()
    return kind in types or (kind == "integer" and "number" in types) or (whole and "integer" in types)


def telling_apart(root: Mapping[str, object], members: Sequence[object]) -> list[str] | None:
    """What keeps any value from fitting two of these schemas; None where one may.

    A list of properties is given: where each is there, no value fits two. It is empty where none could anyway.
    """
    known = [_known(root, member, 0) for member in members]
    needed: list[str] = []
    for one, other in combinations(known, 2):
        if one.types is not None and other.types is not None and not one.types & other.types:
            continue
        if one.values is not None and other.values is not None and not one.values & other.values:
            continue
        tag = next((tag for tag in one.tags if tag in other.tags and not one.tags[tag] & other.tags[tag]), None)
        if tag is None or one.types != {"object"} or other.types != {"object"}:
            return None
        needed.append(tag)
    return list(dict.fromkeys(needed))


# ---------------------------------------------------------------------------------------------------------------------

_Value = tuple[str, object]


class _Known:
    """What is known of the values that fit a schema: their types, themselves, those of properties. None is anything."""

    def __init__(self) -> None:
        self.types: set[str] | None = None
        self.values: set[_Value] | None = None
        self.tags: dict[str, set[_Value]] = {}


def _known(root: Mapping[str, object], schema: object, depth: int) -> _Known:
    found = _Known()
    reference = schema.get("$ref") if is_object(schema) else None
    if isinstance(reference, str):
        schema = resolve_pointer(root, reference)
    if not is_object(schema) or depth > _NESTING_LIMIT:
        return found
    types = named_types(schema)
    if types is not None:
        found.types = {_broad(kind) for kind in types if isinstance(kind, str)}
    found.values = _listed(schema)
    if found.values is not None:
        found.types = {kind for kind, _ in found.values}
    unions = [members for key in _UNIONS if is_array(members := schema.get(key))]
    if found.types is None and unions:
        found.types = _any_type(_known(root, member, depth + 1) for member in unions[0])
    properties = schema.get("properties")
    for name, value in properties.items() if is_object(properties) else ():
        values = _known(root, value, depth + 1).values
        if values is not None:
            found.tags[name] = values
    return found


def _listed(schema: Mapping[str, object]) -> set[_Value] | None:
    """The values that a schema lists, each with its type, as `True` is 1 to Python; None where there are others."""
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    if not is_array(listed) or any(is_array(value) or is_object(value) for value in listed):
        return None
    return {(_broad(json_type(value)), value) for value in listed}


def _any_type(members: Iterable[_Known]) -> set[str] | None:
    types: set[str] = set()
    for member in members:
        if member.types is None:
            return None
        types |= member.types
    return types


def _broad(kind: str) -> str:
    return "number" if kind == "integer" else kind


def _common_types(inner: Mapping[str, object], outer: Mapping[str, object]) -> list[object]:
    first, second = named_types(inner) or [], named_types(outer) or []
    common = [kind for kind in first if kind in second or (kind == "integer" and "number" in second)]
    common += [kind for kind in second if kind == "integer" and "number" in first and kind not in common]
    if not common:
        raise Conflict("type", nothing=True)
    return common


def _common_properties(inner: Mapping[str, object], outer: Mapping[str, object]) -> dict[str, object]:
    mine, other = inner["properties"], outer["properties"]
    if not is_object(mine) or not is_object(other) or any(mine[name] != other[name] for name in mine.keys() & other):
        raise Conflict("properties")
    return {**other, **mine}


def _check_closed(one: Mapping[str, object], other: Mapping[str, object]) -> None:
    """See to it that what one says of properties it does not declare says nothing of those that the other declares."""
    mine, others = (schema.get("properties", {}) for schema in (one, other))
    says = any(one.get(key, True) is not True for key in ("additionalProperties", "unevaluatedProperties"))
    if says and is_object(mine) and is_object(others) and others.keys() - mine.keys():
        raise Conflict("additionalProperties")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if is_array(value) else ()
