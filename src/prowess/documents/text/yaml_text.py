"""YAML text of a governed document to plain values: no alias, no anchor, no tag, no key twice."""

from collections.abc import Mapping as AbstractMapping
from functools import partial

from prowess.documents.text.findings import Findings
from prowess.documents.values import Place
from prowess.model.json_value import Json
from prowess.yamltext.nodes import Mapping, Node, Scalar, Sequence, scalar_value
from prowess.yamltext.reading import STRICT, read_yaml

__all__ = ["read_governed_yaml"]


def read_governed_yaml(file: str, data: bytes, findings: Findings) -> Json:
    """The value of a document; None where it says nothing or cannot be used, which `findings` then tells."""
    if len(data) > 4 * STRICT.most_characters:
        findings.broken(file, None, "size", f"is larger than {4 * STRICT.most_characters:,} bytes")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        findings.broken(file, data.count(b"\n", 0, error.start) + 1, "encoding", "is not UTF-8 text")
        return None
    reading = read_yaml(text, STRICT)
    for problem in reading.problems:
        findings.broken(file, problem.line, problem.code, problem.message)
    root = reading.root
    if root is None:
        return None
    findings.opened(file, partial(_lines_of, root))
    return _plain(root)


# ---------------------------------------------------------------------------------------------------------------------


def _plain(node: Node) -> Json:
    """The node as JSON: numbers are numbers here, since no field of an overlay holds a version."""
    if isinstance(node, Scalar):
        return scalar_value(node)
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    return {_key(key): _plain(value) for key, value in node.pairs}


def _key(key: Node) -> str:
    return key.text if isinstance(key, Scalar) else f"(line {key.line})"


def _lines_of(root: Node, wanted: frozenset[Place]) -> AbstractMapping[Place, int]:
    found: dict[Place, int] = {}
    waiting: list[tuple[Place, Node, int]] = [((), root, 1)]
    while waiting:
        at, node, line = waiting.pop()
        if at in wanted:
            found[at] = line
        if isinstance(node, Mapping):
            waiting += [((*at, _key(key)), value, key.line) for key, value in node.pairs]
        elif isinstance(node, Sequence):
            waiting += [((*at, place), item, item.line) for place, item in enumerate(node.items)]
    return found
