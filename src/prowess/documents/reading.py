"""One document: its text to a shape, and what Pydantic says about it in words for its author."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from prowess.documents.shapes.entries import (
    EntryShape,
    OpRegistry,
    OpShape,
    SkillRegistry,
    SkillShape,
)
from prowess.documents.shapes.others import CapabilityRegistry, OverlayShape
from prowess.documents.shapes.words import PATTERNS
from prowess.documents.text.findings import MISSING, Findings
from prowess.documents.text.json_text import read_json
from prowess.documents.text.yaml_text import read_governed_yaml
from prowess.documents.values import Document, DocumentKind, Place
from prowess.model.json_value import is_array, is_object
from prowess.model.names import near_names

__all__ = ["DocumentShape", "Shaped", "read_shape"]

READS = (1, 2)
"""The major versions of documents that this release reads."""

DocumentShape: TypeAlias = SkillRegistry | OpRegistry | CapabilityRegistry | OverlayShape

_MODELS: Mapping[DocumentKind, type[DocumentShape]] = {
    DocumentKind.SKILLS: SkillRegistry,
    DocumentKind.OPS: OpRegistry,
    DocumentKind.CAPABILITIES: CapabilityRegistry,
    DocumentKind.OVERLAY: OverlayShape,
}


class Shaped:
    """A document whose text could be read: what of it has the right shape."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.capabilities: CapabilityRegistry | None = None
        self.overlay: OverlayShape | None = None
        self.entries: list[tuple[int, SkillShape | OpShape]] = []
        """Each with its position."""
        self.unclear: set[str] = set()
        """The names of entries that have not the right shape: nothing is said about what calls them."""


def read_shape(document: Document, findings: Findings) -> Shaped:
    """Read one document; everything that is wrong with its text and its fields goes to `findings`."""
    shaped = Shaped(document)
    file = document.file
    if document.kind is DocumentKind.OVERLAY:
        tree: object = read_governed_yaml(file, document.data, findings)
        if tree is None and not findings.wrong:  # a file that holds comments only
            return shaped
    else:
        tree = read_json(file, document.data, findings)
        if document.kind is DocumentKind.CAPABILITIES:
            tree = _with_objects(tree)
    if tree is None:
        return shaped
    model = _MODELS[document.kind]
    try:
        shape = model.model_validate(tree)
    except ValidationError as error:
        _tell(error, tree, model, file, findings)
        _keep_sound(shaped, tree)
    else:
        _keep(shaped, shape)
        _check_version(shape, file, findings)
    return shaped


# ---------------------------------------------------------------------------------------------------------------------


def _keep(shaped: Shaped, shape: DocumentShape) -> None:
    if isinstance(shape, SkillRegistry):
        shaped.entries = list(enumerate(shape.skills))
    elif isinstance(shape, OpRegistry):
        shaped.entries = list(enumerate(shape.ops))
    elif isinstance(shape, CapabilityRegistry):
        shaped.capabilities = shape
    else:
        shaped.overlay = shape


def _with_objects(tree: object) -> object:
    """A capability document in its one form: ids by themselves, and a list without an object around it, count too."""
    whole: object = {"capabilities": tree} if is_array(tree) else tree
    if not is_object(whole) or not is_array(whole.get("capabilities")):
        return whole
    items = cast("list[object]", whole["capabilities"])
    return {**whole, "capabilities": [{"id": item} if isinstance(item, str) else item for item in items]}


def _check_version(shape: DocumentShape, file: str, findings: Findings) -> None:
    version = shape.registry_version
    if version is not None and int(version.partition(".")[0]) not in READS:
        read = " and ".join(f"{major}.x" for major in READS)
        message = f"is a version that this release does not read: it reads {read}"
        findings.error(file, ("registry_version",), "version", message, version)


