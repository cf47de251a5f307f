"""Front matter that is no YAML, mended as its author meant it: text put in quotes, tabs and controls made spaces.

It works line by line and keeps their number, so that places hold and `fix` can write the very lines that a reader used.
What cannot be mended is blanked out field by field, so that one bad field does not hide the others.
"""

import re
from itertools import pairwise

from msgspec import Struct

from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import SkillProblem
from prowess.skillmd.fields import STANDARD, meant
from prowess.skillmd.frontmatter.delimiters import ODD, odd_problems
from prowess.yamltext.characters import COLONS, SPACES, character_named
from prowess.yamltext.nodes import Mapping
from prowess.yamltext.reading import YamlCode, YamlProblem, read_yaml

__all__ = ["Mended", "mend"]

_CONTROL = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_TAB_INDENT = re.compile(r"[ ]*\t[ \t]*(?=\S)")
_KEY = re.compile(r"[ ]*(?:- +)*(?P<key>[^\s#'\"\[\]{}&*!|>%@`:-][^:#\n]{0,60}?)[ ]*:(?:[ \t]+|(?=\r?\n)|\Z)")
_ITEM = re.compile(r"[ ]*(?:- +)+")
_INDENTED_FIELD = re.compile(rf"(?P<indent>[ ]+)(?P<key>{'|'.join(sorted(STANDARD))}):(?:\s|\Z)")
_MARKS = "*`\"'\u201c\u201d"
_BULLETS = "-*+\u2022"
_MEANT_FIELD = re.compile(
    rf"(?P<bullet>[{_BULLETS}] +)?[{_MARKS}]*(?P<key>[\w-]+)(?P<gap>[{_MARKS} \t{ODD}]*)"
    rf"(?P<colon>[:={COLONS}])(?:[{_MARKS}]+(?=[ \t]))?(?P<rest>[ \t{ODD}]*)"
)
"""A field at the left, with all that authors, word processors and other formats make of it."""
_FIELD_AS_IT_IS = re.compile(r"[\w-]+:(?:[ \t]|\r?\n|\Z)")
_COLON = re.compile(f"[{COLONS}]")
_ODD_INDENT = re.compile(rf"[ \t]*[{ODD}][ \t{ODD}]*")
_ODD_GAP = re.compile(rf"(?P<head>[ ]*(?:- +)*[\w-]+[ ]*:)(?P<odd>[ \t]*[{SPACES}][ \t{ODD}]*)")
_SPACES = re.compile(f"[{SPACES}]")
_NO_FIELD = re.compile(r"(?:<!--.*-->|`{3,}[\w-]*|~{3,}[\w-]*|<{7} .*|={7}|>{7} .*)[ \t]*\r?\n?", re.ASCII)
"""A comment of HTML, the fence of a block of code, what a merge leaves behind."""
_BLOCK_SIGN = re.compile(r"[|>][-+1-9]{0,2}(?=\s|\Z)[ \t]*")
_NO_FIELDS = YamlProblem(code=YamlCode.SYNTAX, message="it is no 'name: value'", line=1, column=1)
_TEXTS = frozenset({"name", "description", "license", "compatibility", "when_to_use", "argument-hint"})
_MOST_BLOCKS = 300
_MOST_TRIES = 40


class Mended(Struct, frozen=True, kw_only=True):
    """What became of a front matter."""

    root: Mapping | None
    """None where it could not be mended."""
    lines: list[str]
    """As many as there were, with their ends."""
    text: str
    """All of them, which the places in `root` are in."""
    blanked: frozenset[int]
    """The numbers, from 0, of lines that were left out and are not to be written so."""
    told: tuple[YamlProblem, ...] = ()
    """What reading the mended text told."""
    problems: tuple[SkillProblem, ...] = ()


def mend(front: str, first_line: int) -> Mended:
    """Mend a front matter whose first line has that number in its file."""
    mender = _Mender(front, first_line)
    mender.mend()
    text = "".join(mender.lines)
    reading = read_yaml(text, first_line=first_line)
    root = reading.root if isinstance(reading.root, Mapping) else None
    return Mended(
        root=root,
        lines=mender.lines,
        text=text,
        blanked=frozenset(mender.blanked),
        told=reading.problems,
        problems=tuple(mender.problems),
    )


# ---------------------------------------------------------------------------------------------------------------------


