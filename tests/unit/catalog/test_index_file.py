"""When an index holds, and what becomes of one that does not."""

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from prowess.catalog import index_file
from prowess.catalog.folders import names_in
from prowess.catalog.listing import Diagnostic, Listing, Row
from prowess.catalog.places import Place

OLD = 1_700_000_000
VARIABLES = {"HOME": "/nowhere", "PROWESS_NAME": "notes"}
ROWS = (
    Row(name="acme/refunds", version="1.0", kind="logic", tags=("a,b", "c"), source="x.py", summary="Refund – “all”."),
    Row(name="add", latest=False, status="disabled"),
)
MANIFESTS = ('{"name":"acme/refunds","description":"line\\u2028"}', '{"name":"add\u2028"}')
NOTE = Diagnostic(code="prerelease_only", subject="add", message="only one", path="x.py", line=3, severity="warning")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a project with settings and a folder of code, all old."""
    (tmp_path / "skills").mkdir()
    for name in ("prowess.toml", "skills/a.py", "skills/b.py"):
        (tmp_path / name).write_text(name, encoding="utf-8")
        os.utime(tmp_path / name, (OLD, OLD))
    return tmp_path


def listing(*diagnostics: Diagnostic) -> Listing:
    """Give a listing."""
    return Listing("notes", ROWS, MANIFESTS, diagnostics)


def keep(root: Path, what: Listing | None = None) -> bool:
    """Write an index about the files in `root`."""
    files = [str(root / "prowess.toml"), *(str(file) for file in (root / "skills").glob("*.py"))]
    folder = str(root / "skills")
    watched = index_file.watch(str(root), files, {folder: names_in(folder)})
    assert watched is not None
    return index_file.write(Place(str(root)), VARIABLES, what or listing(), watched, time.time_ns())


def kept(root: Path, **others: str) -> Listing | None:
    """Read the index, where it holds."""
    found = index_file.read(Place(str(root)), {**VARIABLES, **others})
    return found.listing if found is not None and found.holds() else None


def raw(root: Path) -> Path:
    """Give the file."""
    path = index_file.path_of(Place(str(root)), VARIABLES)
    assert path is not None
    return Path(path)


@pytest.mark.behaviour("index.read-back")
def test_what_was_written_is_read_back(root: Path) -> None:
    """Spec: manifests, sources and diagnostics in `.prowess/index.msgpack`."""
    assert keep(root, listing(NOTE))
    found = kept(root)
    assert found is not None
    assert (found.name, found.manifests) == ("notes", MANIFESTS)
    columns = Row.__slots__
    assert [[getattr(row, name) for name in columns] for row in found.rows] == [
        [getattr(row, name) for name in columns] for row in ROWS
    ]
    assert [one.to_json() for one in found.diagnostics] == [NOTE.to_json()]
    assert (root / ".prowess" / ".gitignore").read_text(encoding="ascii") == "*\n"


def test_the_index_is_messagepack(root: Path) -> None:
    """Choice: other tools can read it."""
    msgspec = pytest.importorskip("msgspec")
    keep(root)
    texts = msgspec.msgpack.decode(raw(root).read_bytes())
    assert texts[0] == "prowess-index-2"
    assert "PROWESS_NAME=notes" in texts[2].splitlines()


@pytest.mark.behaviour("index.changes")
@pytest.mark.parametrize("change", ["time", "size", "gone", "new", "renamed", "folder", "settings", "stamp"])
def test_any_change_of_what_it_rests_on_ends_it(change: str, root: Path) -> None:
    """Spec: read when every source is unchanged and no new file appeared in a watched folder."""
    keep(root)
    assert kept(root) is not None
    file = root / "skills" / "a.py"
    match change:
        case "time":
            os.utime(file, (OLD, OLD + 1))
        case "size":
            file.write_text("longer than it was", encoding="utf-8")
            os.utime(file, (OLD, OLD))
        case "gone":
            file.unlink()
        case "new":
            (root / "skills" / "c.py").touch()
        case "renamed":
            file.rename(root / "skills" / "z.py")
        case "folder":
            (root / "skills" / "inner").mkdir()
        case "settings":
            os.utime(root / "prowess.toml", (OLD, OLD + 1))
        case _:
            assert change == "stamp"
    assert kept(root, **({"PROWESS_SKILLS_USER": "false"} if change == "stamp" else {})) is None


@pytest.mark.behaviour("index.unrelated")
def test_what_does_not_matter_does_not_end_it(root: Path) -> None:
    """Choice: a test file, a cache or a note beside the code changes nothing."""
    keep(root)
    for name in ("test_a.py", "notes.md", "_private.py", ".hidden.py"):
        (root / "skills" / name).touch()
    (root / "skills" / "__pycache__").mkdir()
    (root / "other.py").touch()
    assert kept(root) is not None


@pytest.mark.behaviour("index.moved")
def test_a_project_that_moved_as_a_whole_keeps_its_index(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Choice: paths inside the project are relative."""
    keep(root)
    moved = root.rename(tmp_path_factory.mktemp("elsewhere") / "moved")
    assert kept(moved) is not None


