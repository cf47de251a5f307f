"""A schema as the clients of models take it: references inlined, an object at its root."""

from collections.abc import Mapping

from prowess.model.json_value import is_array, is_object
from prowess.model.schema import Schema, inline_references, resolve_pointer

__all__ = ["inlined_schema", "merge_all_of", "shaped_schema", "tool_schema"]

_REFUSED_AT_ROOT = ("allOf", "anyOf", "oneOf", "not", "enum")
_UNIONS = ("anyOf", "oneOf")
_REFERRING = (b'"$ref"', b'"$defs"', b'"definitions"')
_NESTING_LIMIT = 16


def tool_schema(schema: Schema, *, plain_root: bool) -> dict[str, object]:
    """The schema as fresh values, always of an object with `properties`.

    With `plain_root` its combinations are spread into one object, as OpenAI and Anthropic refuse a whole request for
    one `anyOf` at a root. The result may then admit more than the schema, which the gate still checks.
    """
    return shaped_schema(inlined_schema(schema), plain_root=plain_root)


def shaped_schema(root: dict[str, object], *, plain_root: bool) -> dict[str, object]:
    """The same for a schema whose references are inlined already."""
    root = root if "type" in root else {"type": "object", **root}
    root |= {"type": "object", "properties": _mapping(root, "properties")}
    return _spread(root) if plain_root else root


def inlined_schema(schema: Schema) -> dict[str, object]:
    """The schema as fresh values, its references inlined; a recursive one keeps those that are not its root."""
    root = schema.value()
    if any(key in schema.text for key in _REFERRING):
        root = inline_references(root)[0]
    for _ in range(_NESTING_LIMIT):
        reference = root.get("$ref")
        named = resolve_pointer(root, reference) if isinstance(reference, str) else None
        if not is_object(named) or named is root:
            break
        root = {**named, **{key: value for key, value in root.items() if key != "$ref"}}
    return root


def merge_all_of(schema: Mapping[str, object], depth: int = 0) -> dict[str, object]:
    """The schema with the members of its `allOf` merged into it, where they can be: then it has no `allOf`.

    Of two restrictions of one kind the outer stays, so the result may admit more.
    """
    members = schema.get("allOf")
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for member in members if is_array(members) else ():
        if depth > _NESTING_LIMIT or not is_object(member) or "$ref" in member:
            return dict(schema)
        part = merge_all_of(member, depth + 1)
        if "allOf" in part or any(key in part and key in merged for key in _UNIONS):
            return dict(schema)
        merged = {**part, **merged, **_both(part, merged)}
    return merged


# ---------------------------------------------------------------------------------------------------------------------


def _spread(root: dict[str, object], depth: int = 0) -> dict[str, object]:
    merged = merge_all_of(root)
    for key in _UNIONS:
        members = merged.pop(key, None)
        if is_array(members) and depth <= _NESTING_LIMIT:
            branches = [_spread(dict(member), depth + 1) for member in members if is_object(member)]
            merged |= _both(_any_of(branches), merged)
    return {key: value for key, value in merged.items() if key not in _REFUSED_AT_ROOT}


def _any_of(branches: list[dict[str, object]]) -> dict[str, object]:
    """One object for several: all their properties, of which those are required that all require."""
    variants: dict[str, list[object]] = {}
    for branch in branches:
        for name, schema in _mapping(branch, "properties").items():
            known = variants.setdefault(name, [])
            if schema not in known:
                known.append(schema)
    properties = {name: found[0] if len(found) == 1 else {"anyOf": found} for name, found in variants.items()}
    first, *others = branches or [{}]
    required = [name for name in _required(first) if all(name in _required(other) for other in others)]
    return {"properties": properties, "required": required}


def _both(inner: Mapping[str, object], outer: Mapping[str, object]) -> dict[str, object]:
    """The properties and the required names of two schemas that bind at once; the outer one's hold."""
    own = _mapping(outer, "properties")
    properties = own | {name: value for name, value in _mapping(inner, "properties").items() if name not in own}
    required = list(dict.fromkeys((*_required(outer), *_required(inner))))
    return {**({"properties": properties} if properties else {}), **({"required": required} if required else {})}


def _mapping(schema: Mapping[str, object], key: str) -> dict[str, object]:
    value = schema.get(key)
    return dict(value) if is_object(value) else {}


def _required(schema: Mapping[str, object]) -> list[str]:
    names = schema.get("required")
    return [name for name in names if isinstance(name, str)] if is_array(names) else []
