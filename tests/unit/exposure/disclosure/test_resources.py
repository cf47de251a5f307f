"""What a model gets of a resource: text in whole characters, facts of all else."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.exposure.disclosure.resources import answer_of_bytes, answer_of_text, mime_type, part_if_text

TEXTS = st.text(st.sampled_from("ab\né語😀\u0301"), max_size=60)


def test_a_text_that_fits_is_only_its_text() -> None:
    """Spec: `{text}`; where it stands is told only where it was cut."""
    assert answer_of_text("Grüße", 0, 100) == {"text": "Grüße"}
    assert answer_of_text("", 0, 4) == {"text": ""}
    assert answer_of_bytes("a.md", "Grüße".encode(), 0, 7) == {"text": "Grüße"}


def test_a_long_text_comes_in_parts() -> None:
    """Spec: large text is capped, with a way on, and never cut inside a character."""
    first = answer_of_text("ab語語", 0, 6)
    assert first == {"text": "ab語", "start": 0, "end": 5, "size_bytes": 8, "next": 5}
    assert answer_of_text("ab語語", 5, 6) == {"text": "語", "start": 5, "end": 8, "size_bytes": 8}
    assert answer_of_text("ab語語", 3, 6) == {"text": "語", "start": 5, "end": 8, "size_bytes": 8}
    assert answer_of_text("ab語語", 99, 6) == {"text": "", "start": 8, "end": 8, "size_bytes": 8}
    assert answer_of_text("a😀😀b", 2, 4) == {"text": "", "start": 5, "end": 5, "size_bytes": 10, "next": 5}


@pytest.mark.parametrize(
    ("key", "data", "kind"),
    [
        ("logo.png", b"plain text", "image/png"),
        ("a/B.PDF", b"%PDF", "application/pdf"),
        ("notes", b"\xff\xfe", "application/octet-stream"),
        ("notes.txt", b"zero\0byte", "application/octet-stream"),
        ("latin.csv", "Grüße".encode("latin-1"), "application/octet-stream"),
    ],
)
def test_what_is_no_text_is_told_of(key: str, data: bytes, kind: str) -> None:
    """Spec: `{mime_type, size_bytes, sha256}` for binary, never its bytes."""
    facts = {"mime_type": kind, "size_bytes": len(data), "sha256": sha256(data).hexdigest()}
    assert answer_of_bytes(key, data, 0, 1_000) == facts


def test_bytes_that_only_go_on_are_no_text() -> None:
    """Choice: no character is that long; wherever the part was cut, it is not taken for text."""
    endless = b"\x80" * 20
    for start in (0, 4):
        assert part_if_text("key", endless[start : start + 8], start, len(endless)) is None


def test_the_type_of_a_key_is_the_same_everywhere() -> None:
    """Choice: a table of our own, since the system's differ; what it does not know, the bytes decide."""
    assert mime_type("x/y.tar.gz") == "application/gzip"
    assert mime_type("script.ts") is None
    assert mime_type("png") == "image/png"
    assert mime_type("v1.png/readme") is None
    assert answer_of_bytes("script.ts", b"let a = 1", 0, 100) == {"text": "let a = 1"}


def test_half_of_a_surrogate_pair_is_written_as_a_question_mark() -> None:
    """Choice: what has no form in UTF-8 does not end a call."""
    assert answer_of_text("a\ud83db", 0, 10) == {"text": "a?b"}


@given(TEXTS, st.integers(4, 20))
def test_the_parts_are_the_text(text: str, limit: int) -> None:
    """Spec: whoever follows `next` has read all of it, each character once."""
    parts: list[str] = []
    start: object = 0
    while isinstance(start, int):
        answer = answer_of_text(text, start, limit)
        parts.append(str(answer["text"]))
        start = answer.get("next")
    assert "".join(parts) == text


@given(TEXTS, st.integers(0, 100), st.integers(4, 20))
def test_a_part_from_anywhere_is_whole_characters(text: str, start: int, limit: int) -> None:
    """Spec: UTF-8 is never cut inside a character, wherever a range begins."""
    data = text.encode()
    start = min(start, len(data))
    part = part_if_text("key", data[start : start + limit], start, len(data))
    assert part is not None
    assert data[part.start : part.end].decode() == part.text
    assert start <= part.start <= part.end <= min(len(data), max(start + limit, part.start))
    assert part.end > start or start == len(data)


@given(st.binary(max_size=40), st.integers(0, 50), st.integers(4, 20))
def test_any_bytes_have_an_answer(data: bytes, start: int, limit: int) -> None:
    """Choice: a resource is whatever its author put there."""
    answer = answer_of_bytes("key", data, start, limit)
    assert "text" in answer or answer["sha256"] == sha256(data).hexdigest()
