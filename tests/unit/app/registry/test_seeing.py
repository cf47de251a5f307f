"""What a filter and a view show, and what a view tells of the rest: nothing."""

import threading
from typing import Any

import pytest

from prowess import Manifest, NotFoundError, Permissions, Pipeline, Registry, Runtime, Services, op
from prowess.errors import ConfigurationError, UnavailableError
from tests.unit.app.registry.skills import Whisper, search_index, search_notes, versioned


def two_versions() -> Registry:
    """A name whose older version carries a tag."""
    registry = Registry()
    for version, tags in (("1.0.0", ["z"]), ("2.0.0", [])):
        manifest = Manifest(name="n", version=version, description="d", tags=tags, input_schema=Whisper.parameters)
        registry.register_factory("n", lambda _: Named("n"), manifest=manifest, source=version)
    return registry


class Named(Whisper):
    """A skill of this name."""

    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.behaviour("views.latest")
async def test_in_a_view_a_bare_name_means_the_highest_version_that_it_shows() -> None:
    """Regression: names and list said n, while get gave None, tools nothing and run found nothing."""
    view = two_versions().filtered(tag="z")
    assert view.names == ("n",)
    assert [manifest.version for manifest in view.list()] == ["1.0.0"]
    assert view.require("n").version == view.require("n", "*").version == view.require("n@^1").version == "1.0.0"
    assert view.get("n", "^2") is None
    assert len(view.tools("openai")) == 1
    assert (await Runtime(view).run("n", {"text": "A"})).output == "a"


@pytest.mark.behaviour("views.filters")
def test_a_view_narrows_by_everything_that_list_filters_by() -> None:
    """Regression: `filtered` knew neither status nor source."""
    registry = two_versions()
    assert [entry.version for entry in registry.filtered(source="1.0.0")] == ["1.0.0"]
    assert [entry.version for entry in registry.filtered(status="enabled")] == ["1.0.0", "2.0.0"]
    assert len(registry.filtered(status="disabled")) == 0
    assert len(registry.filtered(source="1.0.0").filtered(source="2.0.0")) == 0
    assert len(registry.filtered()) == 2


@pytest.mark.behaviour("views.filters")
@pytest.mark.parametrize("names", [["a_b"], ["a-b"], "a-b", {"a_b": 1}.keys()])
def test_a_view_by_names_takes_either_spelling(names: Any) -> None:
    """Regression: `names=["a_b"]` missed 'a-b'."""
    registry = versioned("1.0.0", name="a-b")
    assert registry.filtered(names=names).names == ("a-b",)
    assert registry.filtered(names=names).get("a_b") is registry.get("a-b")


@pytest.mark.behaviour("views.filters")
def test_skills_are_every_kind_but_ops() -> None:
    """Choice: `skill` is what people call them."""
    registry = Registry()
    registry.register(search_index, search_notes, Pipeline("p", version="1.0.0", description="d"))
    assert [one.name for one in registry.list(kind="skill")] == ["p", "search_notes"]
    assert registry.filtered(kind="skill").names == ("p", "search_notes")
    assert registry.filtered(kind="op").names == ("search_index",)


@pytest.mark.behaviour("views.filters")
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "nope"}, "kind: must be one of op, logic, pipeline, package, skill"),
        ({"kind": "skil"}, "did you mean 'skill'"),
        ({"status": "bogus"}, "status: must be one of enabled, disabled, deprecated"),
        ({"status": "enable"}, "did you mean 'enabled'"),
        ({"tag": 5}, "tag: must be text"),
        ({"kind": 5, "source": 6}, "kind: must be one of .*; source: must be text"),
    ],
)
def test_a_filter_that_nothing_can_fit_is_told(asked: dict[str, Any], words: str) -> None:
    """Regression: an unknown kind or status gave an empty list."""
    registry = two_versions()
    with pytest.raises(ConfigurationError, match=words):
        registry.list(**asked)
    with pytest.raises(ConfigurationError, match=words):
        registry.filtered(**asked)


