"""What a JSON Schema may ask for: read, resolved and measured before any of it is compiled.

The native validator answers in nanoseconds and trusts its schema: it follows remote references, and some schemas cost
it hours or the process. So each subschema is visited first, without recursion, and each depth of a value gets a bound
on the work that one value there can cause. Work is counted in units of about 0.1 µs.
"""

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias, cast

import msgspec

from prowess.errors import Problem
from prowess.execution.validation.dialects import (
    DIALECTS,
    FIELD,
    FIELDS,
    GROUPS,
    HERE,
    ITEM,
    ITEMS,
    LATEST,
    UNEVALUATED,
    Dialect,
    Keywords,
    dialect_of,
    elements,
    inner,
    members,
)
from prowess.execution.validation.patterns import Grade, grade
from prowess.execution.validation.sizes import bulk, is_large, levels, numbers
from prowess.model.json_value import DEPTH_LIMIT, Json, json_path
from prowess.model.schema import Schema, resolve_pointer

__all__ = ["Survey", "integers_in", "survey"]

_Path: TypeAlias = tuple[str | int, ...]

_SATURATED = 10**7  # a bound beyond every budget; sums stop growing here
_BYTES_LIMIT = 1_000_000
_SUBSCHEMA_LIMIT = 10_000
_HEIGHT_LIMIT = 32  # subschemas inside one another at one value: 128 values deep, this needs 0.5 MB of stack
_PLACE_LIMIT = 10_000  # units of work at one value: a millisecond
_SURVEY_LIMIT = 300_000  # steps of the measuring itself
_PATTERN_BYTES = 32_000_000  # bytes that all patterns may compile to
_REFUSED_BYTES = 1 << 20  # what trying a pattern counts for that no engine takes
_LIGHT = 4
_SCALAR_STEPS = 8  # names or options that are compared in one unit
_FREE = 64  # units at one value that are not worth counting: a document's check stays linear, 6 µs a value at worst
_FREE_SLOW = 4  # the same where a unit can be the reading of a long text, or a comparison of fractions

_ANCHORS = ("$anchor", "$dynamicAnchor")
_MOVING = {"$dynamicRef", "$recursiveRef"}
_NOTABLE = frozenset(
    {*GROUPS, *_MOVING, *_ANCHORS, "$defs", "definitions", "contentSchema", "$ref", "$id", "$schema", "pattern"}
    | {"enum", "const", "required", "dependentRequired", "uniqueItems"}
)
_SLOW = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "patternProperties"}
)


class Survey(msgspec.Struct, eq=False, gc=False):
    """A schema that may be compiled, or the problems why not."""

    root: Json
    dialect: Dialect
    problems: tuple[Problem, ...]
    targets: Mapping[int, Json] = {}
    """What each `$ref` names, by the `id` of the subschema that holds it."""
    weights: Mapping[int, tuple[int, int]] = {}
    """By the `id` of a subschema that is worth counting: what it costs itself, and for each child of the value."""
    costs: tuple[int, ...] = ()
    """For each depth of a value, what one value there can cost; the last holds for all below."""
    free: int = 0
    """Units at one value that are not worth counting."""
    integers: int = 0
    """The longest list of integers among its enums: they are told apart at once, other numbers one by one."""
    grades: Mapping[str, Grade] = {}
    """The patterns of the schema."""


