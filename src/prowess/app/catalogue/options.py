"""How a registry is searched. Imports nothing of the search itself: a project says so long before one searches."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from prowess.registry.entry import Entry

if TYPE_CHECKING:
    from prowess.catalog.search.port import Carried, Meaning, SearchIndex

__all__ = ["Body", "SearchOptions", "no_body"]


class Body(Struct, frozen=True):
    """The instructions of an entry that has some."""

    revision: str
    """Another one for other text: a digest."""
    read: Callable[[], str]
    """Gives the text; called when the entry is indexed, and when a match is explained."""


def no_body(_entry: Entry) -> Body | None:
    """No entry has instructions."""
    return None


def never(_entry: Entry) -> bool:
    """No entry is settled."""
    return False


class SearchOptions(Struct, frozen=True, kw_only=True):
    """How a registry is searched: decided before its first search."""

    folder: str | None = None
    """Where the index is kept, made with the folder around it; in memory without one."""
    carried: "Carried" = tuple
    """Gives the files of an index that came along with the entries, for a folder that has none yet."""
    settled: Callable[[Entry], bool] = never
    """Tells an entry that is as any index in that folder holds it: its digest is not compared."""
    semantic: bool = False
    """Whether the first hits are put in order by what they mean as well."""
    body_of: Callable[[Entry], Body | None] = no_body
    """Tells an entry's instructions, which are searched too."""
    open_index: "Callable[[str | None], SearchIndex] | None" = None
    """Another index than the best that is installed; raises `IndexUnavailableError` for a folder that cannot be had."""
    open_meaning: "Callable[[str | None], Meaning] | None" = None
    """Another sense of meaning than the one that `prowess[semantic]` brings."""
