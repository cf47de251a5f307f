"""An entry's code in the form that the gate calls, and how the things that people write become it."""

import inspect
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, Unpack, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from prowess.authoring.opening import PACKAGE_OUTPUT, opened
from prowess.authoring.options import Options, Subject, Traits, make_manifest
from prowess.authoring.signature.binding import Bind
from prowess.authoring.signature.reading import context_parameter_of, read_signature
from prowess.authoring.signature.style import Style, is_unbound_method, style_of
from prowess.authoring.skill import BaseSkill, derived_signature
from prowess.errors import InvalidManifestError
from prowess.model.json_value import is_object
from prowess.model.manifest import Kind, Manifest
from prowess.model.names import NAME_LIMIT, name_problem
from prowess.model.schema import NO_INPUTS, Schema

__all__ = ["Definition", "Handler", "Style", "define_function", "definition_of", "unbound"]

_PACKAGE = ("name", "description")
_SKILL = (*_PACKAGE, "execute", "parameters")


class Handler(Struct, frozen=True, eq=False):
    """Code that carries calls out. Lives as long as its entry; only the gate calls it."""

    call: Callable[..., object]
    style: Style
    context_parameter: str | None = None
    """The keyword under which it takes the call's `Context`."""
    bind: Bind | None = None
    """From JSON inputs that fit the schema to keyword arguments; None where they are that already.

    Raises `InvalidInputError`.
    """
    dump: Callable[[object], object] | None = None
    """From what it returned, or the list of what it yielded, to what `to_json_value` writes as the schema says.

    None where that needs no help.
    """


class Definition(Struct, frozen=True, eq=False):
    """An entry as its author wrote it: what it says, and its code."""

    manifest: Manifest
    handler: Handler


def definition_of(thing: object) -> Definition:
    """What a decorated function, a plain function (an op), a skill object or a package defines.

    Raises `InvalidManifestError` that names what is missing or wrong.
    """
    known = getattr(thing, "definition", None)
    if isinstance(known, Definition):
        return known
    if inspect.isroutine(thing):
        if is_unbound_method(thing):
            raise unbound(thing.__qualname__)
        return define_function(thing, Kind.OP)
    if isinstance(thing, type):
        message = f"'{thing.__name__}' is a class: make an instance of it, or register the class itself"
        raise InvalidManifestError(message, details={"name": thing.__name__})
    if not hasattr(thing, "execute") and isinstance(thing, _Loadable):
        return _package(thing)
    return _object(thing)


def define_function(function: Callable[..., object], kind: Kind, **options: Unpack[Options]) -> Definition:
    """The definition of a function, decorated with these options or with none."""
    written = _written_name(function)
    name = options.get("name", written)
    if "name" not in options and (problem := name_problem(written)):
        message = f"function '{written}': name {problem}; give it one: name='{_as_name(written)}'"
        raise InvalidManifestError(message, details={"name": written})
    signature = read_signature(function, name)
    subject = Subject(
        label=f"function '{written}'",
        name=name,
        description=signature.description,
        kind=kind,
        input_schema=signature.input_schema,
        output_schema=signature.output.schema,
    )
    handler = Handler(function, signature.style, signature.context_parameter, signature.bind, signature.output.dump)
    return Definition(make_manifest(subject, **options), handler)


def _written_name(function: object) -> str:
    """The name that a function was defined by, also one whose first arguments are filled in already."""
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__name__", function))


def unbound(name: str) -> InvalidManifestError:
    """The error for a method that was taken from its class."""
    owner, _, method = name.rpartition(".")
    message = f"'{name}' is a method: take it from an instance, {owner}(...).{method}"
    return InvalidManifestError(message, details={"name": name})


# ---------------------------------------------------------------------------------------------------------------------


def _object(thing: object) -> Definition:
    label = type(thing).__name__
    execute = getattr(thing, "execute", None)
    if not callable(execute):
        raise _incomplete(thing, label, _SKILL)
    manifest = getattr(thing, "manifest", None)
    if isinstance(manifest, Manifest):
        return Definition(manifest.validate(), _handler_of(execute, manifest.input_schema))
    _check_complete(thing, label, _SKILL)
    subject = _subject(thing, label, Kind.LOGIC, _schema_of(thing, label, "parameters") or NO_INPUTS)
    derived = derived_signature(thing, label)
    if derived is None:
        made = make_manifest(subject, **_traits_of(thing))
        return Definition(made, _handler_of(execute, made.input_schema))
    output = subject.output_schema or derived.output.schema
    made = make_manifest(replace(subject, output_schema=output), **_traits_of(thing))
    handler = Handler(execute, derived.style, derived.context_parameter, derived.bind, derived.output.dump)
    return Definition(made, handler)


