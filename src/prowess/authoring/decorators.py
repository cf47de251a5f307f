"""`@skill` and `@op`: a typed function becomes an entry, and stays a function."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from functools import update_wrapper
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, Unpack, cast, overload

from msgspec.structs import replace

from prowess.authoring.context import Progress
from prowess.authoring.handler import Definition, Handler, Style, define_function, unbound
from prowess.authoring.options import OPTIONS, Options, check_options
from prowess.authoring.signature.style import is_unbound_method
from prowess.errors import UnavailableError
from prowess.model.manifest import Kind, Manifest

__all__ = ["Decorator", "EntryFunction", "op", "skill"]

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R_co = TypeVar("_R_co", covariant=True)
_R = TypeVar("_R")
_Called = TypeVar("_Called")


class EntryFunction(Generic[_P, _R_co]):
    """A function that is an entry: call it as before, or register it. It satisfies `Skill`.

    A decorated method is an entry once it is taken from an instance: `registry.register(notes.search)`.
    """

    __name__: str
    __wrapped__: Callable[..., object]

    def __init__(self, function: Callable[_P, _R_co], definition: Definition) -> None:
        self._function = function
        self._definition = definition
        self._unbound = is_unbound_method(function)
        update_wrapper(self, function)

    def __call__(self, /, *args: _P.args, **kwargs: _P.kwargs) -> _R_co:
        """Call the function itself, with nothing checked and nothing recorded."""
        return self._function(*args, **kwargs)

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(
        self: "EntryFunction[Concatenate[Any, _Q], _Called]", instance: object, owner: type
    ) -> "EntryFunction[_Q, _Called]": ...
    def __get__(self, instance: object, owner: type) -> "EntryFunction[..., Any]":
        """The entry of this instance's method; a function that is none stays what it is."""
        if instance is None or not self._unbound:
            return self
        bound = MethodType(self._function, instance)
        definition = self._definition
        handler = replace(definition.handler, call=bound)
        return EntryFunction(bound, Definition(definition.manifest, handler))

    @property
    def definition(self) -> Definition:
        """What it says and its code; raises `InvalidManifestError` for a method without its instance."""
        if self._unbound:
            raise unbound(self._function.__qualname__)
        return self._definition

    @property
    def manifest(self) -> Manifest:
        """What it says about itself."""
        return self._definition.manifest

    @property
    def handler(self) -> Handler:
        """Its code, in the form that the gate calls."""
        return self.definition.handler

    @property
    def name(self) -> str:
        """Its name in the registry."""
        return self.manifest.name

    @property
    def version(self) -> str | None:
        """Its version, None where it was given none."""
        return self.manifest.version

    @property
    def description(self) -> str:
        """What it does and when to use it."""
        return self.manifest.description

    @property
    def parameters(self) -> dict[str, object]:
        """The JSON Schema of its inputs; a fresh copy each time."""
        return self.manifest.input_schema.value()

    @property
    def output_schema(self) -> dict[str, object] | None:
        """The JSON Schema of its output, None where its annotation promises nothing; a fresh copy each time."""
        schema = self.manifest.output_schema
        return None if schema is None else schema.value()

    async def execute(self, /, **inputs: Any) -> Any:
        """Call the function with JSON inputs, here and now: no gate, no schema, no thread. A stream gives its pieces.

        Raises `UnavailableError` where it takes a `Context`, which only a registry's runtime has.
        """
        handler = self.handler
        if handler.context_parameter is not None and _is_required(handler):
            message = f"'{self.name}' takes a Context: register it, and run it through the registry"
            raise UnavailableError(message, details={"name": self.name})
        outcome = handler.call(**(inputs if handler.bind is None else handler.bind(inputs)))
        if handler.style is Style.COROUTINE:
            return await cast("Any", outcome)
        if handler.style is Style.STREAM:
            pieces = [piece async for piece in cast("AsyncIterator[object]", outcome)]
        elif handler.style is Style.THREAD_STREAM:
            pieces = list(cast("Iterator[object]", outcome))
        else:
            return outcome
        return [piece for piece in pieces if not isinstance(piece, Progress)]

    def __repr__(self) -> str:
        return f"<{self.manifest.kind} {self.manifest.reference}>"


class Decorator(Protocol):
    """What a decorator with options gives: it takes the function."""

    def __call__(self, function: Callable[_P, _R], /) -> EntryFunction[_P, _R]:
        """Make the function an entry."""
        ...


@overload
def skill(function: Callable[_P, _R], /, **options: Unpack[Options]) -> EntryFunction[_P, _R]: ...
@overload
def skill(**options: Unpack[Options]) -> Decorator: ...
def skill(function: Callable[..., Any] | None = None, /, **options: Unpack[Options]) -> Any:
    """Make a function a skill: code that may call others, which it declares with `calls`.

    Its name, description and schemas come from its signature and docstring. Raises `InvalidManifestError` for what
    cannot be an entry, TypeError for an option that there is not.
    """
    return _decorated("skill", Kind.LOGIC, function, options)


@overload
def op(function: Callable[_P, _R], /, **options: Unpack[Options]) -> EntryFunction[_P, _R]: ...
@overload
def op(**options: Unpack[Options]) -> Decorator: ...
def op(function: Callable[..., Any] | None = None, /, **options: Unpack[Options]) -> Any:
    """Make a function an op: an entry that does one thing by itself. Otherwise as `skill`."""
    return _decorated("op", Kind.OP, function, options)


# ---------------------------------------------------------------------------------------------------------------------


def _is_required(handler: Handler) -> bool:
    """Whether the function cannot do without its context."""
    parameter = inspect.signature(handler.call).parameters[str(handler.context_parameter)]
    return parameter.default is parameter.empty


def _decorated(maker: str, kind: Kind, function: object, options: Options) -> object:
    check_options(maker, options, OPTIONS)

    def decorate(function: object) -> EntryFunction[..., object]:
        called = function.__func__ if isinstance(function, staticmethod) else function
        if isinstance(called, classmethod | type) or not callable(called):
            what = "a classmethod" if isinstance(called, classmethod) else f"a {type(called).__name__}"
            message = f"@{maker} takes a function, not {what}"
            raise TypeError(message)
        return EntryFunction(called, define_function(called, kind, **options))

    return decorate if function is None else decorate(function)
