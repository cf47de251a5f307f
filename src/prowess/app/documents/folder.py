"""The documents of a `config/` folder, read from disk within bounds."""

import os
import re
import stat
from collections.abc import Iterator

from msgspec import Struct

from prowess.catalog.places import STATE
from prowess.documents.values import Document, DocumentKind
from prowess.errors import DocumentProblem, InvalidDocumentError, NotFoundError

__all__ = ["DOCUMENTS", "SKILLS", "Folder", "paths_of", "places_of", "read_file", "read_folder"]

SKILLS = "skill-registry.json"
OPS = "op-registry.json"
CAPABILITIES = "capabilities.json"
OVERLAYS = "overlays"
SIZE_LIMIT = 64_000_000
_ENDS = (".yaml", ".yml")
DOCUMENTS = (CAPABILITIES, OPS, SKILLS, OVERLAYS)
"""The names in a folder that count."""
_KINDS = {CAPABILITIES: DocumentKind.CAPABILITIES, OPS: DocumentKind.OPS, SKILLS: DocumentKind.SKILLS}


class Folder(Struct, frozen=True):
    """What was read of a folder, and which paths decide whether it is still so. A value."""

    documents: tuple[Document, ...]
    files: tuple[str, ...]
    """The documents, and the folders that hold overlays: their size and time tell of a change."""
    absent: tuple[str, ...]
    """What is not there, and would be read."""


def places_of(config: str) -> tuple[str, tuple[str, str]]:
    """The project's folder, and the two folders of overlays: the repository's and the user's."""
    root = os.path.dirname(os.path.abspath(config))
    return root, (os.path.join(config, OVERLAYS), os.path.join(root, STATE, OVERLAYS))


def paths_of(config: str) -> list[str]:
    """Every path that may hold a document; those of overlays as far as they are there."""
    return [path for path, kind, _ in _found(config, places_of(config)[1]) if kind is not None]


def read_folder(config: str) -> Folder:
    """Read every document of a folder, overlays in the order of their names.

    Raises `NotFoundError` where there is no folder, and `InvalidDocumentError` for a skill registry that is missing and
    for files that cannot be read.
    """
    config = os.path.abspath(config)
    if not os.path.isdir(config):
        raise NotFoundError(f"there is no folder {config}", details={"path": config})
    root, overlays = places_of(config)
    problems: list[DocumentProblem] = []
    documents: list[Document] = []
    files: list[str] = [config]
    absent: list[str] = []
    for path, kind, mine in _found(config, overlays):
        shown = os.path.relpath(path, root)
        if kind is None:
            (files if os.path.isdir(path) else absent).append(path)
        elif not os.path.lexists(path):
            absent.append(path)
            if kind is DocumentKind.SKILLS:
                message = "is missing: a project with a config folder has one"
                problems.append(DocumentProblem(path="$", rule="required", message=message, file=shown))
        else:
            files.append(path)
            data = _read(path, shown, problems)
            documents.append(Document(kind=kind, file=shown, data=data, may_raise=mine))
    _refuse(problems)
    return Folder(tuple(documents), tuple(files), tuple(absent))


def read_file(path: str) -> Document:
    """Read one document of skills or ops; what is inside says which. Raises as `read_folder` does."""
    if not os.path.lexists(path):
        raise NotFoundError(f"there is no file or folder {path}", details={"path": path})
    problems: list[DocumentProblem] = []
    data = _read(path, path, problems)
    _refuse(problems)
    kind = DocumentKind.OPS if _OPS.search(data) else DocumentKind.SKILLS
    return Document(kind=kind, file=path, data=data)


# ---------------------------------------------------------------------------------------------------------------------

_OPS = re.compile(rb'^\s*\{(?:\s*"(?:registry_version|\$schema)"\s*:\s*"[^"]*"\s*,)*\s*"ops"\s*:')


def _refuse(problems: list[DocumentProblem]) -> None:
    if problems:
        message = "; ".join(map(str, problems))
        raise InvalidDocumentError(message, details={"problems": tuple(problems)})


def _found(config: str, overlays: tuple[str, str]) -> Iterator[tuple[str, DocumentKind | None, bool]]:
    """Each path that may hold a document, and each folder of overlays, as far as it is there."""
    for name, kind in _KINDS.items():
        yield os.path.join(config, name), kind, True
    for folder, mine in zip(overlays, (True, False), strict=True):
        yield folder, None, mine
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith(_ENDS) and not name.startswith("."):
                yield os.path.join(folder, name), DocumentKind.OVERLAY, mine


def _read(path: str, shown: str, problems: list[DocumentProblem]) -> bytes:
    """A file's bytes; what is no file, or too large, is a problem: a pipe of that name must not make anybody wait."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode):
                rule, message = "file", "is no file"
            elif facts.st_size > SIZE_LIMIT:
                rule, message = "size", f"is larger than {SIZE_LIMIT:,} bytes"
            else:
                return file.read(SIZE_LIMIT)
    except OSError as error:
        rule, message = "file", f"cannot be read: {error.strerror}"
    problems.append(DocumentProblem(path="$", rule=rule, message=message, file=shown))
    return b""
