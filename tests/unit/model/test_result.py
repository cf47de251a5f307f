from __future__ import annotations

import pytest

from prowess.errors import ExecutionFailedError, ForbiddenError
from prowess.model.result import Result, StepRecord, StepState


def test_a_result_with_an_output_gives_it() -> None:
    """Spec: `unwrap` gives the output or raises."""
    result = Result({"a": 1}, duration_ms=1.23456)
    assert result.ok
    assert result.unwrap() == {"a": 1}
    assert result.to_json() == {"ok": True, "output": {"a": 1}, "duration_ms": 1.235}


def test_a_result_with_an_error_raises_it() -> None:
    """Spec: `run` never raises for a refused or failed call, `unwrap` does."""
    error = ForbiddenError("no", details={"name": "a"})
    result = Result(error=error)
    assert not result.ok
    with pytest.raises(ForbiddenError) as caught:
        result.unwrap()
    assert caught.value is error
    assert result.to_json() == {"ok": False, "error": error.to_json(), "duration_ms": 0.0}


def test_an_error_given_as_text_is_a_failure_with_that_text() -> None:
    """Spec: a handler may return `Result(error="text")`."""
    result = Result(error="no such note")
    assert not result.ok
    with pytest.raises(ExecutionFailedError, match=r"^execution failed: no such note$"):
        result.unwrap()
    assert result.to_json()["error"] == ExecutionFailedError("no such note").to_json()


def test_an_empty_output_is_a_success() -> None:
    """Choice: whether a call succeeded hangs on its error alone."""
    assert Result().ok
    assert Result(output=None).unwrap() is None
    assert Result(error="").ok is False


def test_steps_tell_what_they_called_and_how_it_ended() -> None:
    """Spec: `result.steps`."""
    step = StepRecord(id="find", target="search@1.0.0", state=StepState.COMPLETED, output=[1])
    assert Result(steps=(step,)).steps[0].state == "completed"
    assert list(StepState) == ["completed", "skipped", "failed", "handled"]
