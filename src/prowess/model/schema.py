"""A JSON Schema as a value: kept as its JSON text, read when asked, its local references inlined for clients.

The text costs a tenth of the dictionaries it stands for, which is what lets a registry hold a million entries.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from prowess.errors import InvalidSchemaError
from prowess.model.circles import on_circles
from prowess.model.json_value import NotJsonError, is_array, is_object, to_json_value

__all__ = ["ANYTHING", "NO_INPUTS", "Schema", "inline_references", "resolve_pointer"]

_GROWTH_LIMIT = 2_000
_DEPTH_LIMIT = 64
_STEPS_LIMIT = 100_000

_ONE_SCHEMA = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
_LIST_OF_SCHEMAS = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
_MAP_OF_SCHEMAS = frozenset({"dependencies", "dependentSchemas", "patternProperties", "properties"})
_DEFINITIONS = frozenset({"$defs", "definitions"})
_ANCHORS = ("$anchor", "$dynamicAnchor")
_DROPPED = _DEFINITIONS | {"$anchor", "$dynamicAnchor", "$recursiveAnchor"}
_UNSUPPORTED = ("$dynamicRef", "$recursiveRef")
_SAY_NOTHING = frozenset(  # beside a reference they restrict no value
    {
        "$comment",
        "$id",
        "$schema",
        "default",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
_LEGACY = re.compile(r"draft-0[3467]")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


class Schema(msgspec.Struct, frozen=True, gc=False):
    """An immutable JSON Schema. `text` is its JSON, keys in the author's order."""

    text: bytes

    @classmethod
    def of(cls, schema: "Mapping[str, object] | bool | Schema") -> "Schema":
        """A schema from a mapping; raises `InvalidSchemaError` for what is no JSON object."""
        if isinstance(schema, Schema):
            return schema
        if not isinstance(schema, Mapping | bool):
            message = f"a JSON Schema is an object, not {type(schema).__name__}"
            raise InvalidSchemaError(message)
        try:
            return cls(msgspec.json.encode(to_json_value(schema)))
        except NotJsonError as error:
            message = f"this schema is not JSON: {error}"
            raise InvalidSchemaError(message) from None

    def value(self) -> dict[str, object]:
        """The schema as fresh dictionaries, which the caller may change."""
        value: dict[str, object] | bool = msgspec.json.decode(self.text)
        return _as_object(value)

    @property
    def digest(self) -> str:
        """SHA-256 over the schema with sorted keys: equal for schemas that differ only in order."""
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and most processes ask no digest

        canonical = msgspec.json.encode(msgspec.json.decode(self.text), order="sorted")
        return sha256(canonical).hexdigest()


NO_INPUTS = Schema.of({"type": "object", "properties": {}, "additionalProperties": False})
ANYTHING = Schema.of({"type": "object"})


def inline_references(schema: Mapping[str, object]) -> tuple[dict[str, object], bool]:
    """The schema with local references replaced by what they name, as fresh values, and whether all could be.

    A reference that leads back to itself stays, and so does the definition that it names. The whole schema is left as
    it was where a reference leads nowhere, where it holds a schema with an `$id` of its own, and where it would grow
    beyond a bound.
    """
    anchors = _survey(schema)
    inlined = None if anchors is None else _Inliner(schema, anchors).inline()
    if inlined is None:
        return {key: _fresh(value) for key, value in schema.items()}, False
    return inlined


def resolve_pointer(root: object, reference: str) -> object | None:
    """What a local reference (`#`, `#/$defs/Item`) names inside `root`; None where it names nothing."""
    fragment = _unquoted(reference[1:])
    if not reference.startswith("#") or fragment is None or (fragment and not fragment.startswith("/")):
        return None
    node = root
    for raw in fragment.split("/")[1:]:
        part = raw.replace("~1", "/").replace("~0", "~")
        if is_object(node) and part in node:
            node = node[part]
        elif is_array(node) and _INDEX.fullmatch(part) and int(part) < len(node):
            node = node[int(part)]
        else:
            return None
    return node


# ---------------------------------------------------------------------------------------------------------------------


class _TooMuchError(Exception):
    """A reference leads nowhere, or the result grows too large."""


