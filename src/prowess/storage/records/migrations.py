"""The versions of a store's schema, each made of the one before: forwards only, in one transaction."""

from collections.abc import Callable, Sequence

from prowess.errors import StoreError
from prowess.storage.queries import queries_of

__all__ = ["migrate", "steps_of"]


def steps_of(name: str) -> Sequence[str]:
    """What makes each version of a schema of the one before, from the named file: `v1`, `v2` and so on."""
    queries = queries_of(name)
    return [queries[f"v{number}"] for number in range(1, len(queries) + 1)]


def migrate(version: int, steps: Sequence[str], execute: Callable[[str], None], place: str) -> int:
    """Bring a schema of this version to the newest; gives that. Runs inside a transaction that nobody else can be in.

    Raises `StoreError` for one that a newer release wrote: what that means nobody knows here.
    """
    if version > len(steps):
        message = (
            f"{place} was written by a newer release of Prowess: its schema is {version}, and this release knows "
            f"those up to {len(steps)}. Use that release, or another store"
        )
        raise StoreError(message, retryable=False, details={"schema": version, "known": len(steps)})
    for step in steps[version:]:
        execute(step)
    return len(steps)
