"""Regular expressions of schemas: which engine takes one, and what matching it can cost.

Most run in a linear engine. One that looks around or refers back needs another, whose work is counted.
"""

import re
from functools import lru_cache

import jsonschema_rs
import msgspec
from jsonschema_rs import FancyRegexOptions as LookingAround
from jsonschema_rs import RegexOptions as Linear
from jsonschema_rs import ValidationErrorKind

__all__ = ["ANY_PATTERN", "ORDINARY", "Grade", "gave_up", "grade"]

_LENGTH_LIMIT = 4_000  # characters
_POWER_LIMIT = 2

_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_GROUP = re.compile(r"\([^()]*\)")
_LOOKS = re.compile(r"\(\?(?:<?[=!]|[>(])")
_NUMBERED = re.compile(r"\\[1-9k]")
_AROUND, _BACK = "\0", "\1"

ORDINARY = Linear(size_limit=1 << 16, dfa_size_limit=1 << 20)
"""The engine for ordinary patterns: linear, 4 µs a character for the worst of them."""

ANY_PATTERN = LookingAround(size_limit=1 << 23, dfa_size_limit=1 << 20, backtrack_limit=8)
"""The engine that compiles whatever some engine takes."""


class Grade(msgspec.Struct, frozen=True):
    """What it takes to match a pattern; `units` is 0 where nobody needs to count."""

    options: Linear | LookingAround
    size: int
    units: int
    power: int = 1
    """Whether the work grows with a text's length or its square."""
    efforts: tuple[int, ...] = ()
    """How often to backtrack, in tries of rising cost; none where the engine is linear."""

    def engine(self, pattern: str, effort: int = 1) -> jsonschema_rs.Validator:
        """What matches a text with so much effort; raises `ValueError` for a pattern that is too much for it."""
        looking = LookingAround(size_limit=self.size, backtrack_limit=8 * effort)
        options = looking if self.efforts else self.options
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True, pattern_options=options)


_GRADES = (
    Grade(ORDINARY, 1 << 16, 0),
    Grade(Linear(size_limit=1 << 20, dfa_size_limit=1 << 20), 1 << 20, 100),
    Grade(Linear(size_limit=1 << 23, dfa_size_limit=1 << 20), 1 << 23, 300),
    Grade(LookingAround(size_limit=1 << 18), 1 << 18, 1, efforts=(1, 8, 64)),
)


@lru_cache(maxsize=1_024)
def grade(pattern: str) -> Grade | None:
    """The cheapest engine that takes a pattern; None where none does."""
    for one in _GRADES if len(pattern) <= _LENGTH_LIMIT else ():
        try:
            one.engine(pattern)
        except ValueError:
            continue
        power = _power(pattern) if one.efforts else 1
        return msgspec.structs.replace(one, power=power) if power <= _POWER_LIMIT else None
    return None


def gave_up(engine: jsonschema_rs.Validator, text: str) -> bool:
    """Whether an engine that found no match stopped looking before its end."""
    kinds = (error.kind for error in engine.iter_errors(text))
    return any(isinstance(kind, ValidationErrorKind.BacktrackLimitExceeded) for kind in kinds)


# ---------------------------------------------------------------------------------------------------------------------


def _power(pattern: str) -> int:
    """The power of a text's length that looking around can cost: no limit on backtracking bounds that.

    Once, from the start, it is one more reading; at each place or in a loop, one for each character; inside one
    another, more. Groups are replaced, the innermost first, by a mark of what is in them.
    """
    text, power = _ATOM.sub(lambda atom: _BACK if _NUMBERED.match(atom[0]) else "x", pattern), 1
    while group := _GROUP.search(text):
        looks, around, back = _LOOKS.match(group[0]) is not None, _AROUND in group[0], _BACK in group[0]
        loops = text[group.end() : group.end() + 1] in {"*", "+", "{"}
        power = max(power, 1 + loops * (looks or around or back), 1 + 2 * (looks and around))
        text = text[: group.start()] + (_AROUND if looks or around else _BACK if back else "x") + text[group.end() :]
    return power if text.startswith("^") and "|" not in text else max(power, 2)
