"""Files below a folder: what is read and listed, and that nothing leads out."""

from __future__ import annotations

import errno
import os
import resource
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prowess import ForbiddenError, NotFoundError, ProwessError
from prowess.catalog.files import FileFacts, PackageFiles
from prowess.errors import UnavailableError
from prowess.sandbox.files import FolderFiles, Limits, Opener, open_at_once, open_step_by_step, opener_for
from tests.unit.catalog.packages.trees import open_folder, without_rights

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENERS = [open_step_by_step, *([open_at_once] if opener_for("linux") is open_at_once else [])]


@pytest.fixture(params=OPENERS, ids=lambda opener: opener.__name__)
def opener(request: pytest.FixtureRequest) -> Opener:
    """Each way to open a file, the fallback also where the better one is there."""
    chosen: Opener = request.param
    return chosen


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package's folder, with a secret beside it."""
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "package"
    (folder / "references").mkdir(parents=True)
    (folder / "SKILL.md").write_text("# Do\n")
    (folder / "references" / "guide.md").write_text("Guide")
    return folder


def descriptors() -> int:
    """How many descriptors this process holds."""
    return len(list(Path("/dev/fd").iterdir()))


def test_a_file_is_read_by_its_key(package: Path, opener: Opener) -> None:
    """Spec: keys, facts and bytes of a package's files; SKILL.md can be read and is no key."""
    files: PackageFiles = FolderFiles(package, opener=opener)
    before = descriptors()
    assert files.keys() == ("references/guide.md",)
    assert files.read("references/guide.md") == b"Guide"
    assert files.read("references/guide.md", 1, 2) == b"ui"
    assert files.read("references/guide.md", 3, 100) == b"de"
    assert files.read("references/guide.md", 9) == b""
    assert files.read("SKILL.md") == b"# Do\n"
    changed = (package / "SKILL.md").stat().st_mtime_ns
    assert files.facts("SKILL.md") == FileFacts(size=5, executable=False, changed_ns=changed)
    (package / "SKILL.md").chmod(0o755)
    assert files.facts("SKILL.md").executable
    assert descriptors() == before


def test_an_open_file_stays_the_file_that_was_opened(package: Path, opener: Opener) -> None:
    """Choice: a text and its length, or a text and its hash, belong to one file."""
    path = package / "references" / "guide.md"
    with FolderFiles(package, opener=opener).open("references/guide.md") as file:
        path.rename(package / "old")
        path.write_text("another, longer guide")
        assert (file.facts.size, file.read(0, 100)) == (5, b"Guide")
        with (package / "old").open("a", encoding="utf-8") as grown:
            grown.write(" that grew")
        assert file.read(0, 100) == b"Guide"
        os.truncate(package / "old", 2)
        assert file.read(0, 100) == b"Gu"


def test_a_large_file_is_read_in_parts(package: Path) -> None:
    """Choice: nobody fills the memory by naming a file."""
    files = FolderFiles(package, limits=Limits(whole=4))
    with pytest.raises(ForbiddenError, match=r"'SKILL\.md' has 5 bytes: no more than 4 are read at once"):
        files.read("SKILL.md")
    assert files.read("SKILL.md", 1) == b" Do\n"
    assert files.read("SKILL.md", 0, 5) == b"# Do\n"


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("nothing", NotFoundError),
        ("references", NotFoundError),
        ("references/guide.md/x", NotFoundError),
        ("x" * 5_000, NotFoundError),
        ("y" * 300, NotFoundError),
        ("../secret", ForbiddenError),
        ("references/../../secret", ForbiddenError),
        ("/etc/passwd", ForbiddenError),
        ("SKILL.md/", NotFoundError),
        ("references//guide.md", NotFoundError),
    ],
)
def test_what_is_no_file_of_the_package_is_refused(
    key: str, kind: type[ProwessError], package: Path, opener: Opener
) -> None:
    """Spec: NotFoundError for a key that is no file's, ForbiddenError for one that tries to leave."""
    before = descriptors()
    with pytest.raises(kind):
        FolderFiles(package, opener=opener).read(key)
    assert descriptors() == before


