"""Skills over a folder of notes.

Each function below is one entry. Its name, its schema and the words that a model reads come from its signature and its
docstring; nothing else has to be written down.
"""

import datetime as dt
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta, convert
from note_store import NoteStore

from prowess import Context, ExecutionFailedError, op, skill

STORE = NoteStore()
SHORTEST = 4


@dataclass
class Match:
    """A note that fits a query."""

    id: str
    title: str
    score: float


@dataclass
class Added:
    """A note that was written."""

    id: str
    title: str
    words: int
    tags: list[str]
    day: dt.date


@op(tags=["notes"], capabilities=["notes.read"], idempotent=True)
async def search_index(query: str, limit: Annotated[int, Meta(ge=1, le=50)] = 10) -> list[str]:
    """Find the ids of notes that hold words of the query, the best first.

    Args:
        query: Words to look for.
        limit: How many ids to give at most.
    """
    wanted = set(query.lower().split())
    scores = {note.id: sum(word in wanted for word in note.words) for note in STORE}
    found = [note_id for note_id, score in scores.items() if score]
    return sorted(found, key=lambda note_id: (-scores[note_id], note_id))[:limit]


@skill(version="1.2.0", tags=["notes"], capabilities=["notes.read"], calls=[search_index], idempotent=True)
async def search_notes(
    query: Annotated[str, Meta(examples=["rust"])], limit: Annotated[int, Meta(ge=1, le=50)] = 10, *, ctx: Context
) -> list[Match]:
    """Search the notes. Use when the user asks what is in their notes.

    Args:
        query: Words to look for, such as "rust ownership".
        limit: How many notes to give at most.
    """
    ids = convert(await ctx.call("search_index", query=query, limit=limit), list[str])
    matches: list[Match] = []
    for position, note_id in enumerate(ids, 1):
        ctx.progress(position, len(ids), note_id)
        note = STORE.read(note_id)
        if note is not None:
            matches.append(Match(id=note.id, title=note.title, score=round(1 / position, 3)))
    return matches


@op(tags=["notes"], capabilities=["notes.read"], idempotent=True)
async def read_note(note_id: str) -> str:
    """Read one note as Markdown.

    Args:
        note_id: The note's id, as a search gives it.
    """
    note = STORE.read(note_id)
    if note is None:
        raise ExecutionFailedError(f"there is no note '{note_id}'", details={"name": "read_note"})
    return f"# {note.title}\n\n{note.text}"


@op(tags=["notes"], capabilities=["notes.write"], side_effects=["notes.write"])
async def add_note(
    title: Annotated[str, Meta(min_length=1, max_length=120)],
    text: str,
    tags: list[str] | None = None,
    day: dt.date | None = None,
) -> Added:
    """Write a new note. Use when the user wants something written down.

    Args:
        title: The note's first line; no other note may have it.
        text: Markdown.
        tags: Words to file it under.
        day: The day it is about; today where none is given.
    """
    body = f"{text}\n\nTags: {', '.join(tags)}" if tags else text
    try:
        note = STORE.add(title, body)
    except FileExistsError:
        raise ExecutionFailedError(f"there is a note '{title}' already") from None
    return Added(
        id=note.id,
        title=title,
        words=len(note.words),
        tags=tags or [],
        day=day or dt.datetime.now().astimezone().date(),
    )


@skill(tags=["notes"], capabilities=["notes.read"])
async def tell_note(note_id: str) -> AsyncIterator[str]:
    """Tell a note line by line, for readers that show text as it comes.

    Args:
        note_id: The note's id, as a search gives it.
    """
    note = STORE.read(note_id)
    if note is None:
        raise ExecutionFailedError(f"there is no note '{note_id}'")
    for line in note.text.splitlines():
        yield f"{line}\n"


@op(tags=["notes", "figures"], capabilities=["notes.read"], idempotent=True)
def count_words(
    order: Literal["common", "rare"] = "common", limit: Annotated[int, Meta(ge=1, le=100)] = 5
) -> dict[str, int]:
    """Count the words of all notes. A plain function: it runs in a thread.

    Args:
        order: Which words to give: the most common ones or the rarest.
        limit: How many words.
    """
    counts = Counter(word for note in STORE for word in note.words if len(word) >= SHORTEST)
    ranked = sorted(counts.items(), key=lambda pair: (pair[1] if order == "rare" else -pair[1], pair[0]))
    return dict(ranked[:limit])
