"""What is wrong with a value, in words for people and models: every fault, where it is, what was expected.

The native validator's own errors quote and copy the whole value into each error, and try all alternatives of
alternatives. So this is a second reading of the schema, bounded in steps, which asks the native validator only about
single keywords. It is never asked whether a value fits: that was decided before.
"""

from collections.abc import Callable, Iterable, Mapping, Sized
from itertools import islice
from typing import NamedTuple, TypeAlias

import msgspec

from prowess.errors import Problem
from prowess.execution.validation.dialects import GROUPS, HERE, elements, inner, members
from prowess.execution.validation.sizes import bulk
from prowess.execution.validation.survey import Survey
from prowess.execution.validation.words import NAME_LIMIT, as_json, as_name, either, listed, short
from prowess.model.json_value import Json, json_path, json_type
from prowess.model.names import near_names

__all__ = ["describe", "explain"]

_STEPS_LIMIT = 100_000
_OPTIONS = 16  # names or options that are looked at in one step
_COMPARISONS_LIMIT = 2_000  # names compared in search of near ones
_SUMMARY_LIMIT = 800
_MANY = 100
_NOT_ALONE = frozenset({*GROUPS, "$ref", "pattern"})
_REST = frozenset({"additionalProperties", "patternProperties"})

_Part: TypeAlias = str | int
_Path: TypeAlias = tuple[_Part, ...]

_LIMITS: Mapping[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
    "uniqueItems": "items that all differ",
    "pattern": "text that matches {}",
    "const": "{}",
}
"""Keywords that are checked alone, and what is expected of a value that they refuse."""


def explain(found: Survey, value: Json, matches: Callable[[str, str], bool], most: int) -> tuple[Problem, ...]:
    """The problems of a value that does not fit, in a fixed order, up to `most`; at least one."""
    try:
        problems = _Reading(found, matches, most).check(found.root, value, ())
    except (RecursionError, ValueError):  # too deep; or a keyword that means nothing, where nobody looks but a '$ref'
        problems = []
    return tuple(dict.fromkeys(problems[:most])) or (
        _problem((), "schema", "does not fit the schema as a whole", json_type(value)),
    )


def describe(problems: Iterable[Problem]) -> str:
    """All problems in one bounded line: `limit: expected integer, found string; qurey: unknown field`."""
    return short("; ".join(map(_line, problems)), _SUMMARY_LIMIT)


# ---------------------------------------------------------------------------------------------------------------------


class _Spot(NamedTuple):
    """One subschema at one value."""

    schema: dict[str, Json]
    keywords: dict[str, Json]
    value: Json
    path: _Path

    def problem(self, rule: str, message: str, near: str | None = None) -> list[Problem]:
        return [_problem(self.path, rule, message, json_type(self.value), near)]


