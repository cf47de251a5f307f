"""What the documentation has to mention, found in the code, and whether it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import fields
from starlette.routing import Route

from tests.docs.page import FENCE

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from starlette.routing import BaseRoute

    from prowess.errors import ProwessError

_SPAN = re.compile(r"`([^`\n]+)`")
_OPTION_LINE = re.compile(r"^ {2}(-.*)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_CHOICES = re.compile(r"\{([\w,-]+)\}")
_VARIABLE = re.compile(r"PROWESS_[A-Z]+(?:_[A-Z]+)*\b(?!\*)")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def missing(names: Iterable[str], page: str) -> list[str]:
    """Give the names that the page nowhere writes as code: in a block, or between backticks."""
    code = code_of(page)
    return [name for name in names if not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", code)]


def code_of(page: str) -> str:
    """Give all that a page writes as code."""
    found: list[str] = []
    for line, inside in _lines(page):
        found += [line] if inside else _SPAN.findall(line)
    return "\n".join(found)


def sections_about(page: str, name: str) -> str:
    """Give the sections of a page that mention a name as code: all that a reader finds about it."""
    return "".join(section for section in _sections(page) if not missing([name], section))


def rows_of(page: str) -> dict[str, list[str]]:
    """Give the rows of all tables of a page by the code in their first cell."""
    rows: dict[str, list[str]] = {}
    for line, inside in _lines(page):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not inside and cells and (code := _SPAN.fullmatch(cells[0])):
            rows[code[1]] = cells
    return rows


def options_of(parser: ArgumentParser) -> list[str]:
    """Give the options of a command, and the choices of its arguments."""
    text = parser.format_help()
    options = [option for line in _OPTION_LINE.findall(text) for option in _OPTION.findall(line)]
    choices = [choice for found in _CHOICES.findall(text) for choice in found.split(",")]
    return sorted({*options, *choices})


def settings_of(kind: type[Struct], prefix: str = "") -> dict[str, object]:
    """Give the path of every setting with its default, those of sections included."""
    found: dict[str, object] = {}
    for field in fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, Struct):
            found |= settings_of(field.type, f"{prefix}{field.name}.")
        else:
            found[prefix + field.name] = field.default
    return found


def variables_of(settings: Iterable[str], sources: Iterable[str]) -> list[str]:
    """Give every variable that steers us: one for each setting, and those that the sources name."""
    of_settings = {f"PROWESS_{path.replace('.', '_').upper()}" for path in settings}
    return sorted(of_settings.union(*(_VARIABLE.findall(source) for source in sources)))


def error_classes(root: type[ProwessError]) -> Iterator[type[ProwessError]]:
    """Give a class and all below it."""
    yield root
    for kind in root.__subclasses__():
        yield from error_classes(kind)


def error_row(kind: type[ProwessError], statuses: Mapping[str, int]) -> list[str]:
    """Give the cells that say what a program needs of an error: code, class, status, whether to try again."""
    tried_again = "yes" if kind.retryable else "no"
    return [f"`{kind.code}`", f"`{kind.__name__}`", str(statuses[kind.code]), tried_again]


def routes_of(routes: Iterable[BaseRoute]) -> list[str]:
    """Give method and path of each route as a page writes them."""
    return [
        f"{method} {re.sub(r':[a-z]+}', '}', route.path)}"
        for route in routes
        if isinstance(route, Route)
        for method in sorted(set(route.methods or ()) - {"HEAD"})
    ]


def broken_links(page: Path) -> list[str]:
    """Give the links of a page to files that are not there, and to headings that their page does not have."""
    found = _LINK.findall(page.read_text(encoding="utf-8"))
    return [link for link in found if "://" not in link and not _leads_somewhere(page, link)]


# ---------------------------------------------------------------------------------------------------------------------


def _lines(page: str) -> Iterator[tuple[str, bool]]:
    """Give each line, and whether it stands in a fenced block; not the fences."""
    fence = ""
    for line in page.splitlines():
        found = FENCE.match(line)
        if found and not fence:
            fence = found["fence"]
        elif fence and line.strip() == fence:
            fence = ""
        else:
            yield line, bool(fence)


def _sections(page: str) -> list[str]:
    """Give the sections of the second level, each with its fences: a `##` inside a block begins none."""
    sections = [""]
    inside = False
    for line in page.splitlines(keepends=True):
        inside ^= FENCE.match(line.rstrip("\n")) is not None
        if line.startswith("## ") and not inside:
            sections.append("")
        sections[-1] += line
    return sections


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists() or not anchor:
        return target.exists()
    lines = _lines(target.read_text(encoding="utf-8"))
    headings = [line.lstrip("#").strip() for line, inside in lines if line.startswith("#") and not inside]
    return anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
