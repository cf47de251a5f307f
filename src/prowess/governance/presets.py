"""What each level of permissions grants, and what a caller has left of it."""

from collections.abc import Iterable
from typing import assert_never

from prowess.governance.capabilities import Capabilities
from prowess.model.manifest import Manifest
from prowess.model.permissions import Permissions, Preset

__all__ = ["has", "level_refuses", "missing"]

_AGENTS = "agents."
_STATUS = "agents.status"
_WRITING = frozenset({"control", "create", "delete", "remove", "update", "write"})


def level_refuses(level: Preset, manifest: Manifest) -> str | None:
    """Why no caller of a level may ever call an entry, as a sentence; None where it may.

    `yolo` and `trusted` refuse nothing, `sandboxed` the control of agents, `worker` also whatever changes something.
    """
    if level is Preset.YOLO or level is Preset.TRUSTED:
        return None
    for right in (*manifest.capabilities, *manifest.side_effects):
        if right.startswith(_AGENTS) and right != _STATUS:
            return f"'{level}' may not control agents, which '{right}' does"
    if level is Preset.SANDBOXED:
        return None
    if level is Preset.WORKER:
        return _changes(manifest)
    assert_never(level)


def missing(needs: Iterable[str], permissions: Permissions, rights: Capabilities) -> tuple[str, ...]:
    """Those of an entry's capabilities that narrowed permissions leave out."""
    if permissions.capabilities is None:
        return ()
    left = rights.with_implied(permissions.capabilities)
    return tuple(need for need in needs if not has(need, left))


def has(need: str, rights: Iterable[str]) -> bool:
    """Whether one of these rights is the needed one, all of its domain, or everything."""
    domain = need.partition(".")[0]
    return any(right in (need, f"{domain}.*", "*") for right in rights)


# ---------------------------------------------------------------------------------------------------------------------


def _changes(manifest: Manifest) -> str | None:
    if manifest.destructive:
        return "'worker' may change nothing, and this entry is destructive"
    if manifest.side_effects:
        return f"'worker' may change nothing, and this entry has side effects: {', '.join(manifest.side_effects)}"
    writing = [right for right in manifest.capabilities if right.rpartition(".")[2] in _WRITING]
    return f"'worker' may change nothing, and this entry needs {', '.join(writing)}" if writing else None
