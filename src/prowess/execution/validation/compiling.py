"""A surveyed schema given to the native validator, or every fault for which that refuses it."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from jsonschema_rs import ValidationError, ValidationErrorKind

from prowess.errors import InvalidSchemaError, Problem
from prowess.execution.validation.dialects import Native
from prowess.execution.validation.patterns import ANY_PATTERN
from prowess.execution.validation.survey import Survey
from prowess.model.json_value import Json, json_path

__all__ = ["PROBLEMS_LIMIT", "compile_counting", "compile_native", "refusal"]

PROBLEMS_LIMIT = 50
"""How many problems of one schema or value are told."""

_REPETITIONS = 8  # the latest dialects' own schema is made of so many, and each tells of a wrong subschema
_NUMBER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNT = [end + counted for end in ("min", "max") for counted in ("Length", "Items", "Properties", "Contains")]
_SCHEMAS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_EXPECTED = {
    "type": "a type (string, integer, number, boolean, object, array, null), or a list of different ones",
    "required": "a list of different field names",
    "enum": "a list",
    "multipleOf": "a number above 0",
    "uniqueItems": "true or false",
    "items": "a schema; since 2020-12 a list of schemas goes into 'prefixItems'",
    "dependentRequired": "for each field a list of different field names",
    "dependencies": "for each field a schema, or a list of different field names",
    **dict.fromkeys(_NUMBER, "a number"),
    **dict.fromkeys(_COUNT, "a whole number, 0 or more"),
    **dict.fromkeys(_SCHEMAS, "an object of schemas"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "a list of schemas, not empty"),
    **dict.fromkeys(("title", "description", "$comment", "format", "pattern", "$ref", "$anchor"), "text"),
}


def compile_native(found: Survey) -> Callable[[object], bool]:
    """Whether a value fits the schema, as a native function; raises `InvalidSchemaError` with every problem."""
    schema = found.root
    if isinstance(schema, dict) and "$id" in schema:  # it could only give references another base
        schema = {keyword: value for keyword, value in schema.items() if keyword != "$id"}
    try:
        return found.dialect.compile(schema).is_valid
    except ValidationError:
        raise refusal(_faults(found)) from None


def compile_counting(found: Survey, twin: dict[str, Json], keywords: Mapping[str, Native]) -> Callable[[object], bool]:
    """The same for a twin of the schema with keywords of our own; what is wrong is told of the schema itself."""
    try:
        return found.dialect.compile(twin, ANY_PATTERN, keywords).is_valid
    except ValidationError:
        raise refusal(_faults(found)) from None


def refusal(problems: Sequence[Problem]) -> InvalidSchemaError:
    """The error for a schema that cannot be used, with at least one problem."""
    more = f" (and {len(problems) - 1} more problems)" if len(problems) > 1 else ""
    return InvalidSchemaError(f"{problems[0]}{more}", details={"problems": tuple(problems[:PROBLEMS_LIMIT])})


# ---------------------------------------------------------------------------------------------------------------------


def _faults(found: Survey) -> list[Problem]:
    """What the dialect forbids: first what the native validator stumbles over, then all that its own schema tells."""
    errors: list[ValidationError] = []
    try:
        found.dialect.compile(found.root, ANY_PATTERN)
    except ValidationError as error:
        errors.append(error)
    rules = found.dialect.compile({"$ref": found.dialect.name})
    errors += islice(rules.iter_errors(found.root), _REPETITIONS * PROBLEMS_LIMIT)
    return list(dict.fromkeys(map(_fault, errors)))


def _fault(error: ValidationError) -> Problem:
    path = error.instance_path
    word = next((str(part) for part in reversed(path) if part in _EXPECTED), "schema")
    kind = error.kind
    if isinstance(kind, ValidationErrorKind.Type) and kind.types == ["boolean", "object"] and path[-1:] != ["items"]:
        return Problem(path=json_path(path), rule="schema", message="expected a schema: an object, true or false")
    expected = _EXPECTED.get(word, "what this dialect of JSON Schema allows")
    return Problem(path=json_path(path), rule=word, message=f"expected {expected}")
