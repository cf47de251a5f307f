"""Opening the project that a command is about, from its index where that is enough."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from prowess.catalog import index_file
from prowess.catalog.places import NO_SETTINGS, locate

__all__ = ["is_kept", "listing_of", "open_quietly", "output_to_errors", "report"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import TextIO

    from prowess.app.project import Project
    from prowess.catalog.listing import Diagnostic, Listing


def listing_of(path: str | None) -> Listing:
    """What a project holds: from its index while that is valid, else by loading it, which writes the index."""
    kept = _kept(path)
    if kept is not None:
        return kept
    from prowess.app.listing import keep_listing  # noqa: PLC0415 - loading a project takes ten times as long

    return keep_listing(open_quietly(path))


def is_kept(path: str | None, name: str) -> bool:
    """Whether a project's index knows an entry of this name; nothing is loaded to find out, and nothing raised."""
    try:
        kept = _kept(path)
    except Exception:  # noqa: BLE001 - asked only to say more about another mistake
        return False
    return kept is not None and kept.find(name) is not None


def open_quietly(path: str | None, environ: Mapping[str, str] | None = None) -> Project:
    """Load a project; what its modules print while they are imported goes to standard error."""
    from prowess.app.project import open_place  # noqa: PLC0415 - see above

    with output_to_errors():
        return open_place(locate(path), environ=environ)


@contextmanager
def output_to_errors() -> Generator[TextIO]:
    """Keep what a project's code prints out of the command's own output; gives the stream of the latter.

    What its child processes print is kept out as well: they have the descriptor, and know nothing of `sys.stdout`.
    """
    kept, sys.stdout = sys.stdout, sys.stderr
    try:
        if _descriptor(kept) == _OUT and _descriptor(sys.stderr) == _ERRORS:
            with _descriptor_to_errors(kept) as own:
                yield own
        else:
            yield kept
    finally:
        sys.stdout = kept


def report(diagnostics: Sequence[Diagnostic]) -> None:
    """Tell the person at the terminal what could not be loaded, and why; what is only a note is left to the doctor."""
    problems = [one for one in diagnostics if one.severity != "note"]
    if not problems:
        return
    from prowess.cli.terminal.printing import complain, safe  # noqa: PLC0415 - `prowess list` has none, as a rule

    complain(f"\n{len(problems)} problem{'s' if len(problems) > 1 else ''}:")
    for one in problems:
        complain(f"  {safe(str(one))}")


# ---------------------------------------------------------------------------------------------------------------------


_OUT, _ERRORS = 1, 2


@contextmanager
def _descriptor_to_errors(stream: TextIO) -> Generator[TextIO]:
    """Lead the descriptor of the output to that of errors; gives a stream to where it led before."""
    stream.flush()
    with open(os.dup(_OUT), "w", encoding=stream.encoding, errors=stream.errors) as own:
        os.dup2(_ERRORS, _OUT)
        try:
            yield own
        finally:
            stream.flush()  # what code wrote to `sys.__stdout__`
            own.flush()
            os.dup2(own.fileno(), _OUT)


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError, AttributeError):  # a stream of a test, or one that is closed
        return None


def _kept(path: str | None) -> Listing | None:
    """The listing in a project's index, where it has one that is valid and no variable is wrong."""
    place = locate(path)
    if any(name.startswith("PROWESS_") and name not in NO_SETTINGS for name in os.environ) and not _fit():
        return None  # opening the project tells all that is wrong
    stored = index_file.read(place, os.environ)
    return stored.listing if stored is not None and stored.holds() else None


def _fit() -> bool:
    from prowess.app.settings import variables_fit  # noqa: PLC0415 - it takes as long as all else here

    return variables_fit(os.environ)
