"""The last good text of each SKILL.md, for who looks again: a broken edit must not take it away."""

import threading
import zlib
from collections import OrderedDict

__all__ = ["LastTexts"]

_MOST_BYTES = 64_000_000
_MOST_OF_ONE = 4_000_001
"""More than a SKILL.md may have."""


class LastTexts:
    """Bytes by their SHA-256, packed; the oldest ones are forgotten beyond a bound. Shared between threads."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self.broken: frozenset[str] = frozenset()
        """The digests of packages that the last look could not use any more: their texts are opened as they were."""
        self.all_count = False
        """Whether those of files that changed since are, too, since somebody watches and looks soon."""

    def __contains__(self, digest: str) -> bool:
        return digest in self._packed

    def add(self, digest: str, data: bytes) -> None:
        """Keep a text."""
        packed = zlib.compress(data, 1)
        with self._lock:
            self._held += len(packed) - len(self._packed.pop(digest, b""))
            self._packed[digest] = packed
            while self._held > self._most:
                self._held -= len(self._packed.popitem(last=False)[1])

    def take(self, digest: str, path: str) -> None:
        """Keep the text of a file, where that is still the one of that digest."""
        try:
            with open(path, "rb") as file:
                data = file.read(_MOST_OF_ONE)
        except OSError:
            return
        from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and most commands ask no digest

        if sha256(data).hexdigest() == digest:
            self.add(digest, data)

    def good(self, digest: str) -> bytes | None:
        """The text of a package whose file holds another; None where that has to be looked at first."""
        return self.get(digest) if self.all_count or digest in self.broken else None

    def get(self, digest: str) -> bytes | None:
        """The text of that digest, None where it is not kept."""
        packed = self._packed.get(digest)
        return None if packed is None else zlib.decompress(packed)
