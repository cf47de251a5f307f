"""What a registry holds, finds and refuses."""

import pytest

from prowess import (
    AlreadyRegisteredError,
    InvalidInputError,
    InvalidManifestError,
    Manifest,
    NotFoundError,
    Registry,
    Runtime,
    Services,
    op,
)
from prowess.errors import ConfigurationError
from prowess.model.manifest import Status
from tests.unit.app.registry.skills import Shout, Unused, Whisper, search_index, search_notes, versioned


@pytest.mark.behaviour("registry.get-registered")
def test_what_was_registered_is_what_get_gives() -> None:
    """Spec: register then `get` gives it."""
    registry = Registry()
    registry.register(search_index)
    entry = registry.get("search_index")
    assert entry is not None
    assert (entry.name, entry.description) == ("search_index", "Search the note index.")


@pytest.mark.behaviour("registry.get-unknown")
def test_an_unknown_name_gives_none() -> None:
    """Spec: an unknown name gives None."""
    assert Registry().get("nothing") is None


@pytest.mark.behaviour("registry.list-registered")
def test_two_registered_list_two_sorted() -> None:
    """Spec: two registered list two, in an order that does not depend on who came first."""
    registry = Registry()
    registry.register(search_notes, search_index)
    assert [manifest.name for manifest in registry.list()] == ["search_index", "search_notes"]
    assert registry.names == ("search_index", "search_notes")
    assert len(registry) == 2


@pytest.mark.behaviour("registry.list-by-tag")
def test_list_by_tag_holds_only_what_carries_it() -> None:
    """Spec: `list` filters by tag."""
    registry = Registry()
    registry.register(search_notes, search_index)
    assert [manifest.name for manifest in registry.list(tag="notes")] == ["search_index"]


def test_list_filters_by_kind_status_and_source_together() -> None:
    """Spec: `list` filters by kind, status and source."""
    registry = Registry()
    registry.register(search_notes, source="here")
    registry.register(search_index, source="there")
    assert [one.name for one in registry.list(kind="op", status="enabled", source="there")] == ["search_index"]
    assert registry.list(kind="op", source="here") == []


@pytest.mark.behaviour("registry.duplicate-refused")
def test_a_second_entry_of_one_name_and_version_is_refused() -> None:
    """Spec: duplicate registration is refused."""
    registry = Registry()
    registry.register(search_notes)
    with pytest.raises(AlreadyRegisteredError, match=r"search_notes@1\.2\.0"):
        registry.register(search_notes)


def test_of_a_batch_with_a_duplicate_nothing_is_registered() -> None:
    """Choice: a batch is one change, so that a reader never sees half of it."""
    registry = Registry()
    registry.register(search_notes)
    with pytest.raises(AlreadyRegisteredError):
        registry.register(search_index, search_notes)
    assert registry.names == ("search_notes",)


def test_a_batch_may_not_hold_one_entry_twice() -> None:
    """Spec: duplicate registration is refused, inside one call too."""
    with pytest.raises(AlreadyRegisteredError):
        Registry().register(search_notes, search_notes)


def test_replace_puts_the_new_entry_in_place_of_the_old() -> None:
    """Spec: duplicates are refused unless `replace=True`."""

    @op(name="search_index")
    async def other(query: str) -> str:
        """Another one."""
        return query

    registry = Registry()
    registry.register(search_index)
    registry.register(other, replace=True)
    assert registry.require("search_index").description == "Another one."
    assert len(registry) == 1


@pytest.mark.parametrize(("first", "second"), [("read-file", "read_file"), ("read_file", "read-file")])
def test_two_spellings_of_one_name_are_refused(first: str, second: str) -> None:
    """Spec: `-` and `_` are one key, and two spellings of it are refused."""
    registry = versioned("1.0.0", name=first)
    with pytest.raises(AlreadyRegisteredError, match="spellings"):
        registry.register_factory(
            second, lambda _: Whisper(), manifest=Manifest(name=second, version="2.0.0", description="x")
        )


