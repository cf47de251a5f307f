"""A project into one file that many machines serve alike, and out of it again."""

import os
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import asdict

from prowess.app.packages.folder_package import FolderPackage, handler_of, package_of
from prowess.app.packages.last_texts import LastTexts
from prowess.catalog.built.container import BuiltFile, BuiltWriter
from prowess.catalog.built.contents import (
    Contents,
    PackedFile,
    PackedPackage,
    StoredManifest,
    contents_of,
    pack,
    pack_files,
)
from prowess.catalog.built.files import BuiltFiles
from prowess.catalog.files import PackageFiles, split_key
from prowess.catalog.index_file import cache_folder
from prowess.catalog.index_format import read_file, replace_file
from prowess.catalog.packages.sources import Level
from prowess.catalog.pinning.digest import FILE, PROGRAM, FileDigest, PackageDigest, digest_of
from prowess.catalog.places import SETTINGS
from prowess.errors import ConfigurationError, NotFoundError, ProwessError, UnavailableError
from prowess.registry.entry import Door, Entry
from prowess.sandbox.files import FolderFiles

__all__ = ["Built", "BuiltPackage", "OpenedBuild", "Plan", "build", "included_files", "open_build"]


class Built(Struct, frozen=True):
    """What was written into a built file."""

    path: str
    digest: str
    """Of the whole file: two with the same digest give the same answers."""
    packages: int
    modules: int
    size: int


class Plan(Struct, frozen=True, kw_only=True):
    """What goes into a built file."""

    name: str
    """The project's."""
    root: str
    """Its folder."""
    entries: Iterable[Entry]
    """Of these, the packages; others come with the code that defines them."""
    code: Iterable[str]
    """The paths of its settings and modules."""
    include: Iterable[str] = ()
    """What its settings name besides."""
    index: Iterable[tuple[str, bytes]] = ()
    """The files of its search index."""


def build(path: str, plan: Plan) -> Built:
    """Write a project into one file, which appears whole or not at all.

    Raises `UnavailableError` for a package that cannot be read, naming it: a file that silently lacks one would be
    served as if there were none; and `ConfigurationError` for what `[build] include` names in vain.
    """
    included = included_files(plan.root, plan.include)
    with BuiltWriter(path) as writer:
        packages = tuple(_packed(writer, entry) for entry in plan.entries if package_of(entry.recipe) is not None)
        code = tuple(_code(writer, plan.root, [*plan.code, *included]))
        index = tuple(PackedFile(path, writer.add(data)) for path, data in plan.index)
        digest = writer.finish(pack(Contents(plan.name, packages, code, index)))
    return Built(path, digest, len(packages), sum(one.path.endswith(".py") for one in code), os.path.getsize(path))


def included_files(root: str, paths: Iterable[str]) -> list[str]:
    """The files that `[build] include` names, and those below the folders that it names.

    Raises `ConfigurationError` with everything that leads out of the project, is not there or cannot be read whole.
    """
    found: list[str] = []
    problems: list[str] = []
    for path in paths:
        try:
            found += _below(root, path)
        except ProwessError as error:
            problems.append(f"[build] include in {SETTINGS} names '{path}': {_told(error, path)}")
    if problems:
        raise ConfigurationError("\n  ".join(problems), details={"problems": tuple(problems)})
    return found


class OpenedBuild:
    """A built file, open: its packages as entries, and its code where Python can import it.

    Lives as long as what serves it; its file stays open until the process ends.
    """

    def __init__(self, built: BuiltFile, contents: Contents) -> None:
        self._built = built
        self._contents = contents

    @property
    def digest(self) -> str:
        """Of the whole file."""
        return self._built.digest

    @property
    def name(self) -> str:
        """The project's."""
        return self._contents.name

    def packages(self) -> Iterator["BuiltPackage"]:
        """Its packages."""
        return (BuiltPackage(packed, self._built) for packed in self._contents.packages)

    def entries(self, door: Door) -> Iterator[Entry]:
        """The entries of its packages."""
        for packed, package in zip(self._contents.packages, self.packages(), strict=True):
            yield Entry(package.manifest, handler_of(package), packed.source, door)

    def close(self) -> None:
        """Close the file; its packages can be read no more."""
        self._built.close()

    def holds(self, entry: Entry) -> bool:
        """Whether an entry is one of its packages, which are what they were when the file was built."""
        return type(entry.manifest) is StoredManifest

    def index_files(self) -> Iterator[tuple[str, bytes]]:
        """The files of its search index. Raises `ConfigurationError` for one that was changed."""
        return ((file.path, self._built.read(file.blob)) for file in self._contents.search)

    def unpack_code(self, environ: Mapping[str, str]) -> str:
        """The folder with its settings and modules, in the user's cache; a file that was changed there is mended."""
        folder = os.path.join(cache_folder(environ, "built"), self.digest)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        for file in self._contents.code:
            target = os.path.join(folder, *file.path.split("/"))
            data = self._built.read(file.blob)
            if not os.path.isfile(target) or read_file(target) != data:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                replace_file(target, data)
        return folder


