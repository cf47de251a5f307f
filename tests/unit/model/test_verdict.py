from __future__ import annotations

from itertools import permutations

import pytest

from prowess.errors import ForbiddenError, RateLimitedError, UnavailableError
from prowess.model.verdict import ALLOW, Allow, Ask, Deny, Reason, Verdict, strictest

NOTE, DOUBT, NO, NEVER = (Reason(word, f"because of {word}") for word in ("note", "doubt", "no", "never"))


@pytest.mark.parametrize("order", list(permutations([Allow((NOTE,)), Ask((DOUBT,)), Deny((NO,))])))
def test_a_refusal_beats_a_question_beats_a_permission(order: tuple[Verdict, ...]) -> None:
    """Spec: each stage answers `Allow`, `Ask` or `Deny`; the strictest one counts."""
    assert strictest(*order) == Deny((NO,))
    assert strictest(*(verdict for verdict in order if not isinstance(verdict, Deny))) == Ask((DOUBT,))


def test_every_reason_is_kept_not_the_first() -> None:
    """Spec: an answer carries every reason."""
    assert strictest(Deny((NO,)), ALLOW, Deny((NEVER,))).reasons == (NO, NEVER)
    assert strictest(Allow((NOTE,)), Allow()).reasons == (NOTE,)


def test_the_first_refusal_says_which_error_it_is() -> None:
    """Choice: stages stand in their order, so the first one tells what stopped the call."""
    verdict = strictest(Deny((NO,), UnavailableError), Deny((NEVER,), RateLimitedError))
    assert isinstance(verdict, Deny)
    assert verdict.error is UnavailableError
    assert Deny().error is ForbiddenError


def test_nothing_said_allows() -> None:
    """Choice: a stage without rules lets a call pass."""
    assert strictest() is ALLOW
