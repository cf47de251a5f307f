from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.model.names import is_name
from prowess.skillmd.names import is_standard_name, name_fault, registry_name, same_name, written_name


@pytest.mark.behaviour("skillmd.registry-name")
@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("pdf-tools", "pdf-tools"),
        ("pdf_tools", "pdf_tools"),
        ("PDF Tools", "pdf-tools"),
        ("PDF_Tools", "pdf_tools"),
        ("-pdf--tools-", "pdf-tools"),
        ("ui:design", "ui-design"),
        ("acme/refunds", "acme-refunds"),
        ("C++ & more!", "c-more"),
        ("a_-b", "a-b"),
        ("技能", "技能"),
        ("Cafe\u0301", "café"),
        ("हिन्दी", "हिन्दी"),
        ("İstanbul", normalize("NFC", "İstanbul".lower())),
        ("x" * 63 + "-yz", "x" * 63),
        ("x" * 70, "x" * 64),
    ],
)
def test_a_written_name_becomes_one_that_the_registry_holds(written: str, held: str) -> None:
    """Spec: lowercased, NFC, other characters become single `-`, cut to 64, letters of other scripts kept."""
    assert registry_name(written) == held


def test_a_name_without_letters_gets_one_of_its_own() -> None:
    """Choice: two such skills do not meet under one name."""
    assert registry_name("!!!").startswith("skill-")
    assert registry_name("!!!") != registry_name("???")
    assert is_name(registry_name("\ud800"))


@given(st.text(max_size=100))
def test_the_registrys_name_is_its_own(written: str) -> None:
    """Choice: holding a skill twice gives the same name."""
    held = registry_name(written)
    assert 1 <= len(held) <= 64
    assert registry_name(held) == held
    assert not held.isascii() or is_name(held)
    assert "--" not in held
    assert "__" not in held


@given(st.from_regex(r"[a-z0-9]+(?:[-_][a-z0-9]+)*", fullmatch=True).filter(lambda name: len(name) <= 64))
def test_a_legal_name_stays(name: str) -> None:
    """Spec: only a name that breaks the grammar is changed."""
    assert registry_name(name) == name
    assert is_standard_name(name) == ("_" not in name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("PDF", "uppercase"),
        ("a b", "spaces"),
        ("a_b", "'_'"),
        ("a\u200bb", "u200b"),
        ("-a", "begins or ends"),
        ("a-", "begins or ends"),
        ("a--b", "two hyphens"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(name: str, words: str) -> None:
    """Spec: the reason."""
    assert words in (name_fault(name) or "")
    assert not is_standard_name(name)


@pytest.mark.parametrize("name", ["技能", "мой-навык", "café", "हिन्दी"])
def test_letters_of_other_scripts_are_no_fault(name: str) -> None:
    """Spec: names in other scripts load."""
    assert name_fault(name) is None


def test_names_equal_their_folder_in_any_composition() -> None:
    """Spec: NFC and NFD equal."""
    assert same_name(written_name("cafe\u0301"), "café")
    assert same_name("café", "cafe\u0301")
    assert same_name("cafe", "cafe")
    assert not same_name("cafe", "café")
    assert not same_name("cafe", "Cafe")


def test_a_name_is_one_line() -> None:
    """Choice: a block of text may hold it, and a list of names shows lines."""
    assert written_name("  pdf\n tools ") == "pdf tools"
