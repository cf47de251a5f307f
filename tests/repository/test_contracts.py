from __future__ import annotations

from typing import TYPE_CHECKING

from tools.import_contracts import (
    BEGIN,
    END,
    PYPROJECT,
    ROOT,
    contracts_for,
    layers_for,
    modules_below,
    rewritten,
    written,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_every_folder_is_in_its_layer_and_in_every_contract_that_concerns_it() -> None:
    """Spec: a new folder joins its contracts in the commit that creates it; `make snapshots` writes them."""
    assert written(PYPROJECT.read_text(encoding="utf-8")) == contracts_for(modules_below(ROOT / "src"))


def test_a_folder_that_appears_changes_what_is_wanted(tmp_path: Path) -> None:
    """Choice: the comparison above must be able to fail."""
    package = tmp_path / "prowess"
    (package / "agents").mkdir(parents=True)
    (package / "agents" / "__init__.py").touch()
    (package / "model.py").touch()
    before = modules_below(tmp_path)
    assert before == {"prowess", "prowess.agents", "prowess.model"}
    assert layers_for(before)[3].startswith("agents | (exposure) | (engines) | ")
    assert set(contracts_for(before)) == {"layers", "acyclic", "pure-core", "determinism"}
    (package / "agents" / "client.py").touch()
    (package / "registry.py").touch()
    assert contracts_for(modules_below(tmp_path))["thin-client"] == {
        "name": "The RPC client stays thin",
        "type": "forbidden",
        "source_modules": ["prowess.agents.client"],
        "forbidden_modules": ["prowess.registry"],
    }


def test_a_wildcard_waits_for_its_folder() -> None:
    """Choice: a contract about modules that do not exist is an error to import-linter."""
    assert "runtimes" not in contracts_for({"prowess"})
    assert contracts_for({"prowess", "prowess.runtimes"})["runtimes"]["modules"] == ["prowess.runtimes.*"]


def test_contracts_read_back_as_written() -> None:
    """Choice: what `make snapshots` writes is what the comparison reads, and nothing around it changes."""
    text = f"[tool.importlinter]\nroot_package = 'prowess'\n{BEGIN}old\n{END}[tool.other]\nx = 1\n"
    contracts = contracts_for({"prowess", "prowess.model", "prowess.execution", "prowess.builtins"})
    after = rewritten(text, contracts)
    assert written(after) == contracts
    assert after.startswith("[tool.importlinter]\nroot_package = 'prowess'\n")
    assert after.endswith("[tool.other]\nx = 1\n")
    assert rewritten(after, contracts) == after
