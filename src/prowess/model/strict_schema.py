"""The dialect of JSON Schema that providers can hold a model to while it writes: one transform, each provider's rules.

What a provider cannot hold a model to is left out and told in the description instead, so the result admits more than
the schema in these points; the gate checks the schema itself. What would change a schema's meaning is a problem, and
the tool stays as it was.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from prowess.errors import Problem
from prowess.model.json_value import is_array, is_object, json_path, json_type
from prowess.model.merged_schema import (
    RESTRICTING,
    Conflict,
    fits_types,
    merged,
    merged_all_of,
    named_types,
    telling_apart,
)
from prowess.model.schema import resolve_pointer

__all__ = ["StrictRules", "StrictSchema", "strict_schema"]

_DEPTH_LIMIT = 40
_SHOWN = 120
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")
_OWN_DEFINITION = re.compile(r"#/(?:\$defs|definitions)/[^/]+")
_BEYOND_REGULAR = re.compile(r"\(\?(?!:)|\\[bB1-9]")
_UNIONS = ("anyOf", "oneOf")
_NOT_TAKEN = (
    *("allOf", "not", "if", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas"),
    *("dependencies", "prefixItems", "contains", "unevaluatedItems", "$dynamicRef", "$recursiveRef"),
)
"""What would be lost in strict mode without a trace; all else is held to, or told."""
_TWICE = "is said in a member of a union and beside it, in two ways"
_AT_ROOT = (*_UNIONS, "enum", "const")
_LIMITING = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("minItems", "maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties"),
    "boolean": (),
    "null": (),
}
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})

Path = tuple[str | int, ...]
Values = dict[str, object]


class StrictRules(msgspec.Struct, frozen=True, kw_only=True):
    """What one provider's strict mode takes."""

    keywords: frozenset[str]
    """The restrictions it holds a model to, besides types, properties and enumerations."""
    formats: frozenset[str]
    optional: bool
    """Whether a property may be left out; where not, an optional one is required and may be null."""
    recursion: bool
    most_items_required: int | None = None
    """The highest `minItems` it takes."""
    most_nested: int | None = None
    most_properties: int | None = None
    most_enum_values: int | None = None


