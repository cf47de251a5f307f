"""`@skill` and `@op`: what they make of a function, and what they refuse."""

import functools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from prowess import Context, InvalidManifestError, Progress, Skill, op, skill
from prowess.authoring.handler import Style, definition_of
from prowess.errors import UnavailableError
from prowess.model.manifest import (
    Kind,
    RuntimeKind,
)


@op(capabilities=["notes.read"])
async def search_index(query: str, limit: int = 10) -> list[str]:
    """Search the note index."""
    return [query] * limit


@skill(version="1.2.0", autonomy="L2", calls=[search_index], rate_limit=60)
async def search_notes(query: str, *, ctx: Context) -> list[str]:
    """Search the vault. Use when the user asks about their notes."""
    return [query, ctx.run_id]


class Notes:
    """Tools that share a state."""

    def __init__(self, words: list[str]) -> None:
        self.words = words

    @op
    def count(self, times: int) -> int:
        """Count the words."""
        return times * len(self.words)

    @skill(version="1.0.0")
    @staticmethod
    async def shout(text: str) -> str:
        """Say it loudly."""
        return text.upper()


def test_an_op_is_native_and_a_skill_composes() -> None:
    """Spec: op and skill are kinds of their own."""
    assert (search_index.manifest.kind, search_index.manifest.runtime) == (Kind.OP, RuntimeKind.NATIVE)
    assert search_notes.manifest.kind is Kind.LOGIC


async def test_a_decorated_function_is_called_as_before() -> None:
    """Spec: decorating adds an entry and takes nothing away."""
    assert await search_index("a", 2) == ["a", "a"]
    assert search_index.__name__ == "search_index"
    assert search_index.__wrapped__.__doc__ == "Search the note index."


async def test_a_decorated_function_satisfies_the_skill_protocol() -> None:
    """Spec: name, description, parameters, async execute."""
    assert isinstance(search_index, Skill)
    assert (search_index.name, search_index.version) == ("search_index", None)
    assert search_index.description == "Search the note index."
    assert search_index.output_schema == {"type": "array", "items": {"type": "string"}}
    assert await search_index.execute(query="a", limit=2.0) == ["a", "a"]


def test_schemas_are_fresh_copies() -> None:
    """Choice: a reader that changes a schema changes its own."""
    search_index.parameters.clear()

    assert search_index.parameters["required"] == ["query"]


def test_the_context_is_injected_and_not_an_input() -> None:
    """Spec: `ctx: Context` is not part of the schema."""
    assert search_notes.parameters["properties"] == {"query": {"type": "string"}}
    assert search_notes.handler.context_parameter == "ctx"


async def test_a_function_that_wants_a_context_says_where_it_gets_one() -> None:
    """Choice: a bare object has no run; the message names the way to one."""
    with pytest.raises(UnavailableError, match="'search_notes' takes a Context: register it"):
        await search_notes.execute(query="a")


async def test_a_context_with_a_default_is_not_needed() -> None:
    """Choice: a function that can do without a context does."""

    @op
    def look(query: str, ctx: Context | None = None) -> bool:
        """Look."""
        return ctx is None

    assert await look.execute(query="a") is True


def test_a_function_without_a_docstring_has_no_description() -> None:
    """Spec: a description is what a model chooses by."""
    with pytest.raises(InvalidManifestError, match="function 'find': description is empty"):

        @op
        def find() -> None:
            pass


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("searchNotes", "search_notes"),
        ("HTTP_get", "http_get"),
        ("_hidden", "hidden"),
        ("<lambda>", "lambda"),
        ("é", "my_function"),
    ],
)
def test_a_function_whose_name_is_none_is_told_how_to_give_one(name: str, near: str) -> None:
    """Choice: the name of a function is taken as it is or not at all."""

    def find() -> None:
        """Find."""

    find.__name__ = name
    with pytest.raises(InvalidManifestError) as caught:
        op(find)

    assert f"name='{near}'" in str(caught.value)
    assert op(find, name="fine").name == "fine"


