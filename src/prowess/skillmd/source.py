"""The bytes of a SKILL.md as text, and where its front matter begins and ends. Nothing is changed, so places hold."""

import re

from msgspec import Struct

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem

__all__ = ["BYTE_ORDER_MARK", "SIZE_LIMIT", "WIDE_MARKS", "Source", "read_source"]

SIZE_LIMIT = 4_000_000
"""Bytes. Real ones have a hundredth of that; a larger file is refused before it is read, and again here."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""What files in UTF-16 begin with."""

_LOST = re.compile("[\udc80-\udcff]")
_ABOVE = re.compile(r"(?:\s*\n|[ \t]*<!--.*?-->|[ \t]*(?:`{3,}|~{3,})[\w \t-]*\n|# [^\n]*\n)*", re.ASCII | re.DOTALL)
"""What authors and their generators put above a front matter: comments, a title, the beginning of a block of code."""
_FIRST_FIELD = re.compile(r"(?:name|description)[ ]*:")
_DASHES = re.compile(r"-{3,}[ \t]*")
_OTHER_END = re.compile(r"^(?:-{4,}|\.\.\.)[ \t]*$", re.MULTILINE)


class Source(Struct, frozen=True, kw_only=True):
    """The text of a SKILL.md, cut into front matter and body."""

    text: str
    """All of it without its byte order mark; a byte that is no UTF-8 is U+FFFD. Lines may end with LF or CRLF."""
    start: int = 0
    """Where the front matter's first field line begins; with `end` 0 where there is none."""
    end: int = 0
    body: int = 0
    """Where the text below the front matter begins."""
    line: int = 1
    """The number of the front matter's first field line."""
    problems: tuple[SkillProblem, ...] = ()
    usable: bool = True
    """Whether there is a front matter from `start` to `end`."""

    @property
    def front(self) -> str:
        """The front matter without its delimiters."""
        return self.text[self.start : self.end]


def read_source(data: bytes) -> Source:
    """Decode and cut. Never raises for what a file may hold."""
    problems: list[SkillProblem] = []
    text = _decoded(data, problems)
    lines = text
    if "\r" in text:
        lines = text.replace("\r\n", " \n").replace("\r", "\n")  # of the same length, so that places hold
        if "\n" not in text:
            problems.append(problem_of("file-returns"))
            text = lines
        else:
            _check_line_ends(text, problems)
    opening = _opening(lines, problems)
    if opening is None:
        return Source(text=text, problems=tuple(problems), usable=False)
    start, line = opening
    end, body = _closing(lines, start, line, problems)
    if body is None:
        return Source(text=text, problems=tuple(problems), usable=False)
    return Source(text=text, start=start, end=end, body=body, line=line, problems=tuple(problems))


# ---------------------------------------------------------------------------------------------------------------------


def _decoded(data: bytes, problems: list[SkillProblem]) -> str:
    if data.startswith(BYTE_ORDER_MARK):
        problems.append(problem_of("file-mark"))
        data = data[len(BYTE_ORDER_MARK) :]
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        wide = WIDE_MARKS.get(data[:2])
        if wide is not None:
            problems.append(problem_of("file-encoding", what="it is UTF-16"))
            return data[2:].decode(wide, "replace")
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode(errors="replace")) + 1
        problems.append(problem_of("file-encoding", line, column, what=f"byte 0x{data[error.start]:02X} is not"))
        return _LOST.sub("\N{REPLACEMENT CHARACTER}", data.decode(errors="surrogateescape"))


def _check_line_ends(text: str, problems: list[SkillProblem]) -> None:
    crlf = text.count("\r\n")
    lf = text.count("\n") - crlf
    if lf and crlf:
        at = text.index("\r\n")
        if lf < crlf:
            at = text.replace("\r\n", "  ").index("\n")
        line = text.count("\n", 0, at) + 1
        problems.append(problem_of("file-line-ends", line, crlf=crlf, lf=lf))


def _opening(lines: str, problems: list[SkillProblem]) -> tuple[int, int] | None:
    """Where the first line below the opening delimiter begins, and its number."""
    if lines.startswith("---\n"):
        return 4, 2
    above = _ABOVE.match(lines)
    at = above.end() if above else 0
    dashes = _DASHES.match(lines, at)
    sure = dashes is not None and (not lines[:at].strip() or _FIRST_FIELD.match(lines, dashes.end() + 1))
    if dashes is None or not sure or lines[dashes.end() : dashes.end() + 1] not in {"\n", ""}:
        why = "the file is empty" if not lines.strip() else "the first line is not ---"
        problems.append(problem_of("frontmatter-missing", why=why))
        return None
    line = lines.count("\n", 0, at) + 1
    if line > 1:
        problems.append(problem_of("frontmatter-late", line, number=line))
    found = dashes.group().rstrip()
    if found != "---":
        problems.append(problem_of("frontmatter-delimiter", line, found=found, what="begins"))
    return min(dashes.end() + 1, len(lines)), line + 1


def _closing(lines: str, start: int, line: int, problems: list[SkillProblem]) -> tuple[int, int | None]:
    """Where the front matter ends and where the body begins; None for the latter where nothing ends it.

    Only a line that is --- counts; where there is none, a longer one or `...`, which ends a document in YAML.
    """
    at = start - 1
    while (at := lines.find("\n---", at)) >= 0:
        after = lines.find("\n", at + 4)
        rest = lines[at + 4 : after] if after >= 0 else lines[at + 4 :]
        if not rest.strip(" \t"):
            return at + 1, after + 1 if after >= 0 else len(lines)
        at += 4
    other = _OTHER_END.search(lines, start)
    if other is None:
        problems.append(problem_of("frontmatter-unclosed", max(line - 1, 1)))
        return start, None
    found = other.group().rstrip()
    number = line + lines.count("\n", start, other.start())
    problems.append(problem_of("frontmatter-delimiter", number, found=found, what="ends"))
    return other.start(), min(other.end() + 1, len(lines))
