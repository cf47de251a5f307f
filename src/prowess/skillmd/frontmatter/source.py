"""The bytes of a SKILL.md as text, and where its front matter begins and ends. Nothing is changed, so places hold."""

import re

from msgspec import Struct

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.frontmatter.delimiters import cut_front

__all__ = ["BYTE_ORDER_MARK", "SIZE_LIMIT", "WIDE_MARKS", "Source", "read_source"]

SIZE_LIMIT = 4_000_000
"""Bytes. Real ones have a hundredth of that; a larger file is refused before it is read, and again here."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""What files in UTF-16 begin with."""

_LOST = re.compile("[\udc80-\udcff]")


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
    cut = cut_front(lines, problems)
    if cut is None:
        return Source(text=text, problems=tuple(problems), usable=False)
    return Source(text=text, start=cut.start, end=cut.end, body=cut.body, line=cut.line, problems=tuple(problems))


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
