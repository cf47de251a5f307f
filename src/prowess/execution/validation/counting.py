"""Checking values where a schema can multiply work: within a bound natively, beyond it counting each step.

The bound is computed for the value at hand. What is beyond it is checked by a twin of the schema that counts what it
does, and gives up when the budget is spent.
"""

import threading
from collections.abc import Callable, Mapping
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

from prowess.execution.validation.compiling import compile_counting, compile_native
from prowess.execution.validation.dialects import Native, inner, members
from prowess.execution.validation.patterns import Grade, gave_up
from prowess.execution.validation.sizes import bulk, characters, levels
from prowess.execution.validation.survey import Survey, integers_in
from prowess.model.json_value import Json

if TYPE_CHECKING:
    from jsonschema_rs import Validator

__all__ = ["CountedCheck", "Meter", "needs_counting"]

_WORK_LIMIT = 5_000_000  # units, half a second: what a value may cost by the bound, and then by the count
_COUNTING = 8  # units that counting costs
_COPYING = 3  # units to compare one part of a value
_CHARACTER = 40  # units that a linear engine can need for one character
_READINGS = 4  # how often each character may be read by such an engine before it counts
_COST = "x-prowess-cost"  # a keyword of our twin schemas
_TOO_LONG = "a text is too long for its pattern"
_NOT_KEPT = frozenset({"$defs", "definitions", "$id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})

_Path: TypeAlias = list[str | int]


def needs_counting(found: Survey) -> bool:
    """Whether a schema can make one value cost more than is worth ignoring."""
    return max(*found.costs, found.integers) > found.free or any(one.units for one in found.grades.values())


class CountedCheck:
    """Checks the values of a schema that can multiply work: natively within the bound, else counting."""

    __slots__ = ("_lock", "_meter", "_native", "_survey", "_twin")

    def __init__(self, found: Survey) -> None:
        self._survey = found
        self._lock = threading.Lock()
        self._meter = Meter(found.grades)
        counted = any(one.units for one in found.grades.values())
        self._native = None if counted else compile_native(found)
        self._twin = self._counting() if counted else None

    def is_valid(self, value: object) -> bool:
        """Whether a value fits, and could be checked within its budget."""
        return self.verdict(value) is True

    def verdict(self, value: object) -> bool | str:
        """Whether a value fits; a text says why that was not worth finding out."""
        if self._native is not None and _within(value, self._survey):
            return self._native(value)
        with self._lock:
            self._twin = self._twin or self._counting()
            self._meter.start(value)
            fits = self._twin(value)
            return self._meter.reason or fits

    def _counting(self) -> Callable[[object], bool]:
        """The same schema, compiled with keywords that count; it never refers back here, so that it is freed."""
        keywords: dict[str, Native] = {
            _COST: partial(_Cost, self._meter),
            "pattern": partial(_Pattern, self._meter),
        }
        return compile_counting(self._survey, _Twin(self._survey).schema(), keywords)


def _within(value: object, found: Survey) -> bool:
    """Whether the bound on a value's cost lets it pass uncounted."""
    left, costs, deepest = _WORK_LIMIT, found.costs, len(found.costs) - 1
    for depth, level in enumerate(levels(value)):
        cost = costs[min(depth, deepest)]
        sizes = [bulk(one) for one in level]
        left -= cost * (sum(sizes) + found.integers * sum(size for size in sizes if size > 1))
        readings = max(cost, costs[min(depth + 1, deepest)]) - _READINGS  # of names, one level down
        if found.grades and readings > 0:
            left -= readings * _CHARACTER * characters(level)
        if left < 0:
            return False
    return True


class _SpentError(Exception):
    """The budget of a check is spent; never leaves this module."""


class Meter:
    """What is left of one check's budget, and why nothing is."""

    __slots__ = ("_engines", "_grades", "_readable", "left", "reason")

    def __init__(self, grades: Mapping[str, Grade], value: object = None) -> None:
        self._grades = grades
        self._engines: dict[str, list[tuple[int, Validator]]] = {}
        self.start(value)

    def start(self, value: object) -> None:
        """Begin with a full budget for this value."""
        self.left = _WORK_LIMIT
        self.reason: str | None = None
        self._readable = _READINGS * sum(map(characters, levels(value))) if self._grades else 0

    def spend(self, units: int, reason: str = "it could take too many steps") -> None:
        """Pay before the work is done; raises `_SpentError` from the moment on that nothing is left."""
        self.left -= units
        if self.left < 0:
            self.reason = self.reason or reason
            raise _SpentError

    def read(self, length: int) -> None:
        """Pay for reading so many characters; nothing, as long as each was read a few times only."""
        self._readable -= length
        if self._readable < 0:
            self.spend(_CHARACTER * min(length, -self._readable), _TOO_LONG)

    def matches(self, pattern: str, text: str) -> bool:
        """Whether a pattern occurs in a text; raises `_SpentError` where that takes too long to tell."""
        grade = self._grades[pattern]
        if pattern not in self._engines:
            self._engines[pattern] = [(effort, grade.engine(pattern, effort)) for effort in grade.efforts or (1,)]
        if not grade.units:
            self.read(len(text))
        for effort, engine in self._engines[pattern]:
            self.spend(1 + effort * grade.units * len(text) ** grade.power, _TOO_LONG)
            if engine.is_valid(text):
                return True
            if not grade.efforts or not gave_up(engine, text):
                return False
        self.left, self.reason = -1, "a pattern needs too much backtracking"
        raise _SpentError

    def seems_to_match(self, pattern: str, text: str) -> bool:
        """The same, where being wrong costs a hint only."""
        try:
            return self.matches(pattern, text)
        except _SpentError:
            return True


class _Cost:
    """The keyword that counts. Once the budget is spent, all that is left counts as not fitting, at once."""

    def __init__(self, meter: Meter, _schema: object, costs: list[int], _path: _Path) -> None:
        self._meter = meter
        self._own, self._each, self._copies, self._integers, self._names = costs

    def validate(self, value: object) -> None:
        size = bulk(value)
        self._meter.spend(_COUNTING + size * (self._own + (self._integers if size > 1 else 0)))
        if self._names:
            self._meter.read(self._names * characters((value,)))
        if isinstance(value, dict | list):
            self._meter.spend(self._each * len(cast("list[object]", value)))
        if self._copies and isinstance(value, list):
            for level in levels(cast("object", value)):
                self._meter.spend(_COPYING * len(level))


class _Pattern:
    """`pattern`, with the engine that its text needs, and counted."""

    def __init__(self, meter: Meter, _schema: object, pattern: str, _path: _Path) -> None:
        self._meter = meter
        self._pattern = pattern

    def validate(self, text: object) -> None:
        if isinstance(text, str) and not self._meter.matches(self._pattern, text):
            raise ValueError


class _Twin:
    """Rewrites a schema so that each subschema where work can branch is counted before it is checked.

    What references name moves to names of our own, so that no reference depends on where a subschema stands.
    """

    def __init__(self, found: Survey) -> None:
        self._survey = found
        self._names: dict[int, str] = {}
        self._waiting: list[Json] = []

    def schema(self) -> dict[str, Json]:
        root = self._named(self._survey.root)
        definitions: dict[str, Json] = {}
        for number, schema in enumerate(self._waiting):  # grows while what is named is rewritten
            definitions[str(number)] = self._rewritten(schema)
        return {"$ref": root, "$defs": definitions}

    def _named(self, schema: Json) -> str:
        key = id(schema)
        if key not in self._names:
            self._names[key] = f"#/$defs/{len(self._waiting)}"
            self._waiting.append(schema)
        return self._names[key]

    def _rewritten(self, schema: Json) -> Json:
        if not isinstance(schema, dict):
            return schema
        keywords = self._survey.dialect.keywords(schema)
        body = {keyword: copy(value) for keyword, value in keywords.items() if keyword not in _NOT_KEPT}
        for keyword, part, one in inner(keywords):
            holder = body if part is None else body.get(keyword)
            if isinstance(holder, dict):
                holder[keyword if part is None else str(part)] = self._rewritten(one)
            elif isinstance(holder, list) and isinstance(part, int):
                holder[part] = self._rewritten(one)
        if id(schema) in self._survey.targets:
            body["$ref"] = self._named(self._survey.targets[id(schema)])
        costs = self._survey.weights.get(id(schema))
        if costs is None:
            return body
        unique = int(keywords.get("uniqueItems") is True)
        more = [unique, integers_in(keywords), len(members(keywords, "patternProperties"))]
        return {"allOf": [{_COST: [*costs, *more]}, body]}
