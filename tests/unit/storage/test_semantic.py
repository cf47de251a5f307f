"""What texts mean, with the model that the extra brings."""

from functools import partial
from pathlib import Path

import pytest

from prowess.storage.semantic import MiniLm

TEXTS = ("Tell the weather of a town.", "Translate a text into French.", "Pay an invoice.", "")


def unread() -> str:
    """A text that nobody should need."""
    raise AssertionError


@pytest.mark.behaviour("search.semantic")
def test_texts_are_near_a_question_by_what_they_mean(tmp_path: Path) -> None:
    """Spec: a semantic extra; none of these words is in any text."""
    meaning = MiniLm(None)
    texts = [(number, partial(str, text)) for number, text in enumerate(TEXTS)]
    for question, best in (("will it rain tomorrow?", 0), ("how do I say that in Paris", 1), ("money I owe", 2)):
        likeness = meaning.likeness(question, texts)
        assert max(range(4), key=lambda number: likeness[number]) == best
        assert all(-1.001 <= one <= 1.001 for one in likeness)
    assert meaning.likeness("half a pair \ud800", texts[:1])[0] < 0.9
    meaning.close()


def test_a_text_is_worked_out_once_for_each_digest(tmp_path: Path) -> None:
    """Spec: vectors are made lazily and kept by text digest beside the index."""
    first = MiniLm(str(tmp_path))
    before = first.likeness("weather", [(7, partial(str, TEXTS[0])), (8, partial(str, TEXTS[1]))])
    first.close()
    again = MiniLm(str(tmp_path))
    assert again.likeness("weather", [(7, unread), (8, unread)]) == before
    again.close()
