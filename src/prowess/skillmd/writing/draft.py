"""A SKILL.md under change: its fields as they stand in the text, and edits that leave all other bytes alone."""

from collections.abc import Iterator

from prowess.skillmd.fields import meant
from prowess.skillmd.frontmatter.source import BYTE_ORDER_MARK, read_source
from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence
from prowess.yamltext.reading import read_yaml

__all__ = ["Draft"]


class Draft:
    """The text of one file, in which bytes that are no UTF-8 are kept. Places are those that its fields have."""

    def __init__(self, data: bytes) -> None:
        self._mark = BYTE_ORDER_MARK if data.startswith(BYTE_ORDER_MARK) else b""
        self.source = read_source(data)
        self.text = data[len(self._mark) :].decode(errors="surrogateescape")
        root = read_yaml(self.source.front, first_line=self.source.line).root if self.source.usable else None
        self.root = root if isinstance(root, Mapping) else None
        """The fields of the front matter, None where it is no YAML with fields."""

    @property
    def line_end(self) -> str:
        """How the first line of the file ends."""
        return "\r\n" if self.text.partition("\n")[0].endswith("\r") else "\n"

    def fields(self) -> Iterator[tuple[Scalar, Node]]:
        """Every field whose key is a scalar."""
        if self.root is not None:
            yield from self.root.named()

    def field(self, name: str) -> tuple[Scalar, Node] | None:
        """A known field with its key, whatever its spelling; the last one where there are several."""
        found: tuple[Scalar, Node] | None = None
        for key, value in self.fields():
            if meant(key.text) == name:
                found = key, value
        return found

    def scalar_at(self, line: int, column: int) -> Scalar | None:
        """The scalar at a place in the file: a key, its value, or one inside the metadata."""
        for pair in self.fields():
            inner = [part for value in pair if isinstance(value, Mapping) for each in value.named() for part in each]
            for node in (*pair, *inner):
                if isinstance(node, Scalar) and (node.line, node.column) == (line, column):
                    return node
        return None

    def end_of(self, node: Node) -> int:
        """Where a value really ends: what is in block style says where the next thing begins."""
        if isinstance(node, Scalar) and node.style in {"|", ">"}:
            return node.start + len(self.between(node.start, node.end).rstrip())
        if isinstance(node, Scalar) or self.between(node.start, node.start + 1) in {"[", "{"}:
            return node.end
        parts = node.items if isinstance(node, Sequence) else [part for pair in node.pairs for part in pair]
        return max(map(self.end_of, parts), default=node.start)

    def between(self, start: int, end: int | None = None) -> str:
        """What stands between two places of the front matter, down to its end without the second."""
        first = self.source.start
        return self.text[first + start : self.source.end if end is None else first + end]

    def put(self, start: int, end: int, text: str) -> bytes:
        """The bytes with another text between two places of the front matter."""
        first = self.source.start
        return self.written(f"{self.text[: first + start]}{text}{self.text[first + end :]}")

    def written(self, text: str) -> bytes:
        """Another text as the bytes of this file."""
        return self._mark + text.encode(errors="surrogateescape")
