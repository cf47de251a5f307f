"""The packages of a project: where they are found, what its settings change, and what its index gives back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from prowess import Manifest, Registry
from prowess.app.json_text import encode_json
from prowess.app.listing import entry_json, entry_text, keep_listing
from prowess.app.packages.folder_package import package_of
from prowess.app.packages.pins import locked_packages, trust_store, trust_verdict
from prowess.app.packages.said import read_said, written_said
from prowess.app.project import Project, open_project
from prowess.catalog import index_file
from prowess.catalog.packages.sources import Level
from prowess.catalog.pinning.digest import package_digest
from prowess.catalog.pinning.trust import Trusted
from prowess.errors import UnavailableError
from prowess.model.manifest_json import manifest_from_json
from prowess.model.verdict import Allow, Ask
from tests.unit.catalog.archives.making import zip_of
from tests.unit.catalog.packages.trees import put, settle

if TYPE_CHECKING:
    from pathlib import Path


class House:
    """A project and a home, with nothing in them."""

    def __init__(self, path: Path) -> None:
        self.home, self.root = path / "home", path / "work" / "project"
        self.home.mkdir()
        self.root.mkdir(parents=True)
        self.variables = {"HOME": str(self.home)}
        self.settings("")

    def settings(self, text: str) -> None:
        """Write the settings."""
        (self.root / "prowess.toml").write_text(text, encoding="utf-8")

    def open(self, **variables: str) -> Project:
        """Open the project."""
        return open_project(self.root, environ={**self.variables, **variables})

    def names(self, **variables: str) -> list[str]:
        """The names of its packages."""
        return [entry.name for entry in self.open(**variables).registry.packages.entries]

    def keep(self) -> Project:
        """Open the project and keep its index."""
        settle()
        project = self.open()
        keep_listing(project, self.variables)
        return project

    def index_holds(self) -> bool:
        """Whether there is an index that holds."""
        stored = index_file.read(self.open().place, self.variables)
        return stored is not None and stored.holds()


@pytest.fixture
def house(tmp_path: Path) -> House:
    """Give a project and a home."""
    return House(tmp_path)


@pytest.mark.behaviour("project.packages")
def test_a_project_has_the_packages_of_its_folders_its_repository_its_user_its_plugins_and_its_paths(
    house: House, tmp_path: Path
) -> None:
    """Spec: project, user, plugin folders, paths; project beats user."""
    put(house.root / ".claude" / "skills" / "pdf", description="Project. Use when asked.")
    put(house.root / "skills" / "local")
    put(house.root.parent / ".agents" / "skills" / "shared")
    (house.root.parent / ".git").mkdir()
    put(house.home / ".claude" / "skills" / "pdf", description="User. Use when asked.")
    put(house.home / ".config" / "claude" / "skills" / "mine")
    put(house.root / "plugins" / "acme" / "skills" / "pdf")
    put(tmp_path / "else" / "more")
    zip_of(house.root / "bundle.zip", {"csv/SKILL.md": b"---\nname: csv\ndescription: Do it.\n---\n"})
    house.settings(f'[skills]\nplugins = ["plugins/*"]\npaths = ["{tmp_path}/else", "bundle.zip"]')
    project = house.open()
    sources = {entry.name: entry.source for entry in project.registry}
    assert sources == {
        "acme/pdf": "plugins/acme/skills/pdf",
        "csv": "bundle.zip/csv",
        "local": "skills/local",
        "mine": "~/.config/claude/skills/mine",
        "more": f"{tmp_path}/else/more",
        "pdf": ".claude/skills/pdf",
        "shared": f"{house.root.parent}/.agents/skills/shared",
        "user/pdf": "~/.claude/skills/pdf",
    }
    assert [one.code for one in project.diagnostics] == ["shadowed"]
    levels = {entry.name: package.level for entry in project.registry if (package := package_of(entry.recipe))}
    assert {name for name, level in levels.items() if level is Level.USER} == {"mine", "user/pdf"}
    assert levels["acme/pdf"] is Level.PLUGIN
    assert project.files[-1] == str(house.root / "bundle.zip")


@pytest.mark.behaviour("project.packages-settings")
def test_settings_and_variables_say_where_and_how_far_is_looked(house: House) -> None:
    """Spec: `[skills]`, each with `PROWESS_SKILLS_*`."""
    put(house.root / "skills" / "a" / "b" / "c" / "deep")
    put(house.root / "extra" / "more")
    put(house.home / ".agents" / "skills" / "mine")
    assert house.names() == ["deep", "mine"]
    assert house.names(PROWESS_SKILLS_USER="false") == ["deep"]
    assert house.names(PROWESS_SKILLS_PATHS="extra", PROWESS_SKILLS_MAX_DEPTH="2") == ["more", "mine"]
    house.settings('[skills]\nuser = false\nmax_folders = 1\npaths = ["gone"]')
    project = house.open()
    assert sorted(one.code for one in project.diagnostics) == ["limit", "missing"]
    assert any("'skills.paths' names it" in str(one) for one in project.diagnostics)


@pytest.mark.behaviour("project.home")
def test_a_home_that_is_a_project_has_its_own_packages_once_and_as_the_users(house: House) -> None:
    """Choice: whose they are decides whether they are trusted."""
    put(house.home / ".claude" / "skills" / "mine")
    project = open_project(house.home, environ=house.variables)
    (entry,) = project.registry
    package = package_of(entry.recipe)
    assert (entry.source, package and package.level) == (".claude/skills/mine", Level.USER)


@pytest.mark.behaviour("project.bare-packages")
def test_a_folder_of_packages_holds_those_alone_and_one_with_clients_folders_is_a_project(
    house: House, tmp_path: Path
) -> None:
    """Spec: `prowess list -C folder`; a repository that has only `.claude/skills`."""
    put(house.home / ".agents" / "skills" / "mine")
    put(tmp_path / "collection" / "deep" / "pdf")
    collection = open_project(tmp_path / "collection", environ=house.variables)
    assert [(entry.name, entry.source) for entry in collection.registry] == [("pdf", "deep/pdf")]
    one = open_project(tmp_path / "collection" / "deep" / "pdf", environ=house.variables)
    assert [(entry.name, entry.source) for entry in one.registry] == [("pdf", ".")]
    put(tmp_path / "repo" / ".claude" / "skills" / "csv")
    repo = open_project(tmp_path / "repo", environ=house.variables)
    assert [entry.name for entry in repo.registry] == ["csv", "mine"]
    file = tmp_path / "plain_packages_file.py"
    file.touch()
    assert len(open_project(file, environ=house.variables).registry) == 0


@pytest.mark.behaviour("project.package-code")
def test_code_in_a_packages_folder_is_not_run_by_opening_it(house: House, tmp_path: Path) -> None:
    """Choice: the scripts of a package are none of a project's modules."""
    put(tmp_path / "pdf")
    (tmp_path / "pdf" / "fill_form_script.py").write_text("raise SystemExit('run')")
    project = open_project(tmp_path / "pdf", environ=house.variables)
    assert ([entry.name for entry in project.registry], project.diagnostics) == (["pdf"], ())


