from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.errors import InvalidManifestError
from prowess.model.names import check_name, is_name, key_of, name_problem, near_names, split_reference

LEGAL = st.from_regex(r"[a-z0-9]+([_-][a-z0-9]+)*", fullmatch=True).map(lambda name: name[:64].rstrip("_-"))


@pytest.mark.parametrize("name", ["a", "3d-print", "search_notes", "acme/refunds", "a1-b2_c3", "x" * 64])
def test_words_joined_by_one_dash_or_underscore_are_a_name(name: str) -> None:
    """Spec: a name is `[a-z0-9]+([_-][a-z0-9]+)*`, with a namespace before a slash."""
    assert is_name(name)
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "is empty"),
        ("/a", "is empty"),
        ("a/", "is empty"),
        ("a__b", "is not a name"),
        ("a--b", "is not a name"),
        ("-a", "is not a name"),
        ("A", "is not a name"),
        ("a b", "is not a name"),
        ("a\n", "is not a name"),
        ("é", "is not a name"),
        ("²", "is not a name"),
        ("a/b/c", "is not a name"),
        ("x" * 65, "has 65 characters"),
        ("x" * 65 + "/a", "has 65 characters"),
    ],
)
def test_anything_else_is_none_and_is_told_why(name: str, why: str) -> None:
    """Spec: `__` and `--` never occur in a name, and a name has at most 64 characters."""
    assert str(name_problem(name)).startswith(why)
    with pytest.raises(InvalidManifestError, match="a name"):
        check_name(name)


@given(LEGAL, LEGAL)
def test_separators_of_wire_names_never_occur_in_a_name(namespace: str, local: str) -> None:
    """Spec: so they can be separators."""
    name = f"{namespace}/{local}"
    assert is_name(name)
    assert "__" not in name
    assert "--" not in name


def test_two_spellings_of_a_name_have_one_key() -> None:
    """Spec: `-` and `_` are one key."""
    assert key_of("read-my-file") == key_of("read_my_file")


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("a", ("a", None)),
        ("a@1.2", ("a", "1.2")),
        ("a@ ^1 ", ("a", "^1")),
        ("a@", ("a", "")),
        ("n/a@1@2", ("n/a", "1@2")),
    ],
)
def test_a_reference_is_a_name_and_perhaps_a_constraint(reference: str, parts: tuple[str, str | None]) -> None:
    """Spec: `get`, `run` and `unregister` take `name` or `name@version`."""
    assert split_reference(reference) == parts


def test_the_name_that_was_probably_meant_comes_first() -> None:
    """Spec: a missing name is answered with near names."""
    known = ["search_notes", "search_mail", "read_file"]
    assert near_names("serach-notes", known)[0] == "search_notes"
    assert near_names("Read-File", known) == ("read_file",)
    assert near_names("zzz", known) == ()
    assert near_names("search_mai", known, most=1) == ("search_mail",)


def test_among_very_many_names_only_likely_ones_are_compared() -> None:
    """Choice: a wrong name costs no more among a million entries than a look at each."""
    known = [f"other_{number}" for number in range(6_000)] + ["search_notes"]
    assert near_names("serch_notes", known) == ("search_notes",)
    assert near_names("zearch_notes", known) == ()
