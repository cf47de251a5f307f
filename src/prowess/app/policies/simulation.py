"""What the gate would say about a call, stage by stage and with every reason; nothing runs, and nothing is recorded."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from prowess.errors import ConfigurationError
from prowess.execution.validation.validator import compile_validator
from prowess.governance.clearance import clear, stages
from prowess.governance.conflicts import CHANNELS, Conflict, World, conflicts
from prowess.governance.policy import rules_about
from prowess.governance.question import Question
from prowess.governance.rulebook import Rulebook
from prowess.model.manifest import Manifest, Status
from prowess.model.names import near_names
from prowess.model.permissions import Permissions, Preset
from prowess.model.verdict import ALLOW, Deny, Reason, Verdict, strictest

__all__ = ["Simulation", "StageVerdict", "idle_rules", "permissions_named", "simulate"]


class StageVerdict(Struct, frozen=True, kw_only=True):
    """What one stage says, or one rule of the project."""

    stage: str
    verdict: str
    """`allow`, `ask` or `deny`."""
    reasons: tuple[Reason, ...] = ()
    place: str = ""
    """Where a rule stands."""


class Simulation(Struct, frozen=True, kw_only=True):
    """What a call would meet."""

    entry: str
    """`name@version`."""
    actor: str
    channel: str
    level: str
    ceiling: str
    hour: int
    verdict: str
    """`allow`, `ask`, `deny`, or `hidden` where the entry does not exist for the caller."""
    stages: tuple[StageVerdict, ...]
    notices: tuple[Reason, ...] = ()
    """What is told where it runs."""


def simulate(question: Question, book: Rulebook, inputs: Mapping[str, object] | None = None) -> Simulation:
    """What the gate would say about a call, as far as it does not depend on calls before: rates and approvals do."""
    manifest, caller = question.manifest, question.caller
    clearance = clear(manifest, caller, book)
    judged = [*_stages(question, book, inputs)]
    verdict = _word(strictest(*(one for _, one, _ in judged)))
    return Simulation(
        entry=manifest.reference,
        actor=caller.actor,
        channel=caller.channel,
        level=str(caller.permissions.level),
        ceiling=str(caller.ceiling),
        hour=question.hour,
        verdict="hidden" if clearance.hidden else verdict,
        stages=tuple(
            StageVerdict(stage=stage, verdict=_word(one), reasons=one.reasons, place=at) for stage, one, at in judged
        ),
        notices=clearance.notices,
    )


def permissions_named(preset: str, book: Rulebook) -> Permissions:
    """The permissions of a preset, also of the project's own; raises `ConfigurationError` for a name that is none."""
    own = book.presets.get(preset)
    if own is not None:
        return own
    known = (*Preset, *book.presets)
    if preset not in known:
        near = near_names(preset, known, 1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"there is no preset '{preset}': use one of {', '.join(known)}{hint}"
        raise ConfigurationError(message, details={"name": preset})
    return Permissions.preset(preset)


def idle_rules(manifests: tuple[Manifest, ...], book: Rulebook, channels: tuple[str, ...] = ()) -> tuple[Conflict, ...]:
    """The project's rules that can never fire; `channels` are those of its own code."""
    world = World(manifests=manifests, capabilities=book.capabilities, channels=(*CHANNELS, *channels))
    return conflicts(book.rules, world)


# ---------------------------------------------------------------------------------------------------------------------


def _stages(
    question: Question, book: Rulebook, inputs: Mapping[str, object] | None
) -> Iterator[tuple[str, Verdict, str]]:
    """Each stage in its order: its word, its verdict, and the place of a rule."""
    manifest, caller = question.manifest, question.caller
    yield "status", _status(manifest), ""
    if inputs is not None:
        yield "inputs", _inputs(question, book, inputs), ""
    for stage, verdict in stages(manifest, caller, book, needs=manifest.capabilities).items():
        yield stage, verdict, ""
    for rule in rules_about(book.rules, manifest):
        if rule.match.is_of(caller, question.hour):
            yield f"rule '{rule.name}'", rule.verdict(question), rule.place
    for pack in book.packs:
        yield "pack", pack.judge(question), ""


def _status(manifest: Manifest) -> Verdict:
    disabled = Deny((Reason("status", "it is disabled"),))
    return disabled if manifest.status is Status.DISABLED else ALLOW


def _inputs(question: Question, book: Rulebook, inputs: Mapping[str, object]) -> Verdict:
    problems = compile_validator(question.manifest.input_schema).problems(inputs)
    bounds = clear(question.manifest, question.caller, book).paths
    reasons = [Reason("schema", str(problem)) for problem in problems]
    reasons += () if bounds is None else bounds.reasons(inputs)
    return Deny(tuple(reasons)) if reasons else ALLOW


def _word(verdict: Verdict) -> str:
    return type(verdict).__name__.lower()