class _Mender:
    """The lines while they are mended."""

    def __init__(self, front: str, first_line: int) -> None:
        parts = front.split("\n")
        self.lines = [*(f"{part}\n" for part in parts[:-1]), parts[-1]]
        self.first_line = first_line
        self.blanked: set[int] = set()
        self.problems: list[SkillProblem] = []

    def mend(self) -> None:
        """Go from what hurts least to what hurts most, and stop as soon as it can be read."""
        self._clean()
        if self._fault(0, len(self.lines)) is None:
            return
        self._straighten()
        self._leave_out()
        blocks = self._blocks()
        if len(blocks) <= _MOST_BLOCKS:
            for start, end in blocks:
                self._mend_block(start, end)

    def _clean(self) -> None:
        """Spaces for what YAML forbids: control characters anywhere, tabs that indent."""
        for at, line in enumerate(self.lines):
            odd = _ODD_INDENT.match(line)
            if odd is not None:
                self._tell_odd(odd.group(), at, 0, "at the beginning of the line")
            control = _CONTROL.search(line, odd.end() if odd is not None else 0)
            if control is not None:
                number = ord(control.group())
                self._tell("file-control", at, control.start(), where="front matter", number=number)
            spaced = line if odd is None else _without_odd(odd.group()) + line[odd.end() :]
            cleaned = _CONTROL.sub(" ", spaced)
            tabs = _TAB_INDENT.match(cleaned)
            if tabs is not None:
                self._tell("frontmatter-tab", at, tabs.group().index("\t"))
                cleaned = tabs.group().replace("\t", "  ") + cleaned[tabs.end() :]
            self.lines[at] = cleaned

    def _straighten(self) -> None:
        """Write the fields at the left as fields: what stands around their names and colons is not always YAML."""
        top = next((at for at, line in enumerate(self.lines) if line.strip() and not line.startswith("#")), 0)
        first = _MEANT_FIELD.match(self.lines[top].lstrip())
        equals = first is not None and first.group("colon") == "="
        bullets = first is not None and first.group("bullet") is not None
        for at, line in enumerate(self.lines):
            field = None if _FIELD_AS_IT_IS.match(line) else _MEANT_FIELD.match(line)
            if field is None or (meant(field.group("key")) is None and not equals):
                continue
            if (field.group("colon") == "=" and not equals) or (field.group("bullet") and not bullets):
                continue
            self._tell_field(field, at)
            self.lines[at] = f"{field.group('key')}: {line[field.end() :].lstrip(' ')}"
        self._move_left(top)

    def _tell_field(self, field: re.Match[str], at: int) -> None:
        key, colon = field.group("key", "colon")
        told = len(self.problems)
        self._tell_odd(field.group("gap"), at, field.start("gap"), f"after the name of '{key}'")
        if _COLON.match(colon):
            what = f"after '{key}', and is read as a colon"
            char = character_named(colon)
            self._tell("frontmatter-character", at, field.start("colon"), char=char, what=what, advice="write a colon")
        self._tell_odd(field.group("rest"), at, field.start("rest"), f"after the colon of '{key}'")
        if told == len(self.problems):
            glued = field.end("colon") == len(field.group())
            marked = field.start("key") > 0 or field.end("key") < field.start("colon") or not glued
            what = "written with =" if colon == "=" else "marked like text" if marked else "written without a space"
            self._tell("frontmatter-layout", at, 0, field=key, what=what)

    def _move_left(self, top: int) -> None:
        """The first fields, where they are indented and those below them are not."""
        indent = _indent(self.lines[top])
        below = next((at for at in range(top, len(self.lines)) if _FIELD_AS_IT_IS.match(self.lines[at])), None)
        if not indent or below is None:
            return
        for at in range(top, below):
            self.lines[at] = self.lines[at][min(indent, _indent(self.lines[at])) :]
        key = _head_of(self.lines[top]).strip().rstrip(":")
        self._tell("frontmatter-layout", top, 0, field=key, what="indented like a part of another")

    def _leave_out(self) -> None:
        """Blank out lines that are no fields and no text of one."""
        known = False
        named = False
        for at, line in enumerate(self.lines):
            left = line[:1].strip() and not line.startswith("#")
            field = left and _is_field(line)
            if field:
                known, named = True, line.startswith("name:")
            elif left and (_NO_FIELD.fullmatch(line) or not known or named) and not line.startswith(("{", "[", "}")):
                self._tell("frontmatter-text", at, 0)
                self._blank(at, at + 1)

    def _blank(self, start: int, end: int) -> None:
        self.lines[start:end] = ["\n" if line.endswith("\n") else "" for line in self.lines[start:end]]
        self.blanked.update(range(start, end))

    def _blocks(self) -> list[tuple[int, int]]:
        """The lines of each top-level field; what is no field belongs to the one above it."""
        content = next((line for line in self.lines if line.strip() and not line.startswith("#")), "")
        indent = _indent(content)
        starts = [at for at, line in enumerate(self.lines) if _indent(line) == indent and _is_field(line)]
        return list(pairwise([*starts, len(self.lines)]))

    def _mend_block(self, start: int, end: int) -> None:
        fault = self._fault(start, end)
        if fault is None:
            return
        inside = self._field_inside(start, end)
        if inside is not None:
            self._mend_block(start, inside)
            self._mend_block(inside, end)
            return
        before = self.lines[start:end]
        head = _head_of(before[0])
        key = head.strip().rstrip(":").rstrip()
        if before[0][len(head) :].strip():
            self._quote(start, end)
        else:
            self._space_within(start, end)
            if self._fault(start, end) is None:
                return
            self._quote_within(start, end)
            if key in _TEXTS and self._fault(start, end) is not None:
                self.lines[start:end] = before
                self._quote(start, end)
        if self._fault(start, end) is None:
            line, column = self._place(fault, start)
            self._tell("frontmatter-quotes", line, column, field=key, why=fault.message)
            return
        self.lines[start:end] = before
        self._blank(start, end)
        self._tell("field-unreadable", start, 0, field=key, why=fault.message)

    def _field_inside(self, start: int, end: int) -> int | None:
        """The line of a field that was indented by mistake, with it and all below it moved to the left."""
        for at in range(start + 1, end):
            field = _INDENTED_FIELD.match(self.lines[at])
            if field is not None and self.lines[start][len(_head_of(self.lines[start])) :].strip():
                size = len(field.group("indent")) - _indent(self.lines[start])
                for below in range(at, end):
                    self.lines[below] = self.lines[below][min(size, _indent(self.lines[below])) :]
                self._tell(
                    "frontmatter-layout", at, 0, field=field.group("key"), what="indented like a part of another"
                )
                return at
        return None

    def _quote(self, start: int, end: int) -> None:
        """Put the value that begins in the first line in quotes, down to its last line."""
        while end > start + 1 and not self.lines[end - 1].strip():
            end -= 1
        first = self.lines[start]
        head = _head_of(first)
        sign = _BLOCK_SIGN.match(first, len(head))
        value = [first[sign.end() if sign else len(head) :], *self.lines[start + 1 : end]]
        self.lines[start:end] = _in_quotes(head if head.endswith((" ", "\t")) else f"{head} ", value)

    def _space_within(self, start: int, end: int) -> None:
        """Put a space after the colons of a nested value that have something else."""
        for at in range(start + 1, end):
            gap = _ODD_GAP.match(self.lines[at])
            if gap is not None:
                self._tell_odd(gap.group("odd"), at, gap.start("odd"), "after a colon")
                self.lines[at] = f"{gap.group('head')} {self.lines[at][gap.end() :]}"

    def _quote_within(self, start: int, end: int) -> None:
        """Put single lines of a nested value in quotes, each where YAML stumbles, until it no longer does."""
        tried: set[int] = set()
        while len(tried) < _MOST_TRIES and (fault := self._fault(start, end)) is not None:
            stumbled = min(start + fault.line - 1, end - 1)
            at = next((at for at in range(stumbled, start, -1) if at not in tried and _value_in(self.lines[at])), None)
            if at is None:
                return
            tried.add(at)
            head = _inner_head(self.lines[at])
            self.lines[at] = _in_quotes(head, [self.lines[at][len(head) :]])[0]

    def _fault(self, start: int, end: int) -> YamlProblem | None:
        """What keeps these lines from being fields."""
        reading = read_yaml("".join(self.lines[start:end]))
        if reading.broken:
            return reading.problems[-1]
        return None if reading.root is None or isinstance(reading.root, Mapping) else _NO_FIELDS

    def _place(self, fault: YamlProblem, start: int) -> tuple[int, int]:
        return min(start + fault.line - 1, len(self.lines) - 1), fault.column - 1

    def _tell_odd(self, found: str, line: int, column: int, where: str) -> None:
        self.problems += odd_problems(found, self.first_line + line, column + 1, where)

    def _tell(self, code: str, line: int, column: int, **words: object) -> None:
        self.problems.append(problem_of(code, self.first_line + line, column + 1, **words))


