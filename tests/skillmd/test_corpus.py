"""Real skills, where they are beside the checkout."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path, PurePosixPath

import pytest
import yaml

from prowess.skillmd.document import Severity
from prowess.skillmd.profiles.checking import check
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.fixing import fix
from prowess.skillmd.writing.manifest import from_manifest, to_manifest
from prowess.skillmd.writing.skill import write_skill

ARCHIVE = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "agent-skills.tar.gz"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@pytest.fixture(scope="module")
def skills() -> list[tuple[str, bytes]]:
    """Give the folder's name and the bytes of each."""
    if not ARCHIVE.exists():
        pytest.skip("the real skills are not beside this checkout")
    found: list[tuple[str, bytes]] = []
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            file = archive.extractfile(member) if path.name.lower() == "skill.md" else None
            if file is not None:
                found.append((path.parent.name, file.read()))
    return found


def breaks_the_standard(folder: str, data: bytes) -> list[str]:
    """What the standard says of a file, looked up with other means than ours."""
    match = re.match(r"---\s*\n(.*?)\n---\s*(\n|$)", data.decode(), re.DOTALL)
    assert match is not None
    fields: dict[str, object] = yaml.load(match.group(1), Loader=yaml.CBaseLoader)
    name, description, needs = fields["name"], fields["description"], fields.get("compatibility", "x")
    rules = {
        "name": isinstance(name, str) and len(name) <= 64 and NAME.fullmatch(name) is not None and name == folder,
        "description": isinstance(description, str) and 1 <= len(description.strip()) <= 1_024,
        "compatibility": isinstance(needs, str) and 1 <= len(needs) <= 500,
        "license": isinstance(fields.get("license", ""), str),
        "metadata": isinstance(fields.get("metadata", {}), dict),
        "allowed-tools": isinstance(fields.get("allowed-tools", ""), str | list),
    }
    return [rule for rule, holds in rules.items() if not holds]


@pytest.mark.behaviour("skillmd.corpus")
def test_all_of_the_real_skills_load_and_the_report_agrees_with_the_standard(skills: list[tuple[str, bytes]]) -> None:
    """Spec: load all of them; the strict report agrees with the standard on each."""
    assert len(skills) == 696
    for folder, data in skills:
        reading = read_skill(data, folder)
        assert reading.document is not None
        found = {
            one.code.partition("-")[0]
            for one in check(reading, "agentskills", folder)
            if one.severity is Severity.ERROR
        }
        assert found == set(breaks_the_standard(folder, data)), folder


@pytest.mark.behaviour("skillmd.corpus")
def test_real_skills_say_what_another_reader_reads(skills: list[tuple[str, bytes]]) -> None:
    """Choice: what is lenient towards broken files must not change sound ones."""
    for folder, data in skills:
        reading = read_skill(data, folder)
        match = re.match(r"---\s*\n(.*?)\n---\s*(?:\n|$)(.*)", data.decode(), re.DOTALL)
        assert match is not None
        assert reading.document is not None
        fields: dict[str, object] = yaml.load(match.group(1), Loader=yaml.CBaseLoader)
        assert reading.document.name == fields["name"]
        assert reading.document.description == str(fields["description"]).strip()
        assert [field.name for field in reading.document.fields] == list(fields)
        assert reading.document.body.strip() == match.group(2).replace("\r\n", "\n").strip()


@pytest.mark.behaviour("skillmd.same-bytes", "skillmd.manifest")
def test_real_skills_survive_the_way_to_a_manifest_and_back(skills: list[tuple[str, bytes]]) -> None:
    """Spec: to a manifest and back: the same bytes."""
    for folder, data in skills:
        document = read_skill(data, folder).document
        assert document is not None
        assert write_skill(document, data) == data
        again = from_manifest(to_manifest(document), document.body)
        for field in ("name", "description", "version", "license", "allowed_tools", "metadata", "author", "body"):
            assert getattr(again, field) == getattr(document, field), (folder, field)


@pytest.mark.behaviour("skillmd.fix")
def test_sound_real_skills_are_not_touched_by_a_repair(skills: list[tuple[str, bytes]]) -> None:
    """Spec: repairs what can be repaired and touches nothing else."""
    for folder, data in skills:
        fixed = fix(data, folder)
        assert (fixed.data == data) == (fixed.repaired == ())
        assert {one.code for one in fixed.repaired} <= {"version-unquoted", "tools-form"}
        assert fix(fixed.data, folder).repaired == ()
