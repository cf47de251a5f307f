"""The route that searches, where no server stands before it."""

import pytest

from prowess import op
from tests.unit.server.served import app_of, asking


@op(tags=["sky"])
async def get_weather(city: str) -> str:
    """Tell the weather of a town."""
    return city


@op
async def get_climate(city: str) -> str:
    """Tell the climate of a town."""
    return city


async def test_hits_come_by_page_and_filter() -> None:
    """Spec: GET /v1/search?q=&k=&page=&tag=."""
    async with asking(app_of(get_weather, get_climate)) as client:
        both = (await client.get("/v1/search", params={"q": "town"})).json()
        second = (await client.get("/v1/search", params={"q": "town", "k": "1", "page": "2"})).json()
        sky = (await client.get("/v1/search", params={"q": "town", "tag": "sky"})).json()
    assert (both["query"], both["page"]) == ("town", 1)
    assert [hit["name"] for hit in both["hits"]] == ["get_climate", "get_weather"]
    assert second["hits"] == both["hits"][1:]
    assert [hit["name"] for hit in sky["hits"]] == ["get_weather"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "there is no query parameter 'q'"),
        ("q=x&k=ten", "'k' is a whole number, from 1"),
        ("q=x&k=0", "both are at least 1"),
        ("q=x&page=12345678901", "'page' is a whole number"),
        ("q=x&kind=opp", "did you mean 'op'?"),
    ],
)
async def test_what_cannot_be_asked_is_refused(query: str, words: str) -> None:
    """Spec: refused with what would be right."""
    async with asking(app_of(get_weather)) as client:
        answer = await client.get(f"/v1/search?{query}")
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]
