"""Versions as keys that compare the way semver does, read from what authors really write."""

import re
from functools import lru_cache
from typing import TypeAlias

__all__ = ["DEFAULT_VERSION", "VersionKey", "is_prerelease", "is_semver", "is_version", "version_key", "version_shown"]

VersionKey: TypeAlias = tuple[int, int, int, tuple[tuple[int, int, str], ...]]
"""Sorts as semver does; a release sorts after its prereleases."""

DEFAULT_VERSION = "1.0.0"
"""What an entry without a version resolves as."""

_RELEASE: tuple[tuple[int, int, str], ...] = ((2, 0, ""),)
_NUMBER = r"(0|[1-9]\d{0,14})"
_TAIL = r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
_PART = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"  # a number has no leading zero
_STRICT_TAIL = rf"(?:-{_PART}(?:\.{_PART})*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
_STRICT = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}{_STRICT_TAIL}", re.ASCII)
_PADDED = re.compile(rf"[vV=]?\s*(\d{{1,15}})(?:\.(\d{{1,15}}))?(?:\.(\d{{1,15}}))?{_TAIL}", re.ASCII)
_LENGTH_LIMIT = 256


def is_semver(text: str) -> bool:
    """Whether `text` is a strict semantic version."""
    return len(text) <= _LENGTH_LIMIT and _STRICT.fullmatch(text) is not None


def is_version(text: str) -> bool:
    """Whether `text` compares as what it says: a semantic version, or one to be padded."""
    return len(text) <= _LENGTH_LIMIT and _PADDED.fullmatch(text) is not None


def is_prerelease(key: VersionKey) -> bool:
    """Whether a version key is that of a prerelease."""
    return key[3] != _RELEASE


@lru_cache(maxsize=4_096)
def version_key(version: str | None) -> VersionKey:
    """The key of a version as written: `1.0` and `v1.2` are padded, other text and none compare as 1.0.0."""
    match = _PADDED.fullmatch(version) if version and len(version) <= _LENGTH_LIMIT else None
    if match is None:
        return (1, 0, 0, _RELEASE)
    major, minor, patch, tail = match.groups()
    return (int(major), int(minor or 0), int(patch or 0), _tail_key(tail))


def version_shown(key: VersionKey) -> str:
    """A version key as a semantic version."""
    release = ".".join(map(str, key[:3]))
    if not is_prerelease(key):
        return release
    return f"{release}-{'.'.join(text or str(number) for _, number, text in key[3])}"


# ---------------------------------------------------------------------------------------------------------------------


def _tail_key(tail: str | None) -> tuple[tuple[int, int, str], ...]:
    if tail is None:
        return _RELEASE
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in tail.split("."))
