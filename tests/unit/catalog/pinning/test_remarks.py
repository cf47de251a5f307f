"""What is remarked on files of a package."""

from __future__ import annotations

import pytest

from prowess.catalog.pinning.remarks import remarks

_COMPILED = "Python runs this in place of the source beside it. Remove __pycache__ unless you know who wrote it"
_INNER = "is a package of its own, and its files count here too: they lie in this one's folder"


@pytest.mark.behaviour("digest.remarks")
@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (["SKILL.md", "scripts/a.py", "x__pycache__/y"], []),
        (["__pycache__/a.pyc"], [f"__pycache__/a.pyc: {_COMPILED}"]),
        (["s/__pycache__/b.pyc", "s/__pycache__/a.pyc"], [f"s/__pycache__/a.pyc and 1 more: {_COMPILED}"]),
        (["SKILL.md", "b/SKILL.md", "a/in/skill.md"], [f"a/in {_INNER}", f"b {_INNER}"]),
    ],
)
def test_compiled_files_and_packages_inside_are_told_as_such(paths: list[str], told: list[str]) -> None:
    """Choice: a list of names does not say which of them Python prefers, nor whose they are besides."""
    assert list(remarks(paths)) == told
