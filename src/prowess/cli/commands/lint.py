"""Check SKILL.md files, and repair what can be repaired.

A PATH is a SKILL.md or a folder, below which all are found; without one it is the present folder. A profile is a set
of rules: agentskills is the open standard, toolskill is stricter, and claude, codex, gemini, fastmcp and adk say
whether that client would load the skill. Ends with 1 where there is an error.
"""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from prowess.catalog.listing import one_line
from prowess.catalog.places import is_built
from prowess.catalog.skill_files import read_skill_file, replace_skill_file, skill_files
from prowess.cli.parsing import Arguments, UsageError
from prowess.cli.terminal.printing import complain, json_line, safe
from prowess.errors import ConfigurationError
from prowess.skillmd.document import Severity, SkillProblem, SkillReading
from prowess.skillmd.profiles.checking import DEFAULT, check, loadable, profile_named
from prowess.skillmd.reading import read_skill
from prowess.skillmd.writing.fixing import fix

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME = "lint"
HELP = "check SKILL.md files, and repair what can be repaired"
_KEYS = ("code", "severity", "line", "column", "message", "fix")


class Linted(Struct, frozen=True, kw_only=True):
    """What became of one file."""

    path: str
    name: str
    loadable: bool
    problems: tuple[SkillProblem, ...]
    repaired: tuple[SkillProblem, ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may follow `prowess lint`."""
    parser.add_argument("inputs", nargs="*", metavar="PATH", help="a SKILL.md, or a folder with some below it")
    parser.add_argument("--profile", action="append", metavar="NAME", help="rules to check, separated by commas")
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired, and touch nothing else")
    parser.add_argument("--json", action="store_true", help="print a JSON object with a row for every file")


def run(arguments: Arguments) -> int:
    """Check every file; 1 where one has an error, or where a path cannot be looked at."""
    profiles = _profiles(arguments.profile or [DEFAULT])
    paths = arguments.inputs or [arguments.project or "."]
    built = [path for path in paths if is_built(path)]
    if built:
        raise UsageError(f"{built[0]} is a built file, whose packages were looked at: lint its project")
    found, all_seen = _find(paths)
    unwritten: list[str] = []
    linted = [_lint(path, profiles, unwritten if arguments.fix else None) for path in found]
    for line in unwritten:
        complain(safe(f"prowess: {line}"))
    if arguments.json:
        print(json_line({"skills": [_row(one) for one in linted]}))
        for line in _repairs(linted):
            complain(one_line(line))
    elif linted or all_seen:
        for line in (*_repairs(linted), *_lines(linted)):
            print(one_line(line))
    return int(not all_seen or bool(unwritten) or any(_errors(one.problems) for one in linted))


# ---------------------------------------------------------------------------------------------------------------------


def _profiles(given: Sequence[str]) -> str:
    names = [name.strip() for text in given for name in text.split(",") if name.strip()]
    try:
        return ",".join(dict.fromkeys(profile_named(name).name for name in names)) or DEFAULT
    except ConfigurationError as error:
        raise UsageError(error.message) from None


def _find(paths: Iterable[str]) -> tuple[list[str], bool]:
    """Every file, each once, and whether all that was named could be looked at."""
    unread: list[OSError] = []
    found = list(dict.fromkeys(file for path in paths for file in skill_files(path, unread)))
    for error in unread:
        complain(safe(f"prowess: {error.filename}: {error.strerror}"))
    return found, not unread


def _lint(path: str, profiles: str, unwritten: list[str] | None) -> Linted:
    """What becomes of one file. It is repaired where there is a list for those that cannot be written."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    data = read_skill_file(path)
    if isinstance(data, SkillProblem):
        return _linted(path, SkillReading(name=folder, document=None, problems=(data,)), profiles)
    repaired: tuple[SkillProblem, ...] = ()
    if unwritten is not None:
        fixed = fix(data, folder, profiles)
        try:
            if fixed.repaired:
                replace_skill_file(path, fixed.data)
            data, repaired = fixed.data, fixed.repaired
        except OSError as error:
            unwritten.append(f"{path}: cannot be repaired: {error.strerror}")
    return _linted(path, read_skill(data, folder), profiles, repaired)


def _linted(path: str, reading: SkillReading, profiles: str, repaired: tuple[SkillProblem, ...] = ()) -> Linted:
    folder, file_name = os.path.split(os.path.abspath(path))
    folder = os.path.basename(folder)
    return Linted(
        path=path,
        name=reading.name,
        loadable=loadable(reading, profiles, folder, file_name=file_name),
        problems=check(reading, profiles, folder, file_name=file_name),
        repaired=repaired,
    )


def _row(one: Linted) -> dict[str, object]:
    problems = [{key: getattr(problem, key) for key in _KEYS} for problem in one.problems]
    return {"path": one.path, "name": one.name, "loadable": one.loadable, "problems": problems}


def _repairs(linted: Sequence[Linted]) -> Iterator[str]:
    for one in linted:
        for problem in one.repaired:
            yield f"{_place(one, problem)}: repaired {problem.code}: {problem.message}"


def _lines(linted: Sequence[Linted]) -> Iterator[str]:
    for one in linted:
        for problem in one.problems:
            advice = f" ({problem.fix})" if problem.fix else ""
            yield f"{_place(one, problem)}: {problem.severity} {problem.code}: {problem.message}{advice}"
    problems = [problem for one in linted for problem in one.problems]
    errors = _errors(problems)
    repaired = sum(len(one.repaired) for one in linted)
    counts = [_count(len(linted), "skill"), _count(errors, "error"), _count(len(problems) - errors, "warning")]
    yield ", ".join([*counts, *([f"{repaired} repaired"] if repaired else [])])


def _place(one: Linted, problem: SkillProblem) -> str:
    return f"{one.path}:{problem.line}:{problem.column}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _errors(problems: Iterable[SkillProblem]) -> int:
    return sum(problem.severity is Severity.ERROR for problem in problems)
