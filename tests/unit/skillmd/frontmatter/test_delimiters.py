from __future__ import annotations

import time

import pytest

from prowess.skillmd.document import Severity
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.fixing import fix
from tests.unit.skillmd.samples import BODY, DESCRIPTION, FOLDER, NAME, codes, document, read, skill

FIELDS = f"{NAME}{DESCRIPTION}"
SOUND = skill()


@pytest.mark.behaviour("skillmd.characters")
@pytest.mark.parametrize(
    ("text", "character", "line", "column"),
    [
        (f"\u200b---\n{FIELDS}---\n{BODY}", "U+200B ZERO WIDTH SPACE", 1, 1),
        (f"\u00a0---\n{FIELDS}---\n{BODY}", "U+00A0 NO-BREAK SPACE", 1, 1),
        (f"\x00---\n{FIELDS}---\n{BODY}", "U+0000", 1, 1),
        (f"---\u200b\n{FIELDS}---\n{BODY}", "U+200B ZERO WIDTH SPACE", 1, 4),
        (f"---\n{FIELDS}---\u3000\n{BODY}", "U+3000 IDEOGRAPHIC SPACE", 4, 4),
        (f"---\n{FIELDS}---\u3000", "U+3000 IDEOGRAPHIC SPACE", 4, 4),
        (f"---\n{FIELDS}\u200b---\n{BODY}", "U+200B ZERO WIDTH SPACE", 4, 1),
        (f"---\n{FIELDS}\ufeff---\n{BODY}", "U+FEFF ZERO WIDTH NO-BREAK SPACE", 4, 1),
    ],
)
def test_a_character_beside_the_dashes_is_named_and_passed_over(
    text: str, character: str, line: int, column: int
) -> None:
    """Regression: the file was not loadable, and the message did not say why."""
    reading = read(text)
    assert reading.document is not None
    assert reading.document.description == "Reads PDF files."
    assert [(one.code, one.severity, one.line, one.column) for one in reading.problems] == [
        ("frontmatter-character", Severity.WARNING, line, column)
    ]
    assert character in reading.problems[0].message
    fixed = fix(text.encode(), FOLDER)
    assert fixed.data.decode() == (SOUND if BODY in text else SOUND.removesuffix(f"\n{BODY}"))


def test_the_marks_of_several_files_in_one_are_removed_together() -> None:
    """Regression: a file that was joined with others has a byte order mark twice, and was not loadable."""
    for text in (f"\ufeff\ufeff{SOUND}", f"\ufeff\n\ufeff{SOUND}", f"\ufeff\u200b{SOUND}"):
        assert document(text).description == "Reads PDF files."
        assert fix(text.encode(), FOLDER).data.decode() == SOUND


def test_a_mark_before_the_dashes_is_named_as_what_it_is() -> None:
    """Choice: what cannot be read names the character, where one is to blame."""
    reading = read("\u2014\u2014 -\nname of it\n")
    assert [(one.code, one.column) for one in reading.problems] == [("frontmatter-missing", 1)]
    assert "U+2014 EM DASH" in reading.problems[0].message


@pytest.mark.behaviour("skillmd.delimiters-meant")
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("  ---", "  ---"),
        ("  ---", "---"),
        ("\t---", "\t---"),
        ("\u2014\u2014\u2014", "\u2014\u2014\u2014"),
        ("\u2014-", "\u2014-"),
        ("\u2014", "\u2014"),
        ("\uff0d\uff0d\uff0d", "---"),
        ("---", "\u2014"),
        ("---", "--- # ends"),
        ("***", "***"),
        ("\\---", "\\---"),
        ("\\-\\-\\-", "\\-\\-\\-"),
        ("+++", "+++"),
        ("--", "--"),
        (";;;", ";;;"),
        ("-----", "-----"),
        ("---yaml", "---"),
        ("--- # what it is", "---"),
    ],
)
def test_what_is_meant_to_be_a_delimiter_is_one(opening: str, closing: str) -> None:
    """Choice: above a name or a description, what was meant is plain."""
    text = f"{opening}\n{FIELDS}{closing}\n{BODY}"
    reading = read(text)
    assert reading.document is not None
    assert (reading.document.name, reading.document.description) == (FOLDER, "Reads PDF files.")
    assert reading.document.body == BODY
    lines = [line for line, found in ((1, opening), (4, closing)) if found != "---"]
    assert [(one.code, one.line) for one in reading.problems] == [("frontmatter-delimiter", line) for line in lines]
    assert fix(text.encode(), FOLDER).data.decode() == SOUND


