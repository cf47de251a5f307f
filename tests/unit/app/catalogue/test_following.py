"""An index follows its registry, in memory and in a folder."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prowess import Manifest, NotFoundError, Registry
from prowess.app.catalogue.following import Follower
from prowess.app.catalogue.options import Body, SearchOptions
from prowess.app.catalogue.searching import open_index
from prowess.catalog.search.document import Document
from prowess.catalog.search.port import Asked, Found, IndexUnavailableError, SearchIndex
from prowess.registry.entry import Entry
from prowess.storage.tantivy_index import TantivyIndex
from tests.unit.app.catalogue.entries import add, catalogue, counting, manifest, names


class Watched:
    """An index in memory or a folder that tells what it was asked to learn, and can be made to fail."""

    def __init__(self, folder: str | None, told: list[str]) -> None:
        self.inner = TantivyIndex(folder)
        self.told = told
        self.failing: set[str] = set()
        self.waiting: Callable[[], None] = lambda: None
        self.orders_ties = False
        self.left_over = 0
        self.near = self.inner.near
        self.counts = self.inner.counts
        self.frequencies = self.inner.frequencies
        self.starting_with = self.inner.starting_with
        self.close = self.inner.close
        self.files = self.inner.files

    @property
    def size(self) -> int:
        return self.inner.size + (1 if "size" in self.failing else 0)

    def held(self) -> Mapping[int, int]:
        return self.inner.held()

    def update(self, documents: Iterable[Document], gone: Collection[int]) -> None:
        self.waiting()
        if "update" in self.failing:
            raise IndexUnavailableError
        made = list(documents)
        self.told.append(f"+{' '.join(one.facets[0].removeprefix('name=') for one in made)} -{len(gone)}")
        self.inner.update(made, gone)

    def find(self, asked: Asked) -> Sequence[Found]:
        if "find" in self.failing:
            raise IndexUnavailableError
        return self.inner.find(asked)


class Shelf:
    """Opens watched indexes, and keeps them."""

    def __init__(self) -> None:
        self.opened: list[Watched] = []
        self.told: list[str] = []
        self.unavailable = False

    def __call__(self, folder: str | None) -> SearchIndex:
        if folder is not None and self.unavailable:
            raise IndexUnavailableError
        self.opened.append(Watched(folder, self.told))
        return self.opened[-1]


@pytest.mark.behaviour("search.follows")
def test_a_registry_that_changes_is_searched_as_it_is() -> None:
    """Spec: register, unregister, replace: only the difference is learned."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf))
    assert names(registry, "weather") == ["get_weather"]
    add(registry, manifest("paint", "Paint a picture."))
    assert names(registry, "picture") == ["paint"]
    add(registry, manifest("paint", "Paint a wall."), replace=True)
    assert names(registry, "picture") == []
    assert names(registry, "wall") == ["paint"]
    registry.unregister("paint")
    assert names(registry, "wall") == []
    assert shelf.told[0].startswith("+acme/refund get_weather")
    assert shelf.told[1:] == ["+paint -0", "+paint -1", "+ -1"]
    assert len(shelf.opened) == 1


