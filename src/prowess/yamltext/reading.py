"""YAML text to a tree and a list of problems, from the events of PyYAML's C parser, and never through a loader.

A loader builds Python values: it turns `1.10` into 1.1 and a date into an object, keeps no places, and lets a few lines
of aliases fill the memory. Events keep what was written. Everything is bounded before it is built: characters, nodes,
depth, and what aliases add.
"""

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace
from yaml import events
from yaml._yaml import CParser
from yaml.error import MarkedYAMLError, YAMLError

from prowess.yamltext.characters import character_named
from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, scalar_value

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LENIENT", "STRICT", "Policy", "YamlCode", "YamlProblem", "YamlReading", "read_yaml"]

_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ALIAS = re.compile(r"(?<![^\s\[\]{},])\*([\w-]+)(?![^\s\[\]{},:])", re.ASCII)
_KINDS: dict[object, str] = {
    events.AliasEvent: "alias",
    events.ScalarEvent: "scalar",
    events.MappingStartEvent: "mapping",
    events.MappingEndEvent: "end",
    events.SequenceStartEvent: "sequence",
    events.SequenceEndEvent: "end",
    events.StreamEndEvent: "end of stream",
}
_STANDARD_TAGS = "tag:yaml.org,2002:"
_WORDS = {
    "mapping values are not allowed in this context": "a colon with a space begins a value, where none may begin",
    "did not find expected key": "something follows where a value has ended, or stands one column off",
    "could not find expected ':'": "a line holds text and no field, at the left of where its text may stand",
    "found character that cannot start any token": "a value begins with a character that means something else to YAML",
    "found unexpected end of stream": "a quote is opened and not closed",
    "did not find expected ',' or ']'": "a list in square brackets is not closed, or lacks a comma",
    "did not find expected ',' or '}'": "a mapping in braces is not closed, or lacks a comma",
    "did not find expected comment or line break": "text follows the sign of a block, | or >, on the same line",
    "did not find expected alphabetic or numeric character": "a value begins with * or &, which is no text to YAML",
}
"""What the parser says, in words that help an author."""
_UNCLOSED = frozenset(problem for problem, words in _WORDS.items() if "closed" in words)
"""Of these the place that helps is where it opens, not where the parser gave up."""
_MOST_PROBLEMS = 100
_SHOWN = 80


class Policy(Struct, frozen=True, kw_only=True):
    """How much a document may hold, and whether what makes YAML more than plain data is refused or told."""

    most_characters: int
    most_nodes: int
    most_levels: int
    plain_only: bool
    """Whether an alias, an anchor or a tag makes the document unusable."""
    most_expansions: int = 0
    """How many nodes aliases may stand for, those inside their targets included."""
    most_expanded: int = 0
    """How many characters these may come to."""


STRICT = Policy(most_characters=4_000_000, most_nodes=400_000, most_levels=64, plain_only=True)
"""For documents that somebody maintains by hand and governs by: no alias, anchor or tag."""
LENIENT = Policy(
    most_characters=256_000,
    most_nodes=20_000,
    most_levels=64,
    plain_only=False,
    most_expansions=100,
    most_expanded=64_000,
)
"""For the front matter of a SKILL.md: what is more than plain data is told and used."""


class YamlCode(StrEnum):
    """What can be wrong with YAML text."""

    SYNTAX = "syntax"
    CHARACTER = "character"
    TOO_LARGE = "too-large"
    TOO_DEEP = "too-deep"
    ALIAS = "alias"
    ANCHOR = "anchor"
    ALIASES = "aliases"
    TAG = "tag"
    DUPLICATE_KEY = "duplicate-key"
    SECOND_DOCUMENT = "second-document"


class YamlProblem(Struct, frozen=True, kw_only=True, gc=False):
    """One thing that is wrong with YAML text, and its place, both from 1."""

    code: YamlCode
    message: str
    line: int
    column: int
    key: str | None = None
    """The key that stands twice, where that is what is wrong."""


class YamlReading(Struct, frozen=True, kw_only=True):
    """The tree, None where there is none that the policy lets be used or where the text says nothing; the problems."""

    root: Node | None
    problems: tuple[YamlProblem, ...] = ()
    broken: bool = False
    """Whether a problem is the reason that there is no tree."""


