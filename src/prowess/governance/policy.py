"""A project's own rules: what they match, and what they answer. They narrow; an `allow` of theirs grants nothing."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from prowess.governance.capabilities import Capabilities
from prowess.governance.patterns import is_like
from prowess.governance.question import Question
from prowess.model.caller import Caller
from prowess.model.manifest import Manifest
from prowess.model.names import key_of
from prowess.model.verdict import ALLOW, Allow, Ask, Deny, Reason, Verdict

__all__ = ["Effect", "Match", "Rule", "rules_about"]


class Effect(StrEnum):
    """What a rule answers where it matches, from the mildest to the strictest."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Match(Struct, frozen=True, kw_only=True):
    """What a call must be for a rule to match; empty asks nothing, of several words one is enough.

    In words `*` and `?` stand for any characters.
    """

    entries: tuple[str, ...] = ()
    """Names, in either spelling, or `name@version`."""
    tags: tuple[str, ...] = ()
    """Tags or policy tags."""
    capabilities: tuple[str, ...] = ()
    """Rights that the entry needs, by itself or by what such a right brings with it."""
    risks: tuple[str, ...] = ()
    """How grave such a right is."""
    kinds: tuple[str, ...] = ()
    """`op`, `logic`, `pipeline`, `package`, or `skill` for all but ops."""
    actors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    hours: tuple[int, ...] = ()
    """Hours of the local day in which the rule holds."""
    meant: frozenset[str] = frozenset()
    """The declared rights that `capabilities` mean, directly or by what they bring with them: see `among`."""
    grave: frozenset[str] = frozenset()
    """The declared rights that `risks` mean."""

    def among(self, capabilities: Capabilities) -> "Match":
        """The same, knowing which rights there are: without them, risks are unknown and rights bring nothing."""
        brought = {right: capabilities.with_implied((right,)) for right in capabilities.declared}
        meant = [right for right, all_of_it in brought.items() if is_like(all_of_it, self.capabilities)]
        grave = [right for right, all_of_it in brought.items() if self._is_grave(all_of_it, capabilities)]
        return replace(self, meant=frozenset(meant if self.capabilities else ()), grave=frozenset(grave))

    def fits(self, manifest: Manifest) -> bool:
        """Whether an entry can be what the rule is about."""
        return (
            (not self.entries or self._names(manifest))
            and is_like((*manifest.tags, *manifest.policy_tags), self.tags)
            and (is_like(manifest.capabilities, self.capabilities) or not self.meant.isdisjoint(manifest.capabilities))
            and (not self.risks or not self.grave.isdisjoint(manifest.capabilities))
            and (not self.kinds or manifest.kind in self.kinds or (manifest.is_skill and "skill" in self.kinds))
        )

    def is_of(self, caller: Caller, hour: int) -> bool:
        """Whether the caller and the hour are what the rule is about."""
        return (
            is_like((caller.actor,), self.actors)
            and is_like((caller.channel,), self.channels)
            and (not self.hours or hour in self.hours)
        )

    # -----------------------------------------------------------------------------------------------------------------

    def _is_grave(self, rights: Iterable[str], capabilities: Capabilities) -> bool:
        known = (capabilities.declared.get(right) for right in rights)
        return any(one is not None and one.risk in self.risks for one in known)

    def _names(self, manifest: Manifest) -> bool:
        names = (key_of(manifest.name), f"{key_of(manifest.name)}@{manifest.version or '1.0.0'}")
        return is_like(names, tuple(map(_in_one_spelling, self.entries)))


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a project."""

    name: str
    effect: Effect
    match: Match = Match()
    reason: str = ""
    """A sentence for whoever is refused."""
    place: str = ""
    """File and line where it stands."""

    def verdict(self, question: Question) -> Verdict:
        """Its answer; `Allow` without a reason where it does not match."""
        if not self.match.is_of(question.caller, question.hour) or not self.match.fits(question.manifest):
            return ALLOW
        reason = Reason(f"policy:{self.name}", self.reason or f"rule '{self.name}' says {self.effect}")
        return _VERDICTS[self.effect]((reason,))


def rules_about(rules: Iterable[Rule], manifest: Manifest) -> tuple[Rule, ...]:
    """The rules that can say something about an entry. Found once for each entry, they spare its calls the others."""
    return tuple(rule for rule in rules if rule.match.fits(manifest))


# ---------------------------------------------------------------------------------------------------------------------


_VERDICTS: dict[Effect, type[Allow | Ask | Deny]] = {Effect.ALLOW: Allow, Effect.ASK: Ask, Effect.DENY: Deny}


def _in_one_spelling(pattern: str) -> str:
    name, at, version = pattern.partition("@")
    return f"{key_of(name)}{at}{version}"
