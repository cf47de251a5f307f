"""What YAML text says, as its author wrote it: scalars, sequences and mappings, each with its place."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct, json

from prowess.model.json_value import Json

__all__ = ["Mapping", "Node", "Scalar", "Sequence", "plain", "scalar_value"]

_CONSTANTS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_BASED = re.compile(r"0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15}")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{0,17})?|\.[0-9]{1,17})(?:[eE][-+]?[0-9]{1,2})?")
_NUMERIC = frozenset("+-.0123456789")


class Scalar(Struct, frozen=True, gc=False):
    """One scalar. Its text is what was written, without quotes, escapes and line folding."""

    text: str
    style: str
    """The quote or block indicator it begins with: `'`, `"`, `|` or `>`; empty for a plain one."""
    line: int
    """From 1, in the document that the text was taken from."""
    column: int
    """From 1, in characters."""
    start: int
    """Where it begins in the text that was read, quotes included."""
    end: int
    """Where it ends."""
    tag: str | None = None
    """As the parser resolves it: `tag:yaml.org,2002:str`; or one of the author's, `!own`, which `text` begins with."""


class Sequence(Struct, frozen=True, gc=False):
    """A list of nodes."""

    items: tuple["Node", ...]
    line: int
    column: int
    start: int
    end: int
    """A block sequence ends where the next thing begins."""
    tag: str | None = None


class Mapping(Struct, frozen=True, gc=False):
    """Keys and values in the order of the text; a key that stands twice is here twice."""

    pairs: tuple[tuple["Node", "Node"], ...]
    line: int
    column: int
    start: int
    end: int
    """A block mapping ends where the next thing begins."""
    tag: str | None = None

    def named(self) -> Iterator[tuple[Scalar, "Node"]]:
        """The pairs whose key is a scalar, which is nearly always all of them."""
        for key, value in self.pairs:
            if isinstance(key, Scalar):
                yield key, value


Node: TypeAlias = Scalar | Sequence | Mapping


def scalar_value(scalar: Scalar) -> str | int | float | bool | None:
    """What a scalar means by the core rules of YAML 1.2, with care: what may well be a text is one.

    Text: everything in quotes, in a block or with a tag; `yes` and `off`; dates; `0755`, `1_000` and numbers of more
    than 18 digits, which are rather codes than amounts; `.inf` and `.nan`, which JSON does not have.
    """
    text = scalar.text
    if scalar.style or scalar.tag is not None:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMERIC:
        return text
    return _number(text)


def plain(node: Node) -> Json:
    """A node as JSON that loses nothing: a number that would not be written as it was (`1.10`, `1e3`) stays text.

    The last of equal keys wins; a key that is no scalar is written as JSON is.
    """
    if isinstance(node, Scalar):
        value = scalar_value(node)
        return value if value is None or isinstance(value, bool) or str(value) == node.text else node.text
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {_key(key): plain(value) for key, value in node.pairs}


# ---------------------------------------------------------------------------------------------------------------------


def _number(text: str) -> str | int | float:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    return float(text) if _FLOAT.fullmatch(text) else text


def _key(key: Node) -> str:
    return key.text if isinstance(key, Scalar) else json.encode(plain(key)).decode()
