"""The answer of a rate limit."""

from msgspec import Struct

__all__ = ["Admission"]


class Admission(Struct, frozen=True, gc=False):
    """Whether one more call fits into a limit, and if not, when one will."""

    allowed: bool
    at: float = 0.0
    """The instant under which an allowed call counts; whoever does not make it gives this back."""
    retry_after: float = 0.0
    """Seconds until a call fits, for one that does not."""
