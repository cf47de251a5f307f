"""What an author may say about an entry besides its code, and the manifest that comes of it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from msgspec import Struct
from msgspec.structs import replace

from prowess.errors import InvalidManifestError, Problem
from prowess.model.forms import items_of
from prowess.model.json_value import Json, is_object
from prowess.model.manifest import (
    Autonomy,
    Deprecation,
    FailureMode,
    Kind,
    Limits,
    Manifest,
    Redaction,
    RuntimeKind,
    Status,
    Target,
)
from prowess.model.manifest_parts import NO_EXTRA
from prowess.model.names import near_names
from prowess.model.schema import Schema
from prowess.model.versions import is_semver

__all__ = [
    "OPTIONS",
    "TRAITS",
    "Callee",
    "Named",
    "Options",
    "Subject",
    "Traits",
    "check_options",
    "make_manifest",
    "target_of",
]

_Value = TypeVar("_Value")


class Named(Protocol):
    """A decorated function, a skill object, a pipeline: what can be called by its name."""

    @property
    def name(self) -> str:
        """Its name in the registry."""
        ...


Callee: TypeAlias = str | Target | Named
"""An entry that may be called: `name`, `name@^1`, or the thing itself."""


class Traits(TypedDict, total=False):
    """What an author may say about an entry besides its code. Each has the meaning that it has in a manifest."""

    title: str
    tags: Sequence[str]
    capabilities: Sequence[str]
    side_effects: Sequence[str]
    destructive: bool
    idempotent: bool
    autonomy: Autonomy | str
    policy_tags: Sequence[str]
    calls: Sequence[Callee]
    """All that `ctx.call` may reach."""
    failure_modes: Sequence[FailureMode | str | Mapping[str, object]]
    """Text is a code, or `code: what it means`."""
    timeout: float
    """Seconds."""
    rate_limit: int
    """Calls a minute."""
    redact_inputs: Sequence[str]
    """Fields, or JSON paths, that never leave the gate unmasked."""
    redact_outputs: Sequence[str]
    owners: Sequence[str]
    author: str
    license: str
    deprecation: Deprecation | Mapping[str, object]
    """Makes the status `deprecated` where no other is given."""
    estimated_steps: int
    supports_pause: bool
    status: Status | str
    id: str
    examples: Sequence[str]
    extra: Mapping[str, Json]


class Options(Traits, total=False):
    """What `@skill` and `@op` take."""

    name: str
    """The function's own where none is given."""
    version: str
    description: str
    """The docstring's where none is given."""


OPTIONS: Collection[str] = frozenset(Options.__annotations__)
TRAITS: Collection[str] = frozenset(Traits.__annotations__)


class Subject(Struct, frozen=True, kw_only=True):
    """What a manifest is made for, as far as its code tells."""

    label: str
    """How messages call it: `function 'search'`."""
    name: str
    description: str
    kind: Kind
    input_schema: Schema
    output_schema: Schema | None = None
    version: str | None = None
    """As it was found; one that is given as an option has to be a semantic version."""


def check_options(maker: str, options: Mapping[str, object], known: Collection[str]) -> None:
    """Raise TypeError for an option that there is not, with the one that was probably meant."""
    for option in sorted(options.keys() - known):
        near = near_names(option, known)
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"{maker}() has no option '{option}'{hint}"
        raise TypeError(message)


