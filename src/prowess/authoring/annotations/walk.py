"""From an annotation to its codec: one rule for each kind of type, tried in order."""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from collections.abc import Set as AbstractSet
from enum import Enum, Flag
from typing import Any, ForwardRef, Literal, LiteralString, TypeAlias, TypeVar, get_args, get_origin

from msgspec.structs import replace

from prowess.authoring.annotations.codec import Codec, Family, MismatchError, Seen, UnsupportedError
from prowess.authoring.annotations.constraints import constrained, description_of
from prowess.authoring.annotations.containers import array_of, mapping_of, set_of, tuple_of, union_of
from prowess.authoring.annotations.definitions import Definitions
from prowess.authoring.annotations.hints import Namespace, is_pydantics, is_union, peeled, substituted, type_arguments
from prowess.authoring.annotations.records import (
    dataclass_fields,
    named_tuple_of,
    record_of,
    struct_of,
    typed_dict_fields,
)
from prowess.authoring.annotations.scalars import (
    ANYTHING,
    SCALARS,
    derived,
    enum_of,
    is_standard,
    literal_of,
    path_of,
    standard,
)
from prowess.model.json_value import Json

__all__ = ["Walker"]

_ADVICE = "use builtins, Literal, an enum, a dataclass, a TypedDict, a msgspec Struct or a Pydantic model"
_SETS: Mapping[type, Callable[..., object]] = {set: set, MutableSet: set, AbstractSet: set, frozenset: frozenset}
_JSON = str(Json).replace("Json", f"ForwardRef({str(Json)!r})")
"""How the alias `Json`, which is a text that holds itself, looks where a longer annotation was evaluated."""
_PAIR = 2


class Walker:
    """Makes the codecs of one signature, which share their definitions. Lives while the signature is read."""

    def __init__(self, namespace: Namespace, *, output: bool = False) -> None:
        self.definitions = Definitions()
        self.namespace = namespace
        self.output = output
        self._known: dict[object, Codec] = {}
        self._open: dict[object, _Link] = {}

    def codec(self, annotation: object) -> Codec:
        """The codec of an annotation; raises `UnsupportedError`, or `UnresolvedError` for a name nobody knows."""
        kind, metadata = peeled(annotation)
        if is_pydantics(annotation):
            # Only a signature that names a type of Pydantic's pays for its import, which is the larger part of a start.
            from prowess.authoring.annotations.pydantic_types import pydantic_codec  # noqa: PLC0415 - an extra

            return pydantic_codec(annotation, self.definitions, output=self.output)
        codec = constrained(_codec_of(self, kind), metadata)
        description = description_of(metadata)
        return codec if description is None else replace(codec, schema={**codec.schema, "description": description})

    def named(self, key: object, name: str, make: Callable[[], Codec], *, always: bool = False) -> Codec:
        """A codec that may be met again inside itself. It is a definition where it is, or `always`."""
        if key in self._known:
            return self._known[key]
        if key in self._open:
            link = self._open[key]
            link.name = link.name or self.definitions.reserve(name)
            reference = self.definitions.reference(link.name)
            return Codec(family=Family.RECORD, schema=reference, read=link.read)
        link = self._open[key] = _Link(self.definitions.reserve(name) if always else None)
        codec = link.codec = make()
        del self._open[key]
        if link.name is not None:
            self.definitions.put(link.name, codec.schema)
            codec = replace(codec, schema=self.definitions.reference(link.name))
        self._known[key] = codec
        return codec


