"""A package's document as the manifest that the registry holds, and back."""

import re

from prowess.errors import InvalidManifestError
from prowess.model.json_value import Json
from prowess.model.manifest import Extra, Kind, Manifest
from prowess.model.manifest_parts import NO_EXTRA
from prowess.skillmd.document import SkillDocument
from prowess.skillmd.fields import meant
from prowess.skillmd.names import registry_name
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.scalars import written_text, written_value

__all__ = ["from_manifest", "to_manifest"]

_WORD = re.compile(r"[^\s@\x00-\x1f\x7f]{1,256}")
_LINE = re.compile(r"\S(?:[^\x00-\x1f\x7f]{0,254}\S)?")
_SAID = frozenset({"name", "description", "license", "author"})


def to_manifest(document: SkillDocument) -> Manifest:
    """The manifest of a package. Its `extra` holds every field that a manifest has no place for, under its own name.

    A name that breaks the registry's grammar becomes `registry_name` of it, and stays as title, and as id where it is
    one word. A version is shown as it is written; one that is no word stays in `extra`.
    """
    name = registry_name(document.name)
    renamed = name != document.name
    version = document.version if document.version and _WORD.fullmatch(document.version) else None
    tags = tuple(tag for tag in document.tags if _LINE.fullmatch(tag))
    said = {*_SAID, *(("version",) if version else ()), *(("tags",) if tags == document.tags else ())}
    extra: dict[str, Json] = {}
    for field in document.fields:
        known = meant(field.name) or field.name
        if known not in said:
            extra[known] = field.value
    if document.allowed_tools is not None:
        extra["allowed-tools"] = [*document.allowed_tools]
    return Manifest(
        name=name,
        version=version,
        description=document.description,
        kind=Kind.PACKAGE,
        tags=tags,
        author=document.author,
        license=document.license,
        id=document.name if renamed and _WORD.fullmatch(document.name) else None,
        title=document.name if renamed else None,
        extra=Extra(extra) if extra else NO_EXTRA,
    )


def from_manifest(manifest: Manifest, body: str = "") -> SkillDocument:
    """The document of a package's manifest; raises `InvalidManifestError` for one without a description.

    What `to_manifest` made of a document gives that document again, its fields spelled as the standard does.
    """
    title = manifest.title or ""
    name = title if registry_name(title) == manifest.name else manifest.name.rpartition("/")[2]
    said: dict[str, Json] = {"name": name, "description": manifest.description, "license": manifest.license}
    document = _read({**said, **manifest.extra}, body)
    if document is None:
        message = f"'{manifest.name}': a package needs a description"
        raise InvalidManifestError(message, details={"name": manifest.name})
    apart: dict[str, Json] = {"version": manifest.version, "author": manifest.author, "tags": [*manifest.tags] or None}
    said |= {field: value for field, value in apart.items() if _as_read(document, field) != value}
    return _read({**said, **manifest.extra}, body) or document


# ---------------------------------------------------------------------------------------------------------------------


def _as_read(document: SkillDocument, field: str) -> Json:
    """What a document says already, by its metadata."""
    return [*document.tags] if field == "tags" else document.version if field == "version" else document.author


def _read(said: dict[str, Json], body: str) -> SkillDocument | None:
    lines = [f"{written_text(key)}: {written_value(value)}" for key, value in said.items() if value is not None]
    return read_skill("\n".join(("---", *lines, "---", body)).encode()).document
