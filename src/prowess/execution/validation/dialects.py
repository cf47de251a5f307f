"""The versions of JSON Schema that we take: which keywords mean something in them, and what stands inside those."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
from jsonschema_rs import (
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
    FancyRegexOptions,
    RegexOptions,
    Validator,
)

from prowess.execution.validation.patterns import ORDINARY
from prowess.execution.validation.sizes import is_large
from prowess.model.json_value import Json, is_array, is_object

if TYPE_CHECKING:
    from jsonschema_rs import KeywordValidator

__all__ = [
    "DIALECTS",
    "FIELD",
    "FIELDS",
    "GROUPS",
    "HERE",
    "ITEM",
    "ITEMS",
    "LATEST",
    "UNEVALUATED",
    "Dialect",
    "Keywords",
    "Native",
    "dialect_of",
    "elements",
    "inner",
    "members",
]

Keywords: TypeAlias = dict[str, Json]
Native: TypeAlias = Callable[..., object]
"""A keyword that we check in the native validator's place: a class, made for each place where it stands."""

HERE, FIELD, FIELDS, ITEM, ITEMS = range(5)
"""Where a keyword applies: to this very value, to one child or the other, to any child besides."""

GROUPS = {
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"), HERE),
    **dict.fromkeys(("properties", "additionalProperties"), FIELD),
    **dict.fromkeys(("patternProperties", "propertyNames", "unevaluatedProperties"), FIELDS),
    **dict.fromkeys(("prefixItems", "items", "additionalItems"), ITEM),
    **dict.fromkeys(("contains", "unevaluatedItems"), ITEMS),
}
"""Every keyword that holds subschemas which values are checked against."""

UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"})
_HOLDERS = GROUPS.keys() | {"contentSchema"}  # which checks nothing, but a reference may name what is in it


class Dialect(msgspec.Struct, frozen=True, eq=False):
    """One version of JSON Schema: its name, who compiles it, and which of the words above mean nothing in it."""

    name: str
    compiler: type[Validator]
    ignored: frozenset[str]
    reference_alone: bool = False
    """Whether `$ref` silences the keywords beside it."""
    own: Mapping[str, Native] = {}
    """Keywords that we check in the native validator's place."""

    def keywords(self, schema: Keywords) -> Keywords:
        """The keywords of a subschema that have a meaning."""
        if self.reference_alone and "$ref" in schema:
            return {"$ref": schema["$ref"]}
        if self.ignored.isdisjoint(schema):
            return schema
        return {keyword: value for keyword, value in schema.items() if keyword not in self.ignored}

    def compile(
        self,
        schema: Json,
        patterns: RegexOptions | FancyRegexOptions = ORDINARY,
        keywords: Mapping[str, Native] | None = None,
    ) -> Validator:
        """The native validator of a schema, with keywords of our own; raises `ValueError`. Formats describe only."""
        return self.compiler(
            schema,  # type: ignore[arg-type]
            offline=True,
            validate_formats=False,
            pattern_options=patterns,
            keywords=cast("dict[str, type[KeywordValidator]]", {**self.own, **(keywords or {})}),
        )


class _Unique:
    """`uniqueItems`: the native validator would compare every two integers that are too large to differ as floats."""

    def __init__(self, _schema: object, asked: object, _path: list[str | int]) -> None:
        self._asked = asked

    def validate(self, value: object) -> None:
        if self._asked and is_array(value) and _repeats(value):
            raise ValueError


class _Described:
    """A keyword that other dialects only describe values with; here it is no more than that either, like a format."""

    def __init__(self, _schema: object, _value: object, _path: list[str | int]) -> None: ...

    def validate(self, _value: object) -> None: ...


def _bare(uri: str) -> str:
    """A dialect's name as far as it matters: some write `https`, some end with `#`."""
    return uri.rpartition("://")[2].rstrip("#")


_OWN: Mapping[str, Native] = {"uniqueItems": _Unique}

LATEST = Dialect(
    "https://json-schema.org/draft/2020-12/schema",
    Draft202012Validator,
    frozenset({"additionalItems"}),
    own=_OWN,
)
_DRAFT_2019 = Dialect(
    "https://json-schema.org/draft/2019-09/schema",
    Draft201909Validator,
    frozenset({"prefixItems", "$dynamicAnchor"}),
    own=_OWN,
)
_DRAFT_7 = Dialect(
    "http://json-schema.org/draft-07/schema",
    Draft7Validator,
    frozenset({"prefixItems", "dependentSchemas", "dependentRequired", "minContains", "maxContains", *UNEVALUATED})
    | {"$anchor", "$dynamicAnchor", "contentSchema"},
    reference_alone=True,
    own={**_OWN, "contentEncoding": _Described, "contentMediaType": _Described},
)
DIALECTS = (LATEST, _DRAFT_2019, _DRAFT_7)
_BY_NAME = {_bare(dialect.name): dialect for dialect in DIALECTS}


def dialect_of(schema: Json, default: Dialect = LATEST) -> Dialect | None:
    """The dialect that a schema names, the default where it names none; None where nobody knows it."""
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    return default if uri is None else _BY_NAME.get(_bare(str(uri)))


def members(schema: Json, keyword: str) -> Keywords:
    """The object that a keyword holds, an empty one where it holds none."""
    value = schema.get(keyword) if isinstance(schema, dict) else None
    return value if isinstance(value, dict) else {}


def elements(schema: Json, keyword: str) -> list[Json]:
    """The list that a keyword holds, an empty one where it holds none."""
    value = schema.get(keyword) if isinstance(schema, dict) else None
    return value if isinstance(value, list) else []


def inner(keywords: Keywords) -> Iterator[tuple[str, str | int | None, Json]]:
    """Each subschema right inside a schema: its keyword, its name or number there, and itself."""
    for keyword, value in keywords.items():
        if keyword in _MAPS:
            named = members(keywords, keyword).items()
            yield from ((keyword, name, one) for name, one in named if not isinstance(one, list))
        elif keyword in _HOLDERS and isinstance(value, list):
            yield from ((keyword, number, one) for number, one in enumerate(value))
        elif keyword in _HOLDERS:
            yield keyword, None, value


# ---------------------------------------------------------------------------------------------------------------------


def _repeats(items: list[object]) -> bool:
    """Whether two items are equal, by their text where they are more than text or small integers."""
    kinds = set(map(type, items))
    integers = [one for one in items if type(one) is int] if kinds == {int} else []
    if kinds == {str} or (integers and not is_large(min(integers)) and not is_large(max(integers))):
        return len(set(items)) < len(items)
    return len({msgspec.json.encode(_without_floats(one), order="sorted") for one in items}) < len(items)


def _without_floats(value: object) -> object:
    """The same value with whole numbers as integers, since 1.0 is 1."""
    if is_array(value):
        return [_without_floats(one) for one in value]
    if is_object(value):
        return {name: _without_floats(one) for name, one in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value
