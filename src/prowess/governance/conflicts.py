"""Rules that can never fire, and why: each that is told is certain, of the others some may be as idle.

A rule fires where it matches and nothing stricter does: of the rules that match, only the strictest are heard.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities
from prowess.governance.patterns import includes, is_like
from prowess.governance.policy import Effect, Match, Rule
from prowess.governance.tables.rules import KINDS
from prowess.model.manifest import Manifest
from prowess.model.names import near_names

__all__ = ["CHANNELS", "Conflict", "Idleness", "World", "conflicts"]

CHANNELS = ("library", "cli", "http", "mcp", "a2a", "rpc")
"""From where Prowess itself makes calls."""


class Idleness(StrEnum):
    """Why a rule never fires."""

    UNKNOWN = "unknown"
    """It asks for something that there is not."""
    NOTHING = "nothing"
    """Each thing it asks for is there, but nothing has all of them."""
    COVERED = "covered"
    """Wherever it matches, something stricter matches too."""
    DUPLICATE = "duplicate"
    """Another rule says the same."""


class World(Struct, frozen=True, kw_only=True):
    """What there is for rules to match."""

    manifests: tuple[Manifest, ...] = ()
    capabilities: Capabilities = NO_CAPABILITIES
    channels: tuple[str, ...] = CHANNELS


class Conflict(Struct, frozen=True, kw_only=True):
    """A rule that never fires."""

    rule: str
    why: Idleness
    reason: str
    place: str = ""
    by: tuple[str, ...] = ()
    """The rules that cover it, or that it repeats."""


def conflicts(rules: Sequence[Rule], world: World) -> tuple[Conflict, ...]:
    """Every rule of which it is certain that it never fires, in their order."""
    fitting = [tuple(one.match.fits(manifest) for manifest in world.manifests) for one in rules]
    found: list[Conflict] = []
    for at, one in enumerate(rules):
        conflict = (
            _unmatched(one, world, fits=any(fitting[at]))
            or _repeated(one, rules[:at])
            or _covered(one, fitting[at], [(other, fitting[i]) for i, other in enumerate(rules)])
        )
        if conflict is not None:
            found.append(replace(conflict, rule=one.name, place=one.place))
    return tuple(found)


# ---------------------------------------------------------------------------------------------------------------------


_DAY = range(24)
_STRICTNESS = [*Effect]


def _unmatched(one: Rule, world: World, *, fits: bool) -> Conflict | None:
    match = one.match
    for what, wanted, known in (
        ("channel", match.channels, world.channels),
        ("hour", tuple(map(str, match.hours)), tuple(map(str, _DAY))),
        *(() if fits else _things(match, world)),
    ):
        if wanted and not is_like(known, wanted):
            return _conflict(Idleness.UNKNOWN, f"there is no {what} {_listed(wanted)}{_hint(wanted, known)}")
    return None if fits else _conflict(Idleness.NOTHING, "nothing in the registry has all that it asks for")


def _things(match: Match, world: World) -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What a rule asks of an entry, with all of it that there is."""
    declared = world.capabilities.declared
    needed = (right for manifest in world.manifests for right in manifest.capabilities)
    tags = (tag for manifest in world.manifests for tag in (*manifest.tags, *manifest.policy_tags))
    yield "kind", match.kinds, KINDS
    yield "capability", match.capabilities, tuple(dict.fromkeys((*declared, *needed)))
    yield "risk", match.risks, tuple({one.risk for one in declared.values() if one.risk is not None})
    yield "tag", match.tags, tuple(dict.fromkeys(tags))
    if not any(Match(entries=match.entries).fits(manifest) for manifest in world.manifests):
        yield "entry", match.entries, tuple(manifest.name for manifest in world.manifests)


def _repeated(one: Rule, before: Sequence[Rule]) -> Conflict | None:
    """A rule that says what one before it says: both fire, and one is enough."""
    same = tuple(other.name for other in before if other.effect is one.effect and _said(other) == _said(one))
    return _conflict(Idleness.DUPLICATE, f"it says the same as {_listed(same)}", same) if same else None


def _said(one: Rule) -> tuple[object, ...]:
    match = one.match
    words = (match.entries, match.tags, match.capabilities, match.risks, match.kinds, match.actors, match.channels)
    return (*map(frozenset, words), frozenset(match.hours or _DAY))


def _covered(one: Rule, fits: Sequence[bool], others: Sequence[tuple[Rule, Sequence[bool]]]) -> Conflict | None:
    """Looks at each hour and each set of stricter rules that fit an entry; callers are compared by their patterns."""
    stricter = [
        (other, fit) for other, fit in others if _STRICTNESS.index(other.effect) > _STRICTNESS.index(one.effect)
    ]
    sets = {tuple(other for other, fit in stricter if fit[at]) for at, does in enumerate(fits) if does}
    callers = [*product(one.match.actors or ("*",), one.match.channels or ("*",))]
    by: dict[str, None] = {}
    for fitting, hour, (actor, channel) in product(sets, one.match.hours or _DAY, callers):
        cover = next((other for other in fitting if _takes_in(other.match, hour, actor, channel)), None)
        if cover is None:
            return None
        by[cover.name] = None
    return _conflict(Idleness.COVERED, f"wherever it matches, {_listed(tuple(by))} is stricter", tuple(by))


def _takes_in(match: Match, hour: int, actor: str, channel: str) -> bool:
    """Whether a rule matches at this hour for every caller that these patterns stand for."""
    return (
        (not match.hours or hour in match.hours)
        and (not match.actors or any(includes(wide, actor) for wide in match.actors))
        and (not match.channels or any(includes(wide, channel) for wide in match.channels))
    )


def _conflict(why: Idleness, reason: str, by: tuple[str, ...] = ()) -> Conflict:
    return Conflict(rule="", why=why, reason=reason, by=by)


def _listed(words: Iterable[str]) -> str:
    return " or ".join(f"'{word}'" for word in words)


def _hint(wanted: Iterable[str], known: tuple[str, ...]) -> str:
    near = [name for word in wanted for name in near_names(word, known, 1)]
    return f", did you mean '{near[0]}'?" if near else ""
