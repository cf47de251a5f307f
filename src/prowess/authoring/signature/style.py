"""How a function wants to be run, and which function that really is."""

import inspect
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterator,
)
from enum import StrEnum
from functools import partial
from typing import get_origin

__all__ = ["Style", "is_unbound_method", "source_of", "style_of"]

_ASYNC_STREAMS = (AsyncIterator, AsyncGenerator, AsyncIterable)
_STREAMS = (Iterator, Generator)
_AWAITABLES = (Awaitable, Coroutine)


class Style(StrEnum):
    """How a handler is run."""

    COROUTINE = "coroutine"
    THREAD = "thread"
    STREAM = "stream"
    """An async generator."""
    THREAD_STREAM = "thread_stream"
    """A generator, drained in a thread."""

    @property
    def streams(self) -> bool:
        """Whether the output comes in pieces."""
        return self in (Style.STREAM, Style.THREAD_STREAM)


def source_of(function: Callable[..., object]) -> Callable[..., object]:
    """The function that was written: under decorators, partial arguments, and an object's `__call__`."""
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = inspect.unwrap(function.func)
    return _called(function)


def style_of(function: Callable[..., object], returned: object) -> Style:
    """How to run it: by what kind of function it is, or for a plain one by what it says that it returns."""
    called = _called(function)
    if inspect.isasyncgenfunction(called):
        return Style.STREAM
    if inspect.iscoroutinefunction(called):
        return Style.COROUTINE
    if inspect.isgeneratorfunction(called):
        return Style.THREAD_STREAM
    origin = get_origin(returned) or returned
    for style, kinds in (
        (Style.STREAM, _ASYNC_STREAMS),
        (Style.THREAD_STREAM, _STREAMS),
        (Style.COROUTINE, _AWAITABLES),
    ):
        if origin in kinds:
            return style
    return Style.THREAD


def is_unbound_method(function: Callable[..., object]) -> bool:
    """Whether it was written in a class and still waits for its instance."""
    source = inspect.unwrap(function)
    owner = getattr(source, "__qualname__", "").rpartition(".")[0]
    if not owner or owner.endswith("<locals>") or not inspect.isfunction(source):
        return False
    return next(iter(inspect.signature(source).parameters), "") in ("self", "cls")


# ---------------------------------------------------------------------------------------------------------------------


def _called(function: Callable[..., object]) -> Callable[..., object]:
    """What runs when it is called: the `__call__` of an object that is no function."""
    known = any(is_one(function) for is_one in _FUNCTIONS)
    return function if known else type(function).__call__


_FUNCTIONS: tuple[Callable[[object], bool], ...] = (inspect.isroutine, lambda one: isinstance(one, partial))
