"""What a field's value must be: one form for each kind of value, which takes it in or says what is wrong.

A form takes what people write (a list for a tuple, a word for a member of an enum, a dictionary for a struct) and gives
what a field holds. Every problem is told, with its path, and nothing is ever raised.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import TypeAlias, TypeGuard, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, fields, force_setattr, replace

from prowess.errors import ConfigurationError, InvalidSchemaError, Problem
from prowess.model.json_value import NotJsonError, is_object, json_path, json_type
from prowess.model.manifest_parts import Extra
from prowess.model.names import near_names
from prowess.model.schema import Schema

__all__ = [
    "Form",
    "Forms",
    "Path",
    "Problems",
    "besides",
    "checked",
    "choice",
    "demand",
    "each",
    "extra",
    "flag",
    "instance",
    "integer",
    "is_items",
    "items_of",
    "note",
    "number",
    "read_fields",
    "record",
    "schema",
    "sentence",
    "settle",
    "text",
]

Path: TypeAlias = tuple[str | int, ...]
Problems: TypeAlias = list[Problem]
Form: TypeAlias = Callable[[object, Path, Problems], object]
"""Takes one value. What it gives where it found a problem is never used."""
Forms: TypeAlias = Mapping[str, Form]
"""Those of a struct's fields, in their order."""

_Value = TypeVar("_Value", bound=Struct)


def settle(value: Struct, forms: Forms) -> None:
    """Bring a struct that is being made into form, field by field. What has no form stays, for `checked` to tell."""
    for name, form, given in _said(value, forms):
        problems: Problems = []
        taken = form(given, (name,), problems)
        if not problems and taken is not given:
            force_setattr(value, name, taken)


def demand(what: str, value: Struct, forms: Forms) -> None:
    """The same for an argument: what has no form is a `ConfigurationError` with every problem."""
    settle(value, forms)
    _, problems = checked(value, forms)
    if problems:
        message = f"{what}: {'; '.join(sentence(problem).message for problem in problems)}"
        raise ConfigurationError(message, details={"problems": tuple(problems)})


def checked(value: _Value, forms: Forms, path: Path = ()) -> tuple[_Value, Problems]:
    """The struct with a default in the place of each field that has not its form, and the problems of those."""
    problems: Problems = []
    blanks: dict[str, object] = {}
    for name, form, given in _said(value, forms):
        before = len(problems)
        form(given, (*path, name), problems)
        if len(problems) > before:
            default = _defaults(type(value))[list(forms).index(name)]
            blanks[name] = "" if default is _NO_DEFAULT else default
    return (replace(value, **blanks) if blanks else value), problems


def besides(problems: Problems, others: Iterable[Problem]) -> list[Problem]:
    """The others that are not about a field which is among the problems: what is no text has no wrong characters."""
    fields = {_field_of(problem) for problem in problems}
    return [other for other in others if _field_of(other) not in fields]


def sentence(problem: Problem, root: str = "$") -> Problem:
    """The problem, its message a sentence that says the place: `tags[0]: must be text`."""
    place = problem.path.removeprefix(root).lstrip(".")
    hint = f", did you mean '{problem.near}'?" if problem.near else ""
    return replace(problem, message=f"{place}: {problem.message}{hint}")


def read_fields(
    value: object, forms: Forms, path: Path, problems: Problems, spellings: Mapping[str, str]
) -> dict[str, object]:
    """The fields of one object, by the names that Python gives them; a null counts as absent.

    A name may be in camelCase too, or one of `spellings`.
    """
    if not is_object(value):
        note(problems, path, "type", "must be an object", value)
        return {}
    found: dict[str, object] = {}
    for key, item in value.items():
        field = _field(str(key), forms, spellings)
        if field is None:
            near = next(iter(near_names(str(key), [*forms, *spellings])), None)
            problems.append(Problem(path=json_path([*path, str(key)]), rule="unknown", message="is unknown", near=near))
        elif field in found:
            note(problems, (*path, key), "duplicate", f"says '{field}' a second time, in another spelling", item)
        elif item is not None:
            found[field] = forms[field](item, (*path, key), problems)
    return found


def note(problems: Problems, path: Path, rule: str, message: str, value: object) -> None:
    """Note what is wrong with a value."""
    problems.append(Problem(path=json_path(list(path)), rule=rule, message=message, type=json_type(value)))


def text(value: object, path: Path, problems: Problems) -> object:
    """Text."""
    if not isinstance(value, str):
        note(problems, path, "type", "must be text", value)
    return value


