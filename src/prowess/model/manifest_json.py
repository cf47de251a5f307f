"""A manifest to JSON and back: written in snake_case without its defaults, read in either spelling.

Reading checks shapes only, and all of them before it fails; what a manifest may say is `manifest_rules`' matter.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from math import isfinite
from typing import TypeGuard

from msgspec import Struct, json, to_builtins
from msgspec.structs import fields, replace

from prowess.errors import InvalidManifestError, Problem
from prowess.model.forms import Forms, Path, Problems, each, note, read_fields
from prowess.model.json_value import is_object
from prowess.model.manifest import Manifest
from prowess.model.manifest_forms import MANIFEST, deprecation, target
from prowess.model.manifest_parts import Extra, Target
from prowess.model.schema import Schema

__all__ = ["manifest_from_json", "manifest_to_json"]


def manifest_to_json(manifest: Manifest) -> dict[str, object]:
    """The manifest as fresh JSON values; what it leaves at the default is left out."""
    return _written(manifest)


def manifest_from_json(value: Mapping[str, object]) -> Manifest:
    """A manifest from JSON, or from a YAML document's values: a version that came as a number or date is its text.

    A null counts as absent. Raises `InvalidManifestError` with every problem: unknown fields (and what was probably
    meant), missing ones, wrong types, and one field in two spellings.
    """
    problems: Problems = []
    read = read_fields(value, _FORMS, (), problems, _SPELLINGS)
    if is_object(value) and value.get("name") is None:
        problems.append(Problem(path="$.name", rule="required", message="is missing: every manifest has a name"))
    if problems:
        name = read.get("name")
        whose = f"manifest '{name}'" if isinstance(name, str) and name else "manifest"
        message = f"{whose}: {'; '.join(map(str, problems))}"
        raise InvalidManifestError(message, details={"name": name, "problems": tuple(problems)})
    targets = tuple(dict.fromkeys(target for key in _TARGET_FIELDS for target in _targets_of(read.pop(key, ()))))
    if "targets" in read or targets:
        declared = _targets_of(read.get("targets", ()))
        read["targets"] = (*declared, *(target for target in targets if target not in declared))
    return replace(Manifest(name=""), **read)


# ---------------------------------------------------------------------------------------------------------------------


def _written(value: Struct) -> dict[str, object]:
    said: dict[str, object] = {}
    for name, required, default in _fields_of(type(value)):
        item: object = getattr(value, name)
        if required or (item is not default and item != default):
            said[name] = item if type(item) is str else _plain(item)
    return said


@cache
def _fields_of(kind: type[Struct]) -> tuple[tuple[str, bool, object], ...]:
    """Each field's name, whether it is required, and its default: asking a struct takes longer than writing it."""
    return tuple((field.name, field.required, field.default) for field in fields(kind))


def _plain(value: object) -> object:
    if isinstance(value, Schema):
        return json.decode(value.text)
    if isinstance(value, Extra):
        return value.value()
    if isinstance(value, Target) and Target.parse(str(value)) == value:
        return str(value)
    if isinstance(value, Struct):
        return _written(value)
    return [_plain(item) for item in value] if _is_sequence(value) else to_builtins(value)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def _targets_of(value: object) -> Sequence[Target]:
    return [target for target in value if isinstance(target, Target)] if _is_sequence(value) else ()


def _version(value: object, path: Path, problems: Problems) -> object:
    """A version as its author wrote it, as far as the loader of the document left it."""
    if isinstance(value, str):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return str(value)
    note(problems, path, "type", "must be text", value)
    return None


_TARGET_FIELDS = ("calls", "required_tools", "required_skills")
_SPELLINGS = {
    "parameters": "input_schema",
    "inputs_schema": "input_schema",
    "inputsSchema": "input_schema",
    "outputs_schema": "output_schema",
    "outputsSchema": "output_schema",
}
_FORMS: Forms = {
    **MANIFEST,
    "version": _version,
    "targets": each(target(None, _version)),
    "calls": each(target(None, _version)),
    "required_tools": each(target("op", _version)),
    "required_skills": each(target("skill", _version)),
    "deprecation": deprecation(_version),
}
