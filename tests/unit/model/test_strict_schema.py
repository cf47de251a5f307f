from __future__ import annotations

import pytest

from prowess.model.schema import NO_INPUTS
from prowess.model.strict_schema import StrictRules, StrictSchema, strict_schema

ALL_REQUIRED = StrictRules(
    keywords=frozenset({"minimum", "format", "pattern", "minItems"}),
    formats=frozenset({"date"}),
    optional=False,
    recursion=True,
    most_nested=3,
    most_properties=6,
    most_enum_values=4,
)
SOME_OPTIONAL = StrictRules(
    keywords=frozenset({"default", "minItems"}),
    formats=frozenset(),
    optional=True,
    recursion=False,
    most_items_required=1,
)
RULES = pytest.mark.parametrize("rules", [ALL_REQUIRED, SOME_OPTIONAL], ids=["all-required", "some-optional"])


def field(schema: object, rules: StrictRules = ALL_REQUIRED) -> object:
    """What strict mode makes of one required field."""
    made = strict_schema({"properties": {"a": schema}, "required": ["a"]}, rules)
    assert made.problems == ()
    assert made.schema is not None
    properties = made.schema["properties"]
    assert isinstance(properties, dict)
    return properties["a"]


def problems(schema: dict[str, object], rules: StrictRules = ALL_REQUIRED) -> list[tuple[str, str]]:
    """Where and why strict mode does not take a schema."""
    made = strict_schema(schema, rules)
    assert made.schema is None
    return [(problem.path, problem.rule) for problem in made.problems]


def test_every_object_is_closed_and_every_property_required() -> None:
    """Spec: additionalProperties false everywhere, all properties required, optional ones may be null."""
    schema: dict[str, object] = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"properties": {"c": {"type": "integer"}}}},
        "required": ["a"],
    }
    assert strict_schema(schema, ALL_REQUIRED).schema == {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"c": {"type": ["integer", "null"]}},
                        "required": ["c"],
                        "additionalProperties": False,
                    },
                    {"type": "null"},
                ]
            },
        },
        "required": ["a", "b"],
        "additionalProperties": False,
    }


def test_where_properties_may_be_left_out_they_still_may() -> None:
    """Choice: Anthropic's strict mode takes optional properties, and counts them."""
    made = strict_schema({"properties": {"a": {"type": "string"}, "b": {"enum": [1, "x"]}}}, SOME_OPTIONAL)
    assert made.schema is not None
    assert made.schema["required"] == []
    assert (made.optional, made.unions) == (2, 1)