def survey(schema: Schema) -> Survey:
    """Read, resolve and measure a schema; never raises, and ends within a second for the worst of them."""
    if len(schema.text) > _BYTES_LIMIT:
        return Survey(None, LATEST, (_problem((), "size", f"a schema has at most {_BYTES_LIMIT:,} bytes"),))
    try:
        root: Json = msgspec.json.decode(schema.text)
    except (ValueError, RecursionError):
        root = None
    if (
        not isinstance(root, dict | bool) or sum(1 for _ in levels(root)) > DEPTH_LIMIT
    ):  # text would be read as a schema
        message = f"a schema is a JSON object, true or false, at most {DEPTH_LIMIT} levels deep"
        return Survey(None, LATEST, (_problem((), "json", message),))
    dialect = dialect_of(root)
    if dialect is None:
        known = ", ".join(f"'{dialect.name}'" for dialect in DIALECTS)
        return Survey(root, LATEST, (_problem(("$schema",), "$schema", f"is not known: use one of {known}"),))
    walk = _Walk(root, dialect)
    costs = () if walk.problems else _measure(walk)
    problems = tuple(sorted(walk.problems, key=lambda problem: problem.path))
    places = walk.places.values()
    return Survey(
        root=root,
        dialect=dialect,
        problems=problems,
        targets=walk.targets,
        weights={key: place.counted() for key, place in walk.places.items() if place.counts},
        costs=costs,
        free=_FREE_SLOW if walk.slow else _FREE,
        integers=max((integers_in(place.keywords) for place in places), default=0),
        grades=walk.grades,
    )


def integers_in(keywords: Keywords) -> int:
    """How many integers an enum lists that lists nothing else, none of them large."""
    options = elements(keywords, "enum")
    return len(options) if all(type(one) is int and not is_large(one) for one in options) else 0


# ---------------------------------------------------------------------------------------------------------------------


class _Place:
    """One subschema that says more than a type; `edges` holds the places it leads to, by group.

    `cost` is the work it causes at one value so far down, `again` what looking at all in it once more would add.
    """

    __slots__ = ("again", "before", "cost", "edges", "height", "keywords", "marks", "path", "weight")

    def __init__(self, path: _Path, keywords: Keywords, weight: int = 1) -> None:
        self.path, self.keywords, self.weight = path, keywords, weight
        self.edges: tuple[list[_Place], ...] = ([], [], [], [], [])
        self.marks = any(word in keywords for word in UNEVALUATED)
        self.cost = self.before = self.again = self.height = 0

    @property
    def counts(self) -> bool:
        """Whether it is worth counting by itself."""
        return self.weight > _LIGHT or any(self.edges) or integers_in(self.keywords) > 0

    def counted(self) -> tuple[int, int]:
        """What it costs itself, those at the same value included that are not counted, and for each child."""
        own = self.weight + sum(one.weight for one in self.edges[HERE] if not one.counts)
        return own, 1 + len(self.edges[FIELDS]) + len(self.edges[ITEMS])

    def below(self) -> int:
        """What one value right below costs: it is one field or item, and each of those that are asked of all."""
        _, field, fields, item, items = self.edges
        if not (field or fields or item or items):
            return 0
        in_object = max((one.before for one in field), default=0) + sum(one.before for one in fields)
        in_array = max((one.before for one in item), default=0) + sum(one.before for one in items)
        return max(in_object, in_array)


