"""Every failure Prowess reports, as one family.

    ProwessError
    ├── InvalidInputError            a call's inputs do not fit the entry's schema, or its version constraint is none
    ├── ForbiddenError               this caller may not do this
    │   └── ApprovalRequiredError    ... until a person approves this very call
    ├── RateLimitedError             allowed, but not yet
    ├── NotFoundError                no entry, run or file of that name that the caller may see
    ├── ExecutionFailedError         the handler ran and failed
    │   ├── InvalidOutputError       ... by returning what its schema does not allow
    │   ├── TimedOutError            ... by not ending before its deadline
    │   └── CallCancelledError       ... because its run was cancelled
    ├── UnavailableError             the entry exists and cannot run now (disabled, L0, a broken factory)
    │   ├── MissingServiceError      ... because nobody registered a service it needs; also a KeyError
    │   └── StoreError               ... because records cannot be read or written now
    ├── AlreadyRegisteredError       a name@version twice, two spellings of one name, or an id that leads elsewhere
    ├── InvalidManifestError         what an entry says about itself is wrong
    │   ├── InvalidSchemaError       ... its JSON Schema is illegal or too costly to check
    │   └── InvalidDocumentError     ... in a registry document: each problem has its file, line, path and value
    ├── ConfigurationError           prowess.toml, a setting or an argument is wrong
    └── MissingExtraError            an optional part is not installed

Each has two texts: `str(error)` is for the operator; `model_text` is what may be shown to a model, and never
holds the text of an exception that its author did not mean to be read.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isfinite
from typing import ClassVar, TypeGuard

from msgspec import Struct
from msgspec.structs import asdict

__all__ = [
    "AlreadyRegisteredError",
    "ApprovalRequiredError",
    "CallCancelledError",
    "ConfigurationError",
    "DocumentProblem",
    "ExecutionFailedError",
    "ForbiddenError",
    "InvalidDocumentError",
    "InvalidInputError",
    "InvalidManifestError",
    "InvalidOutputError",
    "InvalidSchemaError",
    "MissingExtraError",
    "MissingServiceError",
    "NotFoundError",
    "Problem",
    "ProwessError",
    "RateLimitedError",
    "StoreError",
    "TimedOutError",
    "UnavailableError",
]

_DETAILS_DEPTH = 8
_WANTING = frozenset({"enum", "maximum", "minimum", "pattern", "type"})
"""Rules whose message says what must stand there."""


class Problem(Struct, frozen=True, kw_only=True, gc=False):
    """One thing that is wrong with a value: where it is, which rule it breaks, and what would be right."""

    path: str
    """The JSON path of the value, `$` for the whole: `$.items[2].name`."""
    rule: str
    """The rule's stable word: a JSON Schema keyword, or one of ours."""
    message: str
    """One sentence that is safe to show to a model; it never quotes the value."""
    type: str | None = None
    """The JSON type of the value found there, or None where there is no value."""
    near: str | None = None
    """A name that was probably meant."""

    def __str__(self) -> str:
        hint = f" (did you mean '{self.near}'?)" if self.near else ""
        return f"{self.path}: {self.message}{hint}"


class DocumentProblem(Problem, frozen=True, kw_only=True, gc=False):
    """One thing that is wrong with a registry document, which only its operator reads."""

    file: str
    """The document, as whoever loads it calls it: `config/skill-registry.json`."""
    line: int | None = None
    """From 1, where it is known."""
    value: str | None = None
    """What stands there, as JSON, cut where it is long; None where something is missing."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        found = "" if self.value is None else f", not {self.value}" if self.rule in _WANTING else f": {self.value}"
        hint = f" (did you mean '{self.near}'?)" if self.near else ""
        return f"{place}: {self.path}: {self.message}{found}{hint}"


class ProwessError(Exception):
    """The base of the family: a stable `code`, a message, whether trying again may help, and details."""

    code: ClassVar[str] = "error"
    label: ClassVar[str] = ""
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        details: Mapping[str, object] | None = None,
        retryable: bool | None = None,
        model_text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details: Mapping[str, object] = dict(details or {})
        if retryable is not None:
            self.retryable = retryable
        self._model_text = model_text

    def __str__(self) -> str:
        return f"{self.label}: {self.message}" if self.label else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message,), self.__dict__.copy())

    @property
    def model_text(self) -> str:
        """What a model may read: the same words, unless they came from code that did not mean them for it."""
        return str(self) if self._model_text is None else self._model_text

    def mask(self, hide: Callable[[str], str]) -> None:
        """Let a function go over every text that the error says: its message, what a model reads, and its details."""
        self.message = hide(self.message)
        self.args = (self.message,)
        if self._model_text is not None:
            self._model_text = hide(self._model_text)
        self.details = {key: _hidden(value, hide) for key, value in self.details.items()}

    @property
    def name(self) -> str | None:
        """The entry that failed or is missing, where the error knows it."""
        return _text(self.details.get("name"))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem that was found, never only the first."""
        found = self.details.get("problems", ())
        return tuple(p for p in found if isinstance(p, Problem)) if isinstance(found, Sequence) else ()

    @property
    def near(self) -> tuple[str, ...]:
        """Names that were probably meant, nearest first, where a name was wrong."""
        return _texts(self.details.get("near"))

    def to_json(self) -> dict[str, object]:
        """The error as JSON for an operator or a client that acts on codes."""
        details = {str(key): _jsonable(value) for key, value in self.details.items()}
        return {"code": self.code, "message": str(self), "retryable": self.retryable, "details": details}


