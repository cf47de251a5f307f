"""The forms in which authors list tools, read as one: `Bash(git add *), Read`, `Bash(git:*) Read`, a list."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

__all__ = ["ToolList", "listed_tools", "read_tools"]

_OPEN = frozenset("([{")
_CLOSE = frozenset(")]}")
_SPECIAL = frozenset(",()[]{}\"'`")
_QUOTES = frozenset("\"'`")


class ToolList(Struct, frozen=True, kw_only=True, gc=False):
    """The tools that a field names."""

    tools: tuple[str, ...]
    """In the order of the text, each once."""
    twice: tuple[str, ...] = ()
    commas: bool = False
    """Whether they are separated by commas."""
    unbalanced: str | None = None
    """The first tool that has half of a pair of brackets."""


def read_tools(text: str) -> ToolList:
    """The tools of a text, separated by spaces or commas; what stands in brackets belongs to the tool before it."""
    text = text.strip()
    if _SPECIAL.isdisjoint(text):
        return _told(text.split())
    if text[0] == "[" and text[-1] == "]":
        text = text[1:-1]
    words = [(word, comma) for word, comma in _words(text) if word]
    return _told(_joined(words), commas=any(comma for _, comma in words))


def listed_tools(items: Iterable[str]) -> ToolList:
    """The tools of a list: each item is one, spaces and all, but for an item with commas."""
    parts = (read_tools(item).tools if "," in item else (item.strip(),) for item in items)
    return _told([tool for part in parts for tool in part if tool])


# ---------------------------------------------------------------------------------------------------------------------


def _told(words: list[str], *, commas: bool = False) -> ToolList:
    tools = tuple(dict.fromkeys(words))
    twice: tuple[str, ...] = ()
    if len(tools) < len(words):
        twice = tuple(word for word, count in Counter(words).items() if count > 1)
    unbalanced = next((tool for tool in tools if not _is_balanced(tool)), None)
    return ToolList(tools=tools, twice=twice, commas=commas, unbalanced=unbalanced)


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """What stands between separators outside of brackets, and whether a comma comes before it."""
    start, depth, comma = 0, 0, False
    for at, char in enumerate(text):
        if depth == 0 and (char == "," or char.isspace()):
            yield text[start:at], comma
            comma = char == "," or (comma and at == start)
            start = at + 1
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE and depth:
            depth -= 1
    yield text[start:], comma


def _joined(words: list[tuple[str, bool]]) -> list[str]:
    """The words without their quotes; brackets after a space belong to the word before it: `Bash (git:*)`."""
    joined: list[str] = []
    for word, comma in words:
        if word[0] == "(" and joined and not comma:
            joined[-1] += word
        else:
            joined.append(word[1:-1] if word[0] in _QUOTES and word[-1] == word[0] and len(word) > 1 else word)
    return [word for word in joined if word]


def _is_balanced(tool: str) -> bool:
    depth = 0
    for char in tool:
        depth += (char in _OPEN) - (char in _CLOSE)
        if depth < 0:
            return False
    return depth == 0
