"""The last good text of each SKILL.md, for a server that reloads: a broken edit must not take it away."""

import threading
import zlib
from collections import OrderedDict

__all__ = ["LastTexts"]

_MOST_BYTES = 64_000_000


class LastTexts:
    """Bytes by their SHA-256, packed; the oldest ones are forgotten beyond a bound. Shared between threads."""

    def __init__(self, most: int = _MOST_BYTES) -> None:
        self._most = most
        self._held = 0
        self._packed: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

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

    def get(self, digest: str) -> bytes | None:
        """The text of that digest, None where it is not kept."""
        packed = self._packed.get(digest)
        return None if packed is None else zlib.decompress(packed)
