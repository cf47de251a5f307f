"""One function's signature, read as a whole."""

import inspect
from collections.abc import Callable
from inspect import Parameter

from msgspec import Struct

from prowess.authoring.annotations.hints import Namespace, UnresolvedError, namespace_of
from prowess.authoring.annotations.walk import Walker
from prowess.authoring.docstrings import read_docstring
from prowess.authoring.signature.binding import Bind
from prowess.authoring.signature.inputs import CONTEXT_NAME, InputsReader, mentions_context
from prowess.authoring.signature.outputs import Output, read_output
from prowess.authoring.signature.style import Style, is_unbound_method, source_of, style_of
from prowess.errors import InvalidManifestError, Problem
from prowess.model.schema import Schema

__all__ = ["Signature", "context_parameter_of", "read_signature"]


class Signature(Struct, frozen=True, eq=False, kw_only=True):
    """What a function says about the entry that it is."""

    description: str
    style: Style
    input_schema: Schema
    output: Output
    names_inputs: bool
    """Whether it takes any inputs by name, or merely `**inputs`."""
    bind: Bind | None
    context_parameter: str | None


def read_signature(function: Callable[..., object], name: str) -> Signature:
    """Read a function; raises `InvalidManifestError` that names it and each parameter that cannot be an input."""
    source = source_of(function)
    try:
        parameters, returned = _parts_of(function)
    except (TypeError, ValueError):
        message = f"function '{name}' does not tell its parameters: wrap it in a function of your own"
        raise InvalidManifestError(message, details={"name": name}) from None
    problems: list[Problem] = []
    namespace = namespace_of(source)
    docstring = read_docstring(getattr(source, "__doc__", None))
    reader = InputsReader(name, Walker(namespace), docstring.parameters, problems)
    for parameter in parameters:
        reader.read(parameter)
    inputs = reader.done()
    returned = _resolved(returned, namespace, problems)
    style = style_of(function, returned)
    output = read_output(returned, style, Walker(namespace, output=True), problems)
    if problems:
        message = f"function '{name}': {'; '.join(problem.message for problem in problems)}"
        raise InvalidManifestError(message, details={"name": name, "problems": tuple(problems)})
    return Signature(
        description=docstring.description,
        style=style,
        input_schema=Schema.of(inputs.schema),
        output=output,
        names_inputs=bool(inputs.schema["properties"]),
        bind=inputs.bind,
        context_parameter=inputs.context_parameter,
    )


def context_parameter_of(function: Callable[..., object]) -> str | None:
    """The parameter that takes the context, told by name or annotation alone: the other ones may be anything."""
    try:
        parameters, _ = _parts_of(function)
    except (TypeError, ValueError):
        return None
    return next((one.name for one in parameters if _takes_context(one)), None)


# ---------------------------------------------------------------------------------------------------------------------


def _parts_of(function: Callable[..., object]) -> tuple[list[Parameter], object]:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    return parameters[1:] if is_unbound_method(function) else parameters, signature.return_annotation


def _resolved(annotation: object, namespace: Namespace, problems: list[Problem]) -> object:
    try:
        return namespace.resolve(annotation)
    except UnresolvedError as error:
        problems.append(Problem(path="$", rule="annotation", message=f"the return annotation: {error}"))
        return Parameter.empty


def _takes_context(parameter: Parameter) -> bool:
    if parameter.kind in (Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
        return False
    return parameter.name == CONTEXT_NAME or mentions_context(parameter.annotation)
