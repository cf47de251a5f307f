"""A catalogue in one file: how soon many packages are there."""

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


def _ready(count: int) -> Sequence[Sample]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "catalogue.prowess")
        with BuiltWriter(str(path)) as writer:
            packages = tuple(_package(writer, number) for number in range(count))
            writer.finish(pack(Contents("catalogue", packages)))
        environ = {"HOME": folder}
        open_project(path, environ=environ)
        took = cpu(lambda: open_project(path, environ=environ).registry.require("skill-1"))
    return [Sample(cost=took, bare=1)]


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
)
