"""What every index of documents does, in memory and in a folder."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prowess.catalog.search.document import Document, key_of
from prowess.catalog.search.port import Asked, IndexUnavailableError, SearchIndex
from prowess.catalog.search.question import ask, read
from prowess.storage.fts_index import FtsIndex
from prowess.storage.tantivy_index import TantivyIndex
from tests.ports.documents import CHINESE, KEYS, MAIL, NOTES, WEATHER, document

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path


class Opens(Protocol):
    """A kind of index."""

    def __call__(self, folder: str | None = None) -> SearchIndex:
        """Open one."""
        ...


KINDS: dict[str, Opens] = {"tantivy": TantivyIndex, "fts": FtsIndex}


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> Opens:
    """Give each kind of index."""
    return KINDS[request.param]


@pytest.fixture(params=[f"{name} {place}" for name in sorted(KINDS) for place in ("memory", "folder")])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[SearchIndex]:
    """Give an empty index of each kind, in memory and in a folder."""
    name, place = request.param.split()
    opened = KINDS[name](None if place == "memory" else str(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def filled(index: SearchIndex) -> SearchIndex:
    """Give an index with four documents."""
    index.update([CHINESE, MAIL, NOTES, WEATHER], ())
    return index


def found(index: SearchIndex, text: str, *facets: tuple[str, ...], limit: int = 10) -> list[int]:
    """The keys that are found for a text."""
    asked = ask(read(text), index, facets, limit)
    return [] if asked is None else [key for _, key, _ in index.find(asked)]


def test_an_empty_index_knows_and_finds_nothing(index: SearchIndex) -> None:
    """Spec: an index may be asked at any time."""
    assert (index.size, dict(index.held()), index.near("weather")) == (0, {}, None)
    assert index.counts(["weather"]) == [0]
    assert index.find(Asked(("weather",))) == []


def test_a_document_is_found_by_its_words_in_any_form(filled: SearchIndex) -> None:
    """Spec: English stemming; identifiers split; every part is searched."""
    assert filled.size == 4
    for text in ("searching note", "searchNotes", "SEARCH-NOTES", "vaults"):
        assert found(filled, text)[:1] == [KEYS["search_notes"]]
    assert found(filled, "temperature in kelvin") == [KEYS["get_weather"]]
    assert found(filled, "elephant") == []


def test_what_is_found_has_its_score_key_and_twin(filled: SearchIndex) -> None:
    """Spec: near-identical documents can be told from it."""
    [(score, key, twin)] = filled.find(Asked(("weather",)))
    assert score > 0
    assert (key, twin) == (WEATHER.key, WEATHER.twin)


def test_a_name_counts_more_than_a_description_and_that_more_than_a_body(index: SearchIndex) -> None:
    """Spec: three overlapping texts summed, `everything` once, `meta` half, `name` a fifth."""
    index.update(
        [
            document("one", "Alpha beta.", "gamma delta crisp"),
            document("two", "Alpha beta crisp.", "gamma delta"),
            document("crisp", "Alpha beta.", "gamma delta"),
        ],
        (),
    )
    assert found(index, "crisp") == [key_of("crisp"), key_of("two"), key_of("one")]


def test_a_rare_word_counts_more_than_a_common_one(index: SearchIndex) -> None:
    """Spec: Okapi BM25."""
    common = [document(f"tool-{letter}", f"Common {letter * 4}") for letter in "abcdefg"]
    index.update([*common, document("other", "Rare zzzz")], ())
    assert found(index, "common rare")[0] == key_of("other")


def test_facets_narrow_inside_the_query(filled: SearchIndex) -> None:
    """Spec: kind, tag, status, source; of each group one."""
    text = "search send tell weather"
    assert found(filled, text, ("kind=logic",)) == [KEYS["search_notes"]]
    assert found(filled, text, ("tag=a b",), limit=1) == [KEYS["get_weather"]]
    assert set(found(filled, text, ("tag=notes",))) == {KEYS["search_notes"], KEYS["acme/mail"]}
    assert found(filled, text, ("tag=notes",), ("status=disabled",)) == [KEYS["acme/mail"]]
    assert found(filled, text, ("source=notes.py",)) == [KEYS["search_notes"]]
    assert set(found(filled, text, ("name=search_notes", "name=get_weather"))) == {
        *(KEYS["search_notes"], KEYS["get_weather"]),
    }
    assert found(filled, text, ("tag=none",)) == []
    scores = {key: score for score, key, _ in filled.find(Asked(("search", "send")))}
    [(score, key, _)] = filled.find(Asked(("search", "send"), facets=(("kind=logic",),)))
    assert score == pytest.approx(scores[key])


def test_no_more_are_found_than_asked_for(index: SearchIndex) -> None:
    """Spec: the best of them."""
    index.update([document(f"tool{number}", "weather " * (number + 1)) for number in range(20)], ())
    assert len(found(index, "weather", limit=7)) == 7
    assert found(index, "weather", limit=7) == found(index, "weather", limit=20)[:7]


def test_stop_words_are_found_in_names_only(index: SearchIndex) -> None:
    """Choice: an entry may be called so."""
    index.update([document("what-is", "Explain."), document("other", "What is this?")], ())
    assert found(index, "what is") == [key_of("what-is")]


def test_slips_are_understood(filled: SearchIndex) -> None:
    """Spec: fuzzy matching for words that the index does not know."""
    assert found(filled, "wether") == [KEYS["get_weather"]]
    assert found(filled, "esarch") == [KEYS["search_notes"]]
    assert filled.near("elephant") is None
    assert filled.near("wether") == filled.near("wether") == "weather"


def test_chinese_is_found_by_a_part_of_it(filled: SearchIndex) -> None:
    """Choice: by characters and pairs."""
    assert found(filled, "\u7b14\u8bb0") == found(filled, "\u641c") == [KEYS["sousuo"]]


def test_an_update_takes_out_adds_and_replaces_at_once(filled: SearchIndex) -> None:
    """Spec: incremental add and remove."""
    mail = document("acme/mail", "Send letters.")
    filled.update([mail, document("paint", "Paint a picture.")], [KEYS["acme/mail"], KEYS["sousuo"]])
    assert filled.size == 4
    assert found(filled, "letters") == [KEYS["acme/mail"]]
    assert found(filled, "people") == found(filled, "\u641c") == []
    assert found(filled, "picture") == [key_of("paint")]
    assert dict(filled.held()) == {
        KEYS["acme/mail"]: mail.digest,
        KEYS["search_notes"]: NOTES.digest,
        KEYS["get_weather"]: WEATHER.digest,
        key_of("paint"): document("paint", "Paint a picture.").digest,
    }
    filled.update([], list(filled.held()))
    assert (filled.size, found(filled, "picture")) == (0, [])


def test_many_small_updates_leave_what_one_large_one_leaves(index: SearchIndex) -> None:
    """Spec: incremental; the index puts its small parts together by itself."""
    for number in range(20):
        known = [key_of("tool")] if number else []
        index.update([document("tool", f"Version {number} weather"), document(f"x{number}", "notes")], known)
    assert index.size == 21
    assert found(index, "weather") == [key_of("tool")]
    assert len(found(index, "notes", limit=100)) == 20


def test_an_update_that_fails_changes_nothing(filled: SearchIndex) -> None:
    """Spec: readers see what was there before or after an update, never half of one."""

    def broken() -> Iterator[Document]:
        yield document("paint", "Paint a picture.")
        raise LookupError

    with pytest.raises(LookupError):
        filled.update(broken(), [KEYS["acme/mail"]])
    assert filled.size == 4
    assert found(filled, "people") == [KEYS["acme/mail"]]
    filled.update([document("paint", "Paint a picture.")], ())
    assert found(filled, "picture") == [key_of("paint")]


def test_readers_find_while_another_thread_writes(filled: SearchIndex) -> None:
    """Spec: readers are never blocked, and see each document in one state."""
    ended = threading.Event()

    def look() -> set[int]:
        seen: set[int] = set()
        while not ended.is_set():
            seen.add(len(found(filled, "weather", limit=100)))
        return seen

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(look) for _ in range(2)]
        for number in range(12):
            filled.update([document("get_weather", f"weather {number}")], [KEYS["get_weather"]])
        ended.set()
        assert {count for reader in readers for count in reader.result(timeout=20)} <= {1}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_no_text_is_refused(filled: SearchIndex, text: str) -> None:
    """Spec: weird queries give sensible answers, never an error."""
    assert set(found(filled, text)) <= set(KEYS.values())


@pytest.mark.parametrize(
    "text",
    ['"', "'; DROP TABLE document", "a AND NOT b", "name:x^2", "*", "(weather", "weather~2", "NEAR(a b)", "\x00"],
)
def test_signs_of_query_languages_mean_nothing(filled: SearchIndex, text: str) -> None:
    """Spec: query-syntax characters."""
    assert set(found(filled, text)) <= {KEYS["get_weather"]}


def test_what_is_in_a_folder_is_there_again(kind: Opens, tmp_path: Path) -> None:
    """Spec: ready from an index without adding again."""
    first = kind(str(tmp_path / "deep" / "search"))
    first.update([NOTES, WEATHER], ())
    first.close()
    again = kind(str(tmp_path / "deep" / "search"))
    assert dict(again.held()) == {NOTES.key: NOTES.digest, WEATHER.key: WEATHER.digest}
    assert found(again, "weather") == [KEYS["get_weather"]]
    again.update([], [WEATHER.key])
    again.close()
    assert kind(str(tmp_path / "deep" / "search")).size == 1


@pytest.mark.behaviour("build.same-file")
def test_the_files_of_an_index_depend_on_its_documents_alone(kind: Opens, tmp_path: Path) -> None:
    """Spec: content-addressed: carried to another machine, the same index is the same files."""
    carried: list[dict[str, bytes]] = []
    for place in ("one", "other"):
        index = kind(str(tmp_path / place))
        index.update([CHINESE, MAIL, NOTES, WEATHER], ())
        carried.append(dict(index.files()))
        index.close()
    assert carried[0] == carried[1]
    assert dict(kind().files()) == {}


@pytest.mark.behaviour("search.damaged")
def test_whatever_is_wrong_with_its_files_it_opens_and_never_finds_what_is_not_there(
    kind: Opens, tmp_path: Path
) -> None:
    """Spec: rebuilt when damaged or missing."""
    first = kind(str(tmp_path))
    first.update([NOTES, WEATHER, MAIL], ())
    first.update([document("paint", "Paint a picture.")], [MAIL.key])
    expected = dict(first.held())
    first.close()
    whole = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    for damaged, content in whole.items():
        for other in (None, content[: len(content) // 2], content[:30] + b"\xff" * 9 + content[39:]):
            for file, text in whole.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text)
            damaged.unlink()
            if other is not None:
                damaged.write_bytes(other)
            again = kind(str(tmp_path))
            assert dict(again.held()) in ({}, expected)
            again.update([document("new", "Brand new weather")], ())
            assert key_of("new") in found(again, "brand")
            again.close()


def test_a_folder_that_cannot_be_had_is_unavailable(kind: Opens, tmp_path: Path) -> None:
    """Spec: never fails: whoever opens it takes one in memory then."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(IndexUnavailableError):
        kind(str(tmp_path / "file" / "search"))


@pytest.mark.behaviour("search.one-writer")
def test_while_one_writes_another_reads_what_is_there_and_may_not_write(kind: Opens, tmp_path: Path) -> None:
    """Spec: one writer, readers never blocked."""
    first, second = kind(str(tmp_path)), None
    first.update([NOTES, WEATHER], ())
    second = kind(str(tmp_path))
    assert found(second, "weather") == [KEYS["get_weather"]]
    with writing(first):
        assert found(second, "weather") == [KEYS["get_weather"]]
        assert found(kind(str(tmp_path)), "weather") == [KEYS["get_weather"]]
        with pytest.raises(IndexUnavailableError):
            second.update([MAIL], ())
        assert found(second, "weather") == [KEYS["get_weather"]]
    second.close()


@contextmanager
def writing(index: SearchIndex) -> Generator[None]:
    """An update of an index that goes on as long as the block."""
    begun, end = threading.Event(), threading.Event()

    def documents() -> Iterator[Document]:
        begun.set()
        assert end.wait(20)
        yield CHINESE

    with ThreadPoolExecutor(1) as pool:
        update = pool.submit(index.update, documents(), ())
        assert begun.wait(20)
        try:
            yield
        finally:
            end.set()
            update.result(timeout=20)