def test_either_spelling_finds_the_entry() -> None:
    """Spec: `-` and `_` are one key."""
    registry = versioned("1.0.0", name="read-file")
    assert registry.require("read_file").name == "read-file"
    assert versioned("1.0.0", name="read_file").require("read-file").name == "read_file"


def test_an_id_that_differs_is_another_name() -> None:
    """Spec: a manifest's `id`, where it differs, is an alias."""
    registry = versioned("1.0.0", name="refunds", id="billing.refunds.v1")
    assert registry.require("billing.refunds.v1").name == "refunds"
    registry.unregister("refunds")
    assert registry.get("billing.refunds.v1") is None


@pytest.mark.behaviour("versions.latest")
def test_without_a_constraint_the_highest_release_is_found() -> None:
    """Spec: latest without a constraint, by version and not by text or time."""
    assert versioned("1.2.0", "1.10.0", "1.9.0").require("search").version == "1.10.0"


@pytest.mark.behaviour("versions.range")
def test_a_range_finds_the_highest_inside_it() -> None:
    """Spec: `>=1.0.0 <2.0.0` resolves."""
    assert versioned("1.0.0", "1.5.0", "2.0.0").require("search", ">=1.0.0 <2.0.0").version == "1.5.0"


@pytest.mark.behaviour("versions.caret")
def test_a_caret_keeps_the_major_number() -> None:
    """Spec: `^2.0.0` resolves."""
    assert versioned("1.0.0", "2.0.0", "2.4.1", "3.0.0").require("search", "^2.0.0").version == "2.4.1"


@pytest.mark.behaviour("versions.prerelease")
def test_a_prerelease_is_found_only_when_asked_for() -> None:
    """Spec: prereleases only when asked."""
    registry = versioned("1.0.0", "2.0.0-rc.1")
    assert registry.require("search").version == "1.0.0"
    assert registry.get("search", ">=1.0.0") is not None
    assert registry.require("search", ">=1.0.0").version == "1.0.0"
    assert registry.require("search", ">=2.0.0-rc.0").version == "2.0.0-rc.1"
    assert registry.require("search@2.0.0-rc.1").version == "2.0.0-rc.1"


@pytest.mark.behaviour("versions.alternatives")
def test_of_several_alternatives_the_highest_version_of_any_is_found() -> None:
    """Regression: that of the range with the highest end was, though a prerelease of another lay above it."""
    registry = versioned("1.5.0", "2.0.0-rc.1")
    for text in (">=1.0.0 <3.0.0 || 2.0.0-rc.1", "2.0.0-rc.1 || >=1.0.0 <3.0.0"):
        assert registry.require("search", text).version == "2.0.0-rc.1"
    assert registry.require("search", "^1 || ^3").version == "1.5.0"
    assert registry.get("search", "^3 || ^4") is None


def test_a_name_with_prereleases_only_gives_the_highest_and_says_so() -> None:
    """Spec: of prereleases only, no constraint finds the highest, with a warning."""
    registry = versioned("1.0.0-a", "1.0.0-b")
    assert registry.require("search").version == "1.0.0-b"
    assert [one.code for one in registry.diagnostics] == ["prerelease_only"]


def test_a_disabled_version_gives_way_to_an_enabled_one() -> None:
    """Spec: no constraint means the highest enabled version."""
    registry = versioned("1.0.0")
    off = Manifest(name="search", version="2.0.0", description="off", status=Status.DISABLED)
    registry.register_factory("search", lambda _: Whisper(), manifest=off)
    assert registry.require("search").version == "1.0.0"
    assert registry.require("search", "^2").version == "2.0.0"
    registry.unregister("search@1.0.0")
    assert registry.require("search").version == "2.0.0"


def test_a_version_as_written_is_kept_and_compared_padded() -> None:
    """Spec: `v1.2` is shown as written and compared as padded semver."""
    registry = versioned("v1.2")
    assert registry.require("search", "1.2.0").version == "v1.2"


def test_a_single_version_outside_a_constraint_is_not_found() -> None:
    """Spec: version constraints, also where a name has one version only."""
    registry = versioned("1.0.0")
    assert registry.get("search", "^2") is None
    assert registry.get("search", "^1") is not None
    assert registry.get("search@^2") is None


