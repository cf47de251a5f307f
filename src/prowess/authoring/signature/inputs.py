"""A function's parameters as the JSON Schema of its inputs."""

import re
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Annotated, Any, Unpack, get_args, get_origin

from msgspec import Struct

from prowess.authoring.annotations.codec import Codec, UnsupportedError
from prowess.authoring.annotations.constraints import description_note
from prowess.authoring.annotations.containers import nullable
from prowess.authoring.annotations.hints import UnresolvedError, peeled
from prowess.authoring.annotations.records import typed_dict_fields
from prowess.authoring.annotations.walk import Walker
from prowess.authoring.annotations.writing import default_note
from prowess.authoring.context import Context
from prowess.authoring.signature.binding import Bind, bind_with
from prowess.errors import Problem

__all__ = ["CONTEXT_NAME", "Inputs", "InputsReader", "mentions_context"]

_CONTEXT = re.compile(r"\bContext\b")
CONTEXT_NAME = "ctx"
_DATA = (str, int, float, bool, bytes, list, dict, tuple, set)


class Inputs(Struct, frozen=True, eq=False):
    """What a function takes."""

    schema: Mapping[str, object]
    bind: Bind | None
    context_parameter: str | None


class InputsReader:
    """Reads parameters one by one and keeps every problem. Lives while one signature is read."""

    def __init__(self, name: str, walker: Walker, documented: Mapping[str, str], problems: list[Problem]) -> None:
        self._name = name
        self._walker = walker
        self._documented = documented
        self._problems = problems
        self._properties: dict[str, object] = {}
        self._required: list[str] = []
        self._codecs: dict[str, Codec] = {}
        self._fill: dict[str, Callable[[], object]] = {}
        self._others: Codec | None = None
        self._context: str | None = None

    def read(self, parameter: Parameter) -> None:
        """Take one parameter in."""
        try:
            self._take(parameter)
        except (UnsupportedError, UnresolvedError) as error:
            message = f"parameter '{parameter.name}': {error}"
            self._problems.append(Problem(path=f"$.{parameter.name}", rule="annotation", message=message))

    def done(self) -> Inputs:
        """Everything together."""
        schema: dict[str, object] = {"type": "object", "properties": self._properties}
        if self._required:
            schema["required"] = self._required
        schema["additionalProperties"] = False if self._others is None else (dict(self._others.schema) or True)
        bind = bind_with(self._name, self._codecs, self._others, self._fill)
        return Inputs(self._walker.definitions.rooted(schema), bind, self._context)

    # -----------------------------------------------------------------------------------------------------------------

    def _take(self, parameter: Parameter) -> None:
        if parameter.kind is Parameter.VAR_POSITIONAL:
            raise UnsupportedError("inputs have names: take a list[...] instead of *args")
        if parameter.kind is Parameter.POSITIONAL_ONLY:
            raise UnsupportedError("inputs have names, and this one is positional-only: take the '/' out")
        annotation = self._annotation(parameter)
        if annotation is Context:
            self._take_context(parameter)
        elif parameter.kind is Parameter.VAR_KEYWORD:
            self._take_others(annotation)
        elif type(parameter.default).__module__ == "pydantic.fields":
            self._take_pydantics(parameter, annotation)
        else:
            self._take_input(parameter, annotation)

    def _annotation(self, parameter: Parameter) -> object:
        """The parameter's type; `Context` where it is to get the call's context."""
        written = Any if parameter.annotation is Parameter.empty else parameter.annotation
        try:
            annotation = self._walker.namespace.resolve(written)
        except UnresolvedError:
            if parameter.name == CONTEXT_NAME or mentions_context(written):
                return Context  # imported for type checkers only, which is good style
            raise
        kind, _ = peeled(annotation)
        if any(Context in getattr(member, "__mro__", ()) for member in (kind, *get_args(kind))):
            return Context
        if parameter.name != CONTEXT_NAME or parameter.kind is Parameter.VAR_KEYWORD:
            return annotation
        if (get_origin(kind) or kind) in _DATA:
            raise UnsupportedError("this name is that of the call's Context: annotate it so, or rename the parameter")
        return Context

    def _take_context(self, parameter: Parameter) -> None:
        if self._context is not None:
            raise UnsupportedError(f"'{self._context}' takes the call's Context already")
        self._context = parameter.name

    def _take_others(self, annotation: object) -> None:
        if get_origin(annotation) is not Unpack:
            self._others = self._walker.codec(annotation)
            return
        (kind,) = get_args(annotation)
        for field in typed_dict_fields(kind, self._walker.namespace.fields(kind), self._walker.codec):
            self._put(field.name, field.codec, field.notes, required=field.required)

    def _take_input(self, parameter: Parameter, annotation: object) -> None:
        codec = self._walker.codec(annotation)
        required = parameter.default is Parameter.empty
        if parameter.default is None:
            codec = nullable(codec)
        notes = description_note(annotation, self._documented.get(parameter.name))
        if not required:
            notes |= default_note(parameter.default, self._walker.definitions.rooted(codec.schema), codec.read)
        self._put(parameter.name, codec, notes, required=required)

    def _take_pydantics(self, parameter: Parameter, annotation: object) -> None:
        """A default of the form `= Field(...)`, which Pydantic means as part of the annotation."""
        # Only a signature with Pydantic's own Field comes here, so Pydantic is imported already.
        from prowess.authoring.annotations.pydantic_types import default_of  # noqa: PLC0415 - an extra

        codec = self._walker.codec(Annotated[annotation, parameter.default])
        make = default_of(parameter.default)
        if make is not None:
            self._fill[parameter.name] = make
        words = self._documented.get(parameter.name)
        notes = {} if words is None or "description" in codec.schema else {"description": words}
        self._put(parameter.name, codec, notes, required=make is None)

    def _put(self, name: str, codec: Codec, notes: Mapping[str, object], *, required: bool) -> None:
        self._properties[name] = {**codec.schema, **notes}
        self._codecs[name] = codec
        if required:
            self._required.append(name)


def mentions_context(annotation: object) -> bool:
    """Whether an annotation that was not evaluated speaks of the context."""
    return annotation is Context or (isinstance(annotation, str) and _CONTEXT.search(annotation) is not None)