@pytest.mark.parametrize(
    ("asked", "words"),
    [({"names": 5}, "names: must be a list"), ({"names": [5]}, "must be text"), ({"permissions": "worker"}, "preset")],
)
def test_what_no_view_can_be_made_of_is_told(asked: dict[str, Any], words: str) -> None:
    """Choice: an error says what would be right."""
    with pytest.raises(ConfigurationError, match=words):
        Registry().filtered(**asked)


def failing() -> Registry:
    """A registry with factories that fail, and an op."""
    registry = Registry()
    registry.register(search_index)
    for name in ("hidden", "shown"):
        registry.register_factory(name, _fail)
    return registry


@pytest.mark.behaviour("views.hidden")
def test_a_view_tells_nothing_of_what_it_hides() -> None:
    """Regression: diagnostics named hidden entries."""
    registry = failing()
    named = registry.filtered(names=["shown", "search_index"])
    assert [one.entry for one in named.diagnostics] == ["shown"]
    assert registry.filtered(tag="notes").diagnostics == ()
    assert [one.entry for one in registry.diagnostics] == ["hidden", "shown"]


@pytest.mark.behaviour("views.hidden")
def test_a_view_makes_nothing_whose_name_it_hides() -> None:
    """Regression: `get` of a hidden factory ran it, and raised its error."""
    made: list[str] = []

    def make(_: Services) -> Whisper:
        made.append("")
        return Whisper()

    registry = failing()
    registry.register_factory("whisper", make)
    view = registry.filtered(permissions=Permissions().without("hidden", "whisper"))
    assert view.get("hidden") is None
    assert view.get("whisper") is None
    with pytest.raises(NotFoundError) as caught:
        view.require("hiddem")
    assert caught.value.near == ()
    with pytest.raises(NotFoundError) as caught:
        view.require("showm")
    assert caught.value.near == ("shown",)
    assert made == []
    with pytest.raises(UnavailableError, match="'shown'"):
        view.get("shown")


def test_what_cannot_be_made_is_not_there_where_only_its_manifest_could_show_it() -> None:
    """Choice: nobody can say that it would be shown, and a view never shows too much."""
    registry = failing()
    view = registry.filtered(kind="op")
    assert view.get("shown") is None
    assert view.get("search_index") is not None
    with pytest.raises(NotFoundError) as caught:
        view.require("search_indes")
    assert caught.value.near == ("search_index",)
    registry.register_factory("whisper", lambda _: Whisper())
    assert registry.filtered(kind="logic").require("whisper").name == "whisper"


def test_the_tools_that_a_reader_gets_are_all_there_while_others_are_written() -> None:
    """Regression: what a bare name gives was looked up after the snapshot was taken, so that names fell out."""
    registry = versioned("1.0.0", name="n")
    short: list[int] = []

    def come_and_go() -> None:
        for _ in range(300):
            registry.register_factory(
                "n", lambda _: Whisper(), manifest=Manifest(name="n", version="2.0.0", description="2")
            )
            registry.unregister("n@2.0.0")

    writer = threading.Thread(target=come_and_go)
    writer.start()
    while writer.is_alive():
        short += [len(registry.tools()) for _ in range(3) if len(registry.tools()) != 1]
    writer.join()
    assert short == []


def test_a_view_keeps_what_it_sees_until_a_write() -> None:
    """Choice: a whole view is made once for each state of the registry."""
    registry = two_versions()
    view = registry.filtered(tag="z")
    assert view.toolset("openai") is view.toolset("openai")
    registry.unregister("n@1.0.0")
    assert view.names == ()
    assert registry.names == ("n",)


def test_a_snapshot_is_a_collection() -> None:
    """Choice: what can be gone through can be counted."""

    @op
    async def other() -> None:
        """Other."""

    registry = Registry()
    registry.register(other, search_index)
    snapshot = registry.holdings.snapshot()
    assert len(snapshot) == len(list(snapshot)) == 2
    assert [manifest.name for manifest in snapshot.manifests] == ["other", "search_index"]


def _fail(_: Services) -> object:
    raise OSError
