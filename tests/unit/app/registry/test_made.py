"""What a factory makes: held to what was said of it, and told by its name where it fails."""

import pytest

from prowess import AlreadyRegisteredError, BaseSkill, InvalidManifestError, Manifest, Registry, Services
from prowess.errors import MissingServiceError, UnavailableError
from tests.unit.app.registry.skills import Whisper, search_index


class Versioned(Whisper):
    """A skill that says its name and version."""

    def __init__(self, name: str, version: str | None) -> None:
        self.name = name
        self.version = version


@pytest.mark.behaviour("factories.identity")
def test_a_factory_that_makes_another_spelling_is_refused() -> None:
    """Regression: a factory of 'my-skill' that made 'my_skill' changed the names of the registry."""
    registry = Registry()
    registry.register_factory("my-skill", lambda _: Versioned("my_skill", None))
    with pytest.raises(InvalidManifestError, match=r"'my-skill' made a skill named 'my_skill'"):
        registry.get("my-skill")
    assert registry.names == ("my-skill",)


@pytest.mark.behaviour("factories.identity")
@pytest.mark.parametrize(("said", "made"), [("1.0.0", "2.0.0"), (None, "2.0.0"), ("2", "2.1.0")])
async def test_a_factory_that_makes_another_version_than_its_manifest_says_is_refused(
    said: str | None, made: str
) -> None:
    """Regression: an instance of another version was run under the version of the manifest."""
    registry = Registry()
    manifest = Manifest(name="n", version=said, description="d")
    registry.register_factory("n", lambda _: Versioned("n", made), manifest=manifest)
    result = await registry.require("n").execute(text="A")
    assert isinstance(result.error, InvalidManifestError)
    assert f"made version {made}" in str(result.error)


@pytest.mark.parametrize(("said", "made"), [("1.0", "1.0.0"), (None, "1.0.0"), ("2.0.0", None)])
async def test_a_version_that_compares_the_same_or_is_not_said_is_taken(said: str | None, made: str | None) -> None:
    """Choice: an object need not repeat what its manifest says."""
    registry = Registry()
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    manifest = Manifest(name="n", version=said, description="d", input_schema=schema)
    registry.register_factory("n", lambda _: Versioned("n", made), manifest=manifest)
    assert (await registry.require("n").execute(text="A")).output == "a"


@pytest.mark.behaviour("factories.named")
def test_a_factory_that_makes_nothing_or_a_coroutine_names_its_skill() -> None:
    """Regression: neither told whose factory it was, and the coroutine was never awaited."""

    async def later(_: Services) -> Whisper:
        return Whisper()

    registry = Registry()
    registry.register_factory("nothing", lambda _: None)
    registry.register_factory("later", later)
    with pytest.raises(InvalidManifestError, match=r"'nothing' cannot be made: NoneType has no name") as caught:
        registry.get("nothing")
    assert caught.value.name == "nothing"
    with pytest.raises(InvalidManifestError, match=r"the factory of 'later' is async: write it with 'def'"):
        registry.get("later")


@pytest.mark.behaviour("factories.named")
def test_a_skill_class_that_misses_a_service_is_named() -> None:
    """Regression: "'None' cannot be made"."""

    class Needy(Whisper):
        def __init__(self, services: Services) -> None:
            services.require("voice")

    class Nameless(BaseSkill):
        description = "d"

        def __init__(self, services: Services) -> None:
            super().__init__(str(services.require("voice")))

        async def execute(self) -> None:
            """Do nothing."""

    with pytest.raises(MissingServiceError, match=r"'whisper' cannot be made: there is no service 'voice'"):
        Registry().register(Needy)
    with pytest.raises(MissingServiceError, match=r"'Nameless' cannot be made"):
        Registry().register(Nameless)


@pytest.mark.behaviour("factories.missing-service")
def test_of_a_missing_service_the_error_keeps_its_name_and_near_names() -> None:
    """Regression: what was probably meant got lost."""
    registry = Registry(Services({"voices": 1}))
    registry.register_factory("whisper", lambda services: services.require("voice"))
    with pytest.raises(MissingServiceError, match="did you mean 'voices'") as caught:
        registry.get("whisper")
    assert (caught.value.name, caught.value.details["service"], caught.value.near) == ("whisper", "voice", ("voices",))


