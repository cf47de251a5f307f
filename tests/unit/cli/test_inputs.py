"""What `key=value` pairs come to, by what a schema says."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from prowess.cli.inputs import InputsError, parse_pairs, parse_value, read_document

ADDRESS = {"type": "object", "properties": {"street": {"type": "string"}, "zip": {"type": "integer"}}}
SHIP: dict[str, object] = {
    "type": "object",
    "properties": {
        "to": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]},
        "items": {"type": "array", "items": {"type": "string"}},
        "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        "a.b": {"type": "boolean"},
        "colour": {"$ref": "#/$defs/Colour"},
        "note": {"type": "string"},
        "anything": {},
    },
    "additionalProperties": False,
    "$defs": {"Address": {**ADDRESS, "additionalProperties": False}, "Colour": {"enum": ["red", "blue"]}},
}
UNION = {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "array"}, {"type": "string"}, {"type": "null"}]}
MIXED = {"type": ["number", "boolean", "object", "null"]}


def told(*pairs: str, schema: Mapping[str, object] = SHIP) -> list[str]:
    """Give the problems of pairs."""
    with pytest.raises(InputsError) as caught:
        parse_pairs(list(pairs), schema)
    return str(caught.value).splitlines()


@pytest.mark.behaviour("commands.run-values")
@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "10", "10"),
        ({"type": "string"}, "null", "null"),
        ({"type": "string"}, " a ", " a "),
        ({"type": "string"}, "", ""),
        ({"type": "integer"}, "10", 10),
        ({"type": "integer"}, "-10", -10),
        ({"type": "integer"}, "+10", 10),
        ({"type": "integer"}, " 7 ", 7),
        ({"type": "integer"}, "9" * 400, int("9" * 400)),
        ({"type": "number"}, "2.5", 2.5),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "number"}, "3", 3),
        *(({"type": "boolean"}, text, True) for text in ("true", "Yes", "ON", "1")),
        *(({"type": "boolean"}, text, False) for text in ("false", "No", "off", "0")),
        ({"type": "null"}, "null", None),
        ({"type": "array", "items": {"type": "integer"}}, "1, 2", [1, 2]),
        ({"type": "array"}, "", []),
        ({"type": "array"}, ' ["a", 1]', ["a", 1]),
        ({"type": "array"}, "a,1", ["a", 1]),
        ({"type": "object"}, ' {"a": 1} ', {"a": 1}),
        ({}, '{"a": 1}', {"a": 1}),
        ({}, "{a", "{a"),
        (True, "1.5", 1.5),
        ({"enum": ["1", "2"]}, "1", "1"),
        ({"enum": [1, 2]}, "1", 1),
        ({"const": True}, "true", True),
        ({"const": None}, "null", None),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "10", "10"),
        (UNION, "10", 10),
        (UNION, "true", True),
        (UNION, "yes", "yes"),
        (UNION, "[1]", [1]),
        (UNION, "a,b", "a,b"),
        (UNION, "null", None),
        (MIXED, "1", 1),
        (MIXED, "yes", True),
        (MIXED, '{"a": [1]}', {"a": [1]}),
        (
            {"oneOf": [{"type": "number"}, {"type": "string"}]},
            "\N{ARABIC-INDIC DIGIT THREE}",
            "\N{ARABIC-INDIC DIGIT THREE}",
        ),
    ],
)
def test_a_text_is_read_as_the_schema_says(schema: object, text: str, value: object) -> None:
    """Spec: text stays text; of several types the first that fits."""
    read = parse_value(text, schema, {})
    assert (read, type(read)) == (value, type(value))


@pytest.mark.behaviour("commands.run-values")
@pytest.mark.parametrize(
    ("schema", "text", "problem"),
    [
        ({"type": "integer"}, "1.5", "expected whole number, got '1.5'"),
        ({"type": "integer"}, "--5", "expected whole number, got '--5'"),
        ({"type": "integer"}, "1_000", "expected whole number, got '1_000'"),
        ({"type": "integer"}, "9" * 2_000, f"expected whole number, got '{'9' * 60}…'"),
        ({"type": "number", "minimum": 0}, "many", "expected number from 0, got 'many'"),
        *(
            ({"type": "number"}, text, f"expected number, got '{text}'")
            for text in ("nan", "1e999", "1_0.0", "Infinity")
        ),
        ({"type": "boolean"}, "maybe", "expected true or false, got 'maybe'"),
        ({"type": "null"}, "", "expected null, got ''"),
        ({"type": "object"}, "a", "expected object as JSON, got 'a'"),
        ({"type": "array", "items": {"type": "object"}}, "a,b", "expected object as JSON, got 'a'"),
        ({"type": "array", "items": {"type": "integer"}}, "1,x", "expected whole number, got 'x'"),
        ({"type": "strng"}, "a", "expected strng, got 'a'"),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "1", "expected text and whole number, got '1'"),
    ],
)
def test_a_text_that_does_not_fit_is_told_with_what_would(schema: object, text: str, problem: str) -> None:
    """Spec: an error says what would be right."""
    with pytest.raises(InputsError) as caught:
        parse_value(text, schema, {})
    assert str(caught.value) == problem


@pytest.mark.parametrize("text", ["[1,", '{"a": 1, "a": 2}'])
def test_json_that_is_broken_is_told_as_such(text: str) -> None:
    """Spec: what begins as JSON is JSON, read as strictly as elsewhere."""
    with pytest.raises(InputsError, match=r"not JSON|stands twice"):
        parse_value(text, {"type": ["array", "object"]}, {})


@pytest.mark.parametrize("schema", [{}, {"type": "string"}, {"type": "array"}])
def test_an_argument_that_is_no_text_is_told(schema: object) -> None:
    """Regression: bytes that are not UTF-8 in an argument were a mistake of ours."""
    with pytest.raises(InputsError, match="this is not UTF-8 text"):
        parse_value(b"caf\xe9".decode(errors="surrogateescape"), schema, {})


@pytest.mark.behaviour("commands.run-fields")
@pytest.mark.parametrize(
    ("pairs", "inputs"),
    [
        (("to.street=Elm 1", "to.zip=8000"), {"to": {"street": "Elm 1", "zip": 8000}}),
        (('to={"street": "Elm 1"}', "to.zip=8000"), {"to": {"street": "Elm 1", "zip": 8000}}),
        (("to=null",), {"to": None}),
        (("items=a,b", "items=c"), {"items": ["a", "b", "c"]}),
        (("counts.apples=3", "counts.a.b=4"), {"counts": {"apples": 3, "a.b": 4}}),
        (("a.b=yes",), {"a.b": True}),
        (("colour=red",), {"colour": "red"}),
        (("anything.x=1",), {"anything": {"x": 1}}),
        (("note==",), {"note": "="}),
    ],
)
def test_a_field_is_set_where_its_key_leads(pairs: tuple[str, ...], inputs: dict[str, object]) -> None:
    """Spec: `a.b=1` sets a field of an object, and a list grows with each pair."""
    assert parse_pairs(list(pairs), SHIP) == inputs


def test_pairs_go_over_what_was_given_and_leave_it_as_it_was() -> None:
    """Spec: pairs go over the document."""
    given: dict[str, object] = {"to": {"street": "Elm 1", "zip": 1}, "items": ["a"], "note": "n"}
    assert parse_pairs(["to.zip=2", "items=b"], SHIP, given) == {
        "to": {"street": "Elm 1", "zip": 2},
        "items": ["b"],
        "note": "n",
    }
    assert given["to"] == {"street": "Elm 1", "zip": 1}


@pytest.mark.behaviour("commands.run-fields")
def test_a_schema_that_is_a_reference_has_the_fields_it_refers_to() -> None:
    """Regression: of such a schema no field was known, so that every value was guessed."""
    schema = {"$ref": "#/$defs/Whole", "$defs": {"Whole": {"type": "object", "properties": {"n": {"type": "string"}}}}}
    assert parse_pairs(["n=10", "more=10"], schema) == {"n": "10", "more": 10}
    assert told("10", schema=schema) == ["'10' is no input: write key=value, perhaps n='10'"]


@pytest.mark.parametrize(
    ("pair", "problem"),
    [
        ("nte=x", "there is no input 'nte', did you mean 'note'?"),
        ("zzz=x", "there is no input 'zzz': it takes to, items, counts, a.b, colour, note, anything"),
        ("to.stret=x", "there is no input 'to.stret', did you mean 'street'?"),
        ("to.street.name=x", "there is no input 'to.street.name': 'to.street' takes text"),
        ("items.0.sku=a", "there is no input 'items.0.sku': 'items' takes list of text: write items='[...]', as JSON"),
        ("colour.x=1", "there is no input 'colour.x': 'colour' takes one of red, blue"),
        ("counts.a=x", "counts.a: expected whole number, got 'x'"),
        ("rust", "'rust' is no input: write key=value"),
        ("=x", "'=x' is no input: write key=value"),
        ("@=x", "'@=x' is no input: write key=value"),
        ("note@=nowhere.txt", "note: nowhere.txt: No such file or directory"),
    ],
)
def test_a_key_or_value_that_does_not_fit_is_told(pair: str, problem: str) -> None:
    """Spec: an error says what would be right."""
    assert told(pair) == [problem]


def test_every_problem_is_told_at_once() -> None:
    """Spec: all problems of an input are reported together."""
    assert told("to.zip=x", "note=a", "note=b", "zip=1") == [
        "to.zip: expected whole number, got 'x'",
        "note: is given twice, and takes one value",
        "there is no input 'zip': it takes to, items, counts, a.b, colour, note, anything",
    ]
    assert told("a=1", schema={"additionalProperties": False}) == ["there is no input 'a': it takes no inputs"]


def test_a_files_text_is_an_input_and_must_be_text(tmp_path: Path) -> None:
    """Spec: `key@=file` takes what the file holds."""
    file = tmp_path / "note.txt"
    file.write_text("10\n", encoding="utf-8")
    assert parse_pairs([f"note@={file}", f"anything@={file}"], SHIP) == {"note": "10\n", "anything": 10}
    file.write_bytes(b"caf\xe9")
    assert told(f"note@={file}") == [f"note: {file} is not UTF-8 text"]


@pytest.mark.behaviour("commands.bad-documents")
def test_a_document_that_cannot_be_read_is_told_once_by_its_name(tmp_path: Path) -> None:
    """Regression: the name of a missing document stood twice in its complaint."""
    with pytest.raises(InputsError) as caught:
        read_document(str(tmp_path / "nowhere.json"))
    assert str(caught.value) == f"{tmp_path}/nowhere.json: No such file or directory"
