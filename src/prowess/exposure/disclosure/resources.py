"""What a model gets of a resource: its text, in parts that end where characters do, or what is known of other bytes."""

from hashlib import sha256

from msgspec import Struct

from prowess.model.json_value import Json

__all__ = [
    "Part",
    "answer_of_bytes",
    "answer_of_text",
    "binary_facts",
    "mime_type",
    "part_if_text",
    "part_of",
    "text_facts",
]

_LONGEST = 4
"""Bytes of a character in UTF-8."""
_CONTINUES, _CONTINUES_MASK = 0x80, 0xC0
_BITS, _ALL_ONES = 8, 0xFF
_UNKNOWN = "application/octet-stream"
_BINARY = {
    "7z": "application/x-7z-compressed",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "bz2": "application/x-bzip2",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "exe": "application/x-msdownload",
    "gif": "image/gif",
    "gz": "application/gzip",
    "ico": "image/vnd.microsoft.icon",
    "jar": "application/java-archive",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "odt": "application/vnd.oasis.opendocument.text",
    "ogg": "audio/ogg",
    "otf": "font/otf",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "pyc": "application/x-python-code",
    "sqlite": "application/vnd.sqlite3",
    "tar": "application/x-tar",
    "tgz": "application/gzip",
    "ttf": "font/ttf",
    "wasm": "application/wasm",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xz": "application/x-xz",
    "zip": "application/zip",
    "zst": "application/zstd",
}
"""What is no text, whatever its bytes; a table of our own, since the system's differ from machine to machine."""


class Part(Struct, frozen=True, gc=False):
    """A part of a text that begins and ends where characters do."""

    text: str
    start: int
    end: int
    """The byte behind it."""


def mime_type(key: str) -> str | None:
    """The type of a resource that is no text, by its key; None where only its bytes can tell."""
    return _BINARY.get(key.rpartition("/")[2].rpartition(".")[2].lower())


def part_of(data: bytes, start: int, size: int) -> Part:
    """The whole characters in the bytes that were read at `start` of a text of `size` bytes.

    Raises `UnicodeDecodeError` for what is no UTF-8.
    """
    begin = 0 if start == 0 else _first_character(data)
    end = len(data) if start + len(data) >= size else _last_character(data)
    text = data[begin:end].decode()
    return Part(text, start + begin, start + max(begin, end))


def part_if_text(key: str, data: bytes, start: int, size: int) -> Part | None:
    """The same of bytes that may be no text: None where the key, a zero byte or the bytes themselves say so."""
    if mime_type(key) is not None or b"\0" in data:
        return None
    try:
        return part_of(data, start, size)
    except UnicodeDecodeError:
        return None


def text_facts(part: Part, size: int) -> dict[str, Json]:
    """The answer of `read_skill_resource` for a text; of one that is not whole, where it stands and how to go on."""
    if part.start == 0 and part.end >= size:
        return {"text": part.text}
    more: dict[str, Json] = {"next": part.end} if part.end < size else {}
    return {"text": part.text, "start": part.start, "end": part.end, "size_bytes": size, **more}


def binary_facts(key: str, size: int, digest: str) -> dict[str, Json]:
    """The answer of `read_skill_resource` for what is no text."""
    return {"mime_type": mime_type(key) or _UNKNOWN, "size_bytes": size, "sha256": digest}


def answer_of_text(text: str, start: int, limit: int) -> dict[str, Json]:
    """The answer for a text at hand: a part of it from the byte `start`."""
    data = text.encode("utf-8", "replace")
    start = min(start, len(data))
    return text_facts(part_of(data[start : start + limit], start, len(data)), len(data))


def answer_of_bytes(key: str, data: bytes, start: int, limit: int) -> dict[str, Json]:
    """The answer for bytes at hand, which may be a text."""
    start = min(start, len(data))
    part = part_if_text(key, data[start : start + limit], start, len(data))
    if part is None:
        return binary_facts(key, len(data), sha256(data).hexdigest())
    return text_facts(part, len(data))


# ---------------------------------------------------------------------------------------------------------------------


def _first_character(data: bytes) -> int:
    """Where the first character begins, in bytes that may begin inside one."""
    none = len(data) if len(data) < _LONGEST else 0
    return next((at for at in range(min(len(data), _LONGEST)) if not _continues(data[at])), none)


def _last_character(data: bytes) -> int:
    """Where the last whole character ends, in bytes that may end inside one."""
    for back in range(1, min(len(data), _LONGEST) + 1):
        byte = data[-back]
        if not _continues(byte):
            return len(data) if back >= _width(byte) else len(data) - back
    return len(data)


def _continues(byte: int) -> bool:
    return byte & _CONTINUES_MASK == _CONTINUES


def _width(lead: int) -> int:
    """Bytes of the character that this byte begins: as many as it has leading ones."""
    return max(1, _BITS - (lead ^ _ALL_ONES).bit_length())
