"""The parts of a manifest: its closed sets of words, and the values that it holds."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, json

from prowess.model.json_value import Json, to_json_value
from prowess.model.names import split_reference

__all__ = [
    "NO_EXTRA",
    "NO_LIMITS",
    "NO_REDACTION",
    "Autonomy",
    "Deprecation",
    "Extra",
    "FailureMode",
    "Kind",
    "Limits",
    "Redaction",
    "RuntimeKind",
    "Status",
    "Target",
]


class Kind(StrEnum):
    """What an entry is: an op does one thing, the three others are skills."""

    OP = "op"
    LOGIC = "logic"
    PIPELINE = "pipeline"
    PACKAGE = "package"


class RuntimeKind(StrEnum):
    """What carries an op or a logic skill out."""

    NATIVE = "native"
    HTTP = "http"
    SCRIPT = "script"
    MCP = "mcp"


class Status(StrEnum):
    """Whether an entry may run."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    DEPRECATED = "deprecated"


class Autonomy(StrEnum):
    """How far an entry runs by itself."""

    L0 = "L0"
    L1 = "L1"
    L2 = "L2"
    L3 = "L3"


class Target(Struct, frozen=True, gc=False):
    """An entry that another one calls: its name, and a version constraint where one is asked for."""

    name: str
    version: str | None = None
    kind: str | None = None
    """`op` or `skill`, where the author said."""

    @classmethod
    def parse(cls, reference: "str | Target") -> "Target":
        """A target from `name` or `name@constraint`."""
        return reference if isinstance(reference, Target) else cls(*split_reference(reference))

    def __str__(self) -> str:
        return f"{self.name}@{self.version}" if self.version else self.name


class FailureMode(Struct, frozen=True, gc=False):
    """A way in which an entry says it can fail."""

    code: str
    description: str = ""
    retryable: bool = False

    @classmethod
    def parse(cls, text: str) -> "FailureMode":
        """A failure mode from `code`, or `code: what it means`."""
        code, _, description = text.partition(":")
        return cls(code.strip(), description.strip())


class Limits(Struct, frozen=True, gc=False):
    """Bounds that an entry sets on its calls."""

    timeout: float | None = None
    """Seconds a call may last; None sets no deadline."""
    max_per_minute: int | None = None
    per_actor: bool = False
    """Whether each actor has that many calls, or all of them together."""


class Redaction(Struct, frozen=True, gc=False):
    """JSON paths whose values never leave the gate unmasked."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


class Deprecation(Struct, frozen=True, gc=False):
    """An entry that will go: what replaces it, and at which version it is refused."""

    replaced_by: str | None = None
    removal_version: str | None = None
    migration: str | None = None


class Extra(Mapping[str, Json]):
    """An author's own JSON under names. It reads like a dictionary and cannot be changed: each read gives fresh values.

    Kept as its JSON text, like a schema, which takes a tenth of the memory. Raises `NotJsonError` for other values.
    Bytes are such a text that was read before, and are not looked at again.
    """

    __slots__ = ("_text",)

    def __init__(self, values: Mapping[str, object] | bytes) -> None:
        self._text = values if isinstance(values, bytes) else json.encode(to_json_value(dict(values)))

    def __getitem__(self, name: str) -> Json:
        return self.value()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.value())

    def __len__(self) -> int:
        return len(self.value())

    def __hash__(self) -> int:
        return hash(frozenset(self.value()))

    def __repr__(self) -> str:
        return repr(self.value())

    @property
    def text(self) -> bytes:
        """Its JSON."""
        return self._text

    def value(self) -> dict[str, Json]:
        """All of it as a fresh dictionary."""
        value: dict[str, Json] = json.decode(self._text)
        return value


NO_LIMITS = Limits()
NO_REDACTION = Redaction()
NO_EXTRA = Extra({})
