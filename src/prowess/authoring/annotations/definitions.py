"""The `$defs` of one schema: named types under names of their own, and schemas of other makers taken in."""

import re
from collections.abc import Mapping
from typing import ClassVar

from prowess.model.json_value import is_array, is_object

__all__ = ["Definitions"]

_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")


class Definitions:
    """Lives while one schema is made."""

    PREFIX: ClassVar[str] = "#/$defs/"

    def __init__(self, known: Mapping[str, object] | None = None) -> None:
        self._schemas: dict[str, Mapping[str, object]] = {
            name: schema for name, schema in (known or {}).items() if is_object(schema)
        }
        self._originals: dict[str, object] = dict(self._schemas)

    @property
    def schemas(self) -> Mapping[str, Mapping[str, object]]:
        """Each name and what it means."""
        return self._schemas

    def reserve(self, wanted: str) -> str:
        """A name that nothing else here has, as near to the wanted one as can be."""
        plain = _UNSAFE.sub("_", wanted).strip("_") or "Type"
        name, count = plain, 1
        while name in self._schemas:
            count += 1
            name = f"{plain}_{count}"
        self._schemas[name] = {}
        return name

    def put(self, name: str, schema: Mapping[str, object]) -> None:
        """Say what a reserved name means."""
        self._schemas[name] = schema

    def absorb(
        self, schema: Mapping[str, object], components: Mapping[str, Mapping[str, object]], prefix: str
    ) -> dict[str, object]:
        """A schema of another maker, whose references all start with `prefix`, its components taken in.

        A component that was taken in before is shared; another one of its name gets a new name.
        """
        known = [name for name in components if name in self._schemas]
        shared = all(self._originals.get(name) == components[name] for name in known)
        names = {name: name if shared and name in known else self.reserve(name) for name in components}
        for name, component in components.items():
            self._originals[names[name]] = component
            self._schemas[names[name]] = _renamed(component, prefix, names)
        return _renamed(schema, prefix, names)

    def rooted(self, schema: Mapping[str, object]) -> dict[str, object]:
        """The schema as a document of its own: a reference at its root opened, and the `$defs` that it needs."""
        name = _name_in(schema)
        if name is not None:
            schema = {**self._schemas[name], **{key: value for key, value in schema.items() if key != "$ref"}}
        needed: dict[str, object] = {}
        self._follow(schema, needed)
        return {**schema, "$defs": needed} if needed else dict(schema)

    def _follow(self, node: object, needed: dict[str, object]) -> None:
        if is_object(node):
            name = _name_in(node)
            if name is not None and name not in needed:
                needed[name] = dict(self._schemas[name])
                self._follow(self._schemas[name], needed)
            for value in node.values():
                self._follow(value, needed)
        elif is_array(node):
            for value in node:
                self._follow(value, needed)

    @staticmethod
    def reference(name: str) -> dict[str, object]:
        """The schema that stands for a definition."""
        return {"$ref": Definitions.PREFIX + name}


# ---------------------------------------------------------------------------------------------------------------------


def _name_in(schema: Mapping[str, object]) -> str | None:
    reference = schema.get("$ref")
    return reference.removeprefix(Definitions.PREFIX) if isinstance(reference, str) else None


def _renamed(schema: Mapping[str, object], prefix: str, names: Mapping[str, str]) -> dict[str, object]:
    def walk(node: object) -> object:
        if isinstance(node, str) and node.startswith(prefix):
            return Definitions.PREFIX + names[node.removeprefix(prefix)]
        if is_object(node):
            return {key: walk(value) for key, value in node.items()}
        return [walk(item) for item in node] if is_array(node) else node

    return {key: walk(value) for key, value in schema.items()}