def test_nothing_is_indexed_before_the_first_search_and_nothing_twice() -> None:
    """Spec: what does not search pays nothing."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf))
    assert registry.list(tag="notes")
    assert shelf.opened == []
    assert names(registry, "weather") == names(registry, "weather")
    assert len(shelf.told) == 1


def test_a_factory_is_found_by_what_it_makes() -> None:
    """Spec: a factory whose manifest is not known is made, as for a list."""
    registry = Registry()

    class Paint:
        name = "paint"
        description = "Paint a picture."
        parameters: Mapping[str, object] = {"type": "object"}

        async def execute(self, **inputs: object) -> object:
            return inputs

    registry.register_factory("paint", lambda _services: Paint())
    registry.register_factory("broken", lambda _services: 1 / 0)
    assert names(registry, "picture") == ["paint"]
    assert names(registry, "picture") == ["paint"]


@pytest.mark.behaviour("search.kept")
async def test_a_later_process_is_ready_without_adding_again(tmp_path: Path) -> None:
    """Spec: a derived index on disk: only what changed is learned."""
    first, second = Shelf(), Shelf()
    folder = str(tmp_path / ".prowess" / "search")
    async with catalogue(SearchOptions(open_index=first, folder=folder)) as registry:
        assert names(registry, "weather") == ["get_weather"]
    registry = catalogue(SearchOptions(open_index=second, folder=folder))
    assert names(registry, "weather") == ["get_weather"]
    assert second.told == []
    registry = catalogue(SearchOptions(open_index=second, folder=folder))
    registry.unregister("write_note")
    add(registry, manifest("get_weather", "Tell the climate."), manifest("paint", "Paint."), replace=True)
    assert names(registry, "climate") == ["get_weather"]
    assert second.told == ["+get_weather paint -2"]
    assert (tmp_path / ".prowess" / ".gitignore").read_text(encoding="ascii") == "*\n"


@pytest.mark.behaviour("search.in-memory")
def test_where_the_folder_cannot_be_had_memory_serves(tmp_path: Path) -> None:
    """Spec: a second process never fails."""
    shelf = Shelf()
    shelf.unavailable = True
    registry = catalogue(SearchOptions(open_index=shelf, folder=str(tmp_path / "search")))
    assert names(registry, "weather") == ["get_weather"]
    (tmp_path / "file").touch()
    registry = catalogue(SearchOptions(folder=str(tmp_path / "file" / "deep" / "search")))
    assert [*registry.diagnostics] == []
    assert names(registry, "weather") == ["get_weather"]
    [told] = registry.diagnostics
    assert (told.code, told.entry, told.severity) == ("search_in_memory", "search", "warning")
    assert "Not a directory" in told.message
    registry = catalogue()
    assert names(registry, "weather") == ["get_weather"]
    assert registry.diagnostics == ()


@pytest.mark.parametrize("failing", ["update", "size", "find"])
def test_an_index_that_fails_is_left_for_one_in_memory(failing: str, tmp_path: Path) -> None:
    """Spec: no lock, a full disk, damage, or another process's writing never make a search fail."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf, folder=str(tmp_path / "search")))
    assert names(registry, "weather") == ["get_weather"]
    shelf.opened[0].failing.add(failing)
    add(registry, manifest("paint", "Paint a picture."))
    assert names(registry, "picture") == ["paint"]
    assert len(shelf.opened) == 2
    assert names(registry, "weather") == ["get_weather"]
    assert len(shelf.opened) == 2
    assert [one.code for one in registry.diagnostics] == ["search_in_memory"]


def test_readers_that_lose_an_index_together_get_one_new_one(tmp_path: Path) -> None:
    """Choice: each of them would index everything otherwise."""
    shelf = Shelf()
    follower = Follower(catalogue().holdings, shelf, SearchOptions(folder=str(tmp_path)))
    lost = follower.now()
    why = IndexUnavailableError("gone")
    assert follower.in_memory(lost, why) is follower.in_memory(lost, why) is follower.now()
    assert len(shelf.opened) == 2
    follower.close()


def test_many_threads_search_at_first_and_it_is_indexed_once() -> None:
    """Spec: reading is safe from every thread."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf))
    together = threading.Barrier(8)

    def look() -> list[str]:
        together.wait(20)
        return names(registry, "weather")

    with ThreadPoolExecutor(8) as pool:
        assert [one.result(timeout=20) for one in [pool.submit(look) for _ in range(8)]] == [["get_weather"]] * 8
    assert len(shelf.told) == 1


def test_while_one_thread_brings_it_up_to_date_others_search_as_before() -> None:
    """Spec: readers are never blocked."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf))
    assert names(registry, "weather") == ["get_weather"]
    begun, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        assert go_on.wait(20)

    shelf.opened[0].waiting = wait
    add(registry, manifest("paint", "Paint a picture."))
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(names, registry, "picture")
        assert begun.wait(20)
        assert names(registry, "picture") == []
        assert names(registry, "weather") == ["get_weather"]
        go_on.set()
        assert writing.result(timeout=20) == ["paint"]
    assert names(registry, "picture") == ["paint"]


@pytest.mark.behaviour("search.bodies")
def test_instructions_are_searched_read_once_and_told_in_a_match() -> None:
    """Spec: of a package the body is searched too; it is read when it is indexed and when it is explained."""
    reads: list[str] = []

    def body_of(entry: Entry) -> Body | None:
        if entry.name == "get_weather":
            return Body("r1", counting(reads, "Ask the barometer."))
        if entry.name == "write_note":
            return Body("r2", gone)
        return None

    def gone() -> str:
        raise NotFoundError("its file was removed")

    registry = catalogue(SearchOptions(body_of=body_of))
    [hit] = registry.search("barometer")
    assert (hit.name, len(reads)) == ("get_weather", 1)
    assert [(match.field, match.found) for match in hit.matched] == [("body", "barometer")]
    assert len(reads) == 2
    assert "write_note" in names(registry, "new note")