@pytest.mark.parametrize("target", ["../secret", "SKILL.md", "nowhere", "../.."])
def test_a_link_is_never_followed(target: str, package: Path, opener: Opener) -> None:
    """Spec: links have no keys and are not followed, wherever they lead."""
    (package / "link").symlink_to(target)
    (package / "references" / "up").symlink_to("..")
    files = FolderFiles(package, opener=opener)
    assert files.keys() == ("references/guide.md",)
    for key in ("link", "link/secret", "references/up/SKILL.md", "references/up/../SKILL.md"):
        with pytest.raises(ForbiddenError):
            files.read(key)


@pytest.mark.behaviour("files.regular")
def test_a_hard_link_is_refused(package: Path, opener: Opener) -> None:
    """Spec: regular files of one link only: another may be a file from elsewhere."""
    os.link(package.parent / "secret", package / "notes.md")
    files = FolderFiles(package, opener=opener)
    assert files.keys() == ("references/guide.md",)
    with pytest.raises(ForbiddenError, match=r"'notes\.md' has 2 links"):
        files.read("notes.md")
    (package.parent / "secret").unlink()
    assert files.read("notes.md") == b"secret"


@pytest.mark.behaviour("files.regular")
def test_a_pipe_makes_nobody_wait(package: Path, opener: Opener) -> None:
    """Spec: a FIFO is refused at once."""
    os.mkfifo(package / "pipe")
    files = FolderFiles(package, opener=opener)
    assert files.keys() == ("references/guide.md",)
    with pytest.raises(ForbiddenError, match="'pipe' is not a regular file"):
        files.read("pipe")


