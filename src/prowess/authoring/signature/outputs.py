"""A function's return annotation as the JSON Schema of its output."""

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
from inspect import Parameter
from types import GenericAlias
from typing import Any, Never, NoReturn, Union, get_args, get_origin

from msgspec import Struct

from prowess.authoring.annotations.codec import UnsupportedError
from prowess.authoring.annotations.hints import UnresolvedError, is_union, peeled
from prowess.authoring.annotations.walk import Walker
from prowess.authoring.context import Progress
from prowess.authoring.signature.style import Style
from prowess.errors import Problem
from prowess.model.result import Result
from prowess.model.schema import Schema

__all__ = ["Output", "read_output"]

_SAYS_NOTHING: tuple[object, ...] = (Parameter.empty, Any, object, Never, NoReturn, Result)


class Output(Struct, frozen=True, eq=False):
    """What a function gives."""

    schema: Schema | None = None
    """None where its annotation promises nothing in particular."""
    dump: Callable[[object], object] | None = None


def read_output(annotation: object, style: Style, walker: Walker, problems: list[Problem]) -> Output:
    """The output that a resolved return annotation promises; of a stream, the list of its pieces."""
    try:
        return _read(annotation, style, walker)
    except (UnsupportedError, UnresolvedError) as error:
        problems.append(Problem(path="$", rule="annotation", message=f"the return annotation: {error}"))
        return Output()


# ---------------------------------------------------------------------------------------------------------------------


def _read(annotation: object, style: Style, walker: Walker) -> Output:
    origin = get_origin(annotation)
    if style.streams and annotation is not Parameter.empty:
        pieces = [kind for kind in _members(_first_argument(annotation)) if kind is not Progress]
        if not pieces:
            return Output(Schema.of({"type": "array", "maxItems": 0}))
        annotation = GenericAlias(list, (Union[tuple(pieces)],))  # noqa: UP007 - made of a list, not written
    elif style is Style.COROUTINE and origin in (Awaitable, Coroutine):
        annotation = get_args(annotation)[-1]
    elif origin in (AsyncGenerator, AsyncIterable, AsyncIterator, Generator, Iterator):
        raise UnsupportedError("an async function cannot return an iterator: yield the pieces instead")
    promised = [peeled(kind)[0] for kind in _members(annotation)]
    if any(kind in _SAYS_NOTHING for kind in promised):
        return Output()
    codec = walker.codec(annotation)
    schema = Schema.of(walker.definitions.rooted(codec.schema)) if codec.schema else None
    return Output(schema, codec.dump)


def _members(annotation: object) -> tuple[object, ...]:
    kind, _ = peeled(annotation)
    return get_args(kind) if is_union(kind) else (annotation,)


def _first_argument(annotation: object) -> object:
    return (*get_args(peeled(annotation)[0]), Any)[0]
