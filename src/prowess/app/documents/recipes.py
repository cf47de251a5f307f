"""From an entry point to the recipe of an entry: what carries its calls out, made at the first of them.

A runtime that this release does not have is a line less in `_MAKERS`; whoever builds one adds it there.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from prowess.app.importing import import_attribute
from prowess.authoring.handler import Definition, Handler
from prowess.authoring.services import Services
from prowess.authoring.signature.reading import context_parameter_of
from prowess.authoring.signature.style import style_of
from prowess.documents.values import Declared, EntryPoint, HttpEntry, McpEntry, PythonEntry, ScriptEntry
from prowess.errors import UnavailableError
from prowess.model.json_value import is_object
from prowess.model.manifest import Manifest
from prowess.model.pipeline import Pipeline
from prowess.registry.entry import Factory, Recipe

__all__ = ["recipe_of"]

Maker = Callable[[Manifest, Any, str], Handler]
"""Makes the code of an entry, given the project's folder; raises `UnavailableError`."""


class _Made:
    """What a factory of a document's entry gives: its manifest with its code."""

    def __init__(self, manifest: Manifest, handler: Handler) -> None:
        self.definition = Definition(manifest, handler)


def recipe_of(entry: Declared, root: str) -> Recipe:
    """How calls of an entry are carried out; nothing is imported or opened before the first of them."""
    if isinstance(entry.recipe, Pipeline):
        return entry.recipe
    return Factory(partial(_make, entry.manifest, entry.recipe, root), entry.manifest.version)


# ---------------------------------------------------------------------------------------------------------------------


def _make(manifest: Manifest, point: EntryPoint, root: str, _services: Services) -> object:
    maker = _MAKERS.get(type(point))
    if maker is None:
        word = _WORDS[type(point)]
        message = f"'{manifest.reference}' has the runtime '{word}', which this release cannot run yet"
        raise UnavailableError(message, details={"name": manifest.name, "runtime": word})
    return _Made(manifest, maker(manifest, point, root))


def _python(manifest: Manifest, point: PythonEntry, root: str) -> Handler:
    """The handler of a module of the project: `handler(**inputs)`, with the context where it has a `ctx`."""
    where = f"'{manifest.reference}' cannot be made"
    function = import_attribute(point.module, point.handler, root, where)
    known = getattr(function, "definition", None)
    if isinstance(known, Definition):
        return known.handler
    context = context_parameter_of(function)
    properties = manifest.input_schema.value().get("properties")
    is_input = is_object(properties) and context in properties
    return Handler(function, style_of(function, None), None if is_input else context)


_MAKERS: Mapping[type[EntryPoint], Maker] = {PythonEntry: _python}
_WORDS: Mapping[type[EntryPoint], str] = {HttpEntry: "http", ScriptEntry: "script", McpEntry: "mcp"}
