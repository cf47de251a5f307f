from __future__ import annotations

import pytest

from prowess.skillmd.document import Severity
from prowess.skillmd.profiles.checking import check
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.fixing import fix
from prowess.skillmd.writing.repairs import REPAIRS
from tests.unit.skillmd.samples import DESCRIPTION, FOLDER, NAME, front, skill


def fixed(
    text: str | bytes, folder: str | None = FOLDER, profiles: str = "agentskills"
) -> tuple[str | bytes, list[str]]:
    """What became of a text, and the codes of what was repaired; bytes for bytes."""
    data = text.encode() if isinstance(text, str) else text
    result = fix(data, folder, profiles)
    again = fix(result.data, folder, profiles)
    assert (again.data, again.repaired) == (result.data, ())
    return result.data.decode() if isinstance(text, str) else result.data, [one.code for one in result.repaired]


def description(value: str) -> str:
    """A skill whose description is written so, with something behind it."""
    return front(f"name: pdf-tools\ndescription: {value}\nlicense: MIT  # ours\n")


@pytest.mark.behaviour("skillmd.fix")
@pytest.mark.parametrize(
    ("value", "becomes", "codes"),
    [
        ("a: b", '"a: b"', ["frontmatter-quotes"]),
        ('a "b": c', "'a \"b\": c'", ["frontmatter-quotes"]),
        ("a: b\n  c: d", '"a: b\n  c: d"', ["frontmatter-quotes"]),
        ("> a: b", '"a: b"', ["frontmatter-quotes"]),
        ("'  d '", "'d'", ["description-space"]),
        ('"\\td\\n"', '"d"', ["description-space"]),
        ('" a\n  b "', '"a\n  b"', ["description-space"]),
        ("2024-01-05", '"2024-01-05"', ["value-unquoted"]),
        ("a\tb", "a\tb", []),
        ("a # b", "a # b", []),
        ("[a, b]", "[a, b]", []),
        ("&a ' d '", "&a ' d '", []),
        (f"{'d' * 1_025}", f"{'d' * 1_025}", []),
    ],
)
def test_a_description_is_repaired_and_nothing_else(value: str, becomes: str, codes: list[str]) -> None:
    """Spec: touches nothing else, byte for byte."""
    assert fixed(description(value)) == (description(becomes), codes)


