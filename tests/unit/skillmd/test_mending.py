from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prowess.skillmd.document import Severity
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
