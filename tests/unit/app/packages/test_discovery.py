"""`registry.discover`: what becomes an entry, and what happens when it is asked again."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from prowess import NotFoundError, Registry, Runtime, Services, op
from prowess.app.packages.folder_package import package_of
from prowess.authoring.skill import Package
from prowess.errors import ExecutionFailedError, InvalidManifestError
from tests.unit.catalog.archives.making import zip_of
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.mark.behaviour("discover.entries")
def test_every_package_below_a_folder_is_an_entry_and_each_problem_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spec: `registry.discover(".agents/skills")`."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / ".agents" / "skills" / "pdf", description="Fill forms. Use when asked.")
    (tmp_path / ".agents" / "skills" / "bad").mkdir()
    (tmp_path / ".agents" / "skills" / "bad" / "SKILL.md").write_text("broken")
    registry = Registry()
    found = registry.discover(".agents/skills")
    entry = registry.require("pdf")
    assert (found.names, found.entries, found.added) == (("pdf",), (entry,), ("pdf",))
    assert (entry.manifest.kind, entry.source, entry.description) == (
        "package",
        ".agents/skills/pdf",
        "Fill forms. Use when asked.",
    )
    assert [one.path for one in found.diagnostics] == [".agents/skills/bad/SKILL.md"]
    assert registry.list(kind="package") == [entry.manifest]


@pytest.mark.behaviour("discover.label")
def test_a_caller_may_give_a_source_and_a_namespace(tmp_path: Path) -> None:
    """Spec: `registry.discover(path, source=…, namespace=…)`."""
    put(tmp_path / "pdf")
    registry = Registry()
    registry.discover(tmp_path, source="vendor", namespace="acme")
    assert [manifest.name for manifest in registry.list(source="vendor")] == ["acme/pdf"]
    registry.discover(tmp_path)
    assert registry.names == ("acme/pdf", "pdf")


@pytest.mark.behaviour("discover.missing")
def test_a_path_that_is_not_there_is_an_error_that_names_a_near_one(tmp_path: Path) -> None:
    """Spec: a path that does not exist is an error, with what would be right."""
    (tmp_path / "skills").mkdir()
    with pytest.raises(NotFoundError, match=r"did you mean '.*skills'") as caught:
        Registry().discover(tmp_path / "skils")
    assert caught.value.near == ("skills",)
    with pytest.raises(NotFoundError, match="give a folder or a zip"):
        Registry().discover(tmp_path / "nothing" / "like" / "it")
    with pytest.raises(InvalidManifestError, match="is not a name"):
        Registry().discover(tmp_path, namespace="No Name")


@pytest.mark.behaviour("discover.archive")
def test_an_archive_is_discovered_like_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: a zip or tar archive is a source."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    registry = Registry()
    found = registry.discover(zip_of(tmp_path / "bundle.zip").name)
    assert found.names == ("csv", "pdf")
    assert registry.require("pdf").source == "bundle.zip/kit/pdf"
    evil = registry.discover(zip_of(tmp_path / "evil.zip", {"../a": b""}))
    assert [one.code for one in evil.diagnostics] == ["archive-path"]
    assert evil.names == ("csv", "pdf")


@pytest.mark.behaviour("discover.again")
def test_asked_again_it_exchanges_what_changed_and_keeps_the_other_entries(tmp_path: Path) -> None:
    """Spec: a new snapshot replaces the package entries in one step."""
    for name in ("same", "edited", "gone"):
        put(tmp_path / name)
    registry = Registry()
    registry.discover(tmp_path)
    before = {entry.name: entry for entry in registry}
    put(tmp_path / "edited", description="Edited. Use when asked.")
    put(tmp_path / "new")
    (tmp_path / "gone" / "SKILL.md").unlink()
    found = registry.discover(tmp_path)
    assert (found.added, found.changed, found.removed) == (("new",), ("edited",), ("gone",))
    assert registry.names == ("edited", "new", "same")
    assert registry.get("same") is before["same"]
    assert registry.require("edited").description == "Edited. Use when asked."
    again = registry.packages.look()
    assert (again.added, again.changed, again.removed, again.entries) == ((), (), (), found.entries)


@pytest.mark.behaviour("discover.versions")
def test_another_version_takes_the_place_of_the_one_before_even_a_lower_one(tmp_path: Path) -> None:
    """Choice: what is on disk counts, not which number is higher."""
    registry = Registry()
    for version in ("2.0.0", "1.0.0", "3.0.0"):
        (tmp_path / "SKILL.md").write_text(f"---\nname: pdf\ndescription: Do it.\nversion: '{version}'\n---\n")
        registry.discover(tmp_path)
        assert [entry.version for entry in registry] == [version]
        assert registry.require("pdf").version == version


@pytest.mark.behaviour("discover.spelling")
def test_another_spelling_of_a_name_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    """Choice: `-` and `_` are one key, so that both cannot be there."""
    registry = Registry()
    for name in ("read-file", "read_file", "read-file"):
        put(tmp_path / "x", name)
        registry.discover(tmp_path)
        assert registry.names == (name,)
        assert registry.require("read_file") is registry.require("read-file")


def wrongly_seen(registry: Registry, names: Sequence[str], done: threading.Event) -> list[object]:
    """Look at every package until done, singly and as a whole; gives what was missing, and two versions at once."""
    wrong: list[object] = []
    while not done.is_set():
        wrong += [name for name in names if registry.get(name) is None]
        seen = {entry.description for entry in registry}
        wrong += [seen] if len(seen) != 1 else []
    return wrong


def write_all(folder: Path, names: Sequence[str], version: int) -> None:
    """Write every package anew."""
    for name in names:
        put(folder / name, description=f"{version}. Use when asked.")


@pytest.mark.behaviour("discover.atomic")
def test_readers_see_the_old_or_the_new_package_and_never_none(tmp_path: Path) -> None:
    """Spec: readers keep the old snapshot until the new one is whole."""
    names = [f"skill-{number}" for number in range(10)]
    registry = Registry()
    write_all(tmp_path, names, 0)
    registry.discover(tmp_path)
    done = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(wrongly_seen, registry, names, done) for _ in range(2)]
        try:
            for version in range(1, 5):
                write_all(tmp_path, names, version)
                assert len(registry.discover(tmp_path).changed) == len(names)
        finally:
            done.set()
        assert [reader.result() for reader in readers] == [[], []]


@pytest.mark.behaviour("discover.qualified")
def test_who_loses_a_name_and_who_has_it_are_found_by_where_they_are_from(tmp_path: Path) -> None:
    """Spec: the loser still reachable by its qualified name."""
    for folder in ("one", "two"):
        put(tmp_path / folder / "pdf", description=f"{folder}. Use when asked.")
    registry = Registry()
    registry.discover(tmp_path / "one")
    found = registry.discover(tmp_path / "two")
    assert [one.code for one in found.diagnostics] == ["shadowed"]
    assert registry.require("pdf").description.startswith("one")
    assert list(registry.names) == ["pdf", "project/pdf"]
    assert registry.require("project/pdf").description.startswith("two")
    (tmp_path / "one" / "pdf" / "SKILL.md").unlink()
    registry.packages.look()
    assert list(registry.names) == ["pdf"]
    assert registry.require("project/pdf") is registry.require("pdf")
    assert registry.get("project/pdf@^1") is registry.get("pdf")
    assert registry.get("project/pdf", "^9") is None
    assert registry.get("user/pdf") is None
    assert registry.get("project/nothing") is None


@pytest.mark.behaviour("discover.by-place")
def test_the_name_by_place_of_a_package_holds_whatever_comes_and_goes(tmp_path: Path) -> None:
    """Regression: losers were numbered, and a name led to another package once a folder went."""
    registry = Registry()
    for folder in ("one", "two", "three"):
        put(tmp_path / folder / "pdf", description=f"{folder}. Use when asked.")
        registry.discover(tmp_path / folder)
    assert list(registry.names) == ["pdf", "project-three/pdf", "project/pdf"]
    for gone in ("", "two", "one"):
        if gone:
            (tmp_path / gone / "pdf" / "SKILL.md").unlink()
            registry.packages.look()
        assert registry.require("project-three/pdf").description.startswith("three")
    assert list(registry.names) == ["pdf"]
    assert registry.get("project-two/pdf") is None
    assert registry.get("project-three/csv") is None


@pytest.mark.behaviour("discover.code")
def test_what_code_registered_keeps_its_name_also_a_factory_that_was_not_made(tmp_path: Path) -> None:
    """Choice: a call by name must not become another because a folder came."""

    @op
    async def pdf() -> None:
        """Do it."""

    put(tmp_path / "pdf")
    put(tmp_path / "csv")
    registry = Registry(Services())
    registry.register(pdf)
    registry.register_factory("csv", lambda _: pdf)
    found = registry.discover(tmp_path)
    assert found.names == ("project/csv", "project/pdf")
    assert sorted(one.message.partition(" has")[0] for one in found.diagnostics) == ["a factory", "code"]
    assert registry.require("project/pdf").manifest.kind == "package"
    assert registry.require("pdf").manifest.kind == "op"


@pytest.mark.behaviour("discover.unregistered")
def test_a_package_that_was_taken_out_stays_out_until_it_changes(tmp_path: Path) -> None:
    """Choice: looking again is no reason to forget what the host decided."""
    put(tmp_path / "pdf")
    registry = Registry()
    registry.discover(tmp_path)
    registry.unregister("pdf")
    registry.discover(tmp_path)
    assert list(registry.names) == []
    put(tmp_path / "pdf", description="Another. Use when asked.")
    registry.discover(tmp_path)
    assert list(registry.names) == ["pdf"]


@pytest.mark.behaviour("discover.load")
async def test_activating_a_package_reads_its_text_and_lists_its_resources(tmp_path: Path) -> None:
    """Spec: SKILL.md's body is read again on activation, checked against the digest that was indexed."""
    path = put(tmp_path / "pdf", body="# Steps\n")
    (tmp_path / "pdf" / "forms.md").write_text("forms")
    registry = Registry()
    registry.discover(tmp_path)
    package = package_of(registry.require("pdf").recipe)
    assert package is not None
    as_one: Package = package
    assert isinstance(as_one, Package)
    assert (package.name, package.version, package.description) == ("pdf", None, "Do it. Use when asked.")
    loaded = await package.load()
    assert (loaded.instructions, loaded.resource_keys()) == ("# Steps\n", ["forms.md"])
    async with Runtime(registry) as runtime:
        result = await runtime.run("pdf")
    assert result.output == {"instructions": "# Steps\n", "resources": ["forms.md"]}
    put(tmp_path / "pdf", body="# Other\n")
    with pytest.raises(ExecutionFailedError, match="changed after it was found"):
        await package.load()
    path.unlink()
    with pytest.raises(ExecutionFailedError, match="changed after it was found"):
        await package.load()


