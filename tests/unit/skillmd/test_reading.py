from __future__ import annotations

import pytest

from prowess.skillmd.document import Field, Severity
from prowess.skillmd.reading import read_skill
from tests.unit.skillmd.samples import BODY, FOLDER, codes, document, front, read, skill


@pytest.mark.behaviour("skillmd.two-answers")
def test_one_reading_gives_the_document_and_the_problems() -> None:
    """Spec: one parser, two answers in one pass."""
    reading = read(skill("license: MIT\nversion: 1.10\n"))
    assert reading.name == FOLDER
    assert reading.document is not None
    assert reading.document.name == "pdf-tools"
    assert reading.document.description == "Reads PDF files."
    assert reading.document.license == "MIT"
    assert reading.document.body == BODY
    assert [(problem.code, problem.severity, problem.line, problem.column) for problem in reading.problems] == [
        ("version-unquoted", Severity.WARNING, 5, 10)
    ]
    assert reading.source == skill("license: MIT\nversion: 1.10\n").encode()


@pytest.mark.behaviour("skillmd.real-files")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xef\xbb\xbf" + skill().encode(), "file-mark"),
        (skill().replace("\n", "\r").encode(), "file-returns"),
        (skill().replace("\n", "\r\n", 2).encode(), "file-line-ends"),
        (skill().replace("\n", "\r\n", 4).encode(), "file-line-ends"),
        (skill().encode("utf-16"), "file-encoding"),
        (b"\xfe\xff" + skill().encode("utf-16-be"), "file-encoding"),
        (skill("license: caf\xe9\n").encode("latin-1"), "file-encoding"),
        (skill(body="caf\xe9\n").encode("latin-1"), "file-encoding"),
        (f"\n \n{skill()}".encode(), "frontmatter-late"),
        (f"<!-- made\n--- by -->\n\n<!-- x -->{skill()}".encode(), "frontmatter-late"),
        (f"````skill\n{skill()}````\n".encode(), "frontmatter-late"),
        (f"# PDF tools\n\n{skill()}".encode(), "frontmatter-late"),
        (skill("license: a\x01b\n").encode(), "file-control"),
        (skill("metadata:\n\tx: y\n").encode(), "frontmatter-tab"),
        (skill("metadata:\n  x:\ty\n").encode(), None),
        (skill().replace("\n", "\r\n").encode(), None),
        (skill(body="a\rb\n").encode(), None),
        (skill().replace("\n", "\r\n").encode("utf-16"), "file-encoding"),
        (skill().replace("---\n", "---  \t\n").encode(), None),
        (f"{skill()}\n---\n\n----\n".encode(), None),
    ],
)
def test_what_real_files_hold_is_read(data: bytes, code: str | None) -> None:
    """Spec: BOM, CRLF, tabs, control characters, invalid UTF-8."""
    reading = read_skill(data, FOLDER)
    assert reading.document is not None
    assert reading.document.description == "Reads PDF files."
    assert codes(reading) == ([code] if code else [])


def test_the_place_of_a_byte_that_is_no_text_is_told() -> None:
    """Choice: who looks for it finds it."""
    problem = read(b"---\nname: x\ndescription: \xc3\xa9t\xc3\xa9 \xe9\n---\n").problems[-1]
    assert (problem.code, problem.line, problem.column) == ("file-encoding", 3, 18)
    assert "0xE9" in problem.message


def test_a_body_has_lf_whatever_the_file_has() -> None:
    """Choice: a model reads lines, not carriage returns."""
    assert document(skill(body="a\r\nb\r\n")).body == "a\nb\n"


@pytest.mark.behaviour("skillmd.delimiters")
@pytest.mark.parametrize(
    "text",
    [
        skill(body="---\n\n```\n---\n```\n"),
        front("name: pdf-tools\ndescription: >-\n  Reads PDF files.\nlicense: |\n  ---\n  text\n"),
        skill("license: a --- b\n"),
        skill("license: '---'\n"),
        skill("license: ----\n", "----\n"),
        skill(body="a\n----\nb\n"),
    ],
)
def test_dashes_in_values_and_code_end_nothing(text: str) -> None:
    """Spec: `---` inside values and code blocks, `----`."""
    reading = read(text)
    assert reading.document is not None
    assert reading.document.description == "Reads PDF files."
    assert codes(reading) == []


