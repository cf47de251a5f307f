"""Names as other systems take them: one reversible codec for every target.

    search_notes                    search_notes                 already legal: unchanged
    acme/refunds                    acme__refunds                `__` never occurs in a name
    3d-print                        _3d-print                    where a target wants a letter first
    a name that is too long         its-first-words--9f4e…        `--` never occurs in a name either

A name in another script, or one that breaks the grammar, is hashed like one that is too long. What is not hashed is
read back by the grammar alone; a hashed name needs the table of the names it may stand for.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b

from prowess.model.names import is_name

__all__ = ["WIRE_LIMIT", "WireNames", "WireTarget", "wire_name"]

WIRE_LIMIT = 64
"""The shortest limit among the targets. MCP and the newest Gemini allow 128, but their clients hand names on to models
that do not."""

_NAMESPACE = "__"
_HASHED = "--"
_HASH_BYTES = 12  # 24 characters: to find two names of one hash takes 2^48 trials
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]+")


class WireTarget(StrEnum):
    """A system that has its own rule for names."""

    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    MCP = "mcp"


_LETTER_FIRST = frozenset({WireTarget.GEMINI})


def wire_name(name: str, target: WireTarget) -> str:
    """The legal name under which a target knows an entry: the same for the same name, different for different ones."""
    if is_name(name):
        wire = _lead(name.replace("/", _NAMESPACE), target)
        if len(wire) <= WIRE_LIMIT:
            return wire
    return _hashed(name, target)


class WireNames:
    """The names of one set of entries, as one target writes them. Immutable; building it costs one set of the names.

    Reading back is the grammar's work. Only for a hashed name, the first time one is asked for, are the names of the
    set gone through.
    """

    def __init__(self, names: Iterable[str], target: WireTarget) -> None:
        self.target = target
        self._names = frozenset(names)

    def wire(self, name: str) -> str:
        """The target's name for an entry, whether or not it is in the set."""
        return wire_name(name, self.target)

    def name(self, wire: str) -> str | None:
        """The entry that a target means; None where no name of the set is written so."""
        if _HASHED in wire:
            return self._hashed_names.get(wire)
        name = wire.replace(_NAMESPACE, "/", 1)
        if name not in self._names:
            name = name.removeprefix("_")
        return name if name in self._names and self.wire(name) == wire else None

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def _hashed_names(self) -> dict[str, str]:
        wires = ((wire_name(name, self.target), name) for name in self._names)
        return {wire: name for wire, name in wires if _HASHED in wire}


# ---------------------------------------------------------------------------------------------------------------------


def _hashed(name: str, target: WireTarget) -> str:
    """As much of the name as fits, for a reader's sake, then a hash of all of it."""
    tail = _HASHED + blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()
    words = _FOREIGN.sub("-", name.replace("/", _NAMESPACE)).strip("-_") or "name"
    return _lead(words, target)[: WIRE_LIMIT - len(tail)].rstrip("-_") + tail


def _lead(wire: str, target: WireTarget) -> str:
    return f"_{wire}" if target in _LETTER_FIRST and wire[0].isdigit() else wire
