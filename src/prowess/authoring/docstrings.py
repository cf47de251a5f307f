"""Docstrings in the styles of Google, NumPy and Sphinx: what a function does, and what each parameter means.

By hand, because it has to be quick to import and may never raise: `docstring_parser` imports for as long as the rest of
authoring, and raises on text that it does not know; `griffe` costs several times that.
"""

import inspect
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

__all__ = ["Docstring", "read_docstring"]

_PARAMETERS = frozenset(
    (
        *("args", "arguments", "attributes", "keyword args", "keyword arguments"),
        *("other parameters", "parameters", "params"),
    )
)
_RESULTS = frozenset(
    ("except", "exceptions", "raises", "receives", "return", "returns", "warns", "yield", "yields"),
)
_PROSE = frozenset(
    ("example", "examples", "note", "notes", "references", "see also", "todo", "warning", "warnings"),
)
_FIELD_PARAMETERS = frozenset(
    ("arg", "argument", "attribute", "ivar", "key", "keyword", "kwarg", "param", "parameter", "var"),
)
_FIELD_RESULTS = frozenset(
    (
        *("except", "exception", "meta", "raise", "raises", "return", "returns", "rtype"),
        *("type", "vartype", "yield", "yields", "ytype"),
    )
)

_GOOGLE_HEADER = re.compile(r"([A-Za-z][A-Za-z ]*):\s*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[^`]*$")
_UNDERLINE = re.compile(r"\s*[-=~]{3,}\s*")
_GOOGLE_ITEM = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*?\)\s*)?:(?:\s+(.*))?")
_NUMPY_ITEM = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
_FIELD = re.compile(r"[:@](\w+)(?:\s+([^:]*))?:(?:\s+(.*))?")


class Docstring(Struct, frozen=True):
    """What a docstring says."""

    description: str = ""
    """Everything but the sections about parameters, results and errors."""
    parameters: Mapping[str, str] = {}


def read_docstring(text: str | None) -> Docstring:
    """Read a docstring of whatever style; never raises, and what is not understood stays in the description."""
    if not text:
        return Docstring()
    lines = _indented(inspect.cleandoc(text).splitlines())
    prose: list[str] = []
    parameters: dict[str, str] = {}
    at = 0
    while at < len(lines):
        end = _end_of_fence(lines, at)
        if end is None:
            end = _google(lines, at, parameters) or _numpy(lines, at, parameters) or _field(lines, at, parameters)
            prose += [] if end else [lines[at]]
        else:
            prose += lines[at:end]
        at = end or at + 1
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(prose)).strip()
    return Docstring(description, {name: words for name, words in parameters.items() if words})


# ---------------------------------------------------------------------------------------------------------------------
# One function for each style: where it finds a section at a line, it reads it and says where the section ends.


def _indented(lines: list[str]) -> list[str]:
    """The lines, what follows a section's name in the first one indented: cleaning took it for the text's margin."""
    header = _GOOGLE_HEADER.fullmatch(lines[0]) if lines else None
    if header is None or header[1].lower() not in _PARAMETERS | _RESULTS:
        return lines
    end = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    if not all(_GOOGLE_ITEM.fullmatch(line) or line.startswith(" ") for line in lines[1:end]):
        return lines
    return [lines[0], *(f" {line}" for line in lines[1:end]), *lines[end:]]


def _end_of_fence(lines: Sequence[str], at: int) -> int | None:
    """The line after a block of code that begins here; what stands in it documents nothing."""
    fence = _FENCE.match(lines[at])
    if fence is None:
        return None
    closing = (here + 1 for here in range(at + 1, len(lines)) if lines[here].strip() == fence[1])
    return next(closing, len(lines))


def _google(lines: Sequence[str], at: int, parameters: dict[str, str]) -> int | None:
    header = _GOOGLE_HEADER.fullmatch(lines[at].strip())
    name = header[1].lower() if header else ""
    if name not in _PARAMETERS | _RESULTS:
        return None
    end = _end_of_indented(lines, at)
    block = [line for line in lines[at + 1 : end] if line.strip()]
    if not block:
        return None
    if name in _PARAMETERS:
        _read_items(block, parameters)
    return end


def _read_items(block: Sequence[str], parameters: dict[str, str]) -> None:
    margin = _indent(block[0])
    current: str | None = None
    for line in block:
        item = _GOOGLE_ITEM.fullmatch(line.strip()) if _indent(line) <= margin else None
        if item:
            current = str(item[1])
            parameters[current] = (item[2] or "").strip()
        elif current:
            parameters[current] = f"{parameters[current]} {line.strip()}".strip()


def _numpy(lines: Sequence[str], at: int, parameters: dict[str, str]) -> int | None:
    name = _numpy_header(lines, at)
    if name not in _PARAMETERS | _RESULTS:
        return None
    end = next((here for here in range(at + 2, len(lines)) if _numpy_header(lines, here)), len(lines))
    if name in _PARAMETERS:
        _read_numpy_items(lines[at + 2 : end], _indent(lines[at]), parameters)
    return end


def _numpy_header(lines: Sequence[str], at: int) -> str:
    """The section that starts here; a name alone is no section, it needs its underline."""
    underlined = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1])
    name = lines[at].strip().lower()
    return name if underlined and name in _PARAMETERS | _RESULTS | _PROSE else ""


def _read_numpy_items(block: Sequence[str], margin: int, parameters: dict[str, str]) -> None:
    names: list[str] = []
    for line in block:
        item = _NUMPY_ITEM.fullmatch(line.strip()) if _indent(line) <= margin else None
        if item:
            names = [name.strip(" *") for name in item[1].split(",")]
            parameters.update(dict.fromkeys(names, ""))
        elif line.strip():
            parameters.update({name: f"{parameters[name]} {line.strip()}".strip() for name in names})


def _field(lines: Sequence[str], at: int, parameters: dict[str, str]) -> int | None:
    field = _FIELD.fullmatch(lines[at].strip())
    if field is None or field[1] not in _FIELD_PARAMETERS | _FIELD_RESULTS:
        return None
    end = _end_of_indented(lines, at)
    named = (field[2] or "").split()
    if field[1] in _FIELD_PARAMETERS and named:
        name = named[-1].strip("*")
        words = [field[3] or "", *lines[at + 1 : end]]
        parameters[name] = " ".join(word.strip() for word in words if word.strip())
    return end


def _end_of_indented(lines: Sequence[str], at: int) -> int:
    """The line after those that are indented more than this one; blank lines between them belong to them."""
    margin = _indent(lines[at])
    here = end = at + 1
    while here < len(lines) and (not lines[here].strip() or _indent(lines[here]) > margin):
        here += 1
        end = here if lines[here - 1].strip() else end
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
