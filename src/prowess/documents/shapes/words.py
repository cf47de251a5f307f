"""The forms of single values, and what to say where one is not had."""

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "PATTERNS",
    "Capability",
    "Constraint",
    "Dotted",
    "Host",
    "Line",
    "Method",
    "Reference",
    "RegistryVersion",
    "SchemaObject",
    "Semver",
    "Shape",
    "SnakeName",
    "StepId",
    "Text",
    "Tool",
    "Url",
    "Word",
]


class Shape(BaseModel):
    """A part of a document: nothing is converted, and nothing but its fields may stand there."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True, allow_inf_nan=False)


_SNAKE = r"^[a-z0-9]+(?:_[a-z0-9]+)*$"
_ID = r"^[a-z0-9]+(?:[_-][a-z0-9]+)*$"
_NUMBER = r"(?:0|[1-9][0-9]{0,14})"
_PART = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER = rf"^{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PART}(?:\.{_PART})*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$"
_CAPABILITY = r"^[^\s.\x00-\x1f\x7f]+(?:\.[^\s.\x00-\x1f\x7f]+)+$"
_WORD = r"^[^\s\x00-\x1f\x7f]+$"
_LINE = r"^\S(?:[^\x00-\x1f\x7f]*\S)?$"
_TEXT = r"\S"
_REFERENCE = r"^[a-z0-9]+(?:[_-][a-z0-9]+)*(?:/[a-z0-9]+(?:[_-][a-z0-9]+)*)?(?:@[^@\x00-\x1f\x7f]+)?$"
_CONSTRAINT = r"^[0-9A-Za-z.*^~<>=|,+\s-]+$"
_METHOD = r"^[A-Z]{3,16}$"
_URL = r"^https?://[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$"
_HOST = r"^[A-Za-z0-9.*_-]+(?::[0-9]{1,5})?$"
_DOTTED = r"^[^\W\d]\w*(?:\.[^\W\d]\w*)*$"
_TOOL = r"^[^\s/]+(?:/[^\s/]+)?$"

PATTERNS = {
    _SNAKE: "must be a snake_case name: lowercase words and digits joined by single '_'",
    _ID: "must be an id: lowercase words and digits joined by single '_' or '-'",
    _SEMVER: "must be a semantic version such as 1.0.0",
    _CAPABILITY: "must be a right named domain.verb, such as notes.read",
    _WORD: "must be a word without spaces",
    _LINE: "must be one line of text",
    _TEXT: "must say something",
    _REFERENCE: "must be a name, or name@version",
    _CONSTRAINT: "must be a version such as 1.0.0, or a constraint: ^1.2, ~1.2.3, >=1 <2, 1.x, a || b",
    _METHOD: "must be an HTTP method such as POST",
    _URL: "must be an address that begins with http:// or https://, without user and password",
    _HOST: "must be a host: api.example.com",
    _DOTTED: "must be a name as Python imports it: skills.search_notes",
    _TOOL: "must be server/tool, or the tool where one server is configured",
}
"""What each pattern wants, in words."""

SnakeName: TypeAlias = Annotated[str, Field(pattern=_SNAKE, max_length=64)]
StepId: TypeAlias = Annotated[str, Field(pattern=_ID, max_length=64)]
Semver: TypeAlias = Annotated[str, Field(pattern=_SEMVER, max_length=256)]
RegistryVersion: TypeAlias = Semver
Capability: TypeAlias = Annotated[str, Field(pattern=_CAPABILITY, max_length=256)]
Word: TypeAlias = Annotated[str, Field(pattern=_WORD, max_length=256)]
Line: TypeAlias = Annotated[str, Field(pattern=_LINE, max_length=256)]
Text: TypeAlias = Annotated[str, Field(pattern=_TEXT, max_length=100_000)]
Reference: TypeAlias = Annotated[str, Field(pattern=_REFERENCE, max_length=256)]
Constraint: TypeAlias = Annotated[str, Field(pattern=_CONSTRAINT, max_length=256)]
Method: TypeAlias = Annotated[str, Field(pattern=_METHOD)]
Url: TypeAlias = Annotated[str, Field(pattern=_URL, max_length=4_096)]
Host: TypeAlias = Annotated[str, Field(pattern=_HOST, max_length=256)]
Dotted: TypeAlias = Annotated[str, Field(pattern=_DOTTED, max_length=256)]
Tool: TypeAlias = Annotated[str, Field(pattern=_TOOL, max_length=256)]
SchemaObject: TypeAlias = dict[str, Any]
"""A JSON Schema; whether it is legal is looked at by whoever compiles it."""