@pytest.mark.behaviour("skillmd.delimiters")
@pytest.mark.parametrize(
    ("text", "body", "places"),
    [
        ("-----\nname: pdf-tools\ndescription: d\n---\nx", "x", [1]),
        ("---\nname: pdf-tools\ndescription: d\n----\nx", "x", [4]),
        ("---\nname: pdf-tools\ndescription: d\n...\nx", "x", [4]),
        ("----\nname: pdf-tools\ndescription: d\n----", "", [1, 4]),
        ("---\nname: pdf-tools\ndescription: d\n----\n---\nx", "x", []),
    ],
)
def test_a_delimiter_that_is_nearly_one_is_taken_where_there_is_no_better(
    text: str, body: str, places: list[int]
) -> None:
    """Choice: what it was meant for is plain, and a warning says what other readers see."""
    reading = read(text)
    assert reading.document is not None
    assert reading.document.body == body
    assert [problem.line for problem in reading.problems if problem.code == "frontmatter-delimiter"] == places


@pytest.mark.behaviour("skillmd.not-loadable")
@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "frontmatter-missing", 1),
        (" \n\n", "frontmatter-missing", 1),
        ("# Title\n---\ntext\n---\n", "frontmatter-missing", 1),
        ("# Title\n----name: x\n", "frontmatter-missing", 1),
        ("Title\n---\nname: x\n---\n", "frontmatter-missing", 1),
        ("<!-- never closed\n---\nname: x\n---\n", "frontmatter-missing", 1),
        ("--- \nname: x", "frontmatter-unclosed", 1),
        ("---", "frontmatter-unclosed", 1),
        ("\n---\nname: x\n --- \n", "frontmatter-unclosed", 2),
        ("---\n---\n", "frontmatter-empty", 1),
        ("---\n# nothing\n---\n", "frontmatter-empty", 1),
        ("---\njust a text\n---\n", "frontmatter-not-a-map", 2),
        ("---\n- a\n- b\n---\n", "frontmatter-not-a-map", 2),
        ('---\n"open\n---\n', "frontmatter-yaml", 2),
        (front("name: pdf-tools\n"), "description-missing", 2),
        (front("name: pdf-tools\ndescription:\n"), "description-missing", 3),
        (front("name: pdf-tools\ndescription: '  '\n"), "description-missing", 3),
        (front("name: pdf-tools\ndescription: ~\n"), "description-missing", 3),
    ],
)
def test_what_cannot_be_loaded_says_why_and_where(text: str, code: str, line: int) -> None:
    """Spec: a missing description or no front matter is not loadable."""
    reading = read(text)
    assert reading.document is None
    assert reading.name == FOLDER
    problem = reading.problems[-1]
    assert (problem.code, problem.severity, problem.line) == (code, Severity.ERROR, line)


def test_a_description_in_another_spelling_is_suggested() -> None:
    """Choice: a slip of the finger is found at once."""
    problem = read(front("name: pdf-tools\ndescripton: Reads.\n")).problems[-1]
    assert "'descripton'" in problem.message


@pytest.mark.behaviour("skillmd.lenient")
@pytest.mark.parametrize("line", ["", "name:\n", "name: ''\n", "name: null\n"])
def test_a_missing_name_falls_back_to_the_folders(line: str) -> None:
    """Spec: a missing name falls back to the folder's."""
    reading = read(front(f"{line}description: d\n"), "some-folder")
    assert reading.document is not None
    assert reading.name == reading.document.name == "some-folder"
    assert [(problem.code, problem.severity) for problem in reading.problems] == [("name-missing", Severity.WARNING)]


@pytest.mark.behaviour("skillmd.not-loadable")
def test_without_name_and_folder_nothing_can_be_loaded() -> None:
    """Spec: the problem says `name`."""
    reading = read(front("description: d\n"), None)
    assert reading.document is None
    assert reading.name == ""
    assert [(problem.code, problem.severity) for problem in reading.problems] == [("name-missing", Severity.ERROR)]


@pytest.mark.behaviour("skillmd.lenient")
def test_the_names_of_the_file_wins_over_the_folders() -> None:
    """Spec: with a warning."""
    reading = read(front("name: one\ndescription: d\n"), "two")
    assert reading.name == "one"
    assert [(problem.code, problem.severity) for problem in reading.problems] == [("name-folder", Severity.WARNING)]
    assert codes(read(front("name: one\ndescription: d\n"), None)) == []


