"""A project's own rules: what they match, and what they answer. They narrow; an `allow` of theirs grants nothing."""

from enum import StrEnum
from fnmatch import fnmatchcase

from msgspec import Struct

from prowess.governance.question import Question
from prowess.model.manifest import Manifest
from prowess.model.verdict import ALLOW, Allow, Ask, Deny, Reason, Verdict

__all__ = ["Effect", "Match", "Rule"]


class Effect(StrEnum):
    """What a rule answers where it matches."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Match(Struct, frozen=True, kw_only=True, gc=False):
    """What a call must be for a rule to match; empty asks nothing, of several words one is enough."""

    entries: tuple[str, ...] = ()
    """Names, `*` and `?` stand for any characters."""
    tags: tuple[str, ...] = ()
    """Tags or policy tags."""
    capabilities: tuple[str, ...] = ()
    """Rights that the entry needs, with `*` and `?`."""
    kinds: tuple[str, ...] = ()
    """`op`, `logic`, `pipeline`, `package`, or `skill` for all but ops."""
    actors: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    hours: tuple[int, ...] = ()
    """Hours of the local day in which the rule holds."""

    def fits(self, manifest: Manifest) -> bool:
        """Whether an entry can be what the rule is about."""
        return (
            _any_like(self.entries, (manifest.name,))
            and (not self.tags or not {*self.tags}.isdisjoint((*manifest.tags, *manifest.policy_tags)))
            and _any_like(self.capabilities, manifest.capabilities)
            and (not self.kinds or manifest.kind in self.kinds or (manifest.is_skill and "skill" in self.kinds))
        )

    def covers(self, question: Question) -> bool:
        """Whether a call is what the rule is about, whatever the hour."""
        caller = question.caller
        return (
            self.fits(question.manifest)
            and _any_like(self.actors, (caller.actor,))
            and _any_like(self.channels, (caller.channel,))
        )


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
        if not self.match.covers(question) or (self.match.hours and question.hour not in self.match.hours):
            return ALLOW
        reason = Reason(f"policy:{self.name}", self.reason or f"rule '{self.name}' says {self.effect}")
        kinds: dict[Effect, type[Allow | Ask | Deny]] = {Effect.ALLOW: Allow, Effect.ASK: Ask, Effect.DENY: Deny}
        return kinds[self.effect]((reason,))


# ---------------------------------------------------------------------------------------------------------------------


def _any_like(patterns: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(word, pattern) for word in words for pattern in patterns)
