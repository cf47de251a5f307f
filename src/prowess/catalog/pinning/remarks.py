"""What a person who looks through the files of a package may not know of them."""

from collections.abc import Iterable, Iterator

from prowess.catalog.walked import SKILL_FILE

__all__ = ["remarks"]

_COMPILED = "/__pycache__/"
_IN_PLACE = "Python runs this in place of the source beside it"
_SKILL = SKILL_FILE.lower()


def remarks(paths: Iterable[str]) -> Iterator[str]:
    """A line on files that Python runs in place of their sources, and on each package inside; none for other files."""
    known = sorted(paths)
    compiled = [path for path in known if _COMPILED in f"/{path}"]
    if compiled:
        more = f" and {len(compiled) - 1} more" if compiled[1:] else ""
        yield f"{compiled[0]}{more}: {_IN_PLACE}. Remove __pycache__ unless you know who wrote it"
    for path in known:
        folder, _, name = path.rpartition("/")
        if folder and name.lower() == _SKILL:
            yield f"{folder} is a package of its own, and its files count here too: they lie in this one's folder"
