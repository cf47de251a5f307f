"""What `Registry.search` and the searches of its views give."""

from collections.abc import Callable, Sequence
from operator import methodcaller

import pytest

from prowess import Permissions, Registry, Services
from prowess.app.catalogue import searching
from prowess.app.catalogue.options import SearchOptions
from prowess.catalog.search.matching import Match
from prowess.catalog.search.port import IndexUnavailableError, SearchIndex
from prowess.errors import ConfigurationError, MissingExtraError
from prowess.storage.fts_index import FtsIndex
from tests.unit.app.catalogue.entries import add, catalogue, manifest, names


@pytest.mark.behaviour("search.best-first")
def test_the_entries_that_fit_come_best_first() -> None:
    """Spec: `registry.search` gives hits with what each is and its score."""
    registry = catalogue()
    first, second = registry.search("find my notes about rust")
    assert (first.name, second.name) == ("search_notes", "write_note")
    assert first.score > second.score > 0
    assert (second.version, second.kind, second.status, second.source) == ("1.2.0", "op", "enabled", "tools")
    assert (second.description, second.tags, second.also) == ("Write a new note.", ("notes",), ())
    assert second.manifest is registry.require("write_note").manifest
    assert repr(second) == f"<hit write_note@1.2.0 {second.score:.2f}>"
    assert registry.search("weather", 1)[0].name == "get_weather"


def test_a_hit_tells_why_it_matched() -> None:
    """Spec: explain which field and word matched."""
    [hit] = catalogue().search("wether in towns")
    assert hit.matched == (
        Match("name", "wether", "get_weather"),
        Match("description", "wether", "weather"),
        Match("description", "towns", "town"),
    )
    shown = hit.to_json()
    assert shown == {
        "name": "get_weather",
        "kind": "op",
        "status": "enabled",
        "description": "Tell the weather of a town.",
        "source": "tools",
        "tags": ["sky"],
        "score": round(hit.score, 4),
        "matched": [
            {"field": "name", "word": "wether", "found": "get_weather"},
            {"field": "description", "word": "wether", "found": "weather"},
            {"field": "description", "word": "towns", "found": "town"},
        ],
    }


@pytest.mark.behaviour("search.filters")
def test_filters_hold_before_the_cut() -> None:
    """Spec: kind, tag, status and source, inside the query."""
    registry = catalogue()
    add(registry, *(manifest(f"notes{number}", "Notes notes notes.") for number in range(40)))
    assert [hit.name for hit in registry.search("notes", 1, kind="logic")] == ["search_notes"]
    assert {hit.name for hit in registry.search("notes", tag="notes")} == {"search_notes", "write_note"}
    assert [hit.name for hit in registry.search("refund order notes", source="acme")] == ["acme/refund"]
    assert [hit.name for hit in registry.search("notes refund", status="deprecated")] == ["acme/refund"]
    assert registry.search("notes", tag="sky") == registry.search("notes", kind="pipeline") == []
    assert {hit.name for hit in registry.search("notes", 9, kind="skill")} == {"search_notes"}
    with pytest.raises(ConfigurationError, match="kind"):
        registry.search("notes", kind="nothing")


@pytest.mark.behaviour("search.disabled")
def test_what_cannot_run_is_found_only_when_asked_for() -> None:
    """Choice: whoever searches wants to use what he finds; tool definitions leave disabled entries out too."""
    registry = catalogue()
    assert "old_notes" not in names(registry, "notes", 10)
    assert [hit.name for hit in registry.search("notes", status="disabled")] == ["old_notes"]


@pytest.mark.behaviour("search.views")
def test_a_view_searches_only_what_it_shows() -> None:
    """Spec: what this caller may see, inside the query."""
    registry = catalogue()
    add(registry, *(manifest(f"notes{number}", "Notes notes notes.") for number in range(200)))
    hidden = Permissions.preset("sandboxed").without("search-notes", *(f"notes{number}" for number in range(200)))
    assert [hit.name for hit in registry.search("notes", permissions=hidden)] == ["write_note"]
    view = registry.filtered(permissions=hidden)
    assert [hit.name for hit in view.search("notes")] == ["write_note"]
    assert view.filtered(kind="logic").search("notes") == []
    assert [hit.name for hit in registry.filtered(kind="logic").search("notes")] == ["search_notes"]
    assert {hit.name for hit in registry.filtered(tag="notes").search("notes")} == {"search_notes", "write_note"}
    few = registry.filtered(names=["write_note", "get_weather"])
    assert [hit.name for hit in few.search("notes weather")] == ["get_weather", "write_note"]
    many = registry.filtered(names=["write_note", *(f"notes{number}" for number in range(100, 160))])
    assert len(many.search("notes", 100)) == 61
    assert len(registry.filtered(names=registry.names).search("notes", 500)) == 202


