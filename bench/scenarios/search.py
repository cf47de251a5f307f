"""Searching among many entries: the time of a question, of filters, of indexing, of a change."""

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate

from bench.scenario import Sample, Scenario, cpu
from prowess import Manifest, Permissions, Registry
from prowess.app.catalogue.options import SearchOptions
from prowess.catalog.search.hit import Hit
from prowess.model.schema import Schema

_VOCABULARY = 12_000
_QUESTIONS = 400
_ENTRIES = 10_000
_TAGS = 100
_CONSONANTS, _VOWELS = "bcdfghklmnprstvz", "aeiou"

Search = Callable[[str], list[Hit]]


class _Nobody:
    async def execute(self, tool: str, input: object) -> object:  # noqa: A002 - the promised name
        return [tool, input]


class _Words:
    """Made-up words, as often as words of a language are: the second half as often as the first, and so on."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self._words = [self._word() for _ in range(_VOCABULARY)]
        self._weights = list(accumulate(1 / (place + 20) for place in range(_VOCABULARY)))

    def some(self, count: int) -> list[str]:
        """So many words."""
        return self.dice.choices(self._words, cum_weights=self._weights, k=count)

    def _word(self) -> str:
        pick = self.dice.choice
        return "".join(pick(_CONSONANTS) + pick(_VOWELS) for _ in range(self.dice.randint(2, 4))) + pick("nrst")


def _manifests(count: int) -> Iterator[Manifest]:
    words = _Words(1)
    for number in range(count):
        parameters = {word: {"type": "string", "description": " ".join(words.some(8))} for word in words.some(3)}
        yield Manifest(
            name=f"{'_'.join(words.some(2))}_{number}",
            description=" ".join(words.some(words.dice.randint(8, 20))).capitalize(),
            tags=(f"tag{number % _TAGS}",),
            input_schema=Schema.of({"type": "object", "properties": parameters}),
        )


def _filled(count: int, folder: str | None = None) -> Registry:
    registry = Registry()
    registry.search_options = SearchOptions(folder=folder)
    registry.register_tools(_Nobody(), _manifests(count))
    len(registry)
    return registry


def _questions(seed: int = 2) -> list[str]:
    words = _Words(1)
    words.dice.seed(seed)
    return [" ".join(["please", *words.some(words.dice.randint(5, 11)), "for", "me"]) for _ in range(_QUESTIONS)]


def _among(count: int) -> Sequence[Sample]:
    """Questions after as many others, as in a process that has been up for a while."""
    search = _filled(count).search
    others, questions = _questions(3), _questions()
    for question in others:
        search(question)
    return [Sample(cost=cpu(partial(search, question)), bare=1) for question in questions]


def _narrowed(narrow: Callable[[Registry], Search], count: int = _ENTRIES) -> Sequence[Sample]:
    registry = _filled(count)
    search = narrow(registry)
    search("begin")
    return [
        Sample(cost=cpu(partial(search, question)), bare=cpu(partial(registry.search, question)))
        for question in _questions()
    ]


def _permissions(registry: Registry) -> Search:
    hidden = Permissions.preset("sandboxed").without(*registry.names[:: len(registry) // 50])
    return partial(registry.search, permissions=hidden)


def _thousand(registry: Registry) -> Search:
    return registry.filtered(names=registry.names[:: len(registry) // 1_000]).search


def _rights(registry: Registry) -> Search:
    hidden = (name for number, name in enumerate(registry.names) if number % 100)
    return registry.filtered(permissions=Permissions.preset("sandboxed").without(*hidden)).search


def _indexing() -> Sequence[Sample]:
    samples: list[Sample] = []
    for _ in range(3):
        registry = _filled(_ENTRIES)
        samples.append(Sample(cost=_ENTRIES / cpu(partial(registry.search, "begin")), bare=1))
    return samples


def _change() -> Sequence[Sample]:
    registry = _filled(_ENTRIES)
    registry.search("begin")
    names = registry.names

    def change(number: int) -> None:
        changed = Manifest(name=names[number * 97], description=f"Quokka zanzibar{number}.")
        registry.register_tools(_Nobody(), [changed], replace=True)
        if registry.search(f"zanzibar{number}")[0].name != changed.name:
            message = "the changed entry is not found"
            raise AssertionError(message)

    return [Sample(cost=cpu(partial(change, number)), bare=1) for number in range(60)]


def _ready() -> Sequence[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        whole, *later = [cpu(partial(_filled(_ENTRIES, folder).search, "begin")) for _ in range(4)]
    return [Sample(cost=one, bare=whole) for one in later]


_AMONG = ((10_000, 0.1, False), (100_000, 0.4, False), (1_000_000, 2, True))
_NARROWED: tuple[tuple[str, str, Callable[[Registry], Search]], ...] = (
    ("tag", "of one tag in a hundred", lambda registry: partial(registry.search, tag="tag7")),
    ("kind", "of the kind that all have", lambda registry: partial(registry.search, kind="op")),
    ("permissions", "with fifty hidden by permissions", _permissions),
    ("view", "in a view of 200 names", lambda registry: registry.filtered(names=registry.names[::50]).search),
    ("half", "in a view of half of the names", lambda registry: registry.filtered(names=registry.names[::2]).search),
)

SCENARIOS = (
    *(
        Scenario(
            name="search-million" if on_request else f"search-among-{count}",
            what=f"`registry.search` of 5 to 11 words among {count:,} entries, in memory, after 400 others",
            bare="-",
            limit=limit,
            measure=partial(_among, count),
            absolute=True,
            unit="ms",
            scale=1e3,
            processes=1,
            on_request=on_request,
        )
        for count, limit, on_request in _AMONG
    ),
    *(
        Scenario(
            name=f"search-by-{name}",
            what=f"the same among 10,000 {what}",
            bare="searching all of them",
            limit=5,
            measure=partial(_narrowed, narrow),
            processes=1,
        )
        for name, what, narrow in _NARROWED
    ),
    Scenario(
        name="search-by-many",
        what="the same among 100,000 in a view of 1,000 names",
        bare="searching all of them",
        limit=5,
        measure=partial(_narrowed, _thousand, 100_000),
        processes=1,
    ),
    Scenario(
        name="search-by-rights",
        what="the same among 100,000 with all but one in a hundred hidden by permissions",
        bare="searching all of them",
        limit=5,
        measure=partial(_narrowed, _rights, 100_000),
        processes=1,
    ),
    Scenario(
        name="search-indexing",
        what="entries indexed in a second of CPU, 10,000 in memory",
        bare="-",
        limit=14_000,
        measure=_indexing,
        absolute=True,
        unit="/s",
        processes=2,
        at_least=True,
    ),
    Scenario(
        name="search-change",
        what="until one changed entry of 10,000 is found, the registry's snapshot included",
        bare="-",
        limit=30,
        measure=_change,
        absolute=True,
        unit="ms",
        scale=1e3,
        processes=1,
    ),
    Scenario(
        name="search-ready",
        what="the first search of 10,000 entries with an index in a folder",
        bare="indexing them",
        limit=0.3,
        measure=_ready,
        processes=1,
    ),
)
