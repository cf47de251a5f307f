"""The front matter of a SKILL.md as fields: as YAML where it is that, mended where it is not."""

import re

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.frontmatter.delimiters import ODD
from prowess.skillmd.frontmatter.mending import mend
from prowess.skillmd.frontmatter.source import Source
from prowess.yamltext.nodes import Mapping, Scalar
from prowess.yamltext.reading import YamlCode, YamlProblem, YamlReading, read_yaml

__all__ = ["read_front"]

_ODD_START = re.compile(f"^[{ODD}]", re.MULTILINE)
"""A line that begins with a space that is none, which can be YAML and then says something else."""

_BOUNDS = {
    YamlCode.TOO_LARGE: "frontmatter-too-large",
    YamlCode.TOO_DEEP: "frontmatter-too-deep",
    YamlCode.ALIASES: "frontmatter-aliases",
}
_TOLD = {
    YamlCode.ALIAS: "yaml-alias",
    YamlCode.ANCHOR: "yaml-anchor",
    YamlCode.TAG: "yaml-tag",
    YamlCode.DUPLICATE_KEY: "field-duplicate",
    YamlCode.SECOND_DOCUMENT: "frontmatter-second",
}


def read_front(source: Source, problems: list[SkillProblem]) -> tuple[Mapping, str] | None:
    """The fields of the front matter, and the text that their places are in; None where there are none to be had."""
    text = source.front
    reading = read_yaml(text, first_line=source.line)
    root = reading.root
    told = reading.problems
    odd = not text.isascii() and _ODD_START.search(text) is not None
    if odd or not isinstance(root, Mapping):
        if root is None and not reading.broken:
            problems.append(problem_of("frontmatter-empty", max(source.line - 1, 1)))
            return None
        if reading.broken and told[-1].code in _BOUNDS:
            problems.append(_bound_problem(told[-1]))
            return None
        mended = mend(text, source.line)
        if mended.root is not None:
            problems += mended.problems
            root, text, told = mended.root, mended.text, mended.told
    if not isinstance(root, Mapping):
        problems.append(_refusal(reading))
        return None
    if told:
        problems += [problem_of(_TOLD[one.code], one.line, one.column, why=one.message, field=one.key) for one in told]
    return root, text


# ---------------------------------------------------------------------------------------------------------------------


def _bound_problem(told: YamlProblem) -> SkillProblem:
    return problem_of(_BOUNDS[told.code], told.line, told.column, why=told.message)


def _refusal(reading: YamlReading) -> SkillProblem:
    if reading.broken:
        told = reading.problems[-1]
        return problem_of("frontmatter-yaml", told.line, told.column, why=told.message)
    what = "one text" if isinstance(reading.root, Scalar) else "a list"
    node = reading.root
    line, column = (node.line, node.column) if node is not None else (1, 1)
    return problem_of("frontmatter-not-a-map", line, column, what=what)
