"""Which paths a call may name. As they are written: what they lead to on a disk, the opener of files sees to."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from prowess.model.json_value import is_array, is_object
from prowess.model.manifest import Manifest
from prowess.model.permissions import EntrySettings, Permissions, is_below
from prowess.model.verdict import Reason

__all__ = ["PathBounds", "path_bounds"]

_PATH = "path"


class PathBounds(Struct, frozen=True):
    """The inputs of an entry that are paths, and where they may lead."""

    fields: tuple[str, ...]
    allowed: tuple[tuple[str, ...], ...]
    """Of each of these lists one folder has to hold the path."""
    blocked: tuple[str, ...]

    def reasons(self, inputs: Mapping[str, object]) -> Iterator[Reason]:
        """Why these inputs may not pass: one reason for each path that leads out."""
        for field in self.fields:
            value = inputs.get(field)
            for path in value if is_array(value) else (value,):
                if isinstance(path, str) and not self._holds(path):
                    yield Reason("paths", f"'{field}' leads out of the folders that the caller may reach")

    def _holds(self, path: str) -> bool:
        return not is_below(path, self.blocked) and all(is_below(path, folders) for folders in self.allowed)


def path_bounds(manifest: Manifest, permissions: Permissions, settings: EntrySettings) -> PathBounds | None:
    """The bounds on an entry's paths; None where it takes none, or nothing bounds them."""
    allowed = tuple(one for one in (permissions.allowed_paths, settings.allowed_paths) if one is not None)
    if not allowed and not permissions.blocked_paths:
        return None
    fields = tuple(_path_fields(manifest.input_schema.value()))
    return PathBounds(fields, allowed, permissions.blocked_paths) if fields else None


# ---------------------------------------------------------------------------------------------------------------------


def _path_fields(schema: Mapping[str, object]) -> Iterator[str]:
    properties = schema.get("properties")
    for name, field in properties.items() if is_object(properties) else ():
        if _is_path(field) or (is_object(field) and _is_path(field.get("items"))):
            yield str(name)


def _is_path(schema: object) -> bool:
    """Whether a schema is that of a path, also of one that may be null."""
    if not is_object(schema):
        return False
    options = schema.get("anyOf")
    return schema.get("format") == _PATH or (is_array(options) and any(map(_is_path, options)))
