"""How far a caller may go with an entry: judged once for both, as far as nothing changes from call to call."""

from collections.abc import Iterator

from msgspec import Struct

from prowess.governance.paths import PathBounds, path_bounds
from prowess.governance.policy import Rule, rules_about
from prowess.governance.presets import has, level_refuses, missing
from prowess.governance.question import Question
from prowess.governance.rulebook import Access, PolicyPack, Rulebook
from prowess.model.caller import Caller
from prowess.model.manifest import Autonomy, Manifest, Status
from prowess.model.permissions import EntrySettings, Permissions, Preset
from prowess.model.verdict import ALLOW, Ask, Deny, Reason, Verdict, strictest

__all__ = ["AUTONOMY", "Clearance", "clear", "is_visible"]

AUTONOMY = "autonomy"
"""The rule of reasons that an approval of the calling skill covers."""


class Clearance(Struct, frozen=True, kw_only=True):
    """What is known of every call of one entry by one caller, before it comes."""

    hidden: bool = False
    """Whether the entry does not exist for this caller."""
    verdict: Verdict = ALLOW
    """What the plain code and the rules that never change say, with every reason."""
    rules: tuple[Rule, ...] = ()
    """Those that look at the hour."""
    packs: tuple[PolicyPack, ...] = ()
    paths: PathBounds | None = None
    rate: int | None = None
    """Calls a minute."""
    timeout: float | None = None
    notices: tuple[Reason, ...] = ()
    """What its owner is told at each call: `L2`, a deprecation."""

    @property
    def free(self) -> bool:
        """Whether a call with fitting inputs needs no further look."""
        return self == _FREE

    def at(self, question: Question) -> Verdict:
        """The verdict on one call: that of the clearance, with what depends on the hour."""
        if not self.rules and not self.packs:
            return self.verdict
        moving = (rule.verdict(question) for rule in self.rules)
        return strictest(self.verdict, *moving, *(pack.judge(question) for pack in self.packs))


def clear(
    manifest: Manifest,
    caller: Caller,
    book: Rulebook,
    *,
    needs: tuple[str, ...] | None = None,
    within: frozenset[str] | None = None,
) -> Clearance:
    """The clearance of a caller for an entry.

    `needs` are the rights that it needs with all that it calls, its own where they are not given; `within` are those
    that the calling skill has, where one calls.
    """
    needed = manifest.capabilities if needs is None else needs
    settings = caller.permissions.settings(manifest.name)
    question = Question(manifest, caller)
    about = rules_about(book.rules, manifest)
    return Clearance(
        hidden=not is_visible(manifest, caller.permissions, book, needs=needed),
        verdict=strictest(
            _reached(book.access.get(manifest.reference), caller),
            _capable(needed, caller.permissions, book, within),
            _permitted(manifest, caller.permissions, settings),
            _autonomous(manifest, caller),
            *(rule.verdict(question) for rule in about if not rule.match.hours),
        ),
        rules=tuple(rule for rule in about if rule.match.hours and rule.match.is_of(caller, rule.match.hours[0])),
        packs=book.packs,
        paths=path_bounds(manifest, caller.permissions, settings),
        rate=manifest.limits.max_per_minute,
        timeout=settings.timeout,
        notices=tuple(_notices(manifest, caller)),
    )


def is_visible(
    manifest: Manifest, permissions: Permissions, book: Rulebook, *, needs: tuple[str, ...] | None = None
) -> bool:
    """Whether an entry exists for a caller: what it may never use, it does not see."""
    needed = manifest.capabilities if needs is None else needs
    return (
        permissions.shows(manifest.name)
        and level_refuses(permissions.level, manifest) is None
        and not missing(needed, permissions, book.capabilities)
    )


# ---------------------------------------------------------------------------------------------------------------------


_FREE = Clearance()
_ORDER = [*Autonomy]


def _reached(access: Access | None, caller: Caller) -> Verdict:
    """Who may call it at all, and from where."""
    if access is None:
        return ALLOW
    reasons: list[Reason] = []
    if access.actors is not None and caller.actor not in access.actors:
        reasons.append(Reason("actor", f"'{caller.actor}' is none of those who may call it"))
    if access.channels is not None and caller.channel not in access.channels:
        reasons.append(Reason("channel", f"it may not be called from '{caller.channel}'"))
    return Deny(tuple(reasons)) if reasons else ALLOW


def _capable(
    needed: tuple[str, ...], permissions: Permissions, book: Rulebook, within: frozenset[str] | None
) -> Verdict:
    """Whether the caller, and the skill that it calls through, have every right that the entry needs."""
    reasons: list[Reason] = []
    lacking = missing(needed, permissions, book.capabilities)
    if lacking:
        reasons.append(Reason("capability", f"the caller has no right to {', '.join(lacking)}"))
    if within is not None:
        beyond = [need for need in needed if not has(need, within)]
        if beyond:
            rights = ", ".join(beyond)
            reasons.append(Reason("capability", f"the calling skill has no capability {rights}: it has to declare it"))
    return Deny(tuple(reasons)) if reasons else ALLOW


def _permitted(manifest: Manifest, permissions: Permissions, settings: EntrySettings) -> Verdict:
    """What the caller's level says about such an entry, and its settings about this one."""
    refusal = level_refuses(permissions.level, manifest)
    if refusal is not None:
        return Deny((Reason("permissions", refusal),))
    if not settings.enabled:
        return Deny((Reason("permissions", "the caller's permissions switch it off"),))
    if settings.requires_confirmation:
        return Ask((Reason("confirmation", "the caller's permissions ask before each call of it"),))
    asks = settings.requires_confirmation is None and permissions.level is not Preset.YOLO
    if manifest.destructive and asks:
        return Ask((Reason("destructive", f"it is destructive, and '{permissions.level}' asks before that"),))
    return ALLOW


def _autonomous(manifest: Manifest, caller: Caller) -> Verdict:
    """How far it runs by itself for this caller; a review asks as `L1` does."""
    effective = _effective(manifest, caller)
    if effective is Autonomy.L0:
        return Deny((Reason(AUTONOMY, f"'{caller.actor}' may have it suggested, and never run (ceiling L0)"),))
    reasons: list[Reason] = []
    if effective is Autonomy.L1:
        whose = "it has" if manifest.autonomy is Autonomy.L1 else "the caller has the ceiling"
        reasons.append(Reason(AUTONOMY, f"{whose} autonomy L1: a person approves each call"))
    if "requires_review" in manifest.policy_tags:
        reasons.append(Reason("review", "it is tagged requires_review: a person looks at each call"))
    return Ask(tuple(reasons)) if reasons else ALLOW


def _notices(manifest: Manifest, caller: Caller) -> Iterator[Reason]:
    if _effective(manifest, caller) is Autonomy.L2:
        yield Reason(AUTONOMY, "it runs and tells (autonomy L2)")
    if manifest.status is Status.DEPRECATED:
        yield Reason("deprecated", _deprecated(manifest))


def _effective(manifest: Manifest, caller: Caller) -> Autonomy:
    """The lower of the entry's autonomy and the caller's ceiling."""
    return min(manifest.autonomy, caller.ceiling, key=_ORDER.index)


def _deprecated(manifest: Manifest) -> str:
    said = manifest.deprecation
    until = f", until version {said.removal_version}" if said is not None and said.removal_version else ""
    instead = f": use '{said.replaced_by}'" if said is not None and said.replaced_by else ""
    moving = f" ({said.migration})" if said is not None and said.migration else ""
    return f"it is deprecated{until}{instead}{moving}"
