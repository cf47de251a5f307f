"""Which entry each target means: among those of the documents, and those that code has registered."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from prowess.documents.text.findings import Findings
from prowess.documents.values import Declared, Place, Surroundings
from prowess.errors import InvalidInputError
from prowess.model.circles import on_circles
from prowess.model.manifest import Kind, Manifest, Status, Target
from prowess.model.names import key_of
from prowess.model.versions import is_prerelease, is_semver, version_key

__all__ = ["Links", "places_of_targets"]


class Links:
    """The entries of a set of documents, and what each of them calls. Lives while they are read."""

    def __init__(self, entries: Sequence[Declared], around: Surroundings, unclear: Iterable[str] = ()) -> None:
        self.entries = entries
        self.by_name: dict[str, list[Declared]] = {}
        for entry in entries:
            self.by_name.setdefault(entry.manifest.name, []).append(entry)
        self._exact = {(entry.manifest.name, entry.manifest.version): entry.manifest for entry in entries}
        self.called: dict[str, list[Manifest]] = {}
        """What each entry of a document with targets calls, by its reference, in their order."""
        self.manifests: dict[str, Manifest] = {}
        """Those of the entries with targets, by reference."""
        self._around = around
        self._unclear = frozenset(unclear)

    def find(self, name: str) -> list[Manifest]:
        """Every version of a name."""
        own = self.by_name.get(name)
        if own is not None:
            return [entry.manifest for entry in own]
        return list(self._around.versions(name))

    def names(self) -> Iterator[str]:
        """Every name that can be meant."""
        yield from self.by_name
        yield from self._around.names

    def is_unclear(self, name: str) -> bool:
        """Whether an entry of that name has not the right shape, so that nothing more can be said about it."""
        return name in self._unclear or "" in self._unclear

    def check_names(self, findings: Findings) -> None:
        """No two entries have one name@version, and no op and skill one name."""
        for name, entries in self.by_name.items():
            others = self._around.versions(name)
            if len(entries) > 1:
                _check_twice(entries, findings)
            for entry in entries if others else ():
                _check_beside(entry, others, findings)

    def check_targets(self, findings: Findings) -> None:
        """Follow every target; what leads nowhere goes to the findings."""
        for entry in self.entries:
            targets = entry.manifest.targets
            if targets:
                found = [self._exactly(target) or self._follow(entry, target, findings) for target in targets]
                called = [manifest for manifest in found if manifest is not None]
                reference = entry.manifest.reference
                self.called[reference] = called
                self.manifests[reference] = entry.manifest
        self._check_circles(findings)

    def target(self, target: Target) -> Manifest | None:
        """What a target means where that is clear."""
        exact = self._exactly(target)
        if exact is not None:
            return exact
        try:
            fitting = self._fitting(target)
        except InvalidInputError:
            return None
        return fitting[-1] if fitting else None

    # -----------------------------------------------------------------------------------------------------------------

    def _exactly(self, target: Target) -> Manifest | None:
        """The entry of a document that a target names by its very version and kind: what nearly all of them do."""
        found = self._exact.get((target.name, target.version))
        return found if found is not None and (target.kind == "skill") is (found.kind is not Kind.OP) else None

    def _follow(self, entry: Declared, target: Target, findings: Findings) -> Manifest | None:
        at = places_of_targets(entry)[target]
        file, version = entry.file, target.version
        versions = self.find(target.name)
        if not versions:
            if not self.is_unclear(target.name):
                message = f"'{entry.manifest.name}' needs an entry that is nowhere declared"
                findings.unknown(file, (*at, "name"), "target", message, target.name, self.names())
            return None
        wanted = target.kind
        is_skill = versions[0].is_skill
        if wanted is not None and (wanted == "skill") is not is_skill:
            what = f"'{target.name}' is {'a skill' if is_skill else 'an op'}, and '{entry.manifest.name}' calls it as"
            message = f"{what} {'an op' if is_skill else 'a skill'}"
            findings.error(file, (*at, "kind"), "target", message, wanted)
            return None
        try:
            fitting = self._fitting(target)
        except InvalidInputError:
            findings.error(file, (*at, "version"), "constraint", "is no version constraint", version)
            return None
        if not fitting:
            there = ", ".join(one.reference for one in versions)
            message = f"fits no version of '{target.name}': there are {there}"
            findings.error(file, (*at, "version"), "target", message, version)
            return None
        if version is None and len(fitting) > 1:
            there = ", ".join(one.reference for one in fitting)
            message = f"'{target.name}' could be any of {there}: name a version or a range"
            findings.error(file, at, "target", message)
        return fitting[-1]

    def _fitting(self, target: Target) -> list[Manifest]:
        """The versions that a target admits, the best last: releases before prereleases, enabled before disabled."""
        versions = self.find(target.name)
        wanted = target.version
        if wanted is None:
            return _candidates(versions)
        if is_semver(wanted):
            key = version_key(wanted)
            return [one for one in versions if version_key(one.version) == key]
        from prowess.model.ranges import parse_range  # noqa: PLC0415 - 60 ms that only a constraint has to pay

        admits = parse_range(wanted).admits
        return _best_last([one for one in versions if admits(one.version)])

    def _check_circles(self, findings: Findings) -> None:
        leads = {
            reference: [to for one in called if (to := one.reference) in self.called]
            for reference, called in self.called.items()
        }
        circled = on_circles(leads)
        for entry in self.entries if circled else ():
            reference = entry.manifest.reference
            if reference in circled:
                way = " → ".join(_way_back(reference, leads, circled))
                message = f"'{entry.manifest.name}' calls itself" if way.count("→") == 1 else "is a circle of calls"
                findings.error(entry.file, (*entry.at, _targets_field(entry)), "circle", f"{message}: {way}")
                self.called[reference] = []


def places_of_targets(entry: Declared) -> Mapping[Target, Place]:
    """Where a document names each target of an entry."""
    if entry.manifest.kind is not Kind.PIPELINE:
        return {target: (*entry.at, "call_targets", place) for place, target in enumerate(entry.manifest.targets)}
    found: dict[Target, Place] = {}
    recipe = entry.recipe
    for place, step in enumerate(getattr(recipe, "steps", ())):
        found.setdefault(step.target, (*entry.at, "steps", place, "target"))
    for place, tool in enumerate(getattr(recipe, "required_tools", ())):
        found.setdefault(Target.parse(tool), (*entry.at, "required_tools", place))
    return found


# ---------------------------------------------------------------------------------------------------------------------


def _targets_field(entry: Declared) -> str:
    return "steps" if entry.manifest.kind is Kind.PIPELINE else "call_targets"


def _check_twice(entries: Sequence[Declared], findings: Findings) -> None:
    first = entries[0]
    seen: dict[object, Declared] = {}
    for entry in entries:
        manifest = entry.manifest
        if manifest.is_skill is not first.manifest.is_skill:
            message = f"is {_word(manifest)} here, and '{manifest.name}' is {_word(first.manifest)} in {_where(first)}"
            findings.error(entry.file, (*entry.at, "name"), "name", message, manifest.name)
            continue
        other = seen.setdefault(version_key(manifest.version), entry)
        if other is not entry:
            message = f"'{manifest.reference}' stands in {_where(other)} already: give another version"
            findings.error(entry.file, (*entry.at, "version"), "duplicate", message, manifest.version)


def _check_beside(entry: Declared, others: Sequence[Manifest], findings: Findings) -> None:
    manifest = entry.manifest
    other = others[0]
    if other.name != manifest.name:
        spelled = key_of(other.name) == key_of(manifest.name)
        why = "'-' and '_' count as the same" if spelled else "this is its id"
        message = f"code has registered '{other.name}': {why}"
        findings.error(entry.file, (*entry.at, "name"), "name", message, manifest.name)
    elif manifest.is_skill is not other.is_skill:
        message = f"is {_word(manifest)} here, and code has registered {_word(other)} of that name"
        findings.error(entry.file, (*entry.at, "name"), "name", message, manifest.name)
    elif any(version_key(one.version) == version_key(manifest.version) for one in others):
        message = f"code has registered '{manifest.reference}' already: give another version, or leave one of them out"
        findings.error(entry.file, (*entry.at, "version"), "duplicate", message, manifest.version)


def _word(manifest: Manifest) -> str:
    return "a skill" if manifest.is_skill else "an op"


def _where(entry: Declared) -> str:
    place = f"{entry.at[0]}[{entry.at[1]}]" if len(entry.at) > 1 else "it"
    return f"{entry.file}, {place}"


def _candidates(versions: Sequence[Manifest]) -> list[Manifest]:
    """All that a bare name could mean: enabled releases; else enabled prereleases; else the disabled ones."""
    enabled = [one for one in versions if one.status is not Status.DISABLED]
    releases = [one for one in enabled if not is_prerelease(version_key(one.version))]
    return _best_last(releases or enabled or list(versions))


def _best_last(versions: list[Manifest]) -> list[Manifest]:
    return sorted(versions, key=lambda one: (one.status is not Status.DISABLED, version_key(one.version)))


def _way_back(start: str, leads: Mapping[str, Sequence[str]], circled: frozenset[str]) -> list[str]:
    """A shortest way from an entry to itself, both ends included."""
    came: dict[str, str] = {}
    waiting = [start]
    while start not in leads[waiting[0]]:
        node = waiting.pop(0)
        further = [to for to in leads[node] if to in circled and to not in came]
        came.update(dict.fromkeys(further, node))
        waiting += further
    way = [start, waiting[0]]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]
