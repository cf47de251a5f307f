from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.skillmd.document import Severity
from prowess.skillmd.writing.fixing import fix
from tests.unit.skillmd.samples import codes, document, front, read, skill

if TYPE_CHECKING:
    from prowess.model.json_value import Json


@pytest.mark.behaviour("skillmd.mended")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Use for X: a, b", "Use for X: a, b"),
        ("Use for X: a\n  and Y: b", "Use for X: a and Y: b"),
        ("Does x.\n\n  Keywords: a, b", "Does x.\nKeywords: a, b"),
        ('"a" and "b": c', '"a" and "b": c'),
        ('"say "hi" there"', 'say "hi" there'),
        ("'don't: do'", "don't: do"),
        ('"never closed', "never closed"),
        ("'never closed", "never closed"),
        ('"', ""),
        ("*Bold* text", "*Bold* text"),
        ("[Beta] Does x", "[Beta] Does x"),
        ("{a} b", "{a} b"),
        ("@ada does x", "@ada does x"),
        ("`x` does y", "`x` does y"),
        ("%x: y", "%x: y"),
        ("> Use when: x", "Use when: x"),
        ("| Use when: x", "Use when: x"),
        ("|\nText at the left", "Text at the left"),
        (">-\nText at the left\nand more", "Text at the left and more"),
        ("C:\\new: a", "C:\\new: a"),
        ('It\'s "so": a', 'It\'s "so": a'),
        ("a: b # c", "a: b # c"),
        ("- a: b: c", "- a: b: c"),
    ],
)
def test_a_value_that_is_no_yaml_is_read_as_if_in_quotes(value: str, text: str) -> None:
    """Spec: unquoted colons repaired by quoting, with a warning."""
    reading = read(skill(f"license: {value}\n"))
    assert reading.document is not None
    assert reading.document.description == "Reads PDF files."
    assert (reading.document.license or "").strip() == text
    assert codes(reading) == ["frontmatter-quotes"]
    assert reading.problems[0].severity is Severity.WARNING
    assert reading.problems[0].field == "license"


@pytest.mark.behaviour("skillmd.mended")
def test_the_fields_around_it_keep_their_lines() -> None:
    """Choice: a problem that points to the wrong line helps nobody."""
    reading = read(skill("license: a: b\n  and more\nversion: 1.0\nextra: c: d\n"))
    assert [(problem.code, problem.line) for problem in reading.problems] == [
        ("frontmatter-quotes", 4),
        ("version-unquoted", 6),
        ("frontmatter-quotes", 7),
    ]


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("metadata:\n  a: b: c\n  d: e\n", {"a": "b: c", "d": "e"}),
        ("metadata:\n  a: 'b' c\n  d: @e\n  f:\n    - g: h: i\n", {"a": "'b' c", "d": "@e", "f": [{"g": "h: i"}]}),
        ("metadata:\n  list:\n    - @a\n    - b\n", {"list": ["@a", "b"]}),
        ("metadata:\n\ta: b\n\tc: d\n", {"a": "b", "c": "d"}),
        ("metadata:\n \ta: b\n", {"a": "b"}),
        ("metadata:\n  a: b\r\n  c: d: e\r\n", {"a": "b", "c": "d: e"}),
    ],
)
def test_values_inside_a_field_are_mended_one_by_one(lines: str, value: Json) -> None:
    """Choice: what is sound beside it stays."""
    assert document(skill(lines)).metadata == value


@pytest.mark.parametrize(
    "lines",
    [
        "metadata:\n  - a\n  b: c\n",
        "metadata:\n  a: [b\n  c\n d: e\n - f\n",
        "metadata:\n" + "".join(f"  k{n}: @a\n" for n in range(60)),
    ],
)
def test_a_field_that_cannot_be_mended_is_passed_over(lines: str) -> None:
    """Choice: one bad field does not hide the others."""
    reading = read(skill(f"{lines}license: MIT\n"))
    assert reading.document is not None
    assert reading.document.license == "MIT"
    assert "field-unreadable" in codes(reading)
    assert "metadata" not in [field.name for field in reading.document.fields]


def test_fields_without_a_space_are_read_as_if_they_had_one() -> None:
    """Choice: their meaning is plain."""
    reading = read(front("name:pdf-tools\ndescription:Reads: PDF\n"))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads: PDF")
    assert codes(reading) == ["frontmatter-layout", "frontmatter-layout", "frontmatter-quotes"]


