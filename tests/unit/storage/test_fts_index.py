"""What only the index in SQLite can meet."""

import sqlite3
from pathlib import Path

import pytest

from prowess.catalog.search.port import Asked, IndexUnavailableError
from prowess.storage.fts_index import FtsIndex
from tests.ports.documents import NOTES, WEATHER


def test_an_index_that_is_lost_while_it_is_open_is_unavailable(tmp_path: Path) -> None:
    """Spec: never fails: whoever searches takes one in memory then."""
    index = FtsIndex(str(tmp_path))
    index.update([NOTES], ())
    with sqlite3.connect(tmp_path / "fts-1.db") as other:
        other.execute("DROP TABLE document")
    other.close()
    with pytest.raises(IndexUnavailableError):
        index.find(Asked(("search",)))
    with pytest.raises(IndexUnavailableError):
        index.update([WEATHER], ())
    index.close()
    with pytest.raises(IndexUnavailableError):
        index.held()


def test_a_database_whose_pages_are_wrong_is_made_anew(tmp_path: Path) -> None:
    """Spec: rebuilt when damaged, also where SQLite itself can read it still."""
    index = FtsIndex(str(tmp_path))
    index.update([NOTES], ())
    index.close()
    with sqlite3.connect(tmp_path / "fts-1.db") as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'facet_of'")
    other.close()
    again = FtsIndex(str(tmp_path))
    assert again.size == 0
    again.update([NOTES], ())
    assert again.near("serach") == "search"
    again.close()


def test_what_is_remembered_of_slips_is_bounded() -> None:
    """Choice: a server is asked for years."""
    index = FtsIndex(most_words=2)
    index.update([NOTES, WEATHER], ())
    for slip, word in (("serach", "search"), ("wether", "weather"), ("vualt", "vault"), ("serach", "search")):
        assert index.near(slip) == word
    index.close()


def test_a_locked_database_is_somebody_elses_and_not_damaged(tmp_path: Path) -> None:
    """Choice: it is not removed under whoever makes it."""
    other = sqlite3.connect(tmp_path / "fts-1.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE theirs (x)")
    with pytest.raises(IndexUnavailableError):
        FtsIndex(str(tmp_path))
    other.execute("COMMIT")
    other.close()
    assert (tmp_path / "fts-1.db").exists()