class _Link:
    """What stands for a type inside itself. Its read remembers, so that unions of recursive types stay linear."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.codec = ANYTHING

    def read(self, value: Json, seen: Seen) -> object:
        key = (id(self), id(value))
        if key not in seen:
            try:
                seen[key] = self.codec.read(value, seen)
            except MismatchError as error:
                seen[key] = error
        outcome = seen[key]
        if isinstance(outcome, MismatchError):
            raise outcome
        return outcome


# ---------------------------------------------------------------------------------------------------------------------


def _codec_of(walker: Walker, annotation: object) -> Codec:
    for applies, make in _RULES:
        if applies(annotation):
            return make(walker, annotation)
    origin = get_origin(annotation) or annotation
    if isinstance(origin, type):
        for is_one, make_class in _CLASS_RULES:
            if is_one(origin):
                return make_class(walker, origin, annotation)
    raise UnsupportedError(f"{_shown(annotation)} has no JSON form: {_ADVICE}")


def _forward(walker: Walker, annotation: object) -> Codec:
    text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else str(annotation)
    return walker.named(text, text, lambda: walker.codec(walker.namespace.resolve(text)))


def _alias(walker: Walker, annotation: object) -> Codec:
    alias = get_origin(annotation) or annotation
    values: dict[object, object] = dict(zip(getattr(alias, "__type_params__", ()), get_args(annotation), strict=False))
    value = walker.namespace.value_of(alias)
    return walker.named(str(annotation), _shown(alias), lambda: walker.codec(substituted(value, values)))


def _new_type(walker: Walker, annotation: object) -> Codec:
    return walker.codec(getattr(annotation, "__supertype__", object))


def _type_variable(walker: Walker, annotation: object) -> Codec:
    """What is not said may be anything; a bound or constraints say something."""
    bound: object = getattr(annotation, "__bound__", None)
    choices: Sequence[object] = getattr(annotation, "__constraints__", ())
    if choices:
        return union_of([walker.codec(choice) for choice in choices])
    return ANYTHING if bound is None else walker.codec(bound)


def _union(walker: Walker, annotation: object) -> Codec:
    return union_of([walker.codec(member) for member in get_args(annotation)])


def _array(walker: Walker, _kind: type, annotation: object) -> Codec:
    return array_of(_argument(walker, annotation))


def _set(walker: Walker, kind: type, annotation: object) -> Codec:
    return set_of(_argument(walker, annotation), _SETS[kind])


def _tuple(walker: Walker, _kind: type, annotation: object) -> Codec:
    items = get_args(annotation)
    if not items and get_origin(annotation) is None:
        return array_of(ANYTHING, tuple)
    if len(items) == _PAIR and items[1] is Ellipsis:
        return array_of(walker.codec(items[0]), tuple)
    return tuple_of([walker.codec(item) for item in items], len(items))


def _mapping(walker: Walker, _kind: type, annotation: object) -> Codec:
    key, value = get_args(annotation) or (str, Any)
    return mapping_of(walker.codec(key), walker.codec(value))


def _argument(walker: Walker, annotation: object) -> Codec:
    arguments = get_args(annotation)
    return walker.codec(arguments[0]) if arguments else ANYTHING


def _scalar(_walker: Walker, kind: type, _annotation: object) -> Codec:
    return SCALARS[kind]


def _standard(_walker: Walker, kind: type, _annotation: object) -> Codec:
    return standard(kind)


def _path(_walker: Walker, kind: type, _annotation: object) -> Codec:
    return path_of(kind)


def _derived(_walker: Walker, kind: type, _annotation: object) -> Codec:
    return derived(kind, kind)


def _enum(_walker: Walker, kind: type[Enum], _annotation: object) -> Codec:
    if issubclass(kind, Flag):
        message = f"{kind.__name__} combines flags, which JSON Schema cannot list: write set[...] of an enum"
        raise UnsupportedError(message)
    return enum_of(kind)


def _struct(walker: Walker, _kind: type, annotation: object) -> Codec:
    return struct_of(annotation, walker.codec, walker.definitions)


def _named_tuple(walker: Walker, kind: type, annotation: object) -> Codec:
    return named_tuple_of(kind, _hints(walker, kind, annotation), walker.codec)


def _typed_dict(walker: Walker, kind: type, annotation: object) -> Codec:
    def make() -> Codec:
        fields = typed_dict_fields(kind, _hints(walker, kind, annotation), walker.codec)
        return record_of(kind, fields, closed=getattr(kind, "__closed__", None) is True)

    return walker.named(_key(kind, annotation), _shown(annotation), make, always=True)


def _dataclass(walker: Walker, kind: type, annotation: object) -> Codec:
    def make() -> Codec:
        hints = _hints(walker, kind, annotation)
        return record_of(kind, dataclass_fields(kind, hints, walker.codec, output=walker.output), closed=True)

    return walker.named(_key(kind, annotation), _shown(annotation), make, always=True)


def _hints(walker: Walker, kind: type, annotation: object) -> Mapping[str, object]:
    values = type_arguments(kind, get_args(annotation))
    return {name: substituted(hint, values) for name, hint in walker.namespace.fields(kind).items()}


def _key(kind: type, annotation: object) -> object:
    """What tells `Box[int]` from `Box[str]`; a class is itself, since local ones share their printed names."""
    return (kind, str(annotation)) if get_args(annotation) else kind


def _shown(annotation: object) -> str:
    arguments = get_args(annotation)
    name = getattr(annotation, "__name__", None) or str(annotation).removeprefix("typing.")
    return f"{name}[{', '.join(_shown(one) for one in arguments)}]" if arguments and "[" not in name else name


def _has(*attributes: str) -> Callable[[object], bool]:
    return lambda one: all(hasattr(one, attribute) for attribute in attributes)


def _derives(*bases: type) -> Callable[[type], bool]:
    return lambda kind: issubclass(kind, bases)


_Rule: TypeAlias = tuple[Callable[[object], bool], Callable[[Walker, object], Codec]]
_ClassRule: TypeAlias = tuple[Callable[[type], bool], Callable[[Walker, Any, object], Codec]]

_RULES: Sequence[_Rule] = (
    (lambda one: one is Any, lambda _walker, _one: ANYTHING),
    (lambda one: one is LiteralString, lambda _walker, _one: SCALARS[str]),
    (lambda one: one is None, lambda _walker, _one: SCALARS[type(None)]),
    (lambda one: isinstance(one, str | ForwardRef), _forward),
    (lambda one: is_union(one) and str(one) == _JSON, lambda _walker, _one: ANYTHING),
    (is_union, _union),
    (lambda one: get_origin(one) is Literal, lambda _walker, one: literal_of(one)),
    (lambda one: isinstance(one, TypeVar), _type_variable),
    (_has("__supertype__"), _new_type),
    (lambda one: type(get_origin(one) or one).__name__ == "TypeAliasType", _alias),
)

_CLASS_RULES: Sequence[_ClassRule] = (
    (lambda kind: kind in SCALARS, _scalar),
    (is_standard, _standard),
    (_derives(Enum), _enum),
    (_has("__required_keys__", "__total__"), _typed_dict),
    (_has("_fields", "_field_defaults"), _named_tuple),
    (lambda kind: hasattr(kind, "__struct_fields__") or hasattr(kind, "__attrs_attrs__"), _struct),
    (_has("__dataclass_fields__"), _dataclass),
    (lambda kind: kind in (list, Sequence, MutableSequence, Iterable, Collection), _array),
    (lambda kind: kind in _SETS, _set),
    (lambda kind: kind is tuple, _tuple),
    (lambda kind: kind in (dict, Mapping, MutableMapping), _mapping),
    (_has("__fspath__"), _path),
    (_derives(str, int, float), _derived),
)