class StrictSchema(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a transform: the schema, or every reason why there is none."""

    schema: Values | None
    problems: tuple[Problem, ...] = ()
    optional: int = 0
    """How many properties may be left out: a provider may count them over a whole request."""
    unions: int = 0
    """How many places take values of several types."""


def strict_schema(schema: Mapping[str, object], rules: StrictRules) -> StrictSchema:
    """The schema of a tool's inputs in the strict dialect of one provider."""
    walk = _Walk(schema, rules)
    result = walk.root()
    if walk.problems:
        return StrictSchema(schema=None, problems=tuple(walk.problems))
    return StrictSchema(schema=result, optional=walk.optional, unions=walk.unions)


# ---------------------------------------------------------------------------------------------------------------------


class _Walk:
    """One transform. Goes on after a problem, so that an author sees all of them."""

    def __init__(self, root: Mapping[str, object], rules: StrictRules) -> None:
        self.problems: list[Problem] = []
        self.optional = 0
        self.unions = 0
        self._root = root
        self._rules = rules
        self._properties = 0
        self._enum_values = 0
        self._level = 0
        self._deepest = 0
        self._definitions: dict[str, Values] = {}
        self._definition_names: dict[str, str] = {}

    def root(self) -> Values:
        top = {key: value for key, value in self._root.items() if key not in {"$defs", "definitions"}}
        whole = merged_all_of(top)
        self._refuse_all(whole, (*_NOT_TAKEN, *_AT_ROOT), ())
        result = self._object(whole, (), 0)
        counted = (
            ("properties", self._properties, self._rules.most_properties),
            ("enum", self._enum_values, self._rules.most_enum_values),
            ("depth", self._deepest, self._rules.most_nested),
        )
        for rule, count, most in counted:
            if most is not None and count > most:
                self._refuse((), rule, f"has {count} in all, strict mode takes {most}")
        return result | ({"$defs": self._definitions} if self._definitions else {})

    def _refuse(self, path: Path, rule: str, message: str) -> Values:
        self.problems.append(Problem(path=json_path(list(path)), rule=rule, message=message))
        return {}

    def _node(self, node: object, path: Path, depth: int) -> Values:
        if not is_object(node):
            return self._refuse(path, "type", "does not say of which type it is")
        if depth > _DEPTH_LIMIT:
            return self._refuse(path, "depth", "is nested too deeply")
        if "$ref" in node:
            made = self._reference(node["$ref"], path, depth)
            told = self._told({}, node, [key for key in ("default",) if node.get(key) is not None])
            return {"anyOf": [made], **told} if told and made else made  # beside a reference nothing may stand
        return self._schema(merged_all_of(node), path, depth)

    def _schema(self, schema: Mapping[str, object], path: Path, depth: int) -> Values:
        self._refuse_all(schema, _NOT_TAKEN, path)
        if "allOf" in schema:  # what its members say is not to be found here
            return {}
        unions = [key for key in _UNIONS if key in schema]
        if "enum" in schema or "const" in schema:
            self._refuse_all(schema, unions, path)
            return self._values(schema, path)
        variants = schema[unions[0]] if len(unions) == 1 else None
        if is_array(variants) and "properties" not in schema:
            return self._union(schema, variants, path, depth)
        self._refuse_all(schema, unions, path)
        return self._typed(schema, path, depth)

    def _refuse_all(self, schema: Mapping[str, object], rules: Iterable[str], path: Path) -> None:
        for rule in rules:
            if rule in schema:
                where = "" if path or rule in _NOT_TAKEN else " at the root"
                self._refuse(path, rule, f"uses '{rule}'{where}, which strict mode does not take")

    def _reference(self, reference: object, path: Path, depth: int) -> Values:
        named = resolve_pointer(self._root, reference) if isinstance(reference, str) else None
        if not isinstance(reference, str) or named is None:
            return self._refuse(path, "$ref", "refers to what is not there")
        if not self._rules.recursion:
            message = "keeps its reference, as it leads back to itself or grows too large: strict mode takes none"
            return self._refuse(path, "$ref", message)
        if reference == "#":
            return {"$ref": "#"}
        if not _OWN_DEFINITION.fullmatch(reference):
            return self._refuse(path, "$ref", "refers to a place outside the definitions")
        return {"$ref": f"#/$defs/{self._define(reference, named, depth)}"}

    def _define(self, reference: str, named: object, depth: int) -> str:
        if reference in self._definition_names:
            return self._definition_names[reference]
        _, place, last = reference.split("/")
        name = _NOT_IN_NAMES.sub("_", last)
        while name in self._definitions:
            name += "_"
        self._definition_names[reference] = name
        self._definitions[name] = {}
        self._definitions[name] = self._node(named, (place, last), depth + 1)
        return name

    def _union(self, schema: Mapping[str, object], variants: list[object], path: Path, depth: int) -> Values:
        """A member says only what is special about it, so each gets what they share."""
        self.unions += 1
        shared = {key: schema[key] for key in schema if key not in {*_UNIONS, "default", "description"}}
        wholes = [
            (index, whole)
            for index, variant in enumerate(variants)
            if (whole := self._whole(shared, variant, (*path, "anyOf", index))) is not None
        ]
        if not wholes and not self.problems:
            return self._refuse(path, "anyOf", "has no member that any value fits")
        if "oneOf" in schema:
            wholes = self._told_apart(wholes, path)
        members = [self._node(whole, (*path, "anyOf", index), depth + 1) for index, whole in wholes]
        return self._limited({"anyOf": members}, schema, "null")

    def _whole(self, shared: Mapping[str, object], variant: object, path: Path) -> object | None:
        """A member of a union with what all of them share; None where no value fits both, or that cannot be said."""
        if not is_object(variant):
            return variant
        if "$ref" in variant:
            if not shared.keys() & RESTRICTING:
                return variant
            self._refuse(path, "$ref", _TWICE)
            return None
        try:
            return merged(shared, variant)
        except Conflict as conflict:
            if not conflict.nothing:
                self._refuse(path, str(conflict), _TWICE)
            return None

    def _told_apart(self, wholes: list[tuple[int, object]], path: Path) -> list[tuple[int, object]]:
        """The members of a `oneOf` so that no value fits two: then it is the same as an `anyOf`."""
        tags = telling_apart(self._root, [whole for _, whole in wholes])
        if tags is None or not all(_can_require(whole, tags) for _, whole in wholes):
            message = "uses 'oneOf' whose members no type or constant tells apart, which strict mode does not take"
            self._refuse(path, "oneOf", message)
            return wholes
        return [(index, _requiring(whole, tags)) for index, whole in wholes]

    def _values(self, schema: Mapping[str, object], path: Path) -> Values:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not is_array(values) or not values or not all(json_type(value) in _SCALARS for value in values):
            return self._refuse(path, "enum", "does not list text, numbers, booleans or null")
        types = named_types(schema)
        fitting = [
            value
            for value in values
            if (types is None or fits_types(value, types))
            and ("const" not in schema or _is_same(value, schema["const"]))
        ]
        if not fitting:
            return self._refuse(path, "enum", "lists no value that what stands beside it allows")
        self._enum_values += len(fitting)
        by_type: dict[str, list[object]] = {}
        for value in fitting:
            by_type.setdefault(json_type(value), []).append(value)
        members: list[Values] = [
            {"type": kind} if kind == "null" else {"type": kind, "enum": found} for kind, found in by_type.items()
        ]
        self.unions += len(members) > 1
        result: Values = members[0] if len(members) == 1 else {"anyOf": members}
        limits = dict.fromkeys(key for kind in by_type for key in _LIMITING[kind] if key in schema)
        if not limits:
            return self._limited(result, schema, "null")
        return self._told(result, schema, [*limits, *(["default"] if "default" in schema else [])])

    def _typed(self, schema: Mapping[str, object], path: Path, depth: int) -> Values:
        kind, *others = _types(schema) or [""]
        if others:
            return self._union(schema, [{"type": one} for one in (kind, *others)], path, depth)
        if not kind:
            return self._refuse(path, "type", "does not say of which type it is")
        if kind == "object":
            return self._object(schema, path, depth)
        result: Values = {"type": kind}
        if kind == "array":
            result["items"] = self._node(schema.get("items"), (*path, "items"), depth + 1)
        return self._limited(result, schema, kind)

    def _object(self, schema: Mapping[str, object], path: Path, depth: int) -> Values:
        declared = schema.get("properties")
        properties: Mapping[str, object] = declared if is_object(declared) else {}
        further = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        if further not in (None, False):
            self._refuse(path, "additionalProperties", "takes properties that it does not declare")
        elif not properties and further is None:
            self._refuse(path, "properties", "is an object that declares no properties")
        required = _texts(schema.get("required"))
        if not all(name in properties for name in required):
            self._refuse(path, "required", "requires a property that it does not declare")
        self._properties += len(properties)
        self._level += 1
        self._deepest = max(self._deepest, self._level)
        result: Values = {"type": "object", "properties": {}, "required": list(required), "additionalProperties": False}
        result["properties"] = {
            name: self._property(value, (*path, "properties", name), depth, required=name in required)
            for name, value in properties.items()
        }
        self._level -= 1
        if not self._rules.optional:
            result["required"] = list(properties)
        return self._limited(result, schema, "object")

    def _property(self, node: object, path: Path, depth: int, *, required: bool) -> Values:
        result = self._node(node, path, depth + 1)
        self.optional += not required
        return result if required or self._rules.optional else _or_null(result)

    def _limited(self, result: Values, schema: Mapping[str, object], kind: str) -> Values:
        told: list[str] = []
        for key in (*_LIMITING[kind], "default"):
            if key not in schema:
                continue
            if self._takes(key, schema[key]):
                result[key] = schema[key]
            elif schema[key] is not None:
                told.append(key)
        return self._told(result, schema, told)

    def _takes(self, key: str, value: object) -> bool:
        most = self._rules.most_items_required
        return key in self._rules.keywords and (
            (key == "format" and isinstance(value, str) and value in self._rules.formats)
            or (key == "pattern" and isinstance(value, str) and not _BEYOND_REGULAR.search(value))
            or (key == "minItems" and isinstance(value, int) and (most is None or value <= most))
            or key not in {"format", "pattern", "minItems"}
        )

    def _told(self, result: Values, schema: Mapping[str, object], told: Sequence[str]) -> Values:
        """The result with its title and description, which also tells what it could not say otherwise."""
        said = ", ".join(f"{key}: {msgspec.json.encode(schema[key]).decode()[:_SHOWN]}" for key in told)
        described = schema.get("description")
        description = described if isinstance(described, str) else ""
        text = f"{description} ({said})" if description and said else description or said
        title = schema.get("title")
        return {
            **result,
            **({"title": title} if isinstance(title, str) else {}),
            **({"description": text} if text else {}),
        }


def _types(schema: Mapping[str, object]) -> list[str]:
    """The types that a schema names, or those its keywords speak of."""
    named = schema.get("type")
    if named is not None:
        return [kind for kind in (named if is_array(named) else [named]) if isinstance(kind, str) and kind in _LIMITING]
    if "properties" in schema:
        return ["object"]
    return ["array"] if "items" in schema else []


def _or_null(node: Values) -> Values:
    """The node, taking null as well."""
    kind = node.get("type")
    members = node.get("anyOf")
    values = node.get("enum")
    null: Values = {"type": "null"}
    if is_array(members):
        return node if null in members else {**node, "anyOf": [*members, null]}
    if is_array(values):
        return node if None in values else {**node, "type": [kind, "null"], "enum": [*values, None]}
    if isinstance(kind, str) and kind not in {"object", "array"}:
        return node if kind == "null" else {**node, "type": [kind, "null"]}
    described: Values = {key: node[key] for key in ("title", "description") if key in node}
    return {"anyOf": [{key: node[key] for key in node if key not in described}, null], **described}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if is_array(value) else ()


def _is_same(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _can_require(schema: object, names: Sequence[str]) -> bool:
    """Whether a schema requires these properties, or could."""
    return not names or (is_object(schema) and "$ref" not in schema)


def _requiring(schema: object, names: Sequence[str]) -> object:
    if not names or not is_object(schema):
        return schema
    return {**schema, "required": list(dict.fromkeys((*_texts(schema.get("required")), *names)))}