@pytest.mark.behaviour("index.packages-kept")
def test_packages_come_back_from_the_index_as_they_were(house: House) -> None:
    """Spec: a new process with an index."""
    put(house.root / ".claude" / "skills" / "pdf", description="Project. Use when asked.")
    put(house.home / ".claude" / "skills" / "pdf", description="User. Use when asked.")
    odd = house.root / "skills" / "odd"
    odd.mkdir(parents=True)
    text = "---\nname: Odd Name\ndescription: Do it.\nversion: 1.10\ntags: [a, b]\nrequires: {tools: [x]}\n---\n"
    (odd / "SKILL.md").write_text(text, encoding="utf-8")
    first = house.keep()
    assert house.index_holds()
    (house.root / "skills" / "odd" / "SKILL.md").chmod(0o644)
    again = house.open()
    assert [entry.manifest for entry in again.registry] == [entry.manifest for entry in first.registry]
    assert [entry.source for entry in again.registry] == [entry.source for entry in first.registry]
    assert list(map(str, again.diagnostics)) == list(map(str, first.diagnostics))
    packages = [package_of(entry.recipe) for entry in again.registry.packages.entries]
    assert [(one.path, one.digest, one.level) for one in packages if one is not None] == [
        (one.path, one.digest, one.level)
        for entry in first.registry.packages.entries
        if (one := package_of(entry.recipe)) is not None
    ]
    looked = again.reload_packages()
    assert (looked.added, looked.changed, looked.removed) == ((), (), ())


@pytest.mark.behaviour("index.packages-kept")
def test_an_index_that_does_not_hold_any_more_saves_reading_what_did_not_change(house: House) -> None:
    """Spec: re-scan is incremental."""
    for name in ("a", "b"):
        put(house.root / "skills" / name)
    house.keep()
    put(house.root / "skills" / "b", description="Other. Use when asked.")
    project = house.open()
    assert [entry.description for entry in project.registry] == ["Do it. Use when asked.", "Other. Use when asked."]


@pytest.mark.behaviour("index.packages-broken")
def test_a_broken_package_keeps_no_index_from_being_kept_and_a_mended_one_ends_it(house: House) -> None:
    """Choice: one bad skill among thousands must not make every list slow; whatever mends it is watched."""
    put(house.root / "skills" / "good")
    bad = house.root / "skills" / "bad"
    bad.mkdir()
    (bad / "SKILL.md").write_text("broken")
    first = house.keep()
    assert house.index_holds()
    assert list(map(str, house.open().diagnostics)) == list(map(str, first.diagnostics))
    put(bad)
    assert not house.index_holds()
    assert house.names() == ["bad", "good"]


