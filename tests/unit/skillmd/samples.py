"""SKILL.md texts that tests build on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.skillmd.reading import read_skill

if TYPE_CHECKING:
    from prowess.skillmd.document import SkillDocument, SkillReading

FOLDER = "pdf-tools"
NAME = "name: pdf-tools\n"
DESCRIPTION = "description: Reads PDF files.\n"
BODY = "# PDF tools\n"


def skill(front: str = "", body: str = BODY) -> str:
    """A sound skill with further lines in its front matter."""
    return f"---\n{NAME}{DESCRIPTION}{front}---\n{body}"


def front(text: str, body: str = BODY) -> str:
    """A skill with that front matter."""
    return f"---\n{text}---\n{body}"


def read(text: str | bytes, folder: str | None = FOLDER) -> SkillReading:
    """What is read from a text."""
    return read_skill(text.encode() if isinstance(text, str) else text, folder)


def document(text: str | bytes, folder: str | None = FOLDER) -> SkillDocument:
    """The document of a text that can be loaded."""
    found = read(text, folder).document
    assert found is not None
    return found


def codes(reading: SkillReading) -> list[str]:
    """The codes of its problems, in the order of the file."""
    return [problem.code for problem in reading.problems]
