"""Documents of projects: written, opened, watched, compared."""

from __future__ import annotations

import json

import pytest

from prowess import Pipeline, Registry, op
from prowess.app.documents.catalogue import diagnostics_of
from prowess.app.documents.diffing import diff_documents
from prowess.app.documents.watching import places_of_documents
from prowess.errors import (
    ConfigurationError,
    InvalidDocumentError,
    InvalidManifestError,
    NotFoundError,
)
from prowess.model.schema import Schema
from tests.unit.app.documents.folders import TELL, write
from tests.unit.app.folder import Folder, told
from tests.unit.documents import samples as make


@pytest.mark.behaviour("documents.written")
def test_a_registry_writes_its_pipelines_as_a_document_that_it_can_load(folder: Folder) -> None:
    """Spec: builder pipelines are written out as documents and read back unchanged."""

    @op
    async def find(query: str) -> list[str]:
        """Find it."""
        return [query]

    named = Pipeline("named", version="1.0.0", description="x").step("a", "find", query="x").build()
    built = (
        Pipeline("re-search", version="1.0.0", description="Use when …")
        .input(query=str)
        .step("a", find, query="$inputs.query")
        .build()
    )
    registry = Registry()
    registry.register(find, built, named)
    folder.write("config/skill-registry.json", registry.written().decode())
    assert b"re_search" in registry.written("re-search")
    other = Registry()
    other.register(find)
    other.load(folder.path / "config")
    assert other.written() == registry.written()
    with pytest.raises(InvalidManifestError, match="is code"):
        registry.written("find")


@pytest.mark.behaviour("documents.project")
def test_a_project_with_a_config_folder_is_opened_with_its_documents(folder: Folder) -> None:
    """Spec: `open_project` loads a `config` folder; a folder without settings has none."""
    write(folder, make.ops(make.op("read", failure_modes=[])))
    project = folder.open()
    assert project.governed
    assert project.registry.names == ("read",)
    assert told(project) == [
        "config/op-registry.json:2: $.ops[0].failure_modes: 'read' says no way in which it may fail"
    ]
    assert str(folder.path / "config" / "op-registry.json") in project.files
    write(folder, make.ops(make.op("other")))
    assert project.registry.documents.changed
    project.reload_documents()
    assert not project.registry.documents.changed
    assert project.registry.names == ("other",)


@pytest.mark.behaviour("documents.project")
def test_documents_that_are_wrong_keep_a_project_from_opening(folder: Folder) -> None:
    """Spec: a document that does not validate fails the start with all its problems."""
    write(folder, make.ops(make.op("read", autonomy="L9", status="on")))
    with pytest.raises(InvalidDocumentError) as refused:
        folder.open()
    assert len(refused.value.problems) == 2


@pytest.mark.behaviour("documents.required")
def test_a_project_may_be_held_to_having_documents(folder: Folder) -> None:
    """Spec: `[governance] required = true` forbids a project without `config`."""
    with pytest.raises(ConfigurationError, match="required is true, and there is no"):
        folder.open("[governance]\nrequired = true")
    write(folder)
    assert folder.open("[governance]\nrequired = true").governed
    plain = folder.path / "plain"
    plain.mkdir()
    project = Folder(plain).open()
    assert not project.governed
    project.reload_documents()
    assert project.absent == (str(plain / "config"),)


@pytest.mark.behaviour("documents.watched")
def test_every_place_in_which_a_document_may_come_is_watched(folder: Folder) -> None:
    """Spec: a watching server reloads what changes."""
    config = write(folder)
    registry = Registry()
    registry.load(config)
    root = str(folder.path)
    names = ("capabilities.json", "op-registry.json", "overlays", "skill-registry.json")
    here = {(root, "config"), *((config, name) for name in names)}
    assert places_of_documents(registry.documents) == here
    folder.write("config/overlays/a.yaml", "entries: {}")
    folder.write(".prowess/overlays/b.yaml", "entries: {}")
    more = {(f"{base}/overlays", end) for base in (config, f"{root}/.prowess") for end in ("*.yaml", "*.yml")}
    assert places_of_documents(registry.documents) == here | more | {(f"{root}/.prowess", "overlays")}
    (folder.path / "config").rename(folder.path / "gone")
    assert (config, "overlays") not in places_of_documents(registry.documents)


@pytest.mark.behaviour("policy.diff")
def test_folders_and_files_are_compared(folder: Folder) -> None:
    """Spec: `policy diff OLD NEW`."""
    config = write(folder, make.ops(make.op("read")), make.skills(TELL))
    ops_file, skills_file = (f"{config}/{name}" for name in ("op-registry.json", "skill-registry.json"))
    assert diff_documents(config, config) == ()
    assert [one.name for one in diff_documents(config, ops_file)] == ["tell"]
    assert [one.name for one in diff_documents(skills_file, config)] == ["read"]
    with pytest.raises(NotFoundError):
        diff_documents(config, f"{config}/nowhere.json")
    with pytest.raises(InvalidDocumentError, match="is no file"):
        diff_documents(config, "/dev/null")


def test_a_loaded_schema_is_the_text_that_was_written(folder: Folder) -> None:
    """Choice: `show` and clients see the author's schema."""
    registry = Registry()
    registry.load(write(folder, make.ops(make.op("read"))))
    assert registry.require("read").manifest.input_schema == Schema.of(make.schema("query"))
    assert json.loads(json.dumps(registry.require("read").parameters)) == make.schema("query")


def test_the_folder_of_a_relative_path_is_found_from_the_present_one(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choice: `registry.load("config/")` is what a program says."""
    write(folder, make.ops(make.op("read")))
    monkeypatch.chdir(folder.path)
    registry = Registry()
    registry.load("config/")
    registry.load(folder.path / "config")
    assert registry.names == ("read",)
    assert len(registry.documents.places) == 1


def test_what_is_no_fault_of_a_document_is_told_in_its_own_words() -> None:
    """Choice: a name that code has taken meanwhile keeps the documents as they were, and says so."""
    (one,) = diagnostics_of(ConfigurationError("the name is taken"))
    assert (one.code, one.message) == ("documents", "configuration: the name is taken")
