"""Opening a package that is a folder: its text as it was when it was found, and the keys of its resources."""

from hashlib import sha256
from typing import Protocol

from prowess.app.packages.last_texts import LastTexts
from prowess.authoring.skill import LoadedPackage
from prowess.catalog.files import PackageFile, PackageFiles
from prowess.errors import ExecutionFailedError, ProwessError
from prowess.skillmd.reading import read_skill

__all__ = ["body_now", "load_package"]


class _Package(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def texts(self) -> LastTexts: ...
    def files(self) -> PackageFiles: ...


def load_package(package: _Package) -> LoadedPackage:
    """What a package holds. Raises `ExecutionFailedError` where its SKILL.md is not the one that was found any more."""
    try:
        files = package.files()
        data = _text_of(package, files)
        keys = files.keys()
    except ProwessError as error:
        raise _not_opened(package, str(error)) from error
    document = None if data is None else read_skill(data, package.name).document
    if document is None:
        why = "it changed after it was found: look for packages again ('prowess serve' does by itself)"
        raise _not_opened(package, why)
    resources = {key: PackageFile(files, key) for key in keys}
    return LoadedPackage(document.body, resources, f"sha256:{package.digest}")


def body_now(package: _Package) -> str:
    """The instructions of a package as they are now; empty where they cannot be read."""
    try:
        document = read_skill(package.files().read(package.file), package.name).document
    except ProwessError:
        return ""
    return "" if document is None else document.body


# ---------------------------------------------------------------------------------------------------------------------


def _text_of(package: _Package, files: PackageFiles) -> bytes | None:
    """The bytes of a SKILL.md as it was found: those that are there, else those that count; None without either."""
    try:
        data = files.read(package.file)
    except ProwessError:
        data = b""
    return data if sha256(data).hexdigest() == package.digest else package.texts.good(package.digest)


def _not_opened(package: _Package, why: str) -> ExecutionFailedError:
    """The error of a package that cannot be opened now: why is for the operator."""
    about = f"'{package.name}' cannot be opened"
    details = {"name": package.name, "reason": why}
    return ExecutionFailedError(
        f"{about}: {why}", details=details, retryable=True, model_text=f"execution failed: {about}"
    )
