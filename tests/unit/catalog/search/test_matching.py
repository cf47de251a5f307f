"""Why an entry was found."""

import pytest

from prowess.catalog.search.document import Text
from prowess.catalog.search.matching import Match, matches
from prowess.catalog.search.port import Asked

TEXT = Text(
    name="acme/searchNotes",
    description="Finds notes by their words. A note is Markdown.",
    tags="notes",
    parameters="query",
    body=f"{' '.join(f'x{number}' for number in range(300))} Vault {' '.join(f'x{number}' for number in range(300))}",
)


@pytest.mark.behaviour("search.explained")
def test_each_word_is_told_with_the_part_that_has_it_and_how_it_stands_there() -> None:
    """Spec: explain which field and word matched."""
    found = matches("Searching for NOTES", Asked(("search", "note")), TEXT)
    assert found == (
        Match("name", "searching", "searchNotes"),
        Match("name", "notes", "searchNotes"),
        Match("description", "notes", "notes"),
        Match("tags", "notes", "notes"),
    )


def test_a_slip_is_told_with_what_it_stands_for() -> None:
    """Spec: explain which word matched, also where another was typed."""
    found = matches("qurey", Asked(("queri",), (("qurey", "queri"),)), TEXT)
    assert found == (Match("parameters", "qurey", "query"),)


def test_a_word_of_the_body_that_was_not_indexed_did_not_match() -> None:
    """Choice: the explanation tells what counted."""
    assert matches("x2 x299", Asked(("x2", "x299")), TEXT) == (Match("body", "x2", "x2"),)


def test_stop_words_match_in_names_only() -> None:
    """Choice: as they were looked for."""
    text = Text(name="what-is", description="what is what")
    assert matches("what is", Asked(("what", "is"), only_names=True), text) == (
        *(Match("name", "what", "what-is"), Match("name", "is", "what-is")),
    )