@runtime_checkable
class _Loadable(Protocol):
    def load(self, *args: Any, **keywords: Any) -> Any: ...


def _package(thing: _Loadable) -> Definition:
    label = type(thing).__name__
    _check_complete(thing, label, _PACKAGE)
    load = thing.load
    parameters = [one for one in inspect.signature(load).parameters.values() if one.kind is not one.VAR_KEYWORD]
    subject = replace(_subject(thing, label, Kind.PACKAGE, NO_INPUTS), output_schema=PACKAGE_OUTPUT)
    context = parameters[0].name if parameters else None
    return Definition(
        make_manifest(subject, **_traits_of(thing)), Handler(load, style_of(load, None), context, None, opened)
    )


def _handler_of(execute: Callable[..., object], schema: Schema) -> Handler:
    """The handler of a method whose schema its author wrote: its inputs are what JSON gives."""
    context = context_parameter_of(execute)
    properties = schema.value().get("properties")
    taken = isinstance(properties, dict) and context in properties
    return Handler(execute, style_of(execute, None), None if taken else context)


def _check_complete(thing: object, label: str, wanted: Sequence[str]) -> None:
    texts = (getattr(thing, attribute, None) for attribute in ("name", "description"))
    if not all(isinstance(text, str) for text in texts) or getattr(thing, wanted[-1], None) is None:
        raise _incomplete(thing, label, wanted)


def _incomplete(thing: object, label: str, wanted: Sequence[str]) -> InvalidManifestError:
    """The error that names all that the thing lacks to be a skill or a package."""
    missing = [attribute for attribute in wanted if getattr(thing, attribute, None) is None]
    unusable = [attribute for attribute in wanted if attribute not in missing and not _is_usable(thing, attribute)]
    lacks = " and ".join(
        f"{words} {', '.join(names)}" for words, names in (("no", missing), ("no usable", unusable)) if names
    )
    message = f"{label} has {lacks}: a skill has a name, a description, parameters (a JSON Schema), execute(**inputs)"
    return InvalidManifestError(message, details={"name": label, "missing": [*missing, *unusable]})


def _is_usable(thing: object, attribute: str) -> bool:
    value = getattr(thing, attribute)
    return callable(value) if attribute == "execute" else attribute == "parameters" or isinstance(value, str)


def _subject(thing: object, label: str, kind: Kind, inputs: Schema) -> Subject:
    version = getattr(thing, "version", None)
    if not isinstance(version, str | None):
        message = f"{label}: version {version!r} is not text: write it in quotes"
        raise InvalidManifestError(message, details={"name": label})
    return Subject(
        label=label,
        name=str(getattr(thing, "name", "")),
        description=str(getattr(thing, "description", "")),
        kind=kind,
        input_schema=inputs,
        output_schema=_schema_of(thing, label, "output_schema"),
        version=version,
    )


def _schema_of(thing: object, label: str, attribute: str) -> Schema | None:
    value = getattr(thing, attribute, None)
    if value is None:
        return None
    if isinstance(value, Schema) or is_object(value):
        return Schema.of(value)
    message = f"{label}: {attribute} is a {type(value).__name__}: give a JSON Schema as a dictionary"
    raise InvalidManifestError(message, details={"name": label})


def _traits_of(thing: object) -> Traits:
    """What the object says of itself: a few attributes, and what a `BaseSkill` was told."""
    traits: Traits = {}
    title = getattr(thing, "title", None)
    if isinstance(title, str):
        traits["title"] = title
    if (tags := _words(thing, "tags")) is not None:
        traits["tags"] = tags
    if (capabilities := _words(thing, "capabilities")) is not None:
        traits["capabilities"] = capabilities
    return {**traits, **thing.traits} if isinstance(thing, BaseSkill) else traits


def _words(thing: object, attribute: str) -> Sequence[str] | None:
    value: Any = getattr(thing, attribute, None)
    if type(value) in (set, frozenset):
        return sorted(map(str, value))
    return list(value) if type(value) in (list, tuple) else None


def _as_name(text: str) -> str:
    """A legal name that looks like this one."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).lower()
    name = re.sub(r"[^a-z0-9]+", "_", words).strip("_")[:NAME_LIMIT].strip("_")
    return name or "my_function"
