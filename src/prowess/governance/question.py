"""What is judged: who asks for which entry, inside what, and when."""

from msgspec import Struct

from prowess.model.caller import Caller
from prowess.model.manifest import Manifest

__all__ = ["Question"]


class Question(Struct, frozen=True, gc=False):
    """One call, as far as a rule looks at it. Inputs are not among it: their schema and their paths judge them."""

    manifest: Manifest
    caller: Caller
    hour: int = 0
    """The hour of the local day, 0 to 23."""
