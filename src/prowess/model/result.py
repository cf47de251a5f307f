"""What a call came to: its output or its error, the steps it took, and how long it lasted."""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from prowess.errors import ExecutionFailedError, ProwessError
from prowess.model.json_value import Json

__all__ = ["Result", "StepRecord", "StepState"]


class StepState(StrEnum):
    """How a step ended."""

    COMPLETED = "completed"
    SKIPPED = "skipped"
    FAILED = "failed"
    HANDLED = "handled"


class StepRecord(Struct, frozen=True, kw_only=True):
    """One step of a pipeline's run: what it was, how it ended, how long it took. None is made until pipelines run."""

    id: str
    target: str
    state: StepState
    output: Json = None
    error: ProwessError | None = None
    duration_ms: float = 0.0


class Result(Struct, frozen=True, eq=False):
    """The outcome of one call. `ok` says which of `output` and `error` holds; `unwrap` gives one or raises the other.

    A handler may return one too: `Result(output=…)`, or `Result(error="text")`, whose text reaches the model and is
    an error once the call has ended.
    """

    output: Json = None
    error: ProwessError | None = None
    steps: tuple[StepRecord, ...] = ()
    duration_ms: float = 0.0

    if TYPE_CHECKING:  # a handler may give its error as text

        def __init__(
            self,
            output: object = None,
            error: ProwessError | str | None = None,
            steps: tuple[StepRecord, ...] = (),
            duration_ms: float = 0.0,
        ) -> None: ...

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    def unwrap(self) -> Json:
        """The output; raises the error where there is one."""
        if self.error is not None:
            raise _as_error(self.error)
        return self.output

    def to_json(self) -> dict[str, object]:
        """The result as JSON: `ok`, then `output` or `error`, `duration_ms`."""
        outcome: dict[str, object] = (
            {"ok": True, "output": self.output}
            if self.error is None
            else {"ok": False, "error": _as_error(self.error).to_json()}
        )
        return {**outcome, "duration_ms": round(self.duration_ms, 3)}


# ---------------------------------------------------------------------------------------------------------------------


def _as_error(error: ProwessError | str) -> ProwessError:
    return ExecutionFailedError(error) if isinstance(error, str) else error
