"""What can be repaired without knowing more than the file says, one problem at a time.

A repair gives the new bytes, or None where it would have to guess. It changes the characters that are wrong, no other.
"""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from prowess.skillmd.document import SkillProblem
from prowess.skillmd.frontmatter.delimiters import ODD
from prowess.skillmd.frontmatter.mending import mend
from prowess.skillmd.frontmatter.source import BYTE_ORDER_MARK, WIDE_MARKS
from prowess.skillmd.names import is_standard_name, registry_name
from prowess.skillmd.tools import listed_tools, read_tools
from prowess.skillmd.writing.draft import Draft
from prowess.skillmd.writing.scalars import in_quotes, written_text
from prowess.yamltext.characters import CONTROLS
from prowess.yamltext.nodes import Scalar, Sequence, plain

if TYPE_CHECKING:
    from prowess.model.json_value import Json

__all__ = ["PLACED", "REPAIRS", "Damage", "Repair"]

_ODD = re.compile(f"[{ODD}{CONTROLS}]")
_ENDED = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


class Damage(Struct, frozen=True, kw_only=True):
    """One problem of one file."""

    data: bytes
    problem: SkillProblem
    folder: str | None

    @property
    def draft(self) -> Draft:
        """The file as something to change."""
        return Draft(self.data)


Repair: TypeAlias = Callable[[Damage], bytes | None]


def _mark(damage: Damage) -> bytes | None:
    data = damage.data
    while data.startswith(BYTE_ORDER_MARK):
        data = data.removeprefix(BYTE_ORDER_MARK)
    return data


def _encoding(damage: Damage) -> bytes | None:
    wide = WIDE_MARKS.get(damage.data[:2])
    try:
        return damage.data[2:].decode(wide).encode() if wide is not None else None
    except UnicodeDecodeError:
        return None


def _line_ends(damage: Damage) -> bytes | None:
    """Like most of the lines."""
    crlf = damage.data.count(b"\r\n")
    unix = damage.data.replace(b"\r\n", b"\n")
    return unix.replace(b"\n", b"\r\n") if 2 * crlf > unix.count(b"\n") else unix


def _returns(damage: Damage) -> bytes | None:
    return damage.data.replace(b"\r", b"\n")


def _above(damage: Damage) -> bytes | None:
    """Without the blank lines above the front matter, and a --- that stands twice."""
    draft = damage.draft
    above, front = draft.text[: draft.source.start], draft.text[draft.source.start :]
    lines = _ODD.sub("", above).split()
    return (
        draft.written(f"---{draft.line_end}{front}") if set(lines) == {"---"} else None
    )  # what else is there is somebody's


def _delimiter(damage: Damage) -> bytes | None:
    draft = damage.draft
    lines = _ENDED.findall(draft.text)
    line = lines[damage.problem.line - 1]
    lines[damage.problem.line - 1] = "---" + line[len(line.rstrip("\r\n")) :]
    return draft.written("".join(lines))


def _character(damage: Damage) -> bytes | None:
    """Without what cannot be seen, around the delimiters; inside the front matter it is mended."""
    draft = damage.draft
    number = damage.problem.line
    lines = _ENDED.findall(draft.text)
    inside = draft.source.start <= sum(map(len, lines[: number - 1])) < draft.source.end
    if inside:
        return _yaml(damage)
    lines[number - 1] = _ODD.sub("", lines[number - 1])
    return draft.written("".join(lines))


def _unopened(damage: Damage) -> bytes | None:
    """With a --- above the fields; what is in braces has its own end."""
    draft = damage.draft
    start = draft.source.start
    if draft.between(0, 1) == "{":
        end = draft.source.end
        text = draft.text[start:end]
        below = f"---{draft.line_end}" if text.endswith("\n") else f"{draft.line_end}---"
        return draft.written(f"{draft.text[:start]}---{draft.line_end}{text}{below}{draft.text[end:]}")
    return draft.written(f"{draft.text[:start]}---{draft.line_end}{draft.text[start:]}")


def _yaml(damage: Damage) -> bytes | None:
    """The lines that a reader used in place of these, but for those that it left out."""
    draft = damage.draft
    front = draft.between(0)
    if not draft.source.usable or front != draft.source.front:
        return None  # bytes that are no text: which characters they stand for is not known
    mended = mend(front, draft.source.line)
    parts = front.split("\n")
    kept = [*(f"{part}\n" for part in parts[:-1]), parts[-1]]
    lines = [kept[at] if at in mended.blanked else line for at, line in enumerate(mended.lines)]
    return draft.put(0, len(front), "".join(lines))


