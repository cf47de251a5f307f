"""What the four tools answer, as JSON. A key is left out where there is nothing to say."""

from collections.abc import Iterable

from msgspec import Struct

from prowess.exposure.disclosure.budget import Page
from prowess.model.json_value import Json
from prowess.model.manifest import Kind, Manifest, Status

__all__ = ["Found", "found_rows", "is_disclosed", "is_for_people", "listed"]

_FOR_PEOPLE = "disable-model-invocation"
"""The field of a SKILL.md, and of its manifest's `extra`, that is true for what its author offers to people only."""


class Found(Struct, frozen=True, gc=False):
    """An entry that a search found: how well it fits, and what of it matched."""

    manifest: Manifest
    score: float
    why: tuple[str, ...] = ()


def is_disclosed(manifest: Manifest) -> bool:
    """Whether an entry is a package that models may be told of."""
    packaged = manifest.kind is Kind.PACKAGE
    return packaged and manifest.status is not Status.DISABLED and not is_for_people(manifest)


def is_for_people(manifest: Manifest) -> bool:
    """Whether its author offers a package to people only."""
    return manifest.kind is Kind.PACKAGE and manifest.extra.get(_FOR_PEOPLE) is True


def listed(page: Page) -> dict[str, Json]:
    """The answer of `list_skills`."""
    told: dict[str, Json] = {"skills": [_row(row.manifest, row.description) for row in page.rows]}
    named: list[Json] = [manifest.name for manifest in page.left_out[: page.named]]
    bare = sum(row.is_bare for row in page.rows)
    said: dict[str, Json] = {"count": len(page.left_out), "names": named, "descriptions": bare}
    left_out: dict[str, Json] = {key: value for key, value in said.items() if value}
    if left_out:
        told["left_out"] = left_out
    if page.next is not None:
        told["next"] = page.next
    return told


def found_rows(found: Iterable[Found]) -> dict[str, Json]:
    """The answer of `search_skills`."""
    rows: list[Json] = [
        {
            **_row(one.manifest, one.manifest.description),
            "kind": str(one.manifest.kind),
            "score": round(one.score, 4),
            "why": list(one.why),
        }
        for one in found
    ]
    return {"skills": rows}


# ---------------------------------------------------------------------------------------------------------------------


def _row(manifest: Manifest, description: str) -> dict[str, Json]:
    row: dict[str, Json] = {"name": manifest.name}
    if description:
        row["description"] = description
    if manifest.version:
        row["version"] = manifest.version
    return row