def test_a_field_that_is_indented_by_mistake_is_read_as_one() -> None:
    """Choice: as above."""
    reading = read(front("name: pdf-tools\n description: Reads.\n license: MIT\n"))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads.")
    assert reading.document.license == "MIT"
    assert codes(reading) == ["frontmatter-layout"]


def test_a_front_matter_that_is_indented_as_a_whole_is_mended_too() -> None:
    """Choice: where fields begin is where the first of them does."""
    found = document(front("  # first\n  name: pdf-tools\n  description: a: b\n  license: MIT\n"))
    assert (found.name, found.description, found.license) == ("pdf-tools", "a: b", "MIT")


def test_control_characters_are_read_as_spaces() -> None:
    """Spec: control characters."""
    reading = read(skill("license: a\x00b\x07c\ufeffd\n").encode())
    assert reading.document is not None
    assert reading.document.license == "a b c d"
    assert [(problem.code, problem.line, problem.column) for problem in reading.problems] == [("file-control", 4, 11)]


def test_too_many_broken_fields_are_too_many() -> None:
    """Choice: mending tries things, and what tries things needs a bound."""
    reading = read(skill("x: @y\n" * 400))
    assert reading.document is None
    assert codes(reading) == ["frontmatter-yaml"]


def test_a_name_in_braces_is_the_text_of_a_template() -> None:
    """Choice: templates are kept among skills."""
    found = document(front("name: {{name}}\ndescription: {{ description }}\n"))
    assert (found.name, found.description) == ("{{name}}", "{{ description }}")


@pytest.mark.behaviour("skillmd.characters")
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("name:\u00a0pdf-tools\ndescription:\u00a0Reads.\n", [(2, 6), (3, 13)]),
        ("name: pdf-tools\ndescription:\u00a0 Reads.\n", [(3, 13)]),
        ("name:\u3000pdf-tools\ndescription: Reads.\n", [(2, 6)]),
        ("name\uff1apdf-tools\ndescription\uff1a Reads.\n", [(2, 5), (3, 12)]),
        ("name: pdf-tools\ndescription\uff1aReads.\n", [(3, 12)]),
        ("name\u200b\uff1a pdf-tools\ndescription: Reads.\n", [(2, 5), (2, 6)]),
        ("\u00a0name: pdf-tools\n\u00a0description: Reads.\n", [(2, 1), (3, 1)]),
        ("\ufeffname: pdf-tools\ndescription: Reads.\n", [(2, 1)]),
        ("name: pdf-tools\n\ufeffdescription: Reads.\n", [(3, 1)]),
        ("\u200bname: pdf-tools\n\u200bdescription: Reads.\n", [(2, 1), (3, 1)]),
    ],
)
def test_characters_that_look_like_others_are_named_and_repaired(fields: str, found: list[tuple[int, int]]) -> None:
    """Regression: such a front matter was not loadable, and the message did not name the character."""
    reading = read(front(fields))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads.")
    assert [(one.code, one.severity) for one in reading.problems] == [
        ("frontmatter-character", Severity.WARNING) for _ in found
    ]
    assert [(one.line, one.column) for one in reading.problems] == found
    assert all("U+" in one.message for one in reading.problems)
    fixed = read(fix(front(fields).encode(), "pdf-tools").data)
    assert fixed.problems == ()
    assert fixed.document is not None
    assert fixed.document.description == "Reads."


@pytest.mark.behaviour("skillmd.characters")
def test_nested_values_are_mended_where_a_space_is_none() -> None:
    """Regression: the metadata was lost, and the message did not name the character."""
    for lines in ("metadata:\n\u00a0\u00a0a: b\n\u00a0\u00a0c: d\n", "metadata:\n  a: b\n  c:\u00a0d\n"):
        reading = read(skill(lines))
        assert reading.document is not None
        assert reading.document.metadata == {"a": "b", "c": "d"}
        assert set(codes(reading)) == {"frontmatter-character"}


