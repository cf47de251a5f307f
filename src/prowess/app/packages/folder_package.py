"""A package that is a folder: an entry of the registry now, its text read when somebody activates it."""

import os
from typing import TYPE_CHECKING

from prowess.app.catalogue.options import Body
from prowess.app.packages.last_texts import LastTexts
from prowess.authoring.context import Context
from prowess.authoring.handler import Handler, Style
from prowess.authoring.opening import opened
from prowess.authoring.skill import LoadedPackage
from prowess.catalog.packages.found import Found
from prowess.catalog.packages.sources import Level
from prowess.model.manifest import Manifest
from prowess.registry.entry import Entry

if TYPE_CHECKING:
    from prowess.catalog.files import PackageFiles

__all__ = ["FolderPackage", "body_of", "handler_of", "package_of"]


class FolderPackage:
    """One folder with a SKILL.md: a `Package`. Ten thousand of them are kept, so each keeps little."""

    __slots__ = ("_digest", "level", "manifest", "path", "texts")

    def __init__(self, manifest: Manifest, path: str, digest: str, level: Level, texts: LastTexts) -> None:
        self.manifest = manifest
        self.path = path
        """Its SKILL.md."""
        self.level = level
        """Who put it there."""
        self.texts = texts
        """Where its text may be kept, should its file break."""
        self._digest = bytes.fromhex(digest)

    @property
    def folder(self) -> str:
        """Where its files are."""
        return os.path.dirname(self.path)

    @property
    def file(self) -> str:
        """The name of its SKILL.md."""
        return os.path.basename(self.path)

    @property
    def digest(self) -> str:
        """The SHA-256 of the SKILL.md that its manifest is from."""
        return self._digest.hex()

    @property
    def name(self) -> str:
        """Its name in the registry."""
        return self.manifest.name

    @property
    def description(self) -> str:
        """What it is for and when to activate it."""
        return self.manifest.description

    @property
    def version(self) -> str | None:
        """Its version as its author wrote it."""
        return self.manifest.version

    def files(self, *, whole: bool = False) -> "PackageFiles":
        """Its files; `whole` refuses to list them without those of a folder that may not be read.

        Raises `NotFoundError` where its folder is gone.
        """
        from prowess.sandbox.files import FolderFiles  # noqa: PLC0415 - as for `load`

        return FolderFiles(self.folder, whole=whole)

    def body(self) -> str:
        """Its instructions, for a search to look into; empty where they cannot be read now."""
        from prowess.app.packages.loading import body_now  # noqa: PLC0415 - as for `load`

        return body_now(self)

    async def load(self, ctx: Context | None = None) -> LoadedPackage:
        """Read its SKILL.md again and list its resources.

        Raises `ExecutionFailedError` where the file is no longer the one that its manifest is from.
        """
        from prowess.app.packages.loading import load_package  # noqa: PLC0415 - 15 ms that only an activation pays

        del ctx  # the signature is `Package`'s
        return load_package(self)

    def is_of(self, found: Found) -> bool:
        """Whether this is the package that was found."""
        place = os.path.join(found.folder, found.file)
        return (self.digest, self.path, self.level) == (found.digest, place, found.source.level)


def body_of(entry: Entry) -> Body | None:
    """The instructions of an entry that is a package with files; None for every other."""
    package = package_of(entry.recipe)
    return None if package is None else Body(package.digest, package.body)


def handler_of(package: FolderPackage) -> Handler:
    """The handler of its entry."""
    return Handler(package.load, Style.COROUTINE, dump=opened)


def package_of(recipe: object) -> FolderPackage | None:
    """The package behind an entry's recipe; None for an entry of another kind."""
    package = getattr(recipe.call, "__self__", None) if isinstance(recipe, Handler) else None
    return package if isinstance(package, FolderPackage) else None
