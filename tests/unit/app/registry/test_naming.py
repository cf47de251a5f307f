"""By which names an entry is found, and what taking it out takes out."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from prowess import (
    AlreadyRegisteredError,
    InvalidManifestError,
    Manifest,
    NotFoundError,
    Registry,
)
from prowess.errors import ConfigurationError
from prowess.model.manifest import Status
from tests.unit.app.registry.skills import Whisper, versioned

GOES = 2_000


def add(registry: Registry, name: str, *, replace: bool = False, **fields: Any) -> None:
    """Register a skill of this manifest."""
    manifest = Manifest(name=name, **{"description": "d", **fields})
    registry.register_factory(name, lambda _: Whisper(), manifest=manifest, replace=replace)


@pytest.mark.behaviour("registry.undisturbed")
@pytest.mark.parametrize("constraint", ["^1", "1.0.0", "1.x"])
def test_a_version_that_stays_is_found_while_others_come_and_go(constraint: str) -> None:
    """Regression: while n@4 was registered and taken out, another thread's `get("n", "^1")` gave None."""
    registry = versioned("1.0.0", name="n")
    missed: list[int] = []

    def come_and_go() -> None:
        for _ in range(GOES):
            add(registry, "n", version="4.0.0")
            registry.unregister("n@4.0.0")

    writer = threading.Thread(target=come_and_go)
    writer.start()
    looks = 0
    while writer.is_alive() or looks < GOES:
        looks += 1
        if registry.get("n", constraint) is None or registry.get("n") is None:
            missed.append(looks)
    writer.join()
    assert missed == []
    assert [entry.version for entry in registry] == ["1.0.0"]


def test_a_factory_that_is_made_is_found_all_the_while() -> None:
    """Regression: between taking it from the factories and adding its entry a reader found neither."""
    registry = Registry()
    names = [f"n{number}" for number in range(200)]
    for name in names:
        registry.register_factory(name, _making(name))
    start = threading.Barrier(2)
    missed: list[str] = []

    def look() -> None:
        start.wait()
        missed.extend(name for name in names if registry.get(name) is None)

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert missed == []


@pytest.mark.behaviour("registry.alias")
def test_an_id_is_found_in_either_spelling_with_a_constraint_too() -> None:
    """Regression: `my-alias` was not found as `my_alias`."""
    registry = Registry()
    add(registry, "refunds", version="1.0.0", id="my-alias")
    add(registry, "refunds", version="2.0.0", id="my-alias")
    assert registry.require("my_alias").version == "2.0.0"
    assert registry.require("my-alias@^1").version == registry.require("my_alias", "^1").version == "1.0.0"
    assert registry.get("my-alias", "^3") is None


@pytest.mark.behaviour("registry.alias")
def test_an_id_leads_to_the_entries_that_say_it_and_goes_with_them() -> None:
    """Regression: a replaced id went on working, and taking out one version moved the id to another."""
    registry = Registry()
    add(registry, "refunds", version="1.0.0", id="old")
    add(registry, "refunds", version="2.0.0", id="new")
    assert [registry.require(alias).version for alias in ("old", "new")] == ["1.0.0", "2.0.0"]
    add(registry, "refunds", version="2.0.0", id="newest", replace=True)
    assert registry.get("new") is None
    assert registry.require("newest").version == "2.0.0"
    registry.unregister("refunds@1.0.0")
    assert registry.get("old") is None
    registry.unregister("newest")
    assert registry.names == ()
    add(registry, "others", id="newest")


@pytest.mark.behaviour("registry.alias")
@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (("a", "x"), ("b", "x"), "'b' has the id 'x', which gives 'a' already"),
        (("a", "x-y"), ("b", "x_y"), "'b' has the id 'x_y', which gives 'a' already"),
        (("a", None), ("b", "a"), "'b' has the id 'a', which gives 'a' already"),
        (("a", "b"), ("b", None), "'b' is the id of 'a'"),
        (("a-b", None), ("a_b", None), "'a_b' and 'a-b' are two spellings"),
    ],
)
def test_an_id_that_leads_elsewhere_already_is_refused_with_both_names(
    first: tuple[str, str | None], second: tuple[str, str | None], words: str
) -> None:
    """Regression: the later entry took the id, or was hidden behind it, without a word."""
    registry = Registry()
    add(registry, first[0], id=first[1])
    for replace in (False, True):
        with pytest.raises(AlreadyRegisteredError, match=words):
            add(registry, second[0], id=second[1], replace=replace)
    assert registry.names == (first[0],)