class _Reading:
    """One reading of a schema beside a value; after its last step it finds nothing more."""

    def __init__(self, found: Survey, matches: Callable[[str, str], bool], most: int) -> None:
        self.targets = found.targets
        self.dialect = found.dialect
        self.matches, self.most = matches, most
        self._left, self.spent, self.unsure = _STEPS_LIMIT, False, False
        self._comparisons = _COMPARISONS_LIMIT
        self._asked: dict[tuple[int, str], Callable[[object], bool]] = {}
        self._known: dict[tuple[int, int, _Path], list[Problem]] = {}

    def check(self, schema: Json, value: Json, path: _Path) -> list[Problem]:
        """The problems of one value under one subschema; a wrong type hides the others."""
        if schema is False:
            return [_problem(path, "false", "nothing is allowed here", json_type(value))]
        if not isinstance(schema, dict) or not self.step():
            return []
        key = (id(schema), id(value), path)
        if key not in self._known:
            self._known[key] = self._look(self.spot(schema, value, path))
        return self._known[key]

    def _look(self, spot: _Spot) -> list[Problem]:
        self.unsure = self.unsure or "unevaluatedItems" in spot.keywords  # which is not followed
        if not self.fits(spot, "type"):
            return spot.problem("type", f"expected {either(spot.keywords['type'])}")
        problems: list[Problem] = []
        for words, look in _CHECKS:
            if not words.isdisjoint(spot.keywords) and len(problems) < self.most:
                problems += look(self, spot)
        return problems

    def first(self, found: Iterable[list[Problem]]) -> list[Problem]:
        """The problems of all, up to `most`: where that many are found, nothing more is looked at."""
        problems: list[Problem] = []
        for some in found:
            problems += some
            if len(problems) >= self.most:
                break
        return problems

    def step(self, options: int = 0) -> bool:
        """Take one more step; once they are `spent`, answers are guesses, and nothing may follow from them."""
        self._left -= 1 + options // _OPTIONS
        self.spent = self._left < 0
        self.unsure = self.unsure or self.spent
        return not self.spent

    def spot(self, schema: dict[str, Json], value: Json, path: _Path = ()) -> _Spot:
        return _Spot(schema, self.dialect.keywords(schema), value, path)

    def fits(self, spot: _Spot, keyword: str) -> bool:
        """Whether a value fits one keyword that holds no subschemas, or there is none."""
        limit = spot.keywords.get(keyword)
        if keyword not in spot.keywords or not self.step(bulk(spot.value) * len(elements(spot.keywords, keyword))):
            return True
        if keyword == "pattern":
            return not isinstance(spot.value, str) or self.matches(str(limit), spot.value)
        key = (id(spot.schema), keyword)
        native = self._asked.get(key)
        if native is None:
            native = self._asked[key] = self.dialect.compile({keyword: limit}).is_valid
        return native(spot.value)

    def quick(self, schema: Json, values: Sized) -> Callable[[object], bool] | None:
        """A native check of very many values, where the schema says nothing that could cost more."""
        if not isinstance(schema, dict) or len(values) <= _MANY or not schema.keys().isdisjoint(_NOT_ALONE):
            return None
        return self.dialect.compile(schema).is_valid

    def near(self, wanted: Json, known: Iterable[Json]) -> str | None:
        """The likeliest name of those known, as long as comparing is affordable."""
        if not isinstance(wanted, str) or self._comparisons < 0:
            return None
        candidates = [name for name in known if isinstance(name, str) and len(name) <= NAME_LIMIT]
        self._comparisons -= len(candidates)
        if not candidates or self._comparisons < 0:
            return None
        return next(iter(near_names(wanted, candidates, 1)), None)

    def outline(self, schema: Json) -> Json:
        """What a chain of bare references leads to."""
        while isinstance(schema, dict) and self.dialect.keywords(schema).keys() == {"$ref"}:
            schema = self.targets[id(schema)]
        return schema

    def has_type(self, schema: Json, value: Json) -> bool:
        """Whether an alternative is about values of this type."""
        schema = self.outline(schema)
        return self.fits(self.spot(schema, value), "type") if isinstance(schema, dict) else schema is not False

    def told_apart(self, schema: Json, value: Json) -> bool:
        """Whether a field whose values are listed shows that an alternative is not meant."""
        fields = members(self.outline(schema), "properties")
        if not self.step(len(fields)) or not isinstance(value, dict):
            return False
        spots = [self.spot(one, value[name]) for name, one in fields.items() if name in value and isinstance(one, dict)]
        return not all(self.fits(spot, word) for spot in spots for word in ("const", "enum"))


def _limits(reading: _Reading, spot: _Spot) -> list[Problem]:
    problems: list[Problem] = []
    for word, expected in _LIMITS.items():
        if not reading.fits(spot, word):
            limit = spot.keywords[word]
            text = expected.removesuffix("s") if limit == 1 else expected
            problems += spot.problem(word, f"expected {text.format(as_json(limit))}")
    return problems


def _enum(reading: _Reading, spot: _Spot) -> list[Problem]:
    return [] if reading.fits(spot, "enum") else _no_option(reading, spot, elements(spot.keywords, "enum"))


def _no_option(reading: _Reading, spot: _Spot, options: list[Json]) -> list[Problem]:
    return spot.problem("enum", f"expected one of {listed(map(as_json, options))}", reading.near(spot.value, options))


def _required(reading: _Reading, spot: _Spot) -> list[Problem]:
    if not isinstance(spot.value, dict):
        return []
    wanted: list[tuple[Json, str, str]] = [(name, "required", "") for name in elements(spot.keywords, "required")]
    for word in ("dependentRequired", "dependencies"):
        for owner in members(spot.keywords, word):
            needed = elements(members(spot.keywords, word), owner) if owner in spot.value else []
            wanted += [(name, word, f", which '{as_name(owner)}' needs") for name in needed]
    strange = [name for name in spot.value if name not in members(spot.keywords, "properties")]
    problems: list[Problem] = []
    missing = (one for one in wanted if one[0] not in spot.value)
    for name, word, why in islice(missing, reading.most if reading.step(len(wanted) + len(spot.value)) else 0):
        near = reading.near(name, strange)
        hint = f"; '{as_name(near)}' may be meant for it" if near else ""
        message = f"required field '{as_name(name)}' is missing{why}{hint}"
        problems.append(_problem((*spot.path, str(name)), word, message))
    return problems


