"""Policy packs in Cedar: parsed once, always held against a schema, and closed wherever something is wrong."""

from collections.abc import Callable
from importlib.resources import files
from typing import TypeVar

from cedarpy import AuthzResult, Decision, Entities, PolicySet, Schema, is_authorized, validate_policies

from prowess.errors import ConfigurationError
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.verdict import ALLOW, Deny, Reason, Verdict

__all__ = ["CALL_SCHEMA", "CedarPack"]

_Parsed = TypeVar("_Parsed")

CALL_SCHEMA = files("prowess.policies").joinpath("call.cedarschema").read_text(encoding="utf-8")
"""What a pack is told of a call."""


class CedarPack:
    """The policies of one pack. It keeps what was parsed; many threads may ask it at once, and nobody closes it.

    Raises `ConfigurationError` for a text that is none, for policies that do not fit the schema, and for a schema that
    does not describe a call; each names the pack.
    """

    def __init__(self, name: str, policies: str, *, schema: str = CALL_SCHEMA, entities: str = "[]") -> None:
        self.name = name
        self._schema = self._parsed("schema", lambda: Schema.from_str(schema))
        self._policies = self._parsed("policies", lambda: PolicySet.from_str(policies))
        self._entities = self._parsed("entities", lambda: Entities.from_json_str(entities, self._schema))
        wrong = [f"policies: {one}" for one in validate_policies(policies, self._schema).errors]
        wrong = wrong or [f"schema: {error}" for error in self._asked(_TRIAL).diagnostics.errors if _BUILD in error]
        if wrong:
            raise ConfigurationError(self._told(wrong), details={"pack": name, "problems": tuple(wrong)})

    def __repr__(self) -> str:
        return f"<CedarPack {self.name!r}>"

    def judge(self, question: Question) -> Verdict:
        """`Allow` for a clear yes; `Deny` for a no, for an error of any policy, and for facts that are missing."""
        try:
            result = self._asked(question)
        except Exception as error:  # noqa: BLE001 - a library's failure must close the gate, not open it
            return self._deny(f"could not be decided: {type(error).__name__}")
        errors = result.diagnostics.errors
        if errors:
            return self._deny(f"could not be decided: {'; '.join(errors)}")
        if result.decision is Decision.Allow:
            return ALLOW
        names = [result.diagnostics.id_annotations_by_reason.get(one) or one for one in result.diagnostics.reasons]
        return self._deny(f"{', '.join(names)} forbids it" if names else "no policy permits it")

    # -----------------------------------------------------------------------------------------------------------------

    def _asked(self, question: Question) -> AuthzResult:
        return is_authorized(_request(question), self._policies, self._entities, self._schema)

    def _deny(self, message: str) -> Deny:
        return Deny((Reason(f"pack:{self.name}", f"policy pack '{self.name}': {message}"),))

    def _parsed(self, what: str, parse: Callable[[], _Parsed]) -> _Parsed:
        try:
            return parse()
        except ValueError as error:
            raise ConfigurationError(self._told([f"{what}: {error}"]), details={"pack": self.name}) from None

    def _told(self, problems: list[str]) -> str:
        """The problems of a pack, each on a line of its own where there are several."""
        lines = problems if len(problems) == 1 else [f"{len(problems)} problems:", *problems]
        return "\n  ".join([f"policy pack '{self.name}': {lines[0]}", *lines[1:]])


# ---------------------------------------------------------------------------------------------------------------------


_BUILD = "failed to build request"
_TRIAL = Question(Manifest(name="any"), Caller("anybody"), 12)


def _request(question: Question) -> dict[str, object]:
    manifest, caller = question.manifest, question.caller
    return {
        "principal": {"type": "Actor", "id": caller.actor},
        "action": {"type": "Action", "id": "call"},
        "resource": {"type": "Entry", "id": manifest.name},
        "context": {
            "channel": caller.channel,
            "hour": question.hour,
            "level": str(caller.permissions.level),
            "ceiling": str(caller.ceiling),
            "kind": str(manifest.kind),
            "version": manifest.version or "1.0.0",
            "autonomy": str(manifest.autonomy),
            "destructive": manifest.destructive,
            "tags": list(manifest.tags),
            "policyTags": list(manifest.policy_tags),
            "capabilities": list(manifest.capabilities),
            "sideEffects": list(manifest.side_effects),
        },
    }
