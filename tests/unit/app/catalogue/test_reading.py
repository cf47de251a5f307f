"""Reading resources of every kind."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from prowess import ExecutionFailedError, ForbiddenError, NotFoundError, Result
from prowess.app.catalogue.reading import Wanted, read_resource
from prowess.authoring.opening import CommandOutput
from prowess.catalog.files import PackageFile
from prowess.cli.straight import run_straight
from prowess.errors import UnavailableError
from prowess.sandbox.files import FolderFiles
from tests.unit.app.catalogue.packages import Manual, call, registry_of

if TYPE_CHECKING:
    from pathlib import Path


def wanted(key: str = "a.md", start: int = 0, limit: int = 100) -> Wanted:
    """A part of a resource of the skill `manual`."""
    return Wanted("manual", key, start, limit)


class Letter:
    """A resource that is fetched when somebody asks."""

    def __init__(self, content: object) -> None:
        self.content = content

    async def read(self) -> object:
        """Fetch it."""
        if isinstance(self.content, Exception):
            raise self.content
        return self.content


class Plain:
    """The same, written without async."""

    def read(self) -> object:
        """Fetch it."""
        return "Grüße"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package's folder."""
    (tmp_path / "a.md").write_text("Grüße", encoding="utf-8")
    (tmp_path / "b.bin").write_bytes(bytes(range(256)) * 8_192)
    return tmp_path


@pytest.mark.behaviour("disclosure.kinds")
@pytest.mark.parametrize(
    "resource",
    ["Grüße", "Grüße".encode(), bytearray("Grüße".encode()), Letter("Grüße"), Letter("Grüße".encode()), Plain()],
)
async def test_text_at_hand_or_fetched_is_text(resource: object) -> None:
    """Spec: in memory, and any object with an async `read`."""
    assert await read_resource(resource, wanted()) == {"text": "Grüße"}
    part = {"text": "ü", "start": 2, "end": 4, "size_bytes": 7, "next": 4}
    assert await read_resource(resource, wanted(start=2, limit=2)) == part


@pytest.mark.behaviour("disclosure.files")
async def test_a_file_is_read_when_it_is_asked_for(folder: Path) -> None:
    """Spec: files, through `PackageFiles`; a path that an author gives is one too."""
    files = FolderFiles(folder)
    for resource in (PackageFile(files, "a.md"), folder / "a.md"):
        assert await read_resource(resource, wanted()) == {"text": "Grüße"}
        assert (await read_resource(resource, wanted(start=99)))["text"] == ""
    data = (folder / "b.bin").read_bytes()
    facts = {"mime_type": "application/octet-stream", "size_bytes": len(data), "sha256": sha256(data).hexdigest()}
    assert await read_resource(PackageFile(files, "b.bin"), wanted("b.bin")) == facts
    (folder / "a.md").write_text("Neu", encoding="utf-8")
    assert await read_resource(PackageFile(files, "a.md"), wanted()) == {"text": "Neu"}


def test_a_file_is_read_without_a_loop_too(folder: Path) -> None:
    """Choice: a call that needs no event loop starts none."""

    async def read() -> Result:
        return Result(await read_resource(folder / "a.md", wanted()))

    assert run_straight(read()).output == {"text": "Grüße"}


async def test_a_path_that_leads_through_a_link_is_refused(folder: Path) -> None:
    """Spec: files are read race-free, links never followed."""
    (folder / "link.md").symlink_to("a.md")
    with pytest.raises(ForbiddenError, match="links are not followed"):
        await read_resource(folder / "link.md", wanted())
    with pytest.raises(NotFoundError, match="the package has no file 'gone'"):
        await read_resource(folder / "gone", wanted())


async def test_a_command_needs_a_sandbox() -> None:
    """Spec: command resources are listed, and refused with `needs a sandbox`."""
    registry = registry_of(Manual(resources={"log": CommandOutput(("git", "log"))}))
    assert (await call(registry, "activate_skill", name="manual"))["resources"] == ["log"]
    with pytest.raises(UnavailableError, match="'log' of 'manual' is what a command prints: it needs a sandbox"):
        await call(registry, "read_skill_resource", skill="manual", key="log")


@pytest.mark.parametrize(
    ("resource", "reason"),
    [
        (17, "int is neither text nor bytes, and has no read()"),
        (Letter(17), "int is neither text nor bytes"),
        (Letter(ValueError("the plan is hunter2")), "ValueError: the plan is hunter2"),
    ],
)
async def test_what_cannot_be_read_is_named_and_its_words_are_the_operators(resource: object, reason: str) -> None:
    """Choice: the model learns which resource failed, not with which words of a stranger's code."""
    with pytest.raises(ExecutionFailedError) as caught:
        await read_resource(resource, wanted())
    assert reason in str(caught.value)
    assert caught.value.model_text == "execution failed: resource 'a.md' of 'manual' cannot be read"
    assert caught.value.name == "manual"


async def test_an_error_that_was_meant_for_the_caller_reaches_it() -> None:
    """Choice: an author who raises one of ours has chosen its words."""
    with pytest.raises(ForbiddenError, match="not on a Sunday"):
        await read_resource(Letter(ForbiddenError("not on a Sunday")), wanted())


async def test_a_file_too_large_to_be_hashed_is_refused(folder: Path) -> None:
    """Choice: naming a file does not keep a disk busy for minutes."""
    with (folder / "huge").open("wb") as huge:
        huge.truncate((1 << 30) + 1)
    with pytest.raises(ForbiddenError, match="'huge' of 'manual' has 1073741825 bytes"):
        await read_resource(folder / "huge", wanted("huge"))
