"""The form of each field of a manifest."""

from msgspec.structs import replace

from prowess.model.forms import (
    Form,
    Forms,
    Path,
    Problems,
    choice,
    each,
    extra,
    flag,
    integer,
    number,
    record,
    schema,
    text,
)
from prowess.model.manifest_parts import (
    Autonomy,
    Deprecation,
    FailureMode,
    Kind,
    Limits,
    Redaction,
    RuntimeKind,
    Status,
    Target,
)

__all__ = ["MANIFEST", "deprecation", "target"]


def target(kind: str | None, version: Form = text) -> Form:
    """A target, of this kind where it names none."""
    whole = record(Target(""), {"name": text, "version": version, "kind": text}, needs="name")

    def take(value: object, path: Path, problems: Problems) -> object:
        if isinstance(value, str):
            return replace(Target.parse(value), kind=kind)
        taken = whole(value, path, problems)
        return replace(taken, kind=kind) if isinstance(taken, Target) and kind and not taken.kind else taken

    return take


def deprecation(version: Form = text) -> Form:
    """What takes an entry's place, and when."""
    return record(Deprecation(), {"replaced_by": text, "removal_version": version, "migration": text})


_TEXTS = each(text)
_FAILURE_MODE = record(FailureMode(""), {"code": text, "description": text, "retryable": flag}, needs="code")


def _failure_mode(value: object, path: Path, problems: Problems) -> object:
    return FailureMode.parse(value) if isinstance(value, str) else _FAILURE_MODE(value, path, problems)


MANIFEST: Forms = {
    "name": text,
    "version": text,
    "description": text,
    "kind": choice(Kind),
    "status": choice(Status),
    "input_schema": schema,
    "output_schema": schema,
    "tags": _TEXTS,
    "capabilities": _TEXTS,
    "side_effects": _TEXTS,
    "destructive": flag,
    "idempotent": flag,
    "autonomy": choice(Autonomy),
    "policy_tags": _TEXTS,
    "targets": each(target(None)),
    "failure_modes": each(_failure_mode),
    "limits": record(Limits(), {"timeout": number, "max_per_minute": integer, "per_actor": flag}),
    "redaction": record(Redaction(), {"inputs": _TEXTS, "outputs": _TEXTS}),
    "owners": _TEXTS,
    "author": text,
    "license": text,
    "deprecation": deprecation(),
    "estimated_steps": integer,
    "supports_pause": flag,
    "runtime": choice(RuntimeKind),
    "id": text,
    "title": text,
    "examples": _TEXTS,
    "extra": extra,
}
"""Python and JSON alike; what JSON says besides is `manifest_json`'s matter."""