def read_yaml(text: str, policy: Policy = LENIENT, first_line: int = 1) -> YamlReading:
    """Read one document; `first_line` is the number of the text's first line in the file it was taken from.

    Never raises for what a text may hold.
    """
    if len(text) > policy.most_characters:
        message = f"is larger than {policy.most_characters} characters"
        problem = YamlProblem(code=YamlCode.TOO_LARGE, message=message, line=first_line, column=1)
        return YamlReading(root=None, problems=(problem,), broken=True)
    reader = _Reader(policy, first_line)
    try:
        root = reader.document(text)
    except _BoundReachedError:
        return YamlReading(root=None, problems=tuple(reader.problems), broken=True)
    except (YAMLError, UnicodeEncodeError) as error:
        problem = _syntax_problem(error, text, first_line)
        return YamlReading(root=None, problems=(*reader.problems, problem), broken=True)
    broken = policy.plain_only and bool(reader.problems)
    return YamlReading(root=None if broken else root, problems=tuple(reader.problems), broken=broken)


# ---------------------------------------------------------------------------------------------------------------------


class _Mark(Protocol):
    index: int
    line: int
    column: int


class _Event(Protocol):
    """What is looked at of an event, where its kind has it."""

    start_mark: _Mark
    end_mark: _Mark
    anchor: str | None
    tag: str | None
    value: str
    style: str


class _BoundReachedError(Exception):
    """The way out of the recursion; the problem is in the list."""


class _Anchored(Struct, gc=False):
    """A node that aliases may stand for, and what each of them adds."""

    node: Node | None
    """None while it is being read."""
    expansions: int
    expanded: int


class _Reader:
    """One reading: it pulls events, builds nodes from the leaves up, and keeps count."""

    __slots__ = (
        "_aliased",
        "_anchors",
        "_expanded",
        "_expansions",
        "_first",
        "_left",
        "_levels",
        "_next",
        "_policy",
        "problems",
    )

    def __init__(self, policy: Policy, first_line: int) -> None:
        self._policy = policy
        self._aliased: frozenset[str] = frozenset()
        self._first = first_line
        self._left = policy.most_nodes
        self._levels = policy.most_levels
        self._anchors: dict[str, _Anchored] = {}
        self._expansions = 0
        self._expanded = 0
        self._next: Callable[[], _Event]
        self.problems: list[YamlProblem] = []

    def document(self, text: str) -> Node | None:
        """The root of the first document, None where there is nothing."""
        parser: Any = CParser(text)  # its stubs say that an event may lack a place, which those of this parser never do
        self._next = parser.get_event
        if "&" in text and "*" in text:
            self._aliased = frozenset(_ALIAS.findall(text))
        self._next()  # the stream begins
        if _KINDS.get(type(self._next())) == "end of stream":
            return None
        root = self._node(self._next())
        self._next()  # the document ends
        after = self._next()
        if _KINDS.get(type(after)) != "end of stream":
            self._tell(YamlCode.SECOND_DOCUMENT, "begins a second document, which is not read", after)
        return root

    def _node(self, event: _Event) -> Node:
        if _KINDS.get(type(event)) != "scalar" or event.tag is not None or event.anchor is not None:
            return self._unusual(event)
        self._count(event)
        start = event.start_mark
        return Scalar(
            event.value, event.style, start.line + self._first, start.column + 1, start.index, event.end_mark.index
        )

    def _unusual(self, event: _Event) -> Node:
        """A collection, an alias, or a scalar with more than its text."""
        if _KINDS.get(type(event)) == "alias":
            return self._alias(event)
        if event.tag is not None:
            self._tell(YamlCode.TAG, f"has the tag {_shown(event.tag)}", event)
        anchor = event.anchor
        if anchor is None:
            return self._collection(event)
        if self._policy.plain_only:
            self._tell(YamlCode.ALIAS, f"has the anchor &{_shown(anchor)}", event)
        elif anchor not in self._aliased:
            return self._unreferred(event, anchor)
        anchored = self._anchors[anchor] = _Anchored(None, self._expansions, self._expanded)
        node = self._collection(event)
        anchored.node = node
        anchored.expansions = self._expansions - anchored.expansions + 1
        anchored.expanded = self._expanded - anchored.expanded + node.end - node.start
        return node

    def _unreferred(self, event: _Event, anchor: str) -> Node:
        """What has an anchor to which no alias refers: in a plain text, `&more to come` is how it begins."""
        self._tell(YamlCode.ANCHOR, f"nothing refers to the anchor &{_shown(anchor)}", event)
        node = self._collection(event)
        if isinstance(node, Scalar) and not node.style and (not node.text or isinstance(scalar_value(node), str)):
            return replace(node, text=f"&{anchor} {node.text}".rstrip())
        return node

    def _collection(self, event: _Event) -> Node:
        self._count(event)
        start = event.start_mark
        line, column = start.line + self._first, start.column + 1
        if _KINDS.get(type(event)) == "scalar":
            tag = event.tag
            own = tag is not None and tag.startswith("!")
            text = f"{tag} {event.value}" if own else event.value  # `!important do this` is a sentence
            return Scalar(text, event.style, line, column, start.index, event.end_mark.index, tag)
        self._levels -= 1
        if self._levels < 0:
            self._stop(YamlCode.TOO_DEEP, f"is nested deeper than {self._policy.most_levels} levels", event)
        node: Node
        if _KINDS.get(type(event)) == "mapping":
            pairs, end = self._pairs()
            node = Mapping(pairs, line, column, start.index, end, event.tag)
        else:
            items, end = self._items()
            node = Sequence(items, line, column, start.index, end, event.tag)
        self._levels += 1
        return node

    def _items(self) -> tuple[tuple[Node, ...], int]:
        items: list[Node] = []
        while _KINDS.get(type(event := self._next())) != "end":
            items.append(self._node(event))
        return tuple(items), event.end_mark.index

    def _pairs(self) -> tuple[tuple[tuple[Node, Node], ...], int]:
        pairs: list[tuple[Node, Node]] = []
        seen: dict[str, int] = {}
        while _KINDS.get(type(event := self._next())) != "end":
            key = self._node(event)
            if event.anchor is not None:
                key = _without_anchor(key, event.anchor)
            if isinstance(key, Scalar):
                if key.text in seen:
                    message = f"'{_shown(key.text)}' stands in line {seen[key.text]} already"
                    self._tell(YamlCode.DUPLICATE_KEY, message, event, key.text)
                else:
                    seen[key.text] = key.line
            pairs.append((key, self._node(self._next())))
        return tuple(pairs), event.end_mark.index

    def _alias(self, event: _Event) -> Node:
        """What the alias stands for; its own text where that is nothing, or a thing that holds it."""
        self._count(event)
        anchor = event.anchor or ""
        target = self._anchors.get(anchor)
        start = event.start_mark
        if target is None or target.node is None or self._policy.plain_only:
            why = "stands for nothing" if target is None else "stands for what it is part of"
            message = "is an alias" if self._policy.plain_only else f"{why}, and is read as text"
            self._tell(YamlCode.ALIAS, f"*{_shown(anchor)} {message}", event)
            place = (start.line + self._first, start.column + 1, start.index, event.end_mark.index)
            return Scalar(f"*{anchor}", "", *place)
        self._tell(YamlCode.ALIAS, f"*{_shown(anchor)} stands for what is anchored in line {target.node.line}", event)
        self._expansions += target.expansions
        self._expanded += target.expanded
        policy = self._policy
        if self._expansions > policy.most_expansions or self._expanded > policy.most_expanded:
            most = f"{policy.most_expansions} values or {policy.most_expanded} characters"
            self._stop(YamlCode.ALIASES, f"aliases stand for more than {most}", event)
        return target.node

    def _count(self, event: _Event) -> None:
        self._left -= 1
        if self._left < 0:
            self._stop(YamlCode.TOO_LARGE, f"holds more than {self._policy.most_nodes} values", event)

    def _tell(self, code: YamlCode, message: str, event: _Event, key: str | None = None) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(self._problem(code, message, event, key))

    def _stop(self, code: YamlCode, message: str, event: _Event) -> None:
        self.problems.append(self._problem(code, message, event))
        raise _BoundReachedError

    def _problem(self, code: YamlCode, message: str, event: _Event, key: str | None = None) -> YamlProblem:
        mark = event.start_mark
        return YamlProblem(code=code, message=message, line=mark.line + self._first, column=mark.column + 1, key=key)