def test_a_constraint_that_is_none_says_what_one_looks_like() -> None:
    """Regression: it was an invalid manifest, where the one who asks is wrong."""
    for reference, constraint in (("search", "newest"), ("search@newest", None)):
        with pytest.raises(InvalidInputError, match=r"\^1\.2"):
            versioned("1.0.0").get(reference, constraint)


@pytest.mark.parametrize(
    ("constraint", "found"),
    [
        ("3.x || 1.x", "1.5.0"),
        ("<1.0.0 || ^9", None),
        (">1.5.0 <2.0.0-0", None),
        (">=3.0.0-rc.2 <3.0.0", None),
        (">=3.0.0-rc.0 <3.0.0 || 1.0.0", "3.0.0-rc.1"),
        (">=2.0.0-b <2.0.0 || 1.0.0", "1.0.0"),
        ("1.5", "1.5.0"),
        ("1.4.0", None),
    ],
)
def test_of_alternatives_the_highest_that_there_is_counts(constraint: str, found: str | None) -> None:
    """Spec: a constraint finds the highest version that satisfies it, and None where none does."""
    entry = versioned("1.0.0", "1.5.0", "2.0.0", "3.0.0-rc.1").get("search", constraint)
    assert (entry.version if entry is not None else None) == found


def test_a_switched_off_version_is_found_by_the_constraint_that_only_it_satisfies() -> None:
    """Spec: a disabled version gives way, and says that it is disabled where nothing else fits."""
    registry = versioned("1.0.0", "2.0.0")
    for version in ("3.0.0", "4.0.0"):
        off = Manifest(name="search", version=version, description="off", status=Status.DISABLED)
        registry.register_factory("search", lambda _: Whisper(), manifest=off)
    assert registry.require("search", ">=1").version == "2.0.0"
    assert registry.require("search", "^9 || ^3").version == "3.0.0"
    assert registry.get("search", "^9 || ^8") is None


def test_taking_out_versions_leaves_each_question_its_answer() -> None:
    """Spec: unregister then missing, version by version."""
    registry = versioned("1.0.0", "2.0.0", "3.0.0", id="find.things")
    for taken, latest, second in (("3.0.0", "2.0.0", "2.0.0"), ("2.0.0", "1.0.0", None)):
        registry.unregister(f"search@{taken}")
        found = registry.get("search", ">=2")
        assert registry.require("find.things").version == latest
        assert (found.version if found is not None else None) == second
    registry.unregister("search@1")
    assert registry.get("find.things") is None


def test_many_questions_keep_few_answers() -> None:
    """Choice: what is kept to answer quickly is bounded, whoever asks for however many names."""
    registry = Registry()
    names = [f"n{number}" for number in range(17_000)]
    registry.register_tools(Unused(), [Manifest(name=name, version="1.0.0", description="d") for name in names])
    assert all(registry.get(name, "^1") is not None for name in names)
    assert len(registry.holdings.index.answers) < 17_000
    assert all(registry.get("n0", f"<{number}") is not None for number in range(2, 200))
    assert len(registry.holdings.index.answers["n0"]) < 198


def test_kept_answers_follow_each_write() -> None:
    """Spec: answers are kept per snapshot, and no longer."""
    registry = versioned("1.0.0")
    assert registry.require("search", "^1").version == "1.0.0"
    registry.register_factory(
        "search", lambda _: Whisper(), manifest=Manifest(name="search", version="1.1.0", description="x")
    )
    assert registry.require("search", "^1").version == "1.1.0"
    registry.unregister("search@1.1.0")
    assert registry.require("search", "^1").version == "1.0.0"


def test_require_names_what_was_probably_meant() -> None:
    """Spec: `require` raises NotFoundError with near names."""
    registry = Registry()
    registry.register(search_notes, search_index)
    with pytest.raises(NotFoundError, match="did you mean 'search_notes'") as caught:
        registry.require("serch_notes")
    assert caught.value.name == "serch_notes"
    assert caught.value.near[0] == "search_notes"


