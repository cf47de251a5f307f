"""A reading held against profiles: what each of them makes of it, and whether it would be loaded."""

from collections.abc import Iterator

from msgspec.structs import replace

from prowess.errors import ConfigurationError
from prowess.model.names import near_names
from prowess.skillmd.document import Severity, SkillProblem, SkillReading
from prowess.skillmd.profiles.case import Case, Profile
from prowess.skillmd.profiles.clients import CLIENTS
from prowess.skillmd.profiles.standard import AGENT_SKILLS, TOOL_SKILL

__all__ = ["DEFAULT", "PROFILES", "Profile", "check", "loadable", "profile_named"]

DEFAULT = AGENT_SKILLS.name
PROFILES = {profile.name: profile for profile in (AGENT_SKILLS, TOOL_SKILL, *CLIENTS)}
"""By their names."""

FILE_NAME = "SKILL.md"


def check(
    reading: SkillReading, profile: str = DEFAULT, folder: str | None = None, *, file_name: str = FILE_NAME
) -> tuple[SkillProblem, ...]:
    """Everything that a profile finds wrong, in the order of the file; several profiles are separated by commas.

    A problem that several of them find stands once, as an error where it is one for any of them; its message says which
    clients refuse the skill for it. Raises `ConfigurationError` for a profile that there is not.
    """
    case = Case(reading, folder, file_name)
    found: dict[tuple[str, int, int, str], tuple[SkillProblem, list[str]]] = {}
    for one in _named(profile):
        for problem in _found(one, case):
            key = (problem.code, problem.line, problem.column, problem.message)
            known, refusing = found.setdefault(key, (problem, []))
            if problem.severity is Severity.ERROR:
                refusing += [one.name] if one.is_client else []
                known = problem
            found[key] = (known, refusing)
    return tuple(sorted((_told(*each) for each in found.values()), key=lambda each: (each.line, each.column)))


def loadable(
    reading: SkillReading, profile: str = DEFAULT, folder: str | None = None, *, file_name: str = FILE_NAME
) -> bool:
    """Whether Prowess loads it, and with a client's profile, whether that client would; all of them, where several."""
    profiles = _named(profile)
    clients = [one for one in profiles if one.is_client]
    if len(clients) < len(profiles) and reading.document is None:
        return False
    case = Case(reading, folder, file_name)
    return all(problem.severity is not Severity.ERROR for one in clients for problem in _found(one, case))


def profile_named(name: str) -> Profile:
    """A profile; raises `ConfigurationError` that names near ones."""
    found = PROFILES.get(name)
    if found is None:
        near = near_names(name, PROFILES, 1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        message = f"there is no profile {name!r}: use one of {', '.join(PROFILES)}{hint}"
        raise ConfigurationError(message, details={"profile": name, "near": near})
    return found


# ---------------------------------------------------------------------------------------------------------------------


def _named(profiles: str) -> list[Profile]:
    return [profile_named(name.strip()) for name in profiles.split(",")]


def _found(profile: Profile, case: Case) -> Iterator[SkillProblem]:
    yield from (_weighed(profile, one) for one in case.reading.problems if one.code not in profile.ignored)
    for rule in profile.rules:
        yield from (_weighed(profile, one) for one in rule(case))


def _weighed(profile: Profile, problem: SkillProblem) -> SkillProblem:
    fields = profile.raised.get(problem.code)
    if fields is not None and (not fields or problem.field in fields):
        return replace(problem, severity=Severity.ERROR)
    return replace(problem, severity=Severity.WARNING) if problem.code in profile.lowered else problem


def _told(problem: SkillProblem, refusing: list[str]) -> SkillProblem:
    if not refusing:
        return problem
    several = " and ".join(filter(None, (", ".join(refusing[:-1]), refusing[-1])))
    verb = "does" if len(refusing) == 1 else "do"
    return replace(problem, message=f"{problem.message}; {several} {verb} not load it")
