from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.model.versions import is_prerelease, is_semver, version_key

ASCENDING = [
    "0.0.0-0",
    "0.0.0",
    "0.9.9",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1-0",
    "1.2.0",
    "1.10.0",
    "2.0.0",
    "10.0.0",
]

SHUFFLED = [*ASCENDING[1::2], *ASCENDING[::2]]


def test_versions_sort_as_semver_says() -> None:
    """Spec: versions are strict semver, whose own example this is."""
    assert sorted(SHUFFLED, key=version_key) == ASCENDING


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("1", "1.0.0"),
        ("1.0", "1.0.0"),
        ("v1.2", "1.2.0"),
        ("V1.2.3", "1.2.3"),
        ("=1.2.3", "1.2.3"),
        ("01.02.03", "1.2.3"),
        ("1.2-rc.1", "1.2.0-rc.1"),
        ("1.2.3+build.5", "1.2.3"),
        (None, "1.0.0"),
        ("", "1.0.0"),
        ("2024-01-02", "2024.0.0-01-02"),
        ("latest", "1.0.0"),
        ("1.2.3.4", "1.0.0"),
        ("9" * 16, "1.0.0"),
        ("1.0.0-" + "a" * 300, "1.0.0"),
        ("١.٢.٣", "1.0.0"),
    ],
)
def test_what_authors_write_is_compared_as_padded_semver(written: str | None, compared: str) -> None:
    """Spec: `1.0` and `v1.2` are padded; an entry without a version and other text compare as 1.0.0."""
    assert version_key(written) == version_key(compared)


@pytest.mark.parametrize(
    "version", ["1.0.0", "0.0.0-0", "1.0.0-a.b-c.0", "1.0.0-0a", "1.0.0--", "1.0.0+01", "10.20.30-x+y"]
)
def test_strict_versions_are_recognised(version: str) -> None:
    """Spec: versions are strict semver."""
    assert is_semver(version)


@pytest.mark.parametrize(
    "version",
    ["1", "1.0", "v1.0.0", "01.0.0", "1.0.0-01", "1.0.0-a..b", "1.0.0-", "1.0.0 ", "1.0.0\n", "1.0.0-" + "a" * 300],
)
def test_versions_that_semver_refuses_are_not_strict(version: str) -> None:
    """Regression: a prerelease number with a leading zero passed for strict."""
    assert not is_semver(version)


def test_a_prerelease_is_told_from_a_release() -> None:
    """Spec: prereleases are found only when asked for."""
    assert is_prerelease(version_key("1.0.0-rc.1"))
    assert not is_prerelease(version_key("1.0.0+build"))


@given(st.text(max_size=300))
def test_no_text_breaks_the_comparison(text: str) -> None:
    """Spec: other text compares as 1.0.0, whatever it is."""
    assert version_key(text) <= version_key("999999999999999.0.0")
