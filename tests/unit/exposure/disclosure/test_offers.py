"""What a model would be offered for a user's words, and why not more."""

from __future__ import annotations

from prowess import Manifest
from prowess.exposure.disclosure.budget import fit
from prowess.exposure.disclosure.offers import Asked, explanation
from prowess.exposure.disclosure.shapes import Found, is_disclosed
from prowess.exposure.disclosure.tools import FOUND_BY_DEFAULT
from prowess.model.manifest import Kind, Status

LONG = "Use when the user wants " + "many things done " * 20
SHOWN = (
    Manifest(name="add", description="Add."),
    Manifest(name="hidden", description="x", kind=Kind.PACKAGE),
    Manifest(name="long", description=LONG, kind=Kind.PACKAGE),
    Manifest(name="off", description="x", kind=Kind.PACKAGE, status=Status.DISABLED),
    Manifest(name="people", description="x", kind=Kind.PACKAGE, extra={"disable-model-invocation": True}),
    Manifest(name="short", description="Short.", kind=Kind.PACKAGE, version="1.0"),
)


def sees(manifest: Manifest) -> bool:
    """Everything but one entry."""
    return manifest.name != "hidden"


def test_every_entry_is_told_of_with_the_reason() -> None:
    """Spec: for every skill what a model would have been offered, its rank, what was trimmed and why."""
    asked = Asked("many things", 100, sees)
    packages = [one for one in SHOWN if is_disclosed(one) and asked.sees(one)]
    found = [Found(SHOWN[2], 2.0, ("description: many",)), Found(SHOWN[0], 1.0)]
    told = explanation(asked, SHOWN, found, fit(packages, 100))
    rows = {offer.manifest.name: (offer.rank, offer.offered, offer.reasons) for offer in told.offers}
    assert list(rows) == ["long", "add", "hidden", "off", "people", "short"]
    rank, offered, reasons = rows.pop("long")
    assert (rank, offered, len(reasons)) == (1, "list_skills", 1)
    assert reasons[0].startswith("description cut from 91 to ")
    assert rows == {
        "add": (2, "tool", ()),
        "hidden": (None, None, ("not visible to this caller",)),
        "off": (None, None, ("disabled",)),
        "people": (None, None, ("disable-model-invocation: for people only",)),
        "short": (None, "list_skills", ("not found by these words",)),
    }
    assert told.offers[-1].to_json() == {
        "name": "short",
        "version": "1.0",
        "kind": "package",
        "rank": None,
        "offered": "list_skills",
        "description": "Short.",
        "matched": [],
        "reasons": ["not found by these words"],
    }
    assert told.to_json()["budget"] == 100


def test_what_a_budget_or_a_rank_leaves_out_is_told() -> None:
    """Spec: left out by the budget, rank beyond k."""
    many = [Manifest(name=f"s{number:02}", description=LONG, kind=Kind.PACKAGE) for number in range(20)]
    asked = Asked("things", 60, sees)
    told = explanation(asked, many, [Found(one, 1.0) for one in many[::-1]], fit(many, 60))
    assert [offer.rank for offer in told.offers] == list(range(1, 21))
    assert told.offers[0].reasons == ("left out of the list: its budget is 60 tokens",)
    assert told.offers[FOUND_BY_DEFAULT].reasons[-1] == "found, but behind the first 10"


def test_a_search_finds_what_a_model_may_use() -> None:
    """Spec: search finds every visible entry, not those that are disabled or for people only."""
    asked = Asked("x", 100, sees)
    assert [one.name for one in SHOWN if asked.may_find(one)] == ["add", "long", "short"]