class _Walk:
    """One visit of every subschema: finds what is illegal, what references name, and what leads where."""

    def __init__(self, root: Json, dialect: Dialect) -> None:
        self.problems: list[Problem] = []
        self.places: dict[int, _Place] = {}
        self.targets: dict[int, Json] = {}
        self.grades: dict[str, Grade] = {}
        self.root = root
        self._dialect = dialect
        self._anchors: dict[str, Json] = {}
        self._references: list[tuple[_Place, int]] = []
        self._visited = self._pattern_bytes = 0
        self.slow = False
        """Whether a unit of work can be the reading of a long text, or a comparison of fractions."""
        self._leaf = _Place((), {})
        self._copy = _Place((), {}, weight=3)  # what comparing whole values costs: every part of them, once
        self._copy.edges = ([], [], [self._copy], [], [self._copy])
        self._visit(root, ())
        self._resolve()
        if not self.problems:
            self._connect()

    def _visit(self, schema: Json, path: _Path) -> None:
        waiting = [(schema, path)]
        while waiting:
            one, where = waiting.pop()
            if not isinstance(one, dict) or id(one) in self.places:
                continue
            self._visited += 1
            if self._visited > _SUBSCHEMA_LIMIT:
                self.report(where, "size", f"a schema has at most {_SUBSCHEMA_LIMIT:,} subschemas")
                return
            keywords = self._dialect.keywords(one)
            self.slow = self.slow or not _SLOW.isdisjoint(keywords) or _lists_numbers(keywords)
            if _NOTABLE.isdisjoint(keywords):
                continue
            place = self.places[id(one)] = _Place(where, keywords)
            self._look_at(place, id(one), one)
            for keyword, part, subschema in inner(keywords):
                waiting.append((subschema, (*where, keyword) if part is None else (*where, keyword, part)))

    def _look_at(self, place: _Place, key: int, schema: dict[str, Json]) -> None:
        path, keywords = place.path, place.keywords
        for word in _MOVING & keywords.keys():
            self.report((*path, word), word, "is not followed, as what it names depends on the caller: use '$ref'")
        if path and ("$id" in keywords or dialect_of(keywords, self._dialect) is not self._dialect):
            self.report(path, "$id", "'$id' and '$schema' stand at the top only: inside, they change what '$ref' means")
        if isinstance(keywords.get("$ref"), str):
            self._references.append((place, key))
        for word in _ANCHORS:  # one without '$dynamicRef' is an anchor like the other
            anchor = keywords.get(word)
            if isinstance(anchor, str) and self._anchors.setdefault(anchor, schema) is not schema:
                self.report((*path, word), word, "names two places")
        self._patterns(place)
        place.weight = _weight(keywords)

    def _patterns(self, place: _Place) -> None:
        own = place.keywords.get("pattern")
        found = [(pattern, True) for pattern in members(place.keywords, "patternProperties")]
        for pattern, names_fields in [(own, False), *found] if isinstance(own, str) else found:
            keyword = "patternProperties" if names_fields else "pattern"
            message = self._refusal(pattern, names_fields=names_fields)
            if message is not None:
                self.report((*place.path, keyword), keyword, message)

    def _refusal(self, pattern: str, *, names_fields: bool) -> str | None:
        """Why a pattern cannot be taken; after too many bytes, the others are not even tried."""
        graded = grade(pattern) if self._pattern_bytes <= _PATTERN_BYTES else None
        self._pattern_bytes += _REFUSED_BYTES if graded is None else graded.size
        if self._pattern_bytes > _PATTERN_BYTES:
            return f"is one too many: all patterns together compile to at most {_PATTERN_BYTES:,} bytes"
        if graded is None:
            return "is no regular expression, or too large, or looks around while it looks around"
        if names_fields and graded.units:
            return "looks around or is too large to name fields with: use 'propertyNames' or a simpler pattern"
        self.grades[pattern] = graded
        return None

    def _resolve(self) -> None:
        for place, key in self._references:  # grows while what is named is visited
            reference = str(place.keywords["$ref"])
            local = not reference or reference.startswith("#")
            found = cast("Json", resolve_pointer(self.root, reference or "#"))
            found = self._anchors.get(reference[1:]) if found is None and local else found
            if isinstance(found, dict | bool):
                self.targets[key] = found
                self._visit(found, tuple(reference[1:].strip("/").split("/")))
                continue
            message = "names no schema" if local else "leaves this schema: only '#', '#/…' and '#anchor' are followed"
            self.report((*place.path, "$ref"), "$ref", message)

    def _connect(self) -> None:
        for key, place in self.places.items():
            if key in self.targets:
                place.edges[HERE].append(self.places.get(id(self.targets[key]), self._leaf))
            for keyword, _, subschema in inner(place.keywords):
                group = GROUPS.get(keyword, FIELD)
                to = self.places.get(id(subschema), self._leaf)
                if keyword in GROUPS and not (to is self._leaf and group in {FIELD, ITEM} and place.edges[group]):
                    place.edges[group].append(to)
            if place.keywords.get("uniqueItems") is True:
                place.edges[ITEMS].append(self._copy)

    def ordered(self) -> list[_Place]:
        """Every place after those that it applies to the same value; a loop among them is a problem."""
        places = (self._leaf, self._copy, *self.places.values())
        combined = {place: place.edges[HERE] for place in places if place.edges[HERE]}
        try:
            order = [place for place in TopologicalSorter(combined).static_order() if place in combined]
        except CycleError as error:
            self.report(error.args[1][0].path, "$ref", "leads back to the same value, without end")
            return []
        for place in order:
            place.height = 1 + max(one.height for one in place.edges[HERE])
        return [*(place for place in places if place not in combined), *order]

    def report(self, path: _Path, rule: str, message: str) -> None:
        self.problems.append(_problem(path, rule, message))