def test_an_entry_without_inputs_is_strict() -> None:
    """Choice: an object that is closed already needs no properties."""
    assert strict_schema(NO_INPUTS.value(), ALL_REQUIRED).schema == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        (
            {"type": "string", "minLength": 2, "description": "A word"},
            {"type": "string", "description": "A word (minLength: 2)"},
        ),
        (
            {"type": "integer", "minimum": 1, "maximum": 9},
            {"type": "integer", "minimum": 1, "description": "maximum: 9"},
        ),
        (
            {"type": "string", "default": "x", "title": "T"},
            {"type": "string", "title": "T", "description": 'default: "x"'},
        ),
        ({"type": "string", "default": None, "description": 3}, {"type": "string"}),
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"type": "string", "format": "uri"}, {"type": "string", "description": 'format: "uri"'}),
        ({"type": "string", "format": []}, {"type": "string", "description": "format: []"}),
        ({"type": "string", "pattern": "^(?:a|b)+$"}, {"type": "string", "pattern": "^(?:a|b)+$"}),
        ({"type": "string", "pattern": "(?=a)"}, {"type": "string", "description": 'pattern: "(?=a)"'}),
        ({"items": {"type": "null"}, "minItems": 3}, {"type": "array", "items": {"type": "null"}, "minItems": 3}),
        ({"type": "boolean", "examples": [True], "$comment": "x"}, {"type": "boolean"}),
        ({"const": 1}, {"type": "integer", "enum": [1]}),
        ({"const": None}, {"type": "null"}),
        (
            {"enum": ["a", "b"], "type": "string", "default": "a"},
            {"type": "string", "enum": ["a", "b"], "description": 'default: "a"'},
        ),
        (
            {"enum": ["a", 1, True, 1.5]},
            {
                "anyOf": [
                    {"type": "string", "enum": ["a"]},
                    {"type": "integer", "enum": [1]},
                    {"type": "boolean", "enum": [True]},
                    {"type": "number", "enum": [1.5]},
                ]
            },
        ),
        (
            {"type": ["string", "null"], "minLength": 1},
            {"anyOf": [{"type": "string", "description": "minLength: 1"}, {"type": "null"}]},
        ),
        (
            {"oneOf": [{"minLength": 1}, {"type": "null"}], "type": "string", "description": "d"},
            {"anyOf": [{"type": "string", "description": "minLength: 1"}], "description": "d"},
        ),
        ({"allOf": [{"type": "string"}], "description": "d"}, {"type": "string", "description": "d"}),
        (
            {"type": "integer", "enum": [1, "a", 2.0, 2.5]},
            {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "number", "enum": [2.0]}]},
        ),
        ({"allOf": [{"const": 1}, {"type": "number"}]}, {"type": "integer", "enum": [1]}),
        ({"enum": [1, True, "a"], "const": 1}, {"type": "integer", "enum": [1]}),
        (
            {"enum": ["a", "bb"], "minLength": 2, "default": "bb"},
            {"type": "string", "enum": ["a", "bb"], "description": 'minLength: 2, default: "bb"'},
        ),
        (
            {"oneOf": [{"type": "string"}, {"enum": [1, 2]}, {"anyOf": [{"type": "null"}, {"type": "boolean"}]}]},
            {
                "anyOf": [
                    {"type": "string"},
                    {"type": "integer", "enum": [1, 2]},
                    {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
                ]
            },
        ),
        ({"allOf": [{"type": ["number", "string"]}, {"type": ["integer", "null"]}]}, {"type": "integer"}),
    ],
)
def test_what_strict_mode_cannot_hold_is_told_instead(schema: object, made: object) -> None:
    """Spec: unsupported keywords removed; a model still reads what they said."""
    assert field(schema) == made


def test_a_provider_may_take_few_required_items_only() -> None:
    """Choice: Anthropic takes `minItems` of 0 and 1."""
    assert field({"type": "array", "items": {"type": "string"}, "minItems": 1}, SOME_OPTIONAL) == {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
    }
    assert field({"type": "array", "items": {"type": "string"}, "minItems": 2}, SOME_OPTIONAL) == {
        "type": "array",
        "items": {"type": "string"},
        "description": "minItems: 2",
    }


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": "null"}, {"type": "null"}),
        ({"enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a", None]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
        (
            {"enum": ["a", 1]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}, {"type": "null"}]},
        ),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (
            {"type": "array", "items": {"type": "string"}, "description": "d"},
            {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}], "description": "d"},
        ),
    ],
)
def test_an_optional_property_takes_null_and_takes_it_once(schema: object, made: object) -> None:
    """Spec: null-able optional properties."""
    found = strict_schema({"properties": {"a": schema}}, ALL_REQUIRED).schema
    assert found is not None
    assert found["properties"] == {"a": made}


