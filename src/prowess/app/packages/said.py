"""A package's entry as the index has it: to and from JSON, without a look at all that nearly no package says."""

import sys
from typing import Literal

from msgspec import Raw, Struct, ValidationError, json

from prowess.model.manifest import Extra, Kind, Manifest
from prowess.model.manifest_json import manifest_from_json
from prowess.model.manifest_parts import NO_EXTRA
from prowess.model.schema import NO_INPUTS
from prowess.registry.entry import Entry

__all__ = ["read_said", "written_said"]


_NOTHING = Raw(b"")


class _Said(Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a package says, in the order in which `entry_json` writes it."""

    name: str
    version: str | None
    description: str
    kind: Literal["package"]
    status: Literal["enabled"]
    autonomy: Literal["L3"]
    input_schema: Raw
    tags: tuple[str, ...] = ()
    author: str | None = None
    license: str | None = None
    id: str | None = None
    title: str | None = None
    extra: Raw = _NOTHING
    source: str


_READ = json.Decoder(_Said).decode
_INPUTS = Raw(NO_INPUTS.text)


def written_said(entry: Entry) -> bytes | None:
    """The entry as JSON, as `entry_json` has it; None for one that says more than packages do."""
    manifest = entry.manifest
    if manifest.kind is not Kind.PACKAGE or _plain(manifest) != manifest or not isinstance(manifest.extra, Extra):
        return None
    said = _Said(
        name=manifest.name,
        version=manifest.version,
        description=manifest.description,
        kind="package",
        status="enabled",
        autonomy="L3",
        input_schema=_INPUTS,
        tags=manifest.tags,
        author=manifest.author,
        license=manifest.license,
        id=manifest.id,
        title=manifest.title,
        extra=Raw(manifest.extra.text) if manifest.extra else _NOTHING,
        source=entry.source,
    )
    try:
        return json.encode(said)
    except UnicodeEncodeError:
        return None


def read_said(line: bytes) -> tuple[Manifest, str]:
    """The manifest that was written, and the source of its entry."""
    try:
        said = _READ(line)
    except ValidationError:
        return _any_manifest(line)
    if bytes(said.input_schema) != NO_INPUTS.text:
        return _any_manifest(line)
    manifest = Manifest(
        name=said.name,
        version=_shared(said.version),
        description=said.description,
        kind=Kind.PACKAGE,
        tags=said.tags,
        author=_shared(said.author),
        license=_shared(said.license),
        id=said.id,
        title=said.title,
        extra=Extra(bytes(said.extra)) if said.extra else NO_EXTRA,
    )
    return manifest, said.source


# ---------------------------------------------------------------------------------------------------------------------


def _plain(manifest: Manifest) -> Manifest:
    """The manifest with nothing but what a package says."""
    return Manifest(
        name=manifest.name,
        version=manifest.version,
        description=manifest.description,
        kind=Kind.PACKAGE,
        tags=manifest.tags,
        author=manifest.author,
        license=manifest.license,
        id=manifest.id,
        title=manifest.title,
        extra=manifest.extra,
    )


def _shared(text: str | None) -> str | None:
    """A text that many manifests have, kept once."""
    return None if text is None else sys.intern(text)


def _any_manifest(line: bytes) -> tuple[Manifest, str]:
    said: dict[str, object] = json.decode(line)
    source = str(said.pop("source"))
    return manifest_from_json(said), source
