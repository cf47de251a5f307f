"""Two generations of documents: what changed of each entry, whether callers break, whether its version says so."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from prowess.documents.comparing.narrowing import misfits, plain_of
from prowess.documents.values import Declared
from prowess.model.json_value import is_array, is_object
from prowess.model.manifest import Manifest, Status
from prowess.model.schema import Schema
from prowess.model.versions import VersionKey, version_key, version_shown

__all__ = ["Change", "Difference", "Raise", "differences"]


class Raise(StrEnum):
    """By how much a version rose."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"


class Change(Struct, frozen=True):
    """One thing that is other than before."""

    rule: str
    """`removed-entry`, `removed-field`, `narrowed-input`, `widened-output`, `new-capability`, or a field's name."""
    message: str
    breaking: bool = False


class Difference(Struct, frozen=True, kw_only=True):
    """What became of one entry."""

    name: str
    old: str | None
    """The version that it is compared with; None for an entry that is new."""
    new: str | None
    """None for an entry that was taken out."""
    changes: tuple[Change, ...] = ()
    needed: Raise = Raise.NONE
    raised: Raise = Raise.NONE
    problems: tuple[str, ...] = ()
    """Why the change may not be made like this."""

    @property
    def breaking(self) -> bool:
        """Whether whoever calls it may fail."""
        return any(change.breaking for change in self.changes)

    @property
    def ok(self) -> bool:
        """Whether its version says enough, and a deprecation too."""
        return not self.problems

    def to_json(self) -> dict[str, object]:
        """The difference as JSON."""
        return {
            "name": self.name,
            "old": self.old,
            "new": self.new,
            "breaking": self.breaking,
            "ok": self.ok,
            "needed": str(self.needed),
            "raised": str(self.raised),
            "changes": [{"rule": one.rule, "message": one.message, "breaking": one.breaking} for one in self.changes],
            "problems": list(self.problems),
        }


def differences(old: Iterable[Declared], new: Iterable[Declared]) -> tuple[Difference, ...]:
    """Each entry that is not as it was, sorted by name; a version is compared with the one that it comes after.

    A version of the new documents is compared with the same of the old ones or, where they have none, the next below.
    """
    before, after = _by_name(old), _by_name(new)
    found: list[Difference] = []
    for name in sorted({*before, *after}):
        found += _of_name(name, before.get(name, {}), after.get(name, {}))
    return tuple(found)


# ---------------------------------------------------------------------------------------------------------------------

_ORDER = tuple(Raise)
_Versions = Mapping[VersionKey, Declared]


def _by_name(entries: Iterable[Declared]) -> dict[str, dict[VersionKey, Declared]]:
    found: dict[str, dict[VersionKey, Declared]] = {}
    for entry in entries:
        found.setdefault(entry.manifest.name, {})[version_key(entry.manifest.version)] = entry
    return found


def _of_name(name: str, before: _Versions, after: _Versions) -> Iterator[Difference]:
    compared: set[VersionKey] = set()
    for key in sorted(after):
        base = key if key in before else max((one for one in before if one < key), default=None)
        if base is None:
            yield Difference(name=name, old=None, new=after[key].manifest.version)
            continue
        compared.add(base)
        difference = _between(before[base], after[key])
        if difference.changes or difference.problems:
            yield difference
    for key in sorted(before.keys() - after.keys() - compared):
        yield _gone(name, before[key].manifest, after)


def _gone(name: str, manifest: Manifest, after: _Versions) -> Difference:
    change = Change("removed-entry", f"version {manifest.version} is gone", breaking=True)
    newest = max(after, default=None)
    if newest is not None and newest > version_key(manifest.version):
        return Difference(name=name, old=manifest.version, new=None, changes=(change,))
    problems: tuple[str, ...] = ()
    if manifest.status is not Status.DEPRECATED:
        problems = ("it goes without having been deprecated",)
    return Difference(
        name=name, old=manifest.version, new=None, changes=(change,), needed=Raise.MAJOR, problems=problems
    )


def _between(old: Declared, new: Declared) -> Difference:
    one, other = old.manifest, new.manifest
    changes = tuple(_changes(old, new))
    needed = _needed(changes, version_key(one.version))
    raised = _raised(version_key(one.version), version_key(other.version))
    problems: list[str] = []
    if _ORDER.index(raised) < _ORDER.index(needed):
        least = version_shown(_least(version_key(one.version), needed))
        problems.append(f"the version rose too little: from {one.version} to {least} at least, since {_why(changes)}")
    told = other.deprecation
    if told is not None and one.deprecation is None and not told.migration and not told.replaced_by:
        problems.append("the deprecation is new, and says neither 'migration' nor 'replaced_by'")
    return Difference(
        name=one.name,
        old=one.version,
        new=other.version,
        changes=changes,
        needed=needed,
        raised=raised,
        problems=tuple(problems),
    )


