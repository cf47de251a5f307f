"""The digests of a registry's packages: for the lock file, and for whoever asks whether one is trusted."""

import os
from collections.abc import Iterable, Mapping

from prowess.app.packages.building import BuiltPackage, open_build
from prowess.app.packages.folder_package import FolderPackage, package_of
from prowess.catalog.index_file import home_of
from prowess.catalog.packages.sources import Level
from prowess.catalog.pinning.digest import TEXT_LIMIT, PackageDigest, package_digest, texts_of, texts_read
from prowess.catalog.pinning.lockfile import LockedPackage
from prowess.catalog.pinning.trust import Trusted, TrustStore, is_trusted
from prowess.errors import ProwessError, UnavailableError
from prowess.model.verdict import Verdict
from prowess.registry.entry import Entry

__all__ = [
    "digest_now",
    "digest_of_package",
    "locked_packages",
    "texts_of_package",
    "trust_store",
    "trust_verdict",
]


def locked_packages(entries: Iterable[Entry]) -> tuple[LockedPackage, ...]:
    """Each package as a lock file has it, but for those of the user alone, whom nobody else has.

    Of an installed one, what Python compiled counts for nothing: whoever installs it compiles it anew, on each machine.
    Raises `UnavailableError` that names every package whose files cannot be read.
    """
    locked: list[LockedPackage] = []
    failures: list[str] = []
    for entry in entries:
        package = package_of(entry.recipe)
        if package is not None and package.level is not Level.USER:
            try:
                pinned = package_digest(package.folder, compiled=package.level is not Level.INSTALLED)
            except UnavailableError as error:
                failures.append(f"'{entry.name}': {error.message}")
            else:
                locked.append(LockedPackage(name=entry.name, source=entry.source, version=entry.version, pinned=pinned))
    if failures:
        raise UnavailableError("\n  ".join(failures))
    return tuple(locked)


def trust_store(environ: Mapping[str, str] = os.environ) -> TrustStore:
    """What this user trusts."""
    return TrustStore(os.path.join(home_of(environ), ".prowess", "trust"))


def digest_of_package(package: FolderPackage) -> PackageDigest:
    """The digest of all files of a package. Raises `UnavailableError` where they cannot be read."""
    return package.pinned() if isinstance(package, BuiltPackage) else package_digest(package.folder)


def texts_of_package(package: FolderPackage, pinned: PackageDigest) -> dict[str, str]:
    """What its text files say, as far as they are not too long; only of those that are as pinned."""
    if not isinstance(package, BuiltPackage):
        return texts_of(package.folder, pinned)
    files = package.files()
    return texts_read(pinned, lambda key: files.read(key) if files.facts(key).size <= TEXT_LIMIT else b"")


def digest_now(trusted: Trusted) -> PackageDigest | None:
    """The digest of what is now where a package was trusted; None where it is not there, or cannot be read."""
    try:
        if not os.path.isfile(trusted.folder):
            return package_digest(trusted.folder)
        built = open_build(trusted.folder)
        try:
            return next((one.pinned() for one in built.packages() if one.name == trusted.name), None)
        finally:
            built.close()
    except ProwessError:
        return None


def trust_verdict(package: FolderPackage, store: TrustStore) -> Verdict:
    """Whether what a package brings may run, by the bytes that it has now. Raises as `digest_of_package` does."""
    known = store.find(digest_of_package(package).digest) is not None
    return is_trusted(package.name, package.level, known=known)
