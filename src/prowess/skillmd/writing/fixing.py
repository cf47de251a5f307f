"""A SKILL.md repaired: what can be, is; everything else stays, byte for byte."""

from collections import Counter

from msgspec import Struct

from prowess.skillmd.document import SkillProblem
from prowess.skillmd.profiles.checking import DEFAULT, check
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.repairs import PLACED, REPAIRS, Damage, Repair

__all__ = ["FixedSkill", "fix"]

_MOST_ROUNDS = 500


class FixedSkill(Struct, frozen=True, kw_only=True):
    """A file after its repair."""

    data: bytes
    """The very bytes that were given, where nothing was repaired."""
    repaired: tuple[SkillProblem, ...] = ()
    """What was wrong and is no longer, each as it was told when it was repaired."""


def fix(data: bytes, folder: str | None = None, profiles: str = DEFAULT) -> FixedSkill:
    """Repair what these profiles find and what needs no guessing; `folder` is the name of the folder it is in.

    Doing it twice is the same as doing it once. A repair is only kept where its problem is gone afterwards, and a skill
    that could be loaded still says the same in its description and in its body.
    """
    state = _State(data, folder, profiles)
    repaired: list[SkillProblem] = []
    given_up: set[tuple[str, int, int]] = set()
    rounds = 0
    while rounds < _MOST_ROUNDS and (problem := state.next_problem(given_up)) is not None:
        rounds += 1
        repair = REPAIRS[problem.code]
        changed = repair(Damage(data=state.data, problem=problem, folder=folder))
        after = _State(changed, folder, profiles) if changed is not None else state
        if after.is_better(state, problem.code):
            repaired += state.without(after, repair)
            state = after
            given_up.clear()
        else:
            given_up.add(_key(problem))
    return FixedSkill(data=state.data, repaired=tuple(repaired))


# ---------------------------------------------------------------------------------------------------------------------


class _State:
    """The file between two repairs."""

    def __init__(self, data: bytes, folder: str | None, profiles: str) -> None:
        self.data = data
        reading = read_skill(data, folder)
        self.document = reading.document
        self.problems = check(reading, profiles, folder)

    def next_problem(self, given_up: set[tuple[str, int, int]]) -> SkillProblem | None:
        """The first problem of the first code in the table of repairs."""
        waiting: dict[str, SkillProblem] = {}
        for problem in self.problems:
            if problem.code in REPAIRS and _key(problem) not in given_up:
                waiting.setdefault(problem.code, problem)
        return next((waiting[code] for code in REPAIRS if code in waiting), None)

    def is_better(self, before: "_State", code: str) -> bool:
        """Whether a problem of that code is gone, and nothing that could be loaded has changed or gone with it."""
        if self.count(code) >= before.count(code):
            return False
        if before.document is None:
            return True
        document = self.document
        return (
            document is not None
            and document.description == before.document.description
            and document.body == before.document.body
            and len(document.fields) >= len({field.name for field in before.document.fields})
        )

    def without(self, after: "_State", repair: Repair) -> list[SkillProblem]:
        """The problems that this repair is for and that are gone after it."""
        left = Counter((problem.code, problem.message) for problem in after.problems)
        gone: list[SkillProblem] = []
        for problem in self.problems:
            key = (problem.code, problem.message)
            if REPAIRS.get(problem.code) is repair and left[key] <= 0:
                gone.append(problem)
            left[key] -= 1
        return gone

    def count(self, code: str) -> int:
        """How many problems of a code there are."""
        return sum(problem.code == code for problem in self.problems)


def _key(problem: SkillProblem) -> tuple[str, int, int]:
    """What else the repair of a problem would be tried on again: most repairs see to all problems of their code."""
    return (problem.code, problem.line, problem.column) if problem.code in PLACED else (problem.code, 0, 0)