def _name(damage: Damage) -> bytes | None:
    """The folder's name where there is none, or where the one there is was meant to be it."""
    draft = damage.draft
    if damage.folder is None or not is_standard_name(damage.folder) or draft.root is None:
        return None
    field = draft.field("name")
    if field is None:
        return draft.put(0, 0, f"name: {written_text(damage.folder)}{draft.line_end}")
    key, value = field
    if not isinstance(value, Scalar) or (value.text.strip() and registry_name(value.text) != damage.folder):
        return None
    space = "" if value.start > key.end + 1 else " "
    return draft.put(value.start, value.end, f"{space}{written_text(damage.folder)}")


def _description(damage: Damage) -> bytes | None:
    """Without the white space inside its quotes."""
    draft = damage.draft
    value = draft.scalar_at(damage.problem.line, damage.problem.column)
    text = draft.between(value.start, value.end) if value is not None else ""
    if value is None or not text.startswith(value.style):  # it begins with a tag or an anchor
        return None
    simple = "\\" not in text or value.style == "'"
    quoted = f"{text[0]}{text[1:-1].strip()}{text[-1]}" if simple else in_quotes(value.text.strip())
    return draft.put(value.start, value.end, quoted)


def _quotes(damage: Damage) -> bytes | None:
    draft = damage.draft
    value = draft.scalar_at(damage.problem.line, damage.problem.column)
    if value is None or value.style or draft.between(value.start, value.end) != value.text:
        return None
    return draft.put(value.start, value.end, in_quotes(value.text))


def _spelling(damage: Damage) -> bytes | None:
    draft = damage.draft
    key = draft.scalar_at(damage.problem.line, damage.problem.column)
    if key is None or draft.between(key.start, key.end) != key.text:
        return None
    return draft.put(key.start, key.end, damage.problem.field or key.text)


def _duplicate(damage: Damage) -> bytes | None:
    """Without the fields that say the same as one of that name above them."""
    draft = damage.draft
    if draft.root is None:
        return None
    pairs, text = draft.root.pairs, draft.between(0)
    ends = [*(key.start for key, _ in pairs[1:]), len(text)]
    seen: dict[str, Json] = {}
    kept: list[str] = [text[: pairs[0][0].start]]
    for (key, value), end in zip(pairs, ends, strict=True):
        lines = text[key.start : end]
        same = isinstance(key, Scalar) and key.text in seen and seen[key.text] == plain(value)
        if not (same and "#" not in lines and text[: key.start].endswith(("\n", "\r"))):
            kept.append(lines)
        if isinstance(key, Scalar):
            seen[key.text] = plain(value)
    return draft.put(0, len(text), "".join(kept))


def _tools(damage: Damage) -> bytes | None:
    """Each tool once, separated by spaces."""
    draft = damage.draft
    key, value = draft.field(damage.problem.field or "") or (None, None)
    if isinstance(value, Scalar):
        tools = read_tools(value.text).tools
    elif isinstance(value, Sequence) and all(isinstance(item, Scalar) for item in value.items):
        tools = listed_tools(item.text for item in value.items if isinstance(item, Scalar)).tools
    else:
        return None
    text, end = " ".join(tools), draft.end_of(value)
    if key is None or read_tools(text).tools != tools or "#" in draft.between(key.end, end):
        return None
    return draft.put(key.end, end, f": {written_text(text)}")


REPAIRS: Mapping[str, Repair] = {
    "file-encoding": _encoding,
    "file-mark": _mark,
    "file-returns": _returns,
    "file-line-ends": _line_ends,
    "frontmatter-character": _character,
    "frontmatter-unopened": _unopened,
    "frontmatter-late": _above,
    "frontmatter-delimiter": _delimiter,
    "file-control": _yaml,
    "frontmatter-tab": _yaml,
    "frontmatter-layout": _yaml,
    "frontmatter-quotes": _yaml,
    "field-spelling": _spelling,
    "field-duplicate": _duplicate,
    "name-missing": _name,
    "name-grammar": _name,
    "description-space": _description,
    "value-unquoted": _quotes,
    "version-unquoted": _quotes,
    "yaml-anchor": _quotes,
    "yaml-tag": _quotes,
    "tools-form": _tools,
    "tools-duplicate": _tools,
}
"""By their codes, in the order in which they are made: first what keeps the rest from being seen."""

PLACED = frozenset(
    {
        *(
            "frontmatter-character",
            "frontmatter-delimiter",
            "field-spelling",
            "description-space",
            "value-unquoted",
            "version-unquoted",
        ),
        *("yaml-anchor", "yaml-tag", "tools-form", "tools-duplicate"),
    }
)
"""Problems whose repair is made at their place; the others are repaired all at once."""
