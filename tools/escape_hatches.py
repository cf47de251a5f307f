"""Count the ways out of the rules, so that their number can only fall.

    python -m tools.escape_hatches       lower the table to what the code holds now

The table, escape_hatches.toml, is exact. Raising a number is an edit by hand, with its reason in the
same commit.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections import Counter
from pathlib import Path

from tests.docs.page import blocks_of

ROOT = Path(__file__).resolve().parent.parent
TABLE = Path(__file__).with_name("escape_hatches.toml")
FOLDERS = ("src", "tests")

COMMENTS = {
    "type-ignore": re.compile(r"#\s*(?:type|pyright|mypy):\s*ignore"),
    "noqa": re.compile(r"#\s*(?:ruff:\s*)?noqa", re.IGNORECASE),
    "no-cover": re.compile(r"#\s*pragma:\s*no\s+(?:cover|branch)"),
}
PYTEST = {"skip": "skip", "skipif": "skip", "importorskip": "skip", "xfail": "xfail"}
KINDS = ("Any", "cast", "type-ignore", "noqa", "no-cover", "skip", "xfail")
SKIPPED_EXAMPLES = "docs"

Table = dict[str, dict[str, int]]


def count(source: str) -> Counter[str]:
    """Count the ways out in one file; an import of `Any` is none, and nothing in a string is."""
    found: Counter[str] = Counter()
    importing = False
    owner = before = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            importing = False
        elif token.type == tokenize.COMMENT:
            found.update(kind for kind, pattern in COMMENTS.items() if pattern.search(token.string))
        elif token.type == tokenize.NAME:
            importing = importing or token.string == "import"
            if not importing:
                found.update(_named(token.string, f"{owner}{before}"))
        owner, before = before, token.string
    return found


def _named(name: str, before: str) -> list[str]:
    if name in {"Any", "cast"}:
        return [name]
    return [PYTEST[name]] if name in PYTEST and before in {"pytest.", "mark."} else []


def census(root: Path = ROOT) -> Table:
    """Count the whole repository: the code by folder, and the documentation's skipped examples."""
    table: Table = {}
    for folder in FOLDERS:
        total: Counter[str] = Counter()
        for file in sorted((root / folder).rglob("*.py")):
            total += count(file.read_text(encoding="utf-8"))
        table[folder] = {kind: total[kind] for kind in KINDS}
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md")]
    skipped = sum(block.skip is not None for page in pages for block in blocks_of(page.read_text(encoding="utf-8")))
    table[SKIPPED_EXAMPLES] = {"skip": skipped}
    return table


def read_table(path: Path = TABLE) -> Table:
    """Read what is allowed."""
    with path.open("rb") as file:
        table: Table = tomllib.load(file)
    return table


def lowered(allowed: Table, found: Table) -> Table:
    """Take the smaller of each pair: what may be written without anybody's leave."""
    return {
        part: {kind: min(number, allowed.get(part, {}).get(kind, number)) for kind, number in kinds.items()}
        for part, kinds in found.items()
    }


def render(table: Table) -> str:
    """Write a table as TOML."""
    head = "# How many ways out of the rules the code holds: exact, and only to be lowered (`make snapshots`).\n"
    parts = [
        f"[{part}]\n" + "".join(f"{kind} = {number}\n" for kind, number in kinds.items())
        for part, kinds in table.items()
    ]
    return "\n".join([head, *parts])


if __name__ == "__main__":
    TABLE.write_text(render(lowered(read_table(), census())), encoding="utf-8")