def test_an_error_names_the_entry_and_not_the_constraint() -> None:
    """Regression: `NotFoundError.name` was 'search@^9'."""
    for reference, constraint in (("search", "^9"), ("search@^9", None)):
        with pytest.raises(NotFoundError, match=r"search@\^9") as caught:
            versioned("1.0.0").require(reference, constraint)
        assert caught.value.name == "search"
        assert caught.value.details["constraint"] == "^9"


@pytest.mark.behaviour("registry.unregister")
def test_what_was_unregistered_is_missing() -> None:
    """Spec: unregister then missing."""
    registry = Registry()
    registry.register(search_index)
    registry.unregister("search_index")
    assert registry.get("search_index") is None
    assert registry.list() == []


@pytest.mark.behaviour("registry.unregister-unknown")
def test_unregistering_an_unknown_name_is_refused() -> None:
    """Spec: unregister unknown is refused."""
    with pytest.raises(NotFoundError):
        Registry().unregister("nothing")


def test_unregistering_one_of_several_versions_needs_to_say_which() -> None:
    """Spec: `unregister(name)` among several versions is refused unless `all=True`."""
    registry = versioned("1.0.0", "2.0.0", "3.0.0")
    with pytest.raises(ConfigurationError, match=r"search@1\.0\.0, search@2\.0\.0, search@3\.0\.0, or pass all=True"):
        registry.unregister("search")
    registry.unregister("search@3.0.0")
    assert registry.require("search").version == "2.0.0"
    registry.unregister("search", all=True)
    assert registry.get("search") is None


@pytest.mark.behaviour("registry.advertise")
def test_advertise_lists_every_entry() -> None:
    """Spec: advertise lists all."""
    registry = Registry()
    registry.register(search_notes, search_index)
    assert [one["name"] for one in registry.advertise()] == ["search_index", "search_notes"]


@pytest.mark.behaviour("authoring.structural")
async def test_a_class_that_inherits_nothing_is_a_skill() -> None:
    """Spec: the protocol is satisfied without inheritance."""
    registry = Registry()
    registry.register(Whisper())
    assert (await registry.require("whisper").execute(text="LOUD")).output == "loud"


async def test_a_skill_class_is_made_with_the_services() -> None:
    """Spec: classes register too."""
    services = Services()
    registry = Registry(services)
    registry.register(Shout)
    assert (await registry.require("shout").execute(text="soft")).output == "SOFT"


def test_an_entry_tells_what_it_is_and_hands_out_schemas_that_nobody_else_holds() -> None:
    """Spec: an entry satisfies `Skill`; what a caller does to a schema changes no other."""
    registry = Registry()
    registry.register(search_index, search_notes, source="here")
    entry = registry.require("search_index")
    assert repr(registry.require("search_notes")) == "<logic search_notes@1.2.0 from here>"
    assert entry.output_schema == {"type": "array", "items": {"type": "string"}}
    entry.output_schema.clear()
    assert entry.output_schema
    registry.register(Whisper())
    assert registry.require("whisper").output_schema is None


def test_what_is_no_skill_is_refused_with_what_is_missing() -> None:
    """Choice: an error says what would be right."""
    with pytest.raises(InvalidManifestError, match="execute"):
        Registry().register(object())
    with pytest.raises(InvalidManifestError, match="execute"):
        Registry().register(int)


def test_what_is_printed_in_a_prompt_says_what_it_is() -> None:
    """Regression: a registry, a view and a runtime looked like an address in memory."""
    registry = Registry()
    registry.register(search_index)
    assert repr(registry) == "<Registry of 1 name>"
    assert repr(registry.filtered(names=[])) == "<RegistryView of some of 1 name>"
    assert repr(Runtime(registry)) == "<Runtime in memory, 0 of 10 calls running>"


async def test_an_input_given_by_name_is_refused_in_words_that_its_caller_knows() -> None:
    """Regression: `runtime.run("track", order_id="1")` was told of `Gate.run()`, which nobody had called."""
    with pytest.raises(TypeError, match=r"Runtime\.run\(\) got an unexpected keyword argument 'order_id'"):
        await Runtime(Registry()).run("track", order_id="1")  # type: ignore[call-arg]
