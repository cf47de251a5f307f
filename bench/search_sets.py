"""How good a search is: the retrieval sets beside this repository, and where the right entries are in the order."""

import json
import math
import re
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypedDict

from prowess import Manifest, Registry
from prowess.app.catalogue.options import Body, SearchOptions
from prowess.model.schema import Schema
from prowess.registry.entry import Entry

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "search"
_K = 10
_NAME = 56


class Item(TypedDict):
    """An entry of a set."""

    id: str
    name: str
    description: str
    tags: list[str]
    params: list[str]
    when: str
    body: str


class Query(TypedDict):
    """A request, and the ids of the entries that answer it."""

    id: str
    text: str
    gold: dict[str, int]


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over queries, in percent."""

    ndcg: float
    recall: float


class _Nobody:
    async def execute(self, tool: str, input: object) -> object:  # noqa: A002 - the promised name
        return [tool, input]


@cache
def load(name: str) -> tuple[list[Item], list[Query]]:
    """The entries and the queries of a set; both empty where the set is not there."""
    archive = FOLDER / f"{name}.tar.gz"
    if not archive.exists():
        return [], []
    with tarfile.open(archive) as opened:
        files = {Path(member.name).name: opened.extractfile(member) for member in opened if member.isfile()}
        corpus, queries = ([json.loads(line) for line in files[f"{one}.jsonl"] or ()] for one in ("corpus", "queries"))
    return corpus, queries


def measure(name: str, options: SearchOptions | None = None, half: int = 1) -> Quality:
    """What a registry of a set's entries reaches on every other query: 1 is the half that nothing was tuned on."""
    corpus, queries = load(name)
    registry, ids = _registry(corpus, options or SearchOptions())
    ndcg, recall = 0.0, 0.0
    chosen = queries[half::2]
    for query in chosen:
        found = [ids[hit.name] for hit in registry.search(query["text"], _K)]
        gold = query["gold"]
        ndcg += _gain(found, gold) / sum(1 / math.log2(place + 2) for place in range(min(_K, len(gold))))
        recall += sum(one in gold for one in found) / len(gold)
    return Quality(100 * ndcg / len(chosen), 100 * recall / len(chosen))


# ---------------------------------------------------------------------------------------------------------------------


def _gain(found: Sequence[str], gold: Mapping[str, int]) -> float:
    return sum(1 / math.log2(place + 2) for place, one in enumerate(found) if one in gold)


def _registry(corpus: list[Item], options: SearchOptions) -> tuple[Registry, dict[str, str]]:
    """A registry of a set's entries under legal names, and their ids by name."""
    ids: dict[str, str] = {}
    bodies: dict[str, str] = {}
    manifests: list[Manifest] = []
    for item in corpus:
        name = _legal(item["name"], ids)
        ids[name], bodies[name] = item["id"], item["body"]
        schema = Schema.of({"type": "object", "properties": {one: {} for one in item["params"]}})
        manifests.append(
            Manifest(
                name=name,
                description=item["description"],
                tags=tuple(item["tags"]),
                input_schema=schema,
                extra={"when": item["when"]},
            )
        )

    def body_of(entry: Entry) -> Body:
        return Body("", partial(bodies.__getitem__, entry.name))

    registry = Registry()
    registry.search_options = SearchOptions(
        folder=options.folder, semantic=options.semantic, open_index=options.open_index, body_of=body_of
    )
    registry.register_tools(_Nobody(), manifests)
    return registry, ids


def _legal(name: str, taken: Mapping[str, str]) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()).strip("_")
    legal = words[:_NAME].strip("_") or "x"
    number = 2
    while legal in taken:
        legal = f"{words[:_NAME].strip('_')}_{number}"
        number += 1
    return legal
