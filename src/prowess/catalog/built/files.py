"""The files of a package that lies in a built file."""

from bisect import bisect_left
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from operator import attrgetter

from prowess.catalog.built.container import BuiltFile
from prowess.catalog.built.contents import PackedFile, PackedPackage, files_of
from prowess.catalog.files import FileFacts, split_key
from prowess.errors import NotFoundError

__all__ = ["BuiltFiles"]


class BuiltFiles:
    """The files of one package in a built file: a `PackageFiles`. Lives as long as the file is open."""

    def __init__(self, built: BuiltFile, package: PackedPackage) -> None:
        self._built = built
        self._skill, *self._resources = files_of(package)

    def keys(self) -> Sequence[str]:
        """The key of every resource, sorted."""
        return tuple(resource.path for resource in self._resources)

    def facts(self, key: str) -> FileFacts:
        """What is known of one file."""
        return _facts(self._find(key))

    def read(self, key: str, start: int = 0, size: int | None = None) -> bytes:
        """A file's bytes, from `start`, at most `size` of them."""
        return self._built.read(self._find(key).blob, start, size)

    @contextmanager
    def open(self, key: str) -> Generator["_Open"]:
        """The file: the bytes of a built file stay those they are."""
        yield _Open(self._built, self._find(key))

    def _find(self, key: str) -> PackedFile:
        path = "/".join(split_key(key))
        if path == self._skill.path:
            return self._skill
        resources = self._resources
        place = bisect_left(resources, path, key=attrgetter("path"))
        if place < len(resources) and resources[place].path == path:
            return resources[place]
        raise NotFoundError(f"the package has no file '{key[:_SHOWN]}'", details={"name": key[:_SHOWN]})


# ---------------------------------------------------------------------------------------------------------------------

_SHOWN = 200


class _Open:
    def __init__(self, built: BuiltFile, file: PackedFile) -> None:
        self._built = built
        self._file = file

    @property
    def facts(self) -> FileFacts:
        return _facts(self._file)

    def read(self, start: int, size: int) -> bytes:
        return self._built.read(self._file.blob, start, size)


def _facts(file: PackedFile) -> FileFacts:
    return FileFacts(size=file.blob.size, executable=file.executable, changed_ns=0)