def _keep_sound(shaped: Shaped, tree: object) -> None:
    """Keep the entries that have the right shape, so that what they say about each other is looked at too."""
    skills = shaped.document.kind is DocumentKind.SKILLS
    field, reads = ("skills", _SKILL) if skills else ("ops", _OP)
    items = tree.get(field) if is_object(tree) else None
    if shaped.document.kind not in {DocumentKind.SKILLS, DocumentKind.OPS} or not is_array(items):
        return
    for position, item in enumerate(items):
        try:
            shaped.entries.append((position, reads(item)))
        except ValidationError:
            name = item.get("name") if is_object(item) else None
            shaped.unclear.add(name if isinstance(name, str) else "")


_SKILL: Callable[[object], SkillShape] = TypeAdapter(
    SkillRegistry.model_fields["skills"].annotation.__args__[0]  # type: ignore[union-attr]
).validate_python
_OP: Callable[[object], OpShape] = TypeAdapter(
    OpRegistry.model_fields["ops"].annotation.__args__[0]  # type: ignore[union-attr]
).validate_python


# ---------------------------------------------------------------------------------------------------------------------


def _tell(error: ValidationError, tree: object, model: type[BaseModel], file: str, findings: Findings) -> None:
    for one in error.errors(include_url=False):
        at = _place_of(one["loc"], tree)
        value = _at(tree, at)
        if one["type"].startswith("union_tag"):
            _tell_tag(one, at, value, file, findings)
        else:
            _tell_one(one, at, value, (tree, model), file, findings)


def _tell_one(
    one: ErrorDetails, at: Place, value: object, whole: tuple[object, type[BaseModel]], file: str, findings: Findings
) -> None:
    kind = one["type"]
    context: Mapping[str, Any] = one.get("ctx", {})
    if kind == "missing":
        findings.error(file, at, "required", "is missing")
    elif kind == "extra_forbidden":
        _tell_extra(at, value, whole, file, findings)
    elif kind == "literal_error":
        words = [word.strip("'") for word in str(context["expected"]).replace(" or ", ", ").split(", ")]
        near = next(iter(near_names(value, words, 1)), None) if isinstance(value, str) else None
        findings.error(file, at, "enum", f"must be one of {', '.join(words)}", value, near=near)
    elif kind == "string_pattern_mismatch":
        findings.error(file, at, "pattern", PATTERNS[context["pattern"]], value)
    else:
        rule, message = _RULES.get(kind, (kind, one["msg"][:1].lower() + one["msg"][1:]))
        findings.error(file, at, rule, message.format(**context), value)


_RULES = {
    "string_type": ("type", "must be text"),
    "list_type": ("type", "must be a list"),
    "dict_type": ("type", "must be an object"),
    "model_type": ("type", "must be an object"),
    "model_attributes_type": ("type", "must be an object"),
    "bool_type": ("type", "must be true or false"),
    "int_type": ("type", "must be a whole number"),
    "int_from_float": ("type", "must be a whole number"),
    "float_type": ("type", "must be a number"),
    "finite_number": ("type", "must be a finite number"),
    "greater_than": ("minimum", "must be more than {gt:g}"),
    "greater_than_equal": ("minimum", "must be at least {ge}"),
    "string_too_long": ("maxLength", "must have at most {max_length} characters"),
    "string_too_short": ("minLength", "must not be empty"),
    "too_short": ("minItems", "must not be empty"),
}


def _tell_tag(one: ErrorDetails, at: Place, value: object, file: str, findings: Findings) -> None:
    """An entry that does not say of which kind it is: that, and all else that is wrong with it whatever it is."""
    context: Mapping[str, Any] = one.get("ctx", {})
    field = str(context["discriminator"]).strip("'")
    place = (*at, field)
    known = _words_of_tag(place)
    given = value.get(field, MISSING) if is_object(value) else MISSING
    if given is MISSING:
        findings.error(file, place, "required", f"is missing: one of {', '.join(known)}")
    else:
        near = next(iter(near_names(given, known, 1)), None) if isinstance(given, str) else None
        findings.error(file, place, "enum", f"must be one of {', '.join(known)}", given, near=near)
    if len(at) != len(("skills", 0)):
        return
    try:
        EntryShape.model_validate(value)
    except ValidationError as error:
        for other in error.errors(include_url=False):
            if other["type"] != "extra_forbidden":
                inner = _place_of(other["loc"], value)
                _tell_one(other, (*at, *inner), _at(value, inner), (value, EntryShape), file, findings)


