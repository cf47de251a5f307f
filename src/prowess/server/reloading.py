"""Reloading packages and registry documents while the server runs.

When the system tells of a change, never by looking now and then.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Self

from watchfiles import Change, awatch

from prowess.app.listing import keep_listing
from prowess.app.packages.discovery import Discovery
from prowess.app.packages.watching import Places, places_to_watch
from prowess.app.project import Project
from prowess.errors import ProwessError

__all__ = ["keep_reloading"]

_TOGETHER_MS = 1_600
"""How long changes that keep coming may hold a reload up."""
_QUIET_MS = 60
"""How long nothing has to change before what changed is looked at."""

_MOST_NAMED = 5

Say = Callable[[str], None]
"""Told what a reload came to."""


async def keep_reloading(project: Project, say: Say) -> None:
    """Reload a project's packages and documents whenever they change, until cancelled.

    Where the system refuses to watch, that is said, and both stay as they are.
    """
    places = await asyncio.to_thread(_places, project)
    try:
        while True:
            places = await _while_the_same(project, places, say)
    except OSError as error:
        say(f"nothing is reloaded as it changes, since it cannot be watched: {error}")


# ---------------------------------------------------------------------------------------------------------------------


class _Watch:
    """Watches places from the beginning to the end of its block."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.lost = False
        """Whether a folder went that was watched: what has its path now, and maybe its inode, is not watched."""

    async def __aenter__(self) -> Self:
        flat = {folder for folder, _ in self._places.flat}
        for folders, deep in ((self._places.deep, True), (flat, False)):
            if folders:
                self._tasks.append(asyncio.create_task(self._follow(folders, deep=deep)))
        await asyncio.sleep(0)  # each is watching by the time it first waits
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def wait(self) -> None:
        """Wait for the next change; raises what kept a place from being watched."""
        waiting = asyncio.create_task(self._changed.wait())
        try:
            done, _ = await asyncio.wait([waiting, *self._tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            waiting.cancel()
        self._changed.clear()

    async def _follow(self, folders: Iterable[str], *, deep: bool) -> None:
        watched = frozenset(folders)

        def counts(change: Change, path: str) -> bool:
            if change is Change.deleted and path in watched:
                self.lost = True
                return True
            return self._places.counts(path, deep=deep)

        changes = awatch(
            *watched,
            watch_filter=counts,
            debounce=_TOGETHER_MS,
            step=_QUIET_MS,
            recursive=deep,
            ignore_permission_denied=True,
        )
        async for _ in changes:
            self._changed.set()


async def _while_the_same(project: Project, places: Places, say: Say) -> Places:
    """Watch these places until there are others to watch, or one of them went; gives those."""
    try:
        async with _Watch(places) as watch:
            now = await _reload(project, say)  # what changed before we watched
            while now == places and not watch.lost:
                await watch.wait()
                now = await _reload(project, say)
    except FileNotFoundError:  # a folder went while we began to watch it
        await asyncio.sleep(_QUIET_MS / 1_000)
        return await _reload(project, say)
    return now


async def _reload(project: Project, say: Say) -> Places:
    told, places = await asyncio.to_thread(_look, project)
    if told:
        say(told)
    return places


def _look(project: Project) -> tuple[str, Places]:
    """Look again; gives what there is to tell, and what to watch from now on."""
    of_documents = _look_at_documents(project)
    packages = project.registry.packages
    before = {str(one) for one in packages.diagnostics}
    packages.texts.all_count = True
    found = project.reload_packages()
    problems = [str(one) for one in found.diagnostics if str(one) not in before and one.severity != "note"]
    told = "\n".join(filter(None, (of_documents, _told(found, problems))))
    broken = project.governed and project.registry.documents.failure is not None
    if told and not broken and not any(one.severity == "error" for one in found.diagnostics):
        keep_listing(project)  # else the last good version of something broken would be kept for other processes
    return told, _places(project)


def _places(project: Project) -> Places:
    """What to watch: the packages' folders and the documents."""
    places = places_to_watch(project.registry.packages)
    if not project.governed:
        return places
    from prowess.app.documents.watching import places_of_documents  # noqa: PLC0415 - only where there are documents

    return Places(places.deep, places.flat | places_of_documents(project.registry.documents))


def _look_at_documents(project: Project) -> str:
    """Load the documents again where they changed; gives what there is to tell."""
    if not project.governed or not project.registry.documents.changed:
        return ""
    project.reload_documents()
    failure = project.registry.documents.failure
    if failure is None:
        return f"documents: loaded again, {len(project.registry.documents.entries)} entries"
    return "\n  ".join(["documents: those that were loaded last stay, since these are wrong", *_problems_in(failure)])


def _problems_in(failure: ProwessError) -> list[str]:
    return [str(problem) for problem in failure.problems] or [str(failure)]


def _told(found: Discovery, problems: list[str]) -> str:
    """What a reload came to, in a line and one for each new problem; empty where nothing changed."""
    parts = (("added", found.added), ("changed", found.changed), ("removed", found.removed))
    words = [f"{how} {', '.join(names[:_MOST_NAMED])}{_more(names)}" for how, names in parts if names]
    if not words and not problems:
        return ""
    return "\n  ".join([f"packages: {'; '.join(words) or 'new problems'}", *problems])


def _more(names: tuple[str, ...]) -> str:
    return f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
