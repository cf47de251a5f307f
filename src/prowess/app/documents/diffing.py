"""Two generations of documents on disk, compared."""

import os

from prowess.app.documents.folder import read_file, read_folder
from prowess.documents.comparing.differing import Difference, differences
from prowess.documents.loading import read_entries
from prowess.documents.values import Declared, DocumentKind

__all__ = ["diff_documents"]

_ENTRIES = (DocumentKind.SKILLS, DocumentKind.OPS)


def diff_documents(old: str, new: str) -> tuple[Difference, ...]:
    """What changed of each entry between two `config` folders, or two documents of skills or ops.

    Raises `NotFoundError` for a path that is not there, and `InvalidDocumentError` for documents that cannot be read.
    """
    return differences(_entries(old), _entries(new))


# ---------------------------------------------------------------------------------------------------------------------


def _entries(path: str) -> tuple[Declared, ...]:
    documents = read_folder(path).documents if os.path.isdir(path) else (read_file(path),)
    return read_entries(document for document in documents if document.kind in _ENTRIES)
