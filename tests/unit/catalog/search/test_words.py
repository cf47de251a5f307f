"""Text to the words it is found by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.search.words import _Remembered, every_word, parts_of, tokens_of, words_of


@pytest.mark.behaviour("search.identifiers")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("search_notes", ["search", "notes", "searchnotes"]),
        ("search-notes", ["search", "notes", "searchnotes"]),
        ("searchNotes", ["search", "notes", "searchnotes"]),
        ("SearchNotes", ["search", "notes", "searchnotes"]),
        ("parseHTTPResponse", ["parse", "http", "response", "parsehttpresponse"]),
        ("HTTP2Server", ["http2", "server", "http2server"]),
        ("userIDs", ["user", "ids", "userids"]),
        ("URLs", ["urls"]),
        ("iPhone", ["i", "phone", "iphone"]),
        ("SHOUT", ["shout"]),
        ("python3", ["python3"]),
        ("e-mail", ["e", "mail", "email"]),
        ("user's", ["user"]),
        ("user\u2019s", ["user"]),
        ("don't", ["dont"]),
        ("stra\u00dfe", ["strasse"]),
        ("x" * 65, []),
    ],
)
def test_an_identifier_is_its_parts_and_its_whole(text: str, expected: list[str]) -> None:
    """Spec: identifiers are split on case, `_` and `-`, the whole word kept."""
    assert [part for token in tokens_of(text) for part in parts_of(token)] == expected


def test_stop_words_are_dropped_and_stay_in_names() -> None:
    """Spec: stop words are dropped; a name may consist of nothing else."""
    assert words_of("What is the weather in Paris?") == ["weather", "pari"]
    assert words_of("what is it") == []
    assert every_word("what-is") == ["what", "is", "whati"]


def test_a_text_has_the_stems_of_its_words_in_their_order() -> None:
    """Spec: English stemming."""
    assert words_of("Searches notes; searched a Note.") == ["search", "note", "search", "note"]


@pytest.mark.behaviour("search.any-script")
@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("caf\u00e9", "cafe"),
        ("Pra\u0301ce", "prace"),
        ("\uff26\uff35\uff2c\uff2c", "full"),
        ("\u0419\u043e\u0433", "\u0438\u043e\u0433"),
        ("chuy\u1ebfn \u0111i", "chuyen \u0111i"),
        ("\U0001f389 party", "party \U0001f389"),
    ],
)
def test_accents_width_and_case_make_no_difference(text: str, other: str) -> None:
    """Choice: nobody types all of them."""
    assert sorted(words_of(text)) == sorted(words_of(other)) != []


def test_scripts_without_spaces_are_characters_and_pairs() -> None:
    """Choice: a dictionary of each language would be larger than everything else."""
    assert words_of("\u641c\u7d22\u7b14\u8bb0 notes") == [
        *("\u641c", "\u7d22", "\u7b14", "\u8bb0"),
        *("\u641c\u7d22", "\u7d22\u7b14", "\u7b14\u8bb0", "note"),
    ]
    assert words_of("api\u641c\u7d22") == ["api", "\u641c", "\u7d22", "\u641c\u7d22"]
    assert words_of("\ud55c\uad6d\uc5b4")[-1] == "\uad6d\uc5b4"


def test_vowel_signs_of_indic_scripts_do_not_part_a_word() -> None:
    """Choice: to `re` they are no letters."""
    assert words_of("\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902") == [
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u092e\u0947\u0902",
    ]


@pytest.mark.parametrize("text", ["", " \t\n", "\x00\x07", "\ud800", "+-*/ \"'()", "___", "\u200b"])
def test_text_without_letters_has_no_words(text: str) -> None:
    """Spec: weird text gives a sensible answer."""
    assert words_of(text) == every_word(text) == []


@given(st.text())
def test_every_text_has_words_that_read_as_themselves_again(text: str) -> None:
    """Choice: what is indexed is written with spaces between its words, so none may hold one."""
    for word in every_word(text):
        assert not any(sign.isspace() for sign in word)
        assert 0 < len(word) <= 64


def test_no_more_readings_are_remembered_than_fit() -> None:
    """Choice: a catalogue of millions of odd words must not fill the memory."""
    remembered = _Remembered(str.upper, 3)
    assert [remembered[word] for word in ("a", "b", "c", "d", "a")] == ["A", "B", "C", "D", "A"]
    assert len(remembered) == 2