class InvalidInputError(ProwessError):
    """The inputs of a call do not fit, `problems` lists each field; or the version that it asks for is none."""

    code = "invalid_input"
    label = "invalid input"


class ForbiddenError(ProwessError):
    """The caller may not do this; the message holds every reason."""

    code = "forbidden"
    label = "forbidden"


class ApprovalRequiredError(ForbiddenError):
    """A person must approve this very call first; `proposal_id` names the proposal."""

    code = "approval_required"
    label = "approval required"

    @property
    def proposal_id(self) -> str | None:
        """The proposal that waits for a decision."""
        return _text(self.details.get("proposal_id"))


class RateLimitedError(ProwessError):
    """Too many calls just now; `retry_after` says in how many seconds one fits."""

    code = "rate_limited"
    label = "rate limited"
    retryable = True

    @property
    def retry_after(self) -> float | None:
        """Seconds until a call fits, where known."""
        value = self.details.get("retry_after")
        return float(value) if isinstance(value, int | float) else None


class NotFoundError(ProwessError):
    """Nothing of that name, as far as this caller can see; `near` holds similar names."""

    code = "not_found"
    label = "not found"


class ExecutionFailedError(ProwessError):
    """A handler failed; `name` is its entry, `reason` the cause as the operator may see it."""

    code = "execution_failed"
    label = "execution failed"

    @property
    def reason(self) -> str | None:
        """What went wrong, in the words of what raised it."""
        return _text(self.details.get("reason"), self.message)


class InvalidOutputError(ExecutionFailedError):
    """A handler returned what its output schema does not allow."""

    code = "invalid_output"
    label = "invalid output"


class TimedOutError(ExecutionFailedError):
    """A handler did not end before its deadline."""

    code = "timed_out"
    label = "timed out"
    retryable = True


class CallCancelledError(ExecutionFailedError):
    """The call was cancelled before its handler ended."""

    code = "cancelled"
    label = "cancelled"


class UnavailableError(ProwessError):
    """The entry exists and cannot run now."""

    code = "unavailable"
    label = "unavailable"


class MissingServiceError(UnavailableError, KeyError):
    """A service was required that nobody registered; `near` names in `details` are those that were."""

    code = "missing_service"
    label = "missing service"


class StoreError(UnavailableError):
    """Records (approvals, rates, audit) cannot be read or written; the message says why, and what would help."""

    code = "store_unavailable"
    label = "store unavailable"
    retryable = True

    @property
    def model_text(self) -> str:
        """Nothing about where records are kept: that is the operator's."""
        return f"{self.label}: the records of this project cannot be reached"


class AlreadyRegisteredError(ProwessError):
    """That name@version, another spelling of that name, or what its id leads to, is in the registry."""

    code = "already_registered"
    label = "already registered"


class InvalidManifestError(ProwessError):
    """What an entry says about itself is wrong; `problems` lists each field."""

    code = "invalid_manifest"
    label = "invalid manifest"


class InvalidSchemaError(InvalidManifestError):
    """A JSON Schema is illegal, reaches outside itself, or could cost more than any call may."""

    code = "invalid_schema"
    label = "invalid schema"


class InvalidDocumentError(InvalidManifestError):
    """Registry documents are wrong; `problems` lists all that is, each a `DocumentProblem`. Nothing was loaded."""

    code = "invalid_document"
    label = "invalid document"


class ConfigurationError(ProwessError):
    """A setting is wrong: the message names it, its place and what would be right."""

    code = "configuration"
    label = "configuration"


class MissingExtraError(ProwessError):
    """An optional part is needed and not installed; the message says which extra brings it."""

    code = "missing_extra"
    label = "missing extra"


# ---------------------------------------------------------------------------------------------------------------------


def _hidden(value: object, hide: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return hide(value)
    return [_hidden(item, hide) for item in value] if _is_list(value) else value


def _text(value: object, default: str | None = None) -> str | None:
    return value if isinstance(value, str) else default


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(str(item) for item in value)
    return ()


def _jsonable(value: object, depth: int = 0) -> object:
    """Details as JSON, whatever a handler put there: an error that cannot be told hides the failure it is about."""
    if value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, Problem):
        return {key: item for key, item in asdict(value).items() if item is not None}
    if depth < _DETAILS_DEPTH and _is_mapping(value):
        return {str(key): _jsonable(item, depth + 1) for key, item in value.items()}
    if depth < _DETAILS_DEPTH and _is_collection(value):
        return [_jsonable(item, depth + 1) for item in value]
    return type(value).__name__ if isinstance(value, Iterable) else str(value)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _is_collection(value: object) -> TypeGuard[Collection[object]]:
    return isinstance(value, tuple | list | set | frozenset)
