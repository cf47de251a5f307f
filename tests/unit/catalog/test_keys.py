"""Which keys a package's file can have, and that no key leads out."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess import ForbiddenError, NotFoundError, ProwessError
from prowess.catalog.files import is_left_out, split_key

PARTS = st.sampled_from(
    ["a", "b.md", "..", ".", "", "~", "C:", "c:x", "\\", "..\\x", "\0", " ", ".git", "ü", "%2e%2e", "…", "\udc80", "-"]
)
KEYS = st.lists(PARTS, min_size=1, max_size=6).map("/".join) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("/etc/passwd", "is an absolute path"),
        ("//etc/passwd", "is an absolute path"),
        ("../secret", "leads upwards"),
        ("a/../../secret", "leads upwards"),
        ("a/..", "leads upwards"),
        ("a\\..\\secret", "holds a backslash"),
        ("\\\\host\\share", "holds a backslash"),
        ("C:/secret", "begins with a drive"),
        ("c:secret", "begins with a drive"),
        ("a\0b", "holds a zero byte"),
        ("../\0", "holds a zero byte"),
    ],
)
def test_a_key_that_tries_to_leave_is_forbidden(key: str, reason: str) -> None:
    """Spec: no `..`, absolute path, NUL, backslash or drive trick gets out, whatever the system."""
    with pytest.raises(ForbiddenError, match=reason):
        split_key(key)


@pytest.mark.parametrize(
    "key", ["", "a//b", "a/", "./a", "a/./b", ".env", ".git/config", "a/__pycache__/b.pyc", "node_modules/x", "\udcff"]
)
def test_a_key_that_no_resource_has_is_not_found(key: str) -> None:
    """Spec: an empty part is refused; dot-files and generated ones have no key."""
    with pytest.raises(NotFoundError, match="the package has no file"):
        split_key(key)


@pytest.mark.parametrize("key", ["a", "a/b.md", "SKILL.md", "ünï/…/名前", "a b", "a..b", "ab:c/d:e", "%2e%2e/x"])
def test_an_ordinary_key_is_its_parts(key: str) -> None:
    """Choice: nothing is decoded, folded or trimmed; a key is what the file is called."""
    assert split_key(key) == tuple(key.split("/"))


@given(KEYS)
def test_what_passes_stays_below_on_every_system(key: str) -> None:
    """Spec: path rules hold for any text."""
    try:
        parts = split_key(key)
    except ProwessError:
        return
    assert "/".join(parts) == key
    assert os.path.normpath(f"/root/{key}") == f"/root/{key}"
    assert not set(key) & {"\0", "\\"}
    assert not any(part in {"", ".", ".."} or is_left_out(part) for part in parts)
    assert key[1:2] != ":" or not key[0].isascii() or not key[0].isalpha()
    key.encode()


@given(KEYS)
def test_a_refusal_can_be_written_down(key: str) -> None:
    """Choice: an error's text goes into JSON and logs, whatever was asked for."""
    text = _refusal_of(key)
    assert "\0" not in text
    text.encode()


def _refusal_of(key: str) -> str:
    try:
        split_key(key)
    except ProwessError as error:
        return str(error)
    return ""
