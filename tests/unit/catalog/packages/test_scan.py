"""One look at all sources: what can be used, what cannot, and what the next look takes over."""

from __future__ import annotations

import os
import threading
import time
from hashlib import sha256
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.packages.reading import UNSURE_FILE, UnusableError, file_facts, read_whole
from prowess.catalog.packages.sources import Level
from prowess.skillmd.frontmatter.source import SIZE_LIMIT
from tests.unit.catalog.packages import trees
from tests.unit.catalog.packages.trees import age, names, put, skill, source, told

if TYPE_CHECKING:
    from pathlib import Path

LATE = 1 << 62
"""A moment after everything."""


@pytest.mark.behaviour("packages.found")
def test_a_package_is_found_with_its_manifest_its_place_and_the_digest_of_its_text(tmp_path: Path) -> None:
    """Spec: every package is an entry with source and digest."""
    path = put(tmp_path / "pdf", description="Fill forms. Use when asked.")
    (one,) = trees.look(source(tmp_path)).found
    assert (one.manifest.name, one.manifest.kind, one.manifest.description) == (
        "pdf",
        "package",
        "Fill forms. Use when asked.",
    )
    assert (one.folder, one.file, one.path, one.shown) == (
        str(tmp_path / "pdf"),
        "SKILL.md",
        str(path),
        f"{tmp_path.name}/pdf",
    )
    assert one.digest == sha256(path.read_bytes()).hexdigest()
    assert one.facts == file_facts(path.stat())


@pytest.mark.behaviour("packages.one-bad")
def test_one_bad_skill_never_stops_the_rest_and_is_told_with_place_and_fix(tmp_path: Path) -> None:
    """Spec: one file that is not a skill never stops the rest."""
    put(tmp_path / "good")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "SKILL.md").write_text("no front matter")
    (tmp_path / "huge").mkdir()
    with (tmp_path / "huge" / "SKILL.md").open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)
    found = trees.look(source(tmp_path))
    assert names(found) == ["good"]
    bad, huge = found.diagnostics
    assert (bad.subject, bad.path, bad.line, bad.severity) == ("bad", f"{tmp_path.name}/bad/SKILL.md", 1, "error")
    assert "---" in bad.message
    assert (huge.code, huge.path) == ("file-too-large", f"{tmp_path.name}/huge/SKILL.md")
    assert [one.path for one in found.refused] == [str(tmp_path / name / "SKILL.md") for name in ("bad", "huge")]


@pytest.mark.behaviour("packages.order")
def test_nearer_sources_and_shallower_folders_come_first(tmp_path: Path) -> None:
    """Spec: collisions are deterministic."""
    put(tmp_path / "two" / "a")
    put(tmp_path / "one" / "z")
    put(tmp_path / "one" / "a" / "b" / "c")
    put(tmp_path / "one" / "m")
    found = trees.look(source(tmp_path / "one"), source(tmp_path / "two"))
    assert [one.shown for one in found.found] == ["one/m", "one/z", "one/a/b/c", "two/a"]


@pytest.mark.behaviour("packages.incremental")
def test_a_file_that_did_not_change_is_not_read_again_and_one_with_other_facts_only_if_its_bytes_are(
    tmp_path: Path,
) -> None:
    """Spec: size, mtime, inode, then content hash."""
    path, other = put(tmp_path / "pdf"), put(tmp_path / "csv")
    first = trees.look(source(tmp_path))
    same = trees.look(source(tmp_path), previous=first)
    assert all(one is before for one, before in zip(same.found, first.found, strict=True))
    os.utime(path, (trees.OLD, trees.OLD + 1))
    other.write_text(skill("csv", "Read more. Use when asked."))
    third = trees.look(source(tmp_path), previous=first)
    csv, pdf = third.found
    assert pdf.manifest is first.found[1].manifest
    assert pdf.facts == file_facts(path.stat()) != first.found[1].facts
    assert csv.manifest.description == "Read more. Use when asked."


