"""Documents for the suites of the search index."""

from __future__ import annotations

from prowess.catalog.search.document import Document, digest_of, document_of, key_of, text_of
from prowess.model.manifest import Kind, Manifest, Status


def document(name: str, description: str = "", body: str = "", **more: object) -> Document:
    """Give the document of a made-up entry."""
    tags = more.get("tags", ())
    assert isinstance(tags, tuple)
    manifest = Manifest(
        name=name,
        description=description,
        tags=tags,
        kind=Kind(str(more.get("kind", "op"))),
        status=Status(str(more.get("status", "enabled"))),
    )
    source = str(more.get("source", "code"))
    return document_of(manifest, source, text_of(manifest, body), digest_of(manifest, source, body))


NOTES = document("search_notes", "Search the notes of the vault.", tags=("notes",), kind="logic", source="notes.py")
WEATHER = document("get_weather", "Tell the weather of a town.", "celsius or kelvin", tags=("sky", "a b"))
MAIL = document(
    "acme/mail", "Send mail. Use when somebody wants to write to people.", tags=("notes",), status="disabled"
)
CHINESE = document("sousuo", "\u641c\u7d22\u7b14\u8bb0")
KEYS = {one: key_of(one) for one in ("search_notes", "get_weather", "acme/mail", "sousuo")}