def _fields(reading: _Reading, spot: _Spot) -> list[Problem]:
    if not isinstance(spot.value, dict):
        return []
    properties = members(spot.keywords, "properties")
    patterns = members(spot.keywords, "patternProperties").items()
    reading.step(len(properties) + len(spot.value))
    told = ((name, schema) for name, schema in properties.items() if name in spot.value)
    problems = reading.first(reading.check(schema, spot.value[name], (*spot.path, name)) for name, schema in told)
    others: list[tuple[_Part, Json]] = []
    for name, value in spot.value.items():
        matching = [one for pattern, one in patterns if reading.step() and reading.matches(pattern, name)]
        problems += reading.first(reading.check(one, value, (*spot.path, name)) for one in matching)
        if not matching and name not in properties:
            others.append((name, value))
    return problems if reading.spent else problems + _rest(reading, spot, "additionalProperties", others)


def _rest(reading: _Reading, spot: _Spot, word: str, others: list[tuple[_Part, Json]]) -> list[Problem]:
    """Check the fields or items that no other keyword speaks of."""
    schema = spot.keywords.get(word, True)
    if schema is not False:
        fits = reading.quick(schema, others)  # of very many, only those that it refuses are looked into
        others = others if fits is None else [(part, one) for part, one in others if not fits(one)]
        return reading.first(reading.check(schema, one, (*spot.path, part)) for part, one in others)
    value = spot.value if isinstance(spot.value, dict) else {}
    known = [name for name in members(spot.keywords, "properties") if name not in value]
    problems: list[Problem] = []
    for part, one in others[: reading.most]:
        message = f"unknown field '{as_name(part)}'" if isinstance(part, str) else "an item too many"
        near = reading.near(part, known) if isinstance(part, str) else None
        problems.append(_problem((*spot.path, part), word, message, json_type(one), near))
    return problems


def _field_names(reading: _Reading, spot: _Spot) -> list[Problem]:
    names = spot.value if isinstance(spot.value, dict) else {}
    kind = spot.keywords["propertyNames"]
    found = reading.first(reading.check(kind, name, (*spot.path, name)) for name in names)
    return [msgspec.structs.replace(one, rule="propertyNames", message=f"its name: {one.message}") for one in found]


def _items(reading: _Reading, spot: _Spot) -> list[Problem]:
    if not isinstance(spot.value, list):
        return []
    old = isinstance(spot.keywords.get("items"), list)
    first = elements(spot.keywords, "items" if old else "prefixItems")
    pairs = enumerate(zip(first, spot.value, strict=False))
    problems = reading.first(reading.check(schema, value, (*spot.path, number)) for number, (schema, value) in pairs)
    others: list[tuple[_Part, Json]] = list(enumerate(spot.value))
    return problems + _rest(reading, spot, "additionalItems" if old else "items", others[len(first) :])


def _contains(reading: _Reading, spot: _Spot) -> list[Problem]:
    if not isinstance(spot.value, list):
        return []
    kind, items = spot.keywords["contains"], enumerate(spot.value)
    fits = reading.quick(kind, spot.value)
    fitting = sum(map(fits, spot.value) if fits else (not reading.check(kind, v, (*spot.path, n)) for n, v in items))
    counts = {"minItems": spot.keywords.get("minContains", 1), "maxItems": spot.keywords.get("maxContains", fitting)}
    if reading.unsure or reading.dialect.compile(counts).is_valid([0] * fitting):
        return []
    return spot.problem("contains", f"holds {fitting} of the items that 'contains' asks for, too few or too many")


def _together(reading: _Reading, spot: _Spot) -> list[Problem]:
    """Check everything that the value has to fit besides: references, `allOf`, conditions that hold."""
    keywords = spot.keywords
    branches = [reading.targets[id(spot.schema)]] if "$ref" in keywords else []
    branches += elements(keywords, "allOf")
    if "if" in keywords:
        holds = not reading.check(keywords["if"], spot.value, spot.path)
        branches.append(reading.unsure or keywords.get("then" if holds else "else", True))
    if isinstance(spot.value, dict):
        needed = (*members(keywords, "dependencies").items(), *members(keywords, "dependentSchemas").items())
        branches += [one for name, one in needed if name in spot.value]
    return reading.first(reading.check(branch, spot.value, spot.path) for branch in branches)


def _alternatives(reading: _Reading, spot: _Spot) -> list[Problem]:
    """Check `anyOf` and `oneOf`; where none fits, give the problems of the nearest: the fewest, the deepest."""
    problems: list[Problem] = []
    for word in ("anyOf", "oneOf"):
        branches = [one for one in elements(spot.keywords, word) if reading.has_type(one, spot.value)]
        meant = [one for one in branches if not reading.told_apart(one, spot.value)]
        tried: list[list[Problem]] = []
        for branch in meant or branches:
            tried.append(reading.check(branch, spot.value, spot.path))
            if word == "anyOf" and not tried[-1]:
                break
        fitting = sum(not found for found in tried)
        if reading.unsure or word not in spot.keywords:
            continue
        if word == "oneOf" and fitting > 1:
            problems += spot.problem(word, f"fits {fitting} of the alternatives, expected exactly one")
        elif not fitting:
            tried.sort(key=lambda found: (len(found), -max(len(one.path) for one in found)))
            problems += ([] if meant else _other_kind(reading, spot, word)) or (tried[0] if tried else [])
    return problems


