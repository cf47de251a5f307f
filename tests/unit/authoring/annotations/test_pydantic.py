"""Annotations that only Pydantic understands."""

import datetime as dt
import warnings
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn

import msgspec
import pytest
from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PositiveInt,
    SecretStr,
    field_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass

from prowess import InvalidInputError, InvalidManifestError, op
from tests.unit.authoring.round_trip import names_in, read, schema_of, taking, written

WITH_FIELDS = """
def find(
    words: str = Field(min_length=1, description="what to find"),
    limit: int = Field(10, le=50),
    tags: list[str] = Field(default_factory=list),
    anything=Field(None),
):
    '''Find notes.

    Args:
        words: not these words
        limit: how many
    '''
"""


class Address(BaseModel):
    """Where somebody lives."""

    street: str
    number: PositiveInt = 1


class Person(BaseModel):
    name: str = Field(alias="fullName", description="as in the passport")
    home: Address | None = None
    friends: list["Person"] = []
    born: dt.date | None = None

    model_config = ConfigDict(populate_by_name=True)

    @field_validator("name")
    @classmethod
    def not_empty(cls, value: str) -> str:
        """Refuse an empty name."""
        if not value:
            message = "a name is not empty"
            raise ValueError(message)
        return value


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    day: dt.date


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]


@pydantic_dataclass
class Weight:
    grams: Annotated[int, Field(ge=0)]


@dataclass
class Visit:
    """A stay."""

    guest: Person
    site: AnyUrl


def test_a_model_is_a_definition_under_its_aliases() -> None:
    """Spec: Pydantic models through Pydantic, nested and recursive ones."""
    schema = schema_of(Person)

    person = schema["$defs"]["Person"]
    assert schema["$ref"] == "#/$defs/Person"
    assert person["properties"]["fullName"] == {"type": "string", "description": "as in the passport"}
    assert person["properties"]["friends"]["items"] == {"$ref": "#/$defs/Person"}
    assert schema["$defs"]["Address"]["properties"]["number"] == {
        "type": "integer",
        "exclusiveMinimum": 0,
        "default": 1,
    }


def test_a_model_arrives_as_a_model_and_leaves_as_its_schema_says() -> None:
    """Spec: what a handler may take and return."""
    entry = taking(Person)
    person = Person(fullName="Ada", home=Address(street="Main"), born=dt.date(1815, 12, 10))

    plain = written(entry, person)

    assert isinstance(plain, dict)
    assert plain["fullName"] == "Ada"
    assert read(entry, plain) == person


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (list[Person], [Person(fullName="Ada")]),
        (dict[str, Address] | None, {"home": Address(street="Main")}),
        (Annotated[Cat | Dog, Field(discriminator="kind")], Dog(kind="dog")),
        (Annotated[int, Field(ge=1, description="how many")], 3),
        (Annotated[str, AfterValidator(str.upper)], "ABC"),
        (Annotated[dt.date, PlainSerializer(dt.date.isoformat, return_type=str)], dt.date(2026, 1, 31)),
        (Weight, Weight(grams=3)),
        (Strict, Strict(day=dt.date(2026, 1, 31))),
        (Visit, Visit(Person(fullName="Ada"), AnyUrl("https://example.org/"))),
        (list[Visit], [Visit(Person(fullName="Ada"), AnyUrl("https://example.org/"))]),
    ],
    ids=lambda one: str(one)[:60],
)
def test_what_carries_pydantic_survives_the_way_out_and_back_in(annotation: object, value: object) -> None:
    """Choice: writing and reading agree for Pydantic's types too, inside our own records as well."""
    entry = taking(annotation)

    assert read(entry, written(entry, value)) == value


def test_a_discriminated_union_keeps_its_mapping() -> None:
    """Regression: the names in a discriminator's mapping are references too."""
    schema = schema_of(Annotated[Cat | Dog, Field(discriminator="kind")])

    assert schema["discriminator"]["mapping"] == {"cat": "#/$defs/Cat", "dog": "#/$defs/Dog"}


