"""What clients take: for each, whether it would load a skill. Decision 0021 says what each of them rests on."""

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import Severity, SkillProblem
from prowess.skillmd.fields import STANDARD, kind_of
from prowess.skillmd.profiles.case import Case, Profile
from prowess.skillmd.profiles.standard import file_name
from prowess.yamltext.nodes import Scalar, Sequence, scalar_value

__all__ = ["CLIENTS"]

_ALL: frozenset[str] = frozenset()
_BOTH = frozenset({"name", "description"})
_MARKUP = re.compile(r"</?([A-Za-z][\w.:-]*)[^<>]*>")
_RESERVED = ("anthropic", "claude")
_CLAUDE_CODE = frozenset(
    {
        *("when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "model", "effort"),
        *("context", "agent", "hooks", "paths", "shell", "disallowed-tools"),
    }
)


# -------------------------------------------------------------------------------------------------------------- claude


def _claude_fields(case: Case) -> Iterator[SkillProblem]:
    """Uploads know the standard's fields only; Claude Code has more of its own and passes over the rest."""
    for key, _ in case.fields():
        if key.text in STANDARD:
            continue
        own = key.text in _CLAUDE_CODE
        what = "known to Claude Code, and refused in uploads" if own else "refused in uploads"
        advice = "leave it out of what is uploaded" if own else "move it below 'metadata:'"
        problem = problem_of("field-unknown", key.line, key.column, field=key.text, what=what, advice=advice)
        yield problem if own else _error(problem)


def _claude_name(case: Case) -> Iterator[SkillProblem]:
    node = case.node("name")
    for word in _RESERVED:
        if node is not None and word in case.reading.name:
            yield problem_of("name-reserved", node.line, node.column, name=case.reading.name, word=word)


def _claude_markup(case: Case) -> Iterator[SkillProblem]:
    node = case.node("description")
    markup = _MARKUP.search(node.text) if isinstance(node, Scalar) else None
    if node is not None and markup is not None:
        yield problem_of("description-markup", node.line, node.column, tag=markup.group(1))


# --------------------------------------------------------------------------------------------------- codex, gemini, adk


def _codex_types(case: Case) -> Iterator[SkillProblem]:
    """Its YAML reader knows numbers, booleans and null where text is wanted, but no dates and no `yes`."""
    for field in ("name", "description"):
        node = case.node(field)
        if isinstance(node, Scalar) and isinstance(scalar_value(node), int | float):
            kind = kind_of(node)
            yield _error(problem_of("value-unquoted", node.line, node.column, field=field, what=kind))


def _codex_dashes(case: Case) -> Iterator[SkillProblem]:
    """It ends the front matter at the first line that is --- once its spaces are gone."""
    return _dashes(case, "Codex", lambda line: line.strip() == "---")


def _adk_dashes(case: Case) -> Iterator[SkillProblem]:
    """It ends the front matter at the first --- there is."""
    return _dashes(case, "ADK", lambda line: "---" in line)


def _dashes(case: Case, client: str, ends: Callable[[str], bool]) -> Iterator[SkillProblem]:
    for number, line in enumerate(case.source.front.split("\n"), case.source.line):
        if ends(line):
            yield _error(problem_of("frontmatter-dashes", number, line.index("---") + 1, client=client))
            return


def _gemini_opening(case: Case) -> Iterator[SkillProblem]:
    """It wants the line break right behind the dashes."""
    text = case.source.text
    if case.source.usable and text.startswith("---") and not text.startswith(("---\n", "---\r\n")):
        yield problem_of("frontmatter-delimiter", 1, 1, found=repr(text.partition("\n")[0]), what="begins")


def _adk_tools(case: Case) -> Iterator[SkillProblem]:
    node = case.node("allowed-tools")
    if isinstance(node, Sequence):
        tools = " ".join(case.document.allowed_tools or ()) if case.document is not None else ""
        near = f"'allowed-tools: {tools}'"
        found = problem_of("tools-form", node.line, node.column, field="allowed-tools", what="a list", near=near)
        yield _error(found)


# ------------------------------------------------------------------------------------------------------------- fastmcp


def _fastmcp_lines(case: Case) -> Iterator[SkillProblem]:
    """It reads a field's first line as it stands, so that of a block it shows the sign `>-`."""
    node = case.node("description")
    if isinstance(node, Scalar) and case.front is not None and "\n" in case.front[1][node.start : node.end].strip():
        yield problem_of("description-line", node.line, node.column)


# ---------------------------------------------------------------------------------------------------------------------


def _error(problem: SkillProblem) -> SkillProblem:
    return replace(problem, severity=Severity.ERROR)


def _all(*codes: str) -> dict[str, frozenset[str]]:
    return dict.fromkeys(codes, _ALL)


_NO_FRONT = (
    *("file-mark", "frontmatter-late", "frontmatter-unopened", "frontmatter-delimiter", "frontmatter-character"),
)
"""What hides the front matter from a client that looks for a first line ---."""
_NO_YAML = (
    "frontmatter-second",
    "frontmatter-quotes",
    "frontmatter-tab",
    "frontmatter-text",
    "frontmatter-layout",
    "field-unreadable",
    "file-control",
)
"""What a YAML parser refuses, and Prowess mends."""
_NAME = ("name-grammar", "name-script", "name-folder")
_REST = ("compatibility-length", "description-space", "tools-duplicate", "tools-brackets", "tools-not-text")

CLIENTS = (
    Profile(
        name="claude",
        about="Claude: uploads to claude.ai and to the API, which take less than Claude Code does",
        is_client=True,
        raised=_all(
            *("file-encoding", "file-name", *_NO_FRONT, *_NO_YAML, "yaml-tag"),
            *("name-missing", "name-grammar", "name-script", "name-too-long", "description-too-long"),
            *("compatibility-length", "value-not-text"),
        )
        | {"value-unquoted": _BOTH | {"compatibility"}, "field-spelling": _ALL},
        rules=(file_name, _claude_fields, _claude_name, _claude_markup),
    ),
    Profile(
        name="codex",
        about="OpenAI Codex",
        is_client=True,
        raised=_all(
            *("file-encoding", "file-name", "file-returns", *_NO_FRONT, *_NO_YAML),
            *("name-too-long", "description-too-long", "metadata-not-a-map"),
        )
        | {"value-not-text": _BOTH, "field-duplicate": _BOTH, "field-spelling": frozenset({"description"})},
        ignored=frozenset({*_NAME, *_REST, "value-unquoted", "version-unquoted", "flag-not-boolean"}),
        rules=(file_name, _codex_types, _codex_dashes),
    ),
    Profile(
        name="gemini",
        about="Gemini CLI",
        is_client=True,
        raised=_all("file-name", "file-returns", *_NO_FRONT, "name-missing") | {"field-spelling": _BOTH},
        ignored=frozenset(
            {"name-script", "name-folder", "name-too-long", "description-too-long", "version-unquoted", *_REST}
        ),
        rules=(file_name, _gemini_opening),
    ),
    Profile(
        name="fastmcp",
        about="FastMCP, which takes the folder's name and reads any file",
        is_client=True,
        raised=_all("file-encoding", "file-name"),
        lowered=frozenset(
            {
                *("frontmatter-missing", "frontmatter-unclosed", "frontmatter-empty", "frontmatter-not-a-map"),
                *("frontmatter-yaml", "frontmatter-too-large", "frontmatter-too-deep", "frontmatter-aliases"),
                *("description-missing", "name-missing", "file-too-large"),
            }
        ),
        ignored=frozenset({"name-grammar", "name-script", "name-too-long", "description-too-long", *_REST}),
        rules=(file_name, _fastmcp_lines),
    ),
    Profile(
        name="adk",
        about="Google's Agent Development Kit",
        is_client=True,
        raised=_all(
            *("file-encoding", *_NO_FRONT, *_NO_YAML, "yaml-tag"),
            *("name-missing", "name-too-long", *_NAME, "description-too-long", "metadata-not-a-map", "value-not-text"),
            *("compatibility-length", "tools-not-text"),
        )
        | {"value-unquoted": _BOTH | {"license", "compatibility"}, "field-spelling": _BOTH},
        ignored=frozenset({"description-space", "tools-duplicate", "tools-brackets", "version-unquoted"}),
        rules=(_adk_dashes, _adk_tools),
    ),
)
