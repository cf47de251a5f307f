"""What stays of a package whose files break, go away or are others, and what is told of it."""

from __future__ import annotations

import os
import shutil
from shutil import rmtree
from typing import TYPE_CHECKING

import pytest

from prowess import Registry, Runtime, open_project
from prowess.app.packages.folder_package import package_of
from prowess.app.packages.last_texts import LastTexts
from prowess.app.packages.watching import places_to_watch
from prowess.errors import ExecutionFailedError
from tests.unit.catalog.archives.making import zip_of
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.behaviour("discover.last-good")
async def test_a_package_that_breaks_keeps_its_entry_its_text_and_its_resources(tmp_path: Path) -> None:
    """Regression: asked again, the library kept the entry alone, and the text could not be opened."""
    path = put(tmp_path / "pdf", body="# Steps\n")
    (tmp_path / "pdf" / "forms.md").write_text("forms")
    registry = Registry()
    registry.discover(tmp_path)
    path.write_text("broken")
    found = registry.discover(tmp_path)
    assert (found.names, found.changed, found.removed) == (("pdf",), (), ())
    (told,) = found.diagnostics
    assert told.code == "frontmatter-missing"
    assert told.message.endswith(
        "Until it can be used again, its entry and its text stay as they were, and its resources are read as they are"
    )
    package = package_of(registry.require("pdf").recipe)
    assert package is not None
    loaded = await package.load()
    assert (loaded.instructions, loaded.resource_keys()) == ("# Steps\n", ["forms.md"])
    async with Runtime(registry) as runtime:
        assert "# Steps" in str((await runtime.run("activate_skill", {"name": "pdf"})).unwrap())
        asked = {"skill": "pdf", "key": "forms.md"}
        assert (await runtime.run("read_skill_resource", asked)).unwrap() == {"text": "forms"}
    put(tmp_path / "pdf", body="# Mended\n")
    assert registry.discover(tmp_path).diagnostics == ()
    package = package_of(registry.require("pdf").recipe)
    assert package is not None
    assert (await package.load()).instructions == "# Mended\n"


@pytest.mark.behaviour("discover.last-good")
def test_a_text_that_was_not_kept_is_not_promised(tmp_path: Path) -> None:
    """Choice: a diagnostic says what is so, no more."""
    path = put(tmp_path / "pdf")
    registry = Registry()
    registry.discover(tmp_path)
    registry.packages.texts = LastTexts(most=0)
    path.write_text("broken")
    (told,) = registry.discover(tmp_path).diagnostics
    assert told.message.endswith("its entry stays as it was, and its text cannot be opened")


@pytest.mark.behaviour("discover.last-good")
async def test_a_project_keeps_texts_from_its_first_reload_on(tmp_path: Path) -> None:
    """Choice: the command that lists and ends need not pay for what only another look can use."""
    path = put(tmp_path / "skills" / "pdf", body="# Steps\n")
    gone = put(tmp_path / "skills" / "gone")
    changed = put(tmp_path / "skills" / "changed")
    project = open_project(tmp_path, environ={})
    gone.unlink()
    changed.write_text("broken before anybody kept it")
    (told,) = project.reload_packages().diagnostics
    assert told.message.endswith("its entry stays as it was, and its text cannot be opened")
    path.write_text("broken")
    _, told = project.reload_packages().diagnostics
    assert "its entry and its text stay as they were" in told.message
    package = package_of(project.registry.require("pdf").recipe)
    assert package is not None
    assert (await package.load()).instructions == "# Steps\n"


@pytest.mark.behaviour("discover.gone")
@pytest.mark.parametrize("how", ["folder", "file", "other", "broken"])
async def test_a_package_whose_files_go_away_is_told_and_its_text_is_not_searched(tmp_path: Path, how: str) -> None:
    """Choice: each way in which files go, between a look and an activation, ends with the same clear error."""
    path = put(tmp_path / "pdf", body="# Steps\n")
    registry = Registry()
    registry.discover(tmp_path)
    package = package_of(registry.require("pdf").recipe)
    assert package is not None
    assert package.body() == "# Steps\n"
    if how == "folder":
        shutil.rmtree(tmp_path / "pdf")
    elif how == "file":
        path.unlink()
    else:
        path.write_text("broken" if how == "broken" else path.read_text() + "More.\n")
    assert package.body() == ("# Steps\nMore.\n" if how == "other" else "")
    with pytest.raises(ExecutionFailedError, match="'pdf' cannot be opened: ") as failed:
        await package.load()
    assert failed.value.retryable
    assert str(tmp_path) not in failed.value.model_text


async def test_a_package_that_holds_too_much_to_be_listed_is_told(tmp_path: Path) -> None:
    """Choice: as above, for a folder that grew."""
    put(tmp_path / "pdf")
    registry = Registry()
    registry.discover(tmp_path)
    for number in range(10_001):
        (tmp_path / "pdf" / f"{number}").touch()
    package = package_of(registry.require("pdf").recipe)
    assert package is not None
    with pytest.raises(ExecutionFailedError, match="more than 10000 files"):
        await package.load()


def test_a_linked_skill_is_watched_where_it_is(tmp_path: Path) -> None:
    """Choice: whoever links a skill edits it where it is."""
    path = put(tmp_path / "away" / "pdf")
    (tmp_path / "skills" / "pdf").mkdir(parents=True)
    (tmp_path / "skills" / "pdf" / "SKILL.md").symlink_to(path)
    registry = Registry()
    registry.discover(tmp_path / "skills")
    assert str(path.parent) in places_to_watch(registry.packages).deep


def test_last_texts_are_kept_up_to_a_bound() -> None:
    """Choice: a server that runs for months must not keep every text that ever was."""
    texts = LastTexts(most=30_000)
    for number in range(5):
        texts.add(f"{number}", os.urandom(10_000))
    assert [f"{number}" in texts for number in range(5)] == [False, False, False, True, True]
    texts.add("4", b"again")
    assert (texts.get("4"), texts.get("0")) == (b"again", None)


def test_an_archive_that_went_is_watched_for_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: what was replaced under its path was never looked at again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "away").mkdir()
    registry = Registry()
    registry.discover(zip_of(tmp_path / "away" / "bundle.zip"))
    before = places_to_watch(registry.packages)
    rmtree(tmp_path / "away")
    after = places_to_watch(registry.packages)
    assert before.flat == after.flat
    assert before.found != after.found
