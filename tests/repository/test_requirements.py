from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tools.limits import ROOT

FILES = ("serve.txt", "dev.txt")
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)", re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_a_requirement_file_names_no_address(name: str) -> None:
    """Spec: the pins hold for whichever index the machine is set up with."""
    text = _text(name)
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text


@pytest.mark.parametrize("name", FILES)
def test_every_pin_carries_a_hash(name: str) -> None:
    """Spec: what is installed is what was reviewed."""
    blocks = re.split(r"^(?=[A-Za-z0-9])", _text(name), flags=re.MULTILINE)[1:]
    assert len(blocks) == len(PIN.findall(_text(name)))
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_the_pins_satisfy_what_the_project_declares() -> None:
    """Choice: a dependency added to pyproject.toml but not locked is noticed without the network."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        pyproject = tomllib.load(file)
    project = pyproject["project"]
    serve = [*project["dependencies"], *project["optional-dependencies"]["server"]]
    built = [*serve, *pyproject["build-system"]["requires"]]
    tested = [*built, *project["optional-dependencies"]["pydantic"]]
    assert _unmet(built, _pins("serve.txt")) == []
    assert _unmet(tested, _pins("dev.txt")) == []


def test_tests_run_on_the_versions_that_serve() -> None:
    """Choice: a green test run speaks for what `make serve` installs."""
    tested = _pins("dev.txt")
    assert {name: tested.get(name) for name in _pins("serve.txt")} == _pins("serve.txt")


def _text(name: str) -> str:
    return (ROOT / "requirements" / name).read_text(encoding="utf-8")


def _pins(name: str) -> dict[str, str]:
    return {found["name"].lower(): found["version"] for found in PIN.finditer(_text(name))}


def _unmet(declared: list[str], pins: dict[str, str]) -> list[str]:
    requirements = [Requirement(text) for text in declared]
    return [str(r) for r in requirements if r.name not in pins or not r.specifier.contains(pins[r.name])]
