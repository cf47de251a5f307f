"""The open Agent Skills standard, and what a tool skill must be beyond it."""

from collections.abc import Iterator

from prowess.model.names import near_names
from prowess.model.versions import is_semver, version_key, version_shown
from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.fields import KNOWN, STANDARD, meant, written
from prowess.skillmd.profiles.case import Case, Profile
from prowess.skillmd.tools import listed_tools, read_tools
from prowess.yamltext.characters import visible
from prowess.yamltext.nodes import Mapping, Scalar, Sequence

__all__ = ["AGENT_SKILLS", "TOOL_SKILL", "file_name"]

_ALL: frozenset[str] = frozenset()


def file_name(case: Case) -> Iterator[SkillProblem]:
    """The file is SKILL.md, in capitals."""
    if case.file_name != "SKILL.md":
        yield problem_of("file-name", name=case.file_name)


# ---------------------------------------------------------------------------------------------------------------------


def _unknown_fields(case: Case) -> Iterator[SkillProblem]:
    written_so = {key.text for key, _ in case.fields()}
    for key, _ in case.fields():
        field = key.text
        known = meant(field)
        if field in STANDARD or (known in STANDARD and known not in written_so):  # the latter is told by its spelling
            continue
        near = near_names(field, KNOWN, 1)
        if field in KNOWN:
            what, advice = "not one of the standard's, and some clients refuse it", "move it below 'metadata:'"
        else:
            what = "unknown"
            advice = f"did you mean '{near[0]}'?" if near else "move it below 'metadata:'"
        yield problem_of("field-unknown", key.line, key.column, field=visible(field), what=what, advice=advice)


def _metadata_values(case: Case) -> Iterator[SkillProblem]:
    metadata = case.node("metadata")
    for key, value in metadata.named() if isinstance(metadata, Mapping) else ():
        if not isinstance(value, Scalar):
            what = "a list" if isinstance(value, Sequence) else "keys with values"
            yield problem_of("metadata-value", key.line, key.column, key=key.text, what=what)


def _tools_form(case: Case) -> Iterator[SkillProblem]:
    node = case.node("allowed-tools")
    if isinstance(node, Sequence):
        what = "a list"
        text = case.front[1] if case.front is not None else ""
        tools = listed_tools(written(item, text) for item in node.items).tools
    elif isinstance(node, Scalar) and "," in node.text and (read := read_tools(node.text)).commas:
        what = "separated by commas"
        tools = read.tools
    else:
        return
    line = " ".join(tools)
    near = (
        f"'allowed-tools: {line}'" if read_tools(line).tools == tools else "names without spaces, so that they can be"
    )
    yield problem_of("tools-form", node.line, node.column, field="allowed-tools", what=what, near=near)


def _body(case: Case) -> Iterator[SkillProblem]:
    if case.document is not None and not case.document.body.strip():
        line = case.source.text.count("\n", 0, case.source.end) + 1
        yield problem_of("body-empty", line)


def _use_when(case: Case) -> Iterator[SkillProblem]:
    document = case.document
    if document is not None and not document.description.lower().startswith("use when"):
        node = case.node("description")
        yield problem_of("description-use-when", *((node.line, node.column) if node is not None else (1, 1)))


def _no_version(case: Case) -> Iterator[SkillProblem]:
    if case.document is not None and case.document.version is None:
        yield problem_of("version-missing", case.source.line)


def _version(case: Case) -> Iterator[SkillProblem]:
    version = case.document.version if case.document is not None else None
    if version is None or is_semver(version):
        return
    metadata = case.node("metadata")
    inner = [value for key, value in metadata.named() if key.text == "version"] if isinstance(metadata, Mapping) else []
    node = case.node("version") or (inner[-1] if inner else None)
    place = (node.line, node.column) if node is not None else (case.source.line, 1)
    yield problem_of("version-semver", *place, version=version, shown=version_shown(version_key(version)))


def _odd_version(case: Case) -> Iterator[SkillProblem]:
    """The same where nothing is told of the version already."""
    if all(problem.code != "version-unquoted" for problem in case.reading.problems):
        yield from _version(case)


_REQUIRED = {
    **dict.fromkeys(("name-missing", "name-grammar", "name-too-long", "name-folder"), _ALL),
    **dict.fromkeys(("description-too-long", "compatibility-length", "metadata-not-a-map", "value-not-text"), _ALL),
    **dict.fromkeys(("file-encoding", "field-unreadable", "field-duplicate", "tools-not-text"), _ALL),
}
_RULES = (file_name, _unknown_fields, _metadata_values, _tools_form, _body)

AGENT_SKILLS = Profile(
    name="agentskills",
    about="the open standard",
    raised=_REQUIRED,
    lowered=frozenset({"version-semver"}),
    rules=(*_RULES, _odd_version),
)
TOOL_SKILL = Profile(
    name="toolskill",
    about="the standard; the description begins with 'Use when', and there is a semantic version",
    raised=_REQUIRED,
    rules=(*_RULES, _use_when, _no_version, _version),
)
