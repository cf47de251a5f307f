"""A set of documents to all that they say, or to one error with everything that is wrong with them.

ops → skills → overlays → pipelines' closure
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from prowess.documents.declaring import Declaring, SchemaProblems
from prowess.documents.linking.bindings import check_bindings
from prowess.documents.linking.rights import check_declared, close_rights, with_rights
from prowess.documents.linking.targets import Links, places_of_targets
from prowess.documents.overlaying import Overlaid, lay_over, unavailable_now
from prowess.documents.reading import Shaped, read_shape
from prowess.documents.text.findings import Findings
from prowess.documents.values import (
    Allowed,
    Declared,
    DeclaredCapability,
    Document,
    DocumentKind,
    Loaded,
    Place,
    Surroundings,
)
from prowess.errors import Problem
from prowess.model.manifest import Manifest, Status
from prowess.model.schema import Schema

__all__ = ["Nothing", "read_documents", "read_entries"]

_ORDER = (DocumentKind.CAPABILITIES, DocumentKind.OPS, DocumentKind.SKILLS, DocumentKind.OVERLAY)


class Nothing:
    """Surroundings without any entry."""

    names: Sequence[str] = ()

    def versions(self, name: str) -> Sequence[Manifest]:  # noqa: ARG002 - there are none of any name
        """None."""
        return ()


def _no_problems(_schema: Schema) -> Sequence[Problem]:
    return ()


def read_documents(
    documents: Iterable[Document], around: Surroundings | None = None, judge: SchemaProblems = _no_problems
) -> Loaded:
    """Everything that documents say together. `judge` says why a schema that is not plain is of no use.

    Raises `InvalidDocumentError` with every problem of all of them.
    """
    findings = Findings()
    shaped = _shaped(documents, findings)
    entries = _declared(shaped, findings, judge)
    unclear = {name for one in shaped for name in one.unclear}
    links = Links(entries, around or Nothing(), unclear)
    capabilities = _capabilities(shaped, findings)
    links.check_names(findings)
    links.check_targets(findings)
    overlaid = lay_over([one for one in shaped if one.document.kind is DocumentKind.OVERLAY], links, findings)
    _check_switched_off(links, overlaid, findings)
    check_bindings(links, findings)
    rights = close_rights(links, capabilities or (), findings)
    if capabilities is not None:
        check_declared(entries, capabilities, findings)
    findings.raise_errors()
    return _loaded(links, rights, overlaid, capabilities, findings)


def read_entries(documents: Iterable[Document]) -> tuple[Declared, ...]:
    """The entries by themselves, without a look at what they say about each other.

    Raises `InvalidDocumentError` for what has not the right shape.
    """
    findings = Findings()
    entries = _declared(_shaped(documents, findings), findings, _no_problems)
    findings.raise_errors()
    return tuple(entries)


# ---------------------------------------------------------------------------------------------------------------------


def _shaped(documents: Iterable[Document], findings: Findings) -> list[Shaped]:
    ordered = sorted(documents, key=lambda document: _ORDER.index(document.kind))
    return [read_shape(document, findings) for document in ordered]


def _declared(shaped: Iterable[Shaped], findings: Findings, judge: SchemaProblems) -> list[Declared]:
    declaring = Declaring(findings, judge)
    return [
        declaring.entry(shape, one.document.file, (str(one.document.kind), position))
        for one in shaped
        for position, shape in one.entries
    ]


def _capabilities(shaped: Iterable[Shaped], findings: Findings) -> tuple[DeclaredCapability, ...] | None:
    """The rights of a project; None where no document says which there are."""
    found: dict[str, DeclaredCapability] = {}
    told = [one for one in shaped if one.document.kind is DocumentKind.CAPABILITIES]
    if not told or any(one.capabilities is None for one in told):
        return None
    items = [
        (one.document.file, place, item)
        for one in told
        for place, item in enumerate(() if one.capabilities is None else one.capabilities.capabilities)
    ]
    for file, place, item in items:
        if item.id in found:
            findings.error(file, ("capabilities", place, "id"), "unique", "is declared twice", item.id)
        told_of = item.description or ""
        found[item.id] = DeclaredCapability(
            id=item.id, description=told_of, risk=item.risk, implies=tuple(item.implies)
        )
    for file, place, item in items:
        for position, right in enumerate(item.implies):
            if right not in found:
                at: Place = ("capabilities", place, "implies", position)
                findings.unknown(file, at, "capability", "is no capability of this project", right, found)
    return tuple(found.values())


def _check_switched_off(links: Links, overlaid: Overlaid, findings: Findings) -> None:
    """A target that is disabled where it is written is a mistake; one that an overlay disables is not."""
    if not overlaid.manifests and all(_all_on(called) for called in links.called.values()):
        return
    for entry in links.entries:
        reference = entry.manifest.reference
        called = links.called.get(reference, ())
        manifest = overlaid.manifests.get(reference, entry.manifest)
        if not called or manifest.status is Status.DISABLED:
            continue
        places = places_of_targets(entry)
        by_target = {target: links.target(target) for target in entry.manifest.targets}
        for target, found in by_target.items():
            if found is None or found.reference in overlaid.stopped:
                continue
            if overlaid.manifests.get(found.reference, found).status is Status.DISABLED:
                message = f"'{entry.manifest.name}' calls '{found.reference}', which is disabled"
                findings.error(entry.file, (*places[target], "name"), "disabled", message, target.name)


def _all_on(called: Sequence[Manifest]) -> bool:
    return all(one.status is not Status.DISABLED for one in called)


def _loaded(
    links: Links,
    rights: dict[str, tuple[str, ...]],
    overlaid: Overlaid,
    capabilities: tuple[DeclaredCapability, ...] | None,
    findings: Findings,
) -> Loaded:
    unavailable = unavailable_now(overlaid, links, links.called)
    stopped = {one.reference for one in unavailable}
    own: set[str] = {entry.manifest.reference for entry in links.entries} if overlaid.manifests else set()
    allowed: dict[str, Allowed] = overlaid.allowed
    entries = [with_rights(entry, rights) for entry in links.entries]
    if overlaid.manifests:
        entries = [_as_it_is(entry, overlaid, stopped) for entry in entries]
    return Loaded(
        entries=tuple(entries),
        changed=tuple(manifest for reference, manifest in overlaid.manifests.items() if reference not in own),
        capabilities=capabilities,
        allowed=allowed,
        unavailable=unavailable,
        warnings=findings.warnings,
    )


def _as_it_is(entry: Declared, overlaid: Overlaid, stopped: set[str]) -> Declared:
    """The entry as overlays have it; one that cannot run counts as disabled."""
    reference = entry.manifest.reference
    changed = overlaid.manifests.get(reference)
    if changed is not None:
        manifest = replace(entry.manifest, status=changed.status, autonomy=changed.autonomy, limits=changed.limits)
        entry = replace(entry, manifest=manifest)
    if reference in stopped:
        entry = replace(entry, manifest=replace(entry.manifest, status=Status.DISABLED))
    return entry