@pytest.mark.behaviour("skillmd.fix")
@pytest.mark.parametrize(
    ("lines", "becomes", "codes"),
    [
        ("version: 1.10\n", 'version: "1.10"\n', ["version-unquoted"]),
        ("metadata: {version: 1.0}\n", 'metadata: {version: "1.0"}\n', ["version-unquoted"]),
        ("metadata:\n  version: 2\n  a: 1.5\n", 'metadata:\n  version: "2"\n  a: 1.5\n', ["version-unquoted"]),
        ("version: &v 1.0\n", "version: &v 1.0\n", []),
        ("allowed-tools: Read, Bash(a, b)\n", "allowed-tools: Read Bash(a, b)\n", ["tools-form"]),
        ("allowed-tools: [Read, 'Bash(a *)']\n", "allowed-tools: Read Bash(a *)\n", ["tools-form"]),
        ("allowed-tools:\n  - Read\n  - Bash(x:*)\n", 'allowed-tools: "Read Bash(x:*)"\n', ["tools-form"]),
        ("allowed-tools:\n- Read\nmodel: x\n", "allowed-tools: Read\nmodel: x\n", ["tools-form"]),
        ("allowed-tools: []\n", 'allowed-tools: ""\n', ["tools-form"]),
        ("allowed-tools: Read Read Edit\n", "allowed-tools: Read Edit\n", ["tools-duplicate"]),
        ("disallowed-tools: [a, a]\n", "disallowed-tools: a\n", ["tools-duplicate"]),
        ("allowed-tools: [Azure MCP/x, Read]\n", "allowed-tools: [Azure MCP/x, Read]\n", []),
        ("allowed-tools:\n  # why\n  - Read\n", "allowed-tools:\n  # why\n  - Read\n", []),
        ("allowed-tools: [Read, [Edit]]\n", "allowed-tools: [Read, [Edit]]\n", []),
        ("allowed-tools: {a: b}\n", "allowed-tools: {a: b}\n", []),
        ("allowed_tools: Read\n", "allowed-tools: Read\n", ["field-spelling"]),
        ("'Allowed Tools': Read\n", "'Allowed Tools': Read\n", []),
        ("model: x\nmodel: x\nmodel: x\n", "model: x\n", ["field-duplicate", "field-duplicate"]),
        ("model: x\nmodel: y\n", "model: x\nmodel: y\n", []),
        ("? [a]\n: b\nmodel: x\nmodel: x\n", "? [a]\n: b\nmodel: x\n", ["field-duplicate"]),
        ("metadata:\n  - a\n  b: c\nversion: 1.0\n", "metadata:\n  - a\n  b: c\nversion: 1.0\n", []),
        ("metadata:\n  - a\n  b: c\nallowed-tools: a, b\n", "metadata:\n  - a\n  b: c\nallowed-tools: a, b\n", []),
        ("allowed-tools: >\n  a,\n  b\nmodel: x\n", "allowed-tools: a b\nmodel: x\n", ["tools-form"]),
        ("model: x\nmodel: x # why\n", "model: x\nmodel: x # why\n", []),
        ("a: {model: x, model: x}\n", "a: {model: x, model: x}\n", []),
        ("metadata:\n\ta: b\n\tc:\td\n", "metadata:\n  a: b\n  c:\td\n", ["frontmatter-tab", "frontmatter-tab"]),
        ("model:x\nlicense:MIT\n", "model: x\nlicense: MIT\n", ["frontmatter-layout", "frontmatter-layout"]),
        ("license: a\x00b\n", "license: a b\n", ["file-control"]),
        ("metadata:\n  - a\n  b: c\nx: @y\n", 'metadata:\n  - a\n  b: c\nx: "@y"\n', ["frontmatter-quotes"]),
        ("license: &foo bar\n", 'license: "&foo bar"\n', ["yaml-anchor"]),
        ("license: !foo bar\n", 'license: "!foo bar"\n', ["yaml-tag"]),
        ("license: &foo !bar baz\n", 'license: "&foo !bar baz"\n', ["yaml-tag", "yaml-anchor"]),
        ("license: !!str bar\n", "license: !!str bar\n", []),
        ("user-invocable: maybe\n", "user-invocable: maybe\n", []),
        ("compatibility: ''\n", "compatibility: ''\n", []),
    ],
)
def test_fields_are_repaired_where_nothing_is_guessed(lines: str, becomes: str, codes: list[str]) -> None:
    """Spec: repairs what can be repaired."""
    assert fixed(skill(lines)) == (skill(becomes), codes)


@pytest.mark.parametrize(
    ("lines", "folder", "becomes", "codes"),
    [
        ("", "pdf-tools", "name: pdf-tools\n", ["name-missing"]),
        ("name:\n", "pdf-tools", "name: pdf-tools\n", ["name-missing"]),
        ("name: \n", "pdf-tools", None, ["name-missing"]),
        ("name: ''\n", "pdf-tools", "name: pdf-tools\n", ["name-missing"]),
        ("", "2024", 'name: "2024"\n', ["name-missing"]),
        ("", "PDF Tools", "", []),
        ("", None, "", []),
        ("name: PDF Tools\n", "pdf-tools", "name: pdf-tools\n", ["name-grammar"]),
        ("name: 'PDF_tools'\n", "pdf-tools", "name: 'PDF_tools'\n", []),
        ("name: PDF Tools\n", "other", "name: PDF Tools\n", []),
        ("name: PDF Tools\n", None, "name: PDF Tools\n", []),
        ("name: [PDF]\n", "pdf", "name: [PDF]\n", []),
        ("name: other\n", "pdf-tools", "name: other\n", []),
        ("Name: PDF Tools\n", "pdf-tools", "name: pdf-tools\n", ["field-spelling", "name-grammar"]),
    ],
)
def test_a_name_is_repaired_where_it_can_only_be_the_folders(
    lines: str, folder: str | None, becomes: str | None, codes: list[str]
) -> None:
    """Spec: missing name, name grammar where safe."""
    text, repaired = fixed(front(f"{lines}description: d\n"), folder)
    assert repaired == codes
    if becomes is not None:
        assert text == front(f"{becomes}description: d\n")