@pytest.mark.behaviour("index.unregistered")
def test_no_index_is_kept_of_a_registry_from_which_somebody_took_a_package(house: House) -> None:
    """Choice: an index says what opening the project gives."""
    put(house.root / "skills" / "pdf")
    settle()
    project = house.open()
    project.registry.unregister("pdf")
    assert keep_listing(project, house.variables).names == []
    assert index_file.read(project.place, house.variables) is None


@pytest.mark.behaviour("index.bare")
def test_the_index_of_a_folder_without_settings_lies_in_the_users_cache(house: House, tmp_path: Path) -> None:
    """Spec: nothing may be written beside it."""
    put(tmp_path / "collection" / "pdf")
    settle()
    project = open_project(tmp_path / "collection", environ=house.variables)
    keep_listing(project, house.variables)
    assert [path.name for path in (tmp_path / "collection").iterdir()] == ["pdf"]
    (kept,) = (house.home / ".cache" / "prowess" / "indexes").iterdir()
    assert kept.stat().st_mode & 0o077 == 0o044
    assert index_file.read(project.place, house.variables) is not None
    other = {**house.variables, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert index_file.read(project.place, other) is None


@pytest.mark.behaviour("lock.packages")
def test_what_is_locked_is_the_projects_and_not_the_users(house: House) -> None:
    """Choice: nobody else has my own folders, so that every other machine would differ."""
    put(house.root / "skills" / "pdf")
    put(house.home / ".claude" / "skills" / "mine")
    (one,) = locked_packages(house.open().registry)
    assert (one.name, one.source, one.version) == ("pdf", "skills/pdf", None)
    assert one.pinned == package_digest(str(house.root / "skills" / "pdf"))


@pytest.mark.behaviour("lock.unreadable")
def test_a_package_that_cannot_be_pinned_is_named(house: House) -> None:
    """Choice: a lock without it would be no lock."""
    put(house.root / "skills" / "pdf")
    project = house.open()
    (house.root / "skills" / "pdf" / os.fsdecode(b"\xff")).touch()
    with pytest.raises(UnavailableError, match="'pdf': the package cannot be pinned"):
        locked_packages(project.registry)


@pytest.mark.behaviour("trust.package")
def test_trust_is_asked_about_a_package_by_the_bytes_that_it_has_now(house: House) -> None:
    """Spec: one pure question where the gate can ask."""
    path = put(house.root / "skills" / "pdf")
    put(house.home / ".claude" / "skills" / "mine")
    packages = {entry.name: package for entry in house.open().registry if (package := package_of(entry.recipe))}
    store = trust_store(house.variables)
    assert isinstance(trust_verdict(packages["mine"], store), Allow)
    assert isinstance(trust_verdict(packages["pdf"], store), Ask)
    pinned = package_digest(packages["pdf"].folder)
    store.add(Trusted(name="pdf", folder=packages["pdf"].folder, digest=pinned.digest, files=pinned.files))
    assert isinstance(trust_verdict(packages["pdf"], store), Allow)
    path.with_name("new.sh").touch()
    assert isinstance(trust_verdict(packages["pdf"], store), Ask)


TAKES = {"input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}
"""What packages do not say, though their manifests could."""


@pytest.mark.behaviour("index.manifests")
@pytest.mark.parametrize(
    "fields", [{}, {"tags": ["a", "b"], "author": "Ada", "extra": {"x": [1, "é"]}, "version": "1.10"}]
)
@pytest.mark.parametrize(
    "more", [{}, {"owners": ["docs"]}, {"autonomy": "L1"}, {"status": "disabled"}, {"kind": "op"}, TAKES]
)
def test_whatever_a_manifest_says_is_written_alike_and_comes_back(
    fields: dict[str, object], more: dict[str, object]
) -> None:
    """Choice: the quick way of packages gives what the way of all entries gives."""
    manifest = manifest_from_json({"name": "pdf", "description": "Do it.", "kind": "package", **fields, **more})
    registry = Registry()
    registry.register_factory("pdf", lambda _: None, manifest=manifest, source="skills/pdf")
    entry = registry.require("pdf")
    assert entry_text(entry).encode() == encode_json(entry_json(entry))
    assert (written_said(entry) is None) is bool(more)
    assert read_said(entry_text(entry).encode()) == (manifest, "skills/pdf")


def test_a_manifest_whose_text_is_no_unicode_is_written_like_any_other() -> None:
    """Choice: half of a surrogate pair can be escaped."""
    manifest = Manifest(name="pdf", description="\ud800", kind="package")
    registry = Registry()
    registry.register_factory("pdf", lambda _: None, manifest=manifest)
    assert "\\ud800" in entry_text(registry.require("pdf"))
