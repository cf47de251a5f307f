"""Capabilities along calls: a pipeline's are all that it leads to, a logic skill's cover those of its targets."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from prowess.documents.linking.targets import Links
from prowess.documents.text.findings import Findings
from prowess.documents.values import Declared, DeclaredCapability
from prowess.model.manifest import Kind

__all__ = ["check_declared", "close_rights", "with_rights"]


def check_declared(entries: Iterable[Declared], capabilities: Sequence[DeclaredCapability], findings: Findings) -> None:
    """Every id that an entry uses stands in the project's capability document."""
    known = frozenset([capability.id for capability in capabilities])
    for entry in entries:
        manifest = entry.manifest
        if known.issuperset(manifest.capabilities):
            continue
        for place, right in enumerate(manifest.capabilities):
            if right not in known:
                message = "is no capability of this project: capabilities.json does not have it"
                findings.unknown(entry.file, (*entry.at, "capabilities", place), "capability", message, right, known)


def close_rights(
    links: Links, capabilities: Sequence[DeclaredCapability], findings: Findings
) -> dict[str, tuple[str, ...]]:
    """The rights of every pipeline, by its reference. What is declared otherwise goes to the findings."""
    implied = {capability.id: capability.implies for capability in capabilities if capability.implies}
    own = {entry.manifest.reference: entry for entry in links.entries if entry.manifest.targets}
    rights: dict[str, tuple[str, ...]] = {}
    for reference in _inner_first(links):
        entry = own[reference]
        manifest = entry.manifest
        needed: dict[str, None] = {}
        for called in links.called[reference]:
            needed.update(dict.fromkeys(rights.get(called.reference) or called.capabilities))
        if manifest.kind is Kind.PIPELINE:
            rights[reference] = manifest.capabilities or tuple(needed)
            if manifest.capabilities:
                _check_same(entry, needed, findings)
            _check_effects(entry, rights[reference], findings)
        else:
            _check_cover(entry, needed, implied, findings)
    return rights


def with_rights(entry: Declared, rights: Mapping[str, tuple[str, ...]]) -> Declared:
    """A pipeline with all its rights."""
    manifest = entry.manifest
    if manifest.capabilities or manifest.kind is not Kind.PIPELINE:
        return entry
    filled = rights.get(manifest.reference, ())
    return replace(entry, manifest=replace(manifest, capabilities=filled)) if filled else entry


# ---------------------------------------------------------------------------------------------------------------------


def _inner_first(links: Links) -> list[str]:
    """The entries with targets, those that are called before those that call them. There are no circles."""
    called = links.called
    done: dict[str, None] = {}
    for start in called:
        waiting = [(start, False)]
        while waiting:
            reference, left = waiting.pop()
            inner = () if left else [(to, False) for one in called[reference] if (to := one.reference) in called]
            if left or not inner:
                done[reference] = None
            elif reference not in done:
                waiting.append((reference, True))
                waiting += inner
    return list(done)


def _check_same(entry: Declared, needed: Collection[str], findings: Findings) -> None:
    declared, at = entry.manifest.capabilities, (*entry.at, "capabilities")
    name = entry.manifest.name
    for right in needed:
        if right not in declared:
            message = f"lacks '{right}', which the steps of '{name}' need: leave the list out, and it is filled"
            findings.error(entry.file, at, "capability", message)
    for place, right in enumerate(declared):
        if right not in needed:
            message = f"is needed by no step of '{name}': leave the list out, and it is filled"
            findings.error(entry.file, (*at, place), "capability", message, right)


def _check_effects(entry: Declared, rights: Sequence[str], findings: Findings) -> None:
    if entry.manifest.capabilities:
        return  # looked at with the entry itself
    for place, effect in enumerate(entry.manifest.side_effects):
        if effect not in rights:
            where, message = (*entry.at, "side_effects", place), "is none of its capabilities"
            findings.unknown(entry.file, where, "subset", message, effect, rights)


def _check_cover(
    entry: Declared, needed: Collection[str], implied: Mapping[str, Sequence[str]], findings: Findings
) -> None:
    own = entry.manifest.capabilities
    if all(right in own for right in needed):
        return
    had = _with_implied(own, implied)
    for right in needed:
        if right not in had:
            message = f"lacks '{right}', which a target of '{entry.manifest.name}' needs"
            findings.error(entry.file, (*entry.at, "capabilities"), "capability", message)


def _with_implied(rights: Iterable[str], implied: Mapping[str, Sequence[str]]) -> set[str]:
    found: set[str] = set()
    left = [*rights]
    while left:
        right = left.pop()
        if right not in found:
            found.add(right)
            left += implied.get(right, ())
    return found