@RULES
@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "object"}, ("$", "properties")),
        ({"properties": {"a": {"type": "object"}}}, ("$.properties.a", "properties")),
        ({"properties": {}, "additionalProperties": {"type": "string"}}, ("$", "additionalProperties")),
        ({"properties": {"a": {"type": "string"}}, "additionalProperties": True}, ("$", "additionalProperties")),
        ({"properties": {"a": {"type": "string"}}, "required": ["b"]}, ("$", "required")),
        ({"properties": {"a": {}}}, ("$.properties.a", "type")),
        ({"properties": {"a": True}}, ("$.properties.a", "type")),
        ({"properties": {"a": {"type": "strange"}}}, ("$.properties.a", "type")),
        ({"properties": {"a": {"type": [{}]}}}, ("$.properties.a", "type")),
        ({"properties": {"a": {"type": "array"}}}, ("$.properties.a.items", "type")),
        ({"properties": {"a": {"enum": [{}]}}}, ("$.properties.a", "enum")),
        ({"properties": {"a": {"enum": []}}}, ("$.properties.a", "enum")),
        ({"properties": {"a": {"enum": "x"}}}, ("$.properties.a", "enum")),
        ({"properties": {"a": {"type": "string", "allOf": [True]}}}, ("$.properties.a", "allOf")),
        (
            {"properties": {"a": {"type": "array", "items": {"type": "null"}, "prefixItems": [{}]}}},
            ("$.properties.a", "prefixItems"),
        ),
        (
            {"properties": {"a": {"properties": {}, "patternProperties": {}, "additionalProperties": False}}},
            ("$.properties.a", "patternProperties"),
        ),
        ({"properties": {"a": {"anyOf": [{"type": "string"}, {}]}}}, ("$.properties.a.anyOf[1]", "type")),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, ("$.properties.a", "$ref")),
        ({"properties": {"a": {"$ref": 3}}}, ("$.properties.a", "$ref")),
        *(
            ({"properties": {"a": {"type": "string", rule: value}}}, ("$.properties.a", rule))
            for rule, value in (
                *(("not", {"const": "x"}), ("if", {}), ("dependentRequired", {}), ("dependentSchemas", {})),
                *(("propertyNames", {}), ("contains", {}), ("unevaluatedItems", False), ("dependencies", {})),
            )
        ),
        *(
            ({"properties": {}, "additionalProperties": False, key: [{}]}, ("$", key))
            for key in ("anyOf", "oneOf", "enum")
        ),
        ({"properties": {"a": {"enum": ["a"], "anyOf": [{}]}}}, ("$.properties.a", "anyOf")),
        ({"properties": {"a": {"type": "integer", "enum": ["a"]}}}, ("$.properties.a", "enum")),
        ({"properties": {"a": {"type": "integer", "anyOf": [{"type": "string"}]}}}, ("$.properties.a", "anyOf")),
        (
            {"properties": {"a": {"minLength": 1, "anyOf": [{"type": "string", "minLength": 2}]}}},
            ("$.properties.a.anyOf[0]", "minLength"),
        ),
        (
            {"properties": {"a": {"minLength": 1, "anyOf": [{"$ref": "#/$defs/x"}]}}},
            ("$.properties.a.anyOf[0]", "$ref"),
        ),
        ({"properties": {"a": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}}, ("$.properties.a", "oneOf")),
        ({"properties": {"a": {"allOf": [{"enum": [1]}, {"enum": [2]}]}}}, ("$.properties.a", "allOf")),
        ({"properties": {"a": {"allOf": [{"type": "string"}, {"type": "null"}]}}}, ("$.properties.a", "allOf")),
        (
            {
                "properties": {
                    "a": {
                        "allOf": [
                            {"properties": {"b": {"type": "null"}}, "additionalProperties": False},
                            {"properties": {"c": {"type": "null"}}},
                        ]
                    }
                }
            },
            ("$.properties.a", "allOf"),
        ),
    ],
)
def test_what_strict_mode_would_change_the_meaning_of_is_a_problem(
    rules: StrictRules, schema: dict[str, object], found: tuple[str, str]
) -> None:
    """Spec: a report tells which tools could not be made strict and why."""
    assert problems(schema, rules) == [found]


def tagged(*values: object, **more: object) -> list[object]:
    """Objects that a constant tells apart, the first of them by its word for it."""
    return [
        {"type": "object", "properties": {"kind": {"const": value}, "n": {"type": "integer"}}, **more}
        for value in values
    ]