def make_manifest(subject: Subject, **options: Unpack[Options]) -> Manifest:
    """The manifest of a subject; raises `InvalidManifestError` with every problem.

    A version among the options is strict semver: who writes code can write `1.0.0`. Documents are read as they are.
    """
    taking = _Taking()
    deprecation = options.get("deprecation")
    manifest = Manifest(
        name=options.get("name", subject.name),
        version=taking.version(options["version"]) if "version" in options else subject.version,
        description=options.get("description", subject.description),
        kind=subject.kind,
        status=options.get("status", Status.ENABLED if deprecation is None else Status.DEPRECATED),
        input_schema=subject.input_schema,
        output_schema=subject.output_schema,
        tags=_listed(options.get("tags", ())),
        capabilities=_listed(options.get("capabilities", ())),
        side_effects=_listed(options.get("side_effects", ())),
        destructive=options.get("destructive", False),
        idempotent=options.get("idempotent", False),
        autonomy=options.get("autonomy", Autonomy.L3),
        policy_tags=_listed(options.get("policy_tags", ())),
        targets=taking.targets(options.get("calls", ())),
        failure_modes=_listed(options.get("failure_modes", ())),
        limits=Limits(options.get("timeout"), options.get("rate_limit")),
        redaction=taking.redaction(subject, options.get("redact_inputs", ()), options.get("redact_outputs", ())),
        owners=_listed(options.get("owners", ())),
        author=options.get("author"),
        license=options.get("license"),
        deprecation=deprecation,
        estimated_steps=options.get("estimated_steps"),
        supports_pause=options.get("supports_pause", False),
        runtime=RuntimeKind.NATIVE if subject.kind is Kind.OP else None,
        id=options.get("id"),
        title=options.get("title"),
        examples=_listed(options.get("examples", ())),
        extra=options.get("extra", NO_EXTRA),
    )
    problems = (*taking.problems, *map(_of_option, manifest.problems()))
    if problems:
        message = f"{subject.label}: {'; '.join(problem.message for problem in problems)}"
        raise InvalidManifestError(message, details={"name": manifest.name, "problems": problems})
    return manifest


def target_of(callee: object) -> Target:
    """What a callee means; raises TypeError for what is none."""
    if isinstance(callee, str | Target):
        return Target.parse(callee)
    manifest = getattr(callee, "manifest", None)
    if isinstance(manifest, Manifest):
        return Target(manifest.name, None, "skill" if manifest.is_skill else "op")
    name = getattr(callee, "name", None)
    if isinstance(name, str):
        return Target(name)
    shown = getattr(callee, "__name__", type(callee).__name__)
    message = f"{shown!r}, which is no entry: give a name or a decorated function"
    raise TypeError(message)


# ---------------------------------------------------------------------------------------------------------------------


class _Taking:
    """Turns options into what a manifest holds and keeps every problem."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def version(self, version: object) -> str | None:
        if not isinstance(version, str) or not is_semver(version):
            self._note("version", f"version {version!r} is no semantic version: write one like '1.0.0'")
            return None
        return version

    def targets(self, calls: object) -> tuple[Target, ...]:
        taken: dict[Target, None] = {}
        for one in self._items("calls", calls):
            try:
                taken[target_of(one)] = None
            except TypeError as error:
                self._note("calls", f"calls has {error}")
        return tuple(taken)

    def redaction(self, subject: Subject, inputs: object, outputs: object) -> Redaction:
        paths = self._paths("redact_inputs", inputs)
        known = _closed_properties(subject.input_schema)
        for path in paths:
            field = path[2:].partition(".")[0].partition("[")[0]
            if known is not None and field and field not in known:
                near = near_names(field, known)
                hint = f", did you mean '{near[0]}'?" if near else ""
                self._note("redact_inputs", f"redact_inputs names '{field}', which is no input{hint}")
        return Redaction(paths, self._paths("redact_outputs", outputs))

    def _paths(self, option: str, paths: object) -> tuple[str, ...]:
        taken: list[str] = []
        for path in self._items(option, paths):
            if isinstance(path, str):
                taken.append(path if path.startswith("$") else f"$.{path}")
            else:
                self._note(option, f"each of {option} is text")
        return tuple(taken)

    def _items(self, option: str, value: object) -> Sequence[object]:
        items = items_of(_listed(value))
        if items is None:
            self._note(option, f"{option}: must be a list")
        return items or ()

    def _note(self, field: str, message: str) -> None:
        self.problems.append(Problem(path=f"$.{field}", rule=field, message=message))


def _listed(value: _Value) -> _Value | tuple[str, ...]:
    """Several words; one by itself is taken for a list of one, not for its letters."""
    return (value,) if isinstance(value, str) else value


def _of_option(problem: Problem) -> Problem:
    """The problem, in the words of the option that the field was given by."""
    for field, option in _OPTION_OF.items():
        if problem.message.startswith(f"{field}:"):
            return replace(problem, message=option + problem.message.removeprefix(field))
    return problem


_OPTION_OF = {"limits.timeout": "timeout", "limits.max_per_minute": "rate_limit"}


def _closed_properties(schema: Schema) -> list[str] | None:
    """The names of all inputs there can be; None where others may come."""
    value = schema.value()
    properties = value.get("properties")
    if value.get("additionalProperties") is not False or not is_object(properties):
        return None
    return list(properties)
