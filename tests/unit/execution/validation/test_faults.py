"""What is told of a schema that its dialect forbids, or that nobody should read."""

import pytest

from prowess.errors import InvalidSchemaError
from prowess.execution.validation.validator import compile_validator
from prowess.model.schema import Schema

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
A_SCHEMA = "expected a schema: an object, true or false"
ITEMS = "expected a schema; since 2020-12 a list of schemas goes into 'prefixItems'"
NAMES = "expected a list of different field names"


def refusal(schema: dict[str, object] | bytes) -> InvalidSchemaError:
    """The error for a schema that cannot be used."""
    with pytest.raises(InvalidSchemaError) as caught:
        compile_validator(Schema(schema) if isinstance(schema, bytes) else Schema.of(schema))
    return caught.value


def told(schema: dict[str, object]) -> list[tuple[str, str]]:
    """Where and why a schema is refused."""
    return [(one.path, one.message) for one in refusal(schema).problems]


@pytest.mark.parametrize(
    ("schema", "path", "message"),
    [
        ({"minimum": "1"}, "$.minimum", "expected a number"),
        ({"maxItems": 1.5}, "$.maxItems", "expected a whole number, 0 or more"),
        ({"multipleOf": 0}, "$.multipleOf", "expected a number above 0"),
        ({"enum": 5}, "$.enum", "expected a list"),
        ({"uniqueItems": "yes"}, "$.uniqueItems", "expected true or false"),
        ({"$ref": 5}, "$['$ref']", "expected text"),
        ({"properties": []}, "$.properties", "expected an object of schemas"),
        ({"properties": {"type": 5}}, "$.properties.type", A_SCHEMA),
        ({"if": 5}, "$.if", A_SCHEMA),
        ({"required": "a"}, "$.required", NAMES),
        ({"dependentRequired": {"a": "b"}}, "$.dependentRequired.a", f"expected for each field {NAMES[9:]}"),
        ({"items": [{}]}, "$.items", ITEMS),
        ({"allOf": []}, "$.allOf", "expected a list of schemas, not empty"),
        ({"deprecated": "soon"}, "$.deprecated", "expected what this dialect of JSON Schema allows"),
        ({"$schema": DRAFT_7, "items": [5]}, "$.items", ITEMS),
        (
            {"$schema": DRAFT_7, "dependencies": {"a": [1]}},
            "$.dependencies.a",
            "expected for each field a schema, or a list of different field names",
        ),
        ({"$ref": "#/x", "x": {"minLength": -1}}, "$.x.minLength", "expected a whole number, 0 or more"),
        ({"pattern": "(?=a)", "maxLength": "2"}, "$.maxLength", "expected a whole number, 0 or more"),
    ],
)
def test_a_fault_is_told_with_its_place_and_what_would_be_right(
    schema: dict[str, object], path: str, message: str
) -> None:
    """Spec: problems of a schema carry a path; also where only a reference leads there, or work is counted."""
    assert told(schema) == [(path, message)]


@pytest.mark.parametrize(
    ("schema", "places"),
    [
        ({"anyOf": [5]}, ["$.anyOf[0]"]),
        ({"allOf": [5, 6, {"type": "x"}]}, ["$.allOf[0]", "$.allOf[1]", "$.allOf[2].type"]),
        ({"required": [1, "a", 2]}, ["$.required[0]", "$.required[2]"]),
        (
            {"type": "x", "properties": {"a": {"minimum": "1"}, "b": 5}},
            ["$.properties.a.minimum", "$.properties.b", "$.type"],
        ),
    ],
)
def test_every_fault_is_told_once_at_its_own_place(schema: dict[str, object], places: list[str]) -> None:
    """Regression: faults were taken out one by one, so that others in the list moved up, or it was told to be empty."""
    assert sorted(path for path, _ in told(schema)) == places


def test_of_very_many_faults_the_first_fifty_are_told_and_the_others_counted() -> None:
    """Choice: nobody reads a thousand."""
    error = refusal({"properties": {f"p{number}": {"type": "x"} for number in range(60)}})
    assert len(error.problems) == 50
    assert "(and 59 more problems)" in str(error)


def test_a_schema_of_one_fault_is_told_without_a_count() -> None:
    """Choice: the sentence of the error is short where it can be."""
    assert str(refusal({"minimum": "1"})) == "invalid schema: $.minimum: expected a number"


def test_an_unknown_dialect_is_told_with_those_that_are_known() -> None:
    """Spec: an unknown `$schema` is refused."""
    ((path, message),) = told({"$schema": "https://json-schema.org/draft/next/schema"})
    assert path == "$['$schema']"
    assert message == (
        "is not known: use one of 'https://json-schema.org/draft/2020-12/schema',"
        " 'https://json-schema.org/draft/2019-09/schema', 'http://json-schema.org/draft-07/schema'"
    )


@pytest.mark.parametrize(
    "uri",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema#",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft-07/schema#",
    ],
)
def test_a_known_dialect_is_taken_in_each_spelling(uri: str) -> None:
    """Choice: people write http and https, with the empty fragment and without."""
    assert compile_validator(Schema.of({"$schema": uri, "type": "integer"})).is_valid(1)


@pytest.mark.parametrize("text", [b"5", b"[]", b"null", b"{", b'"{}"', b'"{\\"minimum\\": \\"x\\"}"'])
def test_what_is_no_json_object_is_no_schema(text: bytes) -> None:
    """Regression: the native validator reads a schema that is a text as JSON, and nobody had surveyed that."""
    (problem,) = refusal(text).problems
    assert problem.message == "a schema is a JSON object, true or false, at most 128 levels deep"


def test_words_that_mean_nothing_in_a_dialect_are_not_faults() -> None:
    """Spec: each dialect has its own keywords."""
    old: dict[str, object] = {"$schema": DRAFT_7, "prefixItems": 5, "unevaluatedItems": 5, "$anchor": 5}
    assert compile_validator(Schema.of(old)).is_valid([1])
    assert compile_validator(Schema.of({"additionalItems": 5})).is_valid([1])


@pytest.mark.parametrize(
    ("keyword", "value"), [("contentEncoding", "?"), ("contentMediaType", "{"), ("format", "no date")]
)
@pytest.mark.parametrize("dialect", [DRAFT_7, "https://json-schema.org/draft/2020-12/schema"])
def test_formats_and_encodings_describe_and_are_not_checked(dialect: str, keyword: str, value: str) -> None:
    """Choice: the same in every dialect; draft 7 read a text once for each such word, which took a minute."""
    kinds = {"contentEncoding": "base64", "contentMediaType": "application/json", "format": "date"}
    validator = compile_validator(Schema.of({"$schema": dialect, keyword: kinds[keyword]}))
    assert validator.problems(value) == ()