def test_members_that_a_constant_tells_apart_have_to_name_it() -> None:
    """Choice: Pydantic does not require tags that have a default, and without its tag a value could fit two members."""
    made = str(field({"oneOf": tagged("a", "b"), "discriminator": {"propertyName": "kind"}}, SOME_OPTIONAL))
    assert made.count("'required': ['kind']") == 2
    assert str(field({"oneOf": [*tagged("a", "b"), {"type": "null"}]}, SOME_OPTIONAL)).count("['kind']") == 2
    assert problems({"properties": {"a": {"oneOf": tagged("a", "a")}}}, SOME_OPTIONAL) == [("$.properties.a", "oneOf")]


def test_every_problem_is_told_not_the_first() -> None:
    """Choice: an author mends a tool in one go."""
    schema: dict[str, object] = {"properties": {"a": {}, "b": {"type": "object"}}, "additionalProperties": True}
    assert [path for path, _ in problems(schema)] == ["$", "$.properties.a", "$.properties.b"]


def test_a_schema_too_large_for_a_provider_is_a_problem() -> None:
    """Spec: OpenAI documents limits on properties, enumerations and nesting."""
    wide: dict[str, object] = {"properties": {str(number): {"type": "string"} for number in range(7)}}
    listed: dict[str, object] = {"properties": {"a": {"enum": list(range(5))}}}
    deep: dict[str, object] = {"type": "string"}
    for _ in range(4):
        deep = {"properties": {"properties": deep}}
    assert [problems(schema) for schema in (wide, listed, deep)] == [
        [("$", "properties")],
        [("$", "enum")],
        [("$", "depth")],
    ]
    for schema in (wide, listed, deep):
        assert strict_schema(schema, SOME_OPTIONAL).schema is not None


def test_a_tower_of_schemas_is_not_climbed_to_its_top() -> None:
    """Choice: bounded before Python's own stack is."""
    deep: dict[str, object] = {"type": "string"}
    for _ in range(100):
        deep = {"type": "array", "items": deep}
    assert [rule for _, rule in problems({"properties": {"a": deep}})] == ["depth"]


def test_a_recursive_schema_keeps_its_definitions_where_they_are_taken() -> None:
    """Spec: OpenAI takes recursion; each definition is made strict too, and unused ones are left out."""
    node: dict[str, object] = {
        "properties": {
            "next": {"$ref": "#/$defs/a node"},
            "root": {"$ref": "#"},
            "old": {"$ref": "#/definitions/a node"},
        }
    }
    schema: dict[str, object] = {
        "properties": {"top": {"$ref": "#/$defs/a node", "description": "told"}},
        "required": ["top"],
        "$defs": {"a node": node, "unused": {}},
        "definitions": {"a node": {"type": "string"}},
    }
    made = strict_schema(schema, ALL_REQUIRED).schema
    assert made is not None
    assert made["properties"] == {"top": {"anyOf": [{"$ref": "#/$defs/a_node"}], "description": "told"}}
    assert made["$defs"] == {
        "a_node": {
            "type": "object",
            "properties": {
                "next": {"anyOf": [{"$ref": "#/$defs/a_node"}, {"type": "null"}]},
                "root": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
                "old": {"anyOf": [{"$ref": "#/$defs/a_node_"}, {"type": "null"}]},
            },
            "required": ["next", "root", "old"],
            "additionalProperties": False,
        },
        "a_node_": {"type": "string"},
    }
    assert problems(schema, SOME_OPTIONAL) == [("$.properties.top", "$ref")]


def test_a_reference_to_a_place_outside_the_definitions_is_a_problem() -> None:
    """Choice: a place may look different once it is strict."""
    schema: dict[str, object] = {"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}}
    assert problems(schema) == [("$.properties.b", "$ref")]


def test_a_strict_schema_is_a_value() -> None:
    """Choice: what was made is told with its costs."""
    assert StrictSchema(schema=None) == StrictSchema(schema=None, problems=(), optional=0, unions=0)


def test_a_member_that_takes_anything_is_told() -> None:
    """Spec: what cannot be made strict is reported."""
    made = strict_schema({"properties": {"a": {"anyOf": [True, {"type": "string"}]}}, "required": ["a"]}, ALL_REQUIRED)
    assert made.problems != ()
