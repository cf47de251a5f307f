"""A project in one file: the same answers from it as from the project itself, on any machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from prowess import Project, Runtime, open_project
from prowess.app.catalogue.options import SearchOptions
from prowess.app.listing import make_listing
from prowess.app.packages.folder_package import package_of
from prowess.catalog.built.container import BuiltFile, BuiltWriter
from prowess.catalog.built.contents import contents_of
from prowess.catalog.search.port import IndexUnavailableError
from prowess.errors import ConfigurationError, ForbiddenError, NotFoundError, UnavailableError
from tests.unit.catalog.packages.trees import open_folder, without_rights

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from prowess.catalog.search.port import SearchIndex
    from prowess.model.json_value import Json

SKILL = "---\nname: {name}\ndescription: Use when {name} is wanted.\nversion: 1.2\n---\n\n# How\n\nDo {name}.\n"


def project_at(root: Path) -> Path:
    """A project with two packages, one of them with resources, and code that reads a file."""
    for name in ("pdf", "tidy"):
        folder = root / ".agents" / "skills" / name
        (folder / "references").mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name=name), encoding="utf-8")
    pdf = root / ".agents" / "skills" / "pdf"
    (pdf / "references" / "forms.md").write_text("Fill them in.", encoding="utf-8")
    (pdf / "logo.png").write_bytes(b"\x89PNG\0\1")
    run = pdf / "run.sh"
    run.write_text("#!/bin/sh\n", encoding="utf-8")
    run.chmod(0o755)
    (root / "data").mkdir()
    (root / "data" / "words.txt").write_text("a word", encoding="utf-8")
    (root / "built_words.py").write_text(
        "from pathlib import Path\nfrom prowess import op\n\n\n@op\nasync def words() -> str:\n"
        '    """Give the words."""\n    return Path(__file__).with_name("data").joinpath("words.txt").read_text()\n',
        encoding="utf-8",
    )
    (root / "prowess.toml").write_text(
        'name = "shop"\nmodules = ["built_words"]\n[build]\ninclude = ["data"]\n', encoding="utf-8"
    )
    return root


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    """A home of its own."""
    return {"HOME": str(tmp_path / "home")}


def opened(path: Path, environ: Mapping[str, str]) -> Project:
    """A project, whose modules come from its own folder even where another one's were loaded before."""
    sys.modules.pop("built_words", None)
    before = [*sys.path]
    try:
        return open_project(path, environ=environ)
    finally:
        sys.path[:] = before


def built_from(tmp_path: Path, environ: Mapping[str, str]) -> tuple[Path, Project]:
    """A built file, and the project that it is from."""
    project = opened(project_at(tmp_path / "project"), environ)
    project.build(tmp_path / "shop.prowess")
    return tmp_path / "shop.prowess", project


async def answers(project: Project) -> list[Json]:
    """What a model is told of the packages, step by step, and what the code gives."""
    calls: list[tuple[str, dict[str, Json]]] = [
        ("list_skills", {}),
        ("activate_skill", {"name": "pdf"}),
        ("activate_skill", {"name": "project/tidy"}),
        ("read_skill_resource", {"skill": "pdf", "key": "references/forms.md"}),
        ("read_skill_resource", {"skill": "pdf", "key": "references/forms.md", "start": 5, "limit": 4}),
        ("read_skill_resource", {"skill": "pdf", "key": "logo.png"}),
        ("words", {}),
    ]
    async with Runtime(project.registry) as runtime:
        return [(await runtime.run(name, inputs)).unwrap() for name, inputs in calls]


