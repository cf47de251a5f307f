"""Read a Markdown page as the blocks that can be run, in the order a reader meets them.

    ```python                      runs; the blocks of a page share their names; `await` is allowed
    ```output                      what the python block before it printed; `...` stands for anything
    ```console                     `$ command` lines, each followed by what it prints
    ```toml file=prowess.toml      becomes a file, whatever its language; a python one is not run

Further words after the language: `cwd=examples/notes` runs the block in a copy of that folder,
`exit=1` is how the last command of a console block ends, `skip="why"` leaves the block out.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)$")
RUN = ("python", "console", "output")
WORDS = frozenset({"cwd", "exit", "file", "skip"})


class PageError(Exception):
    """A page that cannot be run as it stands, or did not do what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block: its language, its text, the line its text starts on, and its words."""

    language: str
    text: str
    line: int
    words: dict[str, str] = field(default_factory=dict)

    @property
    def skip(self) -> str | None:
        """Give the reason for leaving this block out, or None."""
        return self.words.get("skip")

    @property
    def runs(self) -> bool:
        """Tell whether there is anything to do for this block."""
        return self.skip is None and (self.language in RUN or "file" in self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a console block, and what it is said to print."""

    text: str
    expected: str
    line: int

    @property
    def in_background(self) -> bool:
        """Tell whether the command stays while the page goes on."""
        return self.text.endswith(" &")


def blocks_of(page: str) -> list[Block]:
    """Give every fenced block of a page; a fence that never closes is a PageError."""
    blocks: list[Block] = []
    lines = iter(enumerate(page.splitlines(), start=1))
    for number, line in lines:
        opening = FENCE.match(line)
        if opening is None:
            continue
        body: list[str] = []
        for _, inner in lines:
            if inner.strip().startswith(opening["fence"]) and not inner.strip().strip(opening["fence"][0]):
                break
            body.append(inner.removeprefix(opening["indent"]))
        else:
            message = f"line {number}: this block never ends"
            raise PageError(message)
        blocks.append(_block(opening["info"], body, number))
    return blocks


def commands_of(block: Block) -> list[Command]:
    """Split a console block into its commands, each with its expected output."""
    commands: list[Command] = []
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        line = block.line + at
        if not lines[at].startswith("$ "):
            message = f"line {line}: a console block begins with a `$ command`"
            raise PageError(message)
        text = lines[at].removeprefix("$ ")
        at += 1
        while text.endswith("\\") and at < len(lines):
            text = f"{text}\n{lines[at].removeprefix('> ')}"
            at += 1
        expected: list[str] = []
        while at < len(lines) and not lines[at].startswith("$ "):
            expected.append(lines[at])
            at += 1
        commands.append(Command(text=text, expected="\n".join(expected), line=line))
    return commands


def _block(info: str, body: list[str], number: int) -> Block:
    language, *rest = shlex.split(info) or [""]
    words = dict(word.partition("=")[::2] for word in rest)
    text = "".join(f"{line}\n" for line in body)
    block = Block(language=language, text=text, line=number + 1, words=words)
    unknown = sorted(set(words) - WORDS)
    if unknown and (language in RUN or WORDS & set(words)):
        message = f"line {number}: unknown words {unknown}; known are {sorted(WORDS)}"
        raise PageError(message)
    if block.skip is not None and len(block.skip.split()) < 2:
        message = f'line {number}: a skipped block says why: skip="it needs a network"'
        raise PageError(message)
    return block
