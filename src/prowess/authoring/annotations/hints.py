"""Annotations as written, made into types: postponed ones, those of local scopes, generic ones."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from prowess.model.json_value import Json

__all__ = [
    "Namespace",
    "UnresolvedError",
    "is_pydantics",
    "is_union",
    "namespace_of",
    "peeled",
    "substituted",
    "type_arguments",
]

_ITSELF = "annotation"
_WRAPPERS = frozenset({"ClassVar", "Final", "NotRequired", "ReadOnly", "Required"})


class UnresolvedError(NameError):
    """An annotation that Python cannot evaluate, mostly for a name that only type checkers see."""


class Namespace(Struct, frozen=True, eq=False):
    """Where the names of an annotation are looked up. Lives while one signature is read."""

    globals: dict[str, object]
    locals: Mapping[str, object]

    def resolve(self, annotation: object) -> object:
        """The type that an annotation means; raises `UnresolvedError`."""
        if annotation == str(Json):  # the alias is a text, which holds itself
            return Any
        holder = SimpleNamespace(__annotations__={_ITSELF: annotation})
        found = self._look_up(
            lambda names: get_type_hints(holder, self.globals, names, include_extras=True), self.globals
        )
        return found[_ITSELF]

    def fields(self, record: type) -> dict[str, object]:
        """The types of a class's annotated fields; raises `UnresolvedError`."""
        own = {record.__name__: record} | {one.__name__: one for one in getattr(record, "__type_params__", ())}
        return self._look_up(
            lambda names: get_type_hints(record, None, {**names, **own}, include_extras=True), _module_of(record)
        )

    def value_of(self, alias: object) -> object:
        """What a `type X = ...` alias stands for; raises `UnresolvedError`."""
        module = _module_of(alias)
        value = self._look_up(lambda _names: {_ITSELF: getattr(alias, "__value__", object)}, module)[_ITSELF]
        return Namespace(module, {}).resolve(value) if isinstance(value, str) else value

    def _look_up(
        self, evaluate: Callable[[dict[str, object]], dict[str, object]], module: dict[str, object]
    ) -> dict[str, object]:
        try:
            try:
                return evaluate(dict(self.locals))
            except NameError:  # a local name, perhaps: looked for late, since most annotations have none
                return evaluate({**_locals_of_callers(module), **self.locals})
        except NameError as error:
            message = f"{error.name!r} cannot be found at run time: import or define it outside of 'if TYPE_CHECKING'"
            raise UnresolvedError(message) from None
        except (AttributeError, SyntaxError, TypeError) as error:
            raise UnresolvedError(str(error)) from None


def namespace_of(function: Callable[..., object]) -> Namespace:
    """The names that a function's annotations can use: its module's, and those that it closes over."""
    code = getattr(function, "__code__", None)
    names = getattr(function, "__globals__", None) or _module_of(function)
    found: dict[str, object] = {one.__name__: one for one in getattr(function, "__type_params__", ())}
    for name, cell in zip(getattr(code, "co_freevars", ()), getattr(function, "__closure__", None) or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return Namespace(names, found)


def peeled(annotation: object) -> tuple[object, tuple[object, ...]]:
    """The type inside `Annotated`, `Required` and their like, and all of the metadata."""
    metadata: tuple[object, ...] = ()
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation, *more = get_args(annotation)
            metadata = (*more, *metadata)
        elif getattr(origin, "_name", None) in _WRAPPERS:
            (annotation,) = get_args(annotation)
        else:
            return annotation, metadata


def is_union(annotation: object) -> bool:
    """Whether it is a union, in either spelling."""
    origin: object = get_origin(annotation)
    return origin is Union or origin is UnionType


def is_pydantics(annotation: object) -> bool:
    """Whether something of Pydantic's is in sight anywhere in it. Without Pydantic in the process nothing can be."""
    return "pydantic" in sys.modules and _carries_pydantic(annotation)


def type_arguments(kind: type, arguments: Sequence[object]) -> dict[object, object]:
    """What each type variable stands for inside a class and its bases."""
    found: dict[object, object] = dict(zip(getattr(kind, "__parameters__", ()), arguments, strict=False))
    for base in getattr(kind, "__orig_bases__", ()):
        origin = get_origin(base)
        if isinstance(origin, type):
            found = type_arguments(origin, [substituted(one, found) for one in get_args(base)]) | found
    return found


def substituted(annotation: object, values: Mapping[object, object]) -> object:
    """The annotation with its type variables replaced by what they stand for."""
    if isinstance(annotation, TypeVar):
        return values.get(annotation, annotation)
    parameters = () if isinstance(annotation, type) else getattr(annotation, "__parameters__", ())
    if not parameters or values.keys().isdisjoint(parameters):
        return annotation
    filled = tuple(values.get(parameter, parameter) for parameter in parameters)
    return annotation[filled]  # type: ignore[index]


# ---------------------------------------------------------------------------------------------------------------------


def _carries_pydantic(annotation: object) -> bool:
    maker = annotation if isinstance(annotation, type) else type(annotation)
    if maker.__module__.partition(".")[0] in ("pydantic", "pydantic_core"):
        return True
    if any(hasattr(annotation, mark) for mark in ("__get_pydantic_core_schema__", "__pydantic_fields__")):
        return True
    return any(_carries_pydantic(part) for part in get_args(annotation))


def _module_of(thing: object) -> dict[str, object]:
    """The names of the module that a class, a function or an alias was written in."""
    module = sys.modules.get(getattr(thing, "__module__", None) or "")
    return {} if module is None else vars(module)


def _locals_of_callers(module: dict[str, object]) -> dict[str, object]:
    """What the functions of that module that are running now call by name: where a decorated function is local."""
    found: dict[str, object] = {}
    frame = inspect.currentframe()
    while frame is not None:
        if frame.f_globals is module and frame.f_locals is not module:
            found = {**frame.f_locals, **found}
        frame = frame.f_back
    return found