def flag(value: object, path: Path, problems: Problems) -> object:
    """True or false."""
    if not isinstance(value, bool):
        note(problems, path, "type", "must be true or false", value)
    return value


def integer(value: object, path: Path, problems: Problems) -> object:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        note(problems, path, "type", "must be a whole number", value)
    return value


def number(value: object, path: Path, problems: Problems) -> object:
    """A number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        note(problems, path, "type", "must be a number", value)
    return value


def choice(words: Iterable[str]) -> Form:
    """One word of a closed set, which becomes the very member."""
    members = {str(word): word for word in words}

    def take(value: object, path: Path, problems: Problems) -> object:
        if isinstance(value, str) and value in members:
            return members[value]
        near = next(iter(near_names(value, members)), None) if isinstance(value, str) else None
        message = f"must be one of {', '.join(members)}"
        problems.append(
            Problem(path=json_path(list(path)), rule="enum", message=message, type=json_type(value), near=near)
        )
        return None

    return take


def each(form: Form) -> Form:
    """A list of such values."""

    def take(value: object, path: Path, problems: Problems) -> object:
        items = items_of(value)
        if items is None:
            note(problems, path, "type", "must be a list", value)
            return ()
        taken = tuple(form(item, (*path, index), problems) for index, item in enumerate(items))
        same = isinstance(value, tuple) and all(new is old for new, old in zip(taken, items, strict=True))
        return items if same else taken

    return take


def instance(kind: type, words: str) -> Form:
    """A value of this very class; `words` say what would be right."""

    def take(value: object, path: Path, problems: Problems) -> object:
        if not isinstance(value, kind):
            note(problems, path, "type", f"must be {words}", value)
        return value

    return take


def record(empty: Struct, forms: Forms, *, needs: str | None = None) -> Form:
    """A struct, or an object with its fields, of which it may need one."""

    def take(value: object, path: Path, problems: Problems) -> object:
        if isinstance(value, type(empty)):
            problems += checked(value, forms, path)[1]
            return value
        taken = read_fields(value, forms, path, problems, {})
        if needs is not None and needs not in taken and is_object(value):
            problems.append(Problem(path=json_path([*path, needs]), rule="required", message="is missing"))
        return replace(empty, **taken)

    return take


def schema(value: object, path: Path, problems: Problems) -> object:
    """A JSON Schema."""
    if not isinstance(value, Schema) and not is_object(value) and not isinstance(value, bool):
        note(problems, path, "type", "must be a JSON Schema: an object", value)
        return None
    try:
        return Schema.of(value)
    except InvalidSchemaError as error:
        note(problems, path, "schema", error.message, value)
        return None


def extra(value: object, path: Path, problems: Problems) -> object:
    """Any JSON of the author's own, under names."""
    if isinstance(value, Extra):
        return value
    if not is_object(value):
        note(problems, path, "type", "must be an object", value)
        return None
    try:
        return Extra(value)
    except NotJsonError as error:
        place = json_path([*path, *reversed(error.parts)])
        problems.append(Problem(path=place, rule="json", message=error.problem))
        return None


def is_items(value: object) -> TypeGuard[Sequence[object]]:
    """Whether a value is a list or a tuple."""
    return isinstance(value, list | tuple)


def items_of(value: object) -> Sequence[object] | None:
    """The items of a list, or of what can stand for one, sets sorted; None for text, objects and single values."""
    if is_items(value):
        return value
    if isinstance(value, AbstractSet):
        return sorted(value, key=str)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        return None
    return list(value)


# ---------------------------------------------------------------------------------------------------------------------


_FIELD = re.compile(r"\$(?:\.[^.\[]+\[\d+\])?\.?[^.\[]*")
"""A field of the whole, or of one item of a list: `$.limits`, `$.steps[0].retries`."""
_NO_DEFAULT = object()


@cache
def _defaults(kind: type[Struct]) -> tuple[object, ...]:
    return tuple(_NO_DEFAULT if field.required else field.default for field in fields(kind))


def _said(value: Struct, forms: Forms) -> list[tuple[str, Form, object]]:
    """The fields that are not at their default, with their forms."""
    known = zip(forms.items(), astuple(value), _defaults(type(value)), strict=True)
    return [(name, form, given) for (name, form), given, default in known if given is not default]


def _field_of(problem: Problem) -> str:
    found = _FIELD.match(problem.path)
    return problem.path if found is None else found[0]


def _field(key: str, forms: Forms, spellings: Mapping[str, str]) -> str | None:
    field = spellings.get(key, key)
    if field in forms:
        return field
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in field)
    return snake if field.isalpha() and snake in forms else None