def _measure(walk: _Walk) -> tuple[int, ...]:
    """For each depth of a value, the most work that one value there can cause."""
    order = walk.ordered()
    _descend(order, top=True)
    for place in order:
        if place.height >= _HEIGHT_LIMIT:
            message = f"nests more than {_HEIGHT_LIMIT} references and combinations at one value"
            walk.report(place.path, "depth", message)
        elif place.cost > _PLACE_LIMIT:
            message = f"could take over {_PLACE_LIMIT:,} steps for one value: use fewer alternatives"
            walk.report(place.path, "cost", message)
    root = walk.places.get(id(walk.root))
    if walk.problems or root is None:
        return (1,)
    costs: list[int] = []
    met: dict[tuple[int, ...], int] = {}
    for depth in range(DEPTH_LIMIT + 1):
        again = met.setdefault(tuple([place.cost for place in order]), depth)
        if again < depth:
            return (*costs, max(costs[again:]))
        if depth * len(order) > _SURVEY_LIMIT:
            return (*costs, _SATURATED)
        costs.append(root.cost)
        _descend(order)
    return tuple(costs)


def _descend(order: list[_Place], *, top: bool = False) -> None:
    """Let each place cost what it does one level further down; `unevaluated…` checks all beside it once more."""
    for place in order:
        place.before = place.cost
    for place in order:
        once = again = place.weight if top else place.below()
        for one in place.edges[HERE]:
            once += one.cost
            again += one.cost + one.again
        place.again = min(_SATURATED, again)
        place.cost = min(_SATURATED, once + again if place.marks else once)


def _weight(keywords: Keywords) -> int:
    """What the keywords without subschemas cost: comparing with whole values, and long lists of names."""
    weight = 1 + len(elements(keywords, "required")) // _SCALAR_STEPS + _comparing(_options(keywords))
    for word in ("dependentRequired", "dependencies"):
        needed = members(keywords, word)
        weight += sum(1 + len(elements(needed, name)) // _SCALAR_STEPS for name in needed)
    return weight


def _options(keywords: Keywords) -> list[Json]:
    return [*elements(keywords, "enum"), *([keywords["const"]] if "const" in keywords else [])]


def _lists_numbers(keywords: Keywords) -> bool:
    return any(numbers(level) for option in _options(keywords) for level in levels(option))


def _comparing(options: list[Json]) -> int:
    """What comparing with each of these costs; texts alone, and integers alone, are told apart at once."""
    if all(isinstance(one, str) for one in options) or integers_in({"enum": options}):
        return 0
    units = len(options) // _SCALAR_STEPS
    for option in options:
        if isinstance(option, dict | list):
            units += 1 + len(msgspec.json.encode(option)) // _SCALAR_STEPS
        units += sum(bulk(one) for level in levels(option) for one in numbers(level))
    return units


def _problem(path: _Path, rule: str, message: str) -> Problem:
    return Problem(path=json_path(list(path)), rule=rule, message=message)