class BuiltPackage(FolderPackage):
    """A package whose files lie in a built file."""

    __slots__ = ("_built", "_packed")

    def __init__(self, packed: PackedPackage, built: BuiltFile) -> None:
        path = os.path.join(built.path, packed.skill)
        super().__init__(packed.manifest, path, packed.digest, _LEVELS[packed.level], _NO_TEXTS)
        self._packed = packed
        self._built = built

    def files(self, *, whole: bool = False) -> PackageFiles:
        """Its files, as they were when the file was built: whole at any time."""
        del whole
        return BuiltFiles(self._built, self._packed)

    def pinned(self) -> PackageDigest:
        """The digest of all its files, as their bytes are in the built file.

        That of its folder, where that has no links, hidden files, caches or packages inside, which are not built.

        Raises `ConfigurationError` where the file was changed since it was opened.
        """
        files = self.files()
        return digest_of(_digest(files, key) for key in (self.file, *files.keys()))


def open_build(path: str) -> OpenedBuild:
    """Open a built file. Raises `ConfigurationError` for one that is damaged or from another release."""
    built = BuiltFile(path)
    try:
        return OpenedBuild(built, contents_of(built))
    except ProwessError:
        built.close()
        raise


# ---------------------------------------------------------------------------------------------------------------------


def _digest(files: PackageFiles, key: str) -> FileDigest:
    kind = PROGRAM if files.facts(key).executable else FILE
    return FileDigest(key, sha256(files.read(key)).hexdigest(), kind)


_NO_TEXTS = LastTexts()
"""What a built file holds does not break."""
_LEVELS = {str(level): level for level in Level}


def _packed(writer: BuiltWriter, entry: Entry) -> PackedPackage:
    package = package_of(entry.recipe)
    assert package is not None  # noqa: S101 - its caller chose it
    try:
        files = package.files(whole=True)
        skill = _resource(writer, files, package.file)
        resources = tuple(_resource(writer, files, key) for key in files.keys())  # noqa: SIM118 - no mapping
    except ProwessError as error:
        message = f"'{entry.name}' cannot be built: {error.message}"
        raise UnavailableError(message, details={"name": entry.name}) from error
    if skill.blob.digest.hex() != package.digest:
        message = f"'{entry.name}' cannot be built: its {package.file} changed while the file was written: try again"
        raise UnavailableError(message, details={"name": entry.name}, retryable=True)
    manifest = StoredManifest(**asdict(entry.manifest))
    packed = pack_files((skill, *resources))
    return PackedPackage(manifest, entry.source, package.level, package.digest, package.file, packed)


def _resource(writer: BuiltWriter, files: PackageFiles, key: str) -> PackedFile:
    return PackedFile(key, writer.add(files.read(key)), files.facts(key).executable)


def _code(writer: BuiltWriter, root: str, code: Iterable[str]) -> Iterator[PackedFile]:
    for path in sorted(set(code)):
        with open(path, "rb") as file:
            yield PackedFile(os.path.relpath(path, root).replace(os.sep, "/"), writer.add(file.read()))


def _below(root: str, path: str) -> list[str]:
    """The file at a path of the project, or all below the folder that is there; nothing outside the project."""
    whole = os.path.normpath(path).replace(os.sep, "/")
    if os.path.isdir(os.path.join(root, whole)):
        inside = FolderFiles(os.path.join(root, *split_key(whole)), whole=True)
        return [os.path.join(root, whole, key) for key in inside.keys()]  # noqa: SIM118 - no mapping
    FolderFiles(root).facts(whole)
    return [os.path.join(root, whole)]


def _told(error: ProwessError, path: str) -> str:
    """Why a path cannot be included; our errors speak of packages."""
    return f"there is no '{path}' in the project" if isinstance(error, NotFoundError) else error.message
