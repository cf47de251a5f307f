r"""Every page of this folder is run.

    ````skill folder=pdf-tools profile=claude file=skill.md kind=pipe escaped joined

A block is one SKILL.md, in a folder `pdf-tools` and under the standard's profile where nothing else is said.
`<9 times x>` stands for nine of them, `escaped` reads `\xe9` as that byte, `joined` leaves out the ends of lines,
`kind` makes something that is no file.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from prowess.catalog.skill_files import read_skill_file
from prowess.skillmd.codes import CODES
from prowess.skillmd.document import Severity, SkillProblem
from prowess.skillmd.profiles.checking import check
from prowess.skillmd.reading import read_skill

PAGES = sorted(Path(__file__).parent.glob("*.md"))
BLOCK = re.compile(r"^````skill(?P<words>[^\n]*)\n(?P<text>.*?)^````$", re.MULTILINE | re.DOTALL)
TIMES = re.compile(r"<(\d+) times (.*?)>")


@dataclass(frozen=True, slots=True)
class Example:
    """One SKILL.md of a page."""

    text: str
    words: dict[str, str] = field(default_factory=dict)

    def make(self, root: Path) -> Path:
        """Put it below a folder."""
        folder = root / self.words.get("folder", "pdf-tools")
        folder.mkdir()
        path = folder / self.words.get("file", "SKILL.md")
        kind = self.words.get("kind")
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "broken-link":
            path.symlink_to(folder / "nowhere.md")
        else:
            path.write_bytes(self.data)
        return path

    @property
    def data(self) -> bytes:
        """Its bytes."""
        text = self.text.replace("\n", "") if "joined" in self.words else self.text
        if "escaped" in self.words:
            return text.encode("latin-1").decode("unicode_escape").encode("latin-1")
        return text.encode()

    def problems(self, root: Path) -> list[SkillProblem]:
        """What is wrong with it."""
        path = self.make(root)
        data = read_skill_file(str(path))
        if isinstance(data, SkillProblem):
            return [data]
        folder = path.parent.name
        return [*check(read_skill(data, folder), self.words.get("profile", "agentskills"), folder, file_name=path.name)]


def examples(page: Path) -> list[Example]:
    """The skills of a page: one that fails, one that passes."""
    found: list[Example] = []
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        words = dict(word.partition("=")[::2] for word in shlex.split(grown(block.group("words"))))
        found.append(Example(grown(block.group("text")), words))
    return found


def grown(text: str) -> str:
    """A text with what stands for many of something."""
    return TIMES.sub(lambda found: found.group(2) * int(found.group(1)), text)


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    """Spec: each problem code has its page in `tests/skillmd/`."""
    assert [page.stem for page in PAGES] == sorted(CODES)


@pytest.mark.behaviour("skillmd.pages")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_failing_skill_has_exactly_that_problem_and_the_passing_one_no_error(page: Path, tmp_path: Path) -> None:
    """Spec: a failing and a passing skill."""
    failing, passing = examples(page)
    problems = failing.problems(tmp_path)
    assert {problem.code for problem in problems} == {page.stem}
    for folder in tmp_path.iterdir():
        folder.rename(tmp_path.parent / f"{tmp_path.name}-failing")
    left = passing.problems(tmp_path)
    assert [problem for problem in left if problem.severity is Severity.ERROR or problem.code == page.stem] == []


def test_every_code_stands_in_the_documentation() -> None:
    """Spec: the documentation fails on an undocumented error."""
    documentation = (Path(__file__).resolve().parents[2] / "docs" / "skills.md").read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in documentation] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_why(page: Path) -> None:
    """Choice: an author who looks a code up learns the reason."""
    title, why, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert title == f"# {page.stem}"
    assert len(why) > len(page.stem)
    assert why[-1] == "."


@pytest.mark.behaviour("skillmd.not-loadable")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem.startswith(("frontmatter", "description", "name"))]
)
def test_what_is_not_loadable_says_frontmatter_name_or_description(page: Path, tmp_path: Path) -> None:
    """Spec: the problem says `frontmatter`, `name` or `description`."""
    folder = "pdf-tools"
    reading = read_skill(examples(page)[0].data, folder)
    if reading.document is None:
        errors = [problem for problem in reading.problems if problem.severity is Severity.ERROR]
        assert errors != []
        for problem in errors:
            word = problem.code.partition("-")[0]
            assert word in {"frontmatter", "name", "description"}
            assert word.replace("frontmatter", "front matter") in problem.message