def _without_odd(found: str) -> str:
    """Spaces for what looks like one, nothing for what nobody sees."""
    return "".join(" " if _SPACES.match(char) else char if char in " \t" else "" for char in found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_field(line: str) -> bool:
    return not line.lstrip().startswith("-") and _KEY.match(line) is not None


def _head_of(line: str) -> str:
    """A field's name with all that stands before its value."""
    head = _KEY.match(line)
    return head.group() if head else ""


def _inner_head(line: str) -> str:
    """The same of a field or an item inside a value."""
    head = _KEY.match(line) or _ITEM.match(line)
    return head.group() if head else ""


def _value_in(line: str) -> str:
    head = _inner_head(line)
    return line[len(head) :].strip() if head else ""


def _in_quotes(prefix: str, value: list[str]) -> list[str]:
    """The lines of a value in quotes: double ones, or single ones where those would change what is written."""
    last = value[-1].rstrip()
    ending = value[-1][len(last) :]
    lines = [*value[:-1], last]
    quote = lines[0][:1]
    inner = "".join(lines)
    if quote and quote in "\"'":
        if len(inner) > 1 and inner.endswith(quote):
            lines[-1] = lines[-1][:-1]
            lines[0] = lines[0][1:]
        elif inner.count(quote) == 1:
            lines[0] = lines[0][1:]
    inner = "".join(lines)
    mark = "'" if '"' in inner or "\\" in inner else '"'
    if mark == "'":
        lines = [line.replace("'", "''") for line in lines]
    indented = [lines[0], *(line if line[:1] in {" ", "\n", "\r", ""} else f"  {line}" for line in lines[1:])]
    indented[0] = f"{prefix}{mark}{indented[0]}"
    indented[-1] = f"{indented[-1]}{mark}{ending}"
    return indented