@pytest.mark.behaviour("packages.incremental")
def test_an_edit_that_keeps_size_and_time_is_seen(tmp_path: Path) -> None:
    """Choice: unpacking an archive may give a file the size, the time and even the inode of the one before."""
    path = put(tmp_path / "pdf", description="Aaa. Use when asked.")
    first = trees.look(source(tmp_path))
    with path.open("r+", encoding="utf-8") as file:
        file.write(skill("pdf", "Bbb. Use when asked."))
    age(path)
    assert path.stat().st_size == first.found[0].facts[1]
    (one,) = trees.look(source(tmp_path), previous=first).found
    assert one.manifest.description.startswith("Bbb")


@pytest.mark.behaviour("packages.incremental")
def test_a_package_that_moved_to_another_source_is_taken_over_with_its_place(tmp_path: Path) -> None:
    """Choice: sources may change while files do not."""
    put(tmp_path / "group" / "pdf")
    first = trees.look(source(tmp_path))
    (one,) = trees.look(source(tmp_path / "group", Level.USER), previous=first).found
    assert (one.shown, one.depth, one.source.level) == ("group/pdf", 1, Level.USER)
    assert one.manifest is first.found[0].manifest


@pytest.mark.behaviour("packages.last-good")
def test_a_broken_edit_keeps_the_last_good_version_and_says_so_until_it_is_mended(tmp_path: Path) -> None:
    """Spec: a broken edit keeps the last good version of that skill and says so."""
    path = put(tmp_path / "pdf")
    good = trees.look(source(tmp_path))
    path.write_text("broken")
    broken = trees.look(source(tmp_path), previous=good)
    again = trees.look(source(tmp_path), previous=broken)
    for one in (broken, again):
        assert [found.digest for found in one.found] == [good.found[0].digest]
        assert one.refused == ()
        assert one.diagnostics[0].message.endswith("its entry stays as it was, and its text cannot be opened")
    put(tmp_path / "pdf", description="Mended. Use when asked.")
    mended = trees.look(source(tmp_path), previous=again)
    assert [one.manifest.description for one in mended.found] == ["Mended. Use when asked."]
    assert mended.diagnostics == ()
    put(tmp_path / "pdf")
    assert trees.look(source(tmp_path), previous=again).diagnostics == ()
    path.unlink()
    assert trees.look(source(tmp_path), previous=again).found == ()


@pytest.mark.behaviour("packages.last-good")
def test_a_scan_of_another_process_is_no_reason_to_keep_what_is_broken_now(tmp_path: Path) -> None:
    """Choice: what `prowess list` says must not depend on what it said before."""
    path = put(tmp_path / "pdf")
    good = trees.look(source(tmp_path))
    path.write_text("broken")
    found = trees.look(source(tmp_path), previous=good, keep_last=False)
    assert (found.found, len(found.refused)) == ((), 1)


def test_a_refused_file_that_did_not_change_is_told_again_without_being_read(tmp_path: Path) -> None:
    """Choice: a problem stays until it is mended."""
    (tmp_path / "SKILL.md").write_text("broken")
    first = trees.look(source(tmp_path))
    second = trees.look(source(tmp_path), previous=first)
    assert second.refused[0] is first.refused[0]
    assert second.diagnostics == first.diagnostics
    put(tmp_path, "mended")
    assert names(trees.look(source(tmp_path), previous=second)) == ["mended"]


@pytest.mark.behaviour("packages.linked-file")
def test_a_linked_skill_md_is_read_where_it_is_and_its_package_is_there(tmp_path: Path) -> None:
    """Choice: some installers link each file; a link to any other file is none of ours."""
    real = put(tmp_path / "store" / "pdf")
    for name, target in (("pdf", real), ("other", tmp_path / "secret.md")):
        (tmp_path / "skills" / name).mkdir(parents=True)
        (tmp_path / "skills" / name / "SKILL.md").symlink_to(target)
    (tmp_path / "secret.md").write_text(skill("secret"))
    found = trees.look(source(tmp_path / "skills"))
    assert [(one.folder, one.file, one.shown) for one in found.found] == [(str(real.parent), "SKILL.md", "skills/pdf")]
    assert told(found) == [("linked-elsewhere", "skills/other/SKILL.md")]
    assert "secret.md" in found.diagnostics[0].message
    again = trees.look(source(tmp_path / "skills"), previous=found)
    assert again.found[0] is found.found[0]


