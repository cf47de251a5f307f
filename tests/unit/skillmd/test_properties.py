"""What holds for any bytes."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prowess.skillmd.codes import CODES
from prowess.skillmd.document import Severity
from prowess.skillmd.profiles.checking import PROFILES, check, loadable
from prowess.skillmd.reading import read_skill
from prowess.skillmd.sections import sections
from prowess.skillmd.writing.fixing import fix
from prowess.skillmd.writing.repairs import REPAIRS
from prowess.skillmd.writing.skill import write_skill

ALL = ",".join(PROFILES)
KEYS = st.sampled_from(
    [
        "name",
        "description",
        "Name",
        "version",
        "license",
        "allowed-tools",
        "allowed_tools",
        "metadata",
        "tags",
        "x",
        " y",
    ]
)
PIECES = st.sampled_from(
    [
        *(
            "a",
            "b c",
            ": ",
            " #",
            "'",
            '"',
            "[",
            "]",
            "{",
            "}",
            ", ",
            "- ",
            "\n",
            "\n  ",
            "\n\t",
            "|",
            ">-",
            "*a",
            "&a ",
            "!t ",
        ),
        *(
            "1.0",
            "2024-01-05",
            "yes",
            "~",
            "\\",
            "---",
            "\n---\n",
            "...",
            "%",
            "@",
            "`",
            "\x00",
            "\ufeff",
            "é",
            "技",
            "(",
            ")",
        ),
    ]
)
VALUES = st.lists(PIECES, max_size=6).map("".join)
FIELDS = st.lists(st.tuples(KEYS, st.sampled_from([": ", ":", " : ", ":\n  "]), VALUES).map("".join), max_size=5)
FRONTS = FIELDS.map(lambda fields: "".join(f"{field}\n" for field in fields))
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
SKILLS = st.builds(
    lambda above, front, body, end: f"{above}---\n{front}---\n{body}".replace("\n", end).encode(),
    st.sampled_from(["", "", "\ufeff", "\n", "-"]),
    FRONTS,
    VALUES,
    ENDS,
)
FILES = st.one_of(st.binary(max_size=200), SKILLS, st.tuples(SKILLS, st.binary(max_size=3)).map(b"".join))
FOLDERS = st.none() | st.sampled_from(["a", "b-c", "B C", "技"]) | st.text(max_size=10)


@pytest.mark.behaviour("skillmd.never-raises")
@given(FILES, FOLDERS)
@example(b"\xff\xfe\x00", "a")
@example(b"---\r", None)
def test_any_bytes_have_a_reading(data: bytes, folder: str | None) -> None:
    """Spec: arbitrary bytes never crash and end quickly."""
    reading = read_skill(data, folder)
    assert (reading.document is None) <= any(problem.severity is Severity.ERROR for problem in reading.problems)
    assert all(problem.code in CODES for problem in reading.problems)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in reading.problems)
    assert list(reading.problems) == sorted(reading.problems, key=lambda problem: (problem.line, problem.column))
    if reading.document is not None:
        assert reading.name == reading.document.name != ""
        assert reading.document.description.strip() == reading.document.description != ""
        sections(reading.document.body)


@pytest.mark.behaviour("skillmd.never-raises")
@given(FILES, FOLDERS)
def test_any_bytes_can_be_checked_by_every_profile(data: bytes, folder: str | None) -> None:
    """Spec: as above."""
    reading = read_skill(data, folder)
    codes = {problem.code for problem in check(reading, ALL, folder)}
    for profile in PROFILES:
        errors = [one for one in check(reading, profile, folder) if one.severity is Severity.ERROR]
        if PROFILES[profile].is_client:
            assert loadable(reading, profile, folder) == (errors == [])
        else:
            assert loadable(reading, profile, folder) == (reading.document is not None)
            assert errors or reading.document is not None
        assert {problem.code for problem in errors} <= codes


@pytest.mark.behaviour("skillmd.fix")
@given(FILES, FOLDERS, st.sampled_from([*PROFILES, ALL]))
def test_fixing_twice_is_fixing_once(data: bytes, folder: str | None, profiles: str) -> None:
    """Spec: fixing twice is the same as once; a fixed file has no repaired problem left."""
    once = fix(data, folder, profiles)
    assert (once.data == data) == (once.repaired == ())
    twice = fix(once.data, folder, profiles)
    assert (twice.data, twice.repaired) == (once.data, ())
    assert {one.code for one in once.repaired} <= set(REPAIRS)


@pytest.mark.behaviour("skillmd.fix")
@given(FILES, FOLDERS)
def test_a_fixed_skill_says_what_it_said(data: bytes, folder: str | None) -> None:
    """Spec: touches nothing else."""
    before = read_skill(data, folder).document
    fixed = fix(data, folder, ALL)
    after = read_skill(fixed.data, folder).document
    if before is not None:
        assert after is not None
        assert (after.description, after.body) == (before.description, before.body)
        assert (after.version, after.license, after.allowed_tools) == (
            before.version,
            before.license,
            before.allowed_tools,
        )


@pytest.mark.behaviour("skillmd.same-bytes")
@given(FILES, FOLDERS)
def test_writing_what_was_read_gives_the_same_bytes(data: bytes, folder: str | None) -> None:
    """Spec: writing an unchanged document gives the same bytes."""
    document = read_skill(data, folder).document
    if document is not None:
        assert write_skill(document, data) == data
