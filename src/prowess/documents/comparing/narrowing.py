"""Whether every value of one schema fits another one: said as what keeps it from that."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from prowess.model.json_value import is_array, is_object, json_type
from prowess.model.schema import Schema, inline_references

__all__ = [
    "Misfit",
    "Part",
    "field_of",
    "misfits",
    "part_of",
    "plain_of",
    "schema_of_value",
]

Part: TypeAlias = Mapping[str, object] | bool
"""A schema inside another one."""

_MOST_STEPS = 4_000
_MOST_LEVELS = 32
_SHOWN = 60
_SAYS_TYPE = frozenset({"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"})
_UPPER = (("maximum", "exclusiveMaximum"), ("maxLength",), ("maxItems",), ("maxProperties",))
_LOWER = (("minimum", "exclusiveMinimum"), ("minLength",), ("minItems",), ("minProperties",))
_BOUNDED = {
    "maximum": "number",
    "minimum": "number",
    "maxLength": "string",
    "minLength": "string",
    "maxItems": "array",
    "minItems": "array",
    "maxProperties": "object",
    "minProperties": "object",
}


class Misfit(Struct, frozen=True):
    """One thing that keeps the values of a schema from fitting another."""

    rule: str
    """The keyword that is broken: `type`, `enum`, `format`, `maximum`, `items`, `required`."""
    message: str


def misfits(given: Part, wanted: Part, *, gradual: bool = True) -> list[Misfit]:
    """What keeps values of `given` from fitting `wanted`, neither with references; empty where each of them fits.

    `gradual` lets pass what says nothing about its type. Takes bounded time: what is too large to compare passes.
    """
    return [] if given == wanted else list(_Comparing(gradual=gradual).between(given, wanted, "", 0))


def plain_of(schema: Schema) -> dict[str, object]:
    """A schema as fresh values, its references replaced by what they name."""
    value = schema.value()
    return inline_references(value)[0] if b'"$ref"' in schema.text else value


def part_of(schema: Mapping[str, object], path: tuple[str, ...]) -> tuple[Part, bool] | str | None:
    """The schema of a field inside, and whether it is always there; the name that is unknown; None where all may be."""
    part: Part = schema
    always = True
    for name in path:
        found = field_of(part, name)
        if found is None:
            return None
        if isinstance(found, str):
            return found
        part, required = found
        always = always and required
    return part, always


def field_of(part: Part, name: str) -> tuple[Part, bool] | str | None:
    """The same for one field."""
    if not is_object(part):
        return None
    properties = part.get("properties")
    if is_object(properties) and name in properties:
        required = part.get("required")
        inner = properties[name]
        always = is_array(required) and name in required
        return (inner if is_object(inner) else bool(inner)), always or (is_object(inner) and "default" in inner)
    if is_object(properties) and not part.get("additionalProperties") and not part.keys() & _OPEN:
        return name
    types = _types(part)
    if types is not None and "object" not in types:
        return name
    return None


_OPEN = frozenset({"$ref", "allOf", "anyOf", "if", "oneOf", "patternProperties"})


def schema_of_value(value: object) -> dict[str, object]:
    """The schema that only this value fits."""
    if is_object(value):
        properties = {name: schema_of_value(item) for name, item in value.items()}
        return {"type": "object", "properties": properties, "required": list(value), "additionalProperties": False}
    if is_array(value):
        items: dict[str, object] = {"items": {"anyOf": [schema_of_value(item) for item in value]}} if value else {}
        return {"type": "array", **items, "minItems": len(value), "maxItems": len(value)}
    return {"const": value}


# ---------------------------------------------------------------------------------------------------------------------


class _Comparing:
    """One comparison, with the steps that are left to it."""

    def __init__(self, *, gradual: bool) -> None:
        self._gradual = gradual
        self._left = _MOST_STEPS

    def between(self, given: Part, wanted: Part, at: str, depth: int) -> Iterator[Misfit]:
        """What keeps values of one from fitting the other."""
        self._left -= 1
        if self._left < 0 or depth > _MOST_LEVELS or given is False or given == wanted:
            return
        if not is_object(wanted):
            if wanted is False:
                yield _misfit("false", at, "nothing may stand there")
            return
        told: Mapping[str, object] = given if is_object(given) else {}
        if self._gradual and not told.keys() & _SAYS_TYPE:
            return
        alternatives = told.get("anyOf", told.get("oneOf"))
        if is_array(alternatives):
            for one in alternatives:
                yield from self.between(_part({**told, "anyOf": None, "oneOf": None}, one), wanted, at, depth + 1)
            return
        yield from self._choice(told, wanted, at, depth)
        yield from _types_apart(told, wanted, at)
        for rule in (_enum, _bounds, _texts):
            yield from rule(told, wanted, at)
        yield from self._items(told, wanted, at, depth)
        yield from self._object(told, wanted, at, depth)

    def _choice(
        self, given: Mapping[str, object], wanted: Mapping[str, object], at: str, depth: int
    ) -> Iterator[Misfit]:
        for word in ("anyOf", "oneOf"):
            alternatives = wanted.get(word)
            if is_array(alternatives) and alternatives:
                found = [list(self.between(given, _whole(one), at, depth + 1)) for one in alternatives]
                if all(found):
                    yield _misfit(word, at, f"fits none of the alternatives: {min(found, key=len)[0].message}")
        parts = wanted.get("allOf")
        for one in parts if is_array(parts) else ():
            yield from self.between(given, _whole(one), at, depth + 1)

    def _items(
        self, given: Mapping[str, object], wanted: Mapping[str, object], at: str, depth: int
    ) -> Iterator[Misfit]:
        items = wanted.get("items")
        if "array" in (_types(given) or ("array",)) and (is_object(items) or items is False):
            yield from self.between(_whole(given.get("items", True)), _whole(items), f"{at}[*]", depth + 1)

    def _object(
        self, given: Mapping[str, object], wanted: Mapping[str, object], at: str, depth: int
    ) -> Iterator[Misfit]:
        if "object" not in (_types(given) or ("object",)) or not wanted.keys() & _OF_OBJECTS:
            return
        had = given.get("required")
        required = wanted.get("required")
        for name in required if is_array(required) else ():
            if not is_array(had) or name not in had:
                yield _misfit("required", at, f"'{name}' is required, and may be missing")
        fields, own = _properties(wanted), _properties(given)
        for name, part in own.items():
            if name in fields:
                yield from self.between(_whole(part), _whole(fields[name]), f"{at}.{name}", depth + 1)
            elif wanted.get("additionalProperties") is False:
                yield _misfit("additionalProperties", at, f"'{name}' may not stand there")


_OF_OBJECTS = frozenset({"properties", "required", "additionalProperties"})


def _part(around: Mapping[str, object], one: object) -> Part:
    """An alternative with what stands beside all of them."""
    beside = {key: value for key, value in around.items() if value is not None}
    return {**beside, **one} if is_object(one) else bool(one)


def _properties(schema: Mapping[str, object]) -> Mapping[str, object]:
    found = schema.get("properties")
    return found if is_object(found) else {}


def _whole(part: object) -> Part:
    return part if is_object(part) else bool(part)


def _types_apart(given: Mapping[str, object], wanted: Mapping[str, object], at: str) -> Iterator[Misfit]:
    allowed = _types(wanted)
    if allowed is None:
        return
    found = _types(given)
    if found is None:
        yield _misfit("type", at, f"must be {_or(allowed)}, and may be anything")
        return
    wrong = [one for one in found if one not in allowed and not (one == "integer" and "number" in allowed)]
    if wrong:
        yield _misfit("type", at, f"must be {_or(allowed)}, and {'may be' if len(found) > 1 else 'is'} {_or(wrong)}")


def _enum(given: Mapping[str, object], wanted: Mapping[str, object], at: str) -> Iterator[Misfit]:
    allowed = _values(wanted) if wanted.keys() & {"enum", "const"} else None
    if allowed is None:
        return
    found = _values(given)
    if found is None:
        yield _misfit("enum", at, f"must be one of {_listed(allowed)}, and may be another value")
        return
    others = [value for value in found if not any(_same(value, one) for one in allowed)]
    if others:
        yield _misfit("enum", at, f"must be one of {_listed(allowed)}, and may be {_listed(others)}")


def _bounds(given: Mapping[str, object], wanted: Mapping[str, object], at: str) -> Iterator[Misfit]:
    for words, below in ((_UPPER, True), (_LOWER, False)):
        for word in words:
            if _concerns(given, _BOUNDED[word[0]]):
                yield from _bound(given, wanted, word, at, below=below)


def _bound(
    given: Mapping[str, object], wanted: Mapping[str, object], words: tuple[str, ...], at: str, *, below: bool
) -> Iterator[Misfit]:
    limit = _limit(wanted, words, below=below)
    if limit is None:
        return
    had = _own_limit(given, words, below=below)
    inside = had is not None and (had <= limit if below else had >= limit)
    if not inside:
        rule = words[-1] if words[-1] in wanted else words[0]
        beyond = "has no such bound" if had is None else f"goes to {had[0]:g}"
        yield _misfit(rule, at, f"must keep {rule} {limit[0]:g}, and {beyond}")


def _limit(schema: Mapping[str, object], words: tuple[str, ...], *, below: bool) -> tuple[float, int] | None:
    """A bound as something that compares: an exclusive one is tighter than one of the same number."""
    found = [
        (value, 0 if word == words[0] else -1 if below else 1)
        for word in words
        if (value := _number(schema.get(word))) is not None
    ]
    if not found:
        return None
    return min(found) if below else max(found)


def _own_limit(schema: Mapping[str, object], words: tuple[str, ...], *, below: bool) -> tuple[float, int] | None:
    values = _values(schema)
    measure = _MEASURES[_BOUNDED[words[0]]]
    if values:
        measured = [(size, 0) for size in map(measure, values) if size is not None]
        return (max if below else min)(measured, default=(0.0, 0))
    return _limit(schema, words, below=below)


def _texts(given: Mapping[str, object], wanted: Mapping[str, object], at: str) -> Iterator[Misfit]:
    if not _concerns(given, "string") or _values(given) is not None:
        return
    for word in ("format", "pattern"):
        if word in wanted and given.get(word) != wanted[word]:
            found = f"has {word} {given[word]}" if word in given else f"has no {word}"
            yield _misfit(word, at, f"must have {word} {_cut(wanted[word])}, and {_cut(found)}")


def _concerns(given: Mapping[str, object], kind: str) -> bool:
    """Whether values of a schema may be of a type."""
    types = _types(given)
    return types is None or kind in types or (kind == "number" and "integer" in types)


def _types(schema: Mapping[str, object]) -> tuple[str, ...] | None:
    """The types that a value may have; None for all of them."""
    said = schema.get("type")
    if isinstance(said, str):
        return (said,)
    if is_array(said):
        return tuple(map(str, said))
    values = _values(schema)
    if values is not None:
        return tuple(dict.fromkeys(map(json_type, values)))
    return None


def _values(schema: Mapping[str, object]) -> list[object] | None:
    """The values that are allowed, where they are listed."""
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    if is_array(listed):
        return listed
    said = schema.get("type")
    return _FEW.get(said) if isinstance(said, str) else None


_FEW: Mapping[str, list[object]] = {"boolean": [True, False], "null": [None]}


def _same(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) is isinstance(other, bool)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _misfit(rule: str, at: str, message: str) -> Misfit:
    return Misfit(rule, f"{at.lstrip('.')}: {message}" if at else message)


def _or(words: "tuple[str, ...] | list[str]") -> str:
    return " or ".join(words)


def _listed(values: list[object]) -> str:
    return _cut(", ".join(str(value) for value in values[:_MOST_LEVELS]))


def _cut(text: object) -> str:
    shown = str(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


_MEASURES: Mapping[str, Callable[[object], float | None]] = {
    "number": _number,
    "string": lambda value: float(len(value)) if isinstance(value, str) else None,
    "array": lambda value: float(len(value)) if is_array(value) else None,
    "object": lambda value: float(len(value)) if is_object(value) else None,
}
