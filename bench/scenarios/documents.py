"""Loading registry documents, compared with what Pydantic alone takes for the same bytes."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.scenario import Sample, Scenario, interleave
from prowess import Registry
from prowess.documents.shapes.entries import OpRegistry, SkillRegistry

_ENTRIES = 10_000


def _schema(field: str, number: int) -> dict[str, object]:
    option = {"type": "integer", "minimum": 1, "maximum": 50 + number % 97}
    return {"type": "object", "required": [field], "properties": {field: {"type": "string"}, "limit": option}}


def _entry(name: str, number: int, **more: object) -> dict[str, object]:
    return {
        "name": f"{name}_{number}",
        "version": "1.0.0",
        "status": "enabled",
        "description": f"Look up record {number} of the archive. Use when the user names record {number}.",
        "inputs_schema": _schema("query", 0),
        "outputs_schema": _schema("result", number),
        "capabilities": ["archive.read"],
        "side_effects": [],
        "autonomy": "L2",
        "owners": ["core"],
        "rate_limit": {"max_per_minute": 10},
        "redaction": {"inputs": ["query"], "outputs": []},
        "failure_modes": [{"code": "failed", "description": "It failed.", "retryable": True}],
        **more,
    }


def _op(number: int) -> dict[str, object]:
    return _entry("op", number, runtime="native", module="code", handler="run")


def _logic(number: int) -> dict[str, object]:
    point = {"runtime": "python", "module": "code", "handler": "run"}
    calls = [{"kind": "op", "name": f"op_{number}", "version": "1.0.0"}]
    return _entry("skill", number, kind="logic", entrypoint=point, call_targets=calls)


def _pipeline(number: int) -> dict[str, object]:
    first = {"id": "first", "target": {"kind": "op", "name": f"op_{number}", "version": "1.0.0"}}
    second = {"id": "second", "target": {"kind": "skill", "name": f"skill_{number}", "version": "1.0.0"}}
    steps = [
        {**first, "inputs": {"query": "$inputs.query"}},
        {**second, "inputs": {"query": "$step.first.result"}, "outputs": {"result": "$outputs.result"}},
    ]
    return _entry("pipe", number, kind="pipeline", steps=steps)


def _load() -> Sequence[Sample]:
    """Half of the entries are ops, four tenths code, one tenth pipelines."""
    tenth = _ENTRIES // 10
    skills = [*map(_logic, range(4 * tenth)), *map(_pipeline, range(tenth))]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config"
        config.mkdir()
        ops_text = json.dumps({"registry_version": "1.0.0", "ops": [*map(_op, range(5 * tenth))]}).encode()
        skills_text = json.dumps({"registry_version": "1.0.0", "skills": skills}).encode()
        (config / "op-registry.json").write_bytes(ops_text)
        (config / "skill-registry.json").write_bytes(skills_text)

        def alone() -> object:
            return OpRegistry.model_validate_json(ops_text), SkillRegistry.model_validate_json(skills_text)

        def whole() -> object:
            registry = Registry()
            registry.load(config)
            return registry

        return interleave(whole, alone, rounds=7)


SCENARIOS = (
    Scenario(
        name="load-documents",
        what=f"`registry.load` of {_ENTRIES:,} entries, checked against each other",
        bare="Pydantic's `model_validate_json` of the same bytes",
        limit=2.0,
        measure=_load,
        processes=3,
    ),
)
