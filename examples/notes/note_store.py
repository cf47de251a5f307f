"""Notes as files: one Markdown file each, in a folder."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Note", "NoteStore", "slug_of"]

WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note: its id, its title, and its text below the title."""

    id: str
    title: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words of title and text, in lower case."""
        return [word.lower() for word in WORD.findall(f"{self.title}\n{self.text}")]


class NoteStore:
    """The notes of one folder, read from disk each time they are asked for."""

    def __init__(self, folder: Path | None = None) -> None:
        default = Path(os.environ.get("NOTES_FOLDER") or Path(__file__).parent / "notes")
        self.folder = folder or default

    def ids(self) -> list[str]:
        """The id of every note, sorted."""
        return sorted(file.stem for file in self.folder.glob("*.md"))

    def read(self, note_id: str) -> Note | None:
        """A note, None where there is none of that id."""
        if note_id not in self.ids():
            return None
        title, _, text = (self.folder / f"{note_id}.md").read_text(encoding="utf-8").partition("\n")
        return Note(id=note_id, title=title.removeprefix("# ").strip(), text=text.strip())

    def __iter__(self) -> Iterator[Note]:
        for note_id in self.ids():
            note = self.read(note_id)
            if note is not None:
                yield note

    def add(self, title: str, text: str) -> Note:
        """Write a new note; raises FileExistsError where there is one of that title."""
        note = Note(id=slug_of(title), title=title, text=text)
        with (self.folder / f"{note.id}.md").open("x", encoding="utf-8") as file:
            file.write(f"# {title}\n\n{text}\n")
        return note


def slug_of(title: str) -> str:
    """The id for a title: its words in lower case, joined by hyphens."""
    return "-".join(WORD.findall(title.lower()))[:60] or "note"