@pytest.mark.behaviour("packages.unreadable")
def test_a_skill_md_that_may_not_be_read_is_told() -> None:
    """Spec: unreadable ones are reported."""
    with trees.open_folder() as folder:
        put(folder / "pdf").chmod(0)
        put(folder / "good")
        with trees.without_rights():
            found = trees.look(source(folder))
    assert names(found) == ["good"]
    assert told(found) == [("unreadable", f"{folder.name}/pdf/SKILL.md")]
    assert "Permission denied" in found.diagnostics[0].message


@pytest.mark.behaviour("packages.races")
def test_a_file_that_is_replaced_all_the_time_is_read_whole_or_told(tmp_path: Path) -> None:
    """Spec: races: a file replaced, or written over, during a scan."""
    path = put(tmp_path / "pdf")
    texts = [skill("pdf", body="a" * 5_000), skill("pdf", body="b" * 90_000)]
    wholes = {text.encode() for text in [*texts, path.read_text(encoding="utf-8")]}
    done = threading.Event()

    def write() -> None:
        for number, text in enumerate(cycle(texts)):
            if done.is_set():
                return
            if number % 2:
                other = tmp_path / "other"
                other.write_text(text)
                other.replace(path)
            else:
                path.write_text(text)

    writer = threading.Thread(target=write)
    writer.start()
    seen, codes = set(), set()
    try:
        for _ in range(300):
            try:
                seen.add(read_whole(str(path), time.time_ns())[0])
            except UnusableError as error:
                codes.add(error.code)
    finally:
        done.set()
        writer.join()
    # what is written over is there in part for a moment; then its facts are unsure, and it is read again
    assert all(any(whole.startswith(data) for whole in wholes) for data in seen)
    assert codes <= {"file-changing"}


@pytest.mark.behaviour("packages.racy")
def test_a_file_that_changed_just_now_is_read_again_at_the_next_scan(tmp_path: Path) -> None:
    """Choice: as for folders."""
    put(tmp_path / "pdf")
    (one,) = trees.look(source(tmp_path), later=False).found
    assert one.facts == UNSURE_FILE


def test_a_file_larger_than_one_read_is_read_whole(tmp_path: Path) -> None:
    """Choice: most are small, and one read is enough for them."""
    path = put(tmp_path / "pdf", body="x" * 200_000)
    data, facts = read_whole(str(path), LATE)
    assert (len(data), facts) == (path.stat().st_size, file_facts(path.stat()))


def test_a_pipe_that_took_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    """Spec: never a hang, whatever happens between looking and opening."""
    os.mkfifo(tmp_path / "SKILL.md")
    with pytest.raises(UnusableError) as caught:
        read_whole(str(tmp_path / "SKILL.md"), LATE)
    assert caught.value.code == "not-a-file"


def test_a_file_that_goes_while_we_look_is_no_problem(tmp_path: Path) -> None:
    """Choice: the next scan sees that its folder changed."""
    put(tmp_path / "pdf")
    first = trees.look(source(tmp_path))
    (tmp_path / "pdf" / "SKILL.md").unlink()
    stale = trees.replace_folders(first)
    found = trees.look(source(tmp_path), previous=stale)
    assert (found.found, found.diagnostics) == ((), ())


def test_a_file_that_changes_at_every_look_is_told(tmp_path: Path) -> None:
    """Choice: a writer that never rests must not keep us reading."""
    path = put(tmp_path / "pdf", body="x" * 3_000_000)
    with trees.touched(path):
        assert "changes while it is read" in trees.until_raised(UnusableError, lambda: read_whole(str(path), 0))


def test_only_what_keeps_a_skill_from_being_used_is_told(tmp_path: Path) -> None:
    """Choice: what was repaired or passed over is for `prowess lint` to tell."""
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "SKILL.md").write_text("---\nname: other\n---\n")
    (one,) = trees.look(source(tmp_path)).diagnostics
    assert "description" in one.code
