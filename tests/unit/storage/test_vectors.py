"""What is kept of the meaning of texts."""

import sqlite3
from pathlib import Path

from prowess.storage.vectors import Vectors

NUMBERS = {1: b"one", 2: b"two", 2**62: b"far"}


def test_what_was_put_is_there_in_memory_and_after_a_restart(tmp_path: Path) -> None:
    """Spec: vectors are kept by text digest beside the index."""
    first = Vectors(str(tmp_path / "search"))
    first.put(NUMBERS)
    assert first.get([1, 2**62, 3]) == {1: b"one", 2**62: b"far"}
    first.close()
    first.close()
    again = Vectors(str(tmp_path / "search"))
    assert again.get([2, 4]) == {2: b"two"}
    assert again.get([2]) == {2: b"two"}
    assert again.get([]) == {}
    again.close()


def test_without_a_folder_they_are_kept_as_long_as_the_process() -> None:
    """Choice: a registry without a project leaves nothing behind."""
    vectors = Vectors(None)
    vectors.put(NUMBERS)
    assert vectors.get(NUMBERS) == NUMBERS
    vectors.close()


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    """Choice: it can all be worked out again."""
    (tmp_path / "vectors-1.db").write_bytes(b"this is no database" * 100)
    vectors = Vectors(str(tmp_path))
    vectors.put(NUMBERS)
    vectors.close()
    again = Vectors(str(tmp_path))
    assert again.get([1]) == {1: b"one"}
    again.close()


def test_where_nothing_can_be_kept_nothing_is_lost_but_time(tmp_path: Path) -> None:
    """Choice: nothing here ever fails."""
    (tmp_path / "file").touch()
    vectors = Vectors(str(tmp_path / "file"))
    vectors.put(NUMBERS)
    assert vectors.get([1, 5]) == {1: b"one"}
    vectors.close()
    (tmp_path / "vectors-1.db").mkdir()
    assert Vectors(str(tmp_path)).get([1]) == {}


def test_a_file_that_is_lost_meanwhile_is_passed_over(tmp_path: Path) -> None:
    """Choice: as above, after it was opened."""
    vectors = Vectors(str(tmp_path))
    with sqlite3.connect(tmp_path / "vectors-1.db") as other:
        other.execute("DROP TABLE vector")
    other.close()
    assert vectors.get([1]) == {}
    vectors.put(NUMBERS)
    assert vectors.get([1]) == {1: b"one"}
    vectors.close()


def test_memory_is_bounded() -> None:
    """Choice: a million vectors stay in their file."""
    vectors = Vectors(None, most=3)
    vectors.put({1: b"", 2: b""})
    vectors.put({3: b"", 4: b""})
    assert vectors.get([1, 2, 3, 4]) == {3: b"", 4: b""}
