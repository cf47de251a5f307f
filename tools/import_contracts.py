"""Write the import contracts of pyproject.toml for the folders that exist so far.

    python -m tools.import_contracts

pyproject.toml can only name modules that are there. The plan below names those of the whole house: a
layer without a folder is written in parentheses, and is left out of every other contract. A test
compares the two, so a folder that appears without joining its contracts is noticed.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = ROOT / "pyproject.toml"
BEGIN = "# ---- contracts: written by `make snapshots` from tools/import_contracts.py\n"
END = "# ---- contracts: end\n"

LAYERS = (
    ("cli",),
    ("server", "integrations"),
    ("app",),
    (
        "agents",
        "exposure",
        "engines",
        "runtimes",
        "sandbox",
        "storage",
        "policies",
        "telemetry",
        "builtins",
        "web",
        "testing",
    ),
    ("execution",),
    ("catalog", "registry", "governance"),
    ("skillmd", "documents", "authoring"),
    ("yamltext",),
    ("model",),
    ("errors",),
)
OUTSIDE = (
    *("sqlite3", "subprocess", "socket", "urllib", "httpx2", "mcp", "starlette", "click", "opentelemetry"),
    *("temporalio", "psycopg", "tantivy", "watchfiles", "a2a", "google", "pydantic_ai", "langchain_core"),
    *("openai", "anthropic", "cedarpy"),
)
CHANCE = ("time", "random", "secrets", "uuid")


@dataclass(frozen=True, slots=True)
class Contract:
    """One contract of the plan: what it promises, the modules it is about, and those it keeps away from them."""

    name: str
    type: str
    about: tuple[str, tuple[str, ...]]
    against: tuple[str, tuple[str, ...]] | None = None


def _ours(*names: str) -> tuple[str, ...]:
    return tuple(f"prowess.{name}" for name in names)


CORE = _ours(
    *("errors", "model", "yamltext", "authoring", "skillmd", "documents", "catalog", "registry", "governance"),
    *("execution", "exposure"),
)
DECISIONS = _ours("execution", "catalog", "registry", "governance")
PLAN = {
    "acyclic": Contract("No cycles between siblings, at any depth", "acyclic_siblings", ("ancestors", ("prowess",))),
    "runtimes": Contract("Runtimes never know each other", "independence", ("modules", _ours("runtimes.*"))),
    "formats": Contract("Exposure formats never know each other", "independence", ("modules", _ours("exposure.*"))),
    "commands": Contract("Commands never know each other", "independence", ("modules", _ours("cli.commands.*"))),
    "builtins-apart": Contract(
        "Built-in skills never know each other", "independence", ("modules", _ours("builtins.*"))
    ),
    "wire": Contract(
        "JSON-RPC client and server share only the protocol",
        "independence",
        ("modules", _ours("agents.client", "agents.server")),
    ),
    "wiring": Contract(
        "Only the composition root picks adapters",
        "protected",
        ("protected_modules", _ours("engines", "runtimes", "sandbox", "storage", "policies", "telemetry")),
        ("allowed_importers", _ours("app")),
    ),
    "pure-core": Contract(
        "The core does no I/O and knows no vendor",
        "forbidden",
        ("source_modules", CORE),
        ("forbidden_modules", OUTSIDE),
    ),
    "builtins": Contract(
        "Built-in skills use the author's API only",
        "forbidden",
        ("source_modules", _ours("builtins")),
        ("forbidden_modules", (*DECISIONS, *_ours("skillmd", "documents"))),
    ),
    "thin-client": Contract(
        "The RPC client stays thin",
        "forbidden",
        ("source_modules", _ours("agents.client")),
        ("forbidden_modules", (*_ours("agents.pool"), *DECISIONS)),
    ),
    "determinism": Contract(
        "Clocks, randomness and ids enter the core through ports",
        "forbidden",
        ("source_modules", _ours("model", "governance", "execution")),
        ("forbidden_modules", CHANCE),
    ),
}


def modules_below(source: Path) -> set[str]:
    """Name every module and package under a source folder, the folder itself included."""
    names = {"prowess"}
    for file in (source / "prowess").rglob("*.py"):
        parts = file.relative_to(source).with_suffix("").parts
        names.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return names


def layers_for(existing: Collection[str]) -> list[str]:
    """Write the layers as import-linter reads them: those that do not exist yet in parentheses."""
    return [" | ".join(name if f"prowess.{name}" in existing else f"({name})" for name in layer) for layer in LAYERS]


def contracts_for(existing: Collection[str]) -> dict[str, dict[str, object]]:
    """Give what pyproject.toml has to say while only these modules exist, by the contracts' ids."""
    wanted: dict[str, dict[str, object]] = {
        "layers": {
            "name": "Dependencies point down",
            "type": "layers",
            "containers": ["prowess"],
            "exhaustive": True,
            "layers": layers_for(existing),
        }
    }
    for name, contract in PLAN.items():
        sides = {key: _present(modules, existing) for key, modules in _sides(contract)}
        if all(sides.values()):
            wanted[name] = {"name": contract.name, "type": contract.type, **sides}
    return wanted


def _sides(contract: Contract) -> list[tuple[str, tuple[str, ...]]]:
    return [contract.about, *([contract.against] if contract.against else [])]


def _present(modules: tuple[str, ...], existing: Collection[str]) -> list[str]:
    """Leave out what does not exist; what is not ours always does."""
    return [m for m in modules if not m.startswith("prowess.") or m.removesuffix(".*") in existing]


def written(pyproject: str) -> dict[str, dict[str, object]]:
    """Read the contracts as pyproject.toml has them, by id."""
    contracts: list[dict[str, object]] = tomllib.loads(pyproject)["tool"]["importlinter"]["contracts"]
    return {str(contract.pop("id")): contract for contract in contracts}


def render(contracts: dict[str, dict[str, object]]) -> str:
    """Write contracts as TOML."""
    return "\n".join(
        "".join(["[[tool.importlinter.contracts]]\n", *map(_line, [("id", name), *contract.items()])])
        for name, contract in contracts.items()
    )


def rewritten(pyproject: str, contracts: dict[str, dict[str, object]]) -> str:
    """Put these contracts in the place of those that pyproject.toml has."""
    before, _, rest = pyproject.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{render(contracts)}\n{END}{after}"


def _line(setting: tuple[str, object]) -> str:
    key, value = setting
    if isinstance(value, list):
        items = "".join(f"  {json.dumps(item)},\n" for item in value)
        return f"{key} = [\n{items}]\n"
    return f"{key} = {json.dumps(value)}\n"


if __name__ == "__main__":
    text = PYPROJECT.read_text(encoding="utf-8")
    PYPROJECT.write_text(rewritten(text, contracts_for(modules_below(ROOT / "src"))), encoding="utf-8")