@pytest.mark.behaviour("index.damaged")
def test_an_index_damaged_at_any_byte_counts_as_missing(root: Path) -> None:
    """Spec: a damaged index is ignored and rebuilt."""
    keep(root)
    whole = raw(root).read_bytes()
    for place in range(len(whole)):
        raw(root).write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        assert kept(root) is None, place
    for end in range(len(whole)):
        raw(root).write_bytes(whole[:end])
        assert kept(root) is None, end
    raw(root).write_bytes(whole + b"x")
    assert kept(root) is None
    assert keep(root)
    assert kept(root) is not None


@pytest.mark.behaviour("index.foreign")
@pytest.mark.parametrize("what", ["folder", "pipe", "link", "huge-claim", "empty"])
def test_what_stands_in_its_place_is_no_index_and_harms_nobody(what: str, root: Path) -> None:
    """Spec: foreign index files are ignored; a pipe must not make a command wait."""
    raw(root).parent.mkdir()
    match what:
        case "folder":
            raw(root).mkdir()
        case "pipe":
            os.mkfifo(raw(root))
        case "link":
            raw(root).symlink_to("/dev/zero")
        case "huge-claim":
            raw(root).write_bytes(b"\xdc\x00\x13" + b"\xdb\xff\xff\xff\xff" * 19)
        case _:
            raw(root).touch()
    assert kept(root) is None
    assert keep(root) is (what != "folder")


@pytest.mark.behaviour("index.unwritable")
def test_where_it_cannot_be_written_all_works_without(root: Path) -> None:
    """Spec: an unwritable index does no harm."""
    (root / ".prowess").write_text("in the way", encoding="utf-8")
    assert not keep(root)
    assert kept(root) is None


@pytest.mark.behaviour("index.not-kept")
def test_nothing_is_kept_of_a_load_that_may_already_be_wrong(root: Path) -> None:
    """Choice: a file that changed during the load, or a module that something unwatched may mend."""
    assert not keep(root, listing(Diagnostic(code="import", subject="x", message="no such module")))
    (root / "skills" / "a.py").touch()
    assert not keep(root)
    assert index_file.watch(str(root), [str(root / "nowhere")], {}) is None
    odd = root / "skills" / "new\nline.py"
    odd.touch()
    assert index_file.watch(str(root), [str(odd)], {}) is None


@pytest.mark.behaviour("index.concurrent")
def test_readers_beside_writers_see_a_whole_index_or_none(root: Path) -> None:
    """Spec: written atomically, safe against concurrent writers."""
    keep(root)
    rows = [Row(name=f"n{number}") for number in range(500)]
    large = Listing("large", rows, ["{}"] * 500)
    seen: set[int | None] = set()
    done = threading.Event()

    def write(what: Listing) -> None:
        for _ in range(100):
            assert keep(root, what)

    def read() -> None:
        while not done.is_set():
            found = kept(root)
            seen.add(None if found is None else len(found.rows))

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(what,)) for what in (listing(), large)]
    reader.start()
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    reader.join()
    assert seen <= {2, 500}
    assert [file.name for file in raw(root).parent.iterdir() if file.name.startswith("index")] == ["index.msgpack"]


def test_the_index_is_readable_by_its_group_as_other_files_are(root: Path) -> None:
    """Choice: it holds no secret, and several people may work in one folder."""
    keep(root)
    mode = stat.S_IMODE(raw(root).stat().st_mode)
    probe = root / "probe"
    probe.touch()
    assert mode == stat.S_IMODE(probe.stat().st_mode)


@pytest.mark.parametrize(
    ("reference", "position"),
    [
        ("acme/refunds", 0),
        ("acme/refunds@1.0", 0),
        ("acme/refunds@2.0", None),
        ("add", None),
        ("ADD", None),
        ("", None),
    ],
)
def test_an_entry_is_found_by_its_name_or_its_version_as_written(reference: str, position: int | None) -> None:
    """Choice: constraints are the registry's matter; a name whose latest version is another is not this row."""
    assert listing().find(reference) == position
