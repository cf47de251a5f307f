"""A return annotation as the schema of an output."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Never, NoReturn

import pytest

from prowess import InvalidManifestError, Progress, Result, op
from prowess.authoring.handler import Style
from prowess.model.json_value import Json
from tests.unit.authoring.round_trip import names_in, written


def returning(annotation: object, *, stream: bool = False, waits: bool = False) -> Any:
    """Make an op with this return annotation."""

    def plain() -> object:
        """Do it."""

    def pieces() -> object:
        """Do it."""
        yield

    async def coroutine() -> object:
        """Do it."""

    function = pieces if stream else coroutine if waits else plain
    function.__annotations__ = {"return": annotation}
    return op(function)


@pytest.mark.parametrize(
    "annotation", [Any, object, Never, NoReturn, Result, Result | str, Annotated[Any, "x"], Json, int | Any]
)
def test_an_annotation_that_promises_nothing_makes_no_schema(annotation: object) -> None:
    """Spec: no output schema where nothing in particular is promised."""
    assert returning(annotation).output_schema is None


def test_no_annotation_makes_no_schema() -> None:
    """Spec: no return annotation, no output schema."""
    functions = names_in("def find(): 'Find.'\ndef pieces():\n    'Find.'\n    yield 1")

    assert op(functions["find"]).output_schema is None
    assert op(functions["pieces"]).output_schema is None


def test_none_is_a_promise() -> None:
    """Spec: a function that returns None gives null."""
    assert returning(None).output_schema == {"type": "null"}
    assert returning(int | None).output_schema == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("annotation", "items"),
    [
        (Iterator[int], {"type": "integer"}),
        (Generator[int, None, str], {"type": "integer"}),
        (Iterable[int | str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Iterator[int | Progress], {"type": "integer"}),
        (Annotated[Iterator[Progress | int | None], "x"], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    ],
)
def test_a_stream_gives_the_list_of_its_pieces(annotation: object, items: dict[str, object]) -> None:
    """Spec: an array of what is yielded; progress is no output."""
    assert returning(annotation, stream=True).output_schema == {"type": "array", "items": items}


def test_a_stream_of_anything_is_a_list() -> None:
    """Choice: that it is a list is known, even where its pieces are not."""
    assert returning(Iterator, stream=True).output_schema == {"type": "array"}


def test_a_stream_of_progress_alone_gives_an_empty_list() -> None:
    """Choice: a handler may do its work, tell how far it is, and give nothing."""
    assert returning(Iterator[Progress], stream=True).output_schema == {"type": "array", "maxItems": 0}


@pytest.mark.parametrize(
    ("annotation", "style", "schema"),
    [
        (AsyncIterator[int], Style.STREAM, {"type": "array", "items": {"type": "integer"}}),
        (AsyncGenerator[int, None], Style.STREAM, {"type": "array", "items": {"type": "integer"}}),
        (Iterator[int], Style.THREAD_STREAM, {"type": "array", "items": {"type": "integer"}}),
        (Awaitable[int], Style.COROUTINE, {"type": "integer"}),
        (Coroutine[Any, Any, int], Style.COROUTINE, {"type": "integer"}),
        (int, Style.THREAD, {"type": "integer"}),
    ],
)
def test_a_plain_function_is_run_as_its_annotation_says(
    annotation: object, style: Style, schema: dict[str, object]
) -> None:
    """Choice: a plain function may hand on another's iterator or coroutine."""
    entry = returning(annotation)

    assert entry.handler.style is style
    assert entry.output_schema == schema


def test_a_coroutine_that_returns_an_iterator_is_told_to_yield() -> None:
    """Choice: nobody could stream it."""
    with pytest.raises(
        InvalidManifestError, match="the return annotation: an async function cannot return an iterator"
    ):
        returning(AsyncIterator[int], waits=True)


def test_a_return_annotation_that_cannot_be_a_schema_fails_at_decoration() -> None:
    """Spec: with the function's name, and what to write instead."""
    with pytest.raises(InvalidManifestError, match="function 'plain': the return annotation: complex has no JSON form"):
        returning(complex)


def test_an_unknown_return_annotation_is_told_once() -> None:
    """Choice: one mistake, one problem."""
    with pytest.raises(InvalidManifestError) as caught:
        returning("Nowhere")

    assert len(caught.value.problems) == 1


def test_a_value_of_another_type_is_left_to_the_output_schema() -> None:
    """Choice: what has no JSON form is told by the gate, with its path."""

    @dataclass
    class Row:
        cells: dict[int, object]

    entry = returning(Row)
    opaque = Row({1: object()})

    assert entry.handler.dump(opaque) is opaque
    assert written(entry, Row({1: "x"})) == {"cells": {"1": "x"}}
    assert entry.handler.dump(Row({2: type("Text", (str,), {})("x")})) == {"cells": {"2": "x"}}
