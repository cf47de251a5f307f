"""What a person trusts: by digest, in a folder of their own, shown again when bytes change."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.packages.sources import Level
from prowess.catalog.pinning.digest import PackageDigest, package_digest, texts_of
from prowess.catalog.pinning.trust import Trusted, TrustStore, changes_since, is_trusted
from prowess.errors import ConfigurationError
from prowess.model.verdict import ALLOW, Ask
from tests.unit.catalog.packages import trees

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a script, a binary and a file too long to keep."""
    folder = tmp_path / "pdf"
    trees.put(folder)
    (folder / "run.sh").write_text("echo one\n")
    (folder / "data.bin").write_bytes(b"\0one")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    """What nobody has written to yet."""
    return TrustStore(str(tmp_path / "home" / ".prowess" / "trust"))


def trusted(folder: Path) -> Trusted:
    """The package as it is now."""
    pinned = package_digest(str(folder))
    texts = texts_of(str(folder), pinned)
    return Trusted(name=folder.name, folder=str(folder), digest=pinned.digest, files=pinned.files, texts=texts)


def changes(before: Trusted, folder: Path) -> list[str]:
    """What changed since."""
    now = package_digest(str(folder))
    return list(changes_since(before, now, texts_of(str(folder), now)))


@pytest.mark.behaviour("trust.verdict")
@pytest.mark.parametrize("level", Level)
def test_what_the_user_put_there_is_trusted_and_what_a_project_brings_only_when_known(level: Level) -> None:
    """Spec: packages from user sources are trusted by themselves, those found in a project are not."""
    assert is_trusted("pdf", level, known=True) is ALLOW
    verdict = is_trusted("pdf", level, known=False)
    if level in {Level.USER, Level.INSTALLED}:
        assert verdict is ALLOW
    else:
        assert isinstance(verdict, Ask)
        assert "prowess trust pdf" in verdict.reasons[0].message


@pytest.mark.behaviour("trust.digest")
def test_trust_holds_for_these_bytes_and_no_others(store: TrustStore, package: Path) -> None:
    """Spec: trust is bound to the digest."""
    one = trusted(package)
    assert store.find(one.digest) is None
    assert store.all() == []
    store.add(one)
    assert store.find(one.digest) == one
    (package / "run.sh").write_text("echo two\n")
    assert store.find(trusted(package).digest) is None
    store.remove(one.digest)
    store.remove(one.digest)
    assert (store.find(one.digest), store.all()) == (None, [])


@pytest.mark.behaviour("trust.private")
def test_what_is_trusted_is_kept_for_its_owner_alone(store: TrustStore, package: Path, tmp_path: Path) -> None:
    """Spec: `~/.prowess/trust/…`, 0600 in 0700, never in the project."""
    store.add(trusted(package))
    folder = tmp_path / "home" / ".prowess" / "trust"
    (file,) = folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, file)]
    assert modes == [0o700, 0o700, 0o600]


@pytest.mark.behaviour("trust.loose")
def test_where_others_could_write_nothing_is_trusted(store: TrustStore, package: Path, tmp_path: Path) -> None:
    """Choice: whoever can write there decides what runs in our name."""
    one = trusted(package)
    store.add(one)
    (tmp_path / "home" / ".prowess" / "trust").chmod(0o777)
    for ask in (lambda: store.find(one.digest), store.all, lambda: store.add(one), lambda: store.remove(one.digest)):
        with pytest.raises(ConfigurationError, match="chmod 700"):
            ask()


@pytest.mark.behaviour("trust.damaged")
@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"name": 1}', b"\xff\xfe"])
def test_a_damaged_record_is_no_trust(data: bytes, store: TrustStore, package: Path, tmp_path: Path) -> None:
    """Choice: in doubt, a person is asked again."""
    one = trusted(package)
    store.add(one)
    (file,) = (tmp_path / "home" / ".prowess" / "trust").iterdir()
    file.write_bytes(data)
    assert (store.find(one.digest), store.all()) == (None, [])


def test_a_record_under_another_digests_name_is_no_trust_for_that(
    store: TrustStore, package: Path, tmp_path: Path
) -> None:
    """Choice: a name of a file is not what a person agreed to."""
    one = trusted(package)
    store.add(one)
    (file,) = (tmp_path / "home" / ".prowess" / "trust").iterdir()
    file.rename(file.with_name(f"{'0' * 64}.json"))
    assert store.find(f"sha256:{'0' * 64}") is None


@pytest.mark.behaviour("trust.before")
def test_the_version_before_is_the_last_of_that_folder_or_else_of_that_name(store: TrustStore, package: Path) -> None:
    """Spec: asked again, with a diff, when bytes change."""
    versions = []
    for number in range(3):
        (package / "run.sh").write_text(f"echo {number}\n")
        one = trusted(package)
        store.add(one)
        versions.append(one)
        path = package.parent / "home" / ".prowess" / "trust" / f"{one.digest.removeprefix('sha256:')}.json"
        os.utime(path, (trees.OLD + number, trees.OLD + number))
    assert store.before("pdf", str(package)) == versions[2]
    assert store.before("other", str(package)) == versions[2]
    assert store.before("pdf", "/elsewhere") == versions[2]
    assert store.before("other", "/elsewhere") is None
    assert [one.digest for one in store.all()] == [one.digest for one in reversed(versions)]


@pytest.mark.behaviour("trust.diff")
def test_changed_text_is_shown_as_a_diff_and_other_files_by_name(package: Path) -> None:
    """Spec: unified for text files, names for binary."""
    before = trusted(package)
    (package / "run.sh").write_text("echo two\n")
    (package / "data.bin").write_bytes(b"\0two")
    (package / "new.txt").write_text("new\n")
    (package / "new.bin").write_bytes(b"\0")
    (package / "link").symlink_to("run.sh")
    (package / "SKILL.md").unlink()
    text = "\n".join(changes(before, package))
    for part in (
        "run.sh: changed\n--- trusted/run.sh\n+++ now/run.sh\n@@ -1 +1 @@\n-echo one\n+echo two",
        "data.bin: changed\n  (its bytes are not shown",
        "new.txt: is new\n--- trusted/new.txt\n+++ now/new.txt\n@@ -0,0 +1 @@\n+new",
        "new.bin: is new\n  (its bytes are not shown",
        "link: is new",
        "SKILL.md: is gone\n--- trusted/SKILL.md",
    ):
        assert part in text
    assert changes(trusted(package), package) == []


@pytest.mark.behaviour("trust.diff")
def test_a_file_that_became_a_program_is_told(package: Path) -> None:
    """Choice: it may run now, though no byte of it is another."""
    before = trusted(package)
    (package / "run.sh").chmod(0o755)
    assert changes(before, package) == ["run.sh: was a file and is a program"]
    (package / "data.bin").chmod(0o755)
    assert "data.bin: was a file and is a program" in changes(before, package)


def test_the_digest_of_a_trusted_package_is_that_of_its_files(package: Path) -> None:
    """Choice: a record is whole."""
    one = trusted(package)
    assert PackageDigest(one.digest, one.files) == package_digest(str(package))
