"""Where the right entries are in the order, on the half of the queries that nothing was tuned on."""

from collections.abc import Sequence
from functools import partial

from bench import search_sets
from bench.scenario import Sample, Scenario
from prowess.app.catalogue.options import SearchOptions
from prowess.storage.fts_index import FtsIndex

_KINDS = {
    "tantivy": SearchOptions(),
    "fts": SearchOptions(open_index=FtsIndex),
    "semantic": SearchOptions(semantic=True),
}


def _quality(name: str, kind: str, figure: str) -> Sequence[Sample]:
    if not search_sets.load(name)[1]:
        return []
    return [Sample(cost=getattr(search_sets.measure(name, _KINDS[kind]), figure), bare=1)]


_FLOORS = (
    ("bfcl", "tantivy", "ndcg", 68),
    ("bfcl", "tantivy", "recall", 80),
    ("bfcl", "fts", "ndcg", 68),
    ("bfcl", "fts", "recall", 80),
    ("metatool", "tantivy", "ndcg", 59),
    ("metatool", "tantivy", "recall", 72),
    ("metatool", "fts", "ndcg", 59),
    ("metatool", "fts", "recall", 72),
    ("metatool", "semantic", "ndcg", 62),
    ("metatool", "semantic", "recall", 75),
)

SCENARIOS = tuple(
    Scenario(
        name=f"search-quality-{name}-{kind}-{figure}",
        what=f"{figure} of the first 10 hits, {kind}, odd queries of {name}",
        bare="`../shared/search`",
        limit=floor,
        measure=partial(_quality, name, kind, figure),
        absolute=True,
        unit="%",
        processes=1,
        at_least=True,
    )
    for name, kind, figure, floor in _FLOORS
)
