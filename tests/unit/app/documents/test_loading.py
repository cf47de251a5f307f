"""Loading a folder of documents into a registry, and again."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any

import pytest

from prowess import Registry, op
from prowess.errors import (
    InvalidDocumentError,
    NotFoundError,
    ProwessError,
)
from prowess.governance.capabilities import Capability
from prowess.governance.rulebook import Access
from tests.unit.app.documents.folders import TELL, run, write
from tests.unit.documents import samples as make

if TYPE_CHECKING:
    from tests.unit.app.folder import Folder


@pytest.mark.behaviour("documents.load")
def test_a_folder_of_documents_becomes_entries_that_run(folder: Folder) -> None:
    """Spec: handlers are imported at the first call; sync ones run in threads, `ctx` is given where it is taken."""
    echo = make.op("echo", inputs_schema=make.schema("query", "ctx"))
    deep = make.op("deep", handler="Deep.inner")
    config = write(folder, make.ops(make.op("read"), echo, deep), make.skills(TELL), make.rights(["notes.read"]))
    registry = Registry()
    loading = registry.load(config)
    assert [entry.name for entry in loading.entries] == ["read", "echo", "deep", "tell"]
    assert {entry.source for entry in registry} == {"config/op-registry.json", "config/skill-registry.json"}
    assert run(registry, "tell", query="a") == {"result": "read a"}
    assert run(registry, "read", query="a")["thread"] == "prowess-handler"
    assert run(registry, "echo", query="a", ctx="given") == {"result": "a given"}
    assert run(registry, "deep", query="a") == {"result": "a"}
    assert registry.rulebook.capabilities.declared == {"notes.read": Capability("notes.read")}


@pytest.mark.behaviour("documents.handlers")
@pytest.mark.parametrize(
    ("point", "sentence"),
    [
        ({"module": "nowhere_at_all", "handler": "x"}, "module 'nowhere_at_all': there is no module 'nowhere_at_all'"),
        ({"module": "skills.code", "handler": "raed"}, "has no 'raed', did you mean 'read'?"),
        ({"module": "skills.code", "handler": "Deep.outer"}, "has no 'Deep.outer'"),
        ({"module": "skills.code", "handler": "number"}, ":number' cannot be called"),
        ({"runtime": "http", "url": "http://a.b", "module": ..., "handler": ...}, "has the runtime 'http', which this"),
        ({"runtime": "script", "command": "x", "module": ..., "handler": ...}, "has the runtime 'script', which this"),
        ({"runtime": "mcp", "tool": "x", "module": ..., "handler": ...}, "has the runtime 'mcp', which this release"),
    ],
)
def test_what_cannot_be_made_loads_and_says_so_when_it_is_called(
    folder: Folder, point: dict[str, Any], sentence: str
) -> None:
    """Spec: handlers are imported at the first call, never at load; what cannot run yet says so."""
    registry = Registry()
    registry.load(write(folder, make.ops(make.op("read", **point))))
    assert registry.names == ("read",)
    error = run(registry, "read", query="x")
    assert error.code == "unavailable"
    assert sentence in error.message
    assert error.model_text == "'read' is not available"


@pytest.mark.behaviour("documents.handlers")
def test_a_decorated_function_may_be_a_handler(folder: Folder) -> None:
    """Choice: code that was written for Prowess can be governed by documents."""
    folder.write(
        "made_§.py",
        "from prowess import op\n@op\nasync def read(query: str) -> dict[str, str]:\n"
        "    'Read.'\n    return {'result': query}\n",
    )
    registry = Registry()
    registry.load(write(folder, make.ops(make.op("read", module=f"made_{folder.mark}"))))
    assert run(registry, "read", query="x") == {"result": "x"}


@pytest.mark.behaviour("documents.atomic")
def test_documents_that_are_wrong_change_nothing_and_the_last_good_ones_stay(folder: Folder) -> None:
    """Spec: atomically, all or nothing; again is a reload that keeps the last good on failure."""
    config = write(folder, make.ops(make.op("read")), make.skills(TELL), make.rights(["notes.read"]))
    registry = Registry()
    registry.load(config)
    before, rulebook = tuple(registry), registry.rulebook
    write(folder, make.ops(make.op("read", autonomy="L9"), make.op("new")))
    with pytest.raises(InvalidDocumentError):
        registry.load(config)
    assert tuple(registry) == before
    assert registry.rulebook is rulebook
    assert [one.code for one in registry.documents.diagnostics()] == ["documents", "document-enum"]
    registry.documents.reload()
    assert isinstance(registry.documents.failure, InvalidDocumentError)
    write(folder, make.ops(make.op("read", version="1.1.0"), make.op("new")), make.skills())
    registry.load(config)
    assert [manifest.reference for manifest in registry.list()] == ["new@1.0.0", "read@1.1.0"]
    assert registry.documents.diagnostics() == []


@pytest.mark.behaviour("documents.load")
def test_a_folder_needs_a_skill_registry(folder: Folder) -> None:
    """Spec: `registry.load(dir)` fails without `skill-registry.json`."""
    registry = Registry()
    with pytest.raises(NotFoundError):
        registry.load(folder.path / "config")
    (folder.path / "config").mkdir()
    with pytest.raises(InvalidDocumentError, match=r"config/skill-registry.json: \$: is missing"):
        registry.load(folder.path / "config")


@pytest.mark.behaviour("documents.bounded")
def test_what_is_no_file_or_cannot_be_read_is_refused_without_waiting(folder: Folder) -> None:
    """Choice: a pipe of that name must not make anybody wait."""
    config = write(folder)
    os.mkfifo(folder.path / "config" / "op-registry.json")
    (folder.path / "config" / "capabilities.json").symlink_to(folder.path / "nowhere")
    with pathlib.Path(folder.path / "config" / "skill-registry.json").open("r+b") as file:
        file.truncate(65_000_000)
    with pytest.raises(InvalidDocumentError) as refused:
        Registry().load(config)
    assert [str(problem) for problem in refused.value.problems] == [
        "config/capabilities.json: $: cannot be read: No such file or directory",
        "config/op-registry.json: $: is no file",
        "config/skill-registry.json: $: is larger than 64,000,000 bytes",
    ]


@pytest.mark.behaviour("documents.bounded")
@pytest.mark.parametrize(
    "part",
    [
        {"$ref": "http://127.0.0.1:9/x"},
        {"pattern": "(a+)+$", "type": "string", "x": {}},
        {"type": "strin"},
        {"$ref": "#/a"},
    ],
)
def test_a_schema_that_no_call_could_be_checked_with_is_refused_at_load(folder: Folder, part: dict[str, Any]) -> None:
    """Spec: a schema with a remote `$ref` or a catastrophic pattern is refused in bounded time."""
    config = write(folder, make.ops(make.op("read", inputs_schema={"type": "object", "properties": {"a": part}})))
    if "pattern" in part:  # which costs no more than any other: patterns take linear time here
        Registry().load(config)
        return
    with pytest.raises(InvalidDocumentError, match="inputs_schema: cannot be used"):
        Registry().load(config)


@pytest.mark.behaviour("documents.overlays")
def test_overlays_of_the_repository_and_of_the_user_are_laid_over(folder: Folder) -> None:
    """Spec: repository, then user; what depends on an entry that one disables is unavailable."""
    folder.write(".prowess/overlays/me.yml", "entries: {read: {channels: [cli]}}")
    folder.write("config/overlays/.hidden.yaml", "not read")
    folder.write("config/overlays/notes.txt", "not read")
    config = write(folder, make.ops(make.op("read")), make.skills(TELL), b="entries: {read: {status: disabled}}")
    registry = Registry()
    registry.load(config)
    assert registry.rulebook.access == {"read@1.0.0": Access(("cli",), None)}
    assert {manifest.name: manifest.status for manifest in registry.list()} == {"read": "disabled", "tell": "disabled"}
    (diagnostic,) = registry.documents.diagnostics()
    assert (diagnostic.code, diagnostic.subject, diagnostic.severity) == ("unavailable", "tell", "warning")
    assert "config/overlays/b.yaml switches off" in diagnostic.message


@pytest.mark.behaviour("documents.code")
def test_overlays_reach_what_code_has_registered_and_a_reload_takes_them_back(folder: Folder) -> None:
    """Choice: who governs a project governs its code too."""

    @op(capabilities=["notes.raed"])
    async def coded(query: str) -> str:
        """Say it."""
        return query

    registry = Registry()
    registry.register(coded)
    caller = make.logic("caller", call_targets=[{"kind": "op", "name": "coded"}], capabilities=["notes.raed"])
    config = write(folder, make.skills(), make.rights(["notes.read"]), a="entries: {coded: {status: disabled}}")
    registry.load(config)
    assert registry.require("coded").manifest.status == "disabled"
    (diagnostic,) = registry.documents.diagnostics()
    assert (diagnostic.code, diagnostic.severity) == ("unknown_capability", "error")
    assert diagnostic.message.endswith("did you mean 'notes.read'?")
    folder.write("config/overlays/a.yaml", "entries: {coded: {autonomy: L1}}")
    registry.load(config)
    assert (registry.require("coded").manifest.status, registry.require("coded").manifest.autonomy) == ("enabled", "L1")
    (folder.path / "config" / "overlays" / "a.yaml").unlink()
    pathlib.Path(folder.path / "config" / "capabilities.json").unlink()
    write(folder, make.skills(caller))
    registry.load(config)
    assert registry.require("coded").manifest.autonomy == "L3"
    assert registry.documents.diagnostics() == []


@pytest.mark.behaviour("documents.code")
def test_of_several_versions_of_code_an_overlay_reaches_the_one_that_it_names(folder: Folder) -> None:
    """Choice: as for entries of documents; near names are those of the whole registry."""

    def coded(version: str) -> object:
        @op(name="coded", version=version, capabilities=["notes.read", "notes.more"])
        async def made() -> None:
            """Do it."""

        return made

    registry = Registry()
    registry.register(coded("1.0.0"), coded("2.0.0"))
    write(folder, make.skills(), make.rights(["notes.read", "notes.more"]), a="entries: {coded@1.0.0: {autonomy: L1}}")
    registry.load(folder.path / "config")
    assert [manifest.autonomy for manifest in registry.list()] == ["L1", "L3"]
    assert registry.documents.diagnostics() == []
    write(folder, make.skills(make.logic("a", call_targets=[{"kind": "op", "name": "codde"}])))
    with pytest.raises(InvalidDocumentError, match="did you mean 'coded'"):
        registry.load(folder.path / "config")


@pytest.mark.behaviour("documents.code")
def test_what_code_has_a_factory_or_an_alias_for_is_not_taken(folder: Folder) -> None:
    """Choice: two sources never shadow each other silently."""

    class Read:
        name = "read"

    registry = Registry()
    registry.register_factory("read", lambda _services: Read())
    with pytest.raises(ProwessError):
        registry.load(write(folder, make.ops(make.op("read"))))

    @op(name="other", id="tell")
    async def aliased() -> None:
        """Do it."""

    registry = Registry()
    registry.register(aliased)
    with pytest.raises(InvalidDocumentError, match="code has registered 'other': this is its id"):
        registry.load(write(folder, make.ops(make.op("tell")), make.skills()))
