"""A function's parameters as a schema, and JSON inputs as its arguments."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

import pytest
import typing_extensions
from annotated_types import Ge

import prowess
from prowess import Context, InvalidInputError, InvalidManifestError, op
from tests.unit.authoring.round_trip import names_in

if TYPE_CHECKING:
    from fractions import Fraction

    from prowess.authoring.decorators import EntryFunction


class Filters(TypedDict, total=False):
    """What to leave out.

    Attributes:
        since: the first year
    """

    since: int
    author: typing_extensions.Required[str]


WITH_CONTEXTS = """
def by_annotation(query: str, context: Context): 'Do it.'
def optional(query: str, context: Context | None = None): 'Do it.'
def quoted(query: str, context: 'prowess.Context'): 'Do it.'
def unseen(query: str, context: 'Optional[Context]'): 'Do it.'
def by_name(query: str, ctx): 'Do it.'
def of_another_kind(query: str, ctx: 'Unheard'): 'Do it.'
"""


def properties_of(entry: "EntryFunction[..., Any]") -> dict[str, Any]:
    """Give the properties of an entry's input schema."""
    parameters: dict[str, Any] = entry.parameters
    properties: dict[str, Any] = parameters["properties"]
    return properties


def bound(entry: "EntryFunction[..., Any]", **inputs: Any) -> dict[str, object]:
    """Bind JSON inputs."""
    bind = entry.handler.bind
    return inputs if bind is None else bind(inputs)


def test_a_schema_lists_what_is_required_and_closes_the_door() -> None:
    """Spec: extra keyword arguments only where the schema admits them."""

    @op
    def find(query: str, limit: int = 10, *, deep: bool = False) -> None:
        """Find."""

    assert find.parameters == {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "deep": {"type": "boolean", "default": False},
        },
        "required": ["query"],
        "additionalProperties": False,
    }


def test_a_function_of_nothing_takes_nothing() -> None:
    """Spec: an empty object is a schema too."""

    @op
    def ping() -> None:
        """Answer."""

    assert ping.parameters == {"type": "object", "properties": {}, "additionalProperties": False}
    assert ping.handler.bind is None


def test_a_parameter_without_annotation_takes_anything() -> None:
    """Choice: no annotation is no promise."""
    find = names_in("def find(query, *, deep=True):\n    'Find.'")["find"]

    assert properties_of(op(find)) == {"query": {}, "deep": {"default": True}}


def test_keyword_arguments_open_the_schema() -> None:
    """Spec: extra keyword arguments only where the schema admits them; their annotation is their schema."""

    @op
    def store(key: str, **values: int) -> None:
        """Store."""

    @op
    def keep(**values: Any) -> None:
        """Keep."""

    assert store.parameters["additionalProperties"] == {"type": "integer"}
    assert bound(store, key="a", b=2.0) == {"key": "a", "b": 2}
    assert keep.parameters["additionalProperties"] is True
    assert bound(keep, b=2.0) == {"b": 2.0}


def test_unpacked_keyword_arguments_are_inputs_by_name() -> None:
    """Choice: `**inputs: Unpack[...]` is how typed keyword arguments are written since Python 3.12."""

    @op
    def find(**filters: Unpack[Filters]) -> None:
        """Find."""

    assert find.parameters["required"] == ["author"]
    assert find.parameters["additionalProperties"] is False
    assert properties_of(find)["since"] == {"type": "integer", "description": "the first year"}


def test_a_default_of_none_takes_null() -> None:
    """Choice: `limit: int = None` is common, and its author means that null is fine."""
    source = "def find(limit: Annotated[int, 'how many'] = None, query: str | None = None):\n    'Find.'"
    find = op(names_in(source, Annotated=Annotated)["find"])

    assert properties_of(find) == {
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "how many", "default": None},
        "query": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    }
    assert bound(find, limit=None) == {"limit": None}


def test_a_default_is_told_in_json() -> None:
    """Spec: defaults in the schema."""

    @op
    def find(where: Path = Path("notes"), tags: frozenset[str] = frozenset({"a"})) -> None:
        """Find."""

    assert properties_of(find)["where"] == {"type": "string", "format": "path", "default": "notes"}
    assert properties_of(find)["tags"]["default"] == ["a"]
    assert find.parameters.get("required") is None


def test_descriptions_come_from_annotations_before_docstrings() -> None:
    """Spec: an Annotated description wins over the docstring's."""

    @op
    def find(query: Annotated[str, "words"], limit: int, deep: bool) -> None:
        """Find.

        Args:
            query: something else
            limit: how many
        """

    assert properties_of(find) == {
        "query": {"type": "string", "description": "words"},
        "limit": {"type": "integer", "description": "how many"},
        "deep": {"type": "boolean"},
    }
    assert find.description == "Find."


def test_a_context_is_known_by_its_annotation_or_its_name() -> None:
    """Spec: `ctx: Context` is injected, whatever it is called and however it is written."""
    functions = names_in(WITH_CONTEXTS, Context=Context, prowess=prowess)
    names = ("by_annotation", "optional", "quoted", "unseen", "by_name", "of_another_kind")
    entries = [op(functions[name]) for name in names]

    assert [entry.handler.context_parameter for entry in entries] == ["context"] * 4 + ["ctx"] * 2
    assert [list(properties_of(entry)) for entry in entries] == [["query"]] * 6