def _changes(old: Declared, new: Declared) -> Iterator[Change]:
    one, other = old.manifest, new.manifest
    yield from _inputs(one.input_schema, other.input_schema)
    yield from _outputs(one.output_schema, other.output_schema)
    yield from _rights(one, other)
    if one.status is not other.status:
        off = other.status is Status.DISABLED
        yield Change("status", f"the status was {one.status}, and is {other.status}", breaking=off)
    if one.kind is not other.kind:
        yield Change("kind", f"it was of kind {one.kind}, and is of kind {other.kind}", breaking=True)
    if one.autonomy is not other.autonomy:
        stricter = other.autonomy < one.autonomy
        yield Change("autonomy", f"autonomy was {one.autonomy}, and is {other.autonomy}", breaking=stricter)
    for field in _REST:
        if getattr(one, field) != getattr(other, field):
            yield Change(field.replace("_", "-"), f"{field.replace('_', ' ')} changed")
    if old.recipe != new.recipe:
        yield Change("code", "how it is carried out changed")


_REST = (
    *("description", "failure_modes", "limits", "redaction", "policy_tags", "owners", "tags", "destructive"),
    *("idempotent", "deprecation", "title", "author", "license", "examples", "supports_pause"),
)


def _inputs(old: Schema, new: Schema) -> Iterator[Change]:
    if old == new:
        return
    before, after = plain_of(old), plain_of(new)
    gone = _fields(before).keys() - _fields(after).keys()
    yield from (Change("removed-field", f"input '{name}' is gone", breaking=True) for name in sorted(gone))
    narrowed = misfits(_without(before, gone), after, gradual=False)
    yield from (Change("narrowed-input", f"inputs: {one.message}", breaking=True) for one in narrowed)
    if not gone and not narrowed:
        yield Change("inputs", "the inputs changed, and all that fitted still fits")


def _outputs(old: Schema | None, new: Schema | None) -> Iterator[Change]:
    if old is None or new is None or old == new:
        return
    before, after = plain_of(old), plain_of(new)
    gone = _fields(before).keys() - _fields(after).keys()
    yield from (Change("removed-field", f"output '{name}' is gone", breaking=True) for name in sorted(gone))
    widened = misfits(after, _without(before, gone), gradual=False)
    yield from (Change("widened-output", f"output: {one.message}", breaking=True) for one in widened)
    if not gone and not widened:
        yield Change("outputs", "the output changed, and still fits where it did")


def _rights(one: Manifest, other: Manifest) -> Iterator[Change]:
    for field, word in (("capabilities", "capability"), ("side_effects", "side effect")):
        before, after = getattr(one, field), getattr(other, field)
        for right in [right for right in after if right not in before]:
            yield Change(f"new-{word.replace(' ', '-')}", f"{word} '{right}' is new", breaking=True)
        for right in [right for right in before if right not in after]:
            yield Change(f"removed-{word.replace(' ', '-')}", f"{word} '{right}' is gone")


def _fields(schema: Mapping[str, object]) -> Mapping[str, object]:
    found = schema.get("properties")
    return found if is_object(found) else {}


def _without(schema: Mapping[str, object], gone: Iterable[str]) -> dict[str, object]:
    """A schema without the fields that are told by themselves."""
    names = set(gone)
    if not names:
        return dict(schema)
    required = schema.get("required")
    kept = [name for name in required if name not in names] if is_array(required) else []
    properties = {name: part for name, part in _fields(schema).items() if name not in names}
    return {**schema, "properties": properties, "required": kept}


def _needed(changes: Iterable[Change], old: VersionKey) -> Raise:
    """What a change asks of the version. Below 1.0.0 the second number stands for the first."""
    found = list(changes)
    if not found:
        return Raise.NONE
    if any(change.breaking for change in found):
        return Raise.MAJOR if old[0] else Raise.MINOR
    return Raise.PATCH


def _raised(old: VersionKey, new: VersionKey) -> Raise:
    if new <= old:
        return Raise.NONE
    if new[0] > old[0]:
        return Raise.MAJOR
    return Raise.MINOR if new[1] > old[1] else Raise.PATCH


def _least(old: VersionKey, needed: Raise) -> VersionKey:
    major, minor, patch, tail = old
    if needed is Raise.MAJOR:
        return (major + 1, 0, 0, _RELEASE)
    if needed is Raise.MINOR:
        return (major, minor + 1, 0, _RELEASE)
    return (major, minor, patch if tail != _RELEASE else patch + 1, _RELEASE)


_RELEASE = version_key("1.0.0")[3]


def _why(changes: Iterable[Change]) -> str:
    found = list(changes)
    told = [change for change in found if change.breaking] or found
    return told[0].message + (f" and {len(told) - 1} more" if len(told) > 1 else "")