def test_many_narrow_views_are_searched_by_turns() -> None:
    """Choice: what is remembered of filters is bounded."""
    registry = catalogue()
    for number in range(520):
        assert registry.filtered(names=["get_weather", f"x{number}"]).search("weather")[0].name == "get_weather"


@pytest.mark.behaviour("search.pages")
def test_results_page() -> None:
    """Spec: results page: pages follow one another without gap or repetition."""
    registry = catalogue()
    add(registry, *(manifest(f"tool{number:03}", f"Weather {'x ' * number}") for number in range(60)))
    whole = names(registry, "weather", 61)
    pages = [[hit.name for hit in registry.search("weather", 7, page=page)] for page in range(1, 10)]
    assert [name for page in pages for name in page] == whole
    assert len(whole) == 61
    assert registry.search("weather", 7, page=10) == []


@pytest.mark.parametrize(("k", "page"), [(0, 1), (1, 0), (-1, 1), (10_001, 1), (101, 100)])
def test_a_page_that_is_none_is_refused(k: int, page: int) -> None:
    """Choice: a sentence is better than an empty list."""
    with pytest.raises(ConfigurationError, match=f"k is {k} and page is {page}"):
        catalogue().search("notes", k, page=page)


@pytest.mark.behaviour("search.any-text")
@pytest.mark.parametrize(
    "given", [{"query": None}, {"query": b"notes"}, {"query": ["notes"]}, {"k": "5"}, {"k": 1.5}, {"page": True}]
)
def test_what_is_no_text_or_number_is_refused_with_what_was_given(given: dict[str, object]) -> None:
    """Regression: `'NoneType' object is not subscriptable` is a bug's message, and not for the one who asked."""
    [(name, value)] = given.items()
    with pytest.raises(ConfigurationError, match=f"was given .*{name}: {type(value).__name__}"):
        methodcaller("search", **{"query": "notes", **given})(catalogue())


@pytest.mark.parametrize(
    "query",
    [
        "lorem ipsum dolor sit amet " * 4_000,
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" * 500,
        'name:x AND (notes OR bar*) NOT baz^2 ~3 [a TO b] +y -z NEAR/5 "open',
        "a" + "\u0300" * 50_000,
        "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 500,
        "\u0628\u062d\u062b \u0e04\u0e49\u0e19 \u641c\u7d22 \u0916\u094b\u091c " * 2_000,
        "".join(map(chr, range(0x4E00, 0x9000))),
        "".join(map(chr, range(32))) * 100,
        "a-" * 32_000,
    ],
)
@pytest.mark.parametrize("kind", ["tantivy", "fts"])
@pytest.mark.behaviour("search.any-text")
def test_whatever_is_pasted_there_is_an_answer(query: str, kind: str) -> None:
    """Spec: weird queries give sensible answers, never an error."""
    registry = catalogue(SearchOptions(open_index=FtsIndex if kind == "fts" else None))
    hits = registry.search(f"weather {query}", 9)
    assert "get_weather" in [hit.name for hit in hits if hit.matched]


def test_ties_are_in_the_order_of_names_whatever_was_registered_when() -> None:
    """Spec: deterministic, ties by name."""
    registry = Registry()
    add(registry, *(manifest(f"tool-{number:03}", f"Weather of place number {number}") for number in range(50, 90)))
    assert names(registry, "weather", 3) == ["tool-050", "tool-051", "tool-052"]
    add(registry, *(manifest(f"tool-{number:03}", f"Weather of place number {number}") for number in range(20)))
    assert names(registry, "weather", 3) == ["tool-000", "tool-001", "tool-002"]
    assert names(registry, "weather", 3) == names(registry, "weather", 60)[:3]


def test_what_says_the_same_is_one_hit() -> None:
    """Spec: near-identical results are collapsed before the cut to k."""
    registry = catalogue()
    add(registry, *(manifest(f"pack{number}/mail", "Send a letter!") for number in range(100)))
    add(registry, manifest("post", "Send a letter by post"), manifest("fax", "Send a fax"))
    hits = registry.search("send a letter", 3)
    assert [hit.name for hit in hits] == ["post", "pack0/mail", "fax"]
    assert len(hits[1].also) == 99


def test_of_several_versions_one_is_found() -> None:
    """Choice: a model is offered an entry once, the version that fits best."""
    registry = Registry()
    add(registry, *(manifest("mail", "Send a letter.", version=f"1.{minor}.0") for minor in range(12)))
    [hit] = registry.search("letter")
    assert hit.version == "1.11.0"
    assert len(hit.also) == 11
    [older] = registry.filtered(names=["mail"]).search("letter", status="enabled")
    assert older.version == "1.11.0"