class _Inliner:
    """One walk over a schema, along its keywords: what stands in `const`, `enum` or a default is data, not a schema."""

    def __init__(self, root: Mapping[str, object], anchors: Mapping[str, object]) -> None:
        self._root = root
        self._anchors = anchors
        self._left = _GROWTH_LIMIT + _size(root)
        self._steps = _STEPS_LIMIT
        self._siblings_bind = _LEGACY.search(str(root.get("$schema"))) is None
        self._recursive: frozenset[str] = frozenset()
        self._names: dict[str, str] = {}
        self._kept: list[tuple[str, str]] = []
        """The recursive references that were met, and the names under which their definitions stay."""

    def inline(self) -> tuple[dict[str, object], bool] | None:
        """The schema, and whether no reference is left; None where it has to stay as it was."""
        try:
            self._recursive = self._leading_back()
            inlined = _as_object(self._expand(self._root))
            definitions = {name: self._expand(self._named(reference)) for reference, name in self._kept}  # which grows
        except _TooMuchError:
            return None
        return {**inlined, **({"$defs": definitions} if definitions else {})}, not self._recursive

    def _leading_back(self) -> frozenset[str]:
        """The references on the way from themselves to themselves; none that only leads to such a one."""
        leads: dict[str, frozenset[str]] = {}
        waiting = set(self._references(self._root))
        while waiting:
            reference = waiting.pop()
            leads[reference] = frozenset(self._references(self._named(reference)))
            waiting |= leads[reference] - leads.keys()
        return on_circles(leads)

    def _references(self, schema: object) -> Iterator[str]:
        """The references inside a schema, those of its definitions left out."""
        waiting = [schema]
        while waiting:
            self._steps -= 1
            if self._steps < 0:
                raise _TooMuchError
            node = waiting.pop()
            if is_object(node):
                reference = node.get("$ref")
                if isinstance(reference, str):
                    yield reference
                waiting.extend(_subschemas({key: value for key, value in node.items() if key not in _DEFINITIONS}))

    def _expand(self, node: object, depth: int = 0) -> object:
        if not is_object(node):
            return self._copied(node)
        self._left -= 1
        if self._left < 0 or depth > _DEPTH_LIMIT:
            raise _TooMuchError
        reference = node.get("$ref")
        if not isinstance(reference, str):
            return self._members(node, depth)
        siblings = self._members({key: node[key] for key in node if key != "$ref"}, depth)
        if reference in self._recursive:
            return {"$ref": self._renamed(reference), **(siblings if self._siblings_bind else {})}
        return self._joined(self._expand(self._named(reference), depth + 1), siblings)

    def _renamed(self, reference: str) -> str:
        """The reference to a definition that stays, under a name that needs no escaping."""
        if reference in {"", "#"}:
            return reference
        if reference not in self._names:
            name = _NOT_IN_NAMES.sub("_", reference.rpartition("/")[2].removeprefix("#"))
            while name in self._names.values():
                name += "_"
            self._names[reference] = name
            self._kept.append((reference, name))
        return f"#/$defs/{self._names[reference]}"

    def _members(self, node: Mapping[str, object], depth: int) -> dict[str, object]:
        return {key: self._keyword(key, value, depth + 1) for key, value in node.items() if key not in _DROPPED}

    def _keyword(self, key: str, value: object, depth: int) -> object:
        if key in _ONE_SCHEMA and is_object(value):
            return self._expand(value, depth)
        if key in _LIST_OF_SCHEMAS and is_array(value):
            return [self._expand(item, depth) for item in value]
        if key in _MAP_OF_SCHEMAS and is_object(value):
            return {name: self._expand(item, depth) for name, item in value.items()}
        return self._copied(value)

    def _copied(self, value: object) -> object:
        self._left -= _size(value)
        return _fresh(value)

    def _named(self, reference: str) -> object:
        named = resolve_pointer(self._root, reference or "#")
        if named is None:
            named = self._anchors.get(reference)
        if named is None:
            raise _TooMuchError
        return named

    def _joined(self, named: object, siblings: dict[str, object]) -> object:
        """What stands beside a reference binds too, and each of the two knows only its own properties."""
        silent = {key: value for key, value in siblings.items() if key in _SAY_NOTHING}
        if not self._siblings_bind:
            siblings = silent
        if not siblings:
            return named
        if is_object(named) and len(silent) == len(siblings):
            return {**named, **siblings}
        both = siblings.get("allOf", [])
        return {**siblings, "allOf": [*both, named] if is_array(both) else [named]}


def _survey(root: Mapping[str, object]) -> dict[str, object] | None:
    """Where each anchor is; None where references mean something else than their text says."""
    anchors: dict[str, object] = {}
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if not is_object(node):
            continue
        own_id = node is not root and (isinstance(node.get("$id"), str) or isinstance(node.get("id"), str))
        if own_id or any(key in node for key in _UNSUPPORTED):
            return None
        anchors |= {f"#{node[key]}": node for key in _ANCHORS if key in node}
        waiting.extend(_subschemas(node))
    return anchors


def _subschemas(node: Mapping[str, object]) -> Iterator[object]:
    for key, value in node.items():
        if is_object(value):
            if key in _ONE_SCHEMA:
                yield value
            elif key in _MAP_OF_SCHEMAS or key in _DEFINITIONS:
                yield from value.values()
        elif is_array(value) and key in _LIST_OF_SCHEMAS:
            yield from value


def _as_object(schema: object) -> dict[str, object]:
    """A schema in the one form that says the same as a boolean too."""
    if is_object(schema):
        return dict(schema)
    return {} if schema else {"not": {}}


def _size(value: object) -> int:
    """How many values there are in it, itself included."""
    count = 0
    waiting = [value]
    while waiting:
        node = waiting.pop()
        count += 1
        if is_object(node):
            waiting.extend(node.values())
        elif is_array(node):
            waiting.extend(node)
    return count


def _fresh(value: object) -> object:
    return msgspec.to_builtins(value)


def _unquoted(text: str) -> str | None:
    """The text with its percent-encoding undone; None where that gives no text."""
    if "%" not in text:
        return text
    try:
        return _PERCENT.sub(lambda found: bytes([int(found[1], 16)]), text.encode()).decode()
    except UnicodeError:
        return None
