from __future__ import annotations

import pytest

from prowess.errors import ConfigurationError
from prowess.skillmd.document import Severity
from prowess.skillmd.profiles.checking import PROFILES, check, loadable, profile_named
from prowess.skillmd.reading import read_skill
from tests.unit.skillmd.samples import FOLDER, front, read, skill

CLIENTS = ("claude", "codex", "gemini", "fastmcp", "adk")
COLON = front("name: pdf-tools\ndescription: Reads PDF: text\n")


def errors(text: str | bytes, profile: str, folder: str | None = FOLDER) -> list[str]:
    """The codes of what is an error to a profile."""
    found = check(read(text, folder), profile, folder)
    return [problem.code for problem in found if problem.severity is Severity.ERROR]


def refused_by(text: str | bytes, folder: str = FOLDER, file_name: str = "SKILL.md") -> set[str]:
    """The clients that would not load it."""
    reading = read(text, folder)
    return {client for client in CLIENTS if not loadable(reading, client, folder, file_name=file_name)}


@pytest.mark.behaviour("skillmd.profiles")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (front("description: d\n"), "name-missing"),
        (front("name: PDF\ndescription: d\n"), "name-grammar"),
        (front(f"name: {'a' * 65}\ndescription: d\n"), "name-too-long"),
        (front("name: other\ndescription: d\n"), "name-folder"),
        (front(f"name: pdf-tools\ndescription: {'d' * 1_025}\n"), "description-too-long"),
        (skill(f"compatibility: {'c' * 501}\n"), "compatibility-length"),
        (skill("metadata: text\n"), "metadata-not-a-map"),
        (skill("license: a\nlicense: b\n"), "field-duplicate"),
        (skill("license: [a]\n"), "value-not-text"),
        (skill("license: caf\xe9\n").encode("latin-1"), "file-encoding"),
    ],
)
def test_what_breaks_the_standard_is_an_error_in_its_profile(text: str | bytes, code: str) -> None:
    """Spec: `agentskills`, the standard, default."""
    assert code in errors(text, "agentskills")
    assert loadable(read(text))


@pytest.mark.parametrize(
    "text",
    [
        skill("license: MIT\ncompatibility: x\nmetadata: {a: b}\nallowed-tools: Read\n"),
        skill("version: 1.10\nauthor: Ada\nhooks: {}\nmade-up: 1\n"),
        skill("allowed-tools: [Read]\n"),
        COLON,
        skill(body=""),
    ],
)
def test_what_the_standard_does_not_forbid_is_no_error(text: str) -> None:
    """Spec: unknown fields are kept, and told."""
    assert errors(text, "agentskills") == []


def test_unknown_fields_are_told_with_what_was_meant() -> None:
    """Spec: reported by strict profiles; near ones."""
    found = check(read(skill("version: 1.0.0\nlicence: MIT\nmade-up: 1\nallowedTools: Read\nallowed-tools: Read\n")))
    assert [(problem.code, problem.field, problem.fix) for problem in found] == [
        ("field-unknown", "version", "move it below 'metadata:'"),
        ("field-unknown", "licence", "did you mean 'license'?"),
        ("field-unknown", "made-up", "move it below 'metadata:'"),
        ("field-unknown", "allowedTools", "did you mean 'allowed-tools'?"),
    ]
    assert check(read(skill("made-up: 1\n")), "codex") == ()


@pytest.mark.behaviour("skillmd.profiles")
@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("description: Use when x.\nversion: 1.0.0\n", []),
        ("description: use when x.\nmetadata: {version: 1.0.0-rc.1}\n", []),
        ("description: Reads.\nversion: 1.0.0\n", ["description-use-when"]),
        ("description: Use when x.\n", ["version-missing"]),
        ("description: Use when x.\nversion: 1.0\n", ["version-semver"]),
        ("description: Use when x.\nmetadata: {version: v1.0.0}\n", ["version-semver"]),
        ("description: Use when x.\nversion: 1.0\nmetadata: {version: 1.0.0}\n", ["version-semver"]),
        ("license: x\n", ["description-missing"]),
    ],
)
def test_a_tool_skill_says_when_to_use_it_and_has_a_semantic_version(fields: str, found: list[str]) -> None:
    """Spec: `toolskill` (also: the description starts with "Use when", strict semver)."""
    assert errors(front(f"name: pdf-tools\n{fields}"), "toolskill") == found