@pytest.mark.behaviour("skillmd.names")
@pytest.mark.parametrize(
    ("name", "folder"),
    [("cafe\u0301", "café"), ("café", "cafe\u0301"), ("技能", "技能"), ("हिन्दी-शब्द", "हिन्दी-शब्द")],
)
def test_names_in_other_scripts_load_and_equal_their_folder_however_they_are_composed(name: str, folder: str) -> None:
    """Spec: names in other scripts (NFC and NFD equal)."""
    reading = read(front(f"name: {name}\ndescription: d\n"), folder)
    assert reading.document is not None
    assert [(problem.code, problem.severity) for problem in reading.problems] == [("name-script", Severity.WARNING)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("PDF", ["name-grammar"]),
        ("pdf tools", ["name-grammar"]),
        ("pdf_tools", ["name-grammar"]),
        ("-pdf", ["name-grammar"]),
        ("pdf-", ["name-grammar"]),
        ("pdf--tools", ["name-grammar"]),
        ("Ärger", ["name-grammar"]),
        ("a" * 65, ["name-too-long"]),
        ("A" * 65, ["name-too-long", "name-grammar"]),
        ("技" * 65, ["name-too-long", "name-script"]),
        ("a" * 64, []),
        ("3d-print", []),
    ],
)
def test_a_name_that_breaks_the_grammar_loads_with_a_warning(name: str, found: list[str]) -> None:
    """Spec: 1 to 64, lowercase letters, digits, single hyphens."""
    reading = read(front(f"name: '{name}'\ndescription: d\n"), name)
    assert reading.document is not None
    assert reading.document.name == name
    assert codes(reading) == found
    assert {problem.severity for problem in reading.problems} <= {Severity.WARNING}


@pytest.mark.behaviour("skillmd.versions")
@pytest.mark.parametrize(
    ("lines", "version", "found"),
    [
        ("version: 1.10\n", "1.10", ["version-unquoted"]),
        ("version: 2024-01-05\n", "2024-01-05", ["version-unquoted"]),
        ("version: 2\n", "2", ["version-unquoted"]),
        ('version: "1.0"\n', "1.0", []),
        ("version: 1.0.0\n", "1.0.0", []),
        ("version: v1.2\n", "v1.2", []),
        ("metadata:\n  version: 1.10\n", "1.10", ["version-unquoted"]),
        ("metadata: {version: '3'}\n", "3", []),
        ("metadata:\n  version: 1.0.1\nversion: 2.0.0\n", "2.0.0", []),
        ("version:\n", None, []),
        ("version: ~\n", None, []),
        ("version: [1, 2]\n", "[1, 2]", ["version-unquoted"]),
        ("metadata:\n  author: Ada\n", None, []),
    ],
)
def test_a_version_is_what_its_author_wrote(lines: str, version: str | None, found: list[str]) -> None:
    """Spec: quoted or a float or a date, never silently changed."""
    reading = read(skill(lines))
    assert reading.document is not None
    assert reading.document.version == version
    assert codes(reading) == found


@pytest.mark.behaviour("skillmd.fields")
def test_unknown_fields_are_kept_in_order_with_their_places() -> None:
    """Spec: kept, verbatim and in order."""
    found = document(skill("zeta: 1.10\nalpha:\n  b: [1, yes, 2.5]\n'quoted key': |\n  x\n"))
    assert found.fields[2:] == (
        Field("zeta", "1.10", 4, 1),
        Field("alpha", {"b": [1, "yes", 2.5]}, 5, 1),
        Field("quoted key", "x\n", 7, 1),
    )


@pytest.mark.behaviour("skillmd.fields")
def test_fields_that_authors_use_are_understood() -> None:
    """Spec: fields that authors really use."""
    found = document(
        skill(
            "compatibility: Needs git\nauthor: {name: Ada, mail: a@b}\ntags: a, b c\ntriggers:\n  - on pdf\n"
            "dependencies:\n  - {name: jq, version: '1'}\n  - git: 2.0\n  - curl\nwhen_to_use: often\n"
            "argument-hint: [file]\nmodel: opus\ncontext: fork\npaths: ['*.pdf']\ninputs: {file: text}\n"
            "outputs: [text]\nrequires: {bins: [jq]}\nhooks: {Stop: []}\nuser-invocable: no\n"
            "disable-model-invocation: true\nmetadata: {team: docs}\ndisallowed-tools: Bash\n"
        )
    )
    assert found.compatibility == "Needs git"
    assert found.author == "name: Ada, mail: a@b"
    assert found.tags == ("a", "b c")
    assert found.triggers == ("on pdf",)
    assert found.dependencies == ("jq", "git: 2.0", "curl")
    assert found.when_to_use == "often"
    assert found.argument_hint == "[file]"
    assert (found.model, found.context, found.paths) == ("opus", "fork", ("*.pdf",))
    assert (found.inputs, found.outputs) == ({"file": "text"}, ["text"])
    assert (found.requires, found.hooks) == ({"bins": ["jq"]}, {"Stop": []})
    assert (found.user_invocable, found.model_invocable) == (False, False)
    assert found.metadata == {"team": "docs"}
    assert found.disallowed_tools == ("Bash",)