@pytest.mark.behaviour("build.same-answers", "disclosure.folder")
async def test_a_built_file_gives_the_answers_of_its_project_to_the_byte(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    """Spec: served from one file by many machines, with the same answers to the byte."""
    file, project = built_from(tmp_path, environ)
    expected, listed = await answers(project), make_listing(project)
    formats = [project.registry.toolset(name).json for name in ("openai", "anthropic", "gemini", "mcp")]
    (tmp_path / "project").rename(tmp_path / "elsewhere")
    served = opened(file, environ)
    assert await answers(served) == expected
    assert (served.name, make_listing(served).manifests) == ("shop", listed.manifests)
    assert [served.registry.toolset(name).json for name in ("openai", "anthropic", "gemini", "mcp")] == formats


@pytest.mark.behaviour("build.same-file")
def test_the_same_project_gives_the_same_file(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Spec: content-addressed: whoever builds it, wherever it lies, however often."""
    file, project = built_from(tmp_path, environ)
    other = opened(project_at(tmp_path / "another" / "place"), environ)
    digests = [project.build(tmp_path / "again").digest, other.build(tmp_path / "third").digest]
    assert (tmp_path / "again").read_bytes() == (tmp_path / "third").read_bytes() == file.read_bytes()
    assert len(set(digests)) == 1


def hits_of(project: Project) -> list[list[dict[str, object]]]:
    """What searches give."""
    questions = ("pdf or tidy", "what is wanted", "give words", "wantd")
    return [[hit.to_json() for hit in project.registry.search(one)] for one in questions]


def index_of(project: Project) -> Path:
    """The folder of the index of a project that came from a built file."""
    return project.root / ".prowess" / "search" / "tantivy-1"


@pytest.mark.behaviour("build.index", "build.same-answers")
async def test_a_built_file_is_searched_at_once_and_as_its_project_is(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    """Spec: entries, index, digests in one file: the same hits and scores, and nothing is indexed anew."""
    file, project = built_from(tmp_path, environ)
    expected = hits_of(project)
    assert [len(hits) for hits in expected] == [2, 2, 1, 2]
    contents = contents_of(BuiltFile(str(file)))
    carried = {one.path.removeprefix("tantivy-1/") for one in contents.search}
    (tmp_path / "project").rename(tmp_path / "elsewhere")
    for _ in range(2):
        served = opened(file, environ)
        async with served.registry:
            assert hits_of(served) == expected
        assert {one.name for one in index_of(served).iterdir() if one.suffix != ".lock"} == carried


def test_a_built_file_is_built_again_from_itself(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: what came along with it is not taken for an index of something else."""
    file, _ = built_from(tmp_path, environ)
    opened(file, environ).build(tmp_path / "again")
    first, again = (contents_of(BuiltFile(str(one))) for one in (file, tmp_path / "again"))
    assert [one.path for one in again.search] == [one.path for one in first.search] != []


def test_an_index_that_cannot_be_made_is_told(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: a file that silently lacks its index would be slow on every machine."""
    project = opened(project_at(tmp_path / "project"), environ)

    def full(folder: str | None) -> SearchIndex:
        raise IndexUnavailableError(f"no space left in {folder}")

    project.registry.search_options = SearchOptions(open_index=full)
    with pytest.raises(UnavailableError, match="search index cannot be written: no space left"):
        project.build(tmp_path / "file")
    assert not (tmp_path / "file").exists()


@pytest.mark.behaviour("search.damaged", "build.index")
def test_an_index_that_was_damaged_where_it_is_served_is_brought_again(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    """Spec: rebuilt when damaged or missing."""
    file, project = built_from(tmp_path, environ)
    served = opened(file, environ)
    expected = hits_of(served)
    for one in index_of(served).glob("*.term"):
        one.write_bytes(b"damaged")
    assert hits_of(opened(file, environ)) == expected == hits_of(project)


@pytest.mark.behaviour("build.damaged", "build.index")
def test_an_index_that_was_changed_in_the_file_is_refused(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: the digest speaks for every byte, so a file in which one is another is not believed."""
    file, _ = built_from(tmp_path, environ)
    blob = contents_of(BuiltFile(str(file))).search[0].blob
    data = bytearray(file.read_bytes())
    data[blob.start] ^= 1
    file.write_bytes(data)
    with pytest.raises(ConfigurationError, match="changed after it was built"):
        opened(file, environ).registry.search("do the pdf")


@pytest.mark.behaviour("search.in-memory")
def test_where_the_index_of_a_built_file_cannot_be_unpacked_memory_serves(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    """Spec: a disk that is full or read-only."""
    file, project = built_from(tmp_path, environ)
    served = opened(file, environ)
    index_of(served).parent.parent.write_text("in the way", encoding="utf-8")
    assert hits_of(served) == hits_of(project)
    assert [one.code for one in served.diagnostics][-1] == "search_in_memory"


def test_the_files_of_a_package_keep_their_rules_and_facts(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: a key that leads out, or to no file, is refused as in a folder."""
    file, _ = built_from(tmp_path, environ)
    package = package_of(opened(file, environ).registry.require("pdf").recipe)
    assert package is not None
    files = package.files()
    assert list(files.keys()) == ["logo.png", "references/forms.md", "run.sh"]
    assert [files.facts("run.sh").executable, files.facts("logo.png").executable] == [True, False]
    assert files.read("SKILL.md").startswith(b"---")
    with files.open("run.sh") as run:
        assert (run.facts.size, run.read(2, 4)) == (10, b"/bin")
    for key in ("no.md", "references", "zzz"):
        with pytest.raises(NotFoundError):
            files.read(key)
    with pytest.raises(ForbiddenError):
        files.read("../../etc/passwd")


def test_a_package_that_changed_is_not_built_as_if_it_were_whole(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: a file that lacks a package, or has two halves of one, would be served as if that were right."""
    project = opened(project_at(tmp_path / "project"), environ)
    skill = tmp_path / "project" / ".agents" / "skills" / "pdf" / "SKILL.md"
    skill.write_text(SKILL.format(name="pdf") + "More.", encoding="utf-8")
    with pytest.raises(UnavailableError, match=r"'pdf' cannot be built: its SKILL.md changed"):
        project.build(tmp_path / "file")
    skill.unlink()
    with pytest.raises(UnavailableError, match="'pdf' cannot be built"):
        project.build(tmp_path / "file")
    assert not (tmp_path / "file").exists()


@pytest.mark.behaviour("build.whole")
def test_a_package_with_a_folder_that_may_not_be_read_is_not_built(environ: Mapping[str, str]) -> None:
    """Regression: the file lacked what lies in such a folder, and nobody was told."""
    with open_folder() as reachable:
        project = opened(project_at(reachable / "project"), environ)
        closed = reachable / "project" / ".agents" / "skills" / "pdf" / "references"
        for mode in (0o000, 0o744):  # not to be listed; listed, but with nothing that can be looked at
            closed.chmod(mode)
            shut = pytest.raises(UnavailableError, match=r"'pdf' cannot be built: .*cannot be listed: Permission")
            (reachable / "out").mkdir(exist_ok=True)
            (reachable / "out").chmod(0o777)
            with without_rights(), shut:
                project.build(reachable / "out" / "file")
            assert not list((reachable / "out").iterdir())


@pytest.mark.behaviour("build.include")
@pytest.mark.parametrize(("path", "told"), [("../outside", "leads upwards"), ("nothing", "there is no 'nothing'")])
def test_only_what_lies_in_the_project_is_included(
    tmp_path: Path, environ: Mapping[str, str], path: str, told: str
) -> None:
    """Choice: a file that travels to other machines must not take a secret from beside the project."""
    root = project_at(tmp_path / "project")
    (tmp_path / "outside").mkdir()
    settings = root / "prowess.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('"data"', f'"{path}"'), encoding="utf-8")
    with pytest.raises(ConfigurationError, match=rf"\[build\] include in prowess.toml names '{path}': .*{told}"):
        opened(root, environ).build(tmp_path / "file")


def test_a_file_can_be_included_by_itself(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: one word list needs no folder."""
    root = project_at(tmp_path / "project")
    settings = root / "prowess.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("data", "data/words.txt"), encoding="utf-8")
    file = tmp_path / "file"
    opened(root, environ).build(file)
    assert b"a word" in file.read_bytes()


def test_a_built_file_of_another_release_is_refused(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: said as what it is, not as damage."""
    for contents in (b"\x93\xa1a\xa1b\xa1c", b"\xc1"):
        with BuiltWriter(str(tmp_path / "file")) as writer:
            writer.finish(contents)
        with pytest.raises(ConfigurationError, match="built by another release"):
            open_project(tmp_path / "file", environ=environ)


def test_a_file_without_code_opens_too(tmp_path: Path, environ: Mapping[str, str]) -> None:
    """Choice: a folder of packages is enough to build one."""
    folder = project_at(tmp_path / "project") / ".agents" / "skills"
    open_project(folder, environ={**environ, "PROWESS_SKILLS_USER": "false"})
    folder.rename(tmp_path / "packages")
    built = open_project(tmp_path / "packages", environ=environ).build(tmp_path / "file")
    assert (built.packages, built.modules) == (2, 0)
    assert open_project(tmp_path / "file", environ=environ).registry.names == ("pdf", "tidy")


def test_code_that_was_changed_in_the_cache_is_mended_before_it_runs(
    tmp_path: Path, environ: Mapping[str, str]
) -> None:
    """Regression: what somebody wrote into the cache ran as if the file's digest spoke for it."""
    file, _ = built_from(tmp_path, environ)
    root = opened(file, environ).root
    (root / "built_words.py").write_text("raise RuntimeError", encoding="utf-8")
    assert "words" in opened(file, environ).registry.names


@pytest.mark.parametrize("name", ["", "missing/file"])
def test_a_place_that_cannot_be_written_is_told_by_its_own_name(
    tmp_path: Path, environ: Mapping[str, str], name: str
) -> None:
    """Regression: the message named a temporary file."""
    project = opened(project_at(tmp_path / "project"), environ)
    with pytest.raises(ConfigurationError, match=r"project (is a folder|cannot be written)|missing/file cannot be"):
        project.build(tmp_path / "project" / name)
