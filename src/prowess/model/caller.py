"""Who asks for a call."""

from msgspec import Struct

from prowess.model.forms import Forms, choice, demand, instance, text
from prowess.model.manifest_parts import Autonomy
from prowess.model.permissions import Permissions

__all__ = ["LOCAL_OWNER", "Caller"]


class Caller(Struct, frozen=True, gc=False):
    """Who asks: an actor on a channel, with permissions, an autonomy ceiling and a trace to belong to."""

    actor: str
    channel: str = "library"
    permissions: Permissions = Permissions()
    ceiling: Autonomy = Autonomy.L3
    trace: str | None = None

    def __post_init__(self) -> None:
        """Refuse with `ConfigurationError` what is not of these types: permissions must never be guessed."""
        demand("caller", self, _CALLER)


# ---------------------------------------------------------------------------------------------------------------------


_CALLER: Forms = {
    "actor": text,
    "channel": text,
    "permissions": instance(Permissions, "Permissions, such as Permissions.preset('worker')"),
    "ceiling": choice(Autonomy),
    "trace": text,
}

LOCAL_OWNER = Caller("local")
"""Who a library call without a caller is: the owner of the process."""
