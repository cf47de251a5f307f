"""How a search among few of many entries asks an index, and that it finds what a search of all would."""

from collections.abc import Iterable

import pytest

from prowess import Permissions, Registry
from prowess.app.catalogue.following import Followed
from prowess.app.catalogue.narrowing import Narrowed, Narrowing
from prowess.catalog.search.document import facet, key_of
from prowess.registry.entry import Entry
from prowess.registry.filters import Filter
from prowess.storage.tantivy_index import TantivyIndex
from tests.ports.documents import document
from tests.unit.app.catalogue.entries import add, manifest

_COUNT = 3_000
_WORDS = ["mail", "note", "weather", "town", "order", "refund", "price", "stock", "train", "plane"]


@pytest.fixture(scope="module")
def many() -> Registry:
    """Give many entries of few words."""
    registry = Registry()
    add(registry, *(manifest(f"tool-{number}", f"{_said(number)} {number}") for number in range(_COUNT)))
    return registry


def _said(number: int) -> str:
    """Six words, others for each number."""
    return " ".join(_WORDS[(number // 3**place + place * number) % len(_WORDS)] for place in range(6))


def first_of_all(registry: Registry, query: str, names: Iterable[str]) -> list[str]:
    """Those of some names that come first where all entries are searched."""
    shown = frozenset(names)
    return [hit.name for hit in registry.search(query, _COUNT) if hit.name in shown][:5]


@pytest.mark.behaviour("search.views")
@pytest.mark.parametrize("count", [1, 30, 90, 100, 150, 299, 301, 1_500, 2_999])
def test_a_view_of_any_size_gives_what_comes_first_among_all(many: Registry, count: int) -> None:
    """Spec: what this caller may see, inside the query: whichever way is quickest, the answer is the same."""
    names = sorted(many.names, key=lambda name: (int(name[5:]) * 7919 % _COUNT, name))[:count]
    hidden = Permissions.preset("trusted").without(*set(many.names).difference(names))
    for query in ("mail about weather", "refund order 17", "train plane price stock"):
        wanted = first_of_all(many, query, names)
        assert [hit.name for hit in many.filtered(names=names).search(query)] == wanted
        assert [hit.name for hit in many.search(query, permissions=hidden)] == wanted


@pytest.mark.behaviour("search.views")
def test_a_view_of_what_comes_last_is_searched_to_its_end(many: Registry) -> None:
    """Spec: exact, also where the first thousand hits are all of others."""
    last = [hit.name for hit in many.search("mail note", _COUNT)][-200:]
    assert [hit.name for hit in many.filtered(names=last).search("mail note")] == last[:5]
    assert many.filtered(names=last).search("zanzibar") == []


def test_views_follow_the_registry() -> None:
    """Choice: what is remembered of a view holds for one state of the registry."""
    registry = Registry()
    add(registry, *(manifest(f"tool{number}", "Weather and more.") for number in range(2_000)))
    view = registry.filtered(names=[f"tool{number}" for number in range(1_900, 2_100)])
    assert len(view.search("weather", 500)) == 100
    add(registry, *(manifest(f"tool{number}", "Weather and more.") for number in range(2_000, 2_050)))
    assert len(view.search("weather", 500)) == 150
    registry.unregister("tool1950")
    assert len(view.search("weather", 500)) == 149


class Versions:
    """Counts how often it is asked for the entries of a name."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = {entry.name: entry for entry in entries}
        self.asked = 0

    def __call__(self, name: str) -> Iterable[Entry]:
        """Give the entries of a name."""
        self.asked += 1
        return [self.entries[name]]


def test_the_keys_of_a_view_are_worked_out_once() -> None:
    """Choice: they are remembered by what asks for them, for some views, while the registry stays as it is."""
    registry = Registry()
    add(registry, *(manifest(f"tool{number}", "Weather.") for number in range(4_000)))
    index = TantivyIndex()
    index.update((document(f"tool{number}", "Weather.") for number in range(4_000)), ())
    now = Followed(tuple(registry), {}, index)
    versions = Versions(registry)
    narrowing = Narrowing(versions)
    views = [Filter(names=registry.names[start : start + 200]) for start in range(70)]
    narrowed = narrowing.of(views[0], now)
    assert narrowed == narrowing.of(views[0], now)
    assert versions.asked == 200
    assert (narrowed.facets, narrowed.share, len(narrowed.among[0])) == ((), 0.05, 200)
    for view in views:
        narrowing.of(view, now)
    assert narrowing.of(views[0], now) == narrowed
    assert versions.asked == 71 * 200
    narrowing.of(views[0], Followed(tuple(registry), {}, index))
    assert versions.asked == 72 * 200


def test_names_are_asked_for_where_that_is_quicker_than_to_find_all() -> None:
    """Choice: one name takes about as long as five documents."""
    names = frozenset(f"tool{number}" for number in range(100))
    narrowed = Narrowed((("tag=a",),), (frozenset({key_of("tool1")}),), names, 0.1)
    assert narrowed.by_name(499, 100_000) is None
    assert narrowed.by_name(100_000, 499) is None
    asked = narrowed.by_name(500, 500)
    assert asked is not None
    assert asked.facets == (("tag=a",), tuple(sorted(facet("name", name) for name in names)))
    assert asked.by_name(100_000, 100_000) is None
    assert Narrowed().by_name(100_000, 100_000) is None
    assert asked.taken([(1.0, key_of("tool1"), 1), (0.5, key_of("tool2"), 2)]) == [(1.0, key_of("tool1"), 1)]
