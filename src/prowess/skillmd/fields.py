"""The fields of a front matter: which are known, and what each of them says, in whatever form it is written."""

import re
from typing import TYPE_CHECKING

from prowess.model.json_value import Json
from prowess.skillmd.codes import problem_of
from prowess.skillmd.document import Field, SkillProblem
from prowess.skillmd.tools import ToolList, listed_tools, read_tools
from prowess.yamltext.characters import visible
from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, plain, scalar_value

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["KNOWN", "STANDARD", "Fields", "kind_of", "meant", "read_fields", "texts", "written"]

STANDARD = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
KNOWN = STANDARD | {
    *("version", "author", "tags", "dependencies", "triggers", "inputs", "outputs", "requires"),
    *("disable-model-invocation", "user-invocable", "argument-hint", "when_to_use", "model", "context", "hooks"),
    *("paths", "disallowed-tools"),
}
"""Fields that a document has a place for."""

_AROUND = " \t\r\n\u00a0\u200b\u200c\u200d\u200e\u2060\ufeff*_`\"'\u2018\u2019\u201c\u201d"
"""What word processors put around a name, and what nobody sees there."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_YES = frozenset({"true", "yes", "on", "1"})
_NO = frozenset({"false", "no", "off", "0"})
_KINDS = {int: "a number", float: "a number", bool: "true or false", type(None): "nothing"}
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?", re.ASCII)


class Fields:
    """The top-level fields of one front matter while it is read, and what is found to be wrong with them."""

    __slots__ = ("fields", "nodes", "problems", "text")

    def __init__(self, text: str, problems: list[SkillProblem]) -> None:
        self.text = text
        """The front matter that the nodes' places are in."""
        self.problems = problems
        self.fields: tuple[Field, ...] = ()
        self.nodes: dict[str, Node] = {}
        """Those that are known, by their names as the standard and its users spell them."""

    def text_of(self, name: str) -> str | None:
        """What a field for text says, as it was written; None where it is absent or empty of any value."""
        node = self.nodes.get(name)
        if node is None:
            return None
        if isinstance(node, Scalar):
            return None if scalar_value(node) is None else node.text
        return written(node, self.text)

    def texts_of(self, name: str) -> tuple[str, ...]:
        """What a field for several texts says: a list, a text with commas, or keys."""
        node = self.nodes.get(name)
        return () if node is None else texts(node, self.text)

    def tools_of(self, name: str) -> ToolList | None:
        """What a field for tools says, None where it is absent."""
        node = self.nodes.get(name)
        if node is None or (isinstance(node, Scalar) and self.text_of(name) is None):
            return None
        if isinstance(node, Sequence):
            return listed_tools(written(item, self.text) for item in node.items)
        return read_tools(written(node, self.text)) if isinstance(node, Scalar) else ToolList(tools=())

    def flag_of(self, name: str, *, default: bool) -> bool:
        """What a field for true or false says."""
        node = self.nodes.get(name)
        if node is None:
            return default
        word = node.text.strip().lower() if isinstance(node, Scalar) else "?"
        if word in _YES or word in _NO:
            return word in _YES
        if word:
            instead = "true" if default else "false"
            self.tell("flag-not-boolean", node, field=name, instead=instead)
        return default

    def json_of(self, name: str) -> Json:
        """A field of any form."""
        node = self.nodes.get(name)
        return None if node is None else plain(node)

    def tell(self, code: str, node: Node, **words: object) -> None:
        """Note a problem at a node."""
        self.problems.append(problem_of(code, node.line, node.column, **words))


def read_fields(root: Mapping, text: str, problems: list[SkillProblem]) -> Fields:
    """The fields of a front matter; known ones also where they are spelled otherwise: `allowed_tools`, `Name`."""
    found = Fields(text, problems)
    fields: list[Field] = []
    others: list[tuple[Node, Node, str]] = []
    for key, value in root.pairs:
        name = key.text if isinstance(key, Scalar) else written(key, text)
        fields.append(Field(name, plain(value), key.line, key.column))
        if name in KNOWN:
            found.nodes[name] = value
        else:
            others.append((key, value, name))
    found.fields = tuple(fields)
    for key, value, name in others:
        known = meant(name)
        if known is not None and known not in found.nodes:
            found.nodes[known] = value
            found.tell("field-spelling", key, found=visible(name), field=known)
    return found


def meant(name: str) -> str | None:
    """The known field that a name stands for, in whatever spelling; None where there is none."""
    return name if name in KNOWN else _SPELLED.get(_plainly(name))


def written(node: Node, text: str) -> str:
    """A node as its author wrote it: a scalar's text, or the very characters of a list or a mapping."""
    return node.text if isinstance(node, Scalar) else text[node.start : node.end].strip()


def texts(node: Node, text: str) -> tuple[str, ...]:
    """The texts of a list, of a scalar with commas, or of a mapping as `key: value`."""
    if isinstance(node, Scalar):
        said = node.text.strip()
        said = said[1:-1] if said[:1] == "[" and said[-1:] == "]" else said  # a list that is no YAML: `[ray[data], jq]`
        parts: Iterator[str] = iter(said.replace("\n", ",").split(","))
    elif isinstance(node, Sequence):
        parts = (_item(item, text) for item in node.items)
    else:
        parts = (_pair(key, value, text) for key, value in node.pairs)
    return tuple(part for part in map(str.strip, parts) if part)


def kind_of(node: Node) -> str | None:
    """What YAML takes a node for where a text is wanted, by the rules of 1.1 and 1.2; None for a text."""
    if not isinstance(node, Scalar):
        return "a list" if isinstance(node, Sequence) else "keys with values"
    if node.style or node.tag is not None:
        return None
    value = scalar_value(node)
    if not isinstance(value, str):
        return _KINDS[type(value)]
    if node.text.lower() in {"yes", "no", "on", "off", "y", "n"}:
        return "true or false"
    return "a date" if _DATE.fullmatch(node.text) else None


# ---------------------------------------------------------------------------------------------------------------------


def _item(node: Node, text: str) -> str:
    """An item of a list: a name where it has one, `{name: jq, version: "1"}`, or one key with its value."""
    if isinstance(node, Mapping):
        name = next((value for key, value in node.named() if key.text == "name"), None)
        if name is not None:
            return written(name, text)
        return ", ".join(_pair(key, value, text) for key, value in node.pairs)
    return written(node, text)


def _pair(key: Node, value: Node, text: str) -> str:
    what = written(value, text)
    return f"{written(key, text)}: {what}" if what else written(key, text)


def _plainly(name: str) -> str:
    return _HUMP.sub("-", name.strip(_AROUND)).lower().replace("_", "-").replace(" ", "-")


_SPELLED = {_plainly(name): name for name in KNOWN}