def test_a_model_of_the_same_name_as_another_type_keeps_apart() -> None:
    """Spec: definitions whose names clash are renamed."""

    @dataclass
    class Address:
        planet: str

    @op
    def move(source: Person, target: Address, other: Person) -> None:
        """Move somebody."""

    properties, definitions = move.parameters["properties"], move.parameters["$defs"]
    assert isinstance(properties, dict)
    assert isinstance(definitions, dict)
    assert properties["source"] == properties["other"]
    assert properties["target"] == {"$ref": "#/$defs/Address_2"}
    assert list(definitions["Address_2"]["properties"]) == ["planet"]
    assert sorted(definitions) == ["Address", "Address_2", "Person"]


def test_every_problem_of_a_model_has_its_path() -> None:
    """Spec: all problems at once, each with its JSON path; the value is never quoted."""
    bind = taking(list[Person]).handler.bind
    assert bind is not None

    with pytest.raises(InvalidInputError) as caught:
        bind({"value": [{"fullName": ""}, {"fullName": "Ada", "home": {"street": 5}}]})

    assert [(problem.path, problem.rule) for problem in caught.value.problems] == [
        ("$.value[0].fullName", "value_error"),
        ("$.value[1].home.street", "string_type"),
    ]


def test_a_field_in_the_place_of_a_default_gives_schema_and_default() -> None:
    """Choice: `= Field(...)` is how FastAPI and Pydantic's own functions are written."""
    find = op(names_in(WITH_FIELDS, Field=Field)["find"])
    properties: Any = find.parameters["properties"]

    assert find.parameters["required"] == ["words"]
    assert properties["words"] == {"type": "string", "minLength": 1, "description": "what to find"}
    assert properties["limit"] == {"type": "integer", "maximum": 50, "default": 10, "description": "how many"}
    assert find.handler.bind is not None
    assert find.handler.bind({"words": "rust"}) == {"words": "rust", "limit": 10, "tags": [], "anything": None}
    assert find.handler.bind({"words": "rust", "limit": 3.0})["limit"] == 3


def test_a_struct_may_hold_a_model() -> None:
    """Choice: msgspec reads the struct, and asks Pydantic for what it does not know."""

    class Parcel(msgspec.Struct):
        receiver: Person
        weights: list[Weight] = []

    entry = taking(Parcel)
    value: dict[str, Any] = {"receiver": {"fullName": "Ada"}, "weights": [{"grams": 3}]}

    made = read(entry, value)

    assert isinstance(made, Parcel)
    assert made.receiver == Person(fullName="Ada")
    assert written(entry, made) == {
        "receiver": {"fullName": "Ada", "home": None, "friends": [], "born": None},
        "weights": [{"grams": 3}],
    }


def test_a_description_of_a_field_counts_for_the_parameter() -> None:
    """Spec: an annotation's description wins over the docstring's."""

    @op
    def find(limit: Annotated[int, Field(description="at most")]) -> None:
        """Find.

        Args:
            limit: another word
        """

    assert find.parameters["properties"] == {"limit": {"type": "integer", "description": "at most"}}


def test_a_type_whose_package_is_not_there_is_refused_with_its_parameter() -> None:
    """Regression: an ImportError of Pydantic's came through, and said nothing of the parameter."""

    class Mail:
        @classmethod
        def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> NoReturn:
            raise ImportError("email-validator is not installed")

    with pytest.raises(InvalidManifestError, match=r"parameter 'mail': Pydantic needs a package.*email-validator"):

        @op
        def send(mail: Mail) -> None:
            """Send."""


def test_what_pydantic_refuses_is_refused_at_decoration() -> None:
    """Spec: an annotation that cannot be a schema fails with the parameter's name."""

    class Opaque:
        pass

    with pytest.raises(InvalidManifestError, match="parameter 'value': Pydantic cannot make a schema of it"):
        taking(Annotated[Opaque, Field(description="x")])


def test_another_value_than_the_model_is_left_to_the_output_schema() -> None:
    """Choice: what a handler returned by mistake is reported by the gate, not by a warning of Pydantic's."""
    dump = taking(Person).handler.dump
    assert dump is not None

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dump({"name": "Ada"}) == {"name": "Ada"}


def test_a_secret_stays_hidden_inside_a_record() -> None:
    """Choice: Pydantic's own types are written by Pydantic."""

    @dataclass
    class Login:
        password: SecretStr

    assert written(taking(Login), Login(SecretStr("hush"))) == {"password": "**********"}
