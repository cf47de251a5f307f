"""What only the index in tantivy promises."""

from pathlib import Path

import pytest
import tantivy

from prowess.catalog.search.port import IndexUnavailableError
from prowess.storage.tantivy_index import TantivyIndex
from tests.ports.documents import MAIL, NOTES, WEATHER, document


@pytest.mark.behaviour("search.formats")
def test_an_index_of_another_release_is_removed_and_made_anew(tmp_path: Path) -> None:
    """Spec: rebuilt when from another format version."""
    (tmp_path / "tantivy-0").mkdir()
    (tmp_path / "tantivy-0" / "meta.json").touch()
    index = TantivyIndex(str(tmp_path))
    assert [folder.name for folder in tmp_path.iterdir()] == ["tantivy-1"]
    index.close()


def carried(folder: Path) -> dict[str, bytes]:
    """The files of an index of two documents."""
    index = TantivyIndex(str(folder))
    index.update([NOTES, WEATHER], ())
    files = dict(index.files())
    index.close()
    return files


@pytest.mark.behaviour("build.index")
def test_an_index_that_is_brought_along_is_taken_where_there_is_none_or_a_damaged_one(tmp_path: Path) -> None:
    """Spec: a snapshot's index is served by many machines."""
    files = carried(tmp_path / "here")
    there = TantivyIndex(str(tmp_path / "there"), carried=files.items)
    assert dict(there.held()) == {NOTES.key: NOTES.digest, WEATHER.key: WEATHER.digest}
    assert {f"tantivy-1/{file.name}" for file in (tmp_path / "there" / "tantivy-1").iterdir()} >= set(files)
    there.update([MAIL], ())
    there.close()
    assert TantivyIndex(str(tmp_path / "there"), carried=files.items).size == 3
    next((tmp_path / "there").rglob("*.idx")).write_bytes(b"damaged")
    assert TantivyIndex(str(tmp_path / "there"), carried=files.items).size == 2


@pytest.mark.parametrize(
    "files",
    [
        {"tantivy-0/meta.json": b"{}", "tantivy-1/../../../out": b"", "tantivy-1/": b"", "other": b""},
        {"tantivy-1/meta.json": b"{}"},
        {"tantivy-1/meta.json": b"no JSON"},
    ],
)
def test_an_index_of_another_release_that_is_brought_along_is_made_anew(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    """Spec: rebuilt when from another format version; and nothing that came from elsewhere is written elsewhere."""
    index = TantivyIndex(str(tmp_path / "deep" / "search"), carried=files.items)
    assert index.size == 0
    index.update([NOTES], ())
    index.close()
    assert TantivyIndex(str(tmp_path / "deep" / "search"), carried=files.items).size == 1
    assert not (tmp_path / "out").exists()


def test_of_two_processes_that_bring_an_index_the_first_one_does(tmp_path: Path) -> None:
    """Choice: both are the same, and neither waits."""
    files = carried(tmp_path / "here")
    folder = tmp_path / "there"

    def late() -> list[tuple[str, bytes]]:
        TantivyIndex(str(folder), carried=files.items).close()
        return [*files.items()]

    assert TantivyIndex(str(folder), carried=late).size == 2
    assert [one.name for one in folder.iterdir()] == ["tantivy-1"]


def test_where_what_is_brought_along_has_no_room_the_folder_cannot_be_had(tmp_path: Path) -> None:
    """Spec: a disk that is full."""

    def full() -> list[tuple[str, bytes]]:
        raise OSError(28, "No space left on device")

    with pytest.raises(IndexUnavailableError, match="No space left"):
        TantivyIndex(str(tmp_path), carried=full)
    assert [*tmp_path.iterdir()] == []


def test_an_index_of_other_fields_is_made_anew(tmp_path: Path) -> None:
    """Choice: its files may be whole and still not ours."""
    (tmp_path / "tantivy-1").mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("other")
    tantivy.Index(builder.build(), path=str(tmp_path / "tantivy-1"))
    index = TantivyIndex(str(tmp_path))
    index.update([NOTES], ())
    assert index.size == 1


def test_ties_are_in_order_after_all_was_added_at_once(tmp_path: Path) -> None:
    """Spec: deterministic: whoever asks knows whether to look further."""
    index = TantivyIndex(str(tmp_path))
    index.update([MAIL, NOTES], ())
    assert index.orders_ties
    index.update([WEATHER], ())
    assert not index.orders_ties


def test_what_is_remembered_of_words_is_bounded() -> None:
    """Choice: a server is asked for years."""
    index = TantivyIndex(most_words=3)
    index.update([document(f"tool{word}", f"{word} of weather") for word in ("alpha", "beta", "gamma", "delta")], ())
    for word in ("alpha", "beta", "gamma", "delta", "alpha"):
        assert index.counts([word]) == [1]
    assert [index.near(f"{word}x") for word in ("alpha", "gamma", "delta", "beta", "alpha")] == [
        *("alpha", "gamma", "delta", "beta", "alpha"),
    ]


def test_hundreds_of_single_changes_are_all_there(tmp_path: Path) -> None:
    """Choice: the latest are written again with each change, and must neither double nor vanish."""
    index = TantivyIndex()
    index.update([NOTES, WEATHER, *(document(f"base{number}", "base") for number in range(20))], ())
    for number in range(450):
        gone = [document(f"tool{number - 3}").key] if number % 2 and number > 3 else []
        index.update([document(f"tool{number}", f"unique{number} common")], gone)
    left = set(range(450)) - {number - 3 for number in range(5, 450, 2)}
    assert index.size == 22 + len(left) == len(index.held())
    assert {document(f"tool{number}").key for number in left} <= set(index.held())
    assert index.counts(["base"]) == [20]
