"""Annotations as JSON Schemas."""

import datetime as dt
import sys
from dataclasses import InitVar, dataclass, field
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
)

import annotated_types
import msgspec
import pytest
import typing_extensions

from prowess import InvalidManifestError
from prowess.model.json_value import Json
from tests.unit.authoring.annotations.samples import Age, Bounded, Chosen, Colour, Level, Node, Pair, Person, Point, T
from tests.unit.authoring.round_trip import names_in, read, schema_of, taking, written


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (int | str | None, {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
        (Union[int, Union[str, int]], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Any, {}),
        (int | Any, {}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, "a"], {"enum": [1, "a"]}),
        (Colour, {"type": "string", "enum": ["red", "blue"], "description": "A colour of the rainbow."}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (list, {"type": "array"}),
        (set[int], {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}),
        (set, {"type": "array", "uniqueItems": True}),
        (
            tuple[int, str],
            {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "items": False,
            },
        ),
        (dict, {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (
            dict[Colour, int],
            {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "propertyNames": {"enum": ["red", "blue"], "description": "A colour of the rainbow."},
            },
        ),
        (dt.datetime, {"type": "string", "format": "date-time"}),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (Path, {"type": "string", "format": "path"}),
        (Annotated[str, "what to find"], {"type": "string", "description": "what to find"}),
        (Annotated[str, typing_extensions.Doc("what to find")], {"type": "string", "description": "what to find"}),
        (
            Annotated[str, msgspec.Meta(description="words", title="Query", examples=["rust"])],
            {
                "type": "string",
                "title": "Query",
                "examples": ["rust"],
                "description": "words",
            },
        ),
        (
            Annotated[str, msgspec.Meta(pattern="^a", extra_json_schema={"x-order": 1})],
            {
                "type": "string",
                "pattern": "^a",
                "x-order": 1,
            },
        ),
        (Final[int], {"type": "integer"}),
        (
            Annotated[int, annotated_types.Ge(1), annotated_types.Lt(9)],
            {
                "type": "integer",
                "minimum": 1,
                "exclusiveMaximum": 9,
            },
        ),
        (
            Annotated[float, annotated_types.Gt(0), annotated_types.Le(1), annotated_types.MultipleOf(0.25)],
            {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": 1,
                "multipleOf": 0.25,
            },
        ),
        (Annotated[int, annotated_types.Ge(3), annotated_types.Ge(1)], {"type": "integer", "minimum": 3}),
        (Annotated[Age, annotated_types.Ge(-1)], {"type": "integer", "minimum": 0}),
        (
            Annotated[int, annotated_types.MultipleOf(2), annotated_types.MultipleOf(3), annotated_types.MultipleOf(5)],
            {
                "type": "integer",
                "multipleOf": 2,
                "allOf": [{"multipleOf": 3}, {"multipleOf": 5}],
            },
        ),
        (Annotated[str, annotated_types.Len(1, 5)], {"type": "string", "minLength": 1, "maxLength": 5}),
        (Annotated[str, annotated_types.MinLen(0)], {"type": "string"}),
        (
            Annotated[list[int], annotated_types.MaxLen(3)],
            {
                "type": "array",
                "items": {"type": "integer"},
                "maxItems": 3,
            },
        ),
        (
            Annotated[dict[str, int], annotated_types.MinLen(1)],
            {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "minProperties": 1,
            },
        ),
        (
            Annotated[bytes, annotated_types.MaxLen(4)],
            {
                "type": "string",
                "contentEncoding": "base64",
                "maxLength": 8,
            },
        ),
        (
            Annotated[int | None, annotated_types.Ge(0)],
            {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
        ),
        (T, {}),
        (Bounded, {"type": "integer"}),
        (Chosen, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Json, {}),
    ],
    ids=lambda one: str(one)[:60],
)
def test_an_annotation_has_this_schema(annotation: object, schema: dict[str, object]) -> None:
    """Spec: builtins, Literal, Optional, unions, and Annotated with constraints and descriptions."""
    assert schema_of(annotation) == schema


def test_a_record_is_a_definition_with_its_fields_described() -> None:
    """Spec: nested types; their docstrings tell a model what each field means."""
    schema = schema_of(list[Point])

    assert schema["items"] == {"$ref": "#/$defs/Point"}
    assert schema["$defs"]["Point"] == {
        "type": "object",
        "description": "A place on the plane.",
        "properties": {
            "x": {"type": "integer", "description": "to the right"},
            "y": {"type": "number", "default": 0.5},
        },
        "required": ["x"],
        "additionalProperties": False,
    }


def test_a_recursive_type_refers_to_its_own_definition() -> None:
    """Spec: recursive types."""
    schema = schema_of(Node)

    assert schema["$defs"]["Node"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}


def test_two_types_of_one_name_keep_apart() -> None:
    """Spec: definitions whose names clash are renamed."""
    other = names_in("@dataclass\nclass Point:\n    z: str\n", dataclass=dataclass)["Point"]
    schema = schema_of(Point | other)

    first, second = (item["$ref"].rpartition("/")[2] for item in schema["anyOf"])
    assert first != second
    assert list(schema["$defs"][first]["properties"]) == ["x", "y"]
    assert list(schema["$defs"][second]["properties"]) == ["z"]


def test_an_output_schema_is_open_at_its_root() -> None:
    """Choice: MCP wants `type: object` at the root of an output schema, not a reference to it."""
    schema = taking(Point).output_schema

    assert schema is not None
    assert schema["type"] == "object"
    assert "$defs" not in schema


def test_the_output_schema_of_a_recursive_type_keeps_its_definition() -> None:
    """Choice: what is opened at the root is still referred to from inside."""
    schema: Any = taking(Node).output_schema

    assert schema["type"] == "object"
    assert list(schema["$defs"]) == ["Node"]


def test_a_typed_dictionary_says_which_keys_may_be_missing() -> None:
    """Spec: TypedDict, NotRequired among it; its keys are open, as Python's typing has it."""
    definition = schema_of(Person)["$defs"]["Person"]

    assert definition == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer", "minimum": 0, "description": "in years"},
        },
        "required": ["name"],
    }


def test_a_named_tuple_is_a_list_with_titles() -> None:
    """Choice: msgspec and Pydantic write named tuples as lists, and so does what runs over them."""
    schema = schema_of(Pair)

    assert schema["minItems"] == 1
    assert [item["title"] for item in schema["prefixItems"]] == ["left", "right"]
    assert schema["prefixItems"][0]["description"] == "the first"
    assert read(taking(Pair), [4]) == Pair(4)


def test_what_a_dataclass_takes_and_what_it_holds_may_differ() -> None:
    """Choice: an input is what its constructor takes, an output what it holds."""

    @dataclass
    class Order:
        price: int
        rebate: InitVar[int] = 0
        total: int = field(init=False)

        def __post_init__(self, rebate: int) -> None:
            self.total = self.price - rebate

    entry = taking(Order)

    output: Any = entry.output_schema
    assert list(schema_of(Order)["$defs"]["Order"]["properties"]) == ["price", "rebate"]
    assert list(output["properties"]) == ["price", "total"]
    assert written(entry, read(entry, {"price": 10, "rebate": 3})) == {"price": 10, "total": 7}


def test_a_field_is_described_by_its_metadata() -> None:
    """Choice: dataclass metadata is where many authors write descriptions."""

    @dataclass
    class Query:
        words: str = field(metadata={"description": "what to find"})
        limit: Annotated[int, "how many"] = 10

    properties = schema_of(Query)["$defs"]["Query"]["properties"]

    assert properties["words"] == {"type": "string", "description": "what to find"}
    assert properties["limit"] == {"type": "integer", "description": "how many", "default": 10}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is 3.12's")
def test_aliases_and_generics_in_the_new_syntax_are_types_like_others() -> None:
    """Spec: `type X = ...` where Python has it."""
    names = names_in(
        "type Many[T] = list[T] | None\n"
        "type Deep = list[Deep] | int\n"
        "type Gone = list[Missing]\n"
        "@dataclass\nclass Case[T]:\n    item: 'T'\n",
        dataclass=dataclass,
    )

    assert schema_of(names["Many"][int]) == {
        "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]
    }
    assert schema_of(names["Deep"])["$defs"]["Deep"]["anyOf"][0]["items"] == {"$ref": "#/$defs/Deep"}
    assert read(taking(names["Deep"]), [[1.0], 2]) == [[1], 2]
    assert schema_of(names["Case"][int])["$defs"]["Case_int"]["properties"] == {"item": {"type": "integer"}}
    with pytest.raises(InvalidManifestError, match="Missing"):
        taking(names["Gone"])