def test_another_body_is_learned_when_its_entry_changes(tmp_path: Path) -> None:
    """Spec: ready from an index, unless the body's revision says otherwise."""
    shelf = Shelf()

    def searched(revision: str, text: str) -> list[str]:
        def body_of(entry: Entry) -> Body | None:
            return Body(revision, lambda: text) if entry.name == "get_weather" else None

        registry = catalogue(SearchOptions(open_index=shelf, folder=str(tmp_path / "search"), body_of=body_of))
        found = names(registry, text)
        shelf.opened[-1].close()
        return found

    assert searched("1", "barometer") == ["get_weather"]
    assert searched("1", "hygrometer") == []
    assert searched("2", "hygrometer") == ["get_weather"]
    assert shelf.told[1:] == ["+get_weather -1"]


def test_two_processes_share_a_folder_and_the_second_finds_all_it_has(tmp_path: Path) -> None:
    """Spec: one writer; whoever cannot write searches what is there, or in memory."""
    folder = str(tmp_path / ".prowess" / "search")
    first = catalogue(SearchOptions(folder=folder))
    assert names(first, "weather") == ["get_weather"]
    add(first, manifest("paint", "Paint a picture."))
    assert names(first, "picture") == ["paint"]
    second = catalogue(SearchOptions(folder=folder))
    add(second, manifest("sculpt", "Make a statue."))
    assert names(second, "statue") == ["sculpt"]
    assert names(second, "picture") == []
    assert names(first, "picture") == ["paint"]
    assert names(first, "statue") == []


def test_the_best_index_is_the_default() -> None:
    """Spec: tantivy where it is installed."""
    assert isinstance(open_index(None), TantivyIndex)


def spoken(number: int) -> Manifest:
    """An entry among whose words are common ones and rare ones."""
    words = " ".join(("quasar", "zebra", "old", "stuff", f"n{number}")[: 1 + number % 5])
    return manifest(f"entry_{number}", f"Use when {words} {'zebra ' * (number % 3)}is meant.")


@pytest.mark.behaviour("search.forgets")
@given(changes=st.lists(st.tuples(st.booleans(), st.integers(0, 12)), max_size=8), again=st.booleans())
@settings(max_examples=12, deadline=None)
def test_what_went_leaves_no_trace_in_the_order(changes: list[tuple[bool, int]], *, again: bool) -> None:
    """Regression: words of entries that were gone still counted, and turned the order round."""
    registry, held = Registry(), {1, 2, 3}
    add(registry, *map(spoken, held))
    for adding, number in changes:
        if adding and number not in held:
            add(registry, spoken(number))
            held.add(number)
        elif number in held and len(held) > 1 and not adding:
            registry.unregister(f"entry_{number}")
            held.remove(number)
        if again:
            registry.search("quasar")
    fresh = Registry()
    add(fresh, *map(spoken, sorted(held)))
    for question in ("quasar zebra", "old stuff", "entry"):
        assert said(registry, question) == said(fresh, question)


def said(registry: Registry, question: str) -> list[tuple[str, float]]:
    """What a search finds, with the score of each."""
    return [(hit.manifest.name, hit.score) for hit in registry.search(question, k=20)]


def test_an_index_is_written_anew_where_too_much_is_left_over() -> None:
    """Choice: a large one takes seconds to write, so that a share of it may be left over."""
    shelf = Shelf()
    registry = catalogue(SearchOptions(open_index=shelf))
    assert names(registry, "weather") == ["get_weather"]
    shelf.opened[0].left_over = 1
    registry.unregister("get_weather")
    assert names(registry, "weather") == []
    assert [told.count(" ") for told in shelf.told[1:]] == [1, 4]
    add(registry, *(manifest(f"n{number}", "Use when asked.") for number in range(2_100)))
    assert names(registry, "weather") == []
    assert [told.endswith("-0") for told in shelf.told[3:]] == [True]
    shelf.opened[0].left_over = 132
    registry.unregister("n1")
    assert names(registry, "weather") == []
    assert [told.count(" ") for told in shelf.told[4:]] == [1, 2_103]
