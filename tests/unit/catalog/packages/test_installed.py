"""Packages that installed distributions bring."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from prowess.catalog.packages.installed import installed_sources
from prowess.catalog.packages.sources import Level
from tests.unit.catalog.packages.trees import put

if TYPE_CHECKING:
    from pathlib import Path

LATER = 1 << 62


def distribution(site: Path, name: str, entry_points: str | None) -> None:
    """Install a distribution, as far as anybody looks at it."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir(parents=True)
    if entry_points is not None:
        (folder / "entry_points.txt").write_text(entry_points, encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on Python's path into which distributions are installed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.mark.behaviour("sources.installed")
def test_an_entry_point_names_a_package_of_python_whose_folder_holds_skills(site: Path) -> None:
    """Spec: Python entry points (`prowess.skills`); the namespace is the entry point's name."""
    put(site / "acme_pdf_kit" / "bundled" / "skills" / "pdf")
    (site / "acme_pdf_kit" / "__init__.py").write_text("raise SystemExit('imported')")
    distribution(
        site,
        "acme_pdf",
        "[console_scripts]\nacme = acme:main\n\n[prowess.skills]\n# ours\nAcme PDF = acme_pdf_kit.bundled.skills\n"
        "top = acme_pdf_kit\nwhat\n[other]\nx = y\n",
    )
    distribution(site, "nothing", None)
    found = installed_sources([str(site), str(site), str(site / "gone")], LATER)
    assert [(one.namespace, one.shown, one.level) for one in found.sources] == [
        ("acme-pdf", "acme_pdf:acme_pdf_kit.bundled.skills", Level.INSTALLED),
        ("top", "acme_pdf:acme_pdf_kit", Level.INSTALLED),
    ]
    assert found.sources[0].path == str(site / "acme_pdf_kit" / "bundled" / "skills")
    assert [folder.path for folder in found.folders] == [str(site)]
    assert found.folders[0].names == ("acme_pdf-1.0.dist-info", "nothing-1.0.dist-info")
    assert "acme_pdf_kit" not in sys.modules


@pytest.mark.behaviour("sources.installed-wrong")
@pytest.mark.parametrize(
    "value", ["no_such_package_here", "sys", "json.decoder", "acme_flat", "", "..", "acme_ns.gone", "acme_ns:skills.x"]
)
def test_an_entry_point_that_names_no_folder_is_told(value: str, site: Path) -> None:
    """Choice: whoever wrote it wants to know."""
    (site / "acme_flat.py").write_text("raise SystemExit('imported')")
    distribution(site, "acme", f"[prowess.skills]\nacme = {value}\n")
    found = installed_sources([str(site)], LATER)
    assert found.sources == ()
    assert [(one.code, one.subject) for one in found.diagnostics] == [("missing", "acme")]
    assert "prowess.skills" in found.diagnostics[0].message


@pytest.mark.behaviour("sources.installed")
def test_a_package_that_is_imported_already_or_has_no_init_is_found_too(site: Path) -> None:
    """Choice: what is imported says itself where it is; a namespace package is a folder like any other."""
    (site / "acme_ns" / "skills").mkdir(parents=True)
    distribution(site, "acme", "[prowess.skills]\nacme = acme_ns.skills\nours = prowess.catalog:packages\n")
    found = installed_sources([str(site)], LATER)
    assert [one.namespace for one in found.sources] == ["acme", "ours"]
    assert found.sources[1].path.endswith("prowess/catalog")


def test_a_folder_on_the_path_into_which_nothing_is_installed_is_not_watched(tmp_path: Path) -> None:
    """Choice: a project's own folder is on the path, and changes all the time."""
    assert installed_sources([str(tmp_path)], LATER).folders == ()
