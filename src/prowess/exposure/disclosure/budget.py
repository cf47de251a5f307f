"""Fitting a list of skills into a budget of tokens, fairly: nothing depends on who was used before.

Every name comes first. What is left is shared out between the descriptions by water-filling: short ones stay whole,
and all that are cut are cut to the same length. Where not even the names fit, the list is a page, and says how to
turn it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import attrgetter

from msgspec import Struct

from prowess.errors import InvalidInputError, Problem
from prowess.model.manifest import Manifest

__all__ = ["Page", "Row", "cut", "fit", "level_of", "tokens_of"]

_ASCII_PER_TOKEN = 4
_BYTES_PER_TOKEN = 3
_WORTH_READING = 24
"""Tokens of a description that each skill of a page gets, as far as it has so many."""
_NAMING = 10
"""One part in so many of a page's budget is kept for naming what is not on it."""
_FRAME = b'{"skills":[],"left_out":{"descriptions":1000000}}'
_PAGE_FRAME = b'{"skills":[],"left_out":{"count":1000000,"names":[],"descriptions":1000000},"next":""}'
_DESCRIBED = b',"description":""'
_VERSIONED = b',"version":""'
_NAMED = b'{"name":""},'
_CUT = "…"
_DANGLING = " \t\r\n,;:-\N{EN DASH}\N{EM DASH}"


class Row(Struct, frozen=True, gc=False):
    """One skill as the list shows it."""

    manifest: Manifest
    description: str
    """As much of it as there was room for; empty where there was none."""

    @property
    def name(self) -> str:
        """The skill's name."""
        return self.manifest.name

    @property
    def is_cut(self) -> bool:
        """Whether the description is not whole."""
        return self.description != self.manifest.description

    @property
    def is_bare(self) -> bool:
        """Whether nothing is left of its description."""
        return not self.description and bool(self.manifest.description)


class Page(Struct, frozen=True):
    """What a list shows, sorted by name, and what it leaves out."""

    rows: tuple[Row, ...]
    left_out: tuple[Manifest, ...] = ()
    """What comes behind this page, in the order in which the next ones show it."""
    named: int = 0
    """How many of these are named on this page."""
    next: str | None = None
    """The next page is what comes behind the skill of this name."""


def tokens_of(text: bytes) -> int:
    """About how many tokens a model's tokenizer makes of a text in UTF-8: an estimate that leans to too many.

    A token is taken for four ASCII characters, or for three bytes of all else: one Chinese character, one and a half
    Greek ones.
    """
    if text.isascii():
        return -(-len(text) // _ASCII_PER_TOKEN)
    plain = len(text.decode("ascii", "ignore"))
    return -(-plain // _ASCII_PER_TOKEN) - (plain - len(text)) // _BYTES_PER_TOKEN


def fit(manifests: Sequence[Manifest], budget: int, *, ranked: bool = False, after: str | None = None) -> Page:
    """What a list of about so many tokens shows of these skills, at least one of them.

    They come in the order of their names or, `ranked`, nearest first to what is looked for. The order decides only
    where not even the names fit. Raises `InvalidInputError` for an `after` that a ranked list does not have.
    """
    begin = _behind(manifests, after, ranked=ranked)
    names = [_name_cost(manifest) for manifest in manifests]
    wanted = manifests[begin:]
    room = budget - tokens_of(_FRAME)
    if sum(names) <= room or not wanted:
        return Page(tuple(sorted(_filled(wanted, room - sum(names[begin:])), key=attrgetter("name"))))
    room = budget - tokens_of(_PAGE_FRAME) - max(names)
    naming = max(0, room // _NAMING)
    count = _count_for(wanted, names[begin:], room - naming)
    chosen, others = wanted[:count], tuple(wanted[count:])
    rows = _filled(chosen, room - naming - sum(names[begin : begin + count]))
    last = chosen[-1].name if others else None
    return Page(tuple(sorted(rows, key=attrgetter("name"))), others, _nameable(others, naming), last)


def level_of(costs: Sequence[int], room: int) -> int:
    """The largest level to which all costs can be cut so that they fit the room together; those below it stay whole."""
    left, many = max(room, 0), len(costs)
    for index, cost in enumerate(sorted(costs)):
        if cost * (many - index) > left:
            return left // (many - index)
        left -= cost
    return max(costs, default=0)


def cut(text: str, tokens: int) -> str:
    """The text in at most so many tokens: whole, or up to a word and `…`, or nothing where no word fits.

    A word is cut where the one before it is less than half of what fits, as in scripts without spaces.
    """
    if _cost(text) <= tokens:
        return text
    most = min(len(text), tokens * _ASCII_PER_TOKEN)
    kept = bisect_right(range(1, most + 1), tokens, key=lambda length: _cost(text[:length] + _CUT))
    end = next((at for at in range(kept, kept // 2, -1) if text[at].isspace()), kept)
    shown = text[:end].rstrip(_DANGLING)
    return f"{shown}{_CUT}" if shown else ""


# ---------------------------------------------------------------------------------------------------------------------


def _behind(manifests: Sequence[Manifest], after: str | None, *, ranked: bool) -> int:
    """The position behind the skill of a name; in a list by name it need not be there any more."""
    if after is None:
        return 0
    names = [manifest.name for manifest in manifests]
    if not ranked:
        return bisect_right(names, after)
    if after in names:
        return names.index(after) + 1
    message = "names no skill of this list: begin again without it"
    problem = Problem(path="$.after", rule="after", message=message, type="string")
    raise InvalidInputError(f"list_skills: {problem}", details={"problems": (problem,)})


def _filled(manifests: Sequence[Manifest], room: int) -> tuple[Row, ...]:
    """The skills with their descriptions, the longest cut to one level so that they fit."""
    costs = [_description_cost(manifest) for manifest in manifests]
    level = level_of(costs, room)
    text_level = max(0, level - tokens_of(_DESCRIBED))
    return tuple(
        Row(manifest, manifest.description if cost <= level else cut(manifest.description, text_level))
        for manifest, cost in zip(manifests, costs, strict=True)
    )


def _count_for(manifests: Sequence[Manifest], names: Sequence[int], room: int) -> int:
    """How many skills fit a page on which each description is long enough to be of use; at least one."""
    needs = [
        name + min(_description_cost(manifest), _WORTH_READING) for manifest, name in zip(manifests, names, strict=True)
    ]
    return max(1, bisect_right(list(accumulate(needs)), room))


def _nameable(manifests: Sequence[Manifest], room: int) -> int:
    """How many names fit."""
    return bisect_right(list(accumulate(tokens_of(_bytes(f'"{one.name}",')) for one in manifests)), room)


def _name_cost(manifest: Manifest) -> int:
    """Tokens of a skill's row without its description."""
    versioned = _VERSIONED + _bytes(manifest.version) if manifest.version else b""
    return tokens_of(_NAMED + _bytes(manifest.name) + versioned)


def _description_cost(manifest: Manifest) -> int:
    return tokens_of(_DESCRIBED + _escaped(manifest.description)) if manifest.description else 0


def _cost(text: str) -> int:
    return tokens_of(_escaped(text))


def _escaped(text: str) -> bytes:
    """A text as JSON writes it, as far as the characters go that texts hold."""
    return _bytes(text).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
