"""What an entry says about itself. Frozen, small enough to hold a million, to and from JSON."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from prowess.errors import InvalidManifestError, Problem
from prowess.model.forms import besides, checked, sentence, settle
from prowess.model.json_value import Json
from prowess.model.manifest_forms import MANIFEST
from prowess.model.manifest_parts import (
    NO_EXTRA,
    NO_LIMITS,
    NO_REDACTION,
    Autonomy,
    Deprecation,
    Extra,
    FailureMode,
    Kind,
    Limits,
    Redaction,
    RuntimeKind,
    Status,
    Target,
)
from prowess.model.manifest_rules import manifest_problems
from prowess.model.schema import NO_INPUTS, Schema

__all__ = [
    "Autonomy",
    "Deprecation",
    "Extra",
    "FailureMode",
    "Kind",
    "Limits",
    "Manifest",
    "Redaction",
    "RuntimeKind",
    "Status",
    "Target",
]


class Manifest(Struct, frozen=True, kw_only=True, gc=False):
    """What an entry says about itself; lives as long as its entry.

    Lists, schemas as dictionaries and words such as `"logic"` become what a field holds; `validate` tells what cannot.
    """

    name: str
    """The name, with its namespace where it has one: `acme/refunds`."""
    version: str | None = None
    """As its author wrote it; an entry without one resolves as 1.0.0."""
    description: str = ""
    kind: Kind = Kind.OP
    status: Status = Status.ENABLED
    input_schema: Schema = NO_INPUTS
    output_schema: Schema | None = None
    tags: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    side_effects: tuple[str, ...] = ()
    destructive: bool = False
    idempotent: bool = False
    autonomy: Autonomy = Autonomy.L3
    policy_tags: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    """All that it may call; a target's kind tells tools from skills."""
    failure_modes: tuple[FailureMode, ...] = ()
    limits: Limits = NO_LIMITS
    redaction: Redaction = NO_REDACTION
    owners: tuple[str, ...] = ()
    author: str | None = None
    license: str | None = None
    deprecation: Deprecation | None = None
    estimated_steps: int | None = None
    supports_pause: bool = False
    runtime: RuntimeKind | None = None
    id: str | None = None
    """Another name under which the entry is found, where it differs from `name`."""
    title: str | None = None
    examples: tuple[str, ...] = ()
    extra: Mapping[str, Json] = NO_EXTRA

    if TYPE_CHECKING:  # more is taken than is kept

        def __init__(  # noqa: PLR0913 - as many as a manifest has fields
            self,
            *,
            name: str,
            version: str | None = None,
            description: str = "",
            kind: Kind | str = Kind.OP,
            status: Status | str = Status.ENABLED,
            input_schema: Schema | Mapping[str, object] = NO_INPUTS,
            output_schema: Schema | Mapping[str, object] | None = None,
            tags: Iterable[str] = (),
            capabilities: Iterable[str] = (),
            side_effects: Iterable[str] = (),
            destructive: bool = False,
            idempotent: bool = False,
            autonomy: Autonomy | str = Autonomy.L3,
            policy_tags: Iterable[str] = (),
            targets: Iterable[Target | str] = (),
            failure_modes: Iterable[FailureMode | str | Mapping[str, object]] = (),
            limits: Limits | Mapping[str, object] = NO_LIMITS,
            redaction: Redaction | Mapping[str, object] = NO_REDACTION,
            owners: Iterable[str] = (),
            author: str | None = None,
            license: str | None = None,  # noqa: A002 - the field's name
            deprecation: Deprecation | Mapping[str, object] | None = None,
            estimated_steps: int | None = None,
            supports_pause: bool = False,
            runtime: RuntimeKind | str | None = None,
            id: str | None = None,  # noqa: A002 - as above
            title: str | None = None,
            examples: Iterable[str] = (),
            extra: Mapping[str, object] = NO_EXTRA,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Keep tuples, schemas and members of the closed sets, whatever was given."""
        if not _is_settled(self):
            settle(self, MANIFEST)

    @property
    def reference(self) -> str:
        """`name@version`, or the bare name of an entry without a version."""
        return f"{self.name}@{self.version}" if self.version else self.name

    @property
    def namespace(self) -> str | None:
        """The part before the slash, None for a name without one."""
        return self.name.rpartition("/")[0] or None

    @property
    def is_skill(self) -> bool:
        """Whether the entry composes others, or instructs: everything but an op."""
        return self.kind is not Kind.OP

    def problems(self, profile: str | None = None, *, described: bool = True) -> tuple[Problem, ...]:
        """Everything that is wrong with it. A profile adds rules; what others made need not be `described`.

        `toolskill` wants a description that starts with "Use when" and a semantic version. Raises `ConfigurationError`
        for a profile that there is not.
        """
        sound, wrong = checked(self, MANIFEST)
        broken = manifest_problems(sound, profile, described=described)
        return (*map(sentence, wrong), *(besides(wrong, broken) if wrong else broken))

    def validate(self, profile: str | None = None) -> "Manifest":
        """The manifest itself, where it obeys the rules; raises `InvalidManifestError` with all of its `problems`."""
        problems = self.problems(profile)
        if problems:
            message = f"'{self.name}': {'; '.join(problem.message for problem in problems)}"
            raise InvalidManifestError(message, details={"name": self.name, "problems": problems})
        return self


# ---------------------------------------------------------------------------------------------------------------------


def _are(kind: type, items: tuple[object, ...]) -> bool:
    """Whether these are a tuple of such values, which settling would leave as they are."""
    return type(items) is tuple and all(type(item) is kind for item in items)


def _is_settled(manifest: Manifest) -> bool:
    """Whether there is nothing to settle, written out for a host that brings a million; often it is seen at once."""
    return (
        type(manifest.input_schema) is Schema
        and (manifest.output_schema is None or type(manifest.output_schema) is Schema)
        and type(manifest.kind) is Kind
        and type(manifest.status) is Status
        and type(manifest.autonomy) is Autonomy
        and (manifest.runtime is None or type(manifest.runtime) is RuntimeKind)
        and type(manifest.tags) is tuple
        and type(manifest.capabilities) is tuple
        and type(manifest.side_effects) is tuple
        and type(manifest.policy_tags) is tuple
        and type(manifest.owners) is tuple
        and type(manifest.examples) is tuple
        and _are(Target, manifest.targets)
        and _are(FailureMode, manifest.failure_modes)
        and type(manifest.limits) is Limits
        and type(manifest.redaction) is Redaction
        and manifest.deprecation is None
        and type(manifest.extra) is Extra
    )