def test_another_key_error_is_no_missing_service() -> None:
    """Regression: `os.environ["NOPE"]` in a factory became a missing service."""
    registry = Registry()
    nothing: dict[str, str] = {}
    registry.register_factory("whisper", lambda _: nothing["NOPE"])
    with pytest.raises(UnavailableError, match="its factory raised KeyError: 'NOPE'") as caught:
        registry.get("whisper")
    assert type(caught.value) is UnavailableError


@pytest.mark.behaviour("factories.failures-kept")
def test_a_failure_is_kept_until_something_changes() -> None:
    """Regression: a failing factory was called at each look, and each look made another snapshot."""
    tries: list[str] = []
    broken = True

    def make(_: Services) -> Whisper:
        tries.append("")
        if broken:
            raise OSError
        return Whisper()

    registry = Registry()
    registry.register_factory("whisper", make)
    for _ in range(3):
        assert registry.list() == []
        assert registry.tools() == []
        assert [one.code for one in registry.diagnostics] == ["factory_failed"]
    assert registry.holdings.snapshot() is registry.holdings.snapshot()
    assert len(tries) == 1
    with pytest.raises(UnavailableError):
        registry.get("whisper")
    registry.register(search_index)
    assert [one.name for one in registry.list()] == ["search_index"]
    assert len(tries) == 3
    broken = False
    assert registry.get("whisper") is not None
    assert [one.name for one in registry.list()] == ["search_index", "whisper"]
    assert registry.diagnostics == ()


def test_another_version_may_stand_beside_a_factory_whether_it_was_made_or_not() -> None:
    """Regression: it was refused before the first `get` and taken after it."""
    for looked_at in (False, True):
        registry = Registry()
        registry.register_factory("s1", lambda _: Versioned("s1", "1.0.0"))
        assert not looked_at or registry.get("s1")
        registry.register_factory(
            "s1", lambda _: Whisper(), manifest=Manifest(name="s1", version="2.0.0", description="d")
        )
        assert [entry.version for entry in registry] == ["1.0.0", "2.0.0"]
        with pytest.raises(AlreadyRegisteredError):
            registry.register_factory(
                "s1", lambda _: Whisper(), manifest=Manifest(name="s1", version="1.0", description="d")
            )
        with pytest.raises(AlreadyRegisteredError, match="pass manifest="):
            registry.register_factory("s1", lambda _: Whisper())


def test_a_factory_may_take_the_place_of_one_that_was_not_made() -> None:
    """Spec: `replace=True` puts the new one in place of the old."""
    registry = Registry()
    registry.register_factory("n", lambda _: None)
    registry.register_factory("n", lambda _: Versioned("n", "2.0.0"), replace=True)
    assert registry.require("n").version == "2.0.0"
    registry.register_factory("n", lambda _: Versioned("n", "3.0.0"), replace=True)
    assert [entry.version for entry in registry] == ["3.0.0"]


def test_what_a_factory_makes_may_not_take_the_id_of_another() -> None:
    """Choice: a factory's manifest is held to the rules as soon as it is known."""

    class Titled(Whisper):
        manifest = Manifest(name="whisper", description="d", id="search_index")

    registry = Registry()
    registry.register(search_index)
    registry.register_factory("whisper", lambda _: Titled())
    assert [one.name for one in registry.list()] == ["search_index"]
    with pytest.raises(AlreadyRegisteredError, match="'whisper' has the id 'search_index'"):
        registry.get("whisper")


def test_a_factory_that_comes_while_others_are_made_is_made_too() -> None:
    """Choice: a look sees all that was there before it."""
    registry = Registry()

    def make(_: Services) -> Whisper:
        registry.register_factory("later", lambda _: Versioned("later", None))
        return Whisper()

    registry.register_factory("whisper", make)
    registry.register_factory("broken", lambda _: None)
    assert [one.name for one in registry.list()] == ["later", "whisper"]
    assert [one.entry for one in registry.diagnostics] == ["broken"]