def test_the_name_of_the_context_is_not_that_of_data() -> None:
    """Choice: an input that silently became the context would never reach its function."""
    with pytest.raises(InvalidManifestError, match="parameter 'ctx': this name is that of the call's Context"):

        @op
        def find(ctx: str) -> None:
            """Find."""


def test_one_context_is_enough() -> None:
    """Choice: two parameters for one context are a mistake."""
    with pytest.raises(InvalidManifestError, match="parameter 'other': 'ctx' takes the call's Context already"):

        @op
        def find(ctx: Context, other: Context) -> None:
            """Find."""


def test_positional_parameters_are_refused_by_name() -> None:
    """Spec: inputs are keyword arguments."""
    with pytest.raises(InvalidManifestError) as caught:

        @op
        def find(query: str, /, *others: str) -> None:
            """Find."""

    assert [problem.path for problem in caught.value.problems] == ["$.query", "$.others"]
    assert "parameter 'query': inputs have names, and this one is positional-only" in str(caught.value)
    assert "parameter 'others': inputs have names: take a list[...] instead of *args" in str(caught.value)


def test_a_name_for_type_checkers_only_is_refused_with_the_reason() -> None:
    """Spec: an annotation that cannot be a schema fails at decoration, with the parameter's name."""
    with pytest.raises(InvalidManifestError) as caught:

        @op
        def find(ratio: "Fraction") -> None:
            """Find."""

    assert "parameter 'ratio': 'Fraction' cannot be found at run time" in str(caught.value)


def test_postponed_annotations_see_local_types() -> None:
    """Spec: postponed annotations, and types of a local scope where they can be resolved."""

    @dataclass
    class Local:
        size: int
        parent: "Local | None" = None

    def outer() -> "EntryFunction[..., Any]":
        def find(thing: "Local") -> None:
            """Find."""

        return op(find)

    @op
    def closed_over(thing: "Local") -> object:
        """Find."""
        return Local

    assert bound(outer(), thing={"size": 1, "parent": {"size": 2.0}}) == {"thing": Local(1, Local(2))}
    assert bound(closed_over, thing={"size": 1}) == {"thing": Local(1)}


def test_a_cell_that_is_empty_yet_does_no_harm() -> None:
    """Regression: a function may close over what is assigned after it is decorated."""

    @op
    def find(query: str) -> object:
        """Find."""
        return later

    later = 1

    assert list(properties_of(find)) == ["query"]


def test_a_function_without_a_module_has_no_names_to_look_up() -> None:
    """Regression: what native code defines has no globals."""
    with pytest.raises(InvalidManifestError):
        op(dict.fromkeys)


def test_plain_inputs_are_the_arguments_themselves() -> None:
    """Choice: the common call pays nothing for binding."""

    @op
    def find(query: str, tags: list[str], options: dict[str, Any], ratio: float, deep: bool | None) -> None:
        """Find."""

    assert find.handler.bind is None


def test_whole_numbers_are_looked_at_and_not_copied() -> None:
    """Choice: only a float makes a function of integers convert."""

    @op
    def add(left: int, right: int | None, name: str) -> None:
        """Add."""

    inputs: dict[str, Any] = {"left": 1, "right": 2, "name": "x"}
    bind = add.handler.bind
    assert bind is not None
    assert bind(inputs) is inputs
    assert bind({"left": 1.0, "right": None}) == {"left": 1, "right": None}
    with pytest.raises(InvalidInputError):
        bind({"left": 1.5})


WRONG: Any = "wrong"
WRONG_LIST: Any = ["a"]
TOO_SMALL = [-1]
NO_JSON = object()


def _too_small(number: Annotated[int, Ge(0)] = -1) -> None:
    """Count."""


def _too_small_inside(number: list[Annotated[int, Ge(0)]] = TOO_SMALL) -> None:
    """Count."""


def _no_number(number: int = WRONG) -> None:
    """Count."""


def _no_numbers(number: list[int] = WRONG_LIST) -> None:
    """Count."""


def _no_json(number: object = NO_JSON) -> None:
    """Count."""


def _not_finite(number: float = float("nan")) -> None:
    """Count."""


@pytest.mark.behaviour("authoring.defaults")
@pytest.mark.parametrize(
    ("function", "words"),
    [
        (_no_number, "its default is not what its type says: expected a whole number"),
        (_no_numbers, "its default is not what its type says: expected a whole number"),
        (_too_small, "its default breaks its own schema: -1 is less than the minimum of 0"),
        (_too_small_inside, "its default breaks its own schema: -1 is less than the minimum of 0"),
        (_no_json, "its default cannot be told in JSON: a value of type object has no JSON form"),
        (_not_finite, "its default cannot be told in JSON: is not a finite number"),
    ],
)
def test_a_default_that_a_caller_could_not_give_is_refused(function: Callable[..., None], words: str) -> None:
    """Regression: one that breaks its own schema was advertised, one that JSON has not was left out without a word."""
    with pytest.raises(InvalidManifestError, match=re.escape(f"parameter 'number': {words}")):
        op(function, name="count")


def test_a_default_inside_a_type_that_may_be_anybodys_is_only_told_where_it_fits() -> None:
    """Choice: who uses a dataclass cannot mend it."""

    @dataclass
    class Settings:
        limit: int = WRONG
        depth: int = 2

    @op
    def find(settings: Settings) -> None:
        """Find."""

    definitions: Any = find.parameters["$defs"]
    assert definitions["Settings"]["properties"] == {
        "limit": {"type": "integer"},
        "depth": {"type": "integer", "default": 2},
    }
