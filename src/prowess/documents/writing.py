"""Entries written out as documents, so that what the builder makes can be read, changed and governed as text."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import json

from prowess.errors import InvalidManifestError, Problem
from prowess.model.manifest import FailureMode, Manifest, Target
from prowess.model.names import key_of
from prowess.model.pipeline import Binding, Literal, Pipeline, Reference, Step
from prowess.model.versions import DEFAULT_VERSION

__all__ = ["KindOf", "pipeline_document", "skill_registry"]

KindOf = Callable[[Target], str | None]
"""Whether a target is a `skill` or an `op`; None where nobody knows."""

_REGISTRY_VERSION = "2.0.0"
_PLAIN = ("name", "when", "timeout", "on_error", "parallel")
_FAILED = {"code": "pipeline_failed", "description": "A step of the pipeline failed.", "retryable": False}


def skill_registry(skills: Iterable[Mapping[str, object]]) -> bytes:
    """A skill registry that holds these, as JSON text."""
    text = json.encode({"registry_version": _REGISTRY_VERSION, "skills": list(skills)})
    return json.format(text, indent=2) + b"\n"


def pipeline_document(pipeline: Pipeline, manifest: Manifest, kind_of: KindOf) -> dict[str, object]:
    """A pipeline as a document has it: its name in snake_case, and a failure mode where it has none.

    Raises `InvalidManifestError` for what only code can say: a function, or a target that nobody knows.
    """
    writing = _Writing(pipeline.name, kind_of)
    steps: list[object] = [writing.step(step, place) for place, step in enumerate(pipeline.steps)]
    outputs = None if pipeline.outputs is None else writing.bindings(pipeline.outputs, "outputs")
    writing.refuse()
    said: dict[str, object] = {
        "name": key_of(pipeline.name),
        "version": pipeline.version or DEFAULT_VERSION,
        "status": str(manifest.status),
        "description": pipeline.description,
        "kind": "pipeline",
        "inputs_schema": {} if pipeline.input_schema is None else pipeline.input_schema.value(),
        "outputs_schema": {} if pipeline.output_schema is None else pipeline.output_schema.value(),
        "capabilities": list(manifest.capabilities),
        "autonomy": str(manifest.autonomy),
        "failure_modes": [*map(_failure_mode, manifest.failure_modes)] or [dict(_FAILED)],
        "steps": steps,
    }
    if outputs is not None:
        said["outputs"] = outputs
    own = {str(step.target) for step in pipeline.steps}
    more: dict[str, object] = {
        "tags": list(pipeline.tags),
        "author": pipeline.author,
        "idempotent": pipeline.idempotent,
        "supports_pause": pipeline.supports_pause,
        "required_tools": [tool for tool in pipeline.required_tools if tool not in own],
        **_governed(manifest),
    }
    return {**said, **{key: value for key, value in more.items() if value}}


# ---------------------------------------------------------------------------------------------------------------------


class _Writing:
    """One pipeline while it is written; it collects what has no written form."""

    def __init__(self, name: str, kind_of: KindOf) -> None:
        self._name = name
        self._kind_of = kind_of
        self._problems: list[Problem] = []

    def refuse(self) -> None:
        """Raise where something has no written form."""
        if self._problems:
            message = "; ".join(problem.message for problem in self._problems)
            details = {"name": self._name, "problems": tuple(self._problems)}
            raise InvalidManifestError(f"pipeline '{self._name}' cannot be written out: {message}", details=details)

    def step(self, step: Step, place: int) -> dict[str, object]:
        at = f"steps[{place}]"
        said: dict[str, object] = {"id": step.id, "target": self._target(step.target, f"{at}.target")}
        if step.inputs is not None:
            said["inputs"] = self.bindings(step.inputs, f"{at}.inputs")
        if step.outputs is not None:
            said["outputs"] = {reference.path[0]: f"$step.{step.id}.{name}" for name, reference in step.outputs.items()}
        for field in _PLAIN:
            value = getattr(step, field)
            if callable(value):
                self._note(f"{at}.{field}", f"step '{step.id}': {field} is a function")
            elif value is not None:
                said[field] = value
        if step.foreach is not None:
            said["foreach"] = self._binding(step.foreach, f"{at}.foreach")
        numbers: dict[str, object] = {
            "retries": step.retries,
            "optional": step.optional,
            "pause_before": step.pause_before,
        }
        said |= {field: value for field, value in numbers.items() if value}
        return {**said, **({"concurrency": step.concurrency} if step.concurrency > 1 else {})}

    def bindings(self, given: Mapping[str, Binding], at: str) -> dict[str, object]:
        return {name: self._binding(binding, f"{at}.{name}") for name, binding in given.items()}

    # -----------------------------------------------------------------------------------------------------------------

    def _target(self, target: Target, at: str) -> dict[str, object]:
        kind = target.kind or self._kind_of(target)
        if kind is None:
            self._note(at, f"'{target}' is nowhere registered, so nobody knows whether it is a skill or an op")
        version: dict[str, object] = {} if target.version is None else {"version": target.version}
        return {"kind": kind, "name": target.name, **version}

    def _binding(self, binding: Binding, at: str) -> object:
        if isinstance(binding, Reference):
            return str(binding)
        if isinstance(binding, Literal):
            value = binding.value
            return f"${value}" if isinstance(value, str) and value.startswith("$") else value
        self._note(at, f"{at} is a function")
        return None

    def _note(self, at: str, message: str) -> None:
        self._problems.append(Problem(path=f"$.{at}", rule="code", message=message))


def _governed(manifest: Manifest) -> dict[str, object]:
    """What a manifest says beyond its pipeline."""
    rate = manifest.limits.max_per_minute
    return {
        "side_effects": list(manifest.side_effects),
        "policy_tags": list(manifest.policy_tags),
        "owners": list(manifest.owners),
        "title": manifest.title,
        "license": manifest.license,
        "examples": list(manifest.examples),
        "destructive": manifest.destructive,
        "timeout": manifest.limits.timeout,
        "rate_limit": None if rate is None else {"max_per_minute": rate},
        "deprecation": _deprecation(manifest),
        "redaction": _redaction(manifest),
    }


def _failure_mode(mode: FailureMode) -> dict[str, object]:
    return {"code": mode.code, "description": mode.description or mode.code, "retryable": mode.retryable}


def _deprecation(manifest: Manifest) -> dict[str, object] | None:
    told = manifest.deprecation
    if told is None:
        return None
    fields: dict[str, object] = {
        "replaced_by": told.replaced_by,
        "removal_version": told.removal_version,
        "migration": told.migration,
    }
    return {"deprecated": True, **{field: value for field, value in fields.items() if value}}


def _redaction(manifest: Manifest) -> dict[str, object] | None:
    redaction = manifest.redaction
    if not redaction.inputs and not redaction.outputs:
        return None
    return {"inputs": list(redaction.inputs), "outputs": list(redaction.outputs)}