@pytest.mark.behaviour("search.any-text")
@pytest.mark.parametrize(
    "query",
    ["", "   ", "the of and", "\x00\x1b[31m", '"(*&^ AND OR NOT :', "\U0001f389", "\ud800", "\u641c\u7d22", "%"],
)
def test_a_request_that_says_nothing_finds_nothing(query: str) -> None:
    """Spec: weird queries give sensible answers, never an error."""
    assert catalogue().search(query) == []


def test_a_megabyte_is_a_request_like_any_other() -> None:
    """Spec: 1 MB."""
    assert names(catalogue(), "notes " * 170_000)[:1] == ["search_notes"]
    assert names(catalogue(), "".join(f"word{number} " for number in range(100_000))) == []


def test_scripts_without_spaces_and_emoji_are_found() -> None:
    """Choice: by what stands there."""
    registry = catalogue()
    add(registry, manifest("sousuo", "\u641c\u7d22\u6211\u7684\u7b14\u8bb0"), manifest("party", "Celebrate \U0001f389"))
    assert names(registry, "\u7b14\u8bb0") == ["sousuo"]
    assert names(registry, "\U0001f389") == ["party"]


async def test_a_registry_whose_search_was_refused_can_be_closed() -> None:
    """Choice: there is nothing to close yet."""
    async with catalogue() as registry:
        with pytest.raises(ConfigurationError):
            registry.search("notes", 0)


async def test_a_closed_registry_may_be_searched_again() -> None:
    """Choice: closing twice, or searching late, is no crime."""
    registry = Registry(Services())
    await registry.aclose()
    add(registry, manifest("mail", "Send a letter."))
    assert names(registry, "letter") == ["mail"]
    await registry.aclose()
    assert names(registry, "letter") == ["mail"]


@pytest.mark.behaviour("search.without-tantivy")
def test_without_tantivy_sqlite_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: SQLite FTS5 as the fallback without it."""
    without(monkeypatch, "prowess.storage.tantivy_index")
    registry = catalogue()
    assert names(registry, "notes") == ["search_notes", "write_note"]
    assert isinstance(searching.open_index(None), FtsIndex)


def test_where_nothing_can_search_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: a missing extra says which to install."""

    def refuse(folder: str | None) -> SearchIndex:
        raise IndexUnavailableError(f"no such module: fts5 ({folder})")

    with pytest.raises(MissingExtraError, match=r"prowess\[search\]"):
        searching.open_fts(None, refuse)
    with pytest.raises(IndexUnavailableError):
        searching.open_fts("folder", refuse)


@pytest.mark.behaviour("search.semantic-missing")
def test_without_the_semantic_extra_a_search_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: MissingExtraError naming the extra when asked for and absent."""
    without(monkeypatch, "prowess.storage.semantic")
    registry = catalogue(SearchOptions(semantic=True))
    with pytest.raises(MissingExtraError, match=r"prowess\[semantic\]"):
        registry.search("notes")


class FakeMeaning:
    """Finds those texts near that have a word."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[str] = []
        self.digests: set[int] = set()
        self.closed = False

    def likeness(self, question: str, texts: Sequence[tuple[int, Callable[[], str]]]) -> Sequence[float]:
        """Judge texts by one word."""
        self.asked.append(question)
        self.digests.update(digest for digest, _ in texts)
        return [0.9 if self.word in text() else 0.1 for _, text in texts]

    def close(self) -> None:
        """Note it."""
        self.closed = True


async def test_meaning_changes_the_order_of_the_first_hits_and_adds_none() -> None:
    """Spec: re-scores the lexical first 100 with weight .35."""
    meaning = FakeMeaning("new note")
    registry = catalogue(SearchOptions(semantic=True, open_meaning=lambda _folder: meaning))
    assert [hit.name for hit in registry.search("asks notes")] == ["search_notes", "write_note"]
    assert [hit.name for hit in registry.search("use notes")] == ["search_notes", "write_note"]
    first, second = registry.search("note")
    assert first.name == "write_note"
    assert 1 >= first.score > second.score > 0
    assert registry.search("elephant") == []
    assert meaning.asked == ["asks notes", "use notes", "note"]
    assert len(meaning.digests) == 2
    add(registry, *(manifest(f"tool{number:03}", "Note of things.") for number in range(150)))
    hits = registry.search("note", 150)
    assert hits[0].name == "write_note"
    assert len(hits) == 150
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    await registry.aclose()
    assert meaning.closed


def without(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Let a module be one that cannot be imported."""
    monkeypatch.setitem(__import__("sys").modules, module, None)
