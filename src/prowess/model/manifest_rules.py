"""What a manifest must obey, beyond its types: told as problems, all at once, to be fixed in one go."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Protocol

from prowess.errors import ConfigurationError, Problem
from prowess.model.manifest_parts import Limits, Redaction, Target
from prowess.model.names import name_problem, near_names
from prowess.model.versions import is_semver

__all__ = ["PROFILES", "Described", "manifest_problems", "target_problem"]

_WORD = re.compile(r"[^\s\x00-\x1f\x7f]+")
_CAPABILITY = re.compile(r"[^\s.\x00-\x1f\x7f]+(?:\.[^\s.\x00-\x1f\x7f]+)+")
_LINE = re.compile(r"\S(?:[^\x00-\x1f\x7f]*\S)?")
_LENGTH_LIMIT = 256
_CONSTRAINT = re.compile(r"[0-9A-Za-z.*^~<>=|,+\s-]+")
_JSON_PATH = re.compile(r"\$(?:\.[^\s.\[\]]+|\[(?:[0-9]+|\*|'[^']+')\])*")
_PATH_ADVICE = "a JSON path starts with $: $.user.password, $.items[*].token"


class Described(Protocol):
    """A manifest, as far as the rules look at it. Said as a protocol because `Manifest` itself imports the rules."""

    @property
    def name(self) -> str:
        """The name, with its namespace."""
        ...

    @property
    def version(self) -> str | None:
        """As written."""
        ...

    @property
    def description(self) -> str:
        """What it does."""
        ...

    @property
    def id(self) -> str | None:
        """An alias."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """Words to find it by."""
        ...

    @property
    def capabilities(self) -> tuple[str, ...]:
        """Rights it needs."""
        ...

    @property
    def policy_tags(self) -> tuple[str, ...]:
        """Words that policies look for."""
        ...

    @property
    def targets(self) -> Sequence[Target]:
        """All that it may call."""
        ...

    @property
    def limits(self) -> Limits:
        """Bounds of its calls."""
        ...

    @property
    def redaction(self) -> Redaction:
        """Paths to mask."""
        ...

    @property
    def estimated_steps(self) -> int | None:
        """How long it is."""
        ...


def manifest_problems(manifest: Described, profile: str | None = None, *, described: bool = True) -> list[Problem]:
    """Every rule that a manifest breaks, whose fields have their form; `ConfigurationError` for an unknown profile.

    What others made need not be `described`.
    """
    rules: list[Callable[[Described], Iterable[Problem]]] = [_names, _version, _lists, _targets, _numbers, _paths]
    if described:
        rules.insert(2, _description)
    if profile is not None:
        rules.append(_profile(profile))
    return [problem for rule in rules for problem in rule(manifest)]


def target_problem(name: str, version: str | None) -> str | None:
    """What is wrong with a target, as the end of a sentence that starts with it; None where nothing is.

    The constraint's grammar is looked at from afar only: reading it takes a library that authoring does not load.
    """
    problem = name_problem(name)
    if problem is None and version is not None and not _CONSTRAINT.fullmatch(version):
        return "has a version constraint that is none: write ^1.2, ~1.2.3, >=1 <2, 1.x or a || b"
    return problem


# ---------------------------------------------------------------------------------------------------------------------


def _names(manifest: Described) -> Iterable[Problem]:
    problem = name_problem(manifest.name)
    if problem is not None:
        yield _problem("name", "name", f"name {manifest.name[:_LENGTH_LIMIT]!r} {problem}")
    if manifest.id is not None and not _WORD.fullmatch(manifest.id):
        yield _problem("id", "id", "id is one word without spaces")


def _version(manifest: Described) -> Iterable[Problem]:
    """Text that is no version is kept, and told by the registry: it compares as 1.0.0."""
    version = manifest.version
    if version is not None and (not _LINE.fullmatch(version) or len(version) > _LENGTH_LIMIT or "@" in version):
        yield _problem("version", "version", "version is short text such as 1.0.0; leave it out where there is none")


def _description(manifest: Described) -> Iterable[Problem]:
    if not manifest.description.strip():
        yield _problem("description", "required", "description is empty: say what it does and when to use it")


def _lists(manifest: Described) -> Iterable[Problem]:
    for field, words, pattern, what in (
        ("tags", manifest.tags, _LINE, "one line of text"),
        ("capabilities", manifest.capabilities, _CAPABILITY, "a right named domain.verb, such as notes.read"),
        ("policy_tags", manifest.policy_tags, _WORD, "a word without spaces"),
    ):
        for at, word in enumerate(words):
            if not pattern.fullmatch(word) or len(word) > _LENGTH_LIMIT:
                yield _problem(f"{field}[{at}]", field, f"each of {field} is {what}")


def _targets(manifest: Described) -> Iterable[Problem]:
    for at, target in enumerate(manifest.targets):
        problem = target_problem(target.name, target.version)
        if problem is not None:
            yield _problem(f"targets[{at}]", "target", f"target {target.name[:_LENGTH_LIMIT]!r} {problem}")


def _numbers(manifest: Described) -> Iterable[Problem]:
    timeout, rate, steps = manifest.limits.timeout, manifest.limits.max_per_minute, manifest.estimated_steps
    if timeout is not None and not (timeout > 0 and isfinite(timeout)):
        yield _problem(
            "limits.timeout", "minimum", "timeout is a number of seconds above 0; leave it out for no deadline"
        )
    if rate is not None and rate < 1:
        yield _problem("limits.max_per_minute", "minimum", "the rate limit is at least 1 call a minute")
    if steps is not None and steps < 0:
        yield _problem("estimated_steps", "minimum", "estimated steps are not negative")


def _paths(manifest: Described) -> Iterable[Problem]:
    for field, paths in (("inputs", manifest.redaction.inputs), ("outputs", manifest.redaction.outputs)):
        for at, path in enumerate(paths):
            if not _JSON_PATH.fullmatch(path):
                yield _problem(f"redaction.{field}[{at}]", "path", _PATH_ADVICE)


def _toolskill(manifest: Described) -> Iterable[Problem]:
    if not manifest.description.lstrip().lower().startswith("use when"):
        yield _problem("description", "use-when", "description starts with 'Use when'")
    if manifest.version is None or not is_semver(manifest.version):
        yield _problem("version", "semver", "version is a semantic version, such as 1.0.0")


def _profile(name: str) -> Callable[[Described], Iterable[Problem]]:
    try:
        return PROFILES[name]
    except KeyError:
        near = near_names(name, PROFILES)
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"there is no profile {name!r}: use one of {', '.join(sorted(PROFILES))}{hint}"
        raise ConfigurationError(message, details={"profile": name}) from None


def _problem(path: str, rule: str, message: str) -> Problem:
    return Problem(path=f"$.{path}", rule=rule, message=message)


PROFILES: Mapping[str, Callable[[Described], Iterable[Problem]]] = {"toolskill": _toolskill}
"""Named sets of further rules, off unless asked for."""