def _syntax_problem(error: Exception, text: str, first_line: int) -> YamlProblem:
    if isinstance(error, MarkedYAMLError):
        opened = error.problem in _UNCLOSED and error.context_mark is not None
        mark = error.context_mark if opened else error.problem_mark
        line, column = (mark.line, mark.column) if mark is not None else (0, 0)
        if line > text.count("\n"):  # the end of the text, which the parser sees one line below the last
            line, column = text.count("\n"), len(text) - text.rfind("\n") - 1
        message = _WORDS.get(error.problem or "", ": ".join(filter(None, (error.context, error.problem))))
        return YamlProblem(code=YamlCode.SYNTAX, message=message, line=line + first_line, column=column + 1)
    match = _FORBIDDEN.search(text, 1 if text.startswith("\ufeff") else 0)
    at = match.start() if match else 0
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at)
    message = f"holds the character {character_named(text[at])}, which YAML does not allow"
    return YamlProblem(code=YamlCode.CHARACTER, message=message, line=line + first_line, column=column)


def _without_anchor(key: Node, anchor: str) -> Node:
    """A key is a name, and no sentence."""
    return replace(key, text=key.text.removeprefix(f"&{anchor} ")) if isinstance(key, Scalar) else key


def _shown(text: str) -> str:
    text = text.replace(_STANDARD_TAGS, "!!", 1)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
