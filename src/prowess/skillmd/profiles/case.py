"""What a profile looks at, and what a profile is."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from prowess.skillmd.document import SkillDocument, SkillProblem, SkillReading
from prowess.skillmd.fields import meant
from prowess.skillmd.frontmatter.reading import read_front
from prowess.skillmd.frontmatter.source import Source, read_source
from prowess.yamltext.nodes import Mapping as YamlMapping
from prowess.yamltext.nodes import Node, Scalar

__all__ = ["Case", "Profile", "Rule"]


class Case:
    """One SKILL.md under a profile's eyes; what is not needed is not read again."""

    def __init__(self, reading: SkillReading, folder: str | None, file_name: str) -> None:
        self.reading = reading
        self.folder = folder
        self.file_name = file_name

    @property
    def document(self) -> SkillDocument | None:
        """The document, None where Prowess loads none."""
        return self.reading.document

    @cached_property
    def source(self) -> Source:
        """The text, and where its front matter is."""
        return read_source(self.reading.source)

    @cached_property
    def front(self) -> tuple[YamlMapping, str] | None:
        """The front matter's fields, and the text that their places are in; None where there are none."""
        return read_front(self.source, []) if self.source.usable else None

    def fields(self) -> Iterator[tuple[Scalar, Node]]:
        """The fields in their order, whatever their names."""
        if self.front is not None:
            yield from self.front[0].named()

    def node(self, name: str) -> Node | None:
        """A known field's value, however its name is spelled; the last one where there are several."""
        found: Node | None = None
        for key, value in self.fields():
            if meant(key.text) == name:
                found = value
        return found


Rule: TypeAlias = Callable[[Case], Iterator[SkillProblem]]


class Profile(Struct, frozen=True, kw_only=True):
    """A rule set: what it looks for itself, and how it weighs what reading found."""

    name: str
    about: str
    """One line for people."""
    is_client: bool = False
    """Whether it says if a client would load a skill; the others say if a skill is as it should be."""
    raised: Mapping[str, frozenset[str]] = {}
    """Warnings that are errors here; of these fields only, where any are named."""
    lowered: frozenset[str] = frozenset()
    """Errors that are warnings here: the client passes over them."""
    ignored: frozenset[str] = frozenset()
    """Problems that are none here."""
    rules: tuple[Rule, ...] = ()