@pytest.mark.behaviour("skillmd.delimiters-meant")
@pytest.mark.parametrize(
    "text",
    [
        f"***\nText that is\n***\n{BODY}",
        f"+++\nfoo = 1\n+++\n{BODY}",
        f"{NAME}{DESCRIPTION}\n{BODY}",
        f'{{\n"name": "x", "description": "y"\n\n{BODY}',
        f"```yaml\n{NAME}{DESCRIPTION}\n{BODY}",
        f"Text\n\n---\n{FIELDS}---\n{BODY}",
    ],
)
def test_what_may_be_anything_is_no_front_matter(text: str) -> None:
    """Spec: no front matter is not loadable."""
    assert codes(read(text)) == ["frontmatter-missing"]


@pytest.mark.parametrize(
    ("text", "code"), [(f"***\n{FIELDS}{BODY}", "frontmatter-unclosed"), ("---\n---\ntext", "frontmatter-empty")]
)
def test_what_does_not_end_or_has_nothing_is_told(text: str, code: str) -> None:
    """Choice: where fields end and text begins would be a guess."""
    reading = read(text)
    assert reading.document is None
    assert code in codes(reading)


@pytest.mark.parametrize(
    ("text", "found", "becomes"),
    [
        (f"{FIELDS}---\n{BODY}", ["frontmatter-unopened"], SOUND),
        (f"\n{FIELDS}---\n{BODY}", ["frontmatter-unopened"], f"\n{SOUND}"),
        (
            f'{{\n"name": "pdf-tools",\n"description": "Reads."\n}}\n{BODY}',
            ["frontmatter-unopened"],
            f'---\n{{\n"name": "pdf-tools",\n"description": "Reads."\n}}\n---\n{BODY}',
        ),
        (
            '{\n"name": "pdf-tools",\n"description": "Reads."\n}',
            ["frontmatter-unopened", "body-empty"],
            '---\n{\n"name": "pdf-tools",\n"description": "Reads."\n}\n---',
        ),
        (f"---\n---\n{FIELDS}---\n{BODY}", ["frontmatter-late"], SOUND),
        (f"\n\u200b\n---\n{FIELDS}---\n{BODY}", ["frontmatter-late"], SOUND),
        (f"\n***\n{FIELDS}***\n{BODY}", ["frontmatter-late", "frontmatter-delimiter", "frontmatter-delimiter"], SOUND),
    ],
)
def test_a_front_matter_that_begins_otherwise_is_read_and_repaired(text: str, found: list[str], becomes: str) -> None:
    """Choice: one line --- is a damaged front matter, and JSON in braces says where it ends."""
    reading = read(text)
    assert reading.document is not None
    assert codes(reading) == [code for code in found if code != "body-empty"]
    fixed = fix(text.encode(), FOLDER).data
    assert fixed.decode().lstrip() == becomes.lstrip()
    assert fix(fixed, FOLDER).data == fixed


@pytest.mark.parametrize(
    "above",
    ["<!-- x -->\n", "<!--\n", "# T\n\n", "## T\n", "// x\n", "#!/bin/x\n", "%YAML 1.2\n", "```markdown\n", "\u00a0\n"],
)
def test_comments_headings_and_fences_may_stand_above(above: str) -> None:
    """Choice: generators put them there, and what follows is plain."""
    reading = read(f"{above}{SOUND}")
    assert reading.document is not None
    assert codes(reading) == ["frontmatter-late"]


def test_fields_in_a_block_of_code_are_a_front_matter() -> None:
    """Choice: what begins the file and names a skill is meant to be read."""
    reading = read(f"```yaml\n{FIELDS}```\n{BODY}")
    assert reading.document is not None
    assert reading.document.body == BODY
    assert codes(reading) == ["frontmatter-delimiter", "frontmatter-delimiter"]


@pytest.mark.behaviour("skillmd.never-raises")
@pytest.mark.parametrize(
    "unit",
    [
        " ",
        "\n",
        "\u00a0",
        "\u2014",
        "-",
        "- ",
        "*",
        "`",
        "<!--",
        "<!-- -->",
        "\x0b",
        "---\n",
        "\u200b---\n",
        "#",
        "{",
        "_",
    ],
)
def test_no_run_of_characters_takes_long(unit: str) -> None:
    """Spec: bounded time; each of these is in a pattern that looks for what is like a delimiter."""
    many = unit * (200_000 // len(unit))
    started = time.process_time()
    for text in (many, f"---\n{many}", f"---\nname: x\n{many}", f"---\nname: x\n{many}\n---\n", f"{many}x: y\n---\n"):
        read_skill(text.encode(), FOLDER)
    assert time.process_time() - started < 20
