"""What a SKILL.md says, and what is wrong with it: the two answers that one reading gives."""

from enum import StrEnum

from msgspec import Struct

from prowess.model.json_value import Json

__all__ = ["Field", "Severity", "SkillDocument", "SkillProblem", "SkillReading"]


class Severity(StrEnum):
    """How much a problem matters: an error breaks the profile's rules, a warning is repaired or passed over."""

    ERROR = "error"
    WARNING = "warning"


class SkillProblem(Struct, frozen=True, kw_only=True, gc=False):
    """One thing that is wrong with a SKILL.md: where, why, and what would be right."""

    code: str
    """The problem's stable word; each has a page in `tests/skillmd/`."""
    severity: Severity
    message: str
    """One sentence: what is wrong."""
    line: int = 1
    """From 1, in the file."""
    column: int = 1
    """From 1, in characters."""
    fix: str | None = None
    """What to write instead; None where nothing can be advised."""
    field: str | None = None
    """The field that it is about, where it is about one."""


class Field(Struct, frozen=True, gc=False):
    """One top-level field of the front matter, as its author wrote it."""

    name: str
    value: Json
    """Scalars by our own rules: a version written `1.10` is the text `1.10`."""
    line: int
    column: int


class SkillDocument(Struct, frozen=True, kw_only=True):
    """What can be used of a SKILL.md. A value."""

    name: str
    """As the front matter writes it, in NFC; the folder's where it says none."""
    description: str
    version: str | None = None
    """As written, from the top level or `metadata`."""
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: tuple[str, ...] | None = None
    """One normalised form of each tool; None where the field is absent, which is not the same as an empty list."""
    disallowed_tools: tuple[str, ...] = ()
    metadata: dict[str, Json] = {}
    author: str | None = None
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    when_to_use: str | None = None
    argument_hint: str | None = None
    model: str | None = None
    context: str | None = None
    paths: tuple[str, ...] = ()
    inputs: Json = None
    outputs: Json = None
    requires: Json = None
    hooks: Json = None
    user_invocable: bool = True
    model_invocable: bool = True
    """False where `disable-model-invocation` is true: listed for people, never offered to a model."""
    fields: tuple[Field, ...] = ()
    """Every top-level field, known or not, in order."""
    body: str = ""
    """The Markdown below the front matter."""


class SkillReading(Struct, frozen=True, kw_only=True):
    """Both answers: the document, None where nothing can be loaded, and every problem in the order of the file."""

    name: str
    """The best name there is, the folder's where the front matter has none, so that a refusal can name the skill."""
    document: SkillDocument | None
    problems: tuple[SkillProblem, ...] = ()
    source: bytes = b""
    """What was read. Whoever keeps many documents lets their readings go."""