def _other_kind(reading: _Reading, spot: _Spot, word: str) -> list[Problem]:
    """What is wrong with the field that tells alternatives apart, or with the type; nothing where neither is."""
    branches = [reading.outline(branch) for branch in elements(spot.keywords, word)]
    for name, value in spot.value.items() if isinstance(spot.value, dict) else ():
        fields = [members(branch, "properties").get(name) for branch in branches if members(branch, "properties")]
        if not reading.step(len(branches)):
            break
        if fields and all(_constants(field) for field in fields):
            options = [option for field in fields for option in _constants(field)]
            return _no_option(reading, _Spot({}, {}, value, (*spot.path, name)), options)
    if any(reading.has_type(branch, spot.value) for branch in branches):
        return []
    return spot.problem(word, f"fits none of the alternatives: {listed(map(_kind, branches))}")


def _not(reading: _Reading, spot: _Spot) -> list[Problem]:
    fits = not reading.check(spot.keywords["not"], spot.value, spot.path)
    return spot.problem("not", "fits what is excluded here") if fits and not reading.unsure else []


def _unevaluated(reading: _Reading, spot: _Spot) -> list[Problem]:
    """Check the fields that no subschema at this value knows, whether or not that subschema fits."""
    if not isinstance(spot.value, dict):
        return []
    known: set[str] = set()
    waiting: list[Json] = [spot.schema]
    for schema in waiting:  # grows; a subschema never applies to the same value again
        if isinstance(schema, dict):
            keywords = reading.spot(schema, None).keywords
            if not _REST.isdisjoint(keywords) or (known and "unevaluatedProperties" in keywords) or not reading.step():
                reading.unsure = True  # finding no problem says nothing from now on
                return []
            known |= {"", *members(keywords, "properties")}
            waiting += [one for word, _, one in inner(keywords) if GROUPS.get(word) == HERE]
            waiting += [reading.targets[id(schema)]] if "$ref" in keywords else []
    others: list[tuple[_Part, Json]] = [(name, one) for name, one in spot.value.items() if name not in known]
    return _rest(reading, spot, "unevaluatedProperties", others)


_CHECKS: tuple[tuple[frozenset[str], Callable[[_Reading, _Spot], list[Problem]]], ...] = (
    (frozenset({"enum"}), _enum),
    (frozenset(_LIMITS), _limits),
    (frozenset({"required", "dependentRequired", "dependencies"}), _required),
    (frozenset({"properties", "patternProperties", "additionalProperties"}), _fields),
    (frozenset({"propertyNames"}), _field_names),
    (frozenset({"prefixItems", "items"}), _items),
    (frozenset({"contains"}), _contains),
    (frozenset({"$ref", "allOf", "if", "dependentSchemas", "dependencies"}), _together),
    (frozenset({"anyOf", "oneOf"}), _alternatives),
    (frozenset({"not"}), _not),
    (frozenset({"unevaluatedProperties"}), _unevaluated),
)
"""In which order keywords are looked at, whatever the order in the schema."""


def _problem(path: _Path, rule: str, message: str, kind: str | None = None, near: str | None = None) -> Problem:
    parts = [as_name(part) if isinstance(part, str) else part for part in path]
    return Problem(path=json_path(parts), rule=rule, message=message, type=kind, near=near)


def _line(problem: Problem) -> str:
    """One problem for `describe`, without repeating the field's name."""
    label = problem.path.removeprefix("$").removeprefix(".")
    message = problem.message.replace(f" '{label.rpartition('.')[2]}'", "", 1) if label else problem.message
    found = f", found {problem.type}" if problem.rule == "type" and problem.type else ""
    hint = f" (did you mean '{problem.near}'?)" if problem.near else ""
    return short(f"{label}{': ' if label else ''}{message}{found}{hint}", _SUMMARY_LIMIT)


def _kind(schema: Json) -> str:
    constants = [as_json(one) for one in _constants(schema)]
    if constants:
        return listed(constants)
    return either(schema["type"]) if isinstance(schema, dict) and "type" in schema else "another schema"


def _constants(schema: Json) -> list[Json]:
    return [schema["const"]] if isinstance(schema, dict) and "const" in schema else elements(schema, "enum")
