"""What an entry says of itself as a document."""

import pytest
from msgspec.structs import replace

from prowess.catalog.search.document import chosen, digest_of, document_of, key_of, text_of
from prowess.catalog.search.words import words_of
from prowess.model.manifest import Kind, Manifest, Status
from prowess.model.schema import Schema

SCHEMA = Schema.of(
    {
        "type": "object",
        "description": "All inputs.",
        "properties": {
            "query": {"type": "string", "description": "What to look for"},
            "unit": {"enum": ["celsius", "kelvin", 1]},
            "where": {
                "type": "object",
                "properties": {"city": {"type": "string", "description": "A town"}, "description": {"type": "string"}},
            },
            "any": {"anyOf": [{"description": "One way"}, True, {"description": "Another way"}]},
        },
    }
)
WEATHER = Manifest(
    name="acme/get-weather",
    version="1.0.0",
    title="Forecasts",
    id="wx",
    description="Tell the weather.",
    tags=("sky", "air"),
    input_schema=SCHEMA,
    examples=("Will it rain?",),
    extra={"when": "Use when it may rain.", "triggers": ["umbrella", 3, "coat"], "keywords": "storm"},
)


def test_the_parts_of_a_manifest_are_told_apart() -> None:
    """Spec: name, description, when, tags, triggers, parameter names, body."""
    text = text_of(WEATHER, "# Instructions")
    assert text.name == "acme/get-weather Forecasts wx"
    assert text.description == "Tell the weather."
    assert text.when == "Use when it may rain."
    assert text.tags.split() == ["sky", "air"]
    assert text.triggers.split() == ["umbrella", "coat", "storm"]
    assert text.parameters.split() == ["query", "unit", "where", "any"]
    assert [line.strip() for line in text.body.split("\n")] == [
        *("All inputs.", "What to look for", "celsius", "kelvin", "city", "description", "A town"),
        *("One way", "Another way", "Will it rain?", "# Instructions"),
    ]


@pytest.mark.parametrize("schema", [True, {"type": "object"}, {"properties": {"a": True}}])
def test_a_schema_that_says_little_gives_little(schema: bool | dict[str, object]) -> None:
    """Choice: any JSON Schema may stand there."""
    text = text_of(Manifest(name="x", input_schema=Schema.of(schema)))
    assert text.body.strip() == ""
    assert text.parameters in {"", "a"}


def test_a_schema_is_read_up_to_a_bound() -> None:
    """Choice: a generated schema of a thousand choices says nothing that five hundred do not."""
    many = {f"p{number}": {"description": f"d{number}"} for number in range(2_000)}
    body = text_of(Manifest(name="x", input_schema=Schema.of({"properties": many}))).body
    assert len(words_of(body)) == 500


def test_a_document_has_three_texts_that_overlap() -> None:
    """Spec: `everything`, the same without the body and the name twice, the name."""
    document = document_of(WEATHER, "pack", text_of(WEATHER, "Body words"), 7)
    name = "acm get weather getweath forecast wx"
    meta = "tell weather use may rain sky air umbrella coat storm queri unit"
    assert document.name == name
    assert document.meta.startswith(f"{name} {name} tell weather use rain sky air umbrella coat storm queri unit")
    assert document.everything.startswith(f"{name} tell weather use rain")
    assert document.everything.endswith("bodi word")
    assert "bodi" not in document.meta
    assert meta.split(maxsplit=1)[0] in document.everything
    assert document.facets == (
        *("name=acme/get_weather", "kind=op", "status=enabled", "source=pack", "tag=sky", "tag=air"),
    )
    assert (document.key, document.digest) == (key_of("acme/get-weather@1.0.0"), 7)


@pytest.mark.behaviour("search.long-bodies")
def test_of_a_long_body_the_beginning_and_the_most_frequent_new_words_are_kept() -> None:
    """Spec: of the body the first 150 words and its 64 most distinctive ones."""
    head = [f"head{number}" for number in range(150)]
    rest = [f"rest{number:03}" for number in range(100)]
    kept = chosen([*head, *rest, *head, "often", "often", "often", "longer-word", "b", "a"])
    assert kept[:150] == head
    assert kept[150:153] == ["often", "longer-word", "rest000"]
    assert len(kept) == 214
    assert chosen(head) == head


def test_a_digest_changes_with_all_that_is_searched_and_with_nothing_else() -> None:
    """Spec: an index is ready without adding again what it holds."""
    before = digest_of(WEATHER, "pack", "r1")
    changes = [
        *(replace(WEATHER, description="Other"), replace(WEATHER, tags=("sky",)), replace(WEATHER, kind=Kind.LOGIC)),
        *(replace(WEATHER, status=Status.DISABLED), replace(WEATHER, examples=()), replace(WEATHER, extra={})),
        replace(WEATHER, input_schema=Schema.of({"type": "object"})),
    ]
    others = [digest_of(other, "pack", "r1") for other in changes]
    assert len({before, *others, digest_of(WEATHER, "box", "r1"), digest_of(WEATHER, "pack", "r2")}) == 10
    assert digest_of(replace(WEATHER, author="somebody", extra={**WEATHER.extra, "x": 1}), "pack", "r1") == before
    assert 0 <= before < 2**63


def test_entries_that_say_the_same_under_one_name_are_twins() -> None:
    """Spec: near-identical results are collapsed."""

    def twin(manifest: Manifest) -> int:
        return document_of(manifest, "x", text_of(manifest), 0).twin

    other = replace(WEATHER, name="other/get_weather", description="WEATHER! Tell the weather", version="2.0.0")
    assert twin(other) == twin(WEATHER)
    assert twin(replace(WEATHER, name="acme/weather")) != twin(WEATHER)
    assert twin(replace(WEATHER, description="Tell the weather of 1999.")) != twin(WEATHER)


def test_half_a_surrogate_pair_is_text_like_any_other() -> None:
    """Choice: what came from a file name or a broken document must not end a search."""
    odd = replace(WEATHER, description="odd \ud800 words", tags=("t\ud800",))
    document = document_of(odd, "\udcff", text_of(odd, "\ud800"), digest_of(odd, "\udcff"))
    assert "odd word" in document.everything
    assert document.facets[-1] == "tag=t\\ud800"
    assert document.facets[3] == "source=\\udcff"