@pytest.mark.behaviour("skillmd.profiles")
@pytest.mark.parametrize(
    ("text", "clients"),
    [
        (skill(), set[str]()),
        (skill("argument-hint: x\n"), set[str]()),
        (skill("made-up: x\n"), {"claude"}),
        (COLON, {"claude", "codex", "adk"}),
        (skill("metadata:\n\ta: b\n"), {"claude", "codex", "adk"}),
        (skill("metadata:\n  - a\n  b: c\n"), {"claude", "codex", "adk"}),
        ("\ufeff" + skill(), {"claude", "codex", "gemini", "adk"}),
        ("\n" + skill(), {"claude", "codex", "gemini", "adk"}),
        ("-" + skill(), {"claude", "codex", "gemini", "adk"}),
        ("---  \nname: pdf-tools\ndescription: d\n---\n", {"gemini"}),
        (skill("x: caf\xe9\n").encode("latin-1"), {"claude", "codex", "fastmcp", "adk"}),
        (front("description: d\n"), {"claude", "gemini", "adk"}),
        (front("name: pdf-tools\ndescription: 12\n"), {"claude", "codex", "adk"}),
        (front("name: pdf-tools\ndescription: [a]\n"), {"claude", "codex", "adk"}),
        (front("Name: pdf-tools\ndescription: d\n"), {"claude", "gemini", "adk"}),
        (front("name: pdf-tools\nDescription: d\n"), {"claude", "codex", "gemini", "adk"}),
        (front(f"name: pdf-tools\ndescription: {'d' * 1_025}\n"), {"claude", "codex", "adk"}),
        (front("name: pdf-tools\ndescription: Writes <b>bold</b> text\n"), {"claude"}),
        (front("name: pdf-tools\ndescription: If a < b and c > d\n"), set[str]()),
        (skill(f"compatibility: {'c' * 501}\n"), {"claude", "adk"}),
        (skill("metadata: text\n"), {"codex", "adk"}),
        (skill("license: 2024\n"), {"adk"}),
        (skill("allowed-tools: [Read, Write]\n"), {"adk"}),
        (skill("x: !tag y\n"), {"claude", "adk"}),
        (skill("license: a --- b\n"), {"adk"}),
        (front("name: pdf-tools\ndescription: |\n  a\n  ---\n  b\n"), {"codex", "adk"}),
        (front("name: pdf-tools\ndescription: d\ndescription: d\n"), {"codex"}),
        (skill("license: a\nlicense: b\n"), set[str]()),
        (skill().replace("\n", "\r"), {"codex", "gemini"}),
        ("# no front matter\n", {"claude", "codex", "gemini", "adk"}),
        (front("name: pdf-tools\n"), {"claude", "codex", "gemini", "adk"}),
    ],
)
def test_a_clients_profile_says_whether_it_would_load_the_skill(text: str | bytes, clients: set[str]) -> None:
    """Spec: name rule, length limits, ASCII only, unknown fields."""
    assert refused_by(text) == clients


@pytest.mark.parametrize(
    ("name", "clients"),
    [
        ("技能", {"claude", "adk"}),
        ("claude-helper", {"claude"}),
        ("my-anthropic", {"claude"}),
        ("a" * 65, {"claude", "codex", "adk"}),
        ("a_b", {"claude", "adk"}),
        ("PDF", {"claude", "adk"}),
        ("2024", {"claude", "codex", "adk"}),
        ("yes", {"claude", "adk"}),
    ],
)
def test_names_that_a_client_refuses(name: str, clients: set[str]) -> None:
    """Spec: as above."""
    assert refused_by(front(f"name: {name}\ndescription: d\n"), name) == clients


def test_a_folder_of_another_name_matters_to_one_client() -> None:
    """Spec: as above."""
    assert refused_by(skill(), "other") == {"adk"}


def test_a_file_in_small_letters_is_not_found_by_most() -> None:
    """Spec: `skill.md`."""
    assert refused_by(skill(), file_name="skill.md") == {"claude", "codex", "gemini", "fastmcp"}
    found = check(read(skill()), file_name="skill.md")
    assert [(problem.code, problem.severity) for problem in found] == [("file-name", Severity.WARNING)]


def test_fastmcp_loads_what_nobody_else_does_and_shows_one_line() -> None:
    """Spec: as above."""
    assert loadable(read("text\n"), "fastmcp")
    assert not loadable(read("text\n"))
    found = check(read(front("name: pdf-tools\ndescription: >-\n  a\n")), "fastmcp")
    assert [problem.code for problem in found] == ["description-line"]


@pytest.mark.behaviour("skillmd.profiles")
def test_several_profiles_tell_a_problem_once_and_say_who_refuses_it() -> None:
    """Spec: `--profile claude,adk`."""
    reading = read(front("name: PDF\ndescription: d\nmade-up: 1\n"), "PDF")
    found = check(reading, "agentskills, claude,adk", "PDF")
    assert [(problem.code, problem.severity) for problem in found] == [
        ("name-grammar", Severity.ERROR),
        ("field-unknown", Severity.WARNING),
        ("field-unknown", Severity.ERROR),
    ]
    assert found[0].message.endswith("; claude and adk do not load it")
    assert found[2].message.endswith("; claude does not load it")
    assert not loadable(reading, "agentskills,claude", "PDF")
    assert loadable(reading, "agentskills,toolskill", "PDF")
    assert not loadable(read("x"), "agentskills,fastmcp")


def test_a_huge_file_has_no_more_problems_than_its_size() -> None:
    """Choice: nothing looks at it again."""
    assert [problem.code for problem in check(read_skill(b"x" * 5_000_000))] == ["file-too-large"]


@pytest.mark.behaviour("skillmd.unknown-profile")
def test_an_unknown_profile_is_refused_with_the_nearest() -> None:
    """Spec: unknown profile names near ones."""
    with pytest.raises(ConfigurationError, match="did you mean 'claude'") as caught:
        profile_named("cluade")
    assert caught.value.near == ("claude",)
    with pytest.raises(
        ConfigurationError, match=r"use one of agentskills, toolskill, claude, codex, gemini, fastmcp, adk$"
    ):
        check(read(skill()), "xyz")
    assert set(PROFILES) == {"agentskills", "toolskill", *CLIENTS}
