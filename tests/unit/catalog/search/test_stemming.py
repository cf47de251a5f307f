"""English words to their stems."""

import string

import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from prowess.catalog.search.stemming import stem

REFERENCE = (
    tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.stemmer("english")).build()
)


@pytest.mark.parametrize(
    ("stemmed", "words"),
    [
        ("connect", "connect connects connected connecting connection connections"),
        ("organiz", "organize organizes organized organizing organization organizer"),
        ("relat", "relate relates related relational relation"),
        ("hope", "hope hopes hoped hoping"),
        ("hop", "hop hopped hopping"),
        ("happi", "happy happiness"),
        ("tie", "tie ties tied tying"),
        ("die", "die dies died dying"),
        ("cri", "cry cries cried"),
        ("agre", "agreed agree"),
        ("bleed", "bleed"),
        ("feed", "feed"),
        ("sensibl", "sensible sensibility sensibly sensibleness"),
        ("care", "care cares caring careful carefully"),
        ("careless", "careless carelessly"),
        ("form", "form forms forming"),
        ("formal", "formal formally formality formalize"),
        ("format", "formative"),
        ("creat", "create creates creating"),
        ("creativ", "creative creativity"),
        ("class", "class classes"),
        ("bus", "bus"),
        ("gas", "gas"),
        ("say", "say says saying"),
        ("boy", "boy boys"),
        ("by", "by"),
        ("hous", "house houses housing"),
        ("control", "control controls controlled controlling controller"),
        ("roll", "roll rolls rolling"),
        ("add", "add adds added adding"),
        ("egg", "egg eggs egged"),
        ("past", "past"),
        ("paste", "paste pastes pasted pasting"),
        ("inning", "inning innings"),
        ("succeed", "succeed succeeds"),
        ("generat", "generate generates generation"),
        ("general", "general generally"),
        ("communiti", "community communities"),
        ("sky", "sky skies"),
        ("news", "news"),
        ("dynam", "dynamically"),
        ("geolog", "geology geologist"),
        ("realli", "really"),
        ("quick", "quickly"),
        ("fame", "fame"),
        ("adopt", "adoption"),
        ("religion", "religion"),
        ("state", "states"),
        ("yield", "yield yields"),
        ("rate", "rates"),
        ("troubl", "trouble troubled"),
        ("size", "size sized sizing"),
        ("use", "use used using"),
    ],
)
def test_words_of_one_family_have_one_stem(stemmed: str, words: str) -> None:
    """Spec: English stemming."""
    assert {word: stem(word) for word in words.split()} == dict.fromkeys(words.split(), stemmed)


ENDINGS = (
    *[
        "ational",
        "tional",
        "enci",
        "anci",
        "izer",
        "ization",
        "ation",
        "ator",
        "alism",
        "aliti",
        "alli",
        "fulness",
        "ousli",
        "ousness",
        "iveness",
        "iviti",
        "biliti",
    ],
    *[
        "bli",
        "ogi",
        "ogist",
        "fulli",
        "lessli",
        "li",
        "alize",
        "icate",
        "iciti",
        "ical",
        "ful",
        "ness",
        "ative",
        "al",
        "ance",
        "ence",
        "er",
        "ic",
        "able",
        "ible",
        "ant",
        "ement",
    ],
    *[
        "ment",
        "ent",
        "ism",
        "ate",
        "iti",
        "ous",
        "ive",
        "ize",
        "ion",
        "s",
        "es",
        "ies",
        "ied",
        "sses",
        "ed",
        "ing",
        "edly",
        "ingly",
        "eed",
        "eedly",
        "e",
        "ll",
        "us",
        "ss",
        "y",
    ],
)
ROOTS = st.text("aeioubcdgklmnprst", min_size=1, max_size=6)


@given(st.builds(str.__add__, ROOTS, st.lists(st.sampled_from(ENDINGS), max_size=2).map("".join)))
def test_our_stems_are_those_of_another_implementation(word: str) -> None:
    """Choice: the rules are well known, and tantivy has them too."""
    assert [stem(word)] == REFERENCE.analyze(word)


@given(st.text(string.ascii_lowercase, max_size=20))
def test_a_stem_is_no_longer_than_its_word_but_for_a_silent_e(word: str) -> None:
    """Choice: whatever is typed has a stem, and takes no more room than it."""
    assert len(stem(word)) <= len(word) + 1