@pytest.mark.parametrize("name", ["x", "x-y"])
def test_a_factory_cannot_take_an_id_nor_an_id_its_name(name: str) -> None:
    """Regression: neither of the two was told."""
    registry = Registry()
    add(registry, "a", id=name)
    with pytest.raises(AlreadyRegisteredError, match=f"'{name}' gives 'a' already"):
        registry.register_factory(name, lambda _: Whisper(), replace=True)
    registry.register_factory("later", lambda _: Whisper())
    for replace in (False, True):
        with pytest.raises(AlreadyRegisteredError, match="'b' and 'later'"):
            add(registry, "b", id="later", replace=replace)


def test_a_batch_is_held_to_the_same_rules() -> None:
    """Regression: of three in one batch the last two could be the same."""

    class One(Whisper):
        def __init__(self, name: str, version: str, id: str | None = None) -> None:  # noqa: A002 - as in Manifest
            self.manifest = Manifest(name=name, version=version, description="d", id=id)

    for batch in (
        [One("a", "1.0.0"), One("a", "2.0.0"), One("a", "2.0")],
        [One("a", "1.0.0", "x"), One("b", "1.0.0", "x")],
        [One("a", "1.0.0", "b"), One("b", "1.0.0")],
    ):
        registry = Registry()
        with pytest.raises(AlreadyRegisteredError):
            registry.register(*batch, replace=True)
        assert registry.names == ()
    registry = Registry()
    registry.register(One("a", "1.0.0", "x"), One("a", "2.0.0", "x"), One("b", "1.0.0"))
    assert len(registry) == 3


@pytest.mark.behaviour("registry.unregister-exact")
def test_only_a_name_or_one_very_version_is_taken_out() -> None:
    """Regression: `unregister("a@^1")` took out the highest that fits."""
    registry = versioned("nightly build", "1.2", "2.0.0", name="a")
    for reference in ("a@^1", "a@latest", "a@"):
        with pytest.raises(ConfigurationError, match="names no version"):
            registry.unregister(reference)
    with pytest.raises(NotFoundError):
        registry.unregister("a@7.0.0")
    with pytest.raises(NotFoundError):
        registry.unregister("b@^1")
    registry.unregister("a@1.2.0")
    registry.unregister("a@nightly build")
    assert [entry.version for entry in registry] == ["2.0.0"]
    with pytest.raises(ConfigurationError, match="what is taken out is text: not 5"):
        registry.unregister(5)  # type: ignore[arg-type]


@pytest.mark.behaviour("registry.unregister-exact")
def test_a_version_of_a_factory_not_made_yet_is_looked_at() -> None:
    """Regression: `unregister("name@version")` took the factory out, whatever its version."""
    registry = Registry()
    registry.register_factory("n1", _making("n1", "1.0.0"))
    with pytest.raises(NotFoundError):
        registry.unregister("n1@2.0.0")
    assert "n1" in registry.names
    registry.unregister("n1@1.0.0")
    assert registry.names == ()


def test_taking_out_all_versions_takes_out_the_name_and_its_spelling() -> None:
    """Choice: what is gone leaves nothing that is in the way of another."""
    registry = versioned("1.0.0", "2.0.0", name="read-file")
    registry.unregister("read_file", all=True)
    assert registry.get("read-file") is None
    add(registry, "read_file")
    assert registry.require("read-file").name == "read_file"


def test_versions_that_compare_the_same_are_one() -> None:
    """Choice: one of two that compare as equal could never be asked for."""
    with pytest.raises(AlreadyRegisteredError, match=r"'a@nightly' \(which compares as 1\.0\.0\) is in the registry"):
        versioned("1.0.0", "nightly", name="a")


