"""What the tests of annotations share: one function made for an annotation, and a value sent through it as JSON."""

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import msgspec

from prowess import op
from prowess.model.json_value import Json, to_json_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.authoring.decorators import EntryFunction


def names_in(source: str, **names: object) -> dict[str, Any]:
    """What a piece of source defines: for what type checkers or older Pythons would not read, and users write."""
    defined: dict[str, Any] = {"__name__": __name__, **names}
    exec(source, defined)  # noqa: S102 - the source is the test's own
    return defined


def taking(annotation: object) -> "EntryFunction[..., Any]":
    """Make an op of one input, `value`, which it gives back."""

    def echo(value: object) -> object:
        """Give the value back."""
        return value

    echo.__annotations__ = {"value": annotation, "return": annotation}
    return op(echo)


def schema_of(annotation: object) -> dict[str, Any]:
    """The input schema of such a value, its definitions beside it."""
    parameters: dict[str, Any] = taking(annotation).parameters
    definitions = {"$defs": parameters["$defs"]} if "$defs" in parameters else {}
    return {**parameters["properties"]["value"], **definitions}


def read(entry: "EntryFunction[..., Any]", value: Json) -> object:
    """What the function gets for this JSON value, which has to fit the schema."""
    inputs = {"value": value}
    jsonschema_rs.validator_for(entry.parameters).validate(inputs)
    bind = entry.handler.bind
    return (inputs if bind is None else bind(inputs))["value"]


def written(entry: "EntryFunction[..., Any]", value: object) -> Json:
    """The JSON of a returned value, which has to fit the output schema."""
    dump: Callable[[object], object] = entry.handler.dump or (lambda same: same)
    plain = to_json_value(dump(value))
    if entry.output_schema is not None:
        jsonschema_rs.validator_for(entry.output_schema).validate(plain)
    decoded: Json = msgspec.json.decode(msgspec.json.encode(plain))
    return decoded
