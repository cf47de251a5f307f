"""Overlays over entries: the repository's, then the user's; what comes later wins."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from prowess.documents.linking.targets import Links
from prowess.documents.reading import Shaped
from prowess.documents.shapes.others import ChangeShape
from prowess.documents.text.findings import Findings
from prowess.documents.values import Allowed, Document, Place, Unavailable
from prowess.model.manifest import Autonomy, Limits, Manifest, Status
from prowess.model.names import split_reference
from prowess.model.versions import version_key

__all__ = ["Overlaid", "lay_over", "unavailable_now"]


class Overlaid:
    """What overlays have made of entries, by `name@version`. Lives while one set of documents is read."""

    def __init__(self) -> None:
        self.manifests: dict[str, Manifest] = {}
        """Those that were changed."""
        self.allowed: dict[str, Allowed] = {}
        self.stopped: dict[str, str] = {}
        """The file that says so, for those that were running before."""


def lay_over(overlays: Sequence[Shaped], links: Links, findings: Findings) -> Overlaid:
    """Apply overlays in their order; one to what is not there, or that may not be, goes to the findings."""
    made = Overlaid()
    for shaped in overlays:
        changes: Mapping[str, ChangeShape] = {} if shaped.overlay is None else shaped.overlay.entries
        for reference, change in changes.items():
            _change(reference, change, (made, links), shaped.document, findings)
    return made


def unavailable_now(made: Overlaid, links: Links, called: Mapping[str, Sequence[Manifest]]) -> tuple[Unavailable, ...]:
    """What cannot run since an overlay stopped something that it needs, however far down."""
    why = {reference: f"which {file} switches off" for reference, file in made.stopped.items()}
    callers: dict[str, list[str]] = {}
    for reference, targets in called.items():
        for target in targets:
            callers.setdefault(target.reference, []).append(reference)
    found: dict[str, Unavailable] = {}
    waiting = list(why)
    for reference in waiting:
        for caller in [one for one in callers.get(reference, ()) if one not in why]:
            manifest = made.manifests.get(caller) or links.manifests[caller]
            reason = f"it needs '{reference}', {why[reference]}"
            why[caller] = f"which is unavailable: {reason}"
            waiting.append(caller)
            if manifest.status is not Status.DISABLED:
                found[caller] = Unavailable(manifest.name, caller, reason)
    return tuple(found.values())


# ---------------------------------------------------------------------------------------------------------------------


def _change(
    reference: str, change: ChangeShape, made_of: tuple[Overlaid, Links], document: Document, findings: Findings
) -> None:
    made, links = made_of
    at: Place = ("entries", reference)
    name, version = split_reference(reference)
    versions = links.find(name)
    meant = [one for one in versions if version is None or version_key(one.version) == version_key(version)]
    if not versions:
        if not links.is_unclear(name):
            findings.unknown(document.file, at, "target", "is no entry of this project", name, links.names())
    elif not meant:
        there = ", ".join(one.reference for one in versions)
        findings.error(document.file, at, "target", f"is no version of '{name}': there are {there}", reference)
    for one in meant:
        _change_one(made.manifests.get(one.reference, one), change, made, document, findings, at)


def _change_one(
    manifest: Manifest, change: ChangeShape, made: Overlaid, document: Document, findings: Findings, at: Place
) -> None:
    if change.autonomy is not None and change.autonomy > manifest.autonomy and not document.may_raise:
        message = f"may not be raised above {manifest.autonomy} here: only the repository's overlays may do that"
        findings.error(document.file, (*at, "autonomy"), "autonomy", message, change.autonomy)
    changed = _changed(manifest, change)
    reference = manifest.reference
    if changed is not manifest:
        made.manifests[reference] = changed
    allowed = _allowed(made.allowed.get(reference, _NO_LIMIT), change)
    if allowed is not None:
        made.allowed[reference] = allowed
    if _runs(changed):
        made.stopped.pop(reference, None)
    elif _runs(manifest):
        made.stopped[reference] = document.file


def _changed(manifest: Manifest, change: ChangeShape) -> Manifest:
    """The manifest as an overlay has it; itself where that says nothing about it."""
    changed = manifest
    if change.status is not None:
        changed = replace(changed, status=Status(change.status))
    if change.autonomy is not None:
        changed = replace(changed, autonomy=Autonomy(change.autonomy))
    if "rate_limit" in change.model_fields_set:
        rate = change.rate_limit
        limits = Limits(manifest.limits.timeout, None if rate is None else rate.max_per_minute)
        changed = replace(changed, limits=limits)
    return changed


_NO_LIMIT = Allowed()


def _allowed(before: Allowed, change: ChangeShape) -> Allowed | None:
    """Who may call it; None where the overlay says nothing about it. A null lifts what an earlier one has said."""
    said = change.model_fields_set
    if not said & {"channels", "actors"}:
        return None
    channels = None if change.channels is None else tuple(change.channels)
    actors = None if change.actors is None else tuple(change.actors)
    return Allowed(channels if "channels" in said else before.channels, actors if "actors" in said else before.actors)


def _runs(manifest: Manifest) -> bool:
    return manifest.status is not Status.DISABLED and manifest.autonomy is not Autonomy.L0
