"""What `Annotated` adds to a type: bounds, lengths, patterns and a description.

Constraints are known by their attributes, as `annotated_types` advises, so that neither it nor any library that
follows it has to be imported; `msgspec.Meta` has the same ones.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

from msgspec.structs import replace

from prowess.authoring.annotations.codec import Codec, Family, MismatchError, Read, Seen, UnsupportedError
from prowess.authoring.annotations.containers import union_of
from prowess.authoring.annotations.hints import peeled
from prowess.model.json_value import Json

__all__ = ["constrained", "description_note", "description_of"]

_Compare: TypeAlias = Callable[[Any, Any], Any]

_BOUNDS: Mapping[str, tuple[str, str, _Compare]] = {
    "ge": ("minimum", "at least", ge),
    "gt": ("exclusiveMinimum", "more than", gt),
    "le": ("maximum", "at most", le),
    "lt": ("exclusiveMaximum", "less than", lt),
}
_LENGTHS = ("min_length", "max_length")
_LENGTH_KEYWORDS: Mapping[Family, tuple[str, str]] = {
    Family.TEXT: ("minLength", "maxLength"),
    Family.ARRAY: ("minItems", "maxItems"),
    Family.OBJECT: ("minProperties", "maxProperties"),
}
_NAMES = (*_BOUNDS, "multiple_of", *_LENGTHS, "pattern")
_STRICTER: Mapping[str, _Compare] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}

_Found = dict[str, object]


def description_of(metadata: Iterable[object]) -> str | None:
    """The description among the metadata: plain text, `Doc("…")`, or one that a constraint carries. The last wins."""
    description = None
    for one in metadata:
        for text in (one, getattr(one, "documentation", None), getattr(one, "description", None)):
            if isinstance(text, str):
                description = text
    return description


def description_note(annotation: object, documented: str | None) -> dict[str, object]:
    """What a schema says about a value of this annotation: its own words before those of a docstring."""
    words = description_of(peeled(annotation)[1]) or documented
    return {"description": words} if words else {}


def constrained(codec: Codec, metadata: Iterable[object]) -> Codec:
    """The codec with the constraints among the metadata; raises `UnsupportedError` for one that means nothing to it."""
    for one in _opened(metadata):
        if not isinstance(one, str):
            codec = _narrowed(codec, _constraints(one))
            notes = _notes(one)
            codec = replace(codec, schema={**codec.schema, **notes}) if notes else codec
    return codec


# ---------------------------------------------------------------------------------------------------------------------


def _opened(metadata: Iterable[object]) -> Iterable[object]:
    """Groups, such as `Interval`, opened: a group is iterable and says so by this marker of its protocol."""
    for one in metadata:
        if getattr(one, "__is_annotated_types_grouped_metadata__", None) is not None and isinstance(one, Iterable):
            yield from _opened(one)
        else:
            yield one


def _constraints(one: object) -> _Found:
    found = {name: getattr(one, name, None) for name in _NAMES}
    if found["min_length"] == 0:  # says nothing
        del found["min_length"]
    return {name: bound for name, bound in found.items() if bound is not None and not callable(bound)}


def _notes(one: object) -> dict[str, object]:
    title, examples, extra = (getattr(one, name, None) for name in ("title", "examples", "extra_json_schema"))
    notes: dict[str, object] = {}
    if isinstance(title, str):
        notes["title"] = title
    if isinstance(examples, list):
        notes["examples"] = examples
    return {**notes, **extra} if isinstance(extra, dict) else notes


def _narrowed(codec: Codec, wanted: _Found) -> Codec:
    if not wanted:
        return codec
    if codec.family is Family.UNION:
        return _narrowed_union(codec, wanted)
    wrong = [name for name in wanted if name not in _meaningful(codec.family)]
    if wrong:
        message = f"the constraint {wrong[0]} means nothing to a value of this type"
        raise UnsupportedError(message)
    schema = _joined(codec.schema, _keywords(codec.family, wanted))
    if codec.family in (Family.ORDERED, Family.BYTES):  # JSON Schema cannot say it of the text, so reading checks it
        return replace(codec, schema=schema, read=_checked(codec.read, wanted))
    return replace(codec, schema=schema)


def _narrowed_union(codec: Codec, wanted: _Found) -> Codec:
    """Each constraint goes to the members that it means something to; it must be one at least."""
    unheard = set(wanted)
    members: list[Codec] = []
    for member in codec.members:
        meaningful = _meaningful(member.family)
        heard = {name: bound for name, bound in wanted.items() if name in meaningful}
        unheard -= heard.keys()
        members.append(_narrowed(member, heard))
    if unheard:
        message = f"the constraint {min(unheard)} means nothing to any of these types"
        raise UnsupportedError(message)
    return union_of(members)


def _joined(schema: Mapping[str, object], keywords: _Found) -> dict[str, object]:
    """Both hold: of two bounds the stricter stays, of two others each keeps its place."""
    joined = dict(schema)
    for keyword, bound in keywords.items():
        if keyword not in joined:
            joined[keyword] = bound
        elif keyword in _STRICTER:
            joined[keyword] = _STRICTER[keyword](joined[keyword], bound)
        else:
            others = joined.get("allOf")
            joined["allOf"] = [*(others if isinstance(others, list) else []), {keyword: bound}]
    return joined


def _meaningful(family: Family) -> tuple[str, ...]:
    if family in (Family.INTEGER, Family.NUMBER, Family.ORDERED):
        return (*_BOUNDS, "multiple_of")
    if family is Family.TEXT:
        return (*_LENGTHS, "pattern")
    return _LENGTHS if family is Family.BYTES or family in _LENGTH_KEYWORDS else ()


def _keywords(family: Family, wanted: _Found) -> dict[str, object]:
    if family in (Family.INTEGER, Family.NUMBER):
        keywords = {name: keyword for name, (keyword, _, _) in _BOUNDS.items()} | {"multiple_of": "multipleOf"}
        return {keywords[name]: _number(name, bound) for name, bound in wanted.items()}
    if family is Family.BYTES:
        return _base64_lengths(wanted)
    if family is Family.ORDERED:
        return {}
    keywords = dict(zip(_LENGTHS, _LENGTH_KEYWORDS[family], strict=True)) | {"pattern": "pattern"}
    return {keywords[name]: getattr(bound, "pattern", bound) for name, bound in wanted.items()}


def _number(name: str, bound: object) -> int | float:
    if isinstance(bound, int | float) and math.isfinite(bound):
        return bound
    message = f"the constraint {name} of a number is a finite number"
    raise UnsupportedError(message)


def _base64_lengths(wanted: _Found) -> dict[str, object]:
    """Lengths of the text that base64 makes of so many bytes."""
    lengths = dict(zip(("minLength", "maxLength"), (wanted.get(name) for name in _LENGTHS), strict=True))
    return {keyword: 4 * -(-bytes_ // 3) for keyword, bytes_ in lengths.items() if isinstance(bytes_, int)}


def _checked(read: Read, wanted: _Found) -> Read:
    checks = [_check(name, bound) for name, bound in wanted.items()]

    def checked(value: Json, seen: Seen) -> object:
        made = read(value, seen)
        for holds, rule, expected in checks:
            if not holds(made):
                raise MismatchError.at(value, f"expected {expected}", rule)
        return made

    return checked


def _check(name: str, bound: object) -> tuple[Callable[[Any], bool], str, str]:
    if name in _BOUNDS:
        rule, words, compare = _BOUNDS[name]
        return lambda made: _holds(compare, made, bound), rule, f"{words} {bound}"
    if name == "multiple_of":
        return lambda made: _holds(_divides, made, bound), "multipleOf", f"a multiple of {bound}"
    longer = ge if name == "min_length" else le
    words = "at least" if name == "min_length" else "at most"
    return lambda made: _holds(longer, len(bytes(made)), bound), name, f"{words} {bound} bytes"


def _holds(compare: _Compare, made: object, bound: object) -> bool:
    """Whether the bound holds; a date with a time zone and one without do not compare, nor does a Decimal NaN."""
    try:
        return bool(compare(made, bound))
    except (TypeError, ArithmeticError):
        return False


def _divides(made: Any, bound: Any) -> bool:
    return bool(made % bound == 0)
