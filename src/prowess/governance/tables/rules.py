"""The tables `[[rules]]` and `[[packs]]`."""

import re

from msgspec import Struct
from msgspec.structs import replace

from prowess.errors import Problem
from prowess.governance.policy import Effect, Match, Rule
from prowess.model.forms import Form, Forms, Path, Problems, choice, is_items, note, read_fields, text
from prowess.model.json_value import is_object, json_path
from prowess.model.manifest_parts import Kind

__all__ = ["KINDS", "PackFiles", "pack", "rule", "words"]

KINDS = (*map(str, Kind), "skill")
"""What a rule may call a kind: `skill` is all but ops."""


class PackFiles(Struct, frozen=True, kw_only=True):
    """The files of a policy pack, relative to the project's folder."""

    policies: tuple[str, ...] = ()
    name: str = ""
    """The first file's where none is given."""
    schema: str | None = None
    """The schema of calls that comes with Prowess where there is none."""
    entities: str | None = None


def rule(value: object, path: Path, problems: Problems) -> object:
    """One of `[[rules]]`."""
    said = read_fields(value, _RULE, path, problems, {})
    _demand(said, value, path, problems, _RULE_NEEDS)
    number = sum(step + 1 for step in path if isinstance(step, int))
    unnamed = Rule(name=f"rule {number}", effect=Effect.DENY)
    return replace(unnamed, **said)


def pack(value: object, path: Path, problems: Problems) -> object:
    """One of `[[packs]]`."""
    said = read_fields(value, _PACK, path, problems, {})
    _demand(said, value, path, problems, _PACK_NEEDS)
    made: PackFiles = replace(PackFiles(), **said)
    return made if made.name or not made.policies else replace(made, name=str(made.policies[0]))


def words(form: Form = text) -> Form:
    """One word, or a list of some."""

    def take(value: object, path: Path, problems: Problems) -> object:
        items = value if is_items(value) else (value,)
        if not items:
            note(problems, path, "empty", "is empty, which no call could be: leave it out to ask nothing", value)
        taken: list[object] = []
        for index, item in enumerate(items):
            place = (*path, index) if is_items(value) else path
            word = form(item, place, problems)
            if item == "":
                note(problems, place, "empty", "is empty", item)
            taken += word if is_items(word) else (word,)
        return tuple(taken)

    return take


# ---------------------------------------------------------------------------------------------------------------------


_HOURS = re.compile(r"\s*([0-9]{1,2})\s*[-–]\s*([0-9]{1,2})\s*")
_DAY = 24
_RULE_NEEDS = {
    "effect": f"is missing: one of {', '.join(Effect)}",
    "match": "is missing: say what it matches, or write match = {} for every call",
}
_PACK_NEEDS = {
    "policies": "is missing: the file with the policies",
}


def _demand(said: dict[str, object], value: object, path: Path, problems: Problems, needs: dict[str, str]) -> None:
    if is_object(value):
        problems += [
            Problem(path=json_path([*path, field]), rule="required", message=message)
            for field, message in needs.items()
            if field not in said
        ]


def _hour(value: object, path: Path, problems: Problems) -> object:
    """An hour, or those from one until another: `22-6` begins at 22:00 and ends at 6:00."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _DAY:
        return value
    span = _HOURS.fullmatch(value) if isinstance(value, str) else None
    if span:
        begin, end = int(span[1]), int(span[2])
        if begin < _DAY and end <= _DAY and begin != end:
            return tuple(hour % _DAY for hour in range(begin, end if begin < end else end + _DAY))
    note(problems, path, "hour", "must be an hour from 0 to 23, or a span of hours such as '22-6'", value)
    return ()


def _match(value: object, path: Path, problems: Problems) -> object:
    said = read_fields(value, _MATCH, path, problems, _SINGULAR)
    hours = said.pop("hours", None)
    whole = [hour for hour in range(_DAY) if is_items(hours) and hour in hours]
    return replace(Match(), **said, hours=tuple(whole) if len(whole) < _DAY else ())


_MATCH: Forms = {
    "entries": words(),
    "tags": words(),
    "capabilities": words(),
    "risks": words(),
    "kinds": words(choice(KINDS)),
    "actors": words(),
    "channels": words(),
    "hours": words(_hour),
}
_SINGULAR = {
    "entry": "entries",
    "tag": "tags",
    "capability": "capabilities",
    "risk": "risks",
    "kind": "kinds",
    "actor": "actors",
    "channel": "channels",
    "hour": "hours",
}
_RULE: Forms = {"name": text, "effect": choice(Effect), "match": _match, "reason": text}
_PACK: Forms = {"name": text, "policies": words(), "schema": text, "entities": text}
