"""What a stage of the gate answers: `Allow`, `Ask` or `Deny`, always with every reason."""

from typing import TypeAlias

from msgspec import Struct

from prowess.errors import ForbiddenError, ProwessError

__all__ = ["ALLOW", "Allow", "Ask", "Deny", "Reason", "Verdict", "strictest"]


class Reason(Struct, frozen=True, gc=False):
    """One ground of a verdict: the rule that spoke and a sentence about it."""

    rule: str
    message: str


class Allow(Struct, frozen=True, tag=True):
    """The call may go on; reasons are notes, such as a deprecation."""

    reasons: tuple[Reason, ...] = ()


class Ask(Struct, frozen=True, tag=True):
    """A person has to decide about this very call."""

    reasons: tuple[Reason, ...] = ()


class Deny(Struct, frozen=True, tag=True):
    """The call stops here, with this error's class when the reasons are told."""

    reasons: tuple[Reason, ...] = ()
    error: type[ProwessError] = ForbiddenError


Verdict: TypeAlias = Allow | Ask | Deny

ALLOW = Allow()


def strictest(*verdicts: Verdict) -> Verdict:
    """Deny beats Ask beats Allow; every reason of the winner's rank and above is kept."""
    for kind in (Deny, Ask, Allow):
        chosen = [verdict for verdict in verdicts if isinstance(verdict, kind)]
        if chosen:
            reasons = tuple(reason for verdict in chosen for reason in verdict.reasons)
            return Deny(reasons, chosen[0].error) if isinstance(chosen[0], Deny) else type(chosen[0])(reasons)
    return ALLOW
