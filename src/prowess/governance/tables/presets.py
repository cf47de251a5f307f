"""The tables `[presets.NAME]`: permissions of a project's own, each narrower than the one it extends."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import isfinite
from typing import TypeAlias

from msgspec.structs import replace

from prowess.errors import Problem
from prowess.model.forms import Forms, Path, Problems, each, flag, is_items, note, number, read_fields, text
from prowess.model.json_value import is_object, json_path
from prowess.model.names import is_name, near_names
from prowess.model.permissions import Permissions, Preset

__all__ = ["presets"]

Change: TypeAlias = Callable[[Permissions], Permissions]


def presets(value: object, path: Path, problems: Problems) -> object:
    """All presets by their names. What cannot be used of one is told, and left out."""
    if not is_object(value):
        note(problems, path, "type", "must be tables: write [presets.NAME]", value)
        return {}
    said: dict[str, dict[str, object]] = {}
    for name, table in value.items():
        before = len(problems)
        fields = read_fields(table, _PRESET, (*path, name), problems, {})
        said[name] = fields if len(problems) == before else {"extends": fields.get("extends")}
    problems += (*_wrong_names(value, path), *_wrong_bases(said, value, path))
    made: dict[str, Permissions] = {name: Permissions.preset(name) for name in Preset}
    left = dict(said)
    while ready := [name for name in left if left[name].get("extends") in made]:
        for name in ready:
            fields = left.pop(name)
            made[name] = _narrowed(made[str(fields["extends"])], fields, (*path, name), problems)
    problems += _circles(left, path)
    return {name: made[name] for name in said if name in made and name not in {*Preset}}


# ---------------------------------------------------------------------------------------------------------------------


def _wrong_names(value: Mapping[str, object], path: Path) -> Iterator[Problem]:
    for name in value:
        if name in {*Preset}:
            message = "is a preset of Prowess itself: give yours a name of its own, and let it extend this one"
            yield Problem(path=json_path([*path, name]), rule="taken", message=message)
        elif not is_name(name):
            message = "is no name: lowercase letters and digits in words joined by single '_' or '-'"
            yield Problem(path=json_path([*path, name]), rule="name", message=message)


def _wrong_bases(said: Mapping[str, dict[str, object]], value: Mapping[str, object], path: Path) -> Iterator[Problem]:
    known = (*Preset, *said)
    for name, fields in said.items():
        base, place = fields.get("extends"), json_path([*path, name, "extends"])
        if base is None and is_object(value[name]):
            yield Problem(path=place, rule="required", message=f"is missing: one of {', '.join(known)}")
        elif isinstance(base, str) and base not in known:
            near = next(iter(near_names(base, known)), None)
            yield Problem(path=place, rule="unknown", message=f"there is no preset '{base}'", near=near)


def _circles(left: Mapping[str, dict[str, object]], path: Path) -> Iterator[Problem]:
    """Those presets that extend each other. Who only extends one of them is as unusable, but has nothing to mend."""
    for name in left:
        way = [name]
        while (base := str(left[way[-1]].get("extends"))) in left and base not in way:
            way.append(base)
        if base == name:
            message = f"extends itself: {' → '.join([*way, name])}"
            yield Problem(path=json_path([*path, name, "extends"]), rule="circle", message=message)


def _narrowed(base: Permissions, fields: Mapping[str, object], path: Path, problems: Problems) -> Permissions:
    """The base with what a preset says on top, point by point, so that each that exceeds the base is told by itself."""
    made = base
    for place, change in _changes(fields):
        wanted = change(made)
        if base.can_grant(wanted):
            made = wanted
        else:
            message = f"exceeds '{fields['extends']}', which it extends: a preset only narrows"
            problems.append(Problem(path=json_path([*path, *place]), rule="exceeds", message=message))
    return made


def _changes(fields: Mapping[str, object]) -> Iterator[tuple[Path, Change]]:
    """Each point of a preset: its place, and what it makes of the permissions before."""
    for field, change in _POINTS.items():
        words = fields.get(field)
        if is_items(words):
            yield (field,), partial(change, words=tuple(map(str, words)))
    entries = fields.get("entries")
    for name, settings in entries.items() if is_object(entries) else ():
        for setting, value in settings.items() if is_object(settings) else ():
            yield ("entries", name, setting), partial(_with_setting, name=name, setting=setting, value=value)


def _with_setting(made: Permissions, *, name: str, setting: str, value: object) -> Permissions:
    changed: dict[str, object] = {setting: value}
    return made.with_entries({name: replace(made.settings(name), **changed)})


def _with_capabilities(made: Permissions, *, words: tuple[str, ...]) -> Permissions:
    return replace(made, capabilities=words)


def _with_allowed(made: Permissions, *, words: tuple[str, ...]) -> Permissions:
    return replace(made, allowed_paths=words)


def _with_blocked(made: Permissions, *, words: tuple[str, ...]) -> Permissions:
    """What a base blocks stays blocked."""
    return replace(made, blocked_paths=tuple(dict.fromkeys((*made.blocked_paths, *words))))


def _without(made: Permissions, *, words: tuple[str, ...]) -> Permissions:
    return made.without(*words)


def _list(value: object, path: Path, problems: Problems) -> object:
    """Words; none of them is as good as some: `capabilities = []` leaves no right."""
    return _TEXTS((value,) if isinstance(value, str) else value, path, problems)


def _seconds(value: object, path: Path, problems: Problems) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool) and not (value > 0 and isfinite(value)):
        note(problems, path, "minimum", "must be a number of seconds above 0", value)
    return number(value, path, problems)


def _entries(value: object, path: Path, problems: Problems) -> object:
    if not is_object(value):
        note(problems, path, "type", "must be tables: write [presets.NAME.entries.ENTRY]", value)
        return {}
    return {name: read_fields(table, _SETTINGS, (*path, name), problems, {}) for name, table in value.items()}


_POINTS: Mapping[str, Callable[..., Permissions]] = {
    "capabilities": _with_capabilities,
    "allowed_paths": _with_allowed,
    "blocked_paths": _with_blocked,
    "hidden": _without,
}
_TEXTS = each(text)
_SETTINGS: Forms = {"enabled": flag, "allowed_paths": _list, "timeout": _seconds, "requires_confirmation": flag}
_PRESET: Forms = {
    "extends": text,
    "capabilities": _list,
    "allowed_paths": _list,
    "blocked_paths": _list,
    "hidden": _list,
    "entries": _entries,
}
