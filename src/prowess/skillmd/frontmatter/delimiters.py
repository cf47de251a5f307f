"""Where a front matter begins and ends: at lines that are ---, or at what its author meant to be such lines."""

import re
from collections.abc import Iterator

from msgspec import Struct

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.yamltext.characters import COLONS, CONTROLS, DASHES, NOTHING, SPACES, character_named, visible

__all__ = ["ODD", "Cut", "cut_front", "odd_problems"]

ODD = f"{SPACES}{NOTHING}"
"""For a set of a pattern: what is seen as a space, or not at all, and is neither to YAML."""
_ANY_ODD = f"{ODD}{CONTROLS}"

_FIELD = rf"[\s*_\"'{_ANY_ODD}]*(?:name|description)[ *_\"'{_ANY_ODD}]*[:={COLONS}]"
_ABOVE = re.compile(
    rf"(?:[\s{_ANY_ODD}]*\n"
    r"|<!--[ \t]*\n(?=-{3,}[ \t]*\n)"
    r"|[ \t]*<!--.*?-->"
    r"|[ \t]*(?:`{3,}|~{3,})[\w \t-]*\n"
    r"|(?:#{1,6} |#!|//|%YAML )[^\n]*\n"
    r")*+",
    re.ASCII | re.DOTALL,
)
"""What authors and their generators put above a front matter: comments, a title, the beginning of a block of code."""
_FIRST_FIELD = re.compile(rf"{_FIELD}|\s*\{{", re.ASCII)
_OPENING = re.compile(rf"(?P<before>[ \t{_ANY_ODD}]*)(?P<marks>-{{3,}})(?P<after>[ \t{_ANY_ODD}]*)(?:\n|\Z)")
_MARKS = rf"[\\{DASHES}=+*_;-]{{2,}}|[{DASHES}]|-{{3,}}[ \t]*(?:ya?ml|json|toml|#[^\n]*)"
_LIKE_OPENING = re.compile(rf"(?P<marks>[ \t]*(?:{_MARKS}))[ \t]*\n(?={_FIRST_FIELD.pattern})")
_LIKE_CLOSING = re.compile(rf"^(?P<marks>[ \t{_ANY_ODD}]*(?:{_MARKS}))[ \t]*$", re.MULTILINE)
_OTHER_END = re.compile(
    rf"^(?P<marks>-{{4,}}|\.\.\.|(?=-*[{DASHES}])[{DASHES}-]+|---[ \t]+#[^\n]*)[ \t]*$", re.MULTILINE
)
_HIDDEN_END = re.compile(rf"^[ \t]*[{_ANY_ODD}][ \t{_ANY_ODD}]*(?P<marks>-{{3,}})[ \t{_ANY_ODD}]*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})[\w \t-]*\n\Z", re.ASCII)
_FENCE_END = re.compile(r"^(?P<marks>[ \t]*(?:`{3,}|~{3,}))[ \t]*$", re.MULTILINE)
_BRACE_END = re.compile(r"^\}[ \t]*$", re.MULTILINE)
_ODD = re.compile(f"[{_ANY_ODD}]")
_STRANGE = re.compile(f"[{_ANY_ODD}{DASHES}]")
_SPACE = re.compile(f"[{SPACES}]")


class Cut(Struct, frozen=True, kw_only=True):
    """The places at which a text is cut."""

    start: int
    """Where the first line of the front matter begins."""
    line: int
    """Its number."""
    end: int = 0
    body: int = 0
    """Where the text below the line that ends the front matter begins."""


class _Opening(Struct, frozen=True, kw_only=True):
    """Where a front matter begins, and what may end it."""

    start: int
    ends: tuple[re.Pattern[str], ...] = (_OTHER_END, _HIDDEN_END)
    """What ends it; a line that is --- does so too, and before these where `usual`."""
    usual: bool = True
    kept: bool = False
    """Whether what ends it is a part of it."""


def cut_front(text: str, problems: list[SkillProblem]) -> Cut | None:
    """Cut a text whose lines end with LF; None where it has no front matter, with the problem that says why."""
    opening = _opening(text, problems)
    if opening is None:
        return None
    while (cut := _closed(text, opening, problems)) is not None:
        if text[cut.start : cut.end].strip() or _FIRST_FIELD.match(text, cut.body) is None:
            return cut
        problems.append(problem_of("frontmatter-late", cut.line, number=cut.line))  # two lines --- one below the other
        opening = _Opening(start=cut.body)
    return None


def odd_problems(found: str, line: int, column: int, what: str) -> Iterator[SkillProblem]:
    """A problem for each odd character of a text that begins at a place, both from 1; `what` says where it stands."""
    for odd in _ODD.finditer(found):
        char = character_named(odd.group())
        advice = "write a space" if _SPACE.match(odd.group()) else "remove it"
        yield problem_of("frontmatter-character", line, column + odd.start(), char=char, what=what, advice=advice)


# ---------------------------------------------------------------------------------------------------------------------