def test_author_and_tags_may_stand_in_the_metadata() -> None:
    """Spec: `version` at the top or in `metadata`; so with these."""
    found = document(skill("metadata:\n  author: Ada\n  tags: [a, b]\n"))
    assert found.author == "Ada"
    assert found.tags == ("a", "b")
    assert document(skill("author: ''\n")).author is None
    assert document(skill("dependencies: [ray[data], @a/b]\n")).dependencies == ("ray[data]", "@a/b")
    assert document(skill("dependencies:\n  python: '>=3'\n  jq:\n")).dependencies == ("python: >=3", "jq")


@pytest.mark.parametrize(
    ("line", "invocable", "found"),
    [
        ("user-invocable: off\n", False, []),
        ("user-invocable: 'true'\n", True, []),
        ("user-invocable:\n", True, []),
        ("user-invocable: maybe\n", True, ["flag-not-boolean"]),
        ("user-invocable: [no]\n", True, ["flag-not-boolean"]),
    ],
)
def test_a_switch_that_is_none_counts_as_absent(line: str, found: list[str], *, invocable: bool) -> None:
    """Choice: a slip must not hide a skill, or offer a hidden one without a word."""
    reading = read(skill(line))
    assert reading.document is not None
    assert reading.document.user_invocable is invocable
    assert codes(reading) == found


def test_fields_in_other_spellings_are_understood_and_told() -> None:
    """Choice: `Name` and `allowed_tools` have one meaning only."""
    reading = read(
        front("Name: pdf-tools\nDESCRIPTION: d\nallowed_tools: Read\nallowedTools: Write\nuser invocable: no\n")
    )
    assert reading.document is not None
    assert reading.document.allowed_tools == ("Read",)
    assert not reading.document.user_invocable
    assert codes(reading) == ["field-spelling"] * 4
    assert [problem.field for problem in reading.problems] == [
        "name",
        "description",
        "allowed-tools",
        "user-invocable",
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("license: 2024\n", ["value-unquoted"]),
        ("license: on\n", ["value-unquoted"]),
        ("license: [MIT]\n", ["value-not-text"]),
        ("license: {a: b}\n", ["value-not-text"]),
        ("license:\n", []),
        ("compatibility:\n", ["compatibility-length"]),
        ("compatibility: ''\n", ["compatibility-length"]),
        (f"compatibility: {'x' * 501}\n", ["compatibility-length"]),
        ("metadata: text\n", ["metadata-not-a-map"]),
        ("metadata: [a]\n", ["metadata-not-a-map"]),
        ("metadata:\n", []),
        ("license: a\nlicense: b\n", ["field-duplicate"]),
        ("x: &a 1\ny: *a\n", ["yaml-alias"]),
        ("x: !t 1\n", ["yaml-tag"]),
        ("--- x\n", ["frontmatter-second"]),
    ],
)
def test_problems_of_other_fields_are_told(line: str, found: list[str]) -> None:
    """Spec: a strict report with every problem."""
    assert codes(read(skill(line))) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("'  d  '", ["description-space"]),
        ("d # comment", ["description-comment"]),
        ("d #", ["description-comment"]),
        ("d#1", []),
        ("'d' # comment", []),
        (">\n  d\n", []),
        ("x" * 1_025, ["description-too-long"]),
        ("x" * 1_024, []),
        ("[a, b]", ["value-not-text"]),
    ],
)
def test_problems_of_the_description_are_told(value: str, found: list[str]) -> None:
    """Spec: 1 to 1024 characters."""
    reading = read(front(f"name: pdf-tools\ndescription: {value}\n"))
    assert reading.document is not None
    assert codes(reading) == found


@pytest.mark.behaviour("skillmd.refused")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x" * 100_000_000, "file-too-large"),
        (skill(f"x: {'y' * 300_000}\n").encode(), "frontmatter-too-large"),
        (skill(f"x: {'[' * 50_000}\n").encode(), "frontmatter-too-deep"),
        (skill("a: &a [x, x, x]\nb: [" + "*a, " * 200 + "]\n").encode(), "frontmatter-aliases"),
    ],
    ids=["100 MB", "large", "deep", "bomb"],
)
def test_attacks_are_refused_with_a_clear_problem(data: bytes, code: str) -> None:
    """Spec: refused with a clear problem, in bounded time and memory."""
    reading = read_skill(data, FOLDER)
    assert reading.document is None
    assert codes(reading) == [code]
    assert reading.problems[0].severity is Severity.ERROR