def _words_of_tag(place: Place) -> tuple[str, ...]:
    if place[-1] == "kind":
        return ("logic", "pipeline")
    return ("python", "http", "script") if "entrypoint" in place else ("native", "http", "script", "mcp")


_OF_OTHER_KIND = {
    "entrypoint": "is for logic skills, and this is a pipeline: its steps say what runs",
    "call_targets": "is for logic skills, and this is a pipeline: its steps name their targets",
    "steps": "is for pipelines, and this is a logic skill: its entrypoint says what runs",
}


def _tell_extra(at: Place, value: object, whole: tuple[object, type[BaseModel]], file: str, findings: Findings) -> None:
    tree, model = whole
    field = str(at[-1])
    owner = _at(tree, at[:-1])
    kind = owner.get("kind") if is_object(owner) else None
    if kind in {"logic", "pipeline"} and field in _OF_OTHER_KIND:
        findings.error(file, at, "unknown", _OF_OTHER_KIND[field], value)
        return
    known = _fields_at(model, at[:-1], tree)
    near = next(iter(near_names(field, known, 1)), None)
    findings.error(file, at, "unknown", "is unknown here", value, near=near)


def _fields_at(model: type[BaseModel], at: Place, tree: object) -> Sequence[str]:
    """The fields that may stand at a place: those of every model which could be meant."""
    models: list[type[BaseModel]] = [model]
    value: object = tree
    for part in at:
        value = _at(value, (part,))
        if isinstance(part, str):
            models = [inner for one in models for inner in _models_in(one, part)] or models
    owner: Mapping[str, object] = value if is_object(value) else {}
    models = [one for one in models if _fits_tag(one, owner)] or models
    return sorted({field for one in models for field in one.model_fields if not field.endswith("_")})


def _models_in(model: type[BaseModel], field: str) -> list[type[BaseModel]]:
    found = model.model_fields.get(field)
    return [] if found is None else list(_models_of(found.annotation))


def _models_of(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_of(inner)


def _fits_tag(model: type[BaseModel], value: Mapping[str, object]) -> bool:
    for field in ("kind", "runtime"):
        found = model.model_fields.get(field)
        if found is not None and value.get(field) not in getattr(found.annotation, "__args__", ()):
            return False
    return True


def _place_of(loc: tuple[int | str, ...], tree: object) -> Place:
    """Where a value stands in the text: without the words that Pydantic puts in for the members of a union."""
    at: list[str | int] = []
    value: object = tree
    for position, part in enumerate(loc):
        last = position == len(loc) - 1
        if _is_tag(at) and part in _ALL_TAGS and not (last and is_object(value) and part in value):
            continue
        if is_object(value):
            if part not in value and not last:
                continue
            value = value.get(str(part), MISSING)
        elif is_array(value) and isinstance(part, int) and part < len(value):
            value = value[part]
        elif isinstance(part, int) or not last:
            continue
        else:  # a member of a union that the value is none of
            break
        at.append(part)
    return tuple(at)


_ALL_TAGS = frozenset({"logic", "pipeline", "python", "http", "script", "native", "mcp"})


def _is_tag(at: Sequence[str | int]) -> bool:
    """Whether the next part of a location may be the tag of a union, and no place."""
    return (len(at) == len(("skills", 0)) and at[0] in {"skills", "ops"}) or (at[-1:] == ["entrypoint"])


def _at(tree: object, at: Place) -> object:
    value: object = tree
    for part in at:
        value = value[part] if is_array(value) and isinstance(part, int) else _field_in(value, part)
    return value


def _field_in(value: object, part: object) -> object:
    return value.get(str(part), MISSING) if is_object(value) else MISSING
