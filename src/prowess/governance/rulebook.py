"""Everything that a project lays down about who may do what, as one value that a reload exchanges whole."""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from prowess.governance.capabilities import NO_CAPABILITIES, Capabilities
from prowess.governance.policy import Rule
from prowess.governance.question import Question
from prowess.model.permissions import Permissions
from prowess.model.verdict import Verdict

__all__ = ["NO_RULES", "Access", "PolicyPack", "Rulebook"]


class Access(Struct, frozen=True, gc=False):
    """From where, and by whom, an entry may be called; None asks nothing."""

    channels: tuple[str, ...] | None = None
    actors: tuple[str, ...] | None = None


class PolicyPack(Protocol):
    """Rules in another language. They only narrow: what is no clear yes is a `Deny`."""

    def judge(self, question: Question, /) -> Verdict:
        """The verdict, with every reason; never raises."""
        ...


class Rulebook(Struct, frozen=True, kw_only=True):
    """What a project lays down. The plain part of it, which no rule widens, is code: presets, rights, autonomy."""

    capabilities: Capabilities = NO_CAPABILITIES
    access: Mapping[str, Access] = {}
    """By `name@version`."""
    rules: tuple[Rule, ...] = ()
    packs: tuple[PolicyPack, ...] = ()
    presets: Mapping[str, Permissions] = {}
    """The project's own, by name."""


NO_RULES = Rulebook()
