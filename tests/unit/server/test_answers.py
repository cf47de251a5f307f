"""What an error becomes for whoever sent the request."""

import json

import pytest

from prowess import ApprovalRequiredError, RateLimitedError, Result
from prowess.server.answers import answer_error, answer_result


@pytest.mark.parametrize(
    ("after", "header"), [(0.2, "1"), (7.1, "8"), (7, "7"), (float("inf"), None), (float("nan"), None), (None, None)]
)
def test_whoever_comes_too_early_is_told_when_to_come_again(after: float | None, header: str | None) -> None:
    """Regression: a `retry_after` without end was a mistake of ours, where it is only not told."""
    error = RateLimitedError("too many", details={"retry_after": after})
    for answer in (answer_error(error), answer_result(Result(error=error))):
        assert (answer.status_code, answer.headers.get("retry-after")) == (429, header)
        assert json.loads(bytes(answer.body))["error"]["retryable"] is True


def test_only_the_details_that_a_sender_can_act_on_leave_the_server() -> None:
    """Spec: `details` holds name, near, problems, retry_after and proposal_id; others may quote code and paths."""
    error = ApprovalRequiredError("ask first", details={"proposal_id": "p1", "reason": "hunter2", "near": ("a", "b")})
    told = json.loads(bytes(answer_error(error).body))["error"]
    assert (told["code"], told["details"]) == ("approval_required", {"proposal_id": "p1", "near": ["a", "b"]})