def test_packages_that_cannot_be_compared_are_two(tmp_path: Path) -> None:
    """Choice: what cannot be read whole is not the same as anything."""
    for folder in ("one", "two"):
        put(tmp_path / folder / "pdf")
        (tmp_path / folder / "pdf" / os.fsdecode(b"\xe9")).touch()
    found = Registry().discover(tmp_path)
    assert found.names == ("pdf", "project/pdf")
    assert sorted(one.code for one in found.diagnostics) == ["name", "name", "shadowed"]


def test_what_is_no_package_has_none_behind_it() -> None:
    """Choice: whoever asks for trust asks about packages only."""

    @op
    async def add() -> None:
        """Add."""

    registry = Registry()
    registry.register(add)
    assert package_of(registry.require("add").recipe) is None
    assert package_of(object()) is None


@pytest.mark.behaviour("discover.tools")
async def test_a_package_never_takes_the_name_of_a_tool_that_discloses_packages(tmp_path: Path) -> None:
    """Regression: a folder named `activate_skill` took the tool's place and spoke to models in its stead."""
    put(tmp_path / "evil", name="activate-skill", body="Evil.\n")
    put(tmp_path / "good", body="Good.\n")
    registry = Registry()
    found = registry.discover(tmp_path)
    assert found.names == ("good", "project/activate-skill")
    assert [one.code for one in found.diagnostics if "activate" in str(one)] != []
    async with Runtime(registry) as runtime:
        answer = (await runtime.run("activate_skill", {"name": "good"})).unwrap()
    assert "Good." in str(answer)


@pytest.mark.behaviour("discover.written-names")
@pytest.mark.parametrize("written", ["My Skill", "cafe\u0301", "caf\u00e9", "PDF-Tools"])
async def test_a_package_is_activated_by_the_name_that_its_author_wrote(tmp_path: Path, written: str) -> None:
    """Regression: a model that read the written name was told that there is no such skill."""
    put(tmp_path / "folder", name=written, body="Do it.\n")
    registry = Registry()
    registry.discover(tmp_path)
    async with Runtime(registry) as runtime:
        assert "Do it." in str((await runtime.run("activate_skill", {"name": written})).unwrap())