def test_a_method_is_an_entry_once_it_has_its_instance() -> None:
    """Choice: tools that share a state are methods of one object."""
    notes = Notes(["a", "b"])

    assert notes.count(3) == 6
    assert notes.count.parameters["required"] == ["times"]
    assert definition_of(notes.count).handler.call(times=2) == 4
    assert Notes(["a"]).count.handler.call(times=2) == 2


def test_a_method_without_its_instance_is_refused() -> None:
    """Choice: the message says where to take it from."""
    with pytest.raises(
        InvalidManifestError, match=r"'Notes.count' is a method: take it from an instance, Notes\(...\).count"
    ):
        definition_of(Notes.count)
    with pytest.raises(InvalidManifestError, match="is a method"):
        definition_of(Notes.__init__)


async def test_a_static_method_is_a_function() -> None:
    """Spec: works on static methods."""
    assert await Notes.shout("a") == "A"
    assert await Notes([]).shout.execute(text="a") == "A"
    assert definition_of(Notes.shout).manifest.version == "1.0.0"


@pytest.mark.parametrize(
    ("thing", "what"),
    [(classmethod(print), "a classmethod"), (Notes, "a type"), ("text", "a str")],
)
def test_what_is_no_function_is_refused(thing: Any, what: str) -> None:
    """Choice: a mistake in decorating is a TypeError, as in Python."""
    with pytest.raises(TypeError, match=f"@op takes a function, not {what}"):
        op(thing)
    with pytest.raises(TypeError, match=f"@skill takes a function, not {what}"):
        skill()(thing)


async def test_styles_follow_the_kind_of_function() -> None:
    """Spec: sync functions run in threads, generators stream."""

    @op
    def plain() -> int:
        """Do it."""
        return 1

    @op
    async def pieces(count: int) -> AsyncIterator[int | Progress]:
        """Count."""
        for number in range(count):
            yield Progress(number, count)
            yield number

    @op
    def slow_pieces(count: int) -> Iterator[int]:
        """Count."""
        yield from range(count)

    assert search_index.handler.style is Style.COROUTINE
    assert plain.handler.style is Style.THREAD
    assert pieces.handler.style is Style.STREAM
    assert slow_pieces.handler.style is Style.THREAD_STREAM
    assert [style.streams for style in Style] == [False, False, True, True]
    assert await plain.execute() == 1
    assert await pieces.execute(count=2) == [0, 1]
    assert await slow_pieces.execute(count=2) == [0, 1]


def test_a_wrapped_function_keeps_its_signature() -> None:
    """Choice: other people's decorators are common, and `functools.wraps` says what is beneath."""

    def logged(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return wrapper

    @op
    @logged
    def find(query: str) -> str:
        """Find."""
        return query

    assert find.parameters["required"] == ["query"]
    assert find("a") == "a"


async def test_a_partial_and_an_object_that_is_called_can_be_entries() -> None:
    """Choice: whatever can be called, with a name and a description."""

    def find(query: str, limit: int) -> str:
        """Find."""
        return query * limit

    class Finder:
        """Finds."""

        async def __call__(self, query: str) -> str:
            """Find one."""
            return query

    twice: Any = op(functools.partial(find, limit=2), name="twice")
    finder: Any = op(Finder(), name="finder")

    assert (twice.description, await twice.execute(query="a")) == ("Find.", "aa")
    assert (finder.description, finder.handler.style) == ("Find one.", Style.COROUTINE)
    assert await finder.execute(query="a") == "a"


def test_a_function_that_hides_its_parameters_is_refused() -> None:
    """Choice: without a signature there is no schema."""
    with pytest.raises(InvalidManifestError, match="function 'iter' does not tell its parameters"):
        op(iter)


def test_an_entry_shows_what_it_is() -> None:
    """Choice: what a debugger shows."""
    assert repr(search_notes) == "<logic search_notes@1.2.0>"


async def add(x: int, y: int = 1) -> int:
    """Add."""
    return x + y


def test_a_function_whose_first_arguments_are_filled_in_keeps_its_name() -> None:
    """Regression: its name was taken from what Python prints for it."""
    for filled in (functools.partial(add, 1), functools.partial(functools.partial(add, 1), y=2)):
        assert (skill(filled).definition.manifest.name, skill(filled).definition.manifest.description) == (
            "add",
            "Add.",
        )
