"""The sections of a skill's Markdown, found when they are asked for."""

import re
from itertools import pairwise

from msgspec import Struct

__all__ = ["Section", "section", "sections"]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,2})(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*")


class Section(Struct, frozen=True, gc=False):
    """What stands below one heading of level two, down to the next of that level or above it."""

    title: str
    text: str
    """Without the heading; deeper headings are part of it."""
    line: int
    """The heading's, from 1, in the text that was cut."""


def sections(body: str) -> tuple[Section, ...]:
    """Every section in order; what stands above the first is in none. In a block of code no line is a heading."""
    lines: list[str] = _LINE.findall(body)
    headings = [*_headings(lines), (len(lines), None)]
    found: list[Section] = []
    for (at, title), (below, _) in pairwise(headings):
        if title is not None:
            found.append(Section(title, "".join(lines[at + 1 : below]).strip("\r\n"), at + 1))
    return tuple(found)


def section(body: str, title: str) -> str | None:
    """The text of the first section of that title, whatever its case and the signs in it; None where there is none."""
    wanted = _key(title)
    return next((found.text for found in sections(body) if _key(found.title) == wanted), None)


# ---------------------------------------------------------------------------------------------------------------------


def _headings(lines: list[str]) -> list[tuple[int, str | None]]:
    """Where headings of level one and two stand; a title only for those of level two."""
    found: list[tuple[int, str | None]] = []
    fence = ""
    for at, line in enumerate(lines):
        marks = _FENCE.match(line)
        if fence:
            if marks is not None and marks.group("marks").startswith(fence) and not marks.group("info").strip():
                fence = ""
        elif marks is not None and not (marks.group("marks")[0] == "`" and "`" in marks.group("info")):
            fence = marks.group("marks")
        elif (heading := _HEADING.fullmatch(line.rstrip("\r\n"))) is not None:
            title = (heading.group("title") or "").strip() if heading.group("marks") == "##" else None
            found.append((at, title))
    return found


def _key(title: str) -> str:
    """A title as words, without case and signs: `## 🚀 When to use:` is `when to use`."""
    return " ".join("".join(char if char.isalnum() else " " for char in title.casefold()).split())