def crlf(text: str) -> str:
    """A text with the line ends of Windows."""
    return text.replace("\n", "\r\n")


NEARLY = skill().replace("---\n#", "----  \n#")


@pytest.mark.behaviour("skillmd.fix")
@pytest.mark.parametrize(
    ("text", "becomes", "codes"),
    [
        ("\ufeff" + skill(), skill(), ["file-mark"]),
        (crlf(skill()), None, []),
        (skill().replace("\n", "\r\n", 2), skill(), ["file-line-ends"]),
        (skill().replace("\n", "\r\n", 4), crlf(skill()), ["file-line-ends"]),
        (skill().replace("\n", "\r"), skill(), ["file-returns"]),
        (f"\n\r\n{skill()}", skill(), ["file-line-ends", "frontmatter-late"]),
        (f"--{skill()}", skill(), ["frontmatter-delimiter"]),
        (f"<!-- made -->\n{skill()}", None, []),
        (f"\n# Title\n{skill()}", None, []),
        (NEARLY, skill(), ["frontmatter-delimiter"]),
        (f"---\n{NAME}{DESCRIPTION}...", f"---\n{NAME}{DESCRIPTION}---", ["frontmatter-delimiter"]),
        (crlf(skill("version: 1.0\n")), crlf(skill('version: "1.0"\n')), ["version-unquoted"]),
        (crlf(front("description: d\n")), crlf(front("name: pdf-tools\ndescription: d\n")), ["name-missing"]),
        ("---\r", "---\n", ["file-returns"]),
        ("", None, []),
        ("# text\n", None, []),
        (front('{description: "d"}\n'), None, []),
    ],
)
def test_the_form_of_a_file_is_repaired(text: str, becomes: str | None, codes: list[str]) -> None:
    """Spec: BOM, CRLF only if mixed."""
    assert fixed(text) == (text if becomes is None else becomes, codes)


VERSION = skill('x: caf\xe9\nversion: "1.0"\n').encode("latin-1")


@pytest.mark.behaviour("skillmd.fix")
@pytest.mark.parametrize(
    ("data", "becomes", "codes"),
    [
        (skill().encode("utf-16"), skill().encode(), ["file-encoding"]),
        (skill().encode("utf-16") + b"x", None, []),
        (skill("x: caf\xe9\n").encode("latin-1"), None, []),
        (skill("x: caf\xe9: y\n").encode("latin-1"), None, []),
        (skill(body="caf\xe9: \x00\n").encode("latin-1"), None, []),
        (VERSION.replace(b'"', b""), VERSION, ["version-unquoted"]),
    ],
)
def test_bytes_that_are_no_text_are_kept(data: bytes, becomes: bytes | None, codes: list[str]) -> None:
    """Spec: touches nothing else, byte for byte."""
    assert fixed(data) == (data if becomes is None else becomes, codes)


def test_a_repair_is_one_of_the_profiles() -> None:
    """Spec: `fix(data, folder, profiles)`."""
    text = skill("allowed-tools: Read, Edit\n")
    assert fixed(text, profiles="claude") == (text, [])
    text = skill("allowed-tools: [Read]\n")
    assert fixed(text, profiles="adk") == (skill("allowed-tools: Read\n"), ["tools-form"])
    text = skill().replace("---\nname", "--- \nname")
    assert fixed(text, profiles="gemini") == (skill(), ["frontmatter-delimiter"])


def test_what_was_repaired_is_told_as_it_was_found() -> None:
    """Choice: the place is that of the file before."""
    result = fix(skill("x: a: b\ny: c: d\nversion: 1.0\n").encode(), FOLDER)
    assert [(one.code, one.line) for one in result.repaired] == [
        ("frontmatter-quotes", 4),
        ("frontmatter-quotes", 5),
        ("version-unquoted", 6),
    ]
    left = check(read_skill(result.data, FOLDER), "agentskills", FOLDER)
    assert {one.severity for one in left} == {Severity.WARNING}
    assert not {one.code for one in left} & set(REPAIRS)