def test_characters_inside_a_text_stay() -> None:
    """Choice: only where YAML wants a space or a colon is one meant."""
    reading = read(skill("license: a\u00a0b\uff1a c\nmetadata:\n  a: |\n    \u00a0x:\u00a0y\n"))
    assert reading.document is not None
    assert reading.document.license == "a\u00a0b\uff1a c"
    assert reading.document.metadata == {"a": "\u00a0x:\u00a0y\n"}
    assert codes(reading) == []


def test_the_name_of_a_field_is_shown_with_what_nobody_sees() -> None:
    """Choice: a message that shows the same word twice helps nobody."""
    reading = read(front("name\u200b: pdf-tools\n\u201cdescription\u201d: Reads.\n"))
    assert reading.document is not None
    assert codes(reading) == ["field-spelling", "field-spelling"]
    assert "'name<U+200B>'" in reading.problems[0].message


@pytest.mark.behaviour("skillmd.fields-meant")
@pytest.mark.parametrize(
    "fields",
    [
        "**name**: pdf-tools\n**description**: Reads.\n",
        "**name:** pdf-tools\n**description:** Reads.\n",
        "- name: pdf-tools\n- description: Reads.\n",
        "- name: pdf-tools\n  description: Reads.\n",
        "* name: pdf-tools\n* description: Reads.\n",
        'name = "pdf-tools"\ndescription = "Reads."\n',
        "name=pdf-tools\ndescription=Reads.\nother = x\n",
        " name: pdf-tools\ndescription: Reads.\n",
        "  name: pdf-tools\n  license: MIT\ndescription: Reads.\n",
    ],
)
def test_fields_that_are_written_otherwise_are_read_as_fields(fields: str) -> None:
    """Choice: lists, bold names and TOML are not YAML with fields, and their meaning is plain."""
    reading = read(front(fields))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads.")
    assert set(codes(reading)) == {"frontmatter-layout"}
    assert read(fix(front(fields).encode(), "pdf-tools").data).problems == ()


def test_a_field_that_is_spelled_otherwise_may_be_written_otherwise_too() -> None:
    """Choice: as above, with a warning for each."""
    reading = read(front("- Name: pdf-tools\n- Description\uff1aReads.\n"))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads.")
    assert sorted(set(codes(reading))) == ["field-spelling", "frontmatter-character", "frontmatter-layout"]


@pytest.mark.behaviour("skillmd.fields-meant")
@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ("This is a skill\nname: pdf-tools\ndescription: Reads.\n", [2]),
        ("<!-- x -->\nname: pdf-tools\ndescription: Reads.\n", [2]),
        ("name: pdf-tools\n<!-- x -->\ndescription: Reads.\n", [3]),
        ("name: pdf-tools\nSome text\ndescription: Reads.\n", [3]),
        ("```yaml\nname: pdf-tools\ndescription: Reads.\n```\n", [2, 5]),
        ("name: pdf-tools\ndescription: Reads.\n<!-- x -->\nlicense: MIT\n", [4]),
        ("<<<<<<< HEAD\nname: pdf-tools\n=======\n>>>>>>> other\ndescription: Reads.\n", [2, 4, 5]),
    ],
)
def test_lines_that_are_no_fields_are_passed_over(fields: str, lines: list[int]) -> None:
    """Choice: a line of text beside the fields must not hide them, nor become a part of the name."""
    reading = read(front(fields))
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == ("pdf-tools", "Reads.")
    assert [(one.code, one.line) for one in reading.problems] == [("frontmatter-text", line) for line in lines]
    assert fix(front(fields).encode(), "pdf-tools").data == front(fields).encode()


@pytest.mark.parametrize(
    ("fields", "description"),
    [
        ("description:\nReads PDF files\nand more\n", "Reads PDF files and more"),
        ("description:\n- a\nb\n", "- a b"),
        ("inputs:\n- name: a\n  description: b\ndescription: c: d\n", "c: d"),
    ],
)
def test_a_text_below_its_field_is_its_value(fields: str, description: str) -> None:
    """Choice: a field for text, with text below it."""
    assert document(front(f"name: pdf-tools\n{fields}")).description == description


def test_the_end_of_a_front_matter_with_tables_of_toml_is_passed_over() -> None:
    """Choice: what cannot be read does not hide what can."""
    reading = read('+++\nname = "pdf-tools"\ndescription = "Reads."\n[more]\na = 1\n+++\n')
    assert reading.document is not None
    assert reading.document.name == "pdf-tools"