@pytest.mark.behaviour("versions.odd")
@pytest.mark.parametrize(
    ("version", "compares"),
    [("v1.2", "1.2.0"), ("1.0", "1.0.0"), ("abc", "1.0.0"), ("1.0 beta", "1.0.0"), ("1-rc.2", "1.0.0-rc.2")],
)
def test_a_version_that_is_no_semantic_version_is_told(version: str, compares: str) -> None:
    """Regression: there was no warning; and text with a space was refused, where it compares as 1.0.0."""
    registry = Registry()
    add(registry, "n", version=version)
    (found,) = [one for one in registry.diagnostics if one.code == "odd_version"]
    assert found.severity == "warning"
    assert found.message == f"'n@{version}': version '{version}' is no semantic version: it compares as {compares}"
    assert registry.require("n").version == version


def test_a_version_that_is_none_is_found_as_it_was_written() -> None:
    """Spec: `get` and `run` take `name@version`; other text compares as 1.0.0."""
    registry = Registry()
    add(registry, "n", version="nightly build")
    assert registry.require("n@nightly build") is registry.require("n", "1.0.0")
    add(registry, "n", version="2.0.0")
    assert registry.require("n", "nightly build").version == "nightly build"


def test_strict_versions_and_none_are_nothing_to_tell() -> None:
    """Spec: an entry without a version is shown without one."""
    registry = Registry()
    add(registry, "n")
    add(registry, "m", version="1.2.3-rc.1+5")
    assert [one.code for one in registry.diagnostics] == ["prerelease_only"]


@pytest.mark.behaviour("versions.empty")
def test_an_empty_constraint_admits_every_release() -> None:
    """Regression: npm reads it as `*`, and it was an error."""
    registry = versioned("1.0.0", "2.0.0", "3.0.0-rc.1", name="a")
    assert registry.require("a", "") is registry.require("a@") is registry.require("a", "*") is registry.require("a")


@pytest.mark.parametrize(("name", "constraint"), [(None, None), (5, None), ("a", 1), ("a", ("^1",)), (b"a", None)])
def test_what_is_no_name_is_told_as_such(name: Any, constraint: Any) -> None:
    """Regression: it was an AttributeError of ours, or nothing."""
    registry = versioned("1.0.0", name="a")
    with pytest.raises(ConfigurationError, match=r"(the name of an entry|a version constraint) is text: not"):
        registry.get(name, constraint)


def test_an_alias_may_hold_what_separates_a_version() -> None:
    """Choice: an id is another system's name, and is looked for whole first."""
    registry = Registry()
    add(registry, "refunds", id="billing@refunds")
    assert registry.require("billing@refunds").name == "refunds"
    registry.unregister("billing@refunds")
    assert registry.names == ()


def test_of_disabled_and_prerelease_versions_an_exact_one_is_found() -> None:
    """Spec: `get` takes `name@version`."""
    registry = Registry()
    add(registry, "n", version="1.0.0", status=Status.DISABLED)
    assert registry.require("n", "1.0.0").version == "1.0.0"
    assert registry.get("n", "1.0.1") is None


def test_what_is_no_name_for_a_factory_is_refused() -> None:
    """Regression: it was an AttributeError of ours."""
    wrong: Any = 5
    with pytest.raises(InvalidManifestError, match="is no text"):
        Registry().register_factory(wrong, lambda _: Whisper())
    with pytest.raises(InvalidManifestError, match="the manifest given for 'a' is int"):
        Registry().register_factory("a", lambda _: Whisper(), manifest=wrong)


def _making(name: str, version: str | None = None) -> Callable[[object], Whisper]:
    def make(_: object) -> Whisper:
        made = Whisper()
        made.name = name
        made.version = version  # type: ignore[attr-defined]
        return made

    return make


def test_nothing_is_found_where_all_versions_are_higher_or_lower() -> None:
    """Spec: a constraint means what npm says."""
    registry = Registry()
    add(registry, "sort", version="2.0.0")
    add(registry, "sort", version="2.1.0")
    assert registry.get("sort", "<1.0.0") is None
    assert registry.get("sort", ">=3.0.0") is None
