"""What entries call, all the way down: targets that are missing, unclear or never run, and circles."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from prowess.errors import (
    InvalidInputError,
    InvalidManifestError,
    InvalidSchemaError,
    NotFoundError,
    Problem,
    ProwessError,
    UnavailableError,
)
from prowess.model.manifest import Autonomy, Kind, Manifest, Target
from prowess.registry.entry import Entry
from prowess.registry.holdings import Holdings
from prowess.registry.versions import Versions

__all__ = ["Fault", "raise_faults", "reaches", "target_faults"]

_GRAVEST = (NotFoundError, InvalidManifestError, InvalidSchemaError, UnavailableError)


class Fault(Struct, frozen=True):
    """Why an entry, or what it needs, could never run."""

    error: type[ProwessError]
    rule: str
    message: str
    details: Mapping[str, object]


def target_faults(entries: Iterable[Entry], holdings: Holdings, beside: Callable[[str], Entry | None]) -> list[Fault]:
    """What is wrong with the targets of these entries, and a circle of calls among them.

    `beside` knows entries that can be called without being held.
    """
    calls: dict[Entry, list[Entry]] = {}
    faults: list[Fault] = []
    for entry in entries:
        for target in entry.manifest.targets:
            found = beside(target.name) or _followed(entry, target, holdings)
            if isinstance(found, Entry):
                calls.setdefault(entry, []).append(found)
            else:
                faults.append(found)
    circle = _circle(calls)
    if circle:
        names = [entry.name for entry in circle]
        message = f"these call each other in a circle: {' → '.join(names)}"
        faults.append(Fault(InvalidManifestError, "circle", message, {"name": names[0], "circle": names}))
    return faults


def reaches(find: Callable[[str], Entry | None], manifest: Manifest) -> tuple[str, ...]:
    """All that an entry may call, directly or not, as `name@version`, sorted; a missing target as it is written."""
    found: set[str] = set()
    left = [*manifest.targets]
    while left:
        target = left.pop()
        try:
            entry = find(str(target))
        except ProwessError:
            entry = None
        reference = str(target) if entry is None else entry.manifest.reference
        if reference not in found:
            found.add(reference)
            left += () if entry is None else entry.manifest.targets
    return tuple(sorted(found))


def raise_faults(faults: Sequence[Fault]) -> None:
    """Raise the gravest of the faults, with the words of all of them; nothing where there are none."""
    if faults:
        first = min(faults, key=lambda fault: _GRAVEST.index(fault.error))
        problems = tuple(Problem(path="$", rule=fault.rule, message=fault.message) for fault in faults)
        message = "; ".join(fault.message for fault in faults)
        raise first.error(message, details={**first.details, "problems": problems})


# ---------------------------------------------------------------------------------------------------------------------


def _followed(entry: Entry, target: Target, holdings: Holdings) -> Entry | Fault:
    """The entry that a target means, or why it cannot be called."""
    details = {"name": target.name, "needed_by": entry.manifest.reference}
    needs = f"'{entry.manifest.reference}' needs '{target}'"
    try:
        found = holdings.find(target.name, target.version)
    except ProwessError as error:
        wrong = isinstance(error, InvalidInputError)
        kind, rule = (InvalidManifestError, "constraint") if wrong else (UnavailableError, "unavailable")
        return Fault(kind, rule, f"{needs}: {error.message}", details)
    if found is None:
        near = holdings.near(target.name)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        return Fault(
            NotFoundError, "missing", f"{needs}, which is not in the registry{hint}", {**details, "near": near}
        )
    could_be = () if target.version else Versions(holdings.index.versions(target.name)).candidates
    if len(could_be) > 1 and entry.manifest.kind is Kind.PIPELINE:
        versions = ", ".join(one.manifest.reference for one in could_be)
        message = f"{needs} without a version, which could be any of {versions}: name a version or a range"
        return Fault(InvalidManifestError, "ambiguous", message, details)
    if found.enabled and found.manifest.autonomy is not Autonomy.L0:
        return found
    why = "has autonomy L0" if found.enabled else "is disabled"
    return Fault(UnavailableError, "unavailable", f"{needs}, which {why} and never runs", details)


def _circle(calls: Mapping[Entry, list[Entry]]) -> list[Entry]:
    """One circle of calls, first entry repeated at its end; empty where there is none."""
    done: set[Entry] = set()
    path: list[Entry] = []
    left: list[Iterator[Entry]] = [iter(tuple(calls))]
    while left:
        entry = next(left[-1], None)
        if entry is None:
            left.pop()
            done.update(path[-1:])
            del path[-1:]
        elif entry in path:
            return [*path[path.index(entry) :], entry]
        elif entry not in done:
            path.append(entry)
            left.append(iter(calls.get(entry, ())))
    return []
