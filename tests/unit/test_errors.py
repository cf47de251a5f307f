from __future__ import annotations

import copy
import json
import pickle

import pytest

from prowess import errors
from prowess.errors import (
    ApprovalRequiredError,
    ExecutionFailedError,
    ForbiddenError,
    InvalidInputError,
    InvalidManifestError,
    InvalidSchemaError,
    NotFoundError,
    Problem,
    ProwessError,
    RateLimitedError,
    StoreError,
    TimedOutError,
)

FAMILY = [getattr(errors, name) for name in errors.__all__ if name.endswith("Error")]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InvalidInputError("no"), "invalid input: no"),
        (ForbiddenError("no"), "forbidden: no"),
        (ExecutionFailedError("no"), "execution failed: no"),
        (ProwessError("no"), "no"),
    ],
)
def test_an_error_reads_as_its_kind_and_its_message(error: ProwessError, text: str) -> None:
    """Spec: `str()` reads `invalid input: …`, `forbidden: …`, `execution failed: …`."""
    assert str(error) == text


@pytest.mark.parametrize("kind", FAMILY)
def test_every_error_is_made_alike(kind: type[ProwessError]) -> None:
    """Spec: every error is made as `SomeError(message, *, details=…, retryable=…)`."""
    error = kind("why", details={"name": "x"}, retryable=True)
    assert (error.message, error.details, error.retryable, error.name) == ("why", {"name": "x"}, True, "x")


def test_every_error_has_a_code_of_its_own() -> None:
    """Choice: clients act on codes, so two kinds never share one."""
    assert len({kind.code for kind in FAMILY}) == len(FAMILY)


def test_the_docstring_draws_every_error_of_the_family() -> None:
    """Spec: the whole tree is drawn in the module's docstring."""
    assert [kind.__name__ for kind in FAMILY if kind.__name__ not in str(errors.__doc__)] == []


@pytest.mark.parametrize("kind", FAMILY)
def test_only_what_may_pass_by_itself_is_retryable(kind: type[ProwessError]) -> None:
    """Choice: a caller that retries does so only where waiting may help."""
    assert kind("x").retryable is issubclass(kind, RateLimitedError | TimedOutError | StoreError)


def test_a_model_reads_what_the_operator_reads() -> None:
    """Spec: the model-safe text is useful: it is the same, unless that was not meant for a model."""
    assert InvalidInputError("field 'a' is missing").model_text == "invalid input: field 'a' is missing"


def test_a_model_reads_only_the_text_that_was_meant_for_it() -> None:
    """Spec: a secret, a stack or an internal path never reaches a model."""
    assert ExecutionFailedError("/etc/secret", model_text="it failed").model_text == "it failed"


def test_an_empty_text_for_a_model_stays_empty() -> None:
    """Regression: an empty text was taken for none, and the operator's text shown instead."""
    assert ExecutionFailedError("/etc/secret", model_text="").model_text == ""


def test_problems_are_all_there_and_nothing_else_is() -> None:
    """Spec: all problems of an input are reported at once."""
    problem = Problem(path="$.a", rule="type", message="must be text")
    assert InvalidInputError("x", details={"problems": (problem, "other")}).problems == (problem,)
    assert InvalidInputError("x", details={"problems": 3}).problems == ()
    assert InvalidInputError("x").problems == ()


def test_a_problem_reads_as_a_place_and_a_sentence() -> None:
    """Spec: each problem has its JSON path, and a near name where one helps."""
    problem = Problem(path="$.nmae", rule="unknown", message="is unknown")
    assert str(problem) == "$.nmae: is unknown"
    assert str(Problem(path="$.nmae", rule="unknown", message="is unknown", near="name")).endswith(
        "is unknown (did you mean 'name'?)"
    )


def test_data_rides_on_the_error_that_it_belongs_to() -> None:
    """Spec: `NotFoundError.name`, `ExecutionFailedError.name` and `.reason` carry their data."""
    assert NotFoundError("x", details={"name": "a", "near": ["b", "c"]}).near == ("b", "c")
    assert NotFoundError("x", details={"near": "b"}).near == ()
    assert ExecutionFailedError("x", details={"reason": "disk full"}).reason == "disk full"
    assert ExecutionFailedError("x").reason == "x"
    assert ApprovalRequiredError("x", details={"proposal_id": "p1"}).proposal_id == "p1"
    assert ApprovalRequiredError("x").proposal_id is None
    assert RateLimitedError("x", details={"retry_after": 2}).retry_after == 2.0
    assert RateLimitedError("x").retry_after is None


def test_a_kind_of_error_is_caught_by_what_it_is_a_kind_of() -> None:
    """Choice: who handles a refusal handles one that waits for approval too."""
    assert issubclass(ApprovalRequiredError, ForbiddenError)
    assert issubclass(InvalidSchemaError, InvalidManifestError)


def test_an_error_survives_being_sent_to_another_process() -> None:
    """Choice: a worker's error reaches its parent whole."""
    error = NotFoundError("x", details={"name": "a"}, retryable=True, model_text="gone")
    error.add_note("while resolving")
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301 - what was just written
        assert type(copied) is NotFoundError
        assert (str(copied), copied.name, copied.retryable, copied.model_text) == (str(error), "a", True, "gone")
        assert copied.__notes__ == ["while resolving"]


def test_an_error_is_json_whatever_its_details_hold() -> None:
    """Regression: details that JSON cannot hold hid the failure that they were about."""
    circle: list[object] = []
    circle.append(circle)
    problem = Problem(path="$.a", rule="type", message="must be text")
    details = {"problems": (problem,), "nan": float("nan"), "circle": circle, "kind": {1: {2}}, "what": ValueError("v")}
    told = ProwessError("x", details=details).to_json()
    json.dumps(told, allow_nan=False)
    assert told["details"] == {
        "problems": [{"path": "$.a", "rule": "type", "message": "must be text"}],
        "nan": "nan",
        "circle": [[[[[[[["list"]]]]]]]],
        "kind": {"1": [2]},
        "what": "v",
    }


def test_an_error_is_json_for_clients() -> None:
    """Choice: one shape for every edge."""
    assert InvalidInputError("no", details={"name": "a"}).to_json() == {
        "code": "invalid_input",
        "message": "invalid input: no",
        "retryable": False,
        "details": {"name": "a"},
    }
