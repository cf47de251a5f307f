"""What a built file says it holds: packages with their files, the code of the project, and its search index."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from prowess.catalog.built.container import Blob, BuiltFile
from prowess.errors import ConfigurationError
from prowess.model.manifest import Manifest
from prowess.model.manifest_parts import NO_EXTRA, Extra

__all__ = ["Contents", "PackedFile", "PackedPackage", "StoredManifest", "contents_of", "files_of", "pack", "pack_files"]


class PackedFile(Struct, frozen=True, array_like=True, gc=False):
    """One file: its path, its parts joined by `/`, and its bytes."""

    path: str
    blob: Blob
    executable: bool = False


class StoredManifest(Manifest, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A manifest whose fields are all of types that can be read from bytes."""

    extra: Any = NO_EXTRA
    """Read as a dictionary, and settled like any."""


class PackedPackage(Struct, frozen=True, array_like=True, gc=False):
    """One package: what its entry says, and its files."""

    manifest: StoredManifest
    source: str
    """As its entry shows it."""
    level: str
    """Who put it there, when the file was built."""
    digest: str
    """The SHA-256 of its SKILL.md."""
    skill: str
    """The path of its SKILL.md."""
    files: msgspec.Raw
    """Its files, SKILL.md first, the others sorted by path: read when somebody asks for one."""


class Contents(Struct, frozen=True, array_like=True):
    """All that a built file holds."""

    name: str
    """The project's."""
    packages: tuple[PackedPackage, ...] = ()
    code: tuple[PackedFile, ...] = ()
    """The settings and modules of the project, their paths relative to its folder."""
    search: tuple[PackedFile, ...] = ()
    """The search index, where it was kept in files."""


def pack_files(files: Sequence[PackedFile]) -> msgspec.Raw:
    """Files as a package keeps them."""
    return msgspec.Raw(msgspec.msgpack.encode(files))


def files_of(package: PackedPackage) -> tuple[PackedFile, ...]:
    """The files of a package, SKILL.md first."""
    return _FILES.decode(package.files)


def pack(contents: Contents) -> bytes:
    """The contents as bytes."""
    return msgspec.msgpack.encode(contents, enc_hook=Extra.value)


def contents_of(built: BuiltFile) -> Contents:
    """What a built file holds. Raises `ConfigurationError` for one that another release wrote."""
    try:
        return msgspec.msgpack.decode(built.contents, type=Contents)
    except (msgspec.DecodeError, msgspec.ValidationError):
        message = f"{built.path} was built by another release, which this one cannot read: build it again"
        raise ConfigurationError(message, details={"file": built.path}) from None


# ---------------------------------------------------------------------------------------------------------------------

_FILES = msgspec.msgpack.Decoder(tuple[PackedFile, ...])