def _opening(text: str, problems: list[SkillProblem]) -> _Opening | None:
    if text.startswith("---\n"):
        return _Opening(start=4)
    above = _ABOVE.match(text)
    at = above.end() if above else 0
    opening = _OPENING.match(text, at)
    if opening is not None and (not text[:at].strip() or _FIRST_FIELD.match(text, opening.end())):
        return _usual(text, opening, problems)
    unusual = _unusual(text, at, problems)
    if unusual is None:
        problems.append(_missing(text))
    return unusual


def _usual(text: str, opening: re.Match[str], problems: list[SkillProblem]) -> _Opening:
    line = _line(text, opening.start())
    if line > 1:
        problems.append(problem_of("frontmatter-late", line, number=line))
    before, marks, after = opening.group("before", "marks", "after")
    problems += odd_problems(before, line, 1, "before the --- that begins the front matter")
    problems += odd_problems(after, line, len(before + marks) + 1, "after the --- that begins the front matter")
    indented = bool(before.strip(" \t") != before)
    if marks != "---" or (indented and not _ODD.search(before)):
        problems.append(_like(before + marks, line, "begins"))
    if not indented:
        return _Opening(start=opening.end())
    end = re.compile(rf"^(?P<marks>[ \t{_ANY_ODD}]{{0,{len(before)}}}-{{3,}})[ \t{_ANY_ODD}]*$", re.MULTILINE)
    return _Opening(start=opening.end(), ends=(end, _OTHER_END), usual=False)


def _unusual(text: str, at: int, problems: list[SkillProblem]) -> _Opening | None:
    """What looks like a delimiter and stands above a name or a description; or one of the two without any."""
    line = _line(text, at)
    like = _LIKE_OPENING.match(text, at)
    if like is not None:
        if line > 1:
            problems.append(problem_of("frontmatter-late", line, number=line))
        problems.append(_like(like.group("marks"), line, "begins"))
        return _Opening(start=like.end(), ends=(_LIKE_CLOSING,), usual=False)
    if _FIRST_FIELD.match(text, at) is None:
        return None
    fence = _FENCE.search(text, text.rfind("\n", 0, max(at - 1, 0)) + 1, at)
    if fence is not None and _FENCE_END.search(text, at):
        problems.append(_like(fence.group().strip(), line - 1, "begins"))
        return _Opening(start=at, ends=(_FENCE_END,), usual=False)
    if text.startswith("{", at):
        ends, what = (_BRACE_END,), "a line }"
    else:
        ends, what = (_LIKE_CLOSING,), "a line ---"
    if ends[0].search(text, at) is None:
        return None
    problems.append(problem_of("frontmatter-unopened", line, what=what))
    return _Opening(start=at, ends=ends, usual=False, kept=text.startswith("{", at))


def _missing(text: str) -> SkillProblem:
    first = text.lstrip().partition("\n")[0]
    strange = _STRANGE.search(first) if "-" in first[:8] else None
    if strange is not None:
        why = f"the first line holds the character {character_named(strange.group())}"
        return problem_of("frontmatter-missing", 1, strange.start() + 1, why=why)
    why = "the first line is not ---" if text.strip() else "the file is empty"
    return problem_of("frontmatter-missing", why=why)


def _closed(text: str, opening: _Opening, problems: list[SkillProblem]) -> Cut | None:
    """The front matter with its end. Only a line that is --- counts; where there is none, one that is like it."""
    start = opening.start
    line = _line(text, start)
    if opening.usual:
        at = start - 1
        while (at := text.find("\n---", at)) >= 0:
            after = text.find("\n", at + 4)
            rest = text[at + 4 : after] if after >= 0 else text[at + 4 :]
            if not rest.strip(" \t") or not _ODD.sub("", rest).strip(" \t"):
                number = line + text.count("\n", start, at + 1)
                problems += odd_problems(rest, number, 4, "after the --- that ends the front matter")
                return Cut(start=start, line=line, end=at + 1, body=after + 1 if after >= 0 else len(text))
            at += 4
    end = next((found for pattern in opening.ends if (found := pattern.search(text, start)) is not None), None)
    if end is None:
        problems.append(problem_of("frontmatter-unclosed", max(line - 1, 1)))
        return None
    number = line + text.count("\n", start, end.start())
    after = min(end.end() + 1, len(text))
    if opening.kept:
        return Cut(start=start, line=line, end=after, body=after)
    odd = [*odd_problems(end.group(), number, 1, "beside the --- that ends the front matter")]
    marks = end.group("marks")
    if odd:
        problems += odd
    elif marks != "---":
        problems.append(_like(marks, number, "ends"))
    return Cut(start=start, line=line, end=end.start(), body=after)


def _like(found: str, line: int, what: str) -> SkillProblem:
    shown = visible(found) if found.strip() == found else f"'{visible(found)}'"
    return problem_of("frontmatter-delimiter", line, found=shown, what=what)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