def test_a_socket_is_refused(package: Path, opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec: sockets have no keys."""
    monkeypatch.chdir(package)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        files = FolderFiles(package, opener=opener)
        assert files.keys() == ("references/guide.md",)
        with pytest.raises(ForbiddenError, match="'s' is not a regular file"):
            files.read("s")


@pytest.mark.behaviour("files.regular")
def test_a_device_is_refused(opener: Opener) -> None:
    """Spec: no device is read."""
    with pytest.raises(ForbiddenError, match="'null' is not a regular file"):
        FolderFiles("/dev", opener=opener).read("null")


@pytest.mark.parametrize("key", ["root/etc/passwd", "cwd/x", "exe", "fd/0"])
def test_the_links_of_proc_are_not_followed(key: str, opener: Opener) -> None:
    """Spec: no `/proc` trick gets out."""
    with pytest.raises(ForbiddenError):
        FolderFiles("/proc/self", opener=opener).read(key)


def test_hidden_and_generated_files_have_no_keys(package: Path, opener: Opener) -> None:
    """Spec: dot-files, `.git`, `__pycache__` and `node_modules` are left out."""
    for name in (".env", ".git/config", "__pycache__/a.pyc", "node_modules/x/index.js", "scripts/.hidden", "skill.MD"):
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (package / "scripts" / "SKILL.md").write_text("x")
    (package / "back\\slash").write_text("x")
    (package / os.fsdecode(b"not-utf8-\xff")).write_text("x")
    files = FolderFiles(package, opener=opener)
    assert files.keys() == ("references/guide.md",)  # and what lies in scripts is another package's
    with pytest.raises(NotFoundError):
        files.read(".env")


def test_a_folder_beyond_the_limits_is_not_listed(package: Path) -> None:
    """Choice: a listing that was cut off would look whole."""
    for number in range(5):
        (package / f"{number}.md").touch()
    assert len(FolderFiles(package, limits=Limits(entries=8)).keys()) == 6
    with pytest.raises(UnavailableError, match="more than 7 files and folders"):
        FolderFiles(package, limits=Limits(entries=7)).keys()
    with pytest.raises(UnavailableError, match="nested deeper than 0"):
        FolderFiles(package, limits=Limits(depth=0)).keys()


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ELOOP])
def test_a_folder_that_cannot_be_opened_is_empty(number: int, package: Path) -> None:
    """Choice: one that went away, became a link or is shut hides no other file."""

    def refuse(root: int, parts: Sequence[str], flags: int) -> int:
        if parts == ("references",):
            raise OSError(number, os.strerror(number))
        return open_step_by_step(root, parts, flags)

    (package / "guide.md").touch()
    assert FolderFiles(package, opener=refuse).keys() == ("guide.md",)


def test_what_may_not_be_looked_at_is_left_out_unless_the_files_are_wanted_whole() -> None:
    """Regression: a built file lacked what lies in a folder that is closed to who builds it."""
    with open_folder() as package:
        (package / "shut").mkdir()
        (package / "shut" / "guide.md").touch()
        (package / "shut").chmod(0o744)  # its names can be read, and no more
        with without_rights():
            assert FolderFiles(package).keys() == ()
            with pytest.raises(UnavailableError, match="'shut' in the package cannot be listed: Permission denied"):
                FolderFiles(package, whole=True).keys()
        package.chmod(0o711)
        with without_rights(), pytest.raises(UnavailableError, match="the package cannot be listed: Permission"):
            FolderFiles(package).keys()


def test_a_process_out_of_descriptors_lists_nothing_rather_than_less(package: Path) -> None:
    """Choice: a resource that is missing from a listing would be missing from its digest."""
    files = FolderFiles(package)
    free = os.dup(0)
    os.close(free)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 3, hard))
    try:
        with pytest.raises(UnavailableError, match="cannot be listed: Too many open files") as caught:
            files.keys()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert caught.value.retryable


def test_the_folder_is_the_one_that_was_found(package: Path, opener: Opener) -> None:
    """Spec: no link in the place of the package's folder gets out either."""
    files = FolderFiles(package, opener=opener)
    package.rename(package.parent / "moved")
    package.symlink_to("/etc")
    for look in (files.keys, lambda: files.read("passwd")):
        with pytest.raises(UnavailableError, match="another one than when it was found"):
            look()
    package.unlink()
    with pytest.raises(NotFoundError, match="No such file"):
        files.keys()
    (package.parent / "moved").rename(package)
    assert files.read("SKILL.md") == b"# Do\n"


def test_a_package_may_itself_be_reached_by_a_link(package: Path, opener: Opener) -> None:
    """Choice: skills are linked into the folders of clients; what is below them is still kept apart."""
    link = package.parent / "link"
    link.symlink_to(package)
    assert FolderFiles(link, opener=opener).keys() == ("references/guide.md",)


def test_what_is_no_folder_has_no_files(package: Path) -> None:
    """Choice: a wrong root is told at once."""
    for path in (package / "SKILL.md", package / "nothing"):
        with pytest.raises(NotFoundError, match="the package's folder cannot be opened"):
            FolderFiles(path)


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.EACCES, ForbiddenError, "may not be read by this process"),
        (errno.EXDEV, ForbiddenError, "links are not followed"),
        (errno.ENXIO, ForbiddenError, "is not a regular file"),
        (errno.EIO, UnavailableError, "cannot be read: Input/output error"),
    ],
)
def test_what_the_system_refuses_is_told_in_our_words(
    number: int, kind: type[ProwessError], words: str, package: Path
) -> None:
    """Choice: one family of errors, and no path of this machine in it."""

    def refuse(root: int, parts: Sequence[str], flags: int) -> int:
        raise OSError(number, os.strerror(number))

    with pytest.raises(kind, match=words) as caught:
        FolderFiles(package, opener=refuse).read("SKILL.md")
    assert str(package) not in str(caught.value)
    assert caught.value.retryable is (number == errno.EIO)


def test_a_system_without_the_one_call_goes_step_by_step() -> None:
    """Spec: a `dir_fd` walk is the fallback; containers may forbid the call."""

    def forbidden(root: int, parts: Sequence[str], flags: int) -> int:
        raise OSError(errno.EPERM, "")

    assert opener_for("darwin") is open_step_by_step
    assert opener_for("linux", forbidden) is open_step_by_step
    assert opener_for("linux", open_step_by_step) is open_step_by_step


NAMES = st.sampled_from(
    ["a", "b", "link", "up", "references", "guide.md", "..", ".", "", "secret", "package", "\0", "~"]
)


@pytest.mark.behaviour("files.beneath")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(key=st.lists(NAMES, min_size=1, max_size=7).map("/".join))
def test_no_key_at_all_gets_out(key: str, package: Path, opener: Opener) -> None:
    """Spec: nothing outside the folder can be reached by any key."""
    if not (package / "link").is_symlink():
        (package / "link").symlink_to("../secret")
        (package / "references" / "up").symlink_to("../..")
        (package / "a").symlink_to("/")
    try:
        data = FolderFiles(package, opener=opener).read(key)
    except ProwessError:
        return
    assert data in {b"# Do\n", b"Guide"}
