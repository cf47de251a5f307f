"""A catalogue in one file: how soon many packages are there."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from bench.scenario import Sample, Scenario, cpu
from prowess import open_project
from prowess.catalog.built.container import BuiltWriter
from prowess.catalog.built.contents import Contents, PackedFile, PackedPackage, StoredManifest, pack, pack_files
from prowess.model.manifest import Kind


def _package(writer: BuiltWriter, number: int) -> PackedPackage:
    text = (
        f"---\nname: skill-{number}\ndescription: Use when the user names record {number}.\n---\n\nRead it.\n".encode()
    )
    skill = PackedFile("SKILL.md", writer.add(text))
    resources = (PackedFile(f"references/{name}.md", writer.add(f"{name} {number % 100}".encode())) for name in "abc")
    manifest = StoredManifest(
        name=f"skill-{number}", description=f"Use when the user names record {number}.", kind=Kind.PACKAGE
    )
    files = pack_files((skill, *resources))
    return PackedPackage(
        manifest, f".agents/skills/skill-{number}", "project", sha256(text).hexdigest(), "SKILL.md", files
    )


def _write(path: Path, count: int) -> None:
    with BuiltWriter(str(path)) as writer:
        packages = tuple(_package(writer, number) for number in range(count))
        writer.finish(pack(Contents("catalogue", packages)))


def _ready(count: int) -> Sequence[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "catalogue.prowess")
        _write(path, count)
        environ = {"HOME": folder}
        open_project(path, environ=environ)
        took = cpu(lambda: open_project(path, environ=environ).registry.require("skill-1"))
    return [Sample(cost=took, bare=1)]


_SEARCH = """
import sys, time
from prowess import open_project
import prowess.app.catalogue.searching, prowess.app.packages.building, tantivy
begin = time.process_time()
assert open_project(sys.argv[1], environ={"HOME": sys.argv[2]}).registry.search("record 17")
print(time.process_time() - begin)
"""


def _searched(count: int) -> Sequence[Sample]:
    """In processes of their own: one that built the file has a heap that the collector walks."""
    with tempfile.TemporaryDirectory() as folder:
        path, built = Path(folder, "catalogue"), Path(folder, "catalogue.prowess")
        _write(path, count)
        open_project(path, environ={"HOME": folder}).build(built)
        command = [sys.executable, "-c", _SEARCH, str(built), folder]
        took = [float(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(5)]
    return [Sample(cost=one, bare=1) for one in took]


SCENARIOS = (
    Scenario(
        name="built-ready-100000",
        what="a built file of 100,000 packages until its entries are found",
        bare="-",
        limit=1,
        measure=partial(_ready, 100_000),
        absolute=True,
        unit="s",
        processes=3,
    ),
    Scenario(
        name="built-searched-100000",
        what="a built file of 100,000 packages until its first search has its hits",
        bare="-",
        limit=1,
        measure=partial(_searched, 100_000),
        absolute=True,
        unit="s",
        processes=1,
    ),
)
